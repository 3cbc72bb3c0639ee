"""A game begins, players keep hands, lose, leave, win (CR 103, 104, 800.4)."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from .base import Event
from .ids import (
    HIDDEN_ZONES,
    UNKNOWN_CARD,
    DefinitionId,
    ObjectId,
    PlayerId,
    Step,
    ZoneKind,
)
from .zones import LastKnown, SlotCard


class SeatInfo(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A seat as the game begins: its name, life total and the commitments to its chance.

    `nonce_commitment` is the digest of the nonce the seat gave to the shuffles.
    """

    name: str
    life: int
    deck_size: int
    nonce_commitment: bytes


class GameBegan(Event, frozen=True, tag=80):
    """Commit 0: all a game depends on (CR 103).

    `decks` holds each player's cards in deck order, slot by slot, one player after another; a slot
    is sealed to its player. Slots take ids from 1 in order. `cards` is the digest of the card files
    as a whole, `compiler` and `engine` are versions.
    """

    edition: str
    variant: str
    players: tuple[SeatInfo, ...]
    deck_slots: tuple[SlotCard | bytes, ...]
    cards: bytes
    compiler: str
    engine: str
    host_commitment: bytes
    seed_given: bool
    format: str = "casual"

    sealed_fields: ClassVar[tuple[str, ...]] = ("deck_slots",)

    def item_readers(self, index: int) -> tuple[PlayerId, ...]:
        """Return who may know the card of a slot: the player whose deck holds it."""
        return (self.slot_reader(index),)

    def slot_reader(self, index: int) -> PlayerId:
        """Return the player whose deck holds the slot."""
        for player, seat in enumerate(self.players):
            if index < seat.deck_size:
                return PlayerId(player)
            index -= seat.deck_size
        msg = f"deck slot {index} lies beyond the last deck"
        raise AssertionError(msg)


class StartingPlayerChosen(Event, frozen=True, tag=81):
    """It was determined who takes the first turn (CR 103.1)."""

    player: PlayerId


class MulliganTaken(Event, frozen=True, tag=82):
    """A player took a mulligan (CR 103.5): the hand goes back and as many cards are drawn."""

    player: PlayerId


class HandKept(Event, frozen=True, tag=83):
    """A player kept the opening hand (CR 103.5)."""

    player: PlayerId


class MulliganDeclared(Event, frozen=True, tag=84):
    """A player said they will take a mulligan in this round (CR 103.5)."""

    player: PlayerId


class OpeningHandsDone(Event, frozen=True, tag=85):
    """All players keep their hands; the game proper begins (CR 103.8)."""


class ChoiceMade(Event, frozen=True, tag=86):
    """A player chose while a spell or ability resolved or a cost was paid (CR 608.2d).

    `objects` and `players` are what was chosen; `number` is the number chosen or how many objects
    were, 1 for yes, 0 for no.
    """

    player: PlayerId
    objects: tuple[ObjectId, ...]
    players: tuple[PlayerId, ...]
    number: int


class PlayerLost(Event, frozen=True, tag=87):
    """A player lost the game (CR 104.3), by life, library, poison, effect or concession."""

    player: PlayerId
    reason: str


class PlayerLeft(Event, frozen=True, tag=88):
    """A player left the game (CR 800.4a) with all objects they own.

    `last_known` is what their permanents and spells were, for who looks back (CR 113.7a, 603.10a).
    """

    player: PlayerId
    last_known: tuple[tuple[ObjectId, LastKnown], ...] = ()


class GameEnded(Event, frozen=True, tag=89):
    """The game ended (CR 104.1): `winners` won it, none in a draw (CR 104.4)."""

    winners: tuple[PlayerId, ...]
    reason: str


class PlacedObject(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An object of an arranged position; it takes the next id, on the battlefield a timestamp.

    `attached` is the place in the arrangement, from 1, of what it is attached to (0: nothing).
    """

    zone: ZoneKind
    owner: PlayerId
    controller: PlayerId
    card: DefinitionId
    tapped: bool
    sick: bool
    face_down: bool
    counters: tuple[tuple[str, int], ...]
    attached: int
    attached_player: PlayerId
    is_token: bool


class PlacedPlayer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A player of an arranged position: life, pool and counters."""

    name: str
    life: int
    pool: str
    counters: tuple[tuple[str, int], ...]
    any_mana: bool


class PositionArranged(Event, frozen=True, tag=90):
    """A scenario's position was set up; libraries from the top, the battlefield oldest first.

    `hidden` are the cards of the objects whose `card` is empty, in their order: those in hands and
    libraries and those face down, each sealed to who may look at it.
    """

    edition: str
    variant: str
    players: tuple[PlacedPlayer, ...]
    objects: tuple[PlacedObject, ...]
    active: PlayerId
    step: Step
    turn: int
    keep_order: bool
    hidden: tuple[SlotCard | bytes, ...] = ()

    sealed_fields: ClassVar[tuple[str, ...]] = ("hidden",)

    def item_readers(self, index: int) -> tuple[PlayerId, ...]:
        """Return who may know the card of the hidden object of that number."""
        hidden = [placed for placed in self.objects if not placed.card]
        placed = hidden[index] if index < len(hidden) else None
        if placed is None or placed.zone == ZoneKind.LIBRARY:
            return ()
        return (placed.owner if placed.zone == ZoneKind.HAND else placed.controller,)


def with_hidden_sealed(event: PositionArranged) -> PositionArranged:
    """Return the arrangement with the cards that not everybody may see in its sealed part."""
    if event.hidden:
        return event
    hides = [is_hidden(placed) for placed in event.objects]
    return msgspec.structs.replace(
        event,
        objects=tuple(
            msgspec.structs.replace(placed, card=UNKNOWN_CARD) if hidden else placed
            for placed, hidden in zip(event.objects, hides, strict=True)
        ),
        hidden=tuple(
            SlotCard(placed.card)
            for placed, hidden in zip(event.objects, hides, strict=True)
            if hidden
        ),
    )


def is_hidden(placed: PlacedObject) -> bool:
    """Say whether not every player may see which card an arranged object is (CR 400.2, 708.5)."""
    return placed.zone in HIDDEN_ZONES or placed.face_down


GameEvent = (
    GameBegan
    | StartingPlayerChosen
    | MulliganTaken
    | HandKept
    | MulliganDeclared
    | OpeningHandsDone
    | ChoiceMade
    | PlayerLost
    | PlayerLeft
    | GameEnded
    | PositionArranged
)
