"""Hands looked at, cards revealed, searched for and put where they were not seen (CR 701.16-19)."""

from __future__ import annotations

from typing import Literal

import msgspec

from ..events.ids import Step, ZoneKind
from .grammar_filters import Described, description
from .grammar_phrases import itself, number_word
from .grammar_reader import Reader, reading
from .model import (
    ChooseCards,
    Chosen,
    DiscardCards,
    ExiledInsteadOfGraveyard,
    ExileTopFaceDown,
    Instruction,
    LookAtHand,
    MayBeginOnBattlefield,
    MoveObjects,
    Number,
    Objects,
    Players,
    PlayRevealed,
    PutAndRest,
    RevealCards,
    RevealHand,
    RevealTop,
    RuleChange,
    SearchLibrary,
    ShuffleLibrary,
    SkipStep,
    SpellsHaveFlash,
    StaticAbility,
    TargetSpec,
    This,
    You,
)

_HELD_WORDS = ("that card", "the chosen card", "the card", "it", "those cards", "them")


@reading
def hidden_action(r: Reader, who: Players, form: str) -> Instruction | None:
    """Read what is done with cards that not everybody sees."""
    s = "s" if form == "singular" else ""
    return (
        _look(r, form)
        or _reveal(r, who, s)
        or _search(r, form)
        or _shuffle(r, who, form)
        or _exile_face_down(r, form)
        or _put_held(r, who, s)
        or _discard_held(r, who, s)
        or _choose_one(r, who, s)
    )


@reading
def _look(r: Reader, form: str) -> Instruction | None:
    if form != "order" or not r.eat("look at"):
        return None
    for phrase, kind in (("target player's hand", "any"), ("target opponent's hand", "opponent")):
        if r.eat(phrase):
            spec = TargetSpec(players="opponent" if kind == "opponent" else "any")
            return LookAtHand(r.scope.new_target(spec))
    if r.scope.that_player is not None and r.eat("that player's hand"):
        return LookAtHand(r.scope.that_player)
    return None


@reading
def _reveal(r: Reader, who: Players, s: str) -> Instruction | None:
    if not r.eat(f"reveal{s}"):
        return None
    own = ("your",) if isinstance(who, You) else ("their", "his or her")
    for word in own:
        if r.eat(f"{word} hand"):
            return RevealHand(who)
        libraries = f"the top card of {word} library"
        if r.eat(libraries):
            return RevealTop(who)
    what = held(r)
    return RevealCards(who, what) if what is not None else None


@reading
def held(r: Reader) -> Objects | None:
    """Read "that card", "them": what was found, revealed or chosen last."""
    what = r.scope.held
    if what is None:
        return None
    word = r.eat_any(*_HELD_WORDS)
    if word is None or (word in {"them", "those cards"}) is not r.scope.held_plural:
        return None
    if word not in {"that card", "them"}:
        r.note(word)
    return what


@reading
def _search(r: Reader, form: str) -> Instruction | None:
    if form != "order" or not r.eat("search your library for"):
        return None
    up_to = r.eat("up to")
    count = 1 if (r.eat("one") if up_to else r.eat_article()) else number_word(r)
    found = description(r) if count is not None else None
    if count is None or found is None or not _is_of_library(found, plural=count > 1):
        return None
    what = msgspec.structs.replace(found.what, zone=ZoneKind.LIBRARY, owner="you")
    return SearchLibrary(what, Number(count), up_to=up_to, reveal=_revealed_too(r, count))


def _is_of_library(found: Described, *, plural: bool) -> bool:
    is_bare = found.what.zone is ZoneKind.BATTLEFIELD and found.what.controller == "any"
    return found.noun == "card" and is_bare and found.counts_as(plural=plural)


def _revealed_too(r: Reader, count: int) -> bool:
    """Read ", reveal it" behind what is searched for."""
    mark = r.mark()
    joint = r.eat_any(",", "and")
    words = ("them", "those cards") if count > 1 else ("it", "that card")
    if joint is not None and r.eat("reveal"):
        word = r.eat_any(*words)
        if word is not None:
            if joint != "," or word not in {"it", "them"}:
                r.note(f"{joint} reveal {word}")
            return True
    r.reset(mark)
    return False


@reading
def _shuffle(r: Reader, who: Players, form: str) -> Instruction | None:
    own = "your" if isinstance(who, You) else "their"
    if not r.eat("shuffles" if form == "singular" else "shuffle"):
        return None
    if not r.eat(f"{own} library"):
        if form != "order":
            return None
        r.note("shuffle")
    if form == "order" and r.scope.held is not None and not r.scope.held_plural:
        mark = r.mark()
        joint = r.eat_any(", then put", "and put")
        what = held(r) if joint is not None else None
        if what is not None and (r.eat("on top of it") or r.eat("on top")):
            r.note("on top")
            return ShuffleLibrary(who, on_top=what)
        r.reset(mark)
    return ShuffleLibrary(who)


@reading
def _exile_face_down(r: Reader, form: str) -> Instruction | None:
    if form == "order" and r.eat("exile the top card of your library face down"):
        return ExileTopFaceDown()
    return None


_PLACES: tuple[tuple[str, ZoneKind, Literal["top", "bottom"], bool], ...] = (
    ("onto the battlefield tapped", ZoneKind.BATTLEFIELD, "top", True),
    ("onto the battlefield", ZoneKind.BATTLEFIELD, "top", False),
    ("into {} hand", ZoneKind.HAND, "top", False),
    ("into {} graveyard", ZoneKind.GRAVEYARD, "top", False),
    ("on top of {} library", ZoneKind.LIBRARY, "top", False),
    ("on the bottom of {} library", ZoneKind.LIBRARY, "bottom", False),
)
"""Where a card that was found is put: the words, the zone, where in a library, tapped."""


