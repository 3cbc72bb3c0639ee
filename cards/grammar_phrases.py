"""Noun phrases: what and whom an ability speaks of, how many, how much, how long."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..events.ids import ZoneKind
from .grammar_filters import Described, description
from .grammar_reader import Reader, reading
from .lower import nouns_of
from .model import (
    AttachedTo,
    Chosen,
    ControllerOf,
    DefendingPlayer,
    EachPlayer,
    Every,
    Filter,
    Number,
    Objects,
    OwnerOf,
    Players,
    Recipient,
    Target,
    TargetSpec,
    This,
    You,
)
from .vocabulary import NUMBER_WORDS

THIS_NOUNS = (
    "creature",
    "artifact",
    "enchantment",
    "land",
    "planeswalker",
    "permanent",
    "spell",
    "card",
    "token",
    "aura",
    "equipment",
    "vehicle",
    "fortification",
    "battle",
    "saga",
    "class",
)


_ANY_TARGET_TYPES = ("creature", "planeswalker", "battle")


class Subject(msgspec.Struct, frozen=True):
    """Whom or what a clause is about, and whether its verb is in the plural."""

    what: Recipient
    plural: bool
    player: bool


@reading
def number_word(r: Reader) -> int | None:
    """Read a number from two up, spelled in letters."""
    word = r.peek()
    if word in NUMBER_WORDS[2:]:
        r.take()
        return NUMBER_WORDS.index(word)
    return None


@reading
def itself(r: Reader) -> bool:
    """Read the card's own name, or "this creature" where it is one (CR 201.5)."""
    if not r.quoted and r.eat("~"):
        return True
    noun = r.peek(1)
    if r.peek() != "this" or noun not in THIS_NOUNS:
        return False
    kinds = (*r.card.types, *(subtype.lower() for subtype in r.card.subtypes))
    if r.quoted:
        fits = noun in r.quoted_nouns
    elif noun == "card":
        fits = True
    elif noun == "spell":
        fits = "land" not in r.card.types
    elif noun == "permanent":
        fits = not {"instant", "sorcery"} & set(r.card.types)
    else:
        fits = noun in kinds or noun == "token"
    if noun in {"card", "permanent"}:
        r.note(f"this {noun}")
    return fits and r.eat(f"this {noun}")


@reading
def objects(r: Reader) -> tuple[Objects, bool] | None:
    """Read a phrase for objects; with it, whether it is plural."""
    found = _pronoun(r)
    if found is not None:
        _again(r, found[0])
        return found
    return _attached(r) or target(r) or _each_of(r) or _every(r)


@reading
def _each_of(r: Reader) -> tuple[Objects, bool] | None:
    """Read "each of up to two target creatures"."""
    found = target(r) if r.eat("each of") else None
    if found is None or not found[1]:
        return None
    r.note("each of")
    return found


def _again(r: Reader, what: Objects) -> None:
    """Remember what a pronoun spoke of, under the nouns it had."""
    scope = r.scope
    if isinstance(what, This):
        kinds = r.quoted_nouns if r.quoted else frozenset(r.card.types)
        scope.spoke_of(what, kinds)
    else:
        scope.nouns = scope.them_nouns if what == scope.them else scope.that_nouns


@reading
def _pronoun(r: Reader) -> tuple[Objects, bool] | None:
    if itself(r):
        return This(), False
    scope = r.scope
    if scope.it is not None and r.eat("it"):
        return scope.it, False
    if scope.that is not None and r.peek() == "that" and r.peek(1) in scope.that_nouns:
        r.eat(f"that {r.peek(1)}")
        return scope.that, False
    if scope.them is not None:
        if r.eat_any("they", "them") is not None:
            return scope.them, True
        noun = r.peek(1)
        if r.peek() == "those" and noun.endswith("s") and noun[:-1] in scope.them_nouns:
            r.eat(f"those {r.peek(1)}")
            return scope.them, True
    return None


