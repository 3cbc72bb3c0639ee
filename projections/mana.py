"""Mana in pools, folded (CR 106)."""

from __future__ import annotations

from typing import assert_never

from ..events.mana import ManaAdded, ManaEvent, ManaSpent
from .trail import Trail

POOL_ORDER = "WUBRGC"
"""The order in which a pool's symbols are written."""


def fold_mana(trail: Trail, event: ManaEvent) -> None:
    """Apply mana that came into a pool or left it."""
    player = trail.state.players[event.player]
    match event:
        case ManaAdded():
            trail.set(player, "pool", sorted_mana(player.pool + event.mana))
        case ManaSpent():
            trail.set(player, "pool", _without(player.pool, event.mana))
        case _:
            assert_never(event)


def sorted_mana(mana: str) -> str:
    """Return mana in the order of a pool.

    >>> sorted_mana("CGWG")
    'WGGC'
    """
    return "".join(sorted(mana, key=POOL_ORDER.index))


def _without(pool: str, spent: str) -> str:
    """Return a pool without what was spent; a scenario's player with any mana spends what is not.

    The check that a pool held the mana belongs to the rules (CR 118.3a).
    """
    for symbol in spent:
        pool = pool.replace(symbol, "", 1)
    return pool
