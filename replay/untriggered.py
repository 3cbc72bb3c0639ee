"""Why a triggered ability did not trigger on an event (CR 603.2-603.4), or where it did."""

from __future__ import annotations

import msgspec

from ..cards.model import TriggeredAbility
from ..events.errors import EngineError
from ..events.ids import ObjectId, ZoneKind
from ..events.stack import AbilityTriggered, TriggerRemoved
from ..projections.characteristics import triggers_among
from ..projections.context import Context
from ..projections.filters import holds
from ..projections.position import Position
from ..projections.redaction import redact_state
from ..rules.triggers import EVENTS_OF, LOOKING_BACK, About, occasions
from .ability_words import ability_text, condition_words
from .answered import Reason, WhyNot, because, not_refused
from .history import Entry, History
from .names import Misread, Naming, player_named
from .occasion import why_no_occasion
from .opened import RecordedGame
from .transcript import describe_event


class ManyMeant(EngineError):
    """A name stands for several objects of which one must be meant."""


class _Judged(msgspec.Struct, frozen=True):
    """A reason, and how near the ability was to triggering: the nearest one is told."""

    nearness: int
    answer: WhyNot


def whynot_triggered(
    recorded: RecordedGame,
    name: str,
    commit: int | None,
    place: int | None = None,
    by: str | None = None,
) -> WhyNot:
    """Return why no ability of an object triggered on an event, or on any of a commit.

    The name is read as the seat `by` knows the objects, where one is given.
    """
    history = History(recorded, commit)
    number = history.last if commit is None else commit
    entries = history.of_commit(number) if place is None else (history.entry(number, place),)
    judged = [_judge(history, entry, name, by) for entry in entries]
    best = max(judged, key=lambda one: one.nearness, default=None)
    if best is None:
        return because(
            Reason.OTHER_EVENT, "603.2", "nothing happened then", "name a commit with events"
        )
    return best.answer


def _judge(history: History, entry: Entry, name: str, by: str | None) -> _Judged:
    found = _found(history, entry, name, by)
    if found is None:
        detail = f"no {name} was on the battlefield when {history.sentence(entry)}"
        change = f"have {name} on the battlefield then"
        return _Judged(0, because(Reason.NOT_ON_BATTLEFIELD, "113.6", detail, change))
    did = _did_trigger(history, entry, found)
    if did is not None:
        return _Judged(9, did)
    return max(
        (_judge_ability(history, entry, found, each) for each in _abilities(history, entry, found)),
        key=lambda one: one.nearness,
        default=_Judged(1, _without_triggers(history, entry, found)),
    )


def _found(history: History, entry: Entry, name: str, by: str | None) -> ObjectId | None:
    """Return the permanent of that name before the event or, if it came with it, after."""
    for moment in (history.before_group, history.after_group):
        game = _as_known(moment(entry), by)
        naming = Naming(game, lenient=True)
        there = [item for item in naming.find(name) if game.is_in(item, ZoneKind.BATTLEFIELD)]
        if len(there) == 1:
            return there[0]
        if there:
            try:
                return naming.object(name, there)
            except Misread as error:
                raise ManyMeant(error.error.message) from error
    return None


def _as_known(game: Position, by: str | None) -> Position:
    """Return a position as the seat of a name knows it; as it is where none is named."""
    seat = None if by is None else player_named(game, by)
    if seat is None:
        return game
    return Position(redact_state(game.state, seat), game.definitions, game.edition)


def _did_trigger(history: History, entry: Entry, item: ObjectId) -> WhyNot | None:
    for one in history.of_commit(entry.commit):
        event = one.event
        if not isinstance(event, AbilityTriggered) or event.source != item:
            continue
        if event.cause - 1 != entry.sequence:
            continue
        game = history.before_group(one)
        ability = game.definitions.ability(event.ability)
        words = "what its text says"
        if isinstance(ability, TriggeredAbility):
            words = ability_text(game.characteristics(item), ability)
        address = history.address(one.commit, one.place)
        for later in history.of_commit(entry.commit):
            if isinstance(later.event, TriggerRemoved) and later.event.number == event.number:
                where = history.address(later.commit, later.place)
                detail = f"it triggered ({address}), but had no legal target ({where}): “{words}”"
                change = "let there be a legal target as it goes on the stack"
                return because(Reason.NO_LEGAL_TARGET, "603.3d", detail, change)
        return not_refused(f"It did trigger, at {address}: “{words}”")
    return None


