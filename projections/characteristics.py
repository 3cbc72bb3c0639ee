"""Characteristics of objects (CR 109.3): what is printed, and what a derivation made of it."""

from __future__ import annotations

import msgspec

from ..cards.mana import mana_value
from ..cards.model import (
    Ability,
    CardDefinition,
    KeywordAbility,
    RuleChange,
    StaticAbility,
    TriggeredAbility,
)
from ..events.ids import ObjectId, PlayerId


class Characteristics(msgspec.Struct, frozen=True):
    """What an object is at a moment (CR 109.3), its controller, and rules that are changed for it.

    `keywords` are the names of its keyword abilities; `rules` the changes of CR 613.11, and
    `rule_sources` whose they are: for each the source and who is "you" to it.
    """

    name: str
    mana_cost: str
    colors: tuple[str, ...]
    supertypes: tuple[str, ...]
    types: tuple[str, ...]
    subtypes: tuple[str, ...]
    power: int | None
    toughness: int | None
    loyalty: int | None
    abilities: tuple[Ability, ...]
    keywords: frozenset[str]
    rules: tuple[RuleChange, ...]
    controller: PlayerId
    mana_value: int
    triggers: tuple[TriggeredAbility, ...] = ()
    statics: tuple[StaticAbility, ...] = ()
    rule_sources: tuple[tuple[ObjectId, PlayerId], ...] = ()

    def has_type(self, name: str) -> bool:
        """Say whether it has that card type, subtype or supertype."""
        return name in self.types or name in self.subtypes or name in self.supertypes

    @property
    def is_creature(self) -> bool:
        """Say whether it is a creature (CR 302)."""
        return "creature" in self.types

    @property
    def is_land(self) -> bool:
        """Say whether it is a land (CR 305)."""
        return "land" in self.types

    @property
    def is_instant_or_sorcery(self) -> bool:
        """Say whether it is an instant (CR 304) or a sorcery (CR 307), and never a permanent."""
        return "instant" in self.types or "sorcery" in self.types

    def keyword(self, name: str) -> KeywordAbility | None:
        """Return the first keyword ability of that name."""
        for ability in self.abilities:
            if isinstance(ability, KeywordAbility) and ability.name == name:
                return ability
        return None


NO_CHARACTERISTICS = Characteristics(
    name="",
    mana_cost="",
    colors=(),
    supertypes=(),
    types=(),
    subtypes=(),
    power=None,
    toughness=None,
    loyalty=None,
    abilities=(),
    keywords=frozenset(),
    rules=(),
    controller=PlayerId(-1),
    mana_value=0,
)
"""What is known of a card that is not known."""


FACE_DOWN = msgspec.structs.replace(NO_CHARACTERISTICS, types=("creature",), power=2, toughness=2)
"""What a face-down spell or permanent is: a 2/2 creature without a name (CR 708.2a)."""


def keyword_names(abilities: tuple[Ability, ...]) -> frozenset[str]:
    """Return the names of the keyword abilities among the abilities."""
    return frozenset(a.name for a in abilities if isinstance(a, KeywordAbility))


def printed_characteristics(definition: CardDefinition, controller: PlayerId) -> Characteristics:
    """Return what a card's definition says, before any effect."""
    return Characteristics(
        name=definition.name,
        mana_cost=definition.mana_cost,
        colors=definition.colors,
        supertypes=definition.supertypes,
        types=definition.types,
        subtypes=definition.subtypes,
        power=definition.power,
        toughness=definition.toughness,
        loyalty=definition.loyalty,
        abilities=definition.abilities,
        keywords=keyword_names(definition.abilities),
        rules=(),
        controller=controller,
        mana_value=mana_value(definition.mana_cost),
        triggers=triggers_among(definition.abilities),
        statics=statics_among(definition.abilities),
    )


def triggers_among(abilities: tuple[Ability, ...]) -> tuple[TriggeredAbility, ...]:
    """Return the triggered abilities among the abilities."""
    return tuple(a for a in abilities if isinstance(a, TriggeredAbility))


def statics_among(abilities: tuple[Ability, ...]) -> tuple[StaticAbility, ...]:
    """Return the static abilities among the abilities."""
    return tuple(a for a in abilities if isinstance(a, StaticAbility))
