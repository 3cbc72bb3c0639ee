"""Who was asked what after a commit: the position of a recorded game with its open prompt."""

from __future__ import annotations

import msgspec

from ..actors.live_table import LiveTable
from ..events.chain import GENESIS
from ..events.commit import Commit
from ..events.errors import EngineError
from ..events.ids import NOBODY
from ..projections.position import Position
from ..projections.slot_seals import SlotSeals
from ..rules.protocol import Prompt
from ..rules.stages import next_stage
from .opened import RecordedGame
from .resume import Folded, run_again
from .sinks import CheckingSink
from .timeline import NoSuchMoment

_WORDS = {
    "priority": "what to do with priority",
    "attackers": "to declare attackers",
    "blockers": "to declare blockers",
    "mulligan": "whether to keep the hand",
    "may": "for a yes or a no",
    "targets": "for the targets of a triggered ability",
    "order-triggers": "for the order of triggered abilities",
    "damage-division": "to divide combat damage",
}
"""What a seat is asked, by the kind of the prompt: nothing that another may not know."""


class PromptUnknown(EngineError):
    """A seat's record does not say what was asked in the middle of something."""


class Asked(msgspec.Struct, frozen=True):
    """A position after a commit, and the prompt that was open; None in a game that is over."""

    position: Position
    prompt: Prompt | None
    commit: int


def asked_words(prompt: Prompt) -> str:
    """Return what a seat is asked, as anybody may know it, with the rule that asks."""
    words = _WORDS.get(prompt.kind, f"for a choice ({prompt.kind})")
    return f"{words} (CR {prompt.rule})"


def asked_at(recorded: RecordedGame, commit: int | None = None) -> Asked:
    """Return the position after a commit (the last where None) and who was asked what.

    In the middle of a resolution the procedures run again on the recorded decisions.
    """
    commits = tuple(recorded.commits())
    number = len(commits) - 1 if commit is None else commit
    if not 0 <= number < len(commits):
        last = f"{recorded.game}@{len(commits) - 1}"
        raise NoSuchMoment(f"There is no commit {number}; the last one is {last}")
    if recorded.seat != NOBODY:
        return _of_seat(recorded, commits[: number + 1])
    return _of_judge(recorded, commits[: number + 1])


def _of_judge(recorded: RecordedGame, commits: tuple[Commit, ...]) -> Asked:
    position = recorded.begin(commits[0])
    quiet = max((one.number for one in commits if one.quiescent), default=-1)
    seals = SlotSeals()
    head = GENESIS
    for one in commits[: quiet + 1]:
        position.apply_commit(one)
        seals.follow(one.number, one.events())
        head = one.digest
    folded = Folded(
        position,
        quiet + 1,
        head,
        seals,
        commits[quiet + 1 :],
        recorded.entries[quiet + 1 : len(commits)],
    )
    table = LiveTable(position, recorded.keys(), CheckingSink(recorded.game, 0, ()))
    try:
        run_again(table, recorded.game, folded)
        return Asked(position, table.prompt, len(commits) - 1)
    finally:
        table.park()


def _of_seat(recorded: RecordedGame, commits: tuple[Commit, ...]) -> Asked:
    """Return what a seat's own log tells: between resolutions the state says who is asked."""
    position = recorded.begin(commits[0])
    for one in commits:
        position.apply_commit(one)
    last = commits[-1]
    if not last.quiescent:
        address = f"{recorded.game}@{last.number}"
        raise PromptUnknown(f"A seat's record does not say what was asked here: {address}")
    procedure = next_stage(position)
    asked = next(procedure, None) if procedure is not None else None
    if procedure is not None:
        procedure.close()
    return Asked(position, asked if isinstance(asked, Prompt) else None, last.number)
