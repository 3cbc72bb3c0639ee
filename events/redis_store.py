"""Games in a Redis or Valkey server: the only module that speaks to one.

For each game `apnap:{GAME}:log` is a stream whose entry `n-1` is commit n (Redis takes no `0-0`);
beside it lie `secret`, `meta`, `token`, `lease`, `definitions` and `blobs`. A finished game has no
stream but one record of it all, `packed`. The braces keep all keys of a game on one node of a
cluster. `apnap:games` lists the games, oldest first.

Every command may be sent twice without harm, appends because their script recognises what is there
already: so the client retries when a connection breaks before the reply.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeAlias

import msgspec
import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

from . import redis_scripts
from .errors import GameExists, GameUnknown, LeaseHeld, LeaseLost, LogDamaged, StoreUnusable
from .game_names import is_game_name, word_of
from .processes import is_dead, this_process
from .redis_health import ASKED, complaint_in_words, durability_of
from .redis_line import Line
from .redis_packed import PackedLogs
from .redis_replies import (
    Holder,
    Reply,
    append_error,
    as_it_came,
    digest_of_script,
    holder_in_words,
    holder_of,
    mark_of,
    number_of,
    texts_of,
    token_of,
    without_password,
)
from .store import LEASE_MS, NOTHING_BESIDE, Fence, GameRecord, Head, NewCommit, StoreInfo

CHUNK = 500
"""How many entries are read, and how many games are asked about, in one round trip."""

BATCH = 200
"""How many commits one script appends: a long one would keep the server from its other clients."""

Word: TypeAlias = str | bytes | int
"""One word of a command."""

GAME_KEYS = ("log", "packed", "token", "lease", "secret", "meta", "definitions", "blobs")


class RedisStore:
    """Keeps games in a server; as a `Store` it does what every store does."""

    def __init__(
        self,
        client: redis.Redis,
        address: str,
        *,
        must_be_durable: bool,
        explain: Callable[[], str] | None = None,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self._redis = client
        self._execute: Callable[..., Reply] = client.execute_command
        pool = client.connection_pool
        self._line = Line(partial(pool.connection_class, **pool.connection_kwargs))
        self._address = address
        self._explain = explain
        self._on_close = on_close
        self._fences: dict[str, Fence] = {}
        self._packed = PackedLogs(self._do, self._run, _key)
        for command in ("XRANGE", "XREVRANGE"):
            client.set_response_callback(command, as_it_came)
        durable, reason = self._durability()
        if must_be_durable and not durable:
            self.close()
            raise StoreUnusable(address, f"{reason}; add ?durable=no to its URL to use it anyway")

    @property
    def address(self) -> str:
        """Where the server is, without user name and password."""
        return self._address

    def new_game_id(self) -> str:
        """Return the next word of the server's counter that names no game."""
        while True:
            word = word_of(int(self._do("INCR", "apnap:counter")) - 1)
            if not self._do("EXISTS", _key(word, "secret")):
                return word

    def create(
        self,
        game: str,
        secret: bytes,
        meta: Mapping[str, str],
        definitions: Mapping[bytes, bytes] = NOTHING_BESIDE,
        blobs: Mapping[str, bytes] = NOTHING_BESIDE,
    ) -> None:
        """Keep all that a new game begins with, in one write, then list it."""
        assert is_game_name(game), f"{game!r} may not name a game"
        keys = tuple(_key(game, part) for part in ("secret", "meta", "definitions", "blobs"))
        words: list[Word] = [secret]
        for table in (meta, definitions, blobs):
            words.append(len(table))
            words += [word for pair in table.items() for word in pair]
        if self._run(redis_scripts.CREATE, keys, *words) != b"ok":
            raise GameExists(game)
        order = self._do("INCR", "apnap:order")
        self._do("ZADD", "apnap:games", "NX", order, game)

    def append(
        self, game: str, number: int, prev_digest: bytes, commit: NewCommit, fence: Fence
    ) -> None:
        """Append one commit by one script, after the checks of `Store.append`."""
        self.append_many(game, number, prev_digest, (commit,), fence)

    def append_many(
        self,
        game: str,
        number: int,
        prev_digest: bytes,
        commits: Sequence[NewCommit],
        fence: Fence,
    ) -> None:
        """Append commits by as few scripts, and so as few waits for the disk, as is polite."""
        keys = (_key(game, "log"), _key(game, "token"), _key(game, "lease"))
        for first in range(0, len(commits), BATCH):
            batch = commits[first : first + BATCH]
            parts = [part for commit in batch for part in (commit.digest, commit.entry)]
            answer = self._run(
                redis_scripts.APPEND,
                keys,
                token_of(fence),
                number + first,
                prev_digest,
                fence.holder,
                fence.ttl_ms,
                _now_ms(),
                *parts,
            )
            if answer[0] != b"ok":
                raise append_error(game, number + first, answer)
            prev_digest = batch[-1].digest

    def add_unchecked(self, stream: str, entry: bytes) -> None:
        """Add bytes to a stream of no game: what `append` is measured against.

        It is the XADD of anybody who uses redis-py, not one by the line that scripts have.
        """
        self._do("XADD", f"apnap:unchecked:{stream}", "*", "e", entry)

    def read(
        self, game: str, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Yield the commits, some hundreds to a round trip."""
        for number, fields in self._entries(game, start, stop):
            yield number, fields[3]

    def times(
        self, game: str, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Yield when each commit was appended, by the clock of the host that did."""
        for number, fields in self._entries(game, start, stop):
            yield number, int(fields[5])

    def head(self, game: str) -> Head:
        """Return the last commit's number and digest."""
        for _ in range(2):  # the log may change its form between the two questions
            if last := self._do("XREVRANGE", _key(game, "log"), "+", "-", "COUNT", 1):
                return Head(number_of(game, last[0][0]), last[0][1][1])
            if packed := self._packed.head(game):
                return packed
        self._require(game)
        return Head(-1, b"")

    def acquire(self, game: str, host: str, ttl_ms: int = LEASE_MS) -> Fence:
        """Take the lease, also from a process of this machine that has ended."""
        keys = (_key(game, "token"), _key(game, "lease"), _key(game, "secret"))
        holder = msgspec.json.encode(Holder(host, this_process(), secrets.token_hex(8)))
        dead = b""
        while True:
            answer = self._run(redis_scripts.ACQUIRE, keys, holder, ttl_ms, dead, mark_of(holder))
            if answer[0] == b"ok":
                fence = Fence(game, host, int(answer[1]), ttl_ms, holder)
                self._fences[game] = fence
                self._unpack(fence)
                return fence
            if answer[0] == b"unknown":
                raise GameUnknown(game, self._address)
            dead = answer[1]
            if not is_dead(holder_of(dead).process):
                raise LeaseHeld(game, holder_in_words(dead))

    def renew(self, fence: Fence) -> None:
        """Hold the lease for another while, also if it has expired and nobody took it."""
        keys = (_key(fence.game, "token"), _key(fence.game, "lease"), _key(fence.game, "log"))
        answer = self._run(redis_scripts.RENEW, keys, token_of(fence), fence.holder, fence.ttl_ms)
        if answer[0] != b"ok":
            raise LeaseLost(fence.game, int(answer[2]), holder_in_words(answer[1]))

    def release(self, fence: Fence) -> None:
        """Give the lease up, if it is still held."""
        keys = (_key(fence.game, "token"), _key(fence.game, "lease"))
        self._run(redis_scripts.RELEASE, keys, token_of(fence))
        if self._fences.get(fence.game) == fence:
            del self._fences[fence.game]

    def holder(self, game: str) -> str | None:
        """Return who holds the lease, unless that process is known to have ended."""
        held = self._do("GET", _key(game, "lease"))
        if held is None or is_dead(holder_of(held).process):
            return None
        return holder_in_words(held)

    def pack(self, fence: Fence) -> None:
        """Keep the log of a finished game as one record; it is read as before."""
        rows = [fields for _, fields in self._entries(fence.game, 0, None)]
        self._packed.pack(fence.game, token_of(fence), rows)

    def is_packed(self, game: str) -> bool:
        """Whether a game's log is one record."""
        return self._packed.head(game) is not None

    def games(self) -> list[GameRecord]:
        """Return all games in the order they were created."""
        names = [name.decode() for name in self._do("ZRANGE", "apnap:games", 0, -1)]
        found: list[GameRecord] = []
        for first in range(0, len(names), CHUNK):
            chunk = names[first : first + CHUNK]
            commands: list[tuple[Word, ...]] = []
            for name in chunk:
                commands.append(("EXISTS", _key(name, "secret")))
                commands.append(("HGETALL", _key(name, "meta")))
                commands.append(("XLEN", _key(name, "log")))
                commands.append(("HGET", _key(name, "packed"), "n"))
            answers = self._do_all(commands)
            rows = (answers[at : at + 4] for at in range(0, len(answers), 4))
            for name, (exists, meta, commits, packed) in zip(chunk, rows, strict=True):
                if exists:
                    found.append(GameRecord(name, texts_of(meta), commits or int(packed or 0)))
        return found

    def meta(self, game: str) -> dict[str, str]:
        """Return what is kept beside the log."""
        self._require(game)
        return texts_of(self._do("HGETALL", _key(game, "meta")))

    def set_meta(self, game: str, changes: Mapping[str, str]) -> None:
        """Change some of what is kept beside the log."""
        self._require(game)
        if changes:
            pairs = [text.encode() for pair in changes.items() for text in pair]
            self._do("HSET", _key(game, "meta"), *pairs)

    def remove(self, game: str) -> None:
        """Remove all keys of the game, then take it off the list."""
        self._require(game)
        self._do("UNLINK", *(_key(game, part) for part in GAME_KEYS))
        self._do("ZREM", "apnap:games", game)

    def secret(self, game: str) -> bytes:
        """Return the game's secret."""
        secret = self._do("GET", _key(game, "secret"))
        if secret is None:
            raise GameUnknown(game, self._address)
        return bytes(secret)

    def put_definitions(self, game: str, definitions: Mapping[bytes, bytes]) -> None:
        """Keep definitions that are not kept yet."""
        self._require(game)
        key = _key(game, "definitions")
        self._do_all([("HSETNX", key, digest, text) for digest, text in definitions.items()])

    def get_definitions(self, game: str) -> dict[bytes, bytes]:
        """Return all definitions in the digests' order."""
        self._require(game)
        return dict(sorted(self._do("HGETALL", _key(game, "definitions")).items()))

    def put_blob(self, game: str, name: str, blob: bytes) -> None:
        """Keep a named blob."""
        self._require(game)
        self._do("HSET", _key(game, "blobs"), name, blob)

    def get_blob(self, game: str, name: str) -> bytes | None:
        """Return a named blob."""
        self._require(game)
        blob: bytes | None = self._do("HGET", _key(game, "blobs"), name)
        return blob

    def blob_names(self, game: str) -> list[str]:
        """Return the names of the game's blobs, sorted."""
        self._require(game)
        return sorted(name.decode() for name in self._do("HKEYS", _key(game, "blobs")))

    def drop_blob(self, game: str, name: str) -> None:
        """Forget a blob."""
        self._require(game)
        self._do("HDEL", _key(game, "blobs"), name)

    def info(self) -> StoreInfo:
        """Ask the server what it is and whether it is durable."""
        server = self._do("INFO", "server")
        valkey = server.get("valkey_version")
        name = f"Valkey {valkey}" if valkey else f"Redis {server.get('redis_version')}"
        durable, reason = self._durability()
        return StoreInfo(self._address, name, durable, reason)

    def close(self) -> None:
        """Give up the leases taken here, then let go of the server if it is an embedded one."""
        with suppress(StoreUnusable):  # it may be closed just because it is unusable
            for fence in list(self._fences.values()):
                self.release(fence)
        self._line.close()
        self._redis.close()
        if self._on_close is not None:
            self._on_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _entries(
        self, game: str, start: int, stop: int | None
    ) -> Iterator[tuple[int, list[bytes]]]:
        number = max(start, 0)
        last = "+" if stop is None else f"{stop - 1}-1"
        if stop is not None and stop <= number:
            self._require(game)
            return
        while True:
            chunk = self._chunk(game, number, last)
            if not chunk:  # it may be one record, or have changed its form just now
                packed = tuple(self._packed.commits(game, number, stop))
                yield from packed
                chunk = [] if packed else self._chunk(game, number, last)
            if not chunk:
                self._require(game)
                return
            for entry_id, fields in chunk:
                if number_of(game, entry_id) != number:
                    raise LogDamaged(game, number, "this commit is missing")
                yield number, fields
                number += 1
            if len(chunk) < CHUNK or number == stop:
                return

    def _chunk(self, game: str, number: int, last: str) -> list[Reply]:
        found: list[Reply] = self._do(
            "XRANGE", _key(game, "log"), f"{number}-1", last, "COUNT", CHUNK
        )
        return found

    def _unpack(self, fence: Fence) -> None:
        try:
            self._packed.unpack(fence.game, token_of(fence))
        except LogDamaged:
            self.release(fence)
            raise

    def _require(self, game: str) -> None:
        if not self._do("EXISTS", _key(game, "secret")):
            raise GameUnknown(game, self._address)

    def _durability(self) -> tuple[bool, str]:
        role = self._do("INFO", "replication").get("role", "unknown")
        settings: dict[str, str] = {}
        try:
            for name in ASKED:
                settings |= texts_of(self._execute("CONFIG GET", name))
        except redis.ResponseError:
            return durability_of(None, role)
        except redis.RedisError as error:
            raise self._unusable(error) from error
        return durability_of(settings, role)

    def _run(self, script: str, keys: Sequence[str], *arguments: Word) -> Reply:
        """Run a script by its digest; the whole text travels only when the server lacks it."""
        command = ("EVALSHA", digest_of_script(script), len(keys), *keys, *arguments)
        try:
            try:
                return self._line.ask(*command)
            except (redis.ConnectionError, redis.TimeoutError):
                return self._execute(*command)
        except redis.exceptions.NoScriptError:
            return self._do("EVAL", script, len(keys), *keys, *arguments)
        except redis.RedisError as error:
            raise self._unusable(error) from error

    def _do(self, *command: Word) -> Reply:
        try:
            return self._execute(*command)
        except redis.RedisError as error:
            raise self._unusable(error) from error

    def _do_all(self, commands: Sequence[tuple[Word, ...]]) -> list[Reply]:
        """Send the commands in one go, without making them one transaction."""
        try:
            with self._redis.pipeline(transaction=False) as pipeline:
                put: Callable[..., Reply] = pipeline.execute_command
                for command in commands:
                    put(*command)
                answers: list[Reply] = pipeline.execute()
                return answers
        except redis.RedisError as error:
            raise self._unusable(error) from error

    def _unusable(self, error: redis.RedisError) -> StoreUnusable:
        match error:
            case redis.TimeoutError():
                reason = "it does not answer in time"
            case redis.AuthenticationError():
                reason = "it refuses the user name or the password"
            case redis.ConnectionError() if not isinstance(error, redis.BusyLoadingError):
                last_words = self._explain() if self._explain is not None else ""
                reason = last_words or "it cannot be reached"
            case _:
                reason = complaint_in_words(_code_of(error), str(error))
        return StoreUnusable(self._address, reason)


def connect_to_url(url: str, *, must_be_durable: bool) -> RedisStore:
    """Return the store at a `redis://`, `rediss://` or `unix://` URL."""
    address = without_password(url)
    try:
        client = redis.Redis.from_url(url, **_client_options())
        client.connection_pool.make_connection()  # does not connect, but takes all options
    except (ValueError, TypeError) as error:
        reason = f"this is no address of a server ({error})"
        raise StoreUnusable(address, reason) from error
    return RedisStore(client, address, must_be_durable=must_be_durable)


def connect_to_socket(
    path: str, address: str, *, explain: Callable[[], str], on_close: Callable[[], None]
) -> RedisStore:
    """Return the store of an embedded server, which is durable or refused."""
    client = redis.Redis(unix_socket_path=path, **_client_options())
    return RedisStore(client, address, must_be_durable=True, explain=explain, on_close=on_close)


def _client_options() -> dict[str, Any]:
    backoff: ExponentialBackoff = ExponentialBackoff(cap=0.5, base=0.05)
    return {
        "decode_responses": False,
        "protocol": 2,  # the replies of RESP2 are the same from Redis 6.2 to Valkey 9
        "socket_connect_timeout": 5,
        "socket_timeout": 10,
        "retry": Retry(backoff, 2),
        "retry_on_error": [redis.ConnectionError, redis.TimeoutError],
    }


def _code_of(error: redis.RedisError) -> str:
    """Return the first word of the server's complaint, which redis-py may have cut off."""
    cut_off = {
        redis.OutOfMemoryError: "OOM",
        redis.ReadOnlyError: "READONLY",
        redis.BusyLoadingError: "LOADING",
        redis.exceptions.NoPermissionError: "NOPERM",
        redis.exceptions.MasterDownError: "MASTERDOWN",
        redis.exceptions.ClusterDownError: "CLUSTERDOWN",
    }
    codes = (code for kind, code in cut_off.items() if isinstance(error, kind))
    return next(codes, str(error).split(" ", 1)[0])


def _key(game: str, part: str) -> str:
    return f"apnap:{{{game}}}:{part}"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
