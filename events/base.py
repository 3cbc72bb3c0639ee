"""What every event and decision record is made of, and how a hidden part stands in one.

A record is a frozen `msgspec.Struct` written as an array [tag, field, field…]. A tag is never
reused; a field is only ever added at the end, with a default.

A hidden part of an event is a field of type `Secret | bytes`: the value for who may know it, the
seal's digest (16 bytes) for who may not. Who may is said openly in the event's `readers`.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec

from .ids import PlayerId


class Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A fact: what has happened, the rule that made it happen, and what caused it.

    `rule` is a number of the Comprehensive Rules. `cause` is 0 for the decision of this commit,
    else one more than the sequence number (counted over the whole game, from 0) of the event that
    brought this one about.
    """

    rule: str
    cause: int

    sealed_fields: ClassVar[tuple[str, ...]] = ()
    """The fields that hold a Secret, or a tuple of them; each is sealed by itself."""

    def sealed_readers(self) -> tuple[PlayerId, ...]:
        """Return the seats that may know the hidden parts."""
        return ()

    def item_readers(self, index: int) -> tuple[PlayerId, ...]:
        """Return the seats that may know one item of a hidden part that is a tuple."""
        return self.sealed_readers()


class Secret(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The value of a hidden part of an event."""


class Decision(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What a seat decides. Sealed to the seat whole; what of it is public is in the events.

    `seat` answers, for `player` (CR 720: another may control a player); `counter` is the seat's own
    count of decisions, so that one sent twice counts once.
    """

    seat: PlayerId
    player: PlayerId
    counter: int
