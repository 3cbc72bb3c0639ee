"""Position: a State with everything that is derived from it, kept right as events come and go."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from ..cards.model import KeywordAbility
from ..events.base import Event
from ..events.catalog import AnyEvent
from ..events.combat import AttackersDeclared, BlockersDeclared, RemovedFromCombat
from ..events.commit import Commit
from ..events.edition import Edition
from ..events.game import GameBegan, PlayerLeft, PositionArranged
from ..events.ids import NOBODY, NOTHING, UNKNOWN_CARD, ObjectId, PlayerId, ZoneKind
from ..events.life import DamageDealt, LifeGained, LifeLost
from ..events.stack import EffectBegan, EffectEnded
from ..events.taking_back import LifeCorrected, TakenBack
from ..events.turn import StepBegan, TurnBegan, TurnEffectsEnded
from ..events.zones import (
    ControlGained,
    CountersPut,
    CountersRemoved,
    LastKnown,
    LibraryArranged,
    LibraryShuffled,
    ObjectAttached,
    ObjectCeased,
    ObjectMoved,
    ObjectsRenamed,
    ObjectUnattached,
    PermanentTapped,
    PermanentTurnedFaceDown,
    PermanentTurnedFaceUp,
    PermanentUntapped,
    TokenCreated,
)
from .characteristics import NO_CHARACTERISTICS, Characteristics, keyword_names
from .definitions import Definitions
from .evolve import count_decision_of, evolve
from .layers import Derivation
from .state import State
from .trail import Trail

Answer = TypeVar("Answer")

_STRUCTURE: tuple[type[Event], ...] = (
    TokenCreated,
    ObjectCeased,
    CountersPut,
    CountersRemoved,
    ObjectAttached,
    ObjectUnattached,
    ControlGained,
    EffectBegan,
    EffectEnded,
    TurnEffectsEnded,
    PlayerLeft,
    GameBegan,
    PositionArranged,
    TakenBack,
    PermanentTurnedFaceUp,
    PermanentTurnedFaceDown,
)
"""Events after which characteristics of permanents may differ whatever effects there are."""

_READ: tuple[type[Event], ...] = (
    AttackersDeclared,
    BlockersDeclared,
    RemovedFromCombat,
    StepBegan,
    TurnBegan,
    PermanentTapped,
    PermanentUntapped,
    DamageDealt,
    LifeGained,
    LifeLost,
    LifeCorrected,
    LibraryShuffled,
    LibraryArranged,
    ObjectsRenamed,
)
"""Events after which they may differ only if there are static abilities that read the board."""

_ALWAYS, _IF_STATIC = 2, 1
_EFFECT_ON_CACHE: dict[type[Event], int] = {
    **dict.fromkeys(_STRUCTURE, _ALWAYS),
    **dict.fromkeys(_READ, _IF_STATIC),
}


class Position:
    """A game at a moment: its state, its definitions and edition, and what follows from them.

    It is the `Reader` that filters and procedures read. Only `apply` and `undo_to` change it.
    """

    def __init__(self, state: State, definitions: Definitions, edition: Edition) -> None:
        self.state = state
        self.definitions = definitions
        self.edition = edition
        self.trail = Trail(state)
        self._derived: dict[ObjectId, Characteristics] | None = None
        self._has_static = True
        self._has_control = False

    def apply(self, event: AnyEvent) -> None:
        """Let an event change the state, and forget what it may have made wrong."""
        evolve(self.trail, event)
        if self._derived is not None:
            self._forget_after(event)

    def apply_commit(self, commit: Commit) -> None:
        """Let a whole commit change the state, for good: what was before it is forgotten."""
        for event in commit.events():
            self.apply(event)
        self.end_commit(commit)

    def end_commit(self, commit: Commit) -> None:
        """Count the decision of a commit whose events were applied, and forget what was before."""
        count_decision_of(self.trail, commit)
        self.trail.forget()

    def undo_to(self, mark: int) -> None:
        """Take back all changes since the trail had that length."""
        self.trail.undo_to(mark)
        self._derived = None

    def forget_derived(self) -> None:
        """Forget what was derived: the state was written by other ways than events."""
        self._derived = None

    def supposing(self, event: AnyEvent, question: Callable[[], Answer]) -> Answer:
        """Answer a question about the game as it would be after an event that does not happen.

        What would enter is judged as it would exist on the battlefield (CR 614.12).
        """
        derived = self._derived, self._has_static, self._has_control
        mark = self.trail.mark()
        self.apply(event)
        try:
            return question()
        finally:
            self.trail.undo_to(mark)
            self._derived, self._has_static, self._has_control = derived

    def characteristics(self, object_id: ObjectId) -> Characteristics:
        """Return an object's characteristics, as last known if it is gone (CR 113.7a, 613)."""
        derived = self._derived
        if derived is None:
            derived = self._derive()
        found = derived.get(object_id)
        return found if found is not None else self.characteristics_elsewhere(object_id)

    def characteristics_elsewhere(self, object_id: ObjectId) -> Characteristics:
        """Return what an object off the battlefield is: what is printed, or was last known."""
        found = self.state.objects.get(object_id)
        if found is not None:
            printed = self.definitions.shown(found)
            return self._on_stack(object_id, printed) if object_id in self.state.items else printed
        known = self.state.last_known.get(object_id)
        if known is not None:
            return self._remembered(known)
        # A card that left a graveyard or exile was what is printed on it, wherever it is now.
        became = self.state.objects.get(self.state.became.get(object_id, NOTHING))
        if became is not None:
            return self.definitions.printed(became.card, became.owner)
        return NO_CHARACTERISTICS

    def _on_stack(self, spell: ObjectId, printed: Characteristics) -> Characteristics:
        """Return what a spell is: X in its mana cost is the number chosen for it (CR 202.3e)."""
        x = self.state.items[spell].x
        if not x or "{X}" not in printed.mana_cost:
            return printed
        value = printed.mana_value + x * printed.mana_cost.count("{X}")
        return msgspec.structs.replace(printed, mana_value=value)

    def controller_of(self, object_id: ObjectId) -> PlayerId:
        """Return the controller of a permanent, spell or ability, else the owner (CR 108.4)."""
        return self.characteristics(object_id).controller

    def permanents_of(self, player: PlayerId) -> tuple[ObjectId, ...]:
        """Return the permanents a player controls, oldest first."""
        return tuple(
            item
            for item in self.state.battlefield
            if self.characteristics(item).controller == player
        )

    def is_in(self, object_id: ObjectId, zone: ZoneKind) -> bool:
        """Say whether an object exists and is in that kind of zone."""
        found = self.state.objects.get(object_id)
        return found is not None and found.zone == zone

    def name_of(self, object_id: ObjectId) -> str:
        """Return the name that people know an object by; of an ability that of its source."""
        item = self.state.items.get(object_id)
        if item is not None and item.ability:
            return self.name_of(item.source)
        found = self.characteristics(object_id)
        return found.name

    def last_known(self, object_id: ObjectId) -> LastKnown:
        """Return the record of what an object is now, to be kept as it leaves (CR 113.7a)."""
        traits = self.characteristics(object_id)
        found = self.state.objects[object_id]
        attack = self.state.combat.attackers.get(object_id)
        return LastKnown(
            card=UNKNOWN_CARD if found.face_down else found.card,
            name=traits.name,
            controller=traits.controller,
            owner=found.owner,
            types=traits.types,
            subtypes=traits.subtypes,
            supertypes=traits.supertypes,
            colors=traits.colors,
            power=traits.power,
            toughness=traits.toughness,
            keywords=tuple(sorted(traits.keywords)),
            counters=tuple(sorted(found.counters.items())),
            attached_to=found.attached_to,
            tapped=found.tapped,
            is_token=found.is_token,
            mana_value=traits.mana_value,
            defender=attack[0] if attack is not None else NOBODY,
        )

    @property
    def has_effects(self) -> bool:
        """Whether any continuous effect may change characteristics (CR 611)."""
        if self._derived is None:
            self._derive()
        return self._has_static or bool(self.state.effects)

    @property
    def has_control_effects(self) -> bool:
        """Whether an effect of layer 2 may say who controls a permanent."""
        if self._derived is None:
            self._derive()
        return self._has_control

    def fresh(self) -> Position:
        """Return a position over the same state that has derived nothing yet."""
        return Position(self.state, self.definitions, self.edition)

    def _derive(self) -> dict[ObjectId, Characteristics]:
        derivation = Derivation(self)
        self._derived = derivation.run()
        self._has_static = any(effect.static is not None for effect in derivation.effects)
        self._has_control = any(effect.changes_control for effect in derivation.effects)
        return self._derived

    def _forget_after(self, event: AnyEvent) -> None:
        if type(event) is ObjectMoved:
            if ZoneKind.BATTLEFIELD in (event.origin, event.destination) or self._has_static:
                self._derived = None
            return
        effect = _EFFECT_ON_CACHE.get(type(event), 0)
        if effect == _ALWAYS or (effect == _IF_STATIC and self._has_static):
            self._derived = None

    def _remembered(self, known: LastKnown) -> Characteristics:
        definition = self.definitions.find(known.card)
        printed = (
            self.definitions.printed(known.card, known.controller)
            if definition is not None
            else NO_CHARACTERISTICS
        )
        abilities = tuple(
            a
            for a in printed.abilities
            if not isinstance(a, KeywordAbility) or a.name in known.keywords
        )
        return Characteristics(
            name=known.name,
            mana_cost=printed.mana_cost,
            colors=known.colors,
            supertypes=known.supertypes,
            types=known.types,
            subtypes=known.subtypes,
            power=known.power,
            toughness=known.toughness,
            loyalty=printed.loyalty,
            abilities=abilities,
            keywords=frozenset(known.keywords) | keyword_names(abilities),
            rules=(),
            controller=known.controller,
            mana_value=known.mana_value,
        )
