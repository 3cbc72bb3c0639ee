"""Where the seal of each library slot stands in the log, so that who draws a card can check it.

A shuffle seals what lies in each slot. When a card leaves its slot, whoever learns it is given
what opens that seal: they see that it is the card the shuffle put there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

import msgspec

from ..events.catalog import AnyEvent
from ..events.commit import OlderOpening, SealAddress
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.seals import GameSecrets, open_older
from ..events.zones import LibraryShuffled, MovedCard, ObjectMoved, SlotCard

_DECODER = msgspec.msgpack.Decoder(list[tuple[ObjectId, SealAddress]])


class SlotSeals:
    """The seal's address of each slot that a shuffle filled, by the slot's id."""

    def __init__(self) -> None:
        self._at: dict[ObjectId, SealAddress] = {}

    def to_bytes(self) -> bytes:
        """Return the addresses as MessagePack, to be kept with a snapshot."""
        return msgspec.msgpack.encode(sorted(self._at.items()))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return what `to_bytes` wrote."""
        seals = cls()
        seals._at = dict(_DECODER.decode(data))
        return seals

    def follow(self, number: int, events: Iterable[AnyEvent]) -> None:
        """Take in the events of commit `number`: where shuffles sealed their slots."""
        for place, event in enumerate(events):
            if isinstance(event, LibraryShuffled):
                for item in range(len(event.slots)):
                    slot = ObjectId(event.first_id + item)
                    self._at[slot] = SealAddress(number, place, 0, item)
            elif isinstance(event, ObjectMoved) and event.origin == ZoneKind.LIBRARY:
                self._at.pop(event.object, None)

    def openings(
        self, number: int, events: Iterable[AnyEvent], secrets: GameSecrets, seats: int
    ) -> tuple[OlderOpening, ...]:
        """Return what opens earlier commits' seals for who learns cards that leave a library."""
        return tuple(self._openings(number, events, secrets, seats))

    def _openings(
        self, number: int, events: Iterable[AnyEvent], secrets: GameSecrets, seats: int
    ) -> Iterator[OlderOpening]:
        for event in events:
            if not isinstance(event, ObjectMoved) or event.origin != ZoneKind.LIBRARY:
                continue
            at = self._at.get(event.object)
            if at is None or at.commit == number:
                continue
            if isinstance(event.secret, MovedCard):
                yield open_older(secrets, at, SlotCard(event.secret.card), event.readers)
            elif event.card:
                everybody = tuple(PlayerId(seat) for seat in range(seats))
                yield open_older(secrets, at, SlotCard(event.card), everybody)
