"""Damage and life (CR 119, 120)."""

from __future__ import annotations

from .base import Event
from .ids import ObjectId, PlayerId


class DamageDealt(Event, frozen=True, tag=30):
    """A source dealt damage to an object or, where `to` is 0, to a player (CR 120.3).

    `is_marked` says that it is marked on a creature (CR 120.3e): not where the source has wither
    or infect, nor on what is no creature.
    """

    source: ObjectId
    to: ObjectId
    to_player: PlayerId
    amount: int
    is_combat: bool
    is_deathtouch: bool
    is_marked: bool = True


class LifeGained(Event, frozen=True, tag=31):
    """A player gained life (CR 119.3)."""

    player: PlayerId
    amount: int


class LifeLost(Event, frozen=True, tag=32):
    """A player lost life (CR 119.3)."""

    player: PlayerId
    amount: int


class DrawFailed(Event, frozen=True, tag=33):
    """A player tried to draw from an empty library (CR 121.4) and will lose (CR 704.5b)."""

    player: PlayerId


LifeEvent = DamageDealt | LifeGained | LifeLost | DrawFailed
