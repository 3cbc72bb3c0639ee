"""Spells and abilities: put on the stack, triggered, resolved, countered (CR 405, 601-608)."""

from __future__ import annotations

import msgspec

from .base import Event
from .ids import ObjectId, PlayerId


class ChosenTarget(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One target: an object or, where `object` is 0, a player; `phrase` numbers its target word.

    `share` is the part of a division that was announced for it (CR 601.2d), 0 where nothing is
    divided.
    """

    phrase: int
    object: ObjectId
    player: PlayerId
    share: int = 0


class SpellCast(Event, frozen=True, tag=60):
    """A spell became cast (CR 601.2i). It lies on the stack since its `ObjectMoved`."""

    object: ObjectId
    player: PlayerId
    targets: tuple[ChosenTarget, ...]
    modes: tuple[int, ...]
    x: int


class AbilityActivated(Event, frozen=True, tag=61):
    """An activated ability became activated (CR 602.2b); the ability takes one id.

    `ability` is its digest; `number` its place among the source's activated abilities, from 0.
    A mana ability does not use the stack: its `object` is 0 (CR 605.3b); it takes no id.
    """

    object: ObjectId
    source: ObjectId
    player: PlayerId
    ability: bytes
    number: int
    targets: tuple[ChosenTarget, ...]
    modes: tuple[int, ...]
    x: int


class AbilityTriggered(Event, frozen=True, tag=62):
    """An ability triggered and waits to be put on the stack (CR 603.2, 603.3).

    `number` names it among those that wait. `ability` is the digest of a triggered ability, or of
    a body for a reflexive one. `about`, `about_player` and `amount` are what "that creature",
    "that player" and "that much" mean; `delayed` is the delayed trigger it comes from, or 0.
    """

    number: int
    source: ObjectId
    player: PlayerId
    ability: bytes
    about: ObjectId
    about_player: PlayerId
    amount: int
    delayed: int


class TriggerPutOnStack(Event, frozen=True, tag=63):
    """A triggered ability that waited was put on the stack (CR 603.3); it takes one id."""

    object: ObjectId
    number: int
    targets: tuple[ChosenTarget, ...]
    modes: tuple[int, ...]


class TriggerRemoved(Event, frozen=True, tag=64):
    """A triggered ability that waited could not be put on the stack (CR 603.3d)."""

    number: int


class ObjectResolved(Event, frozen=True, tag=65):
    """A spell or ability finished resolving (CR 608); an ability ceases to exist (608.2n)."""

    object: ObjectId


class ObjectCountered(Event, frozen=True, tag=66):
    """A spell or ability did not resolve: countered, or all its targets illegal (CR 608.2b)."""

    object: ObjectId


class LandPlayed(Event, frozen=True, tag=67):
    """A player played a land (CR 116.2a, 305.2); `object` is what it has become."""

    object: ObjectId
    player: PlayerId


class EffectBegan(Event, frozen=True, tag=68):
    """A continuous effect began (CR 611.2); it takes one timestamp.

    `number` names it. `modifications` is the MessagePack of the model's modifications with all
    numbers locked in (611.2d). `objects` are the set it changes (611.2c).
    """

    number: int
    source: ObjectId
    player: PlayerId
    objects: tuple[ObjectId, ...]
    modifications: bytes
    duration: str


class EffectEnded(Event, frozen=True, tag=69):
    """A continuous effect ended (CR 611.2a)."""

    number: int


class DelayedTriggerCreated(Event, frozen=True, tag=70):
    """A delayed triggered ability was created (CR 603.7); `number` names it."""

    number: int
    source: ObjectId
    player: PlayerId
    ability: bytes
    objects: tuple[ObjectId, ...]


StackEvent = (
    SpellCast
    | AbilityActivated
    | AbilityTriggered
    | TriggerPutOnStack
    | TriggerRemoved
    | ObjectResolved
    | ObjectCountered
    | LandPlayed
    | EffectBegan
    | EffectEnded
    | DelayedTriggerCreated
)
