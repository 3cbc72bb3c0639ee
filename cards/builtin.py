"""What comes with the program: some hundred cards and two decks, so that a game needs no files.

Names, costs, types and numbers of the cards are facts; the text that says what they do is in our
own words, in the same templated English that the compiler reads everywhere.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .card_files import read_card_file
from .card_text import CardText

_HERE = Path(__file__).parent

BUILTIN_DECKS = ("red-green-stompers", "white-black-wardens")
"""The names of the built-in decks; each may stand for a deck file."""


@cache
def builtin_cards() -> tuple[CardText, ...]:
    """Return the texts of the built-in cards."""
    return read_card_file(_HERE / "builtin_cards.jsonl")


def builtin_deck_path(name: str) -> Path:
    """Return the file of a built-in deck."""
    return _HERE / f"{name}.dck"