def _position(history: History, entry: Entry, item: ObjectId) -> Position:
    """Return the position in which the object was there, after the event if it can be."""
    after = history.after_group(entry)
    return after if after.is_in(item, ZoneKind.BATTLEFIELD) else history.before_group(entry)


def _abilities(history: History, entry: Entry, item: ObjectId) -> tuple[TriggeredAbility, ...]:
    return _position(history, entry, item).characteristics(item).triggers


def _without_triggers(history: History, entry: Entry, item: ObjectId) -> WhyNot:
    game = _position(history, entry, item)
    traits = game.characteristics(item)
    found = game.state.objects.get(item)
    printed = game.definitions.find(found.card) if found is not None else None
    if printed is not None and triggers_among(printed.abilities):
        detail = f"{traits.name} had lost its triggered abilities"
        change = "let it keep its abilities"
        return because(Reason.NO_TRIGGERED_ABILITY, "613.1f", detail, change)
    detail = f"{traits.name} has no triggered ability"
    return because(Reason.NO_TRIGGERED_ABILITY, "603.1", detail, "let it gain one")


def _judge_ability(
    history: History, entry: Entry, item: ObjectId, ability: TriggeredAbility
) -> _Judged:
    trigger, event = ability.trigger, entry.event
    looks_back = isinstance(trigger, LOOKING_BACK)
    before = history.before_group(entry)
    was_there = before.is_in(item, ZoneKind.BATTLEFIELD)
    words = ability_text(before.characteristics(item), ability) if was_there else ""
    sentence = describe_event(before, event)
    game = before if looks_back else history.after_group(entry)
    traits = game.characteristics(item)
    words = words or ability_text(traits, ability)
    if type(event) not in EVENTS_OF[type(trigger)]:
        detail = f"“{words}” does not trigger on this: {sentence}"
        change = _wanted(words)
        return _Judged(1, because(Reason.OTHER_EVENT, "603.2", detail, change))
    if not game.is_in(item, ZoneKind.BATTLEFIELD):
        return _Judged(2, _not_there(traits.name, looks_back=looks_back))
    context = Context(source=item, you=traits.controller)
    found = occasions(game, trigger, event, context)
    if not found:
        reason, why = why_no_occasion(game, trigger, event, context)
        detail = f"“{words}” did not trigger when {sentence}: {why}"
        change = _wanted(words)
        return _Judged(3, because(reason, "603.2", detail, change))
    return _Judged(4, _failed_later(game, item, ability, words, found[0]))


def _wanted(words: str) -> str:
    """Return what has to happen for an ability to trigger: its first clause (CR 603.1)."""
    clause = words.partition(",")[0]
    return f"let happen what it says: “{clause}”"


def _not_there(name: str, *, looks_back: bool) -> WhyNot:
    if looks_back:
        detail = f"{name} was not on the battlefield right before the event"
        change = f"have {name} on the battlefield right before it"
        return because(Reason.NOT_ON_BATTLEFIELD, "603.10a", detail, change)
    detail = f"{name} was not on the battlefield right after the event, and does not look back"
    change = f"have {name} on the battlefield right after it"
    return because(Reason.NOT_ON_BATTLEFIELD, "603.10", detail, change)


def _failed_later(
    game: Position,
    item: ObjectId,
    ability: TriggeredAbility,
    words: str,
    about: About,
) -> WhyNot:
    """Return what stood against an ability whose event happened: its "if", or its player."""
    traits = game.characteristics(item)
    affected, player, amount = about
    told = Context(
        source=item,
        you=traits.controller,
        about=affected,
        about_player=player,
        amount=amount,
    )
    condition = ability.condition
    if condition is not None and not holds(game, condition, told):
        asked = condition_words(traits, condition)
        detail = f"“{words}” asks as it triggers whether {asked}, which was not so"
        change = f"it must be so that {asked}, as the event happens"
        return because(Reason.CONDITION_FALSE, "603.4", detail, change)
    name = game.state.players[traits.controller].name
    detail = f"{name}, who would control “{words}”, had left the game"
    return because(Reason.LEFT_GAME, "800.4d", detail, f"{name} must be in the game")
