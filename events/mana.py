"""Mana in pools (CR 106)."""

from __future__ import annotations

from .base import Event
from .ids import ObjectId, PlayerId


class ManaAdded(Event, frozen=True, tag=40):
    """A source added mana to a player's pool: a string of W U B R G C (CR 106.4)."""

    player: PlayerId
    source: ObjectId
    mana: str


class ManaSpent(Event, frozen=True, tag=41):
    """Mana left a pool to pay a cost (CR 118.3a)."""

    player: PlayerId
    mana: str


ManaEvent = ManaAdded | ManaSpent
