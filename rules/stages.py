"""Which procedure goes on with a game, read off its state alone (CR 500.2, 117.4).

No generator spans a quiescent prompt: each procedure here ends at one, and is made anew from the
state. Made anew at a quiescent commit it asks the same prompt and emits nothing first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.ids import Step
from ..projections.state import players_in_turn_order
from .combat import declare_attackers, declare_blockers
from .priority import priority
from .protocol import Procedure
from .resolving import resolve_top
from .settling import settle
from .setup import mulligans
from .turn import end_step

if TYPE_CHECKING:
    from ..projections.position import Position


def next_stage(game: Position) -> Procedure[None] | None:
    """Return the procedure that goes on with the game; None when it is over."""
    state = game.state
    if state.winners is not None:
        return None
    if not state.opening_done:
        return mulligans(game)
    turn = state.turn
    if turn.step == Step.DECLARE_ATTACKERS and not turn.actions_done:
        return declare_attackers(game)
    if turn.step == Step.DECLARE_BLOCKERS and not turn.actions_done:
        return declare_blockers(game)
    if turn.passes < len(players_in_turn_order(state, turn.active)):
        return _priority(game)
    return resolve_top(game) if state.stack else end_step(game)


def _priority(game: Position) -> Procedure[None]:
    """Settle, then give the player who has it priority (CR 117.5)."""
    yield from settle(game)
    if game.state.winners is None and game.state.turn.passes < len(
        players_in_turn_order(game.state, game.state.turn.active)
    ):
        yield from priority(game)
