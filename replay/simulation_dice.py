"""A simulation's chance, clock and trace: all that happens in it follows from its seed.

No number comes from the machine: the same seed throws the same dice, and the trace of what
happened has the same digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

STEP_MS = 1
"""How long a round trip to the store takes where nothing slows it."""


class Dice:
    """Numbers that follow from a seed, in order."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._blocks = 0
        self._left: list[int] = []

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        if not self._left:
            block = blake2b(self._blocks.to_bytes(8, "big"), key=self._seed).digest()
            self._left = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 64, 4)]
            self._blocks += 1
        return self._left.pop() % n

    def one_in(self, n: int) -> bool:
        """Return True once in n times; never where n is 0."""
        return n > 0 and self.below(n) == 0

    def pick(self, things: Sequence[T]) -> T:
        """Return one of the things, each as likely."""
        return things[self.below(len(things))]

    def weighted(self, weights: Sequence[tuple[T, int]]) -> T:
        """Return one of the things, each as likely as its weight says."""
        thrown = self.below(sum(weight for _, weight in weights))
        for thing, weight in weights:
            if thrown < weight:
                return thing
            thrown -= weight
        raise AssertionError(weights)


class Clock:
    """The time of a simulation, in milliseconds; it goes on when something takes time."""

    def __init__(self) -> None:
        self.now = 0

    def advance(self, milliseconds: int) -> None:
        """Let time pass."""
        self.now += milliseconds


class Trace:
    """What happened, in order: its digest is compared, its last lines are shown."""

    def __init__(self, lines_max: int = 40) -> None:
        self.lines: list[str] = []
        self.lines_max = lines_max
        self._digest = blake2b(digest_size=16)

    def note(self, line: str) -> None:
        """Add a line."""
        self._digest.update(line.encode())
        self._digest.update(b"\n")
        self.lines.append(line)
        if len(self.lines) > 2 * self.lines_max:
            del self.lines[: -self.lines_max]

    def digest(self) -> str:
        """Return the digest of all lines so far."""
        return self._digest.hexdigest()

    def last(self) -> list[str]:
        """Return the last lines."""
        return self.lines[-self.lines_max :]
