"""The closed word lists of Oracle text: card types, subtypes, colours, numbers, keywords."""

import tomllib
from functools import lru_cache
from pathlib import Path

CARD_TYPES = (
    "artifact",
    "battle",
    "creature",
    "enchantment",
    "instant",
    "land",
    "planeswalker",
    "sorcery",
)
"""The card types that text speaks of, as the model writes them (CR 300.1)."""

PERMANENT_TYPES = ("artifact", "battle", "creature", "enchantment", "land", "planeswalker")
"""The card types of permanents (CR 110.4)."""

PLURAL_OF_TYPE = {
    **{word: f"{word}s" for word in CARD_TYPES},
    "sorcery": "sorceries",
}
TYPE_OF_PLURAL = {plural: word for word, plural in PLURAL_OF_TYPE.items()}

SUPERTYPES = ("basic", "legendary", "snow", "world")
"""The supertypes of CR 205.4a that text speaks of."""

BASIC_LAND_TYPES = ("Plains", "Island", "Swamp", "Mountain", "Forest")
"""The basic land types in the order of CR 305.6."""

NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
)
"""Numbers as text spells them, from 0."""


@lru_cache(maxsize=1)
def _tables() -> dict[str, list[str]]:
    text = Path(__file__).with_name("subtypes.toml").read_text(encoding="utf-8")
    return {key: value for key, value in tomllib.loads(text).items() if key != "irregular"}


@lru_cache(maxsize=1)
def _irregular() -> dict[str, str]:
    text = Path(__file__).with_name("subtypes.toml").read_text(encoding="utf-8")
    table: dict[str, str] = tomllib.loads(text)["irregular"]
    return table


@lru_cache(maxsize=8)
def subtypes_of(card_type: str) -> tuple[str, ...]:
    """Return the subtypes of a card type; instants and sorceries share those of "spell".

    CR 205.3.
    """
    kind = "spell" if card_type in {"instant", "sorcery"} else card_type
    return tuple(_tables().get(kind, ()))


@lru_cache(maxsize=1)
def subtype_of_word() -> dict[str, str]:
    """Return the subtypes by their lower-case singular."""
    return {word.lower(): word for words in _tables().values() for word in words}


def plural_of_subtype(subtype: str) -> str:
    """Return the plural of a subtype, as Oracle text writes it."""
    return _irregular().get(subtype, f"{subtype}s")


@lru_cache(maxsize=1)
def subtype_of_plural() -> dict[str, str]:
    """Return the subtypes by their lower-case plural."""
    return {plural_of_subtype(word).lower(): word for words in _tables().values() for word in words}


ABILITY_WORDS = frozenset(
    [
        "adamant",
        "addendum",
        "alliance",
        "battalion",
        "celebration",
        "chroma",
        "cohort",
        "constellation",
        "converge",
        "council's dilemma",
        "coven",
        "delirium",
        "descend 4",
        "descend 8",
        "domain",
        "eerie",
        "eminence",
        "enrage",
        "fateful hour",
        "fathomless descent",
        "ferocious",
        "formidable",
        "grandeur",
        "hellbent",
        "heroic",
        "imprint",
        "inspired",
        "join forces",
        "kinship",
        "landfall",
        "lieutenant",
        "magecraft",
        "metalcraft",
        "morbid",
        "pack tactics",
        "paradox",
        "parley",
        "radiance",
        "raid",
        "rally",
        "revolt",
        "secret council",
        "spell mastery",
        "strive",
        "survival",
        "sweep",
        "tempting offer",
        "threshold",
        "undergrowth",
        "valiant",
        "will of the council",
    ]
)
"""Words before a dash that have no rules meaning (CR 207.2c)."""
