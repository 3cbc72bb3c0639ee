"""How a game ends and players leave it (CR 104, 800.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.game import GameEnded, PlayerLost
from ..events.ids import PlayerId
from ..projections.state import players_in_turn_order
from .actions import occur
from .effects_hidden import everybody, reveal_face_down
from .leaving import leave
from .protocol import Procedure, perform

if TYPE_CHECKING:
    from ..projections.position import Position


def decide_endings(game: Position) -> Procedure[bool]:
    """Let players who have lost leave, and end the game if at most one is left (CR 104.2a, 104.4a).

    Return whether anything happened. Players who lose at the same time leave together; if nobody
    is left the game is a draw.
    """
    state = game.state
    if state.winners is not None:
        return False
    order = players_in_turn_order(state, state.turn.active)
    losers = tuple(player for player in order if state.players[player].has_lost)
    if not losers:
        return False
    remaining = tuple(player for player in order if player not in losers)
    if len(remaining) > 1:
        yield from reveal_face_down(game, losers)
        yield from leave(game, losers)
        return True
    rule = "104.2a" if remaining else "104.4a"
    yield from reveal_face_down(game, everybody(game))
    reason = state.players[losers[-1]].lost_reason if remaining else "simultaneous"
    yield from perform(occur(GameEnded(rule, 0, remaining, reason)))
    return True


def concede(game: Position, player: PlayerId) -> Procedure[None]:
    """Let a player concede: they lose at once and leave (CR 104.3a)."""
    yield from perform(occur(PlayerLost("104.3a", 0, player, "concession")))
    yield from decide_endings(game)
