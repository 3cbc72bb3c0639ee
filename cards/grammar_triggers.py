"""Trigger conditions: "when ~ enters", "whenever a creature dies", "at the beginning of" (603).

"When" stands for what happens to an object once, "whenever" for what may happen again; the
grammar asks for the one that belongs to the event.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ..events.ids import Step
from .grammar_filters import description
from .grammar_phrases import itself
from .grammar_reader import Reader, reading
from .lower import nouns_of
from .model import (
    AttachedTo,
    Attacks,
    BecomesBlocked,
    BecomesTapped,
    BecomesTarget,
    Blocks,
    CastsSpell,
    ControllerOf,
    DealsDamage,
    Dies,
    Discards,
    DrawsCard,
    EachPlayer,
    Enters,
    EventObject,
    EventPlayer,
    Filter,
    GainsLife,
    LeavesBattlefield,
    Objects,
    Players,
    StepBegins,
    This,
    Trigger,
    You,
)


class Triggers(msgspec.Struct, frozen=True):
    """The events that trigger an ability, and whom "it" and "that player" mean in its effect."""

    triggers: tuple[Trigger, ...]
    it: Objects | None = None
    that_player: Players | None = None
    nouns: frozenset[str] = frozenset()


STEPS: tuple[tuple[str, Step, Players, Players | None], ...] = (
    ("your upkeep", Step.UPKEEP, You(), None),
    ("each player's upkeep", Step.UPKEEP, EachPlayer(), EventPlayer()),
    ("each opponent's upkeep", Step.UPKEEP, EachPlayer(opponents_only=True), EventPlayer()),
    ("each upkeep", Step.UPKEEP, EachPlayer(), None),
    ("your draw step", Step.DRAW, You(), None),
    ("each player's draw step", Step.DRAW, EachPlayer(), EventPlayer()),
    ("your precombat main phase", Step.MAIN1, You(), None),
    ("combat on your turn", Step.BEGIN_COMBAT, You(), None),
    ("each combat", Step.BEGIN_COMBAT, EachPlayer(), None),
    ("your end step", Step.END, You(), None),
    ("your first main phase", Step.MAIN1, You(), None),
    ("your second main phase", Step.MAIN2, You(), None),
    ("your postcombat main phase", Step.MAIN2, You(), None),
    (
        "combat on each opponent's turn",
        Step.BEGIN_COMBAT,
        EachPlayer(opponents_only=True),
        EventPlayer(),
    ),
    ("each player's end step", Step.END, EachPlayer(), EventPlayer()),
    ("each opponent's end step", Step.END, EachPlayer(opponents_only=True), EventPlayer()),
    ("each end step", Step.END, EachPlayer(), None),
    ("the end step", Step.END, EachPlayer(), None),
    (
        "the upkeep of enchanted creature's controller",
        Step.UPKEEP,
        ControllerOf(AttachedTo()),
        EventPlayer(),
    ),
)


_OLDER = ("the end step", "your first main phase", "your postcombat main phase")
"""Other words for a moment that another row names too."""


def antecedents(event: Trigger) -> Triggers:
    """Return what "it" and "that player" mean in the effect of one trigger."""
    match event:
        case StepBegins(step=step, whose=whose):
            known = [player for _, one, who, player in STEPS if (one, who) == (step, whose)]
            return Triggers((event,), that_player=known[0] if known else None)
        case CastsSpell(player=who):
            that_player = None if isinstance(who, You) else EventPlayer()
            return Triggers((event,), EventObject(), that_player, frozenset({"spell"}))
        case Discards(player=who):
            that_player = None if isinstance(who, You) else EventPlayer()
            return Triggers((event,), EventObject(), that_player, frozenset({"card"}))
        case GainsLife(player=who) | DrawsCard(player=who):
            return Triggers((event,), None, None if isinstance(who, You) else EventPlayer())
        case DealsDamage(what=what, to=to):
            player = EventPlayer() if to in {"player", "opponent"} else None
            return _about(what, (event,), player)
        case _:
            return _about(event.what, (event,))


@reading
def trigger(r: Reader) -> Triggers | None:
    """Read a trigger condition up to its comma, without it."""
    if r.eat("at the beginning of"):
        for phrase, step, whose, that_player in STEPS:
            if r.eat(phrase):
                if phrase in _OLDER:
                    r.note(phrase)
                if that_player is not None and whose == EachPlayer():
                    r.note("player's")  # "each upkeep" is the same moment
                return Triggers((StepBegins(step, whose),), that_player=that_player)
        return None
    word = r.eat_any("when", "whenever")
    if word is None:
        return None
    first = _player_event(r, word) or _object_event(r, word)
    mark = r.mark()
    second = (_player_event(r, word) or _object_event(r, word)) if r.eat("or") else None
    if first is None or second is None:
        r.reset(mark)
        return first
    return Triggers(
        first.triggers + second.triggers,
        first.it if first.it == second.it else None,
        first.that_player if first.that_player == second.that_player else None,
        first.nouns & second.nouns,
    )


@reading
def _player_event(r: Reader, word: str) -> Triggers | None:
    if word == "when":
        r.note(word)
    who: Players
    if r.eat("you"):
        who, s, that_player = You(), "", None
    elif r.eat("a player"):
        who, s, that_player = EachPlayer(), "s", EventPlayer()
    elif r.eat("an opponent"):
        who, s, that_player = EachPlayer(opponents_only=True), "s", EventPlayer()
    else:
        return None
    if r.eat(f"cast{s}"):
        what = _spell(r)
        if what is None:
            return None
        spell = frozenset({"spell"})
        return Triggers((CastsSpell(who, what),), EventObject(), that_player, spell)
    if r.eat(f"gain{s} life"):
        return Triggers((GainsLife(who),), None, that_player)
    if r.eat(f"discard{s} a card"):
        card = frozenset({"card"})
        return Triggers((Discards(who),), EventObject(), that_player, card)
    if r.eat(f"draw{s} a card"):
        return Triggers((DrawsCard(who),), None, that_player)
    return None


@reading
def _spell(r: Reader) -> Filter | None:
    other = r.eat("another")
    if not other and not r.eat_article():
        return None
    found = description(r)
    if (
        found is None
        or not found.counts_as(plural=False)
        or found.noun != "spell"
        or found.what.controller != "any"
    ):
        return None
    return msgspec.structs.replace(found.what, identity="other") if other else found.what


@reading
def _object_event(r: Reader, word: str) -> Triggers | None:
    """Read an object and what happens to it; "attacks or blocks" is two events."""
    subject = _subject(r)
    if subject is None:
        return None
    subject = _or_another(r, subject)
    once = subject.identity in {"this", "attached"}
    if r.eat_any("enters or attacks", "enters the battlefield or attacks") is not None:
        events: tuple[Trigger, ...] = (Enters(subject), Attacks(subject))
    elif r.eat_any("enters or dies", "enters the battlefield or dies") is not None:
        events = (Enters(subject), Dies(subject))
    elif r.eat_any(
        "enters or leaves the battlefield",
        "enters the battlefield or leaves the battlefield",
    ):
        events = (Enters(subject), LeavesBattlefield(subject))
    elif r.eat("attacks or blocks"):
        events = (Attacks(subject), Blocks(subject))
    elif r.eat("blocks or becomes blocked"):
        events = (Blocks(subject), BecomesBlocked(subject))
    else:
        single = _zone_event(r, subject)
        if single is not None:
            if (word == "when") is not once:
                r.note(word)  # older cards say the other one
            return _about(subject, (single,))
        event = _event(r, subject)
        if event is None:
            return None
        if word == "when":
            r.note(word)
        if isinstance(event, DealsDamage):
            to_player = event.to in {"player", "opponent"}
            return _about(subject, (event,), EventPlayer() if to_player else None)
        return _about(subject, (event,))
    if word == "when":
        r.note(word)
    return _about(subject, events)


def _about(
    subject: Filter, events: tuple[Trigger, ...], that_player: Players | None = None
) -> Triggers:
    if subject.identity == "this":
        return Triggers(events, This(), that_player)
    if any(isinstance(each, DealsDamage) and each.to in {"any", "creature"} for each in events):
        return Triggers(events, None, that_player)  # "that creature" could be either of two
    left = any(isinstance(each, (Dies, LeavesBattlefield)) for each in events)
    nouns = nouns_of(subject, "permanent") | (frozenset({"card"}) if left else frozenset())
    return Triggers(events, EventObject(), that_player, nouns)


def _or_another(r: Reader, subject: Filter) -> Filter:
    """Read "~ or another creature": one description that either fits."""
    mark = r.mark()
    if subject.identity == "this" and r.eat("or another"):
        found = description(r)
        if found is not None and found.counts_as(plural=False):
            other = msgspec.structs.replace(found.what, identity="other")
            return Filter(any_of=(subject, other))
    r.reset(mark)
    return subject


@reading
def _subject(r: Reader) -> Filter | None:
    """Read what the event happens to: "~", "another creature you control"."""
    if itself(r):
        return Filter(identity="this")
    noun = r.peek(1)
    if r.peek() == "enchanted" and noun in r.card.attached_nouns and r.eat(f"enchanted {noun}"):
        return Filter(identity="attached")
    if "Equipment" in r.card.subtypes and r.eat("equipped creature"):
        return Filter(identity="attached")
    other = r.eat("another")
    if not other and not r.eat_article():
        return None
    found = description(r)
    if found is None or not found.counts_as(plural=False) or found.noun in {"card", "spell"}:
        return None
    return msgspec.structs.replace(found.what, identity="other") if other else found.what


@reading
def _zone_event(r: Reader, subject: Filter) -> Trigger | None:
    if r.eat("enters"):
        r.eat("the battlefield")
        if r.eat("under your control"):
            if subject.controller != "any" or subject.identity == "this":
                return None
            return Enters(_yours(subject))
        if r.eat("under an opponent's control"):
            return Enters(msgspec.structs.replace(subject, controller="opponent"))
        return Enters(subject)
    if r.eat("dies"):
        return Dies(subject)
    if r.eat("is put into a graveyard from the battlefield"):
        return Dies(subject)
    if r.eat("leaves the battlefield"):
        return LeavesBattlefield(subject)
    return None


def _yours(subject: Filter) -> Filter:
    """Return what enters under your control; a permanent itself does so anyway."""
    if len(subject.any_of) == 2 and subject.any_of[0] == Filter(identity="this"):
        other = msgspec.structs.replace(subject.any_of[1], controller="you")
        return msgspec.structs.replace(subject, any_of=(subject.any_of[0], other))
    return msgspec.structs.replace(subject, controller="you")


@reading
def _event(r: Reader, subject: Filter) -> Trigger | None:
    if r.eat("attacks"):
        return Attacks(subject, alone=r.eat("alone"))
    if r.eat("blocks"):
        return Blocks(subject)
    if r.eat("becomes blocked"):
        return BecomesBlocked(subject)
    if r.eat("becomes tapped"):
        return BecomesTapped(subject)
    if r.eat("becomes the target of a spell or ability"):
        return BecomesTarget(subject, by_opponent=r.eat("an opponent controls"))
    combat = r.eat("deals combat damage")
    if combat or r.eat("deals damage"):
        to = _damaged(r)
        return DealsDamage(subject, combat_only=combat, to=to)
    return None


def _damaged(r: Reader) -> Literal["any", "player", "opponent", "creature"]:
    if r.eat("to a player"):
        return "player"
    if r.eat("to an opponent"):
        return "opponent"
    if r.eat("to a creature"):
        return "creature"
    return "any"
