"""When a player may do something: priority, and the time of sorceries (CR 117.1, 307.5)."""

from __future__ import annotations

from ..events.ids import MAIN_PHASES, PlayerId
from ..events.refused import Code, Refused
from ..projections.position import Position

GO_BACK = "go back to a moment before the end"
"""What lets anything be done in a game that is over."""


def check_priority(game: Position, player: PlayerId) -> Refused | None:
    """Return None if the player has priority (CR 117.1)."""
    if game.state.winners is not None:
        return Refused(Code.GAME_OVER, "104.1", "the game is over", GO_BACK)
    holder = game.state.turn.holder
    if holder == player:
        return None
    whose = f"{game.state.players[holder].name} has it" if holder >= 0 else "nobody has it now"
    detail = f"{game.state.players[player].name} does not have priority: {whose}"
    return Refused(Code.NO_PRIORITY, "117.1", detail, "wait for priority")


def is_sorcery_time(game: Position, player: PlayerId) -> bool:
    """Say whether a player with priority could cast a sorcery as far as time goes (CR 307.5)."""
    turn = game.state.turn
    return turn.active == player and turn.step in MAIN_PHASES and not game.state.stack


def check_sorcery_time(game: Position, player: PlayerId, what: str, rule: str) -> Refused | None:
    """Return None at the time of sorceries, else why `what` ("X is a sorcery") waits (CR 307.5)."""
    turn = game.state.turn
    if turn.active != player:
        why = "it is not your turn"
    elif turn.step not in MAIN_PHASES:
        why = "it is not a main phase"
    elif game.state.stack:
        why = "the stack is not empty"
    else:
        return None
    change = "do it in a main phase of your own turn while the stack is empty"
    return Refused(Code.WRONG_TIME, rule, f"{what}: {why}", change)
