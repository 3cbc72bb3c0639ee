"""How long effects last, where a moment or the loss of their source ends them (CR 611.2a, 611.2b).

What lasts until end of turn or this turn ends as damage wears off (514.2), all at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.stack import EffectEnded
from .actions import Action, occur

if TYPE_CHECKING:
    from ..projections.position import Position

WHILE_SOURCE_REMAINS = "while-source-remains"
"""The duration "for as long as you control" the source."""


def ending_with_combat(game: Position) -> tuple[Action, ...]:
    """Return the ends of effects that last until end of combat (CR 511.2)."""
    return tuple(
        occur(EffectEnded("511.2", 0, effect.number))
        for effect in game.state.effects
        if effect.duration == "end-of-combat"
    )


def ending_with_turn_of(game: Position, player: PlayerId) -> tuple[Action, ...]:
    """Return the ends of effects that last until the player's next turn, as it begins (500.5)."""
    return tuple(
        occur(EffectEnded("500.5", 0, effect.number))
        for effect in game.state.effects
        if effect.duration == "until-your-next-turn" and effect.player == player
    )


def ending_without_source(game: Position) -> tuple[Action, ...]:
    """Return the ends of effects whose player no longer controls their source (CR 611.2b)."""
    return tuple(
        occur(EffectEnded("611.2b", 0, effect.number))
        for effect in game.state.effects
        if effect.duration == WHILE_SOURCE_REMAINS
        and not is_held(game, effect.source, effect.player)
    )


def is_held(game: Position, source: ObjectId, player: PlayerId) -> bool:
    """Say whether a player controls a permanent now."""
    return game.is_in(source, ZoneKind.BATTLEFIELD) and game.controller_of(source) == player