@reading
def _attached(r: Reader) -> tuple[Objects, bool] | None:
    noun = r.peek(1)
    if r.peek() == "enchanted" and noun in r.card.attached_nouns and r.eat(f"enchanted {noun}"):
        r.scope.spoke_of(AttachedTo(), frozenset({noun}))
        return AttachedTo(), False
    if "Equipment" in r.card.subtypes and r.eat("equipped creature"):
        r.scope.spoke_of(AttachedTo(), frozenset({"creature"}))
        return AttachedTo(), False
    return None


@reading
def _every(r: Reader) -> tuple[Objects, bool] | None:
    """Read "all creatures", "each other creature you control"."""
    word = r.eat_any("all other", "all", "each other", "each")
    if word is None:
        return None
    place: Literal["in", "from"] = "from" if word.startswith("all") else "in"
    found = description(r, every=True, place=place)
    if found is None or not found.counts_as(plural=word.startswith("all")) or not placed(found):
        return None
    what = found.what
    if word.endswith("other"):
        what = msgspec.structs.replace(what, identity="other")
    r.scope.spoke_of(Every(what), nouns_of(what, found.noun))
    return Every(what), word.startswith("all")


def placed(found: Described) -> bool:
    """Whether it is clear in which zone the described objects are."""
    return found.noun != "card" or found.what.zone is not ZoneKind.BATTLEFIELD


@reading
def bare_plural(r: Reader, *, alone: bool = False) -> tuple[Objects, bool] | None:
    """Read "creatures you control", "other Zombies": all of them, as a static ability says it.

    What is not narrowed down is said with "all" ("all creatures get"), so the word matters; it
    stands `alone` where nobody says "all" ("permanents enter tapped").
    """
    other = r.eat("other")
    found = description(r, every=True)
    if found is None or not found.counts_as(plural=True) or not placed(found):
        return None
    if not (other or alone) and found.what == Filter(
        types=found.what.types, subtypes=found.what.subtypes, any_type=found.what.any_type
    ):
        return None
    what = msgspec.structs.replace(found.what, identity="other") if other else found.what
    r.scope.spoke_of(Every(what), nouns_of(what, found.noun))
    return Every(what), True


@reading
def chosen(r: Reader, by: Players, *, most: bool = True) -> tuple[Chosen, bool] | None:
    """Read "a creature you control", "another creature", "two lands": picked as it resolves."""
    other = r.eat("another")
    count = 1 if other or r.eat_article() else number_word(r)
    if count is None:
        return None
    if count > 1:
        other = r.eat("other")
    found = description(r, place="from")
    if found is None or not found.counts_as(plural=count > 1):
        return None
    what = msgspec.structs.replace(found.what, identity="other") if other else found.what
    return Chosen(by=by, what=what, amount=Number(count)), count > 1


@reading
def target(r: Reader) -> tuple[Target, bool] | None:
    """Read a use of the word "target" that chooses objects (CR 115.1)."""
    counts = _how_many(r)
    if counts is None:
        return None
    least, most, other = counts
    found = description(r, place="from")
    if found is None or not found.counts_as(plural=most > 1) or not placed(found):
        return None
    what = msgspec.structs.replace(found.what, identity="other") if other else found.what
    spec = TargetSpec(what=what, minimum=least, maximum=most)
    return r.scope.new_target(spec, nouns_of(what, found.noun)), most > 1


@reading
def _how_many(r: Reader) -> tuple[int, int, bool] | None:
    """Read "target", "another target", "two target", "up to one other target"."""
    if r.eat("target"):
        return 1, 1, False
    if r.eat("another target"):
        return 1, 1, True
    upto = r.eat("up to")
    if upto and r.eat("one"):
        count: int | None = 1
    elif not upto and r.eat("one or two"):
        return (1, 2, False) if r.eat("target") else None
    else:
        count = number_word(r)
    if count is None:
        return None
    other = r.eat("other")
    return (0 if upto else count, count, other) if r.eat("target") else None


@reading
def player(r: Reader) -> Subject | None:
    """Read a phrase for players."""
    found = _player(r)
    return Subject(what=found[0], plural=found[1], player=True) if found else None


