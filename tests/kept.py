"""A log that is kept in memory: what the tests of several folders record a table in."""

from __future__ import annotations

from apnap.events.store import NewCommit


class KeptLog:
    """Keeps the entries of a game, as a store would."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Keep a commit's entry."""
        assert number == len(self.entries), f"commit {number} after {prev.hex()} leaves a gap"
        self.entries.append(commit.entry)
