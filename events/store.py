"""What a store of games must do, whoever serves it.

A store keeps opaque bytes and knows nothing of rules: for each game its log (commits numbered from
0), its secret, card definitions by digest, named blobs, and `meta`: what is kept for people.
`memory_store` and `redis_store` implement it; `store_url.open_store` makes one from a URL.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Any, Protocol, Self, runtime_checkable

import msgspec

LEASE_MS = 30_000
"""How long a lease lasts unless it is renewed; appending renews it."""

NOTHING_BESIDE: Mapping[Any, bytes] = MappingProxyType({})
"""What a game has beside its log where nothing is said."""


class Head(msgspec.Struct, frozen=True):
    """The last commit of a log: its number and digest; of an empty log -1 and no bytes."""

    number: int
    digest: bytes


class NewCommit(msgspec.Struct, frozen=True):
    """A commit that is to be appended: its bytes and the digest that names them."""

    entry: bytes
    digest: bytes


class Fence(msgspec.Struct, frozen=True):
    """The right to write to one game's log; a later holder's token is always greater."""

    game: str
    host: str
    token: int
    ttl_ms: int
    holder: bytes
    """What the store wrote about the holder; its own affair."""


class GameRecord(msgspec.Struct, frozen=True):
    """A stored game as a list shows it: its name, what is kept beside it, and its length."""

    game: str
    meta: dict[str, str]
    commits: int


class StoreInfo(msgspec.Struct, frozen=True):
    """Where a store is, what serves it, and whether what it acknowledges is on disk."""

    address: str
    server: str
    durable: bool
    reason: str
    """Why it is not durable, or what makes it so."""


@runtime_checkable
class Packs(Protocol):
    """A store that gains by keeping finished games in a form of their own."""

    def pack(self, fence: Fence) -> None:
        """Keep a finished game's log as one compressed record in the place of its commits.

        All is read as before, `acquire` makes it commits again. At any moment the log is there
        once, in the one form or the other.
        """

    def is_packed(self, game: str) -> bool:
        """Whether a game's log is one record already."""


class Store(Protocol):
    """A place that keeps games. Every method may raise `StoreUnusable`."""

    @property
    def address(self) -> str:
        """Where the store is, without passwords, for messages."""

    def new_game_id(self) -> str:
        """Return a short word for a new game, from the store's counter; never the same twice."""

    def create(
        self,
        game: str,
        secret: bytes,
        meta: Mapping[str, str],
        definitions: Mapping[bytes, bytes] = NOTHING_BESIDE,
        blobs: Mapping[str, bytes] = NOTHING_BESIDE,
    ) -> None:
        """Keep secret, meta and what else a new game begins with, durably, before any commit.

        All of it is kept or nothing, so that a game that is there can be begun.

        Doing it again with the same secret changes nothing; with another one it is `GameExists`.
        """

    def append(
        self, game: str, number: int, prev_digest: bytes, commit: NewCommit, fence: Fence
    ) -> None:
        """Append commit `number`, which continues the commit with `prev_digest`; durable on return.

        Checked in this order, in the store, before anything is written: the fence (`LeaseLost`),
        the number and the head's digest (`LogConflict`). Appending again what is there already,
        byte for byte, is a success: so a lost reply does no harm. `prev_digest` of commit 0 is not
        compared.
        """

    def append_many(
        self,
        game: str,
        number: int,
        prev_digest: bytes,
        commits: Sequence[NewCommit],
        fence: Fence,
    ) -> None:
        """Append commits `number`, `number + 1`, … with fewer writes; else as `append`.

        Each commit's digest is what the next one continues. After a failure a first part may be
        kept.
        """

    def read(
        self, game: str, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Yield (number, entry) of the commits from `start` up to, not including, `stop`.

        A missing number is `LogDamaged`; an unknown game is `GameUnknown` when iteration begins.
        """

    def times(
        self, game: str, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Yield (number, milliseconds since 1970) of when commits were written, where kept."""

    def head(self, game: str) -> Head:
        """Return the last commit's number and digest."""

    def acquire(self, game: str, host: str, ttl_ms: int = LEASE_MS) -> Fence:
        """Take the lease of a game that nobody runs, else `LeaseHeld` naming the holder.

        The lease of a process that died on this machine is taken over at once, any other when it
        expires. One holder at a time: a second `acquire` by the same host is refused too.
        """

    def renew(self, fence: Fence) -> None:
        """Hold the lease for another `ttl_ms`, or learn that it is lost (`LeaseLost`).

        An expired lease that nobody took is simply held again.
        """

    def release(self, fence: Fence) -> None:
        """Give the lease up; the fence is worthless from now on. A lost lease is no error here."""

    def holder(self, game: str) -> str | None:
        """Return who runs the game at this moment, in words, or None."""

    def games(self) -> list[GameRecord]:
        """Return all games, oldest first."""

    def meta(self, game: str) -> dict[str, str]:
        """Return what is kept beside the log: status, players, edition, parent, error, name, …."""

    def set_meta(self, game: str, changes: Mapping[str, str]) -> None:
        """Change some of what is kept beside the log; other keys stay as they are."""

    def remove(self, game: str) -> None:
        """Remove a game and all that is kept for it; its name is not given again."""

    def secret(self, game: str) -> bytes:
        """Return the secret that `create` was given."""

    def put_definitions(self, game: str, definitions: Mapping[bytes, bytes]) -> None:
        """Keep card definitions by digest; those that are kept already stay."""

    def get_definitions(self, game: str) -> dict[bytes, bytes]:
        """Return all card definitions of the game by digest, in the digests' order."""

    def put_blob(self, game: str, name: str, blob: bytes) -> None:
        """Keep a named blob (a snapshot, a finished game's record), replacing an older one."""

    def get_blob(self, game: str, name: str) -> bytes | None:
        """Return the blob of that name, or None."""

    def blob_names(self, game: str) -> list[str]:
        """Return the names of the game's blobs, sorted."""

    def drop_blob(self, game: str, name: str) -> None:
        """Forget a blob; one that is not there is no error."""

    def info(self) -> StoreInfo:
        """Say where the store is, what serves it, and whether it is durable."""

    def close(self) -> None:
        """Let go of the store; the last user of an embedded server shuts it down."""

    def __enter__(self) -> Self:
        """Use the store in a `with` block."""

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the store."""
