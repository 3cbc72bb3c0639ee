"""How many, how much, how long: numbers and durations."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from .grammar_filters import description, is_counter_kind
from .grammar_phrases import itself, number_word, objects, placed, possessor
from .grammar_reader import Reader, reading
from .model import (
    Amount,
    CardsInHand,
    CountersOn,
    CountOf,
    Duration,
    EventAmount,
    LifeTotal,
    ManaValueOf,
    Negative,
    Number,
    PowerOf,
    ToughnessOf,
    VariableX,
    You,
)


@reading
def amount(r: Reader) -> Amount | None:
    """Read a number in digits, X, or "that much" (damage, life)."""
    word = r.peek()
    if word.isdigit():
        r.take()
        return Number(int(word))
    if r.eat("x"):
        return VariableX()
    if r.eat("that much"):
        return EventAmount()
    return None


@reading
def how_many(r: Reader) -> tuple[Amount, bool] | None:
    """Read a count of things in letters ("a", "two", "X", "that many"), and if it is plural."""
    if r.eat_article():
        return Number(1), False
    count = number_word(r)
    if count is not None:
        return Number(count), True
    if r.eat("x"):
        return VariableX(), True
    if r.eat("that many"):
        return EventAmount(), True
    return None


@reading
def equal_to(r: Reader) -> Amount | None:
    """Read "equal to its power", "equal to the number of creatures you control"."""
    if not r.eat("equal to"):
        return None
    return value(r)


@reading
def value(r: Reader) -> Amount | None:
    """Read a number that is found by looking: "its power", "the number of …"."""
    if r.eat("your life total"):
        return LifeTotal(You())
    if r.eat("the number of"):
        if r.eat("cards in your hand"):
            return CardsInHand(You())
        kind = r.peek()
        if (
            is_counter_kind(kind)
            and r.peek(1) == "counters"
            and r.peek(2) == "on"
            and r.take()
            and r.eat("counters on")
        ):
            on = objects(r)
            return CountersOn(of=on[0], kind=kind) if on else None
        other = r.eat("other")
        found = description(r, every=True)
        if found is None or not found.counts_as(plural=True) or not placed(found):
            return None
        what = msgspec.structs.replace(found.what, identity="other") if other else found.what
        return CountOf(what)
    of = possessor(r)
    if of is not None:
        key = r.eat_any("power", "toughness", "mana value", "converted mana cost")
        if key is not None:
            if key == "power":
                return PowerOf(of)
            return ToughnessOf(of) if key == "toughness" else ManaValueOf(of)
    return None


@reading
def for_each(r: Reader, each: int) -> Amount | None:
    """Read "for each creature you control" behind a number that it multiplies."""
    if not r.eat("for each"):
        return None
    if each == 1 and r.eat("card in your hand"):
        return CardsInHand(You())
    kind = r.peek()
    if r.peek(1) == "counter" and r.peek(2) == "on" and each == 1 and r.take():
        r.eat("counter on")
        on = objects(r)
        return CountersOn(of=on[0], kind=kind) if on else None
    other = r.eat("other")
    found = description(r)
    if found is None or not found.counts_as(plural=False) or not placed(found):
        return None
    what = msgspec.structs.replace(found.what, identity="other") if other else found.what
    return CountOf(what, each=each)


@lru_cache(maxsize=512)
def power_toughness(text: str) -> tuple[Amount, Amount] | None:
    """Return the two numbers of "+1/+1" or "-X/-0", with their signs."""
    left, slash, right = text.partition("/")
    if not slash or left[:1] not in "+-" or right[:1] not in "+-":
        return None
    first, second = _signed(left), _signed(right)
    return (first, second) if first is not None and second is not None else None


def _signed(text: str) -> Amount | None:
    digits = text.lstrip("+-")
    if digits.isdigit():
        return Number(-int(digits) if text[0] == "-" else int(digits))
    if digits in {"X", "x"}:
        return Negative(VariableX()) if text[0] == "-" else VariableX()
    return None


_DURATIONS: tuple[tuple[str, Duration], ...] = (
    ("until end of turn", "end-of-turn"),
    ("this turn", "this-turn"),
    ("until your next turn", "until-your-next-turn"),
    ("until end of combat", "end-of-combat"),
)


@reading
def duration(r: Reader) -> Duration | None:
    """Read how long an effect lasts (CR 611.2a)."""
    for phrase, name in _DURATIONS:
        if r.eat(phrase):
            return name
    if r.eat("for as long as you control") and itself(r):
        return "while-source-remains"
    return None
