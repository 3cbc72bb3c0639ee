"""The chain: each commit names the digest of the one before it, so that no byte can change unseen.

It finds damage, not intent: a forger can write a whole new chain. Against that the seats keep
their heads, or the head is signed.
"""

from __future__ import annotations

from hashlib import blake2b

from .commit import Commit
from .errors import LogDamaged

GENESIS = bytes(16)
"""What commit 0 names as the digest of the commit before it."""


def digest_of(body: bytes) -> bytes:
    """Return the digest of a commit's body."""
    hashed = _unused()
    hashed.update(body)
    return hashed.digest()


def short_digest_of(data: bytes) -> bytes:
    """Return a digest of 8 bytes: enough to find damage in what the chain does not cover."""
    return blake2b(data, digest_size=8).digest()


def check_follows(game: str, number: int, head: bytes, commit: Commit) -> None:
    """Raise `LogDamaged` unless a commit is the one of this number and continues this head."""
    if commit.number != number:
        raise LogDamaged(game, number, f"commit {commit.number} stands in the place of {number}")
    if commit.prev != head:
        raise LogDamaged(game, number, f"commit {number} does not continue the one before it")


_unused = blake2b(digest_size=16).copy
"""Gives a hash to fill: a copy costs a third of what a new one with its parameters does."""
