"""The last step of the compiler: whether a definition that was read makes sense as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from ..events.ids import ZoneKind
from .grammar_keywords import EMITTED_KEYWORDS
from .model import (
    Body,
    CardDefinition,
    Continuously,
    Delayed,
    KeywordAbility,
    MoveObjects,
    Node,
    SpellAbility,
)

_PERMANENTS = {"artifact", "battle", "creature", "enchantment", "land", "planeswalker"}


def problem_of(definition: CardDefinition) -> str:
    """Return what is wrong with a definition, in words; empty if it is sound."""
    kinds = set(definition.types)
    if not kinds & (_PERMANENTS | {"instant", "sorcery"}):
        return "no card type that can be played"
    if "battle" in kinds:
        return "type battle"
    spells = sum(isinstance(ability, SpellAbility) for ability in definition.abilities)
    if kinds & {"instant", "sorcery"}:
        if spells != 1:
            return "a spell without an effect"
    elif spells:
        return "an effect of a spell on a permanent"
    enchants = [
        ability
        for ability in definition.abilities
        if isinstance(ability, KeywordAbility) and ability.name == "enchant"
    ]
    if ("Aura" in definition.subtypes) is not bool(enchants) or len(enchants) > 1:
        return "an Aura enchants one kind of object"
    if "creature" in kinds and (definition.power is None or definition.toughness is None):
        return "a creature without power and toughness"
    if any(_changes_what_returns_later(node) for node in nodes_of(definition)):
        return "a change of what returns only later"
    return ""


def _changes_what_returns_later(node: Node) -> bool:
    """Say whether a body changes, now, "it" that a delayed trigger will have returned by then."""
    if not isinstance(node, Body):
        return False
    is_delayed = False
    for instruction in node.instructions:
        if is_delayed and isinstance(instruction, Continuously):
            return True
        is_delayed = any(
            isinstance(part, MoveObjects) and part.to == ZoneKind.BATTLEFIELD
            for held in nodes_of(instruction)
            if isinstance(held, Delayed)
            for part in nodes_of(held.body)
        )
    return False


def nodes_of(node: Node) -> Iterator[Node]:
    """Return a record and all records inside it, the outer ones first."""
    yield node
    for name in node.__struct_fields__:
        held = getattr(node, name)
        if isinstance(held, Node):
            yield from nodes_of(held)
        elif isinstance(held, tuple):
            yield from _nodes_in(held)


def _nodes_in(held: tuple[object, ...]) -> Iterator[Node]:
    for each in held:
        if isinstance(each, Node):
            yield from nodes_of(each)
        elif isinstance(each, tuple):
            yield from _nodes_in(each)


def keywords_of(definition: CardDefinition) -> tuple[str, ...]:
    """Return the names of all keyword abilities a definition speaks of, sorted, each once."""
    found = {node.name for node in nodes_of(definition) if isinstance(node, KeywordAbility)}
    return tuple(sorted(found))


__all__ = ["EMITTED_KEYWORDS", "keywords_of", "nodes_of", "problem_of"]
