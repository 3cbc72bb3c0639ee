"""Conditions as English: what follows "if" and "as long as"."""

from __future__ import annotations

import msgspec

from .mana import COLORS
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
    YourTurn,
)
from .render_phrases import Phrases, Unrenderable, with_article
from .vocabulary import NUMBER_WORDS


def condition_text(condition: Condition, phrases: Phrases) -> str:
    """Return a condition as a clause."""
    match condition:
        case YourTurn():
            return "it's your turn"
        case NotSo(condition=YourTurn()):
            return "it's not your turn"
        case NotSo(condition=Exists() as held):
            return _exists(held, phrases, none=True)
        case Exists():
            return _exists(condition, phrases, none=False)
        case AllOf(conditions=parts):
            return " and ".join(condition_text(part, phrases) for part in parts)
        case Compare():
            return _compare(condition, phrases)
        case Matches():
            return _matches(condition, phrases)
        case _:
            raise Unrenderable(f"a condition without words: {type(condition).__name__}")


def _exists(held: Exists, phrases: Phrases, *, none: bool) -> str:
    what = held.what
    if what.controller not in {"you", "opponent"}:
        if none:
            raise Unrenderable("no such cards")
        number = NUMBER_WORDS[held.at_least]
        return f"there are {number} or more {phrases.described(what, plural=True)}"
    verb = "you control" if what.controller == "you" else "an opponent controls"
    other = what.identity == "other"
    plain = msgspec.structs.replace(what, controller="any", identity="any")
    if none:
        text = phrases.described(plain, plural=True)
        return f"{verb} no {'other ' if other else ''}{text}"
    if held.at_least > 1:
        text = phrases.described(plain, plural=True)
        number = f"{NUMBER_WORDS[held.at_least]} or more {'other ' if other else ''}"
        return f"{verb} {number}{text}"
    text = phrases.described(plain, plural=False)
    return f"{verb} {f'another {text}' if other else with_article(text)}"


def _compare(test: Compare, phrases: Phrases) -> str:
    if not isinstance(test.right, Number):
        raise Unrenderable("a comparison of two counts")
    number = test.right.value
    if isinstance(test.left, CountOf) and test.relation == "<=":
        what = test.left.what
        other = "other " if what.identity == "other" else ""
        plain = msgspec.structs.replace(what, controller="any", identity="any")
        text = phrases.described(plain, plural=True)
        return f"you control {NUMBER_WORDS[number]} or fewer {other}{text}"
    if isinstance(test.left, CardsInHand):
        if number == 0 and test.relation == "=":
            return "you have no cards in hand"
        ending = "or more" if test.relation == ">=" else "or fewer"
        return f"you have {NUMBER_WORDS[number]} {ending} cards in hand"
    if isinstance(test.left, LifeTotal):
        return f"you have {number} or {'more' if test.relation == '>=' else 'less'} life"
    raise Unrenderable("a comparison without words")


def _matches(test: Matches, phrases: Phrases) -> str:
    subject, _ = phrases.objects(test.of)
    what = test.what
    if what.counters:
        return f"{subject} has {with_article(what.counters)} counter on it"
    if what == Filter(keywords=what.keywords) and what.keywords:
        return f"{subject} has {what.keywords[0]}"
    if what == Filter(any_of=(Filter(attacking=True), Filter(blocking=True))):
        return f"{subject} is attacking or blocking"
    for known, word in (
        (Filter(attacking=True), "attacking"),
        (Filter(blocking=True), "blocking"),
        (Filter(tapped=True), "tapped"),
        (Filter(tapped=False), "untapped"),
        *((Filter(colors=(color,)), color) for color in COLORS),
    ):
        if what == known:
            return f"{subject} is {word}"
    return f"{subject} is {with_article(phrases.described(what, plural=False))}"
