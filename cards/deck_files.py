"""Deck files: what people bring to the table, in any of the formats their programs write.

The format is read off the content; the name's ending only helps where the content leaves it open.
A deck that comes with the program may be named instead of a file.
"""

from __future__ import annotations

from pathlib import Path

from .builtin import BUILTIN_DECKS, builtin_deck_path
from .deck_formats_text import read_text_deck
from .deck_formats_xml import read_xml_deck
from .deck_piles import Deck, DeckFileError, Pile, size_of

__all__ = ["Deck", "DeckFileError", "Pile", "read_deck", "size_of"]

_BOM = b"\xef\xbb\xbf"
_BOMS_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BLANK_LINES_MEAN_NOTHING = (".dck", ".dec")
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f\x1a")
_BYTES_MAX = 4_000_000


def read_deck(path: str | Path) -> Deck:
    """Return the deck of a file, or the built-in deck of that name; raise DeckFileError.

    >>> read_deck("red-green-stompers").name
    'Red-Green Stompers'
    """
    place = Path(path)
    if str(path) in BUILTIN_DECKS and not place.is_file():
        place = builtin_deck_path(str(path))
    data = _bytes_of(place, str(path))
    if data.removeprefix(_BOM).lstrip().startswith(b"<"):
        return read_xml_deck(data, str(path), place.stem)
    text = _decoded(data, str(path))
    by_blank_line = place.suffix.lower() not in _BLANK_LINES_MEAN_NOTHING
    return read_text_deck(text, str(path), place.stem, blank_line_ends_main=by_blank_line)


def _bytes_of(place: Path, path: str) -> bytes:
    try:
        with place.open("rb") as file:
            data = file.read(_BYTES_MAX + 1)
    except FileNotFoundError as error:
        known = ", ".join(BUILTIN_DECKS)
        reason = f"there is no such file, and no built-in deck of that name ({known})"
        raise DeckFileError(path, None, reason) from error
    except OSError as error:
        raise DeckFileError(path, None, f"cannot be read ({error.strerror})") from error
    if len(data) > _BYTES_MAX:
        raise DeckFileError(path, None, "is no deck file: it is larger than 4 MB")
    return data


def _decoded(data: bytes, path: str) -> str:
    """Return the text: UTF-8, UTF-16 with its mark, or what older Windows programs wrote."""
    if data.startswith(_BOMS_UTF16):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
        if not _CONTROLS.isdisjoint(data):
            encodings = []
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise DeckFileError(path, None, "is no deck file: it holds bytes that are no text")
