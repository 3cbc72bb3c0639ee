"""Names of cards as people type them, brought to one form that compares equal.

CR 201.1: a card's name is printed in its upper left corner. Files, keyboards and catalogues
disagree about letter case, accents, ligatures, apostrophes and the slashes between two faces;
the name itself is always taken from the card file.
"""

from __future__ import annotations

import re
import unicodedata

FACE_SEPARATOR = " // "
"""What stands between the names of two faces of one card, as catalogues write it."""

_LETTERS = str.maketrans(
    {
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ð": "d",
        "þ": "th",
        "ł": "l",
        "‘": "'",
        "’": "'",
        "ʼ": "'",
        "`": "'",
        "´": "'",
        "“": '"',
        "”": '"',
        "‐": "-",
        "‑": "-",
        "–": "-",
        "—": "-",
        "\u00a0": " ",
    }
)
_SLASHES = re.compile(r"\s*/{1,3}\s*")
_SPACES = re.compile(r"\s+")


def folded_name(name: str) -> str:
    """Return the form under which two spellings of one name are the same.

    >>> folded_name("LIM-DÛL’S  VAULT")
    "lim-dul's vault"
    >>> folded_name("Fire/Ice") == folded_name("Fire // Ice")
    True
    """
    if name.isascii() and "/" not in name and "`" not in name:
        return " ".join(name.lower().split())
    decomposed = unicodedata.normalize("NFKD", name.casefold().translate(_LETTERS))
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return _SPACES.sub(" ", _SLASHES.sub(FACE_SEPARATOR, plain)).strip()
