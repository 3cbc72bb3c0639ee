"""What players are told to do: draw, destroy, return, create … (CR 701 and its neighbours).

A verb is read in the form that its subject asks for: "draw" as an order and after "you",
"draws" after "each player". Orders take no subject; what is never given as an order ("you gain
3 life") is read only with one, so that no word is idle.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ..events.ids import ZoneKind
from .grammar_amounts import amount, duration, equal_to, for_each, how_many
from .grammar_costs import own_cards
from .grammar_filters import description, is_counter_kind
from .grammar_hidden import hidden_action
from .grammar_phrases import chosen, objects
from .grammar_reader import Reader, reading
from .grammar_things import added_mana, created_tokens
from .model import (
    Amount,
    Attach,
    CardsInHand,
    ChangeControl,
    Chosen,
    Continuously,
    CounterSpell,
    CreateTokens,
    Destroy,
    Discard,
    DrawCards,
    EventObject,
    Every,
    GainLife,
    Instruction,
    LoseGame,
    LoseLife,
    Mill,
    MoveObjects,
    Number,
    Objects,
    Players,
    PutCounters,
    RemoveCounters,
    Sacrifice,
    Scry,
    TapObjects,
    Target,
    This,
    UntapObjects,
    WinGame,
    You,
)
from .predefined_tokens import PREDEFINED_TOKENS

Form = Literal["order", "plural", "singular"]


@reading
def action(r: Reader, who: Players, form: Form) -> Instruction | None:
    """Read a verb and what belongs to it, done by a player."""
    s = "s" if form == "singular" else ""
    return (
        _life(r, who, form)
        or hidden_action(r, who, form)
        or _cards(r, who, s)
        or _permanents(r, who, form)
        or _movement(r, who, form)
        or _things(r, who, form)
    )


@reading
def _life(r: Reader, who: Players, form: Form) -> Instruction | None:
    if form == "order":
        return None
    s = "s" if form == "singular" else ""
    verb = r.eat_any(f"gain{s}", f"lose{s}", f"win{s} the game")
    if verb is None:
        return None
    if verb.startswith("win"):
        return WinGame(who)
    if verb.startswith("lose") and r.eat("the game"):
        return LoseGame(who)
    number = _counted(r, "life")
    if number is None:
        return None
    return GainLife(who, number) if verb.startswith("gain") else LoseLife(who, number)


@reading
def _counted(r: Reader, what: str) -> Amount | None:
    """Read "3 life", "life equal to its power", "1 life for each creature you control"."""
    if r.eat(what):
        return equal_to(r)
    number = amount(r)
    if number is None or not r.eat(what):
        return None
    if isinstance(number, Number):
        return for_each(r, number.value) or number
    return number


@reading
def _cards(r: Reader, who: Players, s: str) -> Instruction | None:
    if r.eat(f"draw{s}"):
        number = _card_count(r)
        return DrawCards(who, number) if number is not None else None
    if r.eat(f"discard{s}"):
        return _discard(r, who)
    if r.eat(f"mill{s}"):
        number = _card_count(r)
        return Mill(who, number) if number is not None else None
    if r.eat(f"scry{s}"):
        number = amount(r)
        return Scry(who, number) if number is not None else None
    return None


@reading
def _card_count(r: Reader) -> Amount | None:
    if r.eat("cards"):
        return equal_to(r)
    found = how_many(r)
    if found is None or not r.eat("cards" if found[1] else "card"):
        return None
    if found[0] == Number(1):
        return for_each(r, 1) or found[0]
    return found[0]


@reading
def _discard(r: Reader, who: Players) -> Instruction | None:
    hand = "your hand" if isinstance(who, You) else "their hand"
    if r.eat(hand) or (not isinstance(who, You) and r.eat("his or her hand")):
        return Discard(who, CardsInHand(who))
    found = how_many(r)
    if found is None or not r.eat("cards" if found[1] else "card"):
        return None
    return Discard(who, found[0], at_random=r.eat("at random"))


@reading
def _permanents(r: Reader, who: Players, form: Form) -> Instruction | None:
    if r.eat("sacrifices" if form == "singular" else "sacrifice"):
        return _sacrifice(r, who)
    if form == "singular":
        return None
    if r.eat("destroy"):
        what = _affected(r)
        return Destroy(what) if what is not None else None
    if r.eat("tap"):
        what = _affected(r)
        return TapObjects(what) if what is not None else None
    if r.eat("untap"):
        what = _affected(r)
        return UntapObjects(what) if what is not None else None
    if r.eat("counter"):
        found = objects(r)
        return CounterSpell(found[0]) if found is not None and _is_spell(r, found[0]) else None
    if r.eat("attach"):
        return _attach(r)
    if r.eat("gain control of"):
        found = objects(r)
        if found is None:
            return None
        lasts = duration(r) or "for-ever"
        return Continuously(found[0], (ChangeControl(You()),), lasts)
    return None


@reading
def _attach(r: Reader) -> Instruction | None:
    """Read "attach ~ to target creature you control" (CR 701.3)."""
    what = objects(r)
    to = objects(r) if what is not None and r.eat("to") else None
    if what is None or to is None or what[1] or to[1]:
        return None
    return Attach(to=to[0], what=what[0])


def _is_spell(r: Reader, what: Objects) -> bool:
    """Whether the objects are spells: what a spell or ability may counter (CR 701.5a)."""
    if not isinstance(what, Target):
        return True
    spec = r.scope.targets[what.index]
    return spec.what is not None and spec.what.zone is ZoneKind.STACK


@reading
def _affected(r: Reader) -> Objects | None:
    """Read the permanents that are destroyed, tapped, untapped: no pick without a target."""
    found = objects(r)
    return found[0] if found is not None else None


@reading
def _sacrifice(r: Reader, who: Players) -> Instruction | None:
    found = objects(r)
    if found is not None and not isinstance(found[0], (Every, Target)):
        return Sacrifice(who, found[0])
    if found is not None and isinstance(found[0], Every):
        return Sacrifice(who, found[0])
    if found is not None:
        return None
    number = how_many(r) if r.peek() in {"x", "that"} else None
    if number is not None:
        kind = description(r)
        if kind is None or not kind.counts_as(plural=True):
            return None
        return Sacrifice(who, Chosen(by=who, what=kind.what, amount=number[0]))
    picked = chosen(r, who)
    if picked is None or picked[0].what.controller != "any":
        return None
    return Sacrifice(who, picked[0])


@reading
def _movement(r: Reader, who: Players, form: Form) -> Instruction | None:
    s = "s" if form == "singular" else ""
    if r.eat(f"exile{s}"):
        found = objects(r) or (_picked(r, who))
        if found is not None and isinstance(found[0], EventObject) and r.eat("from your graveyard"):
            r.note("from your graveyard")
        return MoveObjects(found[0], ZoneKind.EXILE) if found is not None else None
    if r.eat(f"return{s}"):
        return _return(r, who)
    if r.eat(f"put{s}"):
        return _put_cards(r, who) or _put_counters(r)
    if not s and r.eat("remove"):
        return _remove_counters(r)
    return None


@reading
def _picked(r: Reader, who: Players) -> tuple[Objects, bool] | None:
    """Read objects picked without a target, which must say whose they are."""
    found = chosen(r, who)
    if found is None:
        return None
    whose = found[0].what
    if whose.controller == "any" and whose.owner == "any":
        return None
    return found


@reading
def _return(r: Reader, who: Players) -> Instruction | None:
    found = objects(r) or _picked(r, who)
    if found is None:
        return None
    what, plural = found
    if isinstance(what, This) and r.eat("from your graveyard"):
        r.scope.functions_in = ZoneKind.GRAVEYARD
        if r.eat("to your hand"):
            return MoveObjects(what, ZoneKind.HAND)
    zone = _zone_of(r, what)
    if zone is ZoneKind.GRAVEYARD:
        if _own(r, what) and r.eat("to your hand"):
            return MoveObjects(what, ZoneKind.HAND)
    elif zone is ZoneKind.BATTLEFIELD:
        owners = (
            ("to their owners' hands", "to their owner's hand")
            if plural
            else ("to its owner's hand",)
        )
        if r.eat_any(*owners) is not None:
            return MoveObjects(what, ZoneKind.HAND)
    if zone is ZoneKind.BATTLEFIELD and not isinstance(what, (This,)) and not _moved(what):
        return None
    return _to_battlefield(r, what, plural=plural)


def _moved(what: Objects) -> bool:
    return not isinstance(what, (Target, Every, Chosen))


def _zone_of(r: Reader, what: Objects) -> ZoneKind:
    if isinstance(what, Target):
        spec = r.scope.targets[what.index]
        return spec.what.zone if spec.what is not None else ZoneKind.BATTLEFIELD
    if isinstance(what, (Every, Chosen)):
        return what.what.zone
    return ZoneKind.BATTLEFIELD


def _own(r: Reader, what: Objects) -> bool:
    if isinstance(what, Target):
        spec = r.scope.targets[what.index]
        return spec.what is not None and spec.what.owner == "you"
    return isinstance(what, (Every, Chosen)) and what.what.owner == "you"


@reading
def _to_battlefield(r: Reader, what: Objects, *, plural: bool) -> Instruction | None:
    if not r.eat("to the battlefield") and not r.eat("onto the battlefield"):
        return None
    tapped = r.eat("tapped")
    owner = "under their owners' control" if plural else "under its owner's control"
    yours = r.eat("under your control")
    if not (yours or r.eat(owner) or _own(r, what) or isinstance(what, This)):
        return None
    return MoveObjects(
        what,
        ZoneKind.BATTLEFIELD,
        tapped=tapped,
        under_your_control=yours,
        counters=_entering_counters(r, plural=plural),
    )


def _entering_counters(r: Reader, *, plural: bool) -> tuple[tuple[str, int], ...]:
    """Read "with a +1/+1 counter on it" behind what enters."""
    mark = r.mark()
    counted = how_many(r) if not plural and r.eat("with") else None
    if counted is not None and isinstance(counted[0], Number):
        kind = r.take()
        word = "counters on it" if counted[1] else "counter on it"
        if is_counter_kind(kind) and r.eat(word):
            return ((kind, counted[0].value),)
    r.reset(mark)
    return ()


@reading
def _put_cards(r: Reader, who: Players) -> Instruction | None:
    """Read what is put somewhere: a permanent on a library, a card onto the battlefield."""
    mark = r.mark()
    if r.eat("the top"):
        return _mill(r, who)
    picked = own_cards(r, ZoneKind.HAND) if isinstance(who, You) else None
    if picked is not None and r.words[r.at - 1] == "hand":
        if r.eat("onto the battlefield"):
            return MoveObjects(picked, ZoneKind.BATTLEFIELD, tapped=r.eat("tapped"))
        return _onto_own_library(r, picked)
    r.reset(mark)
    found = objects(r)
    if found is None:
        return None
    what, plural = found
    if _zone_of(r, what) is ZoneKind.GRAVEYARD:
        return _from_graveyard(r, what, plural=plural)
    owner = "their owners' libraries" if plural else "its owner's library"
    if r.eat(f"on top of {owner}"):
        return MoveObjects(what, ZoneKind.LIBRARY)
    if r.eat(f"on the bottom of {owner}"):
        return MoveObjects(what, ZoneKind.LIBRARY, library_position="bottom")
    return None


def _onto_own_library(r: Reader, picked: Chosen) -> Instruction | None:
    """Read where in their library a player puts cards, several of them in an order of theirs."""
    top = r.eat("on top of your library")
    if not top and not r.eat("on the bottom of your library"):
        return None
    if picked.amount != Number(1):
        if not r.eat("in any order"):
            return None
        picked = msgspec.structs.replace(picked, ordered=True)
    return MoveObjects(picked, ZoneKind.LIBRARY, library_position="top" if top else "bottom")


@reading
def _from_graveyard(r: Reader, what: Objects, *, plural: bool) -> Instruction | None:
    if r.eat("onto the battlefield"):
        tapped = r.eat("tapped")
        if r.eat("under your control"):
            return MoveObjects(what, ZoneKind.BATTLEFIELD, tapped=tapped, under_your_control=True)
        return None
    if _own(r, what):
        if r.eat("on top of your library"):
            return MoveObjects(what, ZoneKind.LIBRARY)
        if r.eat("on the bottom of your library"):
            return MoveObjects(what, ZoneKind.LIBRARY, library_position="bottom")
    return None


@reading
def _mill(r: Reader, who: Players) -> Instruction | None:
    """Read the older wording of milling: the top cards are put into the graveyard."""
    whose = ("your",) if isinstance(who, You) else ("their", "his or her")
    counted = how_many(r) if r.peek() != "a" else None
    number = counted[0] if counted is not None else Number(1)
    cards = "cards" if counted is not None else "card"
    for word in whose:
        if r.eat(f"{cards} of {word} library into {word} graveyard"):
            return Mill(who, number)
    return None


@reading
def _put_counters(r: Reader) -> Instruction | None:
    found = how_many(r)
    if found is None:
        return None
    kind = r.take()
    word = "counters" if found[1] else "counter"
    if not is_counter_kind(kind) or not r.eat(f"{word} on"):
        return None
    on = objects(r)
    if on is None:
        return None
    number = found[0]
    if number == Number(1):
        number = for_each(r, 1) or number
    return PutCounters(on[0], kind, number)


@reading
def _remove_counters(r: Reader) -> Instruction | None:
    found = how_many(r)
    if found is None:
        return None
    kind = r.take()
    word = "counters" if found[1] else "counter"
    if not is_counter_kind(kind) or not r.eat(f"{word} from"):
        return None
    of = objects(r)
    return RemoveCounters(of[0], kind, found[0]) if of is not None else None


@reading
def _things(r: Reader, who: Players, form: Form) -> Instruction | None:
    s = "s" if form == "singular" else ""
    if r.eat(f"add{s}"):
        return added_mana(r, who)
    if r.eat(f"investigate{s}"):
        r.note("investigate")
        return CreateTokens(Number(1), PREDEFINED_TOKENS["Clue"], who)
    if r.eat(f"create{s}"):
        return created_tokens(r, who)
    return None
