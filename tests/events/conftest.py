"""A short log of two seats with every kind of hidden part, and the secrets it is sealed with."""

import pytest

from apnap.events.catalog import AnyEvent
from apnap.events.chain import GENESIS
from apnap.events.codec import encode_commit
from apnap.events.commit import Commit, OlderOpening, SealAddress
from apnap.events.decisions import AnyDecision, BeginGame, KeepHand, PassPriority
from apnap.events.game import GameBegan, HandKept, SeatInfo
from apnap.events.ids import (
    NOBODY,
    NOTHING,
    UNKNOWN_CARD,
    CommitNumber,
    DefinitionId,
    ObjectId,
    PlayerId,
    ZoneKind,
)
from apnap.events.seals import GameSecrets, commitment_of, open_older
from apnap.events.turn import PriorityPassed, StandingPass
from apnap.events.zones import (
    CardsRevealed,
    LibraryShuffled,
    MovedCard,
    NewNames,
    ObjectMoved,
    ObjectsRenamed,
    SeenCards,
    SlotCard,
)

ALICE, BOB = PlayerId(0), PlayerId(1)
Groups = tuple[tuple[AnyEvent, ...], ...]


def card(number: int) -> DefinitionId:
    """Return the digest of a made-up definition."""
    return DefinitionId(bytes([number]) * 16)


def began(secrets: GameSecrets) -> GameBegan:
    """Return the beginning of a game with two cards a deck."""
    seats = tuple(
        SeatInfo(name, 20, 2, commitment_of(nonce))
        for name, nonce in zip(("alice", "bob"), secrets.seat_nonces, strict=True)
    )
    slots = tuple(SlotCard(card(number)) for number in (1, 2, 3, 4))
    chance = commitment_of(secrets.chance)
    return GameBegan("103.1", 0, "2025-02", "duel", seats, slots, b"c", "1", "1", chance, True)


def drawn(seat: PlayerId, slot: int, number: int) -> ObjectMoved:
    """Return that a seat has drawn a card."""
    hand = MovedCard(ObjectId(slot), ObjectId(slot + 20), card(number))
    return ObjectMoved(
        "121.1",
        1,
        NOTHING,
        ZoneKind.LIBRARY,
        seat,
        ZoneKind.HAND,
        seat,
        NOTHING,
        UNKNOWN_CARD,
        NOBODY,
        -1,
        False,
        False,
        (seat,),
        hand,
        None,
    )


@pytest.fixture
def secrets() -> GameSecrets:
    """Return the secrets of the log."""
    return GameSecrets.from_seed(7, 2)


@pytest.fixture
def log(secrets: GameSecrets) -> list[bytes]:
    """Return the entries of a log."""
    shuffled = LibraryShuffled(
        "701.24a", 0, ALICE, ObjectId(5), tuple(map(SlotCard, (card(2), card(1))))
    )
    shown = CardsRevealed(
        "701.20a", 2, BOB, ZoneKind.HAND, (ALICE, BOB), SeenCards(((ObjectId(9), card(3)),))
    )
    names = NewNames(((ObjectId(9), ObjectId(12)),))
    renamed = ObjectsRenamed("400.7", 2, BOB, ZoneKind.HAND, (BOB,), names)
    at = SealAddress(1, 0, 0, 0)
    opened = (open_older(secrets, at, SlotCard(card(2)), (ALICE,)),)
    steps: list[tuple[AnyDecision, Groups, tuple[OlderOpening, ...]]] = [
        (BeginGame(NOBODY, NOBODY, 0), ((began(secrets),),), ()),
        (KeepHand(ALICE, ALICE, 1), ((shuffled,), (HandKept("103.5", 1, ALICE),)), ()),
        (KeepHand(BOB, BOB, 1), ((drawn(ALICE, 5, 2), drawn(BOB, 3, 3)), (shown, renamed)), opened),
        (PassPriority(BOB, BOB, 2, 1), ((PriorityPassed("117.3d", 0, BOB, StandingPass(1)),),), ()),
        (
            PassPriority(ALICE, ALICE, 2),
            ((PriorityPassed("117.3d", 0, ALICE, StandingPass(0)),),),
            (),
        ),
    ]
    entries: list[bytes] = []
    head = GENESIS
    for number, (decision, groups, older) in enumerate(steps):
        commit = Commit(CommitNumber(number), decision, groups, True, head, b"", older)
        entry, head = encode_commit(commit, secrets)
        entries.append(entry)
    return entries
