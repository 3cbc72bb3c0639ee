"""What happens each time before a player gets priority (CR 117.5).

State-based actions are performed, repeatedly, then triggered abilities go on the stack, and all
again until neither is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .effects_hidden import show_played_revealed
from .endings import decide_endings
from .protocol import Procedure, perform
from .state_based import same_legends, state_based_actions, state_based_choices
from .triggers import put_triggers_on_stack

if TYPE_CHECKING:
    from ..projections.position import Position

ROUNDS_MAX = 10_000
"""A settling that goes on longer than this is a bug: mandatory loops need the stack (CR 104.4b)."""


def settle(game: Position) -> Procedure[None]:
    """Perform state-based actions and put triggers on the stack until all is quiet (CR 704.3)."""
    for _ in range(ROUNDS_MAX):
        if game.state.winners is not None:
            return
        yield from show_played_revealed(game)
        if (yield from check_state_based(game)):
            continue
        if not game.state.pending:
            return
        yield from put_triggers_on_stack(game)
    msg = f"state-based actions and triggers did not settle in {ROUNDS_MAX} rounds (CR 704.3)"
    raise AssertionError(msg)


def check_state_based(game: Position) -> Procedure[bool]:
    """Check state-based actions once, all together; say whether any was performed (CR 704.3)."""
    chosen = yield from state_based_choices(game)
    actions = state_based_actions(game)
    happened = yield from perform(*actions, *chosen)
    ended = yield from decide_endings(game)
    return bool(happened) or ended


def is_settled(game: Position) -> bool:
    """Say whether no state-based action is due and no trigger waits (CR 514.3a)."""
    return not game.state.pending and not state_based_actions(game) and not same_legends(game)
