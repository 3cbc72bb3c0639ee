"""What a deck must be before a game may begin with it, by format (CR 100.2, 100.4, 903.5).

A deck that may not be played is refused with its name, the card and the rule. Nothing here asks
which sets a format admits: the rules of the game do not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from ..events.errors import EngineError
from .card_text import CardText
from .deck_piles import Deck, Pile, size_of
from .mana import COLOR_OF_LETTER, COLORS
from .model import CardDefinition
from .names import folded_name
from .pool import CardPool, UnknownCard, UnsupportedCard

Format = Literal["casual", "constructed", "limited", "commander"]
FORMATS: tuple[Format, ...] = ("casual", "constructed", "limited", "commander")

_NUMBER_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "nine": 9}
_ANY_NUMBER = re.compile(r"A deck can have any number of cards named")
_UP_TO = re.compile(r"A deck can have up to (\w+) cards named")
_CAN_COMMAND = re.compile(r"can be your commander", re.IGNORECASE)
_PARTNER = re.compile(r"^Partner(?: with (?P<name>[^(\n]+?))?\s*(?:\(|$)", re.MULTILINE)
_REMINDER = re.compile(r"\([^()]*\)")
_SYMBOL = re.compile(r"\{([^{}]+)\}")
_LAND_COLORS = dict(zip(("Plains", "Island", "Swamp", "Mountain", "Forest"), COLORS, strict=True))

_COPIES_MAX = 4
_COMMANDER_SIZE = 100
_COMMANDERS_MAX = 2


class DeckRefused(EngineError):
    """A deck may not be played: which, for what card (if one), by which rule, and why."""

    def __init__(self, deck: str, card: str | None, rule: str, reason: str) -> None:
        """Say which deck, and what the rule asks that it is not."""
        where = f"Deck {deck!r}, {card!r}" if card else f"Deck {deck!r}"
        super().__init__(f"{where}: {reason} (CR {rule}).")
        self.deck = deck
        self.card = card
        self.rule = rule
        self.reason = reason

    def name_file(self, path: str) -> None:
        """Say which file the deck came from: its name may be another."""
        self.args = (f"{path}: {self}",)


class CardRefused(DeckRefused):
    """A deck holds a card that no file has, or one whose text is not understood yet."""

    def __init__(self, deck: str, card: str, phrase: str | None) -> None:
        """Name the card; `phrase` is what was not understood, None for an unknown card."""
        if phrase is None:
            reason = "no card of that name is built in or in a card file (--cards FILE)"
        else:
            reason = f"not supported, for {phrase!r} is not understood"
        super().__init__(deck, card, "100.2", reason)
        self.phrase = phrase

    def name_others(self, names: Iterable[str]) -> None:
        """Say which other cards of the deck cannot be used, so that all are changed at once."""
        others = ", ".join(repr(name) for name in names if name != self.card)
        if others:
            self.args = (f"{self}"[:-1] + f"; nor can these be used: {others}.",)


class PlayableDeck:
    """A deck that may be played, with what its cards say; names are those of the card files."""

    def __init__(self, deck: Deck, pool: CardPool) -> None:
        """Look up every card of a deck, or raise CardRefused.

        Sideboards are changed between games (CR 100.4): their cards must exist, no more.
        """
        self.name = deck.name
        self.main = tuple(_defined(deck, pool, entry) for entry in deck.main)
        self.commander = tuple(_defined(deck, pool, entry) for entry in deck.commander)
        self.sideboard = tuple(
            (count, _text(deck, pool, name).name) for count, name in deck.sideboard
        )

    def cards(self) -> tuple[CardDefinition, ...]:
        """Return the main deck card by card, in the order of the file."""
        return tuple(card for count, card in self.main for _ in range(count))

    def commanders(self) -> tuple[CardDefinition, ...]:
        """Return the commanders card by card."""
        return tuple(card for count, card in self.commander for _ in range(count))


def playable(deck: Deck, pool: CardPool, rules: Format) -> PlayableDeck:
    """Return the deck ready to play, or raise DeckRefused with the first thing that forbids it."""
    merged = _by_card(deck, pool)
    _CHECKS[rules](merged, pool)
    return PlayableDeck(merged, pool)


def _text(deck: Deck, pool: CardPool, name: str) -> CardText:
    try:
        return pool.text(name)
    except UnknownCard:
        raise CardRefused(deck.name, name, None) from None


def _defined(deck: Deck, pool: CardPool, entry: tuple[int, str]) -> tuple[int, CardDefinition]:
    count, name = entry
    try:
        return count, pool.definition(name)
    except UnsupportedCard as error:
        raise CardRefused(deck.name, error.name, error.phrase) from None


def _by_card(deck: Deck, pool: CardPool) -> Deck:
    """Return the deck with names as the card files have them: two spellings are one card."""

    def merged(pile: Pile) -> Pile:
        counts: dict[str, int] = {}
        for count, name in pile:
            real = _text(deck, pool, name).name
            counts[real] = counts.get(real, 0) + count
        return tuple((count, name) for name, count in counts.items())

    return Deck(deck.name, merged(deck.main), merged(deck.sideboard), merged(deck.commander))


# Formats


def _check_casual(deck: Deck, _: CardPool) -> None:
    """Ask for 40 cards, as the smallest decks of CR 100.2b have."""
    _require_size(deck, 40, "100.2b")


def _check_limited(deck: Deck, _: CardPool) -> None:
    """CR 100.2b: at least 40 cards, as many of one name as were in the product."""
    _require_size(deck, 40, "100.2b")


def _check_constructed(deck: Deck, pool: CardPool) -> None:
    """CR 100.2a, 100.4a: at least 60 cards, at most 4 of a name, at most 15 in the sideboard."""
    _require_size(deck, 60, "100.2a")
    sideboard = size_of(deck.sideboard)
    if sideboard > 15:
        reason = f"the sideboard has {sideboard} cards, at most 15 are allowed"
        raise DeckRefused(deck.name, None, "100.4a", reason)
    for name, count in _copies(deck.main, deck.sideboard).items():
        most = _copies_allowed(pool.text(name), _COPIES_MAX)
        if most is not None and count > most:
            reason = f"{count} copies with the sideboard, at most {most} are allowed"
            raise DeckRefused(deck.name, name, "100.2a", reason)


def _check_commander(deck: Deck, pool: CardPool) -> None:
    """CR 903.3–903.5: 100 cards of different names in the colours of a legendary commander."""
    commanders = _commanders(deck, pool)
    size = size_of(deck.main) + size_of(deck.commander)
    if size != _COMMANDER_SIZE:
        reason = f"the deck has {size} cards with its commander, exactly 100 are asked for"
        raise DeckRefused(deck.name, None, "903.5a", reason)
    for name, count in _copies(deck.main, deck.commander).items():
        most = _copies_allowed(pool.text(name), 1)
        if most is not None and count > most:
            reason = f"{count} copies, at most {most} may be in a Commander deck"
            raise DeckRefused(deck.name, name, "903.5b", reason)
    allowed = tuple(color for text in commanders for color in color_identity_of(text))
    for _, name in deck.main:
        _require_identity(deck, pool.text(name), allowed)


_CHECKS = {
    "casual": _check_casual,
    "constructed": _check_constructed,
    "limited": _check_limited,
    "commander": _check_commander,
}


def _require_size(deck: Deck, least: int, rule: str) -> None:
    size = size_of(deck.main)
    if size < least:
        reason = f"the deck has {size} cards, at least {least} are asked for"
        raise DeckRefused(deck.name, None, rule, reason)


def _copies(*piles: Pile) -> dict[str, int]:
    counts: dict[str, int] = {}
    for pile in piles:
        for count, name in pile:
            counts[name] = counts.get(name, 0) + count
    return counts


def _copies_allowed(text: CardText, usual: int) -> int | None:
    """Return how many copies a deck may hold: None is any number (basic lands; CR 113.6n)."""
    if "Basic" in text.type_line.split() or _ANY_NUMBER.search(text.oracle_text):
        return None
    found = _UP_TO.search(text.oracle_text)
    return usual if found is None else max(usual, _NUMBER_WORDS.get(found[1], usual))


def _commanders(deck: Deck, pool: CardPool) -> tuple[CardText, ...]:
    texts = tuple(pool.text(name) for _, name in deck.commander)
    if not texts:
        reason = "the deck names no commander"
        raise DeckRefused(deck.name, None, "903.3", reason)
    for text in texts:
        if not _may_command(text):
            reason = "only a legendary creature can be a commander"
            raise DeckRefused(deck.name, text.name, "903.3", reason)
    if len(texts) > _COMMANDERS_MAX or (len(texts) == _COMMANDERS_MAX and not _are_partners(texts)):
        reason = "two commanders must be partners of each other"
        raise DeckRefused(deck.name, texts[1].name, "702.124a", reason)
    return texts


def _may_command(text: CardText) -> bool:
    front = text.faces[0] if text.faces else text
    types = front.type_line.split()
    if "Legendary" in types and "Creature" in types:
        return True
    return _CAN_COMMAND.search(front.oracle_text) is not None


def _are_partners(texts: tuple[CardText, ...]) -> bool:
    """CR 702.124h–i: both have partner, or each names the other."""
    found = tuple(_PARTNER.search(text.oracle_text) for text in texts)
    first, second = found
    if first is None or second is None:
        return False
    if first["name"] is None and second["name"] is None:
        return True
    names = tuple(folded_name(match["name"] or "") for match in (first, second))
    return names == (folded_name(texts[1].name), folded_name(texts[0].name))


def color_identity_of(text: CardText) -> tuple[str, ...]:
    """Return a card's colour identity (CR 903.4): of its symbols, all faces, without reminders.

    A basic land type counts as the mana it can make (CR 903.5d).
    """
    found: list[str] = []
    for face in text.faces or (text,):
        rules_text = _REMINDER.sub("", face.oracle_text)
        symbols = _SYMBOL.findall(face.mana_cost + rules_text)
        letters = [letter for symbol in symbols for letter in symbol.split("/")]
        letters.extend(face.color_indicator)
        found.extend(COLOR_OF_LETTER[letter] for letter in letters if letter in COLOR_OF_LETTER)
        found.extend(_LAND_COLORS[word] for word in _subtypes(face) if word in _LAND_COLORS)
    return tuple(color for color in COLORS if color in found)


def _subtypes(face: CardText) -> tuple[str, ...]:
    return tuple(face.type_line.partition("—")[2].split())


def _require_identity(deck: Deck, text: CardText, allowed: tuple[str, ...]) -> None:
    outside = tuple(color for color in color_identity_of(text) if color not in allowed)
    if outside:
        rule = "903.5d" if "Land" in text.type_line.split() else "903.5c"
        reason = f"{' and '.join(outside)} is not in the commander's colour identity"
        raise DeckRefused(deck.name, text.name, rule, reason)