@reading
def _put_held(r: Reader, who: Players, s: str) -> Instruction | None:
    what = held(r) if r.eat(f"put{s}") else None
    if what is None:
        return None
    own = "your" if isinstance(who, You) else "their"
    for words, zone, place, tapped in _PLACES:
        if r.eat(words.format(own)):
            rest = r.scope.held_rest
            if rest is not None and r.eat("and the rest into your graveyard"):
                return PutAndRest(what, zone, rest, ZoneKind.GRAVEYARD)
            return MoveObjects(what, zone, tapped=tapped, library_position=place)
    return None


@reading
def _discard_held(r: Reader, who: Players, s: str) -> Instruction | None:
    what = held(r) if r.eat(f"discard{s}") else None
    return DiscardCards(who, what) if what is not None else None


@reading
def _choose_one(r: Reader, who: Players, s: str) -> Instruction | None:
    """Read "target opponent chooses one": of what was found."""
    if not s or not r.scope.held_plural or r.scope.held is None:
        return None
    if not r.eat("chooses one"):
        return None
    if r.eat("of them"):
        r.note("of them")
    return ChooseCards(who, among=r.scope.held)


@reading
def hidden_choice(r: Reader) -> ChooseCards | None:
    """Read "you choose a nonland card from it": of the hand that is seen."""
    hand = r.scope.hand
    optional = r.eat("you may choose")
    if hand is None or not (optional or r.eat("you choose")) or not r.eat_article():
        return None
    found = description(r)
    if found is None or found.noun != "card" or not found.counts_as(plural=False):
        return None
    if not (r.eat("from it") or r.eat("from that hand")):
        return None
    what = msgspec.structs.replace(found.what, zone=ZoneKind.HAND, owner=hand)
    return ChooseCards(You(), what, optional=optional)


@reading
def put_by_each(r: Reader, who: Players) -> Instruction | None:
    """Read "(each player may) put a land card from their hand onto the battlefield" (101.4a)."""
    found = description(r) if r.eat("put") and r.eat_article() else None
    if found is None or found.noun != "card" or not found.counts_as(plural=False):
        return None
    hand = r.eat("from their hand") or r.eat("from his or her hand")
    if not hand or not r.eat("onto the battlefield"):
        return None
    what = msgspec.structs.replace(found.what, zone=ZoneKind.HAND)
    picked = Chosen(by=who, what=what, amount=Number(1), up_to=True, own=True)
    return MoveObjects(picked, ZoneKind.BATTLEFIELD)


_REVEALED: tuple[tuple[str, PlayRevealed], ...] = (
    ("your opponents play with their hands revealed", PlayRevealed("opponents", "hand")),
    ("players play with their hands revealed", PlayRevealed("all", "hand")),
    ("play with your hand revealed", PlayRevealed("you", "hand")),
    ("players play with the top card of their libraries revealed", PlayRevealed("all", "top")),
    ("play with the top card of your library revealed", PlayRevealed("you", "top")),
    (
        "your opponents play with the top card of their libraries revealed",
        PlayRevealed("opponents", "top"),
    ),
)

COUNTERED_INSTEAD = {
    ZoneKind.HAND: (
        "if that spell is countered this way , put it into its owner's hand "
        "instead of into that player's graveyard ."
    ),
    ZoneKind.LIBRARY: (
        "if that spell is countered this way , put it on top of its owner's library "
        "instead of into that player's graveyard ."
    ),
    ZoneKind.EXILE: (
        "if that spell is countered this way , exile it "
        "instead of putting it into its owner's graveyard ."
    ),
}
"""Where a countered spell goes instead of to the graveyard, in words (CR 701.5a, 614.6)."""


@reading
def countered_instead(r: Reader) -> ZoneKind | None:
    """Read where a spell goes that is countered this way."""
    for zone, text in COUNTERED_INSTEAD.items():
        if r.eat(text):
            return zone
    return None


_OTHER_RULES: tuple[tuple[str, RuleChange], ...] = (
    ("skip your draw step", SkipStep(Step.DRAW)),
    ("you may cast spells as though they had flash", SpellsHaveFlash()),
    (
        "if a card would be put into an opponent's graveyard from anywhere , exile it instead",
        ExiledInsteadOfGraveyard(),
    ),
)

HIDDEN_SENTENCES: dict[object, str] = {
    rule: text.replace(" ,", ",") for text, rule in (*_REVEALED, *_OTHER_RULES)
}
"""The sentence that says each rule of play that these static abilities change."""


@reading
def hidden_static(r: Reader) -> StaticAbility | None:
    """Read a static ability about how players play: with hands revealed, without a step."""
    if r.eat("if") and itself(r) and r.eat("is in your opening hand , you may begin the game with"):
        fine = (itself(r) or r.eat("it")) and r.eat("on the battlefield .")
        change = (MayBeginOnBattlefield(),)
        return StaticAbility(This(), change, zone=ZoneKind.HAND) if fine else None
    return None


@reading
def play_static(r: Reader) -> StaticAbility | None:
    """Read a sentence that is known as a whole."""
    for text, rule in (*_REVEALED, *_OTHER_RULES):
        if r.eat(f"{text} ."):
            return StaticAbility(This(), (rule,))
    return None
