"""Layers: how continuous effects make characteristics (CR 613).

All permanents at once, layer by layer; in a layer, characteristic-defining abilities first, then
the rest by timestamp (613.7) in the order that `next_to_apply` gives: dependency (613.8) has its
place there. An effect that began in an earlier layer goes on with the same objects (613.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..cards.keyword_abilities import with_expansions
from ..cards.model import (
    Ability,
    BlockersAtLeast,
    BlockersAtMost,
    CanBlockAdditional,
    CannotAttack,
    CannotBeBlocked,
    CannotBeCountered,
    CannotBeTargeted,
    CannotBlock,
    ChangeColors,
    ChangeControl,
    ChangeTypes,
    DoesNotUntap,
    ExiledInsteadOfGraveyard,
    GrantAbility,
    KeywordAbility,
    LoseAbilities,
    MayBeginOnBattlefield,
    Modification,
    ModifyPowerToughness,
    MustAttack,
    MustBeBlocked,
    MustBlock,
    PlayRevealed,
    SetPowerToughness,
    SkipStep,
    SpellsHaveFlash,
    StaticAbility,
    SwitchPowerToughness,
)
from ..events.edition import Layer
from ..events.ids import ObjectId, PlayerId, Timestamp, ZoneKind
from .characteristics import Characteristics, keyword_names, statics_among, triggers_among
from .context import Context
from .definitions import intrinsic_abilities
from .filters import amount_of, change_of, holds, objects_of, players_of
from .subtypes import LAND_TYPES, kind_of_subtype

if TYPE_CHECKING:
    from .position import Position
    from .state import ContinuousEffect, State

_MODIFICATIONS = msgspec.msgpack.Decoder(tuple[Modification, ...])

LAYER_OF: dict[type, Layer] = {
    ChangeControl: Layer.CONTROL,
    ChangeTypes: Layer.TYPE,
    ChangeColors: Layer.COLOR,
    GrantAbility: Layer.ABILITY,
    LoseAbilities: Layer.ABILITY,
    SetPowerToughness: Layer.SET_POWER_TOUGHNESS,
    ModifyPowerToughness: Layer.MODIFY_POWER_TOUGHNESS,
    SwitchPowerToughness: Layer.SWITCH_POWER_TOUGHNESS,
    CannotAttack: Layer.RULES,
    CannotBlock: Layer.RULES,
    CannotBeBlocked: Layer.RULES,
    BlockersAtMost: Layer.RULES,
    BlockersAtLeast: Layer.RULES,
    CanBlockAdditional: Layer.RULES,
    DoesNotUntap: Layer.RULES,
    MustAttack: Layer.RULES,
    MustBlock: Layer.RULES,
    MustBeBlocked: Layer.RULES,
    CannotBeTargeted: Layer.RULES,
    CannotBeCountered: Layer.RULES,
    ExiledInsteadOfGraveyard: Layer.RULES,
    MayBeginOnBattlefield: Layer.RULES,
    PlayRevealed: Layer.RULES,
    SkipStep: Layer.RULES,
    SpellsHaveFlash: Layer.RULES,
}
"""The layer in which each kind of modification applies (CR 613.1, 613.11)."""


def layer_of(modification: Modification) -> Layer:
    """Return the layer of a modification; power and toughness a CDA defines are 7a (613.4a)."""
    if isinstance(modification, SetPowerToughness) and modification.defining:
        return Layer.DEFINE_POWER_TOUGHNESS
    return LAYER_OF[type(modification)]


class Effect(msgspec.Struct):
    """One continuous effect while the layers are derived.

    `objects` is None until it first applies; from then on the set stays (CR 613.6). One that
    `floats` comes from a resolution and needs no source.
    """

    source: ObjectId
    you: PlayerId
    timestamp: Timestamp
    modifications: tuple[Modification, ...]
    static: StaticAbility | None
    objects: tuple[ObjectId, ...] | None
    defining: bool = False
    floats: bool = False

    @property
    def changes_control(self) -> bool:
        """Whether it applies in layer 2."""
        return any(isinstance(part, ChangeControl) for part in self.modifications)


class Draft:
    """An object's characteristics while they are derived: what has been changed so far."""

    __slots__ = (
        "abilities",
        "colors",
        "controller",
        "power",
        "printed",
        "rule_sources",
        "rules",
        "subtypes",
        "supertypes",
        "toughness",
        "types",
    )

    def __init__(self, printed: Characteristics) -> None:
        self.printed = printed
        self.colors = printed.colors
        self.supertypes = printed.supertypes
        self.types = printed.types
        self.subtypes = printed.subtypes
        self.power = printed.power
        self.toughness = printed.toughness
        self.abilities = printed.abilities
        self.rules = printed.rules
        self.rule_sources = printed.rule_sources
        self.controller = printed.controller

    def done(self) -> Characteristics:
        """Return the characteristics as they stand now."""
        return msgspec.structs.replace(
            self.printed,
            colors=self.colors,
            supertypes=self.supertypes,
            types=self.types,
            subtypes=self.subtypes,
            power=self.power,
            toughness=self.toughness,
            abilities=self.abilities,
            keywords=keyword_names(self.abilities),
            rules=self.rules,
            rule_sources=self.rule_sources,
            controller=self.controller,
            triggers=triggers_among(self.abilities),
            statics=statics_among(self.abilities),
        )


