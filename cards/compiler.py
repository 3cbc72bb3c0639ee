"""The Oracle-text compiler: from a card's printed text to its definition (CR 113, 207.1).

normalise → tokens → grammar (which lowers to the model as it reads) → check. A card is
supported only if every word of its text was understood.
"""

from __future__ import annotations

import hashlib

import msgspec

from ..events.ids import DefinitionId
from .card_text import CardText
from .check import problem_of
from .grammar import read_card
from .mana import COLORS, colors_of_cost, colors_of_letters, symbols_of
from .model import Ability, CardDefinition, SetPowerToughness, StaticAbility
from .normalise import normalised
from .vocabulary import CARD_TYPES, SUPERTYPES

COMPILER_VERSION = 1
"""Raised with each change that gives any text another model."""

_LAYOUTS = ("normal", "leveler", "saga", "class", "token", "case", "prototype", "mutate")
_TYPES = {"tribal": "kindred", "kindred": "kindred"} | {name: name for name in CARD_TYPES}
_ENCODER = msgspec.msgpack.Encoder(order="deterministic")


class Unsupported(msgspec.Struct, frozen=True):
    """A card that the compiler does not understand, with the phrase that failed."""

    name: str
    phrase: str


Compiled = CardDefinition | Unsupported


class TypeLine(msgspec.Struct, frozen=True):
    """A type line (CR 205) in its three parts, as the model writes them."""

    supertypes: tuple[str, ...]
    types: tuple[str, ...]
    subtypes: tuple[str, ...]


def type_line_of(text: str) -> TypeLine | str:
    """Return the parts of a type line; the word that is no type the engine knows, if any."""
    left, _, right = text.replace("–", "—").partition("—")
    supertypes: list[str] = []
    types: list[str] = []
    for word in left.lower().split():
        if word in SUPERTYPES:
            supertypes.append(word)
        elif word in _TYPES:
            types.append(_TYPES[word])
        else:
            return word
    subtypes = right.replace("Time Lord", "Time_Lord").split()
    return TypeLine(
        supertypes=tuple(supertypes),
        types=tuple(types),
        subtypes=tuple(word.replace("_", " ").replace("’", "'") for word in subtypes),
    )


def compile_card(card: CardText) -> Compiled:
    """Return what a card says, or why it is not understood."""
    if card.faces or card.layout not in _LAYOUTS:
        return Unsupported(card.name, f"layout {card.layout}")
    line = type_line_of(card.type_line)
    if isinstance(line, str):
        return Unsupported(card.name, f"type {line}")
    if symbols_of(card.mana_cost) is None:
        return Unsupported(card.name, f"mana cost {card.mana_cost}")
    text = normalised(card)
    read = read_card(text.lines, line.types, line.subtypes, card.name)
    if isinstance(read, str):
        return Unsupported(card.name, read)
    sizes = _sizes(card, read.abilities)
    if isinstance(sizes, str):
        return Unsupported(card.name, sizes)
    colors = colors_of_cost(card.mana_cost) + colors_of_letters(card.color_indicator)
    definition = CardDefinition(
        name=card.name,
        mana_cost=card.mana_cost,
        colors=tuple(color for color in COLORS if color in colors),
        supertypes=line.supertypes,
        types=line.types,
        subtypes=line.subtypes,
        power=sizes[0],
        toughness=sizes[1],
        loyalty=sizes[2],
        abilities=read.abilities,
        reminder=text.reminder + read.idle,
    )
    problem = problem_of(definition)
    return Unsupported(card.name, problem) if problem else definition


def _sizes(
    card: CardText, abilities: tuple[Ability, ...]
) -> tuple[int | None, int | None, int | None] | str:
    """Return power, toughness and loyalty as numbers; what is printed that is none, if any.

    A star is 0 where an ability of the card defines the number (CR 208.2a, 604.3).
    """
    defined = {"power": False, "toughness": False}
    for ability in abilities:
        if isinstance(ability, StaticAbility):
            for change in ability.modifications:
                if isinstance(change, SetPowerToughness) and change.defining:
                    defined["power"] |= change.power is not None
                    defined["toughness"] |= change.toughness is not None
    found: list[int | None] = []
    for key, printed in (
        ("power", card.power),
        ("toughness", card.toughness),
        ("loyalty", card.loyalty),
    ):
        if printed is None or printed == "":
            found.append(None)
        elif printed.lstrip("+-").isdigit():
            found.append(int(printed))
        elif printed == "*" and defined.get(key, False):
            found.append(0)
        else:
            return f"{key} {printed}"
    return found[0], found[1], found[2]


def definition_digest(definition: CardDefinition) -> DefinitionId:
    """Return the 16 bytes that name a definition: BLAKE2b of its canonical MessagePack."""
    return DefinitionId(hashlib.blake2b(_ENCODER.encode(definition), digest_size=16).digest())
