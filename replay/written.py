"""What a host has written of a log, kept so that a failover cannot lose it unseen.

A new primary may lack the last commits of the old one. A host that finds the log shorter than it
has written appends its tail again where the head fits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ..events.codec import read_entry
from ..events.errors import LeaseHeld, LeaseLost, LogConflict
from ..events.store import Fence, Head, NewCommit, Store

KEPT_MAX = 512
"""How many of its last commits a host keeps to append them again."""


class Written:
    """The last commits that this host wrote under its lease, or tried to, by number."""

    def __init__(self, store: Store, game: str, fence: Fence) -> None:
        self.store = store
        self.game = game
        self.fence = fence
        self._first = 0
        self._prev = b""
        self._kept: deque[NewCommit] = deque()

    def begin_at(self, number: int, head: bytes) -> None:
        """Know what the log ended in when this host took it over: `number` is its next commit."""
        self._first, self._prev = number, head

    def append_many(self, number: int, prev: bytes, commits: Sequence[NewCommit]) -> None:
        """Append commits, after those that the store had once and has no more.

        A lease that was lost is taken again if the game is as this host left it and nobody runs it:
        so it is when a failover forgot who held it.
        """
        try:
            self._append(number, prev, commits)
        except (LeaseLost, LogConflict) as error:
            if not self._restored(number, prev, taken=isinstance(error, LeaseLost)):
                raise
            self._append(number, prev, commits)
        self._keep(number, prev, commits)

    def confirm(self) -> None:
        """Look whether the log ends in what this host wrote last; else append that again.

        LogConflict where it lacks what this host found and did not write. It may be longer: what
        was written without a reply is there too.
        """
        head = self.store.head(self.game)
        if not self._kept:
            if self._first and not self._has_found(head):
                raise LogConflict(self.game, self._first, head.number)
            return
        number, last = self._first + len(self._kept) - 1, self._kept[-1]
        if head != Head(number, last.digest):
            prev = self._kept[-2].digest if len(self._kept) > 1 else self._prev
            self.append_many(number, prev, (last,))

    def _has_found(self, head: Head) -> bool:
        """Whether the log still has the commit that it ended in when this host took it over."""
        number = self._first - 1
        if head.number <= number:
            return head == Head(number, self._prev)
        found = self.store.read(self.game, number, number + 1)
        return any(read_entry(entry).digest == self._prev for _, entry in found)

    def _append(self, number: int, prev: bytes, commits: Sequence[NewCommit]) -> None:
        if len(commits) == 1:
            self.store.append(self.game, number, prev, commits[0], self.fence)
        else:
            self.store.append_many(self.game, number, prev, commits, self.fence)

    def _restored(self, number: int, prev: bytes, *, taken: bool) -> bool:
        """Append again what the log lacks of what this host wrote before commit `number`.

        Say whether the log now ends in what this host had before that commit.
        """
        if not self._is_ours(number, prev):
            return False
        if taken:
            try:
                self.fence = self.store.acquire(self.game, self.fence.host)
            except LeaseHeld:
                return False
            if not self._is_ours(number, prev):  # somebody may have written in between
                return False
        head = self.store.head(self.game)
        lacking = list(self._kept)[head.number + 1 - self._first :]
        if head.number + 1 < number:
            self.store.append_many(self.game, head.number + 1, head.digest, lacking, self.fence)
        return True

    def _is_ours(self, number: int, prev: bytes) -> bool:
        """Whether the log is one that this host wrote, or found, before commit `number`."""
        head = self.store.head(self.game)
        if head.number == number - 1:
            return head.digest == prev or number == 0
        place = head.number - self._first
        if not self._kept or not -1 <= place < len(self._kept) or head.number >= number:
            return False
        return head.digest == (self._kept[place].digest if place >= 0 else self._prev)

    def _keep(self, number: int, prev: bytes, commits: Sequence[NewCommit]) -> None:
        if number != self._first + len(self._kept) or not self._kept:
            self._kept.clear()
            self._first, self._prev = number, prev
        self._kept.extend(commits)
        while len(self._kept) > KEPT_MAX:
            self._prev = self._kept.popleft().digest
            self._first += 1
