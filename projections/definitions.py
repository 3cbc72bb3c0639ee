"""The definitions a game is played with: cards by digest, and what abilities and bodies they have.

An event names an ability by its digest; here the digest is found again, however deep in a card's
text the ability stands (a quoted ability, the body of a reflexive or delayed trigger).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from ..cards.definitions import Definitions as CardDefinitions
from ..cards.delayed import delayed_ability
from ..cards.keyword_abilities import expanded, with_expansions
from ..cards.model import (
    ActivatedAbility,
    AddMana,
    Body,
    CardDefinition,
    Delayed,
    EntersWith,
    Filter,
    KeywordAbility,
    Number,
    SpellAbility,
    StaticAbility,
    TriggeredAbility,
)
from ..cards.model import Cost as ModelCost
from ..events.errors import EngineError
from ..events.ids import UNKNOWN_CARD, DefinitionId, PlayerId, ZoneKind
from .characteristics import (
    FACE_DOWN,
    NO_CHARACTERISTICS,
    Characteristics,
    printed_characteristics,
    statics_among,
    triggers_among,
)
from .state import GameObject

DIGEST_BYTES = 16

AbilityOrBody = SpellAbility | ActivatedAbility | TriggeredAbility | Body
"""What an event names by digest: it was activated, has triggered, or resolves."""

LAND_MANA = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}
"""The mana that a basic land type's intrinsic ability adds (CR 305.6)."""


class AbilityUnknown(EngineError):
    """No definition beside the log has the ability that an event names."""


def digest_of(node: msgspec.Struct) -> bytes:
    """Return the BLAKE2b digest (16 bytes) of a record of the model, by its canonical bytes."""
    data = msgspec.msgpack.encode(node)
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


def intrinsic_abilities(subtypes: tuple[str, ...]) -> tuple[ActivatedAbility, ...]:
    """Return the mana abilities that basic land types give, in type-line order (CR 305.6)."""
    return tuple(_INTRINSIC[name] for name in subtypes if name in _INTRINSIC)


def loyalty_abilities(loyalty: int | None) -> tuple[EntersWith, ...]:
    """Return the ability that a planeswalker's printed loyalty gives it (CR 306.5b)."""
    if loyalty is None:
        return ()
    counters = (("loyalty", Number(loyalty)),)
    return (EntersWith(Filter(identity="this"), counters=counters),)


_INTRINSIC = {
    name: ActivatedAbility(
        cost=ModelCost(tap=True),
        body=Body(instructions=(AddMana(options=(letter,), amount=Number(1)),)),
    )
    for name, letter in LAND_MANA.items()
}


class Definitions(CardDefinitions):
    """Card definitions by digest, their abilities by digest, and printed characteristics."""

    def __init__(self) -> None:
        """Begin with the intrinsic abilities of basic land types only (CR 305.6)."""
        super().__init__()
        self._abilities: dict[bytes, AbilityOrBody] = {}
        self._digests: dict[AbilityOrBody, bytes] = {}
        self._printed: dict[tuple[DefinitionId, PlayerId], Characteristics] = {}
        for ability in _INTRINSIC.values():
            self._register(ability)

    def add(self, definition: CardDefinition) -> DefinitionId:
        """Take a definition in, its tokens and its abilities, and return its digest."""
        digest = super().add(definition)
        self._take_in(definition)
        return digest

    def add_record(self, digest: bytes, data: bytes) -> None:
        """Take in a definition as it was stored; raise DefinitionsDamaged if it is another."""
        super().add_record(digest, data)
        self._take_in(self.get(DefinitionId(digest)))

    def ability(self, digest: bytes) -> AbilityOrBody:
        """Return the ability or body of that digest; raise AbilityUnknown if it is not here."""
        found = self._abilities.get(digest)
        if found is None:
            msg = f"no card beside the log has the ability {digest.hex()}"
            raise AbilityUnknown(msg)
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
            cached = printed_characteristics(self.get(key), controller)
            intrinsic = intrinsic_abilities(cached.subtypes)
            abilities = with_expansions(
                (*cached.abilities, *intrinsic, *loyalty_abilities(cached.loyalty))
            )
            if abilities != cached.abilities:
                cached = msgspec.structs.replace(
                    cached,
                    abilities=abilities,
                    triggers=triggers_among(abilities),
                    statics=statics_among(abilities),
                )
            self._printed[key, controller] = cached
        return cached

    def shown(self, found: GameObject) -> Characteristics:
        """Return what an object is before any effect: face down a nameless 2/2 (CR 708.2a)."""
        if found.face_down and found.zone in (ZoneKind.BATTLEFIELD, ZoneKind.STACK):
            return msgspec.structs.replace(FACE_DOWN, controller=found.controller)
        return self.printed(found.card, found.controller)

    def speaks_of(self, modification: object) -> bool:
        """Say whether a static ability of any card here has that modification."""
        return any(
            modification in ability.modifications
            for definition in map(self.get, self)
            for ability in definition.abilities
            if isinstance(ability, StaticAbility)
        )

    def _take_in(self, definition: CardDefinition) -> None:
        for node in _nodes_of(definition):
            if node not in self._digests:
                self._register(node)

    def _register(self, node: AbilityOrBody) -> bytes:
        digest = digest_of(node)
        self._abilities.setdefault(digest, node)
        self._digests[node] = digest
        return digest


def _nodes_of(node: object) -> Iterator[AbilityOrBody]:
    """Yield the abilities and bodies that stand in a record of the model, outermost first."""
    if isinstance(node, Delayed):
        yield delayed_ability(node)
    if isinstance(node, KeywordAbility):
        yield from _nodes_of(expanded(node))
    if isinstance(node, SpellAbility | ActivatedAbility | TriggeredAbility | Body):
        yield node
    if isinstance(node, msgspec.Struct):
        for name in node.__struct_fields__:
            yield from _nodes_of(getattr(node, name))
    elif isinstance(node, tuple):
        for item in node:
            yield from _nodes_of(item)
