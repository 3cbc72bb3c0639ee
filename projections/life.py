"""Damage and life, folded (CR 119, 120)."""

from __future__ import annotations

from typing import assert_never

from ..events.life import DamageDealt, DrawFailed, LifeEvent, LifeGained, LifeLost
from .trail import Trail


def fold_life(trail: Trail, event: LifeEvent) -> None:
    """Apply damage, life gained and lost, and draws that failed."""
    players = trail.state.players
    match event:
        case DamageDealt():
            _damage_dealt(trail, event)
        case LifeLost():
            player = players[event.player]
            trail.set(player, "life", player.life - event.amount)
        case LifeGained():
            player = players[event.player]
            trail.set(player, "life", player.life + event.amount)
        case DrawFailed():
            trail.set(players[event.player], "has_failed_draw", True)
        case _:
            assert_never(event)


def _damage_dealt(trail: Trail, event: DamageDealt) -> None:
    """Mark damage on an object (CR 120.3e); what a player loses for it is an event of its own."""
    struck = trail.state.objects.get(event.to)
    if struck is None:
        return
    if event.is_marked:
        trail.set(struck, "damage", struck.damage + event.amount)
    if event.is_deathtouch and event.to not in trail.state.deathtouched:
        trail.append(trail.state.deathtouched, event.to)


def forget_deathtouch(trail: Trail) -> None:
    """Forget who was dealt damage with deathtouch: state-based actions were checked (CR 704.5h).

    They are before anybody has priority, so an act of who has it ends the time to look back on.
    """
    if trail.state.deathtouched:
        trail.refill(trail.state.deathtouched, [])
