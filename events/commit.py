"""A commit: one decision with all that came of it; the unit of the log, in memory and on the wire.

On the wire an entry is an array [body, digest, openings, older openings]. The body is what the
chain covers, and in it each hidden part is a seal. The openings (value and salt of a seal) lie
beside the body, so that a seat's log is made by leaving some out and keeps its head.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from .catalog import AnyEvent
from .decisions import AnyDecision
from .ids import CommitNumber, PlayerId

FORMAT = 1
"""The version of the format that commits are written in."""

DECISION = -1
"""Stands for the decision where the number of an event in its commit is asked for."""


class SealAddress(msgspec.Struct, frozen=True, array_like=True, gc=False, order=True):
    """Where a seal stands: commit, event of it, sealed field of that, and item of a tuple.

    `event` counts over all groups of the commit, and is `DECISION` for the decision; `field` is a
    place in the event's `sealed_fields`; `item` is 0 where the field holds a single value.
    """

    commit: int
    event: int
    field: int
    item: int


class Opening(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What opens a seal of the same commit, and for whom: the value's MessagePack and the salt."""

    event: int
    field: int
    item: int
    readers: tuple[PlayerId, ...]
    value: bytes
    salt: bytes


class OlderOpening(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What opens a seal for who learns it later: a drawn card's library slot.

    It stands in an earlier commit, or earlier in the same one.
    """

    at: SealAddress
    readers: tuple[PlayerId, ...]
    value: bytes
    salt: bytes


class Entry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the store keeps of a commit.

    `older` is empty or the MessagePack of a tuple of `OlderOpening` behind a short digest of it:
    nothing in the body says who may read those.
    """

    body: bytes
    digest: bytes
    openings: tuple[Opening, ...]
    older: bytes = b""


class Commit(msgspec.Struct, frozen=True, gc=False):
    """A decision and the groups of events that came of it, in order.

    The events of a group happened at once. `decision`, like each Secret in the events, is the
    16 bytes of its seal for who may not know it. `prev` is the digest of the commit before (zeros
    for commit 0); `digest` is empty until the commit has been encoded. `quiescent` says that no
    procedure was half-way when it ended.
    """

    number: CommitNumber
    decision: AnyDecision | bytes
    groups: tuple[tuple[AnyEvent, ...], ...]
    quiescent: bool
    prev: bytes
    digest: bytes = b""
    older: tuple[OlderOpening, ...] = ()

    def events(self) -> Iterator[AnyEvent]:
        """Yield the events of all groups in order."""
        for group in self.groups:
            yield from group
