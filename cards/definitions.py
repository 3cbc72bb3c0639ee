"""Definitions by digest: what the cards of a game say, stored beside its log.

An event names a card by the digest of its definition. Tokens have definitions too: a template
inside an ability becomes one (CR 111.4), and is stored together with the card that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Self

import msgspec

from ..events.errors import EngineError
from ..events.ids import DefinitionId
from .check import nodes_of
from .compiler import definition_digest
from .model import CardDefinition, TokenTemplate

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(CardDefinition)
_STORED = msgspec.msgpack.Decoder(dict[bytes, bytes])


class DefinitionUnknown(EngineError):
    """A log names a definition that was not stored with it."""

    def __init__(self, digest: bytes) -> None:
        """Name the digest."""
        super().__init__(f"No definition of digest {digest.hex() or 'nothing'} is stored.")
        self.digest = digest


class DefinitionsDamaged(EngineError):
    """Stored definitions are not what was stored."""

    def __init__(self, reason: str) -> None:
        """Say what is wrong with them."""
        super().__init__(f"The stored definitions are damaged: {reason}.")
        self.reason = reason


@lru_cache(maxsize=4096)
def token_definition(template: TokenTemplate) -> CardDefinition:
    """Return what a created token is (CR 111.3), named as CR 111.4 says.

    Without a name of its own it is named for its subtypes, with the word "Token".
    """
    return CardDefinition(
        name=template.name or " ".join((*template.subtypes, "Token")),
        colors=template.colors,
        supertypes=template.supertypes,
        types=template.types,
        subtypes=template.subtypes,
        power=template.power,
        toughness=template.toughness,
        abilities=template.abilities,
        is_token=True,
    )


def templates_of(definition: CardDefinition) -> Iterator[TokenTemplate]:
    """Yield the token templates inside a definition, in the text's order."""
    return (node for node in nodes_of(definition) if isinstance(node, TokenTemplate))


class Definitions:
    """The definitions that a game uses, by digest."""

    def __init__(self) -> None:
        """Begin with none."""
        self._by_id: dict[DefinitionId, CardDefinition] = {}
        self._bytes: dict[DefinitionId, bytes] = {}

    def add(self, definition: CardDefinition) -> DefinitionId:
        """Store a definition, and those of the tokens it makes; return its digest."""
        digest = definition_digest(definition)
        if digest not in self._by_id:
            self._by_id[digest] = definition
            self._bytes[digest] = _ENCODER.encode(definition)
            for template in templates_of(definition):
                self.add(token_definition(template))
        return digest

    def get(self, digest: DefinitionId) -> CardDefinition:
        """Return the definition of a digest, or raise DefinitionUnknown."""
        definition = self._by_id.get(digest)
        if definition is None:
            raise DefinitionUnknown(digest)
        return definition

    def find(self, digest: DefinitionId) -> CardDefinition | None:
        """Return the definition of a digest, None where it is not stored (a card not seen)."""
        return self._by_id.get(digest)

    def token(self, template: TokenTemplate) -> DefinitionId:
        """Return the digest of the token that a template describes, storing it if it is new."""
        return self.add(token_definition(template))

    def __contains__(self, digest: object) -> bool:
        return digest in self._by_id

    def __iter__(self) -> Iterator[DefinitionId]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self._by_id)

    def only(self, digests: tuple[DefinitionId, ...]) -> Definitions:
        """Return the definitions of these digests and of the tokens they make: a seat's share."""
        part = Definitions()
        for digest in digests:
            part.add(self.get(digest))
        return part

    def to_records(self) -> dict[bytes, bytes]:
        """Return each definition as bytes by its digest, in the order of digests."""
        return {digest: self._bytes[digest] for digest in sorted(self._bytes)}

    def to_bytes(self) -> bytes:
        """Return the definitions as one MessagePack map."""
        return _ENCODER.encode(self.to_records())

    @classmethod
    def from_records(cls, records: dict[bytes, bytes]) -> Self:
        """Return the definitions of a map, checking each against its digest."""
        definitions = cls()
        for digest, data in records.items():
            definitions.add_record(digest, data)
        return definitions

    def add_record(self, digest: bytes, data: bytes) -> None:
        """Store a definition as `to_records` gave it, or raise DefinitionsDamaged."""
        try:
            definition = _DECODER.decode(data)
        except msgspec.DecodeError as error:
            raise DefinitionsDamaged(f"{digest.hex()} cannot be read ({error})") from error
        found = definition_digest(definition)
        if found != digest:
            raise DefinitionsDamaged(f"{digest.hex()} is stored, its text has {found.hex()}")
        self._by_id[found] = definition
        self._bytes[found] = data

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the definitions that `to_bytes` wrote, or raise DefinitionsDamaged."""
        try:
            records = _STORED.decode(data)
        except msgspec.DecodeError as error:
            raise DefinitionsDamaged(str(error)) from error
        return cls.from_records(records)