class Derivation:
    """One derivation of all permanents' characteristics; a `Reader` of what stands so far."""

    def __init__(self, position: Position) -> None:
        self.state: State = position.state
        self.layers = position.edition.layers
        self.results: dict[ObjectId, Characteristics] = {}
        self.drafts: dict[ObjectId, Draft] = {}
        self.position = position
        self.effects: list[Effect] = []

    def characteristics(self, object_id: ObjectId) -> Characteristics:
        """Return what is derived so far; outside the battlefield what is printed or remembered."""
        draft = self.drafts.get(object_id)
        if draft is not None:
            return draft.done()
        found = self.results.get(object_id)
        return found if found is not None else self.position.characteristics_elsewhere(object_id)

    def run(self) -> dict[ObjectId, Characteristics]:
        """Derive all permanents and return their characteristics by id."""
        self._start()
        if not self.effects and not self.drafts:
            return self.results
        for layer in self.layers:
            self._apply_layer(layer)
        for object_id, draft in self.drafts.items():
            self.results[object_id] = draft.done()
        self.drafts = {}
        return self.results

    def _start(self) -> None:
        objects = self.state.objects
        shown = self.position.definitions.shown
        for object_id in self.state.battlefield:
            found = objects[object_id]
            traits = shown(found)
            self.results[object_id] = traits
            if found.counters:
                self.drafts[object_id] = Draft(traits)
            if traits.statics:
                self._collect(object_id, traits)
        self.effects.extend(_floating(effect) for effect in self.state.effects)

    def _collect(self, source: ObjectId, traits: Characteristics) -> None:
        found = self.state.objects[source]
        for ability in traits.statics:
            if ability.zone == ZoneKind.BATTLEFIELD:
                self.effects.append(
                    Effect(
                        source=source,
                        you=traits.controller,
                        timestamp=found.timestamp,
                        modifications=ability.modifications,
                        static=ability,
                        objects=None,
                        defining=_is_defining(ability),
                    )
                )

    def _apply_layer(self, layer: Layer) -> None:
        waiting = [
            (effect, parts)
            for effect in self.effects
            if (parts := tuple(m for m in effect.modifications if layer_of(m) == layer))
        ]
        done: list[Effect] = []
        while waiting:
            chosen = next_to_apply([effect for effect, _ in waiting])
            effect, parts = waiting.pop(chosen)
            if self._goes_on(effect):
                self._apply(effect, parts)
                done.append(effect)
                if layer == Layer.ABILITY:
                    waiting.extend(self._granted(parts, effect))
        if layer == Layer.MODIFY_POWER_TOUGHNESS:
            self._apply_counters()
        if layer == Layer.TYPE:
            self._intrinsic()

    def _goes_on(self, effect: Effect) -> bool:
        """Say whether the effect applies: it began, or its source still has the ability (613.6)."""
        if effect.static is None or effect.objects is not None or effect.floats:
            return True
        return effect.static in self.characteristics(effect.source).abilities

    def _granted(
        self, parts: tuple[Modification, ...], effect: Effect
    ) -> list[tuple[Effect, tuple[Modification, ...]]]:
        """Return the effects of static abilities that were just granted, with parts of layer 6."""
        added: list[tuple[Effect, tuple[Modification, ...]]] = []
        for part in parts:
            if not isinstance(part, GrantAbility):
                continue
            for ability in part.abilities:
                if not isinstance(ability, StaticAbility):
                    continue
                for object_id in effect.objects or ():
                    if object_id not in self.results:
                        continue  # it was given the ability until end of turn, and is gone
                    new = Effect(
                        source=object_id,
                        you=self.characteristics(object_id).controller,
                        timestamp=max(effect.timestamp, self.state.objects[object_id].timestamp),
                        modifications=ability.modifications,
                        static=ability,
                        objects=None,
                    )
                    self.effects.append(new)
                    mine = tuple(m for m in new.modifications if layer_of(m) == Layer.ABILITY)
                    if mine:
                        added.append((new, mine))
        return added

    def _apply(self, effect: Effect, parts: tuple[Modification, ...]) -> None:
        context = Context(source=effect.source, you=self._you(effect))
        if effect.objects is None:
            effect.objects = self._affected(effect, context)
        for object_id in effect.objects:
            if object_id not in self.results:
                continue
            draft = self.drafts.get(object_id)
            if draft is None:
                draft = self.drafts[object_id] = Draft(self.results[object_id])
            for part in parts:
                self._modify(draft, part, context)

    def _you(self, effect: Effect) -> PlayerId:
        if effect.static is None or effect.floats:
            return effect.you
        draft = self.drafts.get(effect.source)
        return draft.controller if draft is not None else effect.you

    def _affected(self, effect: Effect, context: Context) -> tuple[ObjectId, ...]:
        assert effect.static is not None, "an effect of a resolution has its set locked (611.2c)"
        condition = effect.static.condition
        if condition is not None and not holds(self, condition, context):
            return ()
        return objects_of(self, effect.static.affects, context)

    def _modify(self, draft: Draft, part: Modification, context: Context) -> None:
        match part:
            case ModifyPowerToughness(power, toughness):
                if draft.power is not None:
                    draft.power += change_of(self, power, context)
                if draft.toughness is not None:
                    draft.toughness += change_of(self, toughness, context)
            case SetPowerToughness(power=power, toughness=toughness):
                if power is not None:
                    draft.power = amount_of(self, power, context)
                if toughness is not None:
                    draft.toughness = amount_of(self, toughness, context)
            case SwitchPowerToughness():
                draft.power, draft.toughness = draft.toughness, draft.power
            case GrantAbility(abilities):
                draft.abilities = (*draft.abilities, *with_expansions(abilities))
            case LoseAbilities(keywords):
                draft.abilities = _without(draft.abilities, keywords)
            case ChangeTypes():
                _change_types(draft, part)
            case ChangeColors(colors, in_addition):
                kept = draft.colors if in_addition else ()
                draft.colors = (*kept, *(c for c in colors if c not in kept))
            case ChangeControl(to):
                players = players_of(self, to, context)
                if players:
                    draft.controller = players[0]
            case _:
                draft.rules = (*draft.rules, part)
                draft.rule_sources = (*draft.rule_sources, (context.source, context.you))

    def _apply_counters(self) -> None:
        """Apply counters on power and toughness in layer 7c (CR 122.1a, 613.4c)."""
        for object_id, draft in self.drafts.items():
            counters = self.state.objects[object_id].counters
            for kind in sorted(counters):
                power, toughness = power_toughness_of_counter(kind)
                if draft.power is not None:
                    draft.power += power * counters[kind]
                if draft.toughness is not None:
                    draft.toughness += toughness * counters[kind]

    def _intrinsic(self) -> None:
        """Give lands whose types changed the mana abilities of their types (CR 305.6, 305.7)."""
        for draft in self.drafts.values():
            if draft.subtypes is not draft.printed.subtypes and "land" in draft.types:
                own = intrinsic_abilities(draft.printed.subtypes)
                kept = tuple(a for a in draft.abilities if a not in own)
                draft.abilities = (*kept, *intrinsic_abilities(draft.subtypes))


