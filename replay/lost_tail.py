"""What a failover lost for good: seats come with heads that the log does not have.

Seats keep the heads they were told. A host that takes a game over compares them with its log; what
is missing it records as `TailLost`, so that everybody is told and the log itself explains it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..events.codec import decode_entry, read_entry
from ..events.decisions import ReportTailLost
from ..events.ids import NOBODY, CommitNumber
from ..events.store import Head
from ..events.taking_back import TailLost
from .host import HostedGame


def hear_heads(
    hosted: HostedGame, told: Sequence[Head], ends: Sequence[Head] = ()
) -> tuple[ReportTailLost, ...]:
    """Compare the heads that a seat was told, in their order, with the log of a hosted game.

    `ends` are the last heads of what the seat knows to be lost: the log may have lost that it says
    so. What the log lacks, and does not say yet that it lacks, is recorded in it; the decisions
    that did so are returned.
    """
    hosted.sink.flush()
    made: list[ReportTailLost] = []
    for end in (*ends, *told[-1:]):
        if _is_in_log(hosted, end) or _is_reported(hosted, end):
            continue
        earlier = (head for head in reversed(told) if head.number < end.number)
        kept = next((head.number for head in earlier if _is_in_log(hosted, head)), -1)
        last = CommitNumber(end.number)
        decision = ReportTailLost(NOBODY, NOBODY, 0, CommitNumber(kept), last, end.digest)
        refused = hosted.decide(decision)
        assert refused is None, f"the host's own report was refused: {refused}"
        made.append(decision)
    if made:
        hosted.vouch()  # also for signatures of what is lost
    return tuple(made)


def _is_in_log(hosted: HostedGame, head: Head) -> bool:
    if head.number >= hosted.table.commits:
        return False
    found = list(hosted.store.read(hosted.game, head.number, head.number + 1))
    return bool(found) and read_entry(found[0][1]).digest == head.digest


def _is_reported(hosted: HostedGame, head: Head) -> bool:
    """Whether the log says already that a commit is lost."""
    for number, entry in hosted.store.read(hosted.game):
        for event in decode_entry(entry, hosted.game, number).events():
            if isinstance(event, TailLost) and (event.last, event.head) == (
                head.number,
                head.digest,
            ):
                return True
    return False
