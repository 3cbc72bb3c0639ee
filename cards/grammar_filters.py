"""Descriptions of objects: adjectives, what they are, and what is said behind them.

"other nontoken creatures you control with flying" becomes one `Filter`. A description says
whether it is singular or plural, so that the verb after it can be held to agree.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ..events.ids import ZoneKind
from .grammar_reader import Reader, reading
from .mana import COLORS
from .model import (
    Comparison,
    DefendingPlayer,
    Filter,
    Number,
    Players,
    PowerOf,
    TargetSpec,
    This,
    VariableX,
)
from .vocabulary import (
    CARD_TYPES,
    NUMBER_WORDS,
    PERMANENT_TYPES,
    SUPERTYPES,
    TYPE_OF_PLURAL,
    subtype_of_plural,
    subtype_of_word,
)

EVERGREEN = (
    "flying",
    "first strike",
    "double strike",
    "deathtouch",
    "defender",
    "haste",
    "hexproof",
    "indestructible",
    "intimidate",
    "lifelink",
    "menace",
    "reach",
    "shroud",
    "trample",
    "vigilance",
    "flash",
    "fear",
    "shadow",
    "horsemanship",
    "infect",
    "wither",
    "flanking",
    "banding",
    "persist",
    "undying",
    "changeling",
    "prowess",
    "skulk",
    "exalted",
    "phasing",
)
"""Keywords without a number or cost, as a description or a grant names them."""

_FLAGS: dict[str, dict[str, object]] = {
    "tapped": {"tapped": True},
    "untapped": {"tapped": False},
    "attacking": {"attacking": True},
    "blocking": {"blocking": True},
    "blocked": {"blocked": True},
    "unblocked": {"attacking": True, "blocked": False},
    "nontoken": {"token": False},
    "token": {"token": True},
    "face-down": {"face_down": True},
}
Run = tuple[list[str], list[str], bool | None, str]
"""Nouns that stand together: types, subtypes, whether they are plural, the last word."""

_COMMON = ("permanent", "card", "spell", "token")


class Described(msgspec.Struct, frozen=True):
    """A description that was read: its filter, whether it is plural, its last noun."""

    what: Filter
    plural: bool | None
    noun: str

    def counts_as(self, *, plural: bool) -> bool:
        """Whether it may be read as plural, or as singular: "Merfolk" is both."""
        return self.plural is None or self.plural is plural


class _Parts:
    """What was said so far; `Filter` is made of it at the end."""

    def __init__(self) -> None:
        self.said: dict[str, object] = {}
        self.types: list[str] = []
        self.subtypes: list[str] = []
        self.choices: list[str] = []
        self.plural: bool | None = False
        self.noun = ""

    def say(self, **facts: object) -> bool:
        """Add facts; False if something about the same was already said."""
        if any(key in self.said for key in facts):
            return False
        self.said.update(facts)
        return True

    def add(self, key: str, value: str) -> bool:
        """Add one more to what all must hold."""
        before = self.said.get(key, ())
        assert isinstance(before, tuple), "a tuple of words"
        self.said[key] = (*before, value)
        return True

    def filter(self) -> Filter:
        """Return the filter of all that was said."""
        facts = dict(self.said)
        if self.types:
            facts["types"] = tuple(self.types)
        if self.subtypes:
            facts["subtypes"] = tuple(self.subtypes)
        if self.choices:
            facts["any_type"] = tuple(self.choices)
        return Filter(**facts)  # type: ignore[arg-type]  # msgspec checks nothing, `say` wrote it


@reading
def description(
    r: Reader, *, every: bool = False, place: Literal["in", "from"] = "in"
) -> Described | None:
    """Read a description of objects without its article.

    `every` says that all such objects are meant, so that "artifacts and creatures" is a union;
    `place` is the word before a zone: cards are counted "in" it and taken "from" it.
    """
    parts = _Parts()
    while _adjective(r, parts):
        pass
    if not _head(r, parts, every=every):
        return None
    while _postmodifier(r, parts, place):
        pass
    return Described(what=parts.filter(), plural=parts.plural, noun=parts.noun)


@reading
def _adjective(r: Reader, parts: _Parts) -> bool:
    word = r.peek()
    if r.eat("attacking or blocking"):
        return parts.say(any_of=(Filter(attacking=True), Filter(blocking=True)))
    if word in _FLAGS and (word != "token" or r.peek(1) in {"creature", "creatures"}):
        r.take()
        return parts.say(**_FLAGS[word])
    if word in COLORS:
        return _colors(r, parts)
    if word == "colorless" and r.eat(word):
        return parts.say(not_colors=COLORS)
    if word in SUPERTYPES and r.eat(word):
        return parts.add("supertypes", word)
    if word.startswith("non"):
        return _negated(r, parts, word.removeprefix("non").removeprefix("-"))
    return False


@reading
def _colors(r: Reader, parts: _Parts) -> bool:
    """Read "white", "white or blue", "white and black" before a noun."""
    first = r.take()
    found = [first]
    while r.peek() == "or" and r.peek(1) in COLORS:
        r.take()
        found.append(r.take())
    if len(found) > 1:
        return parts.say(any_color=tuple(found))
    return parts.add("colors", first)


@reading
def _negated(r: Reader, parts: _Parts, word: str) -> bool:
    if word in COLORS:
        key = "not_colors"
    elif word in SUPERTYPES:
        key = "not_supertypes"
    elif word in CARD_TYPES:
        key = "not_types"
    elif word in subtype_of_word():
        key, word = "not_types", subtype_of_word()[word]
    else:
        return False
    r.take()
    if r.peek() == "," and r.peek(1).startswith("non"):
        r.take()
    if r.peek() == "," and r.peek(1).startswith("non"):
        r.eat(",")
    return parts.add(key, word)


def _kind_word(word: str) -> tuple[str, bool | None, bool] | None:
    """Return what a noun names, whether it is plural, and whether it is a card type."""
    if word in CARD_TYPES:
        return word, False, True
    if word in TYPE_OF_PLURAL:
        return TYPE_OF_PLURAL[word], True, True
    if word in subtype_of_word():
        same = None if word in subtype_of_plural() else False
        return subtype_of_word()[word], same, False
    if word in subtype_of_plural():
        return subtype_of_plural()[word], True, False
    return None


@reading
def _kind_run(r: Reader) -> Run | None:
    """Read nouns that stand together ("artifact creature"): types, subtypes, plural, last."""
    types: list[str] = []
    subtypes: list[str] = []
    plural: bool | None = False
    last = ""
    while not plural:
        kind = _kind_word(r.peek())
        if kind is None or (types and not kind[2]):
            break
        if kind[1] and _kind_continues(r.peek(1)):
            break  # in "creature cards" only the last noun is plural
        last = r.take()
        (types if kind[2] else subtypes).append(kind[0])
        plural = kind[1]
    return (types, subtypes, plural, last) if last else None


def _kind_continues(word: str) -> bool:
    return word.removesuffix("s") in _COMMON or _kind_word(word) is not None


@reading
def _head(r: Reader, parts: _Parts, *, every: bool) -> bool:
    runs: list[Run] = []
    separators: list[str] = []
    alone = r.mark()
    while True:
        mark = r.mark()
        separator = _connector(r, every=every) if runs else ""
        run = _kind_run(r) if separator is not None else None
        if separator is None or run is None:
            r.reset(mark)
            break
        if not runs:
            alone = r.mark()
        separators.append(separator)
        runs.append(run)
    if separators[-1:] == [","]:  # a list ends in "or" or "and": these commas are others'
        r.reset(alone)
        del runs[1:]
    if not _common_noun(r, parts, has_kind=bool(runs)) and not runs:
        return False
    return _take_runs(parts, runs)


@reading
def _connector(r: Reader, *, every: bool) -> str | None:
    """Read what stands between nouns of which one must fit: "or", or in a list a comma."""
    if every:
        found = r.eat_any(", and", "and/or", "and", ",")
        if found == "and/or":
            r.note(found)
    else:
        found = r.eat_any(", or", "or", ",")
    return found


@reading
def _common_noun(r: Reader, parts: _Parts, *, has_kind: bool) -> bool:
    """Read "permanent", "card", "spell" or "token" behind, or in place of, the type."""
    word = r.peek()
    singular = word.removesuffix("s")
    if singular not in _COMMON:
        return False
    if singular == "permanent" and r.peek(1) in {"card", "cards"} and not has_kind:
        r.take()
        parts.choices = list(PERMANENT_TYPES)
        return _common_noun(r, parts, has_kind=True)
    r.take()
    parts.plural = word.endswith("s")
    parts.noun = singular
    if singular == "spell":
        return parts.say(zone=ZoneKind.STACK)
    if singular == "token":
        return parts.say(token=True)
    return True


def _take_runs(parts: _Parts, runs: list[Run]) -> bool:
    if not runs:
        return True
    plurals = dict.fromkeys(run[2] for run in runs if run[2] is not None)
    if len(plurals) > 1 or (parts.noun and True in plurals):
        return False
    if not parts.noun:
        parts.plural = next(iter(plurals), None)
        parts.noun = runs[-1][3] if len(runs) == 1 else "permanent"
    if len(runs) == 1:
        parts.types, parts.subtypes = runs[0][0], runs[0][1]
        return True
    if all(len(run[0]) + len(run[1]) == 1 for run in runs):
        parts.choices = [name for run in runs for name in run[0] + run[1]]
        return True
    alike = all(len(run[1]) == 1 for run in runs) and all(not run[0] for run in runs[:-1])
    if runs[-1][0] and alike:
        # "Elf or Goblin creature": the last noun belongs to all of them.
        parts.types = runs[-1][0]
        parts.choices = [name for run in runs for name in run[1]]
        return True
    return parts.say(
        any_of=tuple(Filter(types=tuple(run[0]), subtypes=tuple(run[1])) for run in runs)
    )


@reading
def _postmodifier(r: Reader, parts: _Parts, place: str) -> bool:
    if _having(r, parts) or _whose(r, parts) or _where(r, parts, place):
        return True
    return r.eat("other than ~") and parts.say(identity="other")


@reading
def _having(r: Reader, parts: _Parts) -> bool:
    """Read "with flying", "without flying", "with power 3 or less", "with a … counter on it"."""
    if r.eat("without"):
        word = r.eat_any(*EVERGREEN)
        return word is not None and parts.add("not_keywords", word)
    if not r.eat("with"):
        return False
    word = r.eat_any(*EVERGREEN)
    if word is not None:
        other = r.eat_any(*(f"or {keyword}" for keyword in EVERGREEN))
        if other is None:
            return parts.add("keywords", word)
        pair = (word, other.removeprefix("or "))
        return parts.say(any_of=tuple(Filter(keywords=(each,)) for each in pair))
    key = r.eat_any("power", "toughness", "mana value", "converted mana cost")
    if key is not None:
        name = "mana_value" if key == "converted mana cost" else key.replace(" ", "_")
        test = comparison(r)
        return test is not None and parts.say(**{name: test})
    return _with_counter(r, parts)


@reading
def comparison(r: Reader) -> Comparison | None:
    """Read what a number is compared with ("3 or less", "X", "less than ~'s power")."""
    relation = r.eat_any("less than", "greater than")
    if relation is not None:
        if r.eat("~'s power"):
            return Comparison(PowerOf(This()), "<" if relation == "less than" else ">")
        return None
    word = r.peek()
    if not (word.isdigit() or word == "x"):
        return None
    r.take()
    value = Number(int(word)) if word.isdigit() else VariableX()
    if r.eat("or less"):
        return Comparison(value, "<=")
    if r.eat("or greater") or r.eat("or more"):
        return Comparison(value, ">=")
    return Comparison(value)


def is_counter_kind(word: str) -> bool:
    """Whether a word may name a kind of counter ("+1/+1", "charge"), and is no number."""
    return (word[0].isalpha() or word[0] in "+-") and word not in _NO_KIND


_NO_KIND = frozenset((*NUMBER_WORDS, "no", "a", "an", "that", "the", "any", "more", "each", "x"))


@reading
def _with_counter(r: Reader, parts: _Parts) -> bool:
    if r.eat_article():
        kind = r.take()
        ending = "on them" if parts.plural else "on it"
        if is_counter_kind(kind):
            word = "counters" if parts.plural and r.peek() == "counters" else "counter"
            if r.eat(word) and r.eat(ending):
                return parts.say(counters=kind)
    elif parts.plural:
        kind = r.take()
        if is_counter_kind(kind) and r.eat("counters on them"):
            return parts.say(counters=kind)
    return False


@reading
def whose(r: Reader) -> tuple[str, str | Players] | None:
    """Read "you control", "an opponent controls", "that player owns": field and player."""
    mark = r.mark()
    if r.eat("you control"):
        return "controller", "you"
    if r.eat("you don't control"):
        return "controller", "not-you"
    if r.eat("an opponent controls") or r.eat("your opponents control"):
        return "controller", "opponent"
    if r.eat("you own"):
        return "owner", "you"
    if r.eat("defending player controls"):
        return "controller", DefendingPlayer()
    if r.eat("enchanted player controls"):
        return None
    if r.eat("that player controls") and r.scope.that_player is not None:
        return "controller", r.scope.that_player
    r.reset(mark)
    for phrase, who in (("target player", "any"), ("target opponent", "opponent")):
        if r.eat(f"{phrase} controls"):
            spec = TargetSpec(players="any" if who == "any" else "opponent")
            return "controller", r.scope.new_target(spec)
    return None


@reading
def _whose(r: Reader, parts: _Parts) -> bool:
    if parts.said.get("zone") is ZoneKind.STACK:
        if r.eat("you cast"):
            return parts.say(controller="you")
        if r.eat("your opponents cast") or r.eat("an opponent casts"):
            return parts.say(controller="opponent")
        r.note("controls")
    said = whose(r)
    return said is not None and parts.say(**{said[0]: said[1]})


_ZONES: tuple[tuple[str, ZoneKind, object], ...] = (
    ("your graveyard", ZoneKind.GRAVEYARD, "you"),
    ("a graveyard", ZoneKind.GRAVEYARD, "any"),
    ("an opponent's graveyard", ZoneKind.GRAVEYARD, "opponent"),
    ("your hand", ZoneKind.HAND, "you"),
    ("all graveyards", ZoneKind.GRAVEYARD, "any"),
)


@reading
def _where(r: Reader, parts: _Parts, place: str) -> bool:
    """Read the zone of cards: "in your hand", "from a graveyard"."""
    if parts.noun != "card":
        # A permanent is on the battlefield anyway (CR 110.1).
        return parts.noun != "spell" and r.eat("on the battlefield")
    if r.eat(place):
        for phrase, zone, owner in _ZONES:
            if r.eat(phrase):
                said = {"zone": zone} if owner == "any" else {"zone": zone, "owner": owner}
                return parts.say(**said)
        if r.eat("that player's graveyard") and r.scope.that_player is not None:
            return parts.say(zone=ZoneKind.GRAVEYARD, owner=r.scope.that_player)
        if r.eat("target player's graveyard"):
            who = r.scope.new_target(TargetSpec(players="any"))
            return parts.say(zone=ZoneKind.GRAVEYARD, owner=who)
    return False