def next_to_apply(effects: list[Effect]) -> int:
    """Return the place of the effect that applies next among those of a layer not yet applied.

    CR 613.2, 613.3: characteristic-defining abilities first, then timestamp order (613.7). The
    trial of CR 613.8 belongs here, between the two.
    """
    return min(
        range(len(effects)),
        key=lambda place: (not effects[place].defining, effects[place].timestamp, place),
    )


def power_toughness_of_counter(kind: str) -> tuple[int, int]:
    """Return what one counter of the kind adds to power and toughness: (1, 1) for "+1/+1"."""
    parts = kind.split("/")
    expected = 2
    if len(parts) != expected or not all(part[:1] in {"+", "-"} for part in parts):
        return (0, 0)
    return (int(parts[0]), int(parts[1]))


def _floating(effect: ContinuousEffect) -> Effect:
    """Return an effect of a resolution (CR 611.2).

    One that changes no characteristics has no locked set (611.2c): it stands as the static ability
    that says so, which nothing has.
    """
    modifications = _MODIFICATIONS.decode(effect.modifications)
    match effect.objects, modifications:
        case (), (GrantAbility((StaticAbility() as unlocked,)),):
            return Effect(
                source=effect.source,
                you=effect.player,
                timestamp=effect.timestamp,
                modifications=unlocked.modifications,
                static=unlocked,
                objects=None,
                floats=True,
            )
        case _:
            pass
    return Effect(
        source=effect.source,
        you=effect.player,
        timestamp=effect.timestamp,
        modifications=modifications,
        static=None,
        objects=effect.objects,
    )


