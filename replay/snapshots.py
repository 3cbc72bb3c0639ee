"""Snapshots: the state at a commit, kept beside the log so that a long game resumes at once.

A snapshot is a cache, compressed to a few hundredths of its log. It carries the head it stands for
and its own digest: one that does not fit is passed over, and the log is folded from its beginning.
"""

from __future__ import annotations

from hashlib import blake2b

import msgspec
import zstandard

from ..events.codec import read_entry
from ..events.store import Store
from ..projections.slot_seals import SlotSeals
from ..projections.state import State

SNAPSHOT_EVERY = 200
"""How many commits may be folded when a game is resumed."""

SNAPSHOT = "snapshot"
"""The name of the blob."""

LEVEL = 5
"""Of zstd: a host that waits for nobody keeps a snapshot in a millisecond."""


class Snapshot(msgspec.Struct, frozen=True, array_like=True):
    """The state after a commit: its number, its digest, the state's bytes and their check.

    `slot_seals` says where the seals of library slots stand in the log.
    """

    commit: int
    head: bytes
    state: bytes
    slot_seals: bytes
    check: bytes


def keep_snapshot(
    store: Store, game: str, commit: int, head: bytes, state: State, seals: SlotSeals
) -> None:
    """Keep the state after a quiescent commit."""
    parts = (state.to_bytes(), seals.to_bytes())
    snapshot = Snapshot(commit, head, *parts, _check_of(commit, head, *parts))
    put_snapshot(store, game, snapshot)


def put_snapshot(store: Store, game: str, snapshot: Snapshot) -> None:
    """Keep a snapshot in the place of an older one."""
    packed = zstandard.ZstdCompressor(level=LEVEL).compress(msgspec.msgpack.encode(snapshot))
    store.put_blob(game, SNAPSHOT, packed)


def last_snapshot(store: Store, game: str, before: int | None = None) -> Snapshot | None:
    """Return the kept snapshot if it fits the log; `before`: only one of an earlier commit."""
    blob = store.get_blob(game, SNAPSHOT)
    if blob is None:
        return None
    try:
        unpacked = zstandard.ZstdDecompressor().decompress(blob)
        found = msgspec.msgpack.decode(unpacked, type=Snapshot)
    except (zstandard.ZstdError, msgspec.DecodeError):
        return None
    if found.check != _check_of(found.commit, found.head, found.state, found.slot_seals):
        return None
    if before is not None and found.commit >= before:
        return None
    entries = [entry for _, entry in store.read(game, found.commit, found.commit + 1)]
    if not entries or read_entry(entries[0]).digest != found.head:
        return None
    return found


def state_in(snapshot: Snapshot) -> State | None:
    """Return the state of a snapshot; None if another version of the program wrote it."""
    try:
        return State.from_bytes(snapshot.state)
    except msgspec.DecodeError:
        return None


def _check_of(commit: int, head: bytes, state: bytes, seals: bytes) -> bytes:
    sizes = b"2:%d:%d:" % (commit, len(state))  # 2: slots that were left keep their seals
    return blake2b(sizes + head + state + seals, digest_size=16).digest()
