"""Chance: a stream of numbers that nobody can foresee or bend, and everybody can check afterwards.

The stream is keyed by the host's chance secret and the nonces of all seats. Commit 0 holds the
commitments to each of them, so none can be chosen once another is known; after the game they are
disclosed, and each shuffle is proved to be the permutation the stream gives.

A number is addressed by a counter, which State keeps. How many counters an event used follows from
what is public: a draw uses one, a permutation of n things `permutation_draws(n)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from .game import GameBegan
from .seals import GameSecrets, commitment_of

_T = TypeVar("_T")
_WORD = 1 << 64


class Luck:
    """The stream of one game; every method is a function of its arguments and the key."""

    def __init__(self, secret: bytes, nonces: Sequence[bytes]) -> None:
        """Combine the host's chance secret with the nonce of each seat, in turn order."""
        key = blake2b(secret, digest_size=64, person=b"apnap luck")
        for nonce in nonces:
            key.update(len(nonce).to_bytes(4, "big") + nonce)
        self._block = blake2b(b"", key=key.digest(), digest_size=8).copy

    @classmethod
    def of(cls, secrets: GameSecrets) -> Luck:
        """Return the stream of a game or branch."""
        return cls(secrets.chance, secrets.seat_nonces)

    def become(self, other: Luck) -> None:
        """Go on as another stream: a branch with fresh luck parts from its parent's so."""
        self._block = other._block

    def draw_below(self, n: int, counter: int) -> tuple[int, int]:
        """Return a number from 0 to n - 1, each as likely as any other, and the next counter.

        A draw uses one counter, however often it had to be rejected: how often would be a secret.
        """
        assert 0 < n <= _WORD, f"no number can be drawn below {n}"
        limit = _WORD - _WORD % n
        attempt = 0
        while (word := self._word(counter, attempt)) >= limit:
            attempt += 1
        return word % n, counter + 1

    def permutation(self, n: int, counter: int) -> tuple[tuple[int, ...], int]:
        """Return an order of 0 to n - 1, each as likely as any other, and the next counter.

        The thing that comes to place i is the one that was at place `order[i]` (Fisher–Yates).
        """
        order = list(range(n))
        for last in range(n - 1, 0, -1):
            other, counter = self.draw_below(last + 1, counter)
            order[last], order[other] = order[other], order[last]
        return tuple(order), counter

    def _word(self, counter: int, attempt: int) -> int:
        block = self._block()
        block.update(counter.to_bytes(8, "big") + attempt.to_bytes(8, "big"))
        return int.from_bytes(block.digest(), "big")


def permutation_draws(n: int) -> int:
    """Return how many counters a permutation of n things uses."""
    return max(n - 1, 0)


def is_shuffled_by(luck: Luck, before: Sequence[_T], after: Sequence[_T], counter: int) -> bool:
    """Whether the stream at this counter takes what was there before to what is there now."""
    if len(before) != len(after):
        return False
    order, _ = luck.permutation(len(before), counter)
    return all(before[place] == card for place, card in zip(order, after, strict=True))


def commitments_hold(began: GameBegan, secrets: GameSecrets) -> bool:
    """Whether disclosed secrets are those that the host and the seats committed to in commit 0."""
    while secrets.parent is not None:
        secrets = secrets.parent
    return began.host_commitment == commitment_of(secrets.chance) and all(
        seat.nonce_commitment == commitment_of(nonce)
        for seat, nonce in zip(began.players, secrets.seat_nonces, strict=True)
    )
