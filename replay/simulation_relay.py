"""A store before a store: each request goes through one method, which may do more, or worse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self, TypeVar

from ..events.store import (
    LEASE_MS,
    NOTHING_BESIDE,
    Fence,
    GameRecord,
    Head,
    NewCommit,
    Store,
    StoreInfo,
)

T = TypeVar("T")


class Relay:
    """Passes all requests on to a store by `request`; as a `Store` it does what that one does."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def request(self, name: str, step: Callable[[], T], *, writes: bool) -> T:
        """Carry a request to the store and its reply back."""
        return step()

    @property
    def address(self) -> str:
        """Where the store behind it is."""
        return self.store.address

    def new_game_id(self) -> str:
        """Return a word for a new game."""
        return self.request("new game", self.store.new_game_id, writes=False)

    def create(
        self,
        game: str,
        secret: bytes,
        meta: Mapping[str, str],
        definitions: Mapping[bytes, bytes] = NOTHING_BESIDE,
        blobs: Mapping[str, bytes] = NOTHING_BESIDE,
    ) -> None:
        """Keep what a new game begins with."""
        store = self.store
        step = lambda: store.create(game, secret, meta, definitions, blobs)  # noqa: E731
        self.request("create", step, writes=True)

    def append(
        self, game: str, number: int, prev_digest: bytes, commit: NewCommit, fence: Fence
    ) -> None:
        """Append a commit."""
        self.append_many(game, number, prev_digest, (commit,), fence)

    def append_many(
        self,
        game: str,
        number: int,
        prev_digest: bytes,
        commits: Sequence[NewCommit],
        fence: Fence,
    ) -> None:
        """Append commits."""
        store, kept = self.store, tuple(commits)
        step = lambda: store.append_many(game, number, prev_digest, kept, fence)  # noqa: E731
        self.request("append", step, writes=True)

    def read(
        self, game: str, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Yield commits, all of which came in one reply."""
        return iter(
            self.request("read", lambda: list(self.store.read(game, start, stop)), writes=False)
        )

    def times(
        self, game: str, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Yield when commits were written."""
        return iter(
            self.request("times", lambda: list(self.store.times(game, start, stop)), writes=False)
        )

    def head(self, game: str) -> Head:
        """Return the head."""
        return self.request("head", lambda: self.store.head(game), writes=False)

    def acquire(self, game: str, host: str, ttl_ms: int = LEASE_MS) -> Fence:
        """Take the lease."""
        return self.request("acquire", lambda: self.store.acquire(game, host, ttl_ms), writes=True)

    def renew(self, fence: Fence) -> None:
        """Hold the lease longer."""
        self.request("renew", lambda: self.store.renew(fence), writes=True)

    def release(self, fence: Fence) -> None:
        """Give the lease up."""
        self.request("release", lambda: self.store.release(fence), writes=True)

    def holder(self, game: str) -> str | None:
        """Return who holds the lease."""
        return self.request("holder", lambda: self.store.holder(game), writes=False)

    def games(self) -> list[GameRecord]:
        """Return all games."""
        return self.request("games", self.store.games, writes=False)

    def meta(self, game: str) -> dict[str, str]:
        """Return what is kept beside the log."""
        return self.request("meta", lambda: self.store.meta(game), writes=False)

    def set_meta(self, game: str, changes: Mapping[str, str]) -> None:
        """Change what is kept beside the log."""
        kept = dict(changes)
        self.request("set meta", lambda: self.store.set_meta(game, kept), writes=True)

    def remove(self, game: str) -> None:
        """Remove a game."""
        self.request("remove", lambda: self.store.remove(game), writes=True)

    def secret(self, game: str) -> bytes:
        """Return the game's secret."""
        return self.request("secret", lambda: self.store.secret(game), writes=False)

    def put_definitions(self, game: str, definitions: Mapping[bytes, bytes]) -> None:
        """Keep definitions."""
        kept = dict(definitions)
        self.request("put definitions", lambda: self.store.put_definitions(game, kept), writes=True)

    def get_definitions(self, game: str) -> dict[bytes, bytes]:
        """Return all definitions."""
        return self.request("definitions", lambda: self.store.get_definitions(game), writes=False)

    def put_blob(self, game: str, name: str, blob: bytes) -> None:
        """Keep a blob."""
        self.request("put blob", lambda: self.store.put_blob(game, name, blob), writes=True)

    def get_blob(self, game: str, name: str) -> bytes | None:
        """Return a blob."""
        return self.request("blob", lambda: self.store.get_blob(game, name), writes=False)

    def blob_names(self, game: str) -> list[str]:
        """Return the names of blobs."""
        return self.request("blob names", lambda: self.store.blob_names(game), writes=False)

    def drop_blob(self, game: str, name: str) -> None:
        """Forget a blob."""
        self.request("drop blob", lambda: self.store.drop_blob(game, name), writes=True)

    def info(self) -> StoreInfo:
        """Say what the store is."""
        return self.store.info()

    def close(self) -> None:
        """Leave the store open: others use it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
