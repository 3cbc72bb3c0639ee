"""Attacking and blocking, folded (CR 506-511)."""

from __future__ import annotations

from typing import assert_never

from ..events.combat import (
    AttackersDeclared,
    BlockersDeclared,
    CombatEvent,
    FirstStrikersDetermined,
    RemovedFromCombat,
)
from ..events.ids import ObjectId
from .trail import Trail


def fold_combat(trail: Trail, event: CombatEvent) -> None:
    """Apply what happened in combat."""
    match event:
        case AttackersDeclared():
            _attackers_declared(trail, event)
        case BlockersDeclared():
            _blockers_declared(trail, event)
        case RemovedFromCombat():
            leave_combat(trail, event.object)
        case FirstStrikersDetermined():
            trail.refill(trail.state.combat.dealt_first, list(event.objects))
        case _:
            assert_never(event)


def leave_combat(trail: Trail, name: ObjectId) -> None:
    """Let an object stop attacking, blocking and being blocked (CR 506.4).

    What it blocked stays blocked (CR 509.1h), and what blocked it goes on being a blocking
    creature (CR 509.1g), though of nothing. What attacked it goes on attacking (CR 506.4c).
    """
    combat = trail.state.combat
    if name in combat.attackers:
        trail.drop(combat.attackers, name)
    if name in combat.blocked:
        trail.remove(combat.blocked, name)
    if name in combat.blocks:
        trail.drop(combat.blocks, name)
    for blocker, attackers in sorted(combat.blocks.items()):
        if name in attackers:
            rest = tuple(attacker for attacker in attackers if attacker != name)
            trail.put(combat.blocks, blocker, rest)


def clear_combat(trail: Trail) -> None:
    """Remove everything from combat, as the combat phase ends (CR 511.3)."""
    combat = trail.state.combat
    if combat.attackers:
        trail.set(combat, "attackers", {})
    if combat.blocks:
        trail.set(combat, "blocks", {})
    if combat.had_attackers:
        trail.set(combat, "had_attackers", False)
    for items in (combat.blocked, combat.has_declared_blocks, combat.dealt_first):
        if items:
            trail.refill(items, [])


def _attackers_declared(trail: Trail, event: AttackersDeclared) -> None:
    combat = trail.state.combat
    if event.attackers and not combat.had_attackers:
        trail.set(combat, "had_attackers", True)
    for attacker, player, permanent in event.attackers:
        trail.put(combat.attackers, attacker, (player, permanent))


def _blockers_declared(trail: Trail, event: BlockersDeclared) -> None:
    combat = trail.state.combat
    trail.append(combat.has_declared_blocks, event.player)
    for blocker, attacker in event.blocks:
        trail.put(combat.blocks, blocker, (*combat.blocks.get(blocker, ()), attacker))
        if attacker not in combat.blocked:
            trail.append(combat.blocked, attacker)
