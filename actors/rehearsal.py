"""Going back into the middle of something: its procedures run again on the decisions taken then.

What they do was logged before, so nothing of it is logged again; it has to be the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..events.base import Decision
from ..events.errors import EngineError
from ..events.taking_back import TakenBack
from ..projections.taking_back import carry_over, copied, is_on_the_line, load

if TYPE_CHECKING:
    from ..events.commit import Commit
    from ..projections.past import Past
    from ..projections.position import Position
    from .recorder import Recorder
    from .table import TableActor

CarryOut = Callable[[Decision], None]


class RehearsalFailed(EngineError):
    """The rules as they are do not do again what was recorded, so the game cannot go back there."""


def tail_before(game: Position, past: Past, to: int) -> tuple[Commit, ...]:
    """Return the commits to run again to be where commit `to` ended: those after a quiescent one.

    None where nothing was half-way. What was undone before does not count.
    """
    tail: list[Commit] = []
    for number in range(to, -1, -1):
        if not is_on_the_line(game.state, number):
            continue
        (commit,) = past.commits(number, number + 1)
        if commit.quiescent:
            break
        tail.insert(0, commit)
    return tuple(tail)


def quiet_before(game: Position, tail: tuple[Commit, ...]) -> int:
    """Return the number of the quiescent commit that a tail follows."""
    number = tail[0].number - 1
    while not is_on_the_line(game.state, number):
        number -= 1
    return number


def go_through(
    table: TableActor, recorder: Recorder, tail: tuple[Commit, ...], carry_out: CarryOut
) -> None:
    """Run the procedures from before a tail to its end; the state then is what it was before this.

    The recorder logs nothing of it: its running commit is as it was.
    """
    game = table.game
    past = game.trail.past
    assert past is not None, "who goes back has a past"
    restored = copied(game.state)
    running = recorder.number, recorder.groups
    load(game.trail, past.state_at(quiet_before(game, tail)))
    game.forget_derived()
    recorder.groups = []
    table.run()
    _require(not recorder.groups, tail[0].number)
    for commit in tail:
        if any(isinstance(event, TakenBack) for event in commit.events()):
            carry_over(game.trail, past.state_at(commit.number))
            table.ask_again()
            continue
        recorder.number, recorder.groups = commit.number, []
        assert not isinstance(commit.decision, bytes), "a host reads each decision of its log"
        carry_out(commit.decision)
        _require(tuple(recorder.groups) == commit.groups, commit.number)
    carry_over(game.trail, restored)
    table.ask_again()
    recorder.number, recorder.groups = running
    _require(game.state.to_bytes() == restored.to_bytes(), tail[-1].number)


def _require(same: bool, number: int) -> None:  # noqa: FBT001 -- what must hold
    if not same:
        raise RehearsalFailed(f"Commit {number} does not happen again as it was recorded.")
