"""Secrets of a game, and the seals that stand in its log for what not everybody may know.

A seal is the BLAKE2b of a value and a salt. The salt is keyed by the game's seal secret with the
seal's own address, so that no two seals share one and nobody can try values without the key.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from hashlib import blake2b
from typing import Self

import msgspec

from .base import Secret
from .commit import OlderOpening, SealAddress
from .ids import PlayerId

SEAL_SIZE = 16
"""Bytes of a seal, of a salt and of the digest of a commit."""

_ADDRESS = struct.Struct(">qqqq")
_ENCODE = msgspec.msgpack.Encoder().encode

Salter = Callable[[int, int, int], bytes]
"""Gives the salt of the seal at an (event, field, item) of one commit."""


class GameSecrets(msgspec.Struct, frozen=True, array_like=True):
    """What the host of a game keeps to itself: outside the chain, in a judge's export only.

    `seal` keys the salts, `chance` the shuffles; `nonce` belongs to this game or branch;
    `seat_nonces` are what each seat gave to the shuffles, `agent_seeds` the chance of its agent.
    A branch is under its own secrets from commit `since` on and under those of `parent` before.
    """

    seal: bytes
    chance: bytes
    nonce: bytes
    agent_seeds: tuple[bytes, ...]
    seat_nonces: tuple[bytes, ...]
    seed_given: bool
    since: int = 0
    parent: GameSecrets | None = None

    @classmethod
    def from_seed(cls, seed: int, seats: int) -> Self:
        """Return the secrets that follow from a seed given by hand: reproducible, not secret."""
        return cls._derived(b"seed:%d" % seed, seats, seed_given=True)

    @classmethod
    def from_entropy(cls, entropy: bytes, seats: int) -> Self:
        """Return secrets made from random bytes (at least 32) that the caller has drawn."""
        assert len(entropy) >= 32, "secrets need 32 random bytes or more"
        return cls._derived(b"entropy:" + entropy, seats, seed_given=False)

    @classmethod
    def from_bytes(cls, data: bytes) -> GameSecrets:
        """Read what `to_bytes` wrote."""
        return _DECODER.decode(data)

    def to_bytes(self) -> bytes:
        """Return the secrets as MessagePack, for the store."""
        return _ENCODE(self)

    def at(self, commit: int) -> GameSecrets:
        """Return the secrets a commit is under: of a branch's parent before they parted."""
        secrets = self
        while secrets.parent is not None and commit < secrets.since:
            secrets = secrets.parent
        return secrets

    def branched(self, since: int, label: bytes) -> GameSecrets:
        """Return the secrets of a branch with the same luck, whose first own commit is `since`.

        Its nonce is its own: equal salts would show where a hidden card is the same in both.
        """
        nonce = _expand(self.nonce, b"branch:%d:" % since + label, 16)
        return msgspec.structs.replace(self, nonce=nonce, since=since, parent=self)

    def with_fresh_luck(self, since: int, entropy: bytes) -> GameSecrets:
        """Return the secrets of a branch whose luck and seals are its own from `since` on."""
        fresh = self._derived(b"luck:" + entropy, len(self.seat_nonces), seed_given=self.seed_given)
        return msgspec.structs.replace(
            fresh, agent_seeds=self.agent_seeds, since=since, parent=self
        )

    @classmethod
    def _derived(cls, root: bytes, seats: int, *, seed_given: bool) -> Self:
        key = blake2b(root, digest_size=32, person=b"apnap secrets").digest()
        return cls(
            seal=_expand(key, b"seal", 32),
            chance=_expand(key, b"chance", 32),
            nonce=_expand(key, b"nonce", 16),
            agent_seeds=tuple(_expand(key, b"agent:%d" % seat, 32) for seat in range(seats)),
            seat_nonces=tuple(_expand(key, b"seat:%d" % seat, 32) for seat in range(seats)),
            seed_given=seed_given,
        )


def seal_of(value: bytes, salt: bytes) -> bytes:
    """Return the seal of a value's bytes: what stands in the log in its place."""
    hashed = _unused()
    hashed.update(value)
    hashed.update(salt)
    return hashed.digest()


def salter(secrets: GameSecrets, commit: int) -> Salter:
    """Return the function that gives the salts of one commit's seals."""
    under = secrets.at(commit)
    keyed = _keyed(under.seal, under.nonce)
    pack = _ADDRESS.pack

    def salt(event: int, field: int, item: int) -> bytes:
        hashed = keyed()
        hashed.update(pack(commit, event, field, item))
        return hashed.digest()

    return salt


@lru_cache(maxsize=256)
def _keyed(seal: bytes, nonce: bytes) -> Callable[[], blake2b]:
    """Return what gives a hash that has taken in a game's key already."""
    return blake2b(nonce, key=seal, digest_size=SEAL_SIZE).copy


def salt_of(secrets: GameSecrets, at: SealAddress) -> bytes:
    """Return the salt of the seal at an address."""
    return salter(secrets, at.commit)(at.event, at.field, at.item)


def open_older(
    secrets: GameSecrets, at: SealAddress, value: Secret, readers: tuple[PlayerId, ...]
) -> OlderOpening:
    """Return what opens the seal of an earlier commit for those who learn its value now."""
    return OlderOpening(at, readers, _ENCODE(value), salt_of(secrets, at))


def commitment_of(secret: bytes) -> bytes:
    """Return the commitment (32 bytes) to a secret or nonce, which commit 0 holds."""
    return blake2b(secret, digest_size=32, person=b"apnap commitment").digest()


def _expand(key: bytes, label: bytes, size: int) -> bytes:
    return blake2b(label, key=key, digest_size=size, person=b"apnap expand").digest()


_DECODER = msgspec.msgpack.Decoder(GameSecrets)

_unused = blake2b(digest_size=SEAL_SIZE).copy
"""Gives a hash to fill: a copy costs a third of what a new one with its parameters does."""
