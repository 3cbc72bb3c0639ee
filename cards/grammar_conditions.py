"""Conditions: what follows "if", "as long as" and "unless"."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..events.ids import ZoneKind
from .grammar_filters import description
from .grammar_keywords import PLAIN_KEYWORDS
from .grammar_phrases import objects
from .grammar_reader import Reader, reading
from .model import (
    AllOf,
    CardsInHand,
    Compare,
    Condition,
    CountOf,
    Exists,
    Filter,
    LifeTotal,
    Matches,
    NotSo,
    Number,
    You,
    YourTurn,
)
from .vocabulary import NUMBER_WORDS

_COMPARED = {"or more": ">=", "or greater": ">=", "or less": "<=", "or fewer": "<="}


@reading
def condition(r: Reader) -> Condition | None:
    """Read a condition, or two joined by "and"."""
    first = _single(r)
    if first is None:
        return None
    mark = r.mark()
    if r.eat("and"):
        second = _single(r)
        if second is not None:
            return AllOf((first, second))
    r.reset(mark)
    return first


@reading
def _single(r: Reader) -> Condition | None:
    if r.eat("it's your turn"):
        return YourTurn()
    if r.eat("it's not your turn"):
        return NotSo(YourTurn())
    return _controls(r) or _hand_or_life(r) or _graveyard(r) or _state(r)


@reading
def _controls(r: Reader) -> Condition | None:
    """Read "you control a Dragon", "an opponent controls no creatures"."""
    if r.eat("you control"):
        whose: Literal["you", "opponent"] = "you"
    elif r.eat("an opponent controls"):
        whose = "opponent"
    else:
        return None
    fewer = _at_most(r, whose)
    if fewer is not None:
        return fewer
    none = r.eat("no")
    other = False
    least = 1
    if not none:
        other = r.eat("another")
        if not other and not r.eat_article():
            number = r.peek()
            if number not in NUMBER_WORDS[2:] or r.peek(1) != "or":
                return None
            r.take()
            if not r.eat("or more"):
                return None
            least = NUMBER_WORDS.index(number)
            other = r.eat("other")
    else:
        other = r.eat("other")
    found = description(r)
    if found is None or not found.counts_as(plural=none or least > 1) or found.noun == "card":
        return None
    if found.what.controller != "any":
        return None
    if whose == "opponent" and (none or least > 1):
        return None  # one opponent alone must have so many, which no record says
    identity = "other" if other else found.what.identity
    what = msgspec.structs.replace(found.what, controller=whose, identity=identity)
    exists = Exists(what, at_least=least)
    return NotSo(exists) if none else exists


@reading
def _at_most(r: Reader, whose: Literal["you", "opponent"]) -> Condition | None:
    """Read "two or fewer other lands" behind "you control"."""
    word = r.peek()
    if whose != "you" or word not in NUMBER_WORDS[1:] or not r.take() or not r.eat("or fewer"):
        return None
    other = r.eat("other")
    found = description(r)
    if found is None or not found.counts_as(plural=True) or found.what.controller != "any":
        return None
    identity = "other" if other else found.what.identity
    what = msgspec.structs.replace(found.what, controller="you", identity=identity)
    return Compare(CountOf(what), Number(NUMBER_WORDS.index(word)), "<=")


@reading
def _hand_or_life(r: Reader) -> Condition | None:
    if r.eat("you have no cards in hand"):
        return Compare(CardsInHand(You()), Number(0), "=")
    if r.eat("an opponent has no cards in hand"):
        return None
    if not r.eat("you have"):
        return None
    word = r.peek()
    if word.isdigit():
        r.take()
        return _compared(r, int(word), "life", LifeTotal(You()))
    if word in NUMBER_WORDS[1:]:
        r.take()
        return _compared(r, NUMBER_WORDS.index(word), "cards in hand", CardsInHand(You()))
    return None


@reading
def _compared(r: Reader, number: int, what: str, left: LifeTotal | CardsInHand) -> Condition | None:
    for words, relation in _COMPARED.items():
        if r.eat(f"{words} {what}"):
            return Compare(left, Number(number), ">=" if relation == ">=" else "<=")
    return None


@reading
def _graveyard(r: Reader) -> Condition | None:
    """Read "there are seven or more cards in your graveyard"."""
    there = r.eat("there are")
    word = r.peek()
    if word not in NUMBER_WORDS[2:]:
        return None
    r.take()
    if not r.eat("or more"):
        return None
    found = description(r)
    if found is None or not found.counts_as(plural=True) or found.noun != "card":
        return None
    what = found.what
    if (what.zone is ZoneKind.BATTLEFIELD) is there:
        return None
    if not there:
        if not r.eat("are in your graveyard"):
            return None
        what = msgspec.structs.replace(what, zone=ZoneKind.GRAVEYARD, owner="you")
    return Exists(what, at_least=NUMBER_WORDS.index(word))


@reading
def _state(r: Reader) -> Condition | None:
    """Read "it's attacking", "~ is untapped", "enchanted creature is red"."""
    if r.eat("it's"):
        if r.scope.it is None:
            return None
        subject = r.scope.it
    else:
        found = objects(r)
        if found is None or found[1]:
            return None
        subject = found[0]
        if r.eat("has"):
            return _has(r, Matches(subject, Filter()))
        if not r.eat("is"):
            return None
    return _is(r, Matches(subject, Filter()))


@reading
def _is(r: Reader, about: Matches) -> Condition | None:
    for word, what in (
        ("attacking or blocking", Filter(any_of=(Filter(attacking=True), Filter(blocking=True)))),
        ("attacking", Filter(attacking=True)),
        ("blocking", Filter(blocking=True)),
        ("untapped", Filter(tapped=False)),
        ("tapped", Filter(tapped=True)),
        ("enchanted", None),
        ("equipped", None),
    ):
        if what is not None and r.eat(word):
            return Matches(about.of, what)
    word = r.peek()
    if word in {"white", "blue", "black", "red", "green"}:
        r.take()
        return Matches(about.of, Filter(colors=(word,)))
    if r.eat_article():
        found = description(r)
        if found is not None and found.counts_as(plural=False) and found.noun != "card":
            return Matches(about.of, found.what)
    return None


@reading
def _has(r: Reader, about: Matches) -> Condition | None:
    """Read "a +1/+1 counter on it", "flying"."""
    if r.eat_article():
        kind = r.take()
        if r.eat("counter on it"):
            return Matches(about.of, Filter(counters=kind))
        return None
    word = r.eat_any(*PLAIN_KEYWORDS)
    return Matches(about.of, Filter(keywords=(word,))) if word is not None else None
