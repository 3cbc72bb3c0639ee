"""Where the seal of each library slot stands in the log, so that who draws a card can check it.

A shuffle seals what lies in each slot. When somebody learns what is in a slot, as a card leaves it
or is looked at there, they are given what opens that seal: they see that it is the card the shuffle
put there. Where a card went from slot to slot unseen by them they are given nothing: the seal's
place would tell them which card it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

import msgspec

from ..events.catalog import AnyEvent
from ..events.commit import OlderOpening, SealAddress
from ..events.game import PositionArranged
from ..events.ids import DefinitionId, ObjectId, PlayerId, ZoneKind
from ..events.seals import GameSecrets, open_older
from ..events.zones import (
    CardsRevealed,
    LibraryArranged,
    LibraryShuffled,
    MovedCard,
    NewNames,
    ObjectMoved,
    ObjectsRenamed,
    SeenCards,
    SlotCard,
)
from .redaction import is_known, mask_of
from .state import EVERYBODY

_Slot = tuple[SealAddress, int]
"""Where a slot's seal stands, and the bits of the seats that could follow the card since."""

_DECODER = msgspec.msgpack.Decoder(list[tuple[ObjectId, SealAddress, int]])


class SlotSeals:
    """The seal's address of each slot that a shuffle or an arrangement filled, by the slot's id.

    Ids are given once, so a slot that was left keeps its address: the game may go back to it.
    """

    def __init__(self) -> None:
        self._at: dict[ObjectId, _Slot] = {}

    def to_bytes(self) -> bytes:
        """Return the addresses as MessagePack, to be kept with a snapshot."""
        rows = [(slot, at, followers) for slot, (at, followers) in sorted(self._at.items())]
        return msgspec.msgpack.encode(rows)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return what `to_bytes` wrote."""
        seals = cls()
        seals._at = {slot: (at, followers) for slot, at, followers in _DECODER.decode(data)}
        return seals

    def follow(self, number: int, events: Iterable[AnyEvent]) -> None:
        """Take in the events of commit `number`: where shuffles sealed their slots."""
        for place, event in enumerate(events):
            self._follow(number, place, event)

    def openings(
        self, number: int, events: Iterable[AnyEvent], secrets: GameSecrets, seats: int
    ) -> tuple[OlderOpening, ...]:
        """Return what opens the seals of slots for who learns in this commit what is in them.

        A shuffle of the same commit counts: opening hands are drawn in the one that shuffles.
        """
        learning = (ObjectMoved, CardsRevealed)
        listed = tuple(events)
        if not any(isinstance(event, learning) for event in listed):
            return ()
        everybody = tuple(PlayerId(seat) for seat in range(seats))
        ahead = SlotSeals()
        ahead._at = dict(self._at) if any(map(_changes_slots, listed)) else self._at
        found: list[OlderOpening] = []
        for place, event in enumerate(listed):
            for slot, card, readers in _learned(event, everybody):
                found += ahead._opening(slot, card, readers, secrets)
            if ahead._at is not self._at:
                ahead._follow(number, place, event)
        return tuple(found)

    def _opening(
        self,
        slot: ObjectId,
        card: DefinitionId,
        readers: tuple[PlayerId, ...],
        secrets: GameSecrets,
    ) -> Iterator[OlderOpening]:
        if slot not in self._at:
            return
        at, followers = self._at[slot]
        allowed = tuple(seat for seat in readers if is_known(followers, seat))
        if allowed:
            yield open_older(secrets, at, SlotCard(card), allowed)

    def _follow(self, number: int, place: int, event: AnyEvent) -> None:
        match event:
            case LibraryShuffled():
                for item in range(len(event.slots)):
                    slot = ObjectId(event.first_id + item)
                    self._at[slot] = (SealAddress(number, place, 0, item), EVERYBODY)
            case PositionArranged():
                self._take_arranged(number, place, event)
            case ObjectMoved(origin=ZoneKind.LIBRARY):
                left = self._at.get(event.object)
                if left is not None and event.destination == ZoneKind.LIBRARY and event.becomes:
                    self._at[event.becomes] = left
            case LibraryArranged(secret=NewNames(names=names)):
                self._rename(names, mask_of(event.readers))
            case ObjectsRenamed(zone=ZoneKind.LIBRARY, secret=NewNames(names=names)):
                self._rename(names, mask_of(event.readers))
            case _:
                pass

    def _take_arranged(self, number: int, place: int, event: PositionArranged) -> None:
        """Take in where the slots of arranged libraries are sealed; ids are given from 1."""
        hidden = [index for index, placed in enumerate(event.objects) if not placed.card]
        for item, index in enumerate(hidden):
            if event.objects[index].zone == ZoneKind.LIBRARY:
                self._at[ObjectId(1 + index)] = (SealAddress(number, place, 0, item), EVERYBODY)

    def _rename(self, names: tuple[tuple[ObjectId, ObjectId], ...], readers: int) -> None:
        """Follow cards to the slots they lie in now; a single one everybody can follow."""
        if len(names) == 1:
            readers = EVERYBODY
        left = [(new, self._at[old]) for old, new in names if old in self._at]
        for new, (at, followers) in left:
            self._at[new] = (at, followers & readers)


def _changes_slots(event: AnyEvent) -> bool:
    """Whether slots have other seals, or other ids, after the event."""
    kinds = (PositionArranged, LibraryShuffled, LibraryArranged, ObjectsRenamed)
    return isinstance(event, kinds)


def _learned(
    event: AnyEvent, everybody: tuple[PlayerId, ...]
) -> Iterator[tuple[ObjectId, DefinitionId, tuple[PlayerId, ...]]]:
    """Yield which slots' cards become known by an event, and to whom."""
    match event:
        case ObjectMoved(origin=ZoneKind.LIBRARY):
            if isinstance(event.secret, MovedCard):
                yield event.object, event.secret.card, event.readers
            elif event.card:
                yield event.object, event.card, everybody
        case CardsRevealed(zone=ZoneKind.LIBRARY, secret=SeenCards(cards=cards)):
            for slot, card in cards:
                yield slot, card, event.readers
        case _:
            pass
