"""Attacking and blocking (CR 506-511)."""

from __future__ import annotations

from .base import Event
from .ids import ObjectId, PlayerId


class AttackersDeclared(Event, frozen=True, tag=50):
    """The active player declared attackers: each attacks a player or, if not 0, a permanent.

    Items are (attacker, defending player, attacked permanent). CR 508.1.
    """

    player: PlayerId
    attackers: tuple[tuple[ObjectId, PlayerId, ObjectId], ...]


class BlockersDeclared(Event, frozen=True, tag=51):
    """A defending player declared blockers: pairs of blocker and attacker (CR 509.1)."""

    player: PlayerId
    blocks: tuple[tuple[ObjectId, ObjectId], ...]


class RemovedFromCombat(Event, frozen=True, tag=52):
    """A permanent was removed from combat without leaving the battlefield (CR 506.4)."""

    object: ObjectId


class FirstStrikersDetermined(Event, frozen=True, tag=53):
    """A first combat damage step began with these creatures having first or double strike.

    CR 510.4: only they assign combat damage in it, and in the second step only the others and
    those that have double strike then.
    """

    objects: tuple[ObjectId, ...]


CombatEvent = AttackersDeclared | BlockersDeclared | RemovedFromCombat | FirstStrikersDetermined
