"""The model of a store under faults: leases by a simulated clock, restarts, and failovers.

It says what a server says, word for word: the fence is compared first, then the number and the
head, and only then it writes. Each write since the replica last caught up can be taken back, which
is what a failover to that replica does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..events.errors import GameUnknown, LeaseHeld, LeaseLost, LogConflict
from ..events.memory_store import MemoryStore
from ..events.store import LEASE_MS, NOTHING_BESIDE, Fence, NewCommit
from .simulation_dice import Clock


class Lease:
    """Who may write to a game, under which number, and until when."""

    __slots__ = ("fence", "number", "until")

    def __init__(self) -> None:
        self.number = 0
        self.fence: Fence | None = None
        self.until = -1


class SimulatedStore(MemoryStore):
    """A store whose leases end by a clock, and which can lose what its replica had not received."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.down_until = -1
        self._leases: dict[str, Lease] = {}
        self._unreplicated: list[tuple[bool, Callable[[], bytes]]] = []
        self._grants = 0

    @property
    def is_down(self) -> bool:
        """Whether the store answers nobody at this moment."""
        return self.clock.now < self.down_until

    def restart(self, milliseconds: int) -> None:
        """Be away for a while; what was acknowledged is on disk, leases too."""
        self.down_until = self.clock.now + milliseconds

    def catch_up(self) -> None:
        """Let the replica receive all there is."""
        self._unreplicated.clear()

    def fail_over(self, commits: int) -> tuple[bytes, ...]:
        """Go on with a replica that lacks the last so many commits and what was written since.

        Where it lacks none, it still lacks who took a lease after the last commit. Return the
        digests of the commits that are gone, the latest first.
        """
        lost: list[bytes] = []
        while self._unreplicated:
            is_commit, undo = self._unreplicated.pop()
            if is_commit and len(lost) == commits:
                break
            digest = undo()
            if is_commit:
                lost.append(digest)
                if len(lost) == commits:
                    break
        self._unreplicated.clear()
        return tuple(lost)

    def create(
        self,
        game: str,
        secret: bytes,
        meta: Mapping[str, str],
        definitions: Mapping[bytes, bytes] = NOTHING_BESIDE,
        blobs: Mapping[str, bytes] = NOTHING_BESIDE,
    ) -> None:
        """Keep what a game begins with; the replica has it before the game goes on."""
        super().create(game, secret, meta, definitions, blobs)
        self._leases.setdefault(game, Lease())
        self.catch_up()

    def append_many(
        self,
        game: str,
        number: int,
        prev_digest: bytes,
        commits: Sequence[NewCommit],
        fence: Fence,
    ) -> None:
        """Append commits one after another; those that are there already are passed over."""
        lease = self._leases.get(game)
        if lease is None or not self.is_fenced(lease, fence):
            raise LeaseLost(game, number, self._holder_in(lease))
        log = self._game(game).log
        for commit in commits:
            if number >= len(log):
                if number != len(log):
                    raise LogConflict(game, number, len(log) - 1)
                if log and log[-1].digest != prev_digest:
                    raise LogConflict(game, number, len(log) - 1, same_place=True)
                log.append(commit)
                self._unreplicated.append((True, _undo_of(log)))
            elif log[number] != commit:
                raise LogConflict(game, number, len(log) - 1)
            prev_digest = commit.digest
            number += 1
        if (lease.until - self.clock.now) * 2 < fence.ttl_ms:
            self._hold(lease, fence)

    def is_fenced(self, lease: Lease, fence: Fence) -> bool:
        """Whether a fence is the one that was given last; only its holder may write."""
        return lease.fence == fence

    def acquire(self, game: str, host: str, ttl_ms: int = LEASE_MS) -> Fence:
        """Take the lease if nobody holds it, or its time is over."""
        lease = self._leases.get(game)
        if lease is None:
            raise GameUnknown(game, self.address)
        if lease.fence is not None and self.clock.now < lease.until:
            raise LeaseHeld(game, lease.fence.host)
        self._grants += 1
        self._remember(lease)
        lease.number += 1
        fence = Fence(game, host, lease.number, ttl_ms, b"%d" % self._grants)
        self._hold(lease, fence)
        return fence

    def renew(self, fence: Fence) -> None:
        """Hold the lease for another while, also if its time is over and nobody took it."""
        lease = self._leases.get(fence.game)
        if lease is None or lease.fence != fence:
            raise LeaseLost(fence.game, self.head(fence.game).number + 1, self._holder_in(lease))
        self._hold(lease, fence)

    def release(self, fence: Fence) -> None:
        """Give the lease up, if it is still held."""
        lease = self._leases.get(fence.game)
        if lease is not None and lease.fence == fence:
            self._remember(lease)
            lease.fence, lease.until = None, -1
            lease.number += 1

    def holder(self, game: str) -> str | None:
        """Return the host whose lease is not over."""
        return self._holder_in(self._leases.get(game))

    def set_meta(self, game: str, changes: Mapping[str, str]) -> None:
        """Change some of what is kept beside the log."""
        meta = self._game(game).meta
        before = dict(meta)

        def undo() -> bytes:
            meta.clear()
            meta.update(before)
            return b""

        self._unreplicated.append((False, undo))
        super().set_meta(game, changes)

    def put_blob(self, game: str, name: str, blob: bytes) -> None:
        """Keep a named blob."""
        blobs = self._game(game).blobs
        before = blobs.get(name)

        def undo() -> bytes:
            if before is None:
                blobs.pop(name, None)
            else:
                blobs[name] = before
            return b""

        self._unreplicated.append((False, undo))
        super().put_blob(game, name, blob)

    def entries(self, game: str) -> list[NewCommit]:
        """Return the log as it is, for who watches the simulation."""
        return self._game(game).log

    def _hold(self, lease: Lease, fence: Fence) -> None:
        lease.fence, lease.until = fence, self.clock.now + fence.ttl_ms

    def _remember(self, lease: Lease) -> None:
        before = lease.number, lease.fence, lease.until

        def undo() -> bytes:
            lease.number, lease.fence, lease.until = before
            return b""

        self._unreplicated.append((False, undo))

    def _holder_in(self, lease: Lease | None) -> str | None:
        if lease is None or lease.fence is None or self.clock.now >= lease.until:
            return None
        return lease.fence.host


def _undo_of(log: list[NewCommit]) -> Callable[[], bytes]:
    return lambda: log.pop().digest
