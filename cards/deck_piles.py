"""What a deck file says: cards in piles, whatever the format it was written in (CR 100.2)."""

from __future__ import annotations

import msgspec

from ..events.errors import FileUnreadable
from .names import folded_name

MAIN = "main"
SIDEBOARD = "sideboard"
COMMANDER = "commander"

_MOST_COPIES = 9999
_LONGEST_NAME = 200
"""Characters: no card's name is longer, and a complaint that shows it stays a sentence."""


class DeckFileError(FileUnreadable):
    """A deck file cannot be read."""


Pile = tuple[tuple[int, str], ...]
"""How many of which card, each name once, in the order in which the file first has it."""


class Deck(msgspec.Struct, frozen=True):
    """A deck as its file has it; names are as spelled there, not yet looked up in a pool.

    `others` are piles of variants (planes, schemes, a vanguard, conspiracies) by section name.
    """

    name: str
    main: Pile
    sideboard: Pile = ()
    commander: Pile = ()
    others: tuple[tuple[str, Pile], ...] = ()

    def cards(self) -> tuple[str, ...]:
        """Return every name of the deck once, main deck first."""
        piles = (self.main, self.sideboard, self.commander, *(pile for _, pile in self.others))
        return tuple(dict.fromkeys(name for pile in piles for _, name in pile))


def size_of(pile: Pile) -> int:
    """Return the number of cards of a pile.

    >>> size_of(((4, "Shock"), (20, "Mountain")))
    24
    """
    return sum(count for count, _ in pile)


class Refusal(Exception):
    """A line is not as it must be."""


class Piles:
    """Piles as a reader fills them: one name is one entry, spelled as it came first."""

    def __init__(self) -> None:
        self._piles: dict[str, dict[str, tuple[int, str]]] = {}

    def add(self, pile: str, count: int, name: str) -> None:
        """Put so many cards of a name on a pile."""
        if count < 1:
            raise Refusal(f"{count} is no number of cards")
        entries = self._piles.setdefault(pile, {})
        if len(name) > _LONGEST_NAME:
            raise Refusal(f"{name[:40]!r} goes on for {len(name)} characters and names no card")
        before, spelling = entries.get(folded_name(name), (0, name))
        if before + count > _MOST_COPIES:
            raise Refusal(f"more than {_MOST_COPIES} copies of {name}")
        entries[folded_name(name)] = (before + count, spelling)

    def deck(self, name: str, path: str) -> Deck:
        """Return the deck, or refuse one that has no cards to play with."""
        piles = {pile: tuple(entries.values()) for pile, entries in self._piles.items()}
        main = piles.pop(MAIN, ())
        sideboard = piles.pop(SIDEBOARD, ())
        commander = piles.pop(COMMANDER, ())
        if not main:
            raise DeckFileError(path, None, "the deck is empty, it names no card for the main deck")
        return Deck(name, main, sideboard, commander, tuple(piles.items()))
