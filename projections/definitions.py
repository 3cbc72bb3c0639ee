"""The definitions a game is played with: cards by digest, and what abilities and bodies they have.

An event names an ability by its digest; here the digest is found again, however deep in a card's
text the ability stands (a quoted ability, the body of a reflexive or delayed trigger).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

import msgspec

from ..cards.model import (
    Ability,
    ActivatedAbility,
    AddMana,
    Body,
    CardDefinition,
    Delayed,
    Number,
    SpellAbility,
    TriggeredAbility,
)
from ..cards.model import Cost as ModelCost
from ..events.errors import EngineError
from ..events.ids import UNKNOWN_CARD, DefinitionId, PlayerId
from .characteristics import NO_CHARACTERISTICS, Characteristics, printed_characteristics

DIGEST_BYTES = 16

AbilityOrBody = SpellAbility | ActivatedAbility | TriggeredAbility | Body
"""What an event names by digest: it was activated, has triggered, or resolves."""

LAND_MANA = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}
"""The mana that a basic land type's intrinsic ability adds (CR 305.6)."""


class UnknownDefinition(EngineError):
    """A definition that an event names does not lie beside the log."""


def digest_of(node: msgspec.Struct) -> bytes:
    """Return the BLAKE2b digest (16 bytes) of a record of the model, by its canonical bytes."""
    data = msgspec.msgpack.encode(node)
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


def intrinsic_abilities(subtypes: tuple[str, ...]) -> tuple[ActivatedAbility, ...]:
    """Return the mana abilities that basic land types give, in type-line order (CR 305.6)."""
    return tuple(_INTRINSIC[name] for name in subtypes if name in _INTRINSIC)


_INTRINSIC = {
    name: ActivatedAbility(
        cost=ModelCost(tap=True), body=Body(instructions=(AddMana(options=(letter,), amount=Number(1)),))
    )
    for name, letter in LAND_MANA.items()
}


class Definitions:
    """Card definitions by digest and their abilities by digest; printed characteristics cached."""

    def __init__(self) -> None:
        self._cards: dict[DefinitionId, CardDefinition] = {}
        self._abilities: dict[bytes, AbilityOrBody] = {}
        self._digests: dict[AbilityOrBody, bytes] = {}
        self._printed: dict[tuple[DefinitionId, PlayerId], Characteristics] = {}
        for ability in _INTRINSIC.values():
            self._register(ability)

    def add(self, definition: CardDefinition) -> DefinitionId:
        """Take a definition in and return its digest."""
        key = DefinitionId(digest_of(definition))
        if key not in self._cards:
            self._cards[key] = definition
            for node in _nodes_of(definition):
                self._register(node)
        return key

    def card(self, key: DefinitionId) -> CardDefinition:
        """Return the definition of that digest; raise UnknownDefinition if it is not here."""
        found = self._cards.get(key)
        if found is None:
            msg = f"the definition {key.hex()} does not lie beside the log"
            raise UnknownDefinition(msg)
        return found

    def find(self, key: DefinitionId) -> CardDefinition | None:
        """Return the definition of that digest if it is here."""
        return self._cards.get(key)

    def ability(self, digest: bytes) -> AbilityOrBody:
        """Return the ability or body of that digest; raise UnknownDefinition if it is not here."""
        found = self._abilities.get(digest)
        if found is None:
            msg = f"no card beside the log has the ability {digest.hex()}"
            raise UnknownDefinition(msg)
        return found

    def digest_of_ability(self, node: AbilityOrBody) -> bytes:
        """Return an ability's digest, taking the ability in if it is new (as a granted one is)."""
        known = self._digests.get(node)
        return known if known is not None else self._register(node)

    def printed(self, key: DefinitionId, controller: PlayerId) -> Characteristics:
        """Return the characteristics that a card's definition gives, intrinsic abilities too."""
        cached = self._printed.get((key, controller))
        if cached is None:
            if key == UNKNOWN_CARD:
                return msgspec.structs.replace(NO_CHARACTERISTICS, controller=controller)
            cached = printed_characteristics(self.card(key), controller)
            intrinsic = intrinsic_abilities(cached.subtypes)
            if intrinsic:
                cached = msgspec.structs.replace(
                    cached, abilities=(*cached.abilities, *intrinsic)
                )
            self._printed[key, controller] = cached
        return cached

    def items(self) -> Iterator[tuple[DefinitionId, CardDefinition]]:
        """Yield digests and definitions in the order in which they were added."""
        yield from self._cards.items()

    def to_bytes(self) -> dict[bytes, bytes]:
        """Return the definitions as they lie beside a log."""
        return {key: msgspec.msgpack.encode(card) for key, card in self._cards.items()}

    @classmethod
    def from_bytes(cls, stored: Mapping[bytes, bytes]) -> Definitions:
        """Return the definitions that `to_bytes` wrote."""
        definitions = cls()
        for data in stored.values():
            definitions.add(msgspec.msgpack.decode(data, type=CardDefinition))
        return definitions

    def _register(self, node: AbilityOrBody) -> bytes:
        digest = digest_of(node)
        self._abilities.setdefault(digest, node)
        self._digests[node] = digest
        return digest


def _nodes_of(node: object) -> Iterator[AbilityOrBody]:
    """Yield the abilities and bodies that stand in a record of the model, outermost first."""
    if isinstance(node, Delayed):
        yield TriggeredAbility(trigger=node.trigger, body=node.body)
    if isinstance(node, SpellAbility | ActivatedAbility | TriggeredAbility | Body):
        yield node
    if isinstance(node, msgspec.Struct):
        for name in node.__struct_fields__:
            yield from _nodes_of(getattr(node, name))
    elif isinstance(node, tuple):
        for item in node:
            yield from _nodes_of(item)
