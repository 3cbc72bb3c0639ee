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


def hear_heads(hosted: HostedGame, told: Sequence[Head]) -> ReportTailLost | None:
    """Compare the heads that a seat was told, in their order, with the log of a hosted game.

    What the log lacks, and does not say yet that it lacks, is recorded in it; the decision that did
    so is returned.
    """
    if not told:
        return None
    hosted.sink.flush()
    newest = told[-1]
    if _is_in_log(hosted, newest):
        return None
    kept = next((head.number for head in reversed(told) if _is_in_log(hosted, head)), -1)
    if _is_reported(hosted, newest):
        return None
    last = CommitNumber(newest.number)
    decision = ReportTailLost(NOBODY, NOBODY, 0, CommitNumber(kept), last, newest.digest)
    refused = hosted.decide(decision)
    assert refused is None, f"the host's own report was refused: {refused}"
    return decision


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
