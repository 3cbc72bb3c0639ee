"""Signatures of a log's heads, by its host and by its seats: they lie beside the chain, not in it.

The chain finds damage; a forger can make it anew. What was signed cannot be made anew without the
private keys, which no export holds. All keys of a data folder follow from one root secret, those of
a game with a seed from a root of its own, so that such a game signs the same bytes in every run.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from hashlib import blake2b

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from .chain import short_digest_of

HOST = -1
"""Signs as the host; a seat signs by its number."""

ROOT_SIZE = 32
"""Bytes of the secret that all keys follow from."""

_STATEMENT = b"apnap signs a head\0"
_WORDS = struct.Struct(">qqqq")
_ENCODE = msgspec.msgpack.Encoder().encode


class PublicKey(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """By what the signatures of a signer are checked; `since` is the first commit it is for.

    A game that goes on in another data folder, or as a branch there, gets further keys.
    """

    signer: int
    since: int
    key: bytes


class Signature(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """That a signer vouches for a log up to a commit: for the digest that is its head there.

    A seat signs the heads it acknowledged. `branch` is the first commit that a branch has of its
    own, 0 in a game that is none: so no branch can be passed off as the game it left.
    """

    signer: int
    commit: int
    head: bytes
    branch: int
    signature: bytes


class Evidence(msgspec.Struct, frozen=True, array_like=True):
    """The public keys and signatures of a game, in the order of their commits."""

    keys: tuple[PublicKey, ...] = ()
    signatures: tuple[Signature, ...] = ()

    def to_bytes(self) -> bytes:
        """Return the evidence behind a digest that finds damage of it."""
        packed = _ENCODE(self)
        return short_digest_of(packed) + packed

    @classmethod
    def from_bytes(cls, data: bytes) -> Evidence:
        """Read what `to_bytes` wrote; a `msgspec.DecodeError` where it is damaged."""
        if short_digest_of(data[8:]) != data[:8]:
            raise msgspec.ValidationError("the signatures do not fit their digest")
        return _DECODER.decode(data[8:])

    def with_more(self, other: Evidence) -> Evidence:
        """Return all that two pieces of evidence hold, each part once."""
        keys = dict.fromkeys((*self.keys, *other.keys))
        signatures = dict.fromkeys((*self.signatures, *other.signatures))
        return Evidence(tuple(keys), tuple(sorted(signatures, key=_place_of)))

    def up_to(self, commit: int) -> Evidence:
        """Return the evidence for the commits up to one: what a branch shares with its parent."""
        return Evidence(
            tuple(key for key in self.keys if key.since <= commit),
            tuple(one for one in self.signatures if one.commit <= commit),
        )

    def is_valid(self, signature: Signature) -> bool:
        """Say whether a signature was made by a key of its signer."""
        keys = (
            key.key
            for key in self.keys
            if key.signer == signature.signer and key.since <= signature.commit
        )
        return any(_fits(key, signature) for key in keys)


class Signers:
    """The private keys of a game's host and seats, made from a root."""

    def __init__(self, root: bytes, names: Sequence[str]) -> None:
        """Make the keys; seats are told apart by their names, which they keep in other games."""
        assert len(root) == ROOT_SIZE, "a root has 32 bytes"
        self._keys = {HOST: _private_key(root, b"host")}
        for seat, name in enumerate(names):
            self._keys[seat] = _private_key(root, b"seat:" + name.encode())

    def public_keys(self, since: int = 0) -> tuple[PublicKey, ...]:
        """Return the public keys, for the commits from `since` on."""
        return tuple(
            PublicKey(signer, since, key.public_key().public_bytes_raw())
            for signer, key in self._keys.items()
        )

    def sign(self, commit: int, head: bytes, branch: int) -> tuple[Signature, ...]:
        """Sign a head by the host and by each seat."""
        return tuple(
            Signature(signer, commit, head, branch, key.sign(_said(signer, commit, head, branch)))
            for signer, key in self._keys.items()
        )


def root_of_seed(seed: int) -> bytes:
    """Return the root of a game with a seed given by hand: reproducible, not secret."""
    return blake2b(b"seed:%d" % seed, digest_size=ROOT_SIZE, person=b"apnap signing").digest()


def _private_key(root: bytes, label: bytes) -> Ed25519PrivateKey:
    made = blake2b(label, key=root, digest_size=32, person=b"apnap key").digest()
    return Ed25519PrivateKey.from_private_bytes(made)


def _fits(key: bytes, signature: Signature) -> bool:
    try:
        said = _said(signature.signer, signature.commit, signature.head, signature.branch)
        Ed25519PublicKey.from_public_bytes(key).verify(signature.signature, said)
    except (InvalidSignature, ValueError, struct.error):  # what was forged may not even be a key
        return False
    return True


def _said(signer: int, commit: int, head: bytes, branch: int) -> bytes:
    """Return what is signed. The head stands for all before it: decks, players and rules too."""
    return _STATEMENT + _WORDS.pack(signer, commit, branch, len(head)) + head


def _place_of(signature: Signature) -> tuple[int, int]:
    return signature.commit, signature.signer


_DECODER = msgspec.msgpack.Decoder(Evidence)