def _is_defining(ability: StaticAbility) -> bool:
    return any(
        isinstance(part, SetPowerToughness) and part.defining for part in ability.modifications
    )


def _without(abilities: tuple[Ability, ...], keywords: tuple[str, ...]) -> tuple[Ability, ...]:
    if not keywords:
        return ()
    return tuple(a for a in abilities if not (isinstance(a, KeywordAbility) and a.name in keywords))


def _change_types(draft: Draft, change: ChangeTypes) -> None:
    """Set or add types: given subtypes replace those of the same kind (CR 205.1a, 305.7).

    What becomes an "artifact creature" keeps its other types (205.1b).
    """
    if change.in_addition:
        draft.types = _joined(draft.types, change.types)
        draft.subtypes = _joined(draft.subtypes, change.subtypes)
        draft.supertypes = _joined(draft.supertypes, change.supertypes)
        return
    if "artifact" in change.types and "creature" in change.types:
        draft.types = _joined(draft.types, change.types)
    elif change.types:
        _set_types(draft, change.types)
    if change.subtypes:
        kinds = {kind_of_subtype(name) for name in change.subtypes}
        kept = tuple(name for name in draft.subtypes if kind_of_subtype(name) not in kinds)
        if any(name in LAND_TYPES for name in change.subtypes):
            draft.abilities = ()
        draft.subtypes = (*kept, *change.subtypes)
    draft.supertypes = _joined(draft.supertypes, change.supertypes)


def _set_types(draft: Draft, types: tuple[str, ...]) -> None:
    """Replace the card types; subtypes of a type that is gone go with it (CR 205.1a)."""
    gone = tuple(name for name in draft.types if name not in types)
    draft.types = types
    if gone:
        draft.subtypes = tuple(name for name in draft.subtypes if kind_of_subtype(name) not in gone)


def _joined(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return (*first, *(name for name in second if name not in first))
