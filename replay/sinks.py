"""Where finished commits go: to a store under a lease, or against what was recorded before."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..events.catalog import AnyEvent
from ..events.chain import GENESIS
from ..events.codec import decode_entry, read_entry
from ..events.commit import Commit
from ..events.errors import EngineError
from ..events.store import Fence, NewCommit, Store
from .written import Written

GROUP_MAX = 64
"""How many commits of built-in agents may wait to be appended in one write."""

BATCH_MAX = 256
"""How many commits of a log that is copied are written at once."""


class Difference(msgspec.Struct, frozen=True):
    """The first place where a re-execution differs: the event of a commit, as both have it.

    `event` is None where the decision itself is refused, or a whole commit is missing.
    """

    commit: int
    event: int | None
    recorded: str
    recomputed: str
    rule: str


class ReplayDiverged(EngineError):
    """Running the rules again on the recorded decisions does not give the recorded events."""

    def __init__(self, game: str, difference: Difference) -> None:
        """Show both sides of the first difference."""
        where = f"{game}@{difference.commit}"
        if difference.event is not None:
            where += f".{difference.event}"
        super().__init__(
            f"The rules now give {difference.recomputed}, recorded is {difference.recorded}"
            f" (CR {difference.rule}): {where}"
        )
        self.game = game
        self.difference = difference


class StoreSink:
    """Appends commits to a game of a store.

    With `group_max` above 1 commits wait until so many can be written at once: for tables where
    nobody is told anything in between. `flush` writes what waits.
    """

    def __init__(self, store: Store, game: str, fence: Fence, group_max: int = 1) -> None:
        self.written = Written(store, game, fence)
        self.group_max = group_max
        self._first = 0
        self._prev = b""
        self._waiting: list[NewCommit] = []

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Take a commit; on return it is acknowledged unless it waits for its group."""
        if self.group_max == 1 and not self._waiting:
            self.written.append_many(number, prev, (commit,))
            return
        if not self._waiting:
            self._first, self._prev = number, prev
        self._waiting.append(commit)
        if len(self._waiting) >= self.group_max:
            self.flush()

    def flush(self) -> None:
        """Append what waits; on return all is acknowledged."""
        waiting = self._waiting
        if waiting:
            self.written.append_many(self._first, self._prev, waiting)
            self._waiting = []

    def confirm(self) -> None:
        """Write what waits, and once more what the store has lost since it was written."""
        self.flush()
        self.written.confirm()


class CheckingSink:
    """Compares each commit with the recorded one, byte for byte, and writes nothing."""

    def __init__(self, game: str, first: int, entries: Sequence[bytes]) -> None:
        self.game = game
        self.first = first
        self.entries = entries

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Raise ReplayDiverged unless the recorded commit of that number is this one."""
        recorded = self.entries[number - self.first]
        if recorded != commit.entry:
            raise ReplayDiverged(self.game, self._difference(number, recorded, commit.entry))

    def _difference(self, number: int, recorded: bytes, recomputed: bytes) -> Difference:
        old = decode_entry(recorded, self.game, number)
        new = decode_entry(recomputed, self.game, number)
        return first_difference(old, new)


def append_entries(store: Store, game: str, entries: Sequence[bytes], host: str) -> None:
    """Append the entries of a log to a game that has no commits, under a lease of the host."""
    commits = [NewCommit(entry, read_entry(entry).digest) for entry in entries]
    fence = store.acquire(game, host)
    try:
        head = GENESIS
        for start in range(0, len(commits), BATCH_MAX):
            batch = commits[start : start + BATCH_MAX]
            store.append_many(game, start, head, batch, fence)
            head = batch[-1].digest
    finally:
        store.release(fence)


def first_difference(recorded: Commit, recomputed: Commit) -> Difference:
    """Return the first difference between two commits of the same number.

    Where all events are the same, the decision, the seals or the end of the commit differ.
    """
    number = recorded.number
    old, new = tuple(recorded.events()), tuple(recomputed.events())
    for place, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return Difference(number, place, *_told_apart(one, other), other.rule)
    if len(old) != len(new):
        place = min(len(old), len(new))
        extra = (old + new)[-1] if len(new) > len(old) else old[place]
        missing = "nothing more"
        recorded_words = in_words(old[place]) if len(old) > place else missing
        recomputed_words = in_words(new[place]) if len(new) > place else missing
        rule = (new[place] if len(new) > place else extra).rule
        return Difference(number, place, recorded_words, recomputed_words, rule)
    rule = new[-1].rule if new else "608.2"
    if recorded.groups != recomputed.groups:
        return Difference(number, None, "other groups", "the same events in groups", rule)
    if recorded.decision != recomputed.decision:
        return Difference(number, None, repr(recorded.decision), repr(recomputed.decision), rule)
    return Difference(number, None, "other seals or another end", "the same events", rule)


def _told_apart(one: AnyEvent, other: AnyEvent) -> tuple[str, str]:
    """Return two events in words; where these are the same, their rules and causes differ."""
    words = in_words(one), in_words(other)
    if words[0] != words[1]:
        return words
    old, new = (f"{words[0]} by CR {event.rule}, cause {event.cause}" for event in (one, other))
    return old, new


def in_words(event: AnyEvent) -> str:
    """Return an event as one line: its type and the fields that say what happened."""
    shown = [
        f"{name}={_shown(getattr(event, name))}"
        for name in event.__struct_fields__
        if name not in ("rule", "cause")
    ]
    return f"{type(event).__name__}({', '.join(shown)})"


def _shown(value: object) -> str:
    """Return a value in short: a digest by its first figures, a long tuple by its length."""
    if isinstance(value, bytes):
        return value.hex()[:12] or "''"
    if isinstance(value, tuple) and len(value) > 12:
        return f"({len(value)} items)"
    return repr(value)
