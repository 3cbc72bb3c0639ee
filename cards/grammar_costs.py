"""Costs: what stands before a colon, and what a player may pay (CR 118)."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..events.ids import ZoneKind
from .grammar_filters import description, is_counter_kind
from .grammar_phrases import chosen, itself, number_word
from .grammar_reader import Reader, reading
from .mana import symbols_of
from .model import Chosen, Cost, Number, This, VariableX, You

_OWN_CARDS = {ZoneKind.HAND: "your hand", ZoneKind.GRAVEYARD: "your graveyard"}


@reading
def mana(r: Reader) -> str | None:
    """Read mana symbols as one cost."""
    found = ""
    while r.peek().startswith("{") and symbols_of(r.peek()):
        found += r.take()
    return found or None


@reading
def cost(r: Reader) -> Cost | None:
    """Read parts of a cost, separated by commas."""
    parts: dict[str, object] = {}
    while True:
        part = _part(r)
        if part is None or part[0] in parts:
            return None
        parts[part[0]] = part[1]
        before = r.mark()
        if not (r.eat(", and") or r.eat(",")):
            break
        if _part(r) is None:
            r.reset(before)
            break
        r.reset(before)
        r.take()
    return msgspec.structs.replace(Cost(), **parts)


@reading
def _part(r: Reader) -> tuple[str, object] | None:
    symbols = mana(r)
    if symbols is not None:
        return "mana", symbols
    if r.eat("{T}"):
        return "tap", True
    if r.eat("{Q}"):
        return "untap", True
    if r.eat("pay"):
        return _life(r)
    if r.eat("sacrifice"):
        return _with_objects(r, "sacrifice")
    if r.eat("discard"):
        return _discard(r)
    if r.eat("exile"):
        return _exile(r)
    if r.eat("return"):
        return _return(r)
    if r.eat("tap"):
        return _tap(r)
    return _remove(r)


@reading
def _life(r: Reader) -> tuple[str, object] | None:
    if r.peek().isdigit() and r.peek(1) == "life":
        number = int(r.take())
        r.take()
        return "life", number
    return None


@reading
def _with_objects(r: Reader, key: str) -> tuple[str, object] | None:
    if itself(r):
        return key, This()
    picked = chosen(r, You())
    if picked is None or picked[0].what.controller != "any" or picked[0].what.owner != "any":
        return None
    return key, picked[0]


@reading
def own_cards(r: Reader, zone: ZoneKind) -> Chosen | None:
    """Read "a card", "two creature cards from your graveyard": the player's own in a zone."""
    count = 1 if r.eat_article() else number_word(r)
    if count is None and r.eat("x"):
        found = description(r, place="from")
        number: Number | VariableX = VariableX()
    else:
        found = description(r, place="from") if count is not None else None
        number = Number(count or 0)
    plural = count != 1
    if found is None or found.noun != "card" or not found.counts_as(plural=plural):
        return None
    if found.what.zone is not ZoneKind.BATTLEFIELD:
        fits = found.what.zone is zone and found.what.owner == "you"
        return Chosen(by=You(), what=found.what, amount=number) if fits else None
    what = msgspec.structs.replace(found.what, zone=zone, owner="you")
    return Chosen(by=You(), what=what, amount=number)


@reading
def _discard(r: Reader) -> tuple[str, object] | None:
    if itself(r):
        r.scope.functions_in = ZoneKind.HAND
        return "discard", This()
    picked = own_cards(r, ZoneKind.HAND)
    if picked is None:
        return None
    if r.eat("at random"):
        picked = msgspec.structs.replace(picked, at_random=True)
    return "discard", picked


@reading
def _exile(r: Reader) -> tuple[str, object] | None:
    if itself(r):
        if r.eat("from your graveyard"):
            r.scope.functions_in = ZoneKind.GRAVEYARD
        return "exile", This()
    mark = r.mark()
    picked = own_cards(r, ZoneKind.GRAVEYARD)
    if picked is not None and r.words[r.at - 1] == "graveyard":
        return "exile", picked
    r.reset(mark)
    found = chosen(r, You())
    if found is not None and found[0].what.controller == "you":
        return "exile", found[0]
    return None


@reading
def _return(r: Reader) -> tuple[str, object] | None:
    if itself(r):
        return ("return_to_hand", This()) if r.eat("to its owner's hand") else None
    found = chosen(r, You())
    if found is None or found[0].what.controller != "you":
        return None
    ending = "to their owner's hand" if found[1] else "to its owner's hand"
    return ("return_to_hand", found[0]) if r.eat(ending) else None


@reading
def _tap(r: Reader) -> tuple[str, object] | None:
    found = chosen(r, You())
    if found is None or found[0].what.tapped is not False:
        return None
    return ("tap_others", found[0]) if found[0].what.controller == "you" else None


@reading
def _remove(r: Reader) -> tuple[str, object] | None:
    """Read "remove a charge counter from ~"."""
    if not r.eat("remove"):
        return None
    count = 1 if r.eat_article() else number_word(r)
    if count is None:
        return None
    kind = r.take()
    word: Literal["counter", "counters"] = "counter" if count == 1 else "counters"
    if is_counter_kind(kind) and r.eat(f"{word} from") and itself(r):
        return "remove_counters", (kind, count)
    return None


def loyalty(r: Reader) -> int | None:
    """Read the cost of a loyalty ability: "+1", "-3", "0" (CR 606.4)."""
    word = r.peek()
    if r.peek(1) == ":" and (word[:1] in "+-" or word == "0") and word.lstrip("+-").isdigit():
        r.take()
        return int(word)
    return None
