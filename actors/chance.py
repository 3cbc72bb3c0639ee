"""An agent's chance: numbers that follow from its seed and the seat's count of decisions alone."""

from __future__ import annotations

from hashlib import blake2b


class Chance:
    """The chance of one decision: the same seed and count give the same numbers, in order."""

    __slots__ = ("_block", "_drawn")

    def __init__(self, seed: bytes, counter: int) -> None:
        self._block = blake2b(counter.to_bytes(8, "big"), key=seed, digest_size=32)
        self._drawn = 0

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1; the bias of the remainder does not matter here."""
        if self._drawn == 8:
            self._block.update(b"more")
            self._drawn = 0
        start = self._drawn * 4
        self._drawn += 1
        return int.from_bytes(self._block.digest()[start : start + 4], "big") % n

    def one_in(self, n: int) -> bool:
        """Return True once in n times."""
        return self.below(n) == 0