@reading
def _player(r: Reader) -> tuple[Players, bool] | None:
    if r.eat("you"):
        return You(), True
    if r.eat("each player"):
        return EachPlayer(), False
    if r.eat("each opponent"):
        return EachPlayer(opponents_only=True), False
    if r.eat("defending player"):
        return DefendingPlayer(), False
    for phrase in ("target player", "target opponent"):
        # "target player's graveyard" is no player.
        if r.peek(2) != "controls" and r.eat(phrase):
            kind: Literal["any", "opponent"] = "any" if phrase == "target player" else "opponent"
            return r.scope.new_target(TargetSpec(players=kind)), False
    if r.scope.that_player is not None and r.eat("that player"):
        return r.scope.that_player, False
    return _related_player(r)


@reading
def _related_player(r: Reader) -> tuple[Players, bool] | None:
    """Read "its controller", "that creature's owner"."""
    of = possessor(r)
    if of is not None:
        if r.eat("controller"):
            return ControllerOf(of), False
        if r.eat("owner"):
            return OwnerOf(of), False
    return None


@reading
def possessor(r: Reader) -> Objects | None:
    """Read "its", "~'s", "enchanted creature's": whose controller, power, counters."""
    if not r.quoted and r.eat("~'s"):
        return This()
    if r.scope.its is not None and r.eat("its"):
        return r.scope.its
    word, noun = r.peek(), r.peek(1).removesuffix("'s")
    if not r.peek(1).endswith("'s"):
        return None
    if word == "enchanted" and noun in r.card.attached_nouns:
        r.eat(f"enchanted {noun}'s")
        return AttachedTo()
    if word == "equipped" and "Equipment" in r.card.subtypes and r.eat("equipped creature's"):
        return AttachedTo()
    if word == "this" and noun in (r.quoted_nouns if r.quoted else r.card.types):
        r.eat(f"this {noun}'s")
        return This()
    was = r.scope.its
    if word == "that" and noun in r.scope.its_nouns and was and not isinstance(was, This):
        r.eat(f"that {noun}'s")
        return was
    if word == "that" and noun in r.scope.that_nouns and r.scope.that is not None:
        r.eat(f"that {noun}'s")
        return r.scope.that
    return None


@reading
def recipient(r: Reader) -> Recipient | None:
    """Read what damage is dealt to (CR 120.1): "any target", players, objects."""
    if r.eat("any target"):
        spec = TargetSpec(what=Filter(any_type=_ANY_TARGET_TYPES), players="any")
        return r.scope.new_target(spec)
    if r.eat("any other target"):
        what = Filter(any_type=_ANY_TARGET_TYPES, identity="other")
        return r.scope.new_target(TargetSpec(what=what, players="any"))
    mark = r.mark()
    if r.eat("target player or planeswalker"):
        what = Filter(types=("planeswalker",))
        return r.scope.new_target(TargetSpec(what=what, players="any"))
    if r.eat("target opponent or planeswalker"):
        what = Filter(types=("planeswalker",))
        return r.scope.new_target(TargetSpec(what=what, players="opponent"))
    if r.eat("target creature or player"):
        what = Filter(types=("creature",))
        return r.scope.new_target(TargetSpec(what=what, players="any"))
    r.reset(mark)
    who = player(r)
    if who is not None:
        return who.what
    found = objects(r)
    return found[0] if found else None


@reading
def subject(r: Reader) -> Subject | None:
    """Read whom or what a clause is about."""
    who = player(r)
    if who is not None:
        return who
    found = objects_as_subject(r)
    return Subject(what=found[0], plural=found[1], player=False) if found else None


def objects_as_subject(r: Reader) -> tuple[Objects, bool] | None:
    """Read what a clause or a static ability is about."""
    first = r.peek()
    found = objects(r) or bare_plural(r)
    if first == "all" and found is not None and isinstance(found[0], Every):
        what = found[0].what
        if what != Filter(types=what.types, subtypes=what.subtypes, any_type=what.any_type):
            r.note(first)
    return found
