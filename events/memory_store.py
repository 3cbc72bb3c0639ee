"""A store in this process's memory: nothing is kept when the process ends.

For tests, simulations and `memory:`. Its leases never expire: their holder is this very process.
"""

from collections.abc import Iterator, Mapping, Sequence
from threading import RLock
from types import TracebackType
from typing import Self

from .errors import GameExists, GameUnknown, LeaseHeld, LeaseLost, LogConflict
from .game_names import is_game_name, word_of
from .store import LEASE_MS, NOTHING_BESIDE, Fence, GameRecord, Head, NewCommit, StoreInfo

ADDRESS = "memory:"


class MemoryStore:
    """Keeps games in dicts; as a `Store` it does what every store does."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._count = 0
        self._games: dict[str, _Game] = {}

    @property
    def address(self) -> str:
        """The URL that made it."""
        return ADDRESS

    def new_game_id(self) -> str:
        """Return the next word of the counter that names no game."""
        with self._lock:
            while True:
                word = word_of(self._count)
                self._count += 1
                if word not in self._games:
                    return word

    def create(
        self,
        game: str,
        secret: bytes,
        meta: Mapping[str, str],
        definitions: Mapping[bytes, bytes] = NOTHING_BESIDE,
        blobs: Mapping[str, bytes] = NOTHING_BESIDE,
    ) -> None:
        """Keep all that a new game begins with."""
        assert is_game_name(game), f"{game!r} may not name a game"
        with self._lock:
            known = self._games.get(game)
            if known is None:
                new = self._games[game] = _Game(secret, dict(meta))
                new.definitions.update(definitions)
                new.blobs.update(blobs)
            elif known.secret != secret:
                raise GameExists(game)

    def append(
        self, game: str, number: int, prev_digest: bytes, commit: NewCommit, fence: Fence
    ) -> None:
        """Append one commit after the checks of `Store.append`."""
        self.append_many(game, number, prev_digest, (commit,), fence)

    def append_many(
        self,
        game: str,
        number: int,
        prev_digest: bytes,
        commits: Sequence[NewCommit],
        fence: Fence,
    ) -> None:
        """Append commits one after another; those that are there already are passed over."""
        with self._lock:
            kept = self._games.get(game)
            if kept is None or kept.token != fence.token:
                holder = kept.holder.host if kept and kept.holder else None
                raise LeaseLost(game, number, holder)
            log = kept.log
            for commit in commits:
                if number >= len(log):
                    _check_head(game, number, prev_digest, log)
                    log.append(commit)
                elif log[number] != commit:
                    raise LogConflict(game, number, len(log) - 1)
                prev_digest = commit.digest
                number += 1

    def read(
        self, game: str, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Yield the commits that were there when iteration began."""
        log = self._game(game).log
        end = len(log) if stop is None else min(stop, len(log))
        for number in range(max(start, 0), end):
            yield number, log[number].entry

    def times(
        self, game: str, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Yield nothing: no clock is read here."""
        self._game(game)
        return iter(())

    def head(self, game: str) -> Head:
        """Return the last commit's number and digest."""
        log = self._game(game).log
        return Head(len(log) - 1, log[-1].digest if log else b"")

    def acquire(self, game: str, host: str, ttl_ms: int = LEASE_MS) -> Fence:
        """Take the lease if nobody holds it."""
        with self._lock:
            kept = self._game(game)
            if kept.holder is not None:
                raise LeaseHeld(game, kept.holder.host)
            kept.token += 1
            kept.holder = Fence(game, host, kept.token, ttl_ms, b"")
            return kept.holder

    def renew(self, fence: Fence) -> None:
        """Check that the lease is still held; it does not expire."""
        kept = self._games.get(fence.game)
        if kept is None or kept.token != fence.token:
            holder = kept.holder.host if kept and kept.holder else None
            raise LeaseLost(fence.game, len(kept.log) if kept else 0, holder)

    def release(self, fence: Fence) -> None:
        """Give the lease up, if it is still held."""
        with self._lock:
            kept = self._games.get(fence.game)
            if kept is not None and kept.token == fence.token:
                kept.holder = None
                kept.token += 1

    def holder(self, game: str) -> str | None:
        """Return the host that holds the lease."""
        holder = self._game(game).holder
        return None if holder is None else holder.host

    def games(self) -> list[GameRecord]:
        """Return all games in the order they were created."""
        with self._lock:
            return [
                GameRecord(name, dict(kept.meta), len(kept.log))
                for name, kept in self._games.items()
            ]

    def meta(self, game: str) -> dict[str, str]:
        """Return what is kept beside the log."""
        return dict(self._game(game).meta)

    def set_meta(self, game: str, changes: Mapping[str, str]) -> None:
        """Change some of what is kept beside the log."""
        self._game(game).meta.update(changes)

    def remove(self, game: str) -> None:
        """Remove the game."""
        with self._lock:
            self._game(game)
            del self._games[game]

    def secret(self, game: str) -> bytes:
        """Return the game's secret."""
        return self._game(game).secret

    def put_definitions(self, game: str, definitions: Mapping[bytes, bytes]) -> None:
        """Keep definitions that are not kept yet."""
        kept = self._game(game).definitions
        for digest, definition in definitions.items():
            kept.setdefault(digest, definition)

    def get_definitions(self, game: str) -> dict[bytes, bytes]:
        """Return all definitions in the digests' order."""
        return dict(sorted(self._game(game).definitions.items()))

    def put_blob(self, game: str, name: str, blob: bytes) -> None:
        """Keep a named blob."""
        self._game(game).blobs[name] = blob

    def get_blob(self, game: str, name: str) -> bytes | None:
        """Return a named blob."""
        return self._game(game).blobs.get(name)

    def blob_names(self, game: str) -> list[str]:
        """Return the names of the game's blobs, sorted."""
        return sorted(self._game(game).blobs)

    def drop_blob(self, game: str, name: str) -> None:
        """Forget a blob."""
        self._game(game).blobs.pop(name, None)

    def info(self) -> StoreInfo:
        """Say that nothing is kept."""
        return StoreInfo(
            address=ADDRESS,
            server="this process",
            durable=False,
            reason="it is in memory: nothing is kept when the process ends",
        )

    def close(self) -> None:
        """Do nothing: the games go with the object."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _game(self, game: str) -> "_Game":
        kept = self._games.get(game)
        if kept is None:
            raise GameUnknown(game, ADDRESS)
        return kept


class _Game:
    """All that is kept of one game."""

    __slots__ = ("blobs", "definitions", "holder", "log", "meta", "secret", "token")

    def __init__(self, secret: bytes, meta: dict[str, str]) -> None:
        self.secret = secret
        self.meta = meta
        self.log: list[NewCommit] = []
        self.token = 0
        self.holder: Fence | None = None
        self.definitions: dict[bytes, bytes] = {}
        self.blobs: dict[str, bytes] = {}


def _check_head(game: str, number: int, prev_digest: bytes, log: list[NewCommit]) -> None:
    if number != len(log):
        raise LogConflict(game, number, len(log) - 1)
    if log and log[-1].digest != prev_digest:
        raise LogConflict(game, number, len(log) - 1, same_place=True)
