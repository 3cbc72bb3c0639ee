"""Who watches the store and the seats in a simulation, and says which law breaks.

A witness stands before the store and sees what it does; it trusts no answer and reads the log
itself. What the seats were told it keeps, so that at the end nothing can be denied.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..events.errors import EngineError
from ..events.store import LEASE_MS, Fence, Head, NewCommit, Store
from .simulation_relay import Relay

NOTHING_LOST = "nothing acknowledged is lost"
NO_FORK = "no fork: what a seat was told is in the log, or the log says it was lost"
ONE_WRITER = "one writer: only the last holder of the lease writes"
ONCE = "a decision counts once"
HEADS = "the heads of all seats agree"
FOLD = "the fold of the log gives the live state"
SAME_END = "the game ends as if nothing had been, unless somebody decided otherwise"
FINISHES = "every game finishes once the faults stop"
REFUSALS = "what is out of turn or out of order is refused"
NO_FAILURE = "no host fails but by the store's fault"
VERIFIES = "the log verifies: the rules give it again, and its signatures fit"
REPEATS = "the same seed does the same"

INVARIANTS = (
    *(NOTHING_LOST, NO_FORK, ONE_WRITER, ONCE, HEADS, FOLD),
    *(SAME_END, FINISHES, REFUSALS, NO_FAILURE, VERIFIES, REPEATS),
)
"""The names of the laws, as they are printed when one breaks."""


class SimulationBroken(EngineError):
    """A law does not hold under faults: which, where, and what was found."""

    def __init__(self, law: str, game: str, commit: int, found: str) -> None:
        """Name the law and the moment."""
        super().__init__(f"Broken: {law} ({found}): {game}@{commit}")
        self.law = law
        self.game = game
        self.commit = commit
        self.found = found


class Witness(Relay):
    """Sees each append and each lease, and keeps every commit that ever was."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.granted: dict[str, Fence | None] = {}
        self.before: dict[bytes, tuple[int, bytes]] = {}
        self.dropped: dict[bytes, None] = {}
        self.commits = 0

    def acquire(self, game: str, host: str, ttl_ms: int = LEASE_MS) -> Fence:
        """See to whom the lease is given."""
        fence = super().acquire(game, host, ttl_ms)
        self.granted[game] = fence
        return fence

    def release(self, fence: Fence) -> None:
        """See that a holder gives the lease up."""
        super().release(fence)
        if self.granted.get(fence.game) == fence:
            self.granted[fence.game] = None

    def append_many(
        self,
        game: str,
        number: int,
        prev_digest: bytes,
        commits: Sequence[NewCommit],
        fence: Fence,
    ) -> None:
        """See what an append does: its writer, its place, and that no more and no less is there."""
        length = self.store.head(game).number + 1
        super().append_many(game, number, prev_digest, commits, fence)
        if self.granted.setdefault(game, fence) != fence:
            self._broken(ONE_WRITER, game, number, f"{fence.host} wrote by token {fence.token}")
        for place, commit in enumerate(commits, number):
            self.before.setdefault(commit.digest, (place, prev_digest))
            prev_digest = commit.digest
        self.commits += max(0, number + len(commits) - length)
        expected = max(length, number + len(commits)) - 1
        found = self.store.head(game).number
        if found > expected:
            self._broken(ONCE, game, number, f"the log ends in commit {found}, not {expected}")

    def failed_over(self, lost: Sequence[bytes]) -> None:
        """Know which commits a failover took; who has the lease, the new primary says."""
        self.dropped.update(dict.fromkeys(lost))
        self.granted.clear()

    def is_of_chain(self, head: Head, last: Head) -> bool:
        """Whether a head is one of those that led to another one."""
        digest = last.digest
        while digest in self.before:
            number, before = self.before[digest]
            if number == head.number:
                return digest == head.digest
            digest = before
        return False

    def _broken(self, law: str, game: str, number: int, found: str) -> None:
        raise SimulationBroken(law, game, number, found)
