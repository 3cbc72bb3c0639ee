"""The cards that a game can be played with: looked up by name, compiled when first needed.

The built-in cards are always there; a card of a later file replaces an earlier one of its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from ..events.errors import EngineError
from .builtin import builtin_cards
from .card_files import digest_of_texts, read_card_file, texts_by_name
from .card_text import CardText
from .compiler import COMPILER_VERSION, Unsupported, compile_card
from .definitions import Definitions, token_definition
from .model import CardDefinition
from .names import folded_name

__all__ = [
    "CardPool",
    "Definitions",
    "UnknownCard",
    "UnsupportedCard",
    "token_definition",
]


class UnknownCard(EngineError):
    """No card file of the game has a card of that name."""

    def __init__(self, name: str) -> None:
        """Name the card as it was asked for."""
        super().__init__(
            f"No card is named {name!r}: it is neither built in nor in a card file (--cards FILE)."
        )
        self.name = name


class UnsupportedCard(EngineError):
    """A card is known, but some of its text is not understood yet."""

    def __init__(self, name: str, phrase: str) -> None:
        """Name the card and the words that were not understood."""
        super().__init__(f"{name!r} is not supported: {phrase!r} is not understood.")
        self.name = name
        self.phrase = phrase


class CardPool:
    """Card texts by name, and their definitions."""

    def __init__(self, texts: Iterable[CardText]) -> None:
        """Take cards in order: a later one replaces an earlier one of its name."""
        self._texts = texts_by_name(texts)
        self._faces = self._front_faces()
        self._compiled: dict[str, CardDefinition | Unsupported] = {}
        self._digest: bytes | None = None

    @classmethod
    def load(cls, paths: Iterable[str | Path] = ()) -> Self:
        """Return the built-in cards and those of the files; raise CardFileError."""
        texts = list(builtin_cards())
        for path in paths:
            texts.extend(read_card_file(path))
        return cls(texts)

    @property
    def compiler_version(self) -> int:
        """The version of the compiler that makes definitions of the texts."""
        return COMPILER_VERSION

    @property
    def digest(self) -> bytes:
        """One digest of the texts as a whole, whatever files they came in."""
        if self._digest is None:
            self._digest = digest_of_texts(self._texts.values())
        return self._digest

    def __iter__(self) -> Iterator[CardText]:
        return iter(self._texts.values())

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def find(self, name: str) -> CardText | None:
        """Return the card of a name, or of a front face's name; None where there is none."""
        folded = folded_name(name)
        return self._texts.get(folded) or self._texts.get(self._faces.get(folded, ""))

    def text(self, name: str) -> CardText:
        """Return what is printed on the card of a name, or raise UnknownCard."""
        found = self.find(name)
        if found is None:
            raise UnknownCard(name)
        return found

    def compiled(self, name: str) -> CardDefinition | Unsupported:
        """Return what a card says, or which of its words were not understood."""
        text = self.text(name)
        if text.name not in self._compiled:
            self._compiled[text.name] = compile_card(text)
        return self._compiled[text.name]

    def definition(self, name: str) -> CardDefinition:
        """Return what a card says, or raise UnknownCard or UnsupportedCard."""
        compiled = self.compiled(name)
        if isinstance(compiled, Unsupported):
            raise UnsupportedCard(self.text(name).name, compiled.phrase)
        return compiled

    def _front_faces(self) -> dict[str, str]:
        """Return front faces' names that are no card's own, each with its card's (CR 712.2)."""
        faces: dict[str, str] = {}
        for folded, text in self._texts.items():
            if text.faces:
                front = folded_name(text.faces[0].name)
                if front not in self._texts:
                    faces.setdefault(front, folded)
        return faces
