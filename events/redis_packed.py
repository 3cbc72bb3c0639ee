"""Finished games in a server, each one's log as one value in the place of its stream.

The change from the one to the other is one script: there is a moment before and one after it, and
at each the log is there once. Who takes the lease to write gets the stream back.
"""

from collections.abc import Callable, Iterator, Sequence

from . import redis_scripts
from .errors import LeaseLost, LogConflict
from .packed_log import PackedCommit, pack_log, unpack_log
from .redis_replies import Reply, holder_in_words
from .store import Head

Do = Callable[..., Reply]
"""Sends a command, or runs a script with keys and arguments."""


class PackedLogs:
    """The logs of finished games; `key` names the keys of a game."""

    def __init__(self, do: Do, run: Do, key: Callable[[str, str], str]) -> None:
        self._do = do
        self._run = run
        self._key = key

    def head(self, game: str) -> Head | None:
        """Return the last commit's number and digest, None where the game is not packed."""
        count, digest = self._do("HMGET", self._key(game, "packed"), "n", "d")
        return None if count is None else Head(int(count) - 1, bytes(digest))

    def commits(self, game: str, start: int, stop: int | None) -> Iterator[tuple[int, list[bytes]]]:
        """Yield number and fields of commits as a stream would; nothing where it is not packed."""
        record = self._do("HGET", self._key(game, "packed"), "z")
        if record is None:
            return
        for number, commit in enumerate(unpack_log(game, record)[start:stop], start):
            yield number, _fields(commit)

    def pack(self, game: str, token: str, rows: Sequence[list[bytes]]) -> None:
        """Put one record in the place of the stream, which holds these commits."""
        if not rows:
            return
        commits = tuple(PackedCommit(row[1], row[3], int(row[5])) for row in rows)
        record, digest = pack_log(commits), commits[-1].digest
        self._checked(game, redis_scripts.PACK, token, len(commits), digest, record)

    def unpack(self, game: str, token: str) -> None:
        """Put the stream back in its place, to be appended to."""
        record = self._do("HGET", self._key(game, "packed"), "z")
        if record is None:
            return
        commits = unpack_log(game, record)
        parts = [part for one in commits for part in (one.digest, one.entry, one.written_ms)]
        self._checked(game, redis_scripts.UNPACK, token, len(commits), *parts)

    def _checked(self, game: str, script: str, token: str, count: int, *arguments: object) -> None:
        keys = tuple(self._key(game, part) for part in ("log", "token", "packed", "lease"))
        answer = self._run(script, keys, token, count, *arguments)
        if answer[0] == b"lost":
            raise LeaseLost(game, count, holder_in_words(answer[1]))
        if answer[0] != b"ok":
            raise LogConflict(game, count, int(answer[1]) - 1)


def _fields(commit: PackedCommit) -> list[bytes]:
    return [b"d", commit.digest, b"e", commit.entry, b"t", b"%d" % commit.written_ms]
