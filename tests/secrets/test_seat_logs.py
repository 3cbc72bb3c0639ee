"""A seat's log: what it folds to, that it verifies to the same head, and what it proves."""

from collections import Counter

import pytest

from apnap.events.codec import check_older, decode_entry, decode_log, seal_at
from apnap.events.commit import SealAddress
from apnap.events.ids import DefinitionId, ObjectId, PlayerId, ZoneKind
from apnap.events.redaction import redact_entry
from apnap.events.seals import GameSecrets, seal_of
from apnap.events.zones import (
    LibraryArranged,
    LibraryShuffled,
    MovedCard,
    NewNames,
    ObjectMoved,
    SlotCard,
)
from apnap.projections.redaction import redact_state
from apnap.projections.slot_seals import SlotSeals
from apnap.projections.state import State
from apnap.projections.trail import Trail
from apnap.projections.view import apply_commit, new_view

from .playing import Played, seats_of

ALICE, BOB = PlayerId(0), PlayerId(1)


def test_folding_a_seats_log_gives_what_it_may_see_of_the_whole(recorded: list[Played]) -> None:
    for seed, played in enumerate(recorded):
        whole = Trail(State())
        views = {seat: new_view(seat) for seat in seats_of(played)}
        for entry in played.entries:
            commit = decode_entry(entry)
            apply_commit(whole, commit)
            whole.forget()
            for seat, view in views.items():
                apply_commit(view, decode_entry(redact_entry(entry, seat)))
                view.forget()
                expected = redact_state(whole.state, seat)
                at = (seed, seat, commit.number)
                assert view.state == expected or view.state.to_bytes() == expected.to_bytes(), at


def test_states_bytes_are_those_of_the_fold_at_the_end(recorded: list[Played]) -> None:
    for played in recorded:
        whole = Trail(State())
        for commit in played.commits():
            apply_commit(whole, commit)
        for seat in seats_of(played):
            view = new_view(seat)
            for entry in played.entries:
                apply_commit(view, decode_entry(redact_entry(entry, seat)))
            assert view.state.to_bytes() == redact_state(whole.state, seat).to_bytes()


def test_seats_logs_verify_to_the_head_of_the_whole(recorded: list[Played]) -> None:
    for played in recorded:
        *_, last = decode_log("baba", enumerate(played.entries))
        for seat in seats_of(played):
            cut = [redact_entry(entry, seat) for entry in played.entries]
            *_, seats_last = decode_log("baba", enumerate(cut))
            assert seats_last.digest == last.digest
            assert [len(entry) for entry in cut] <= [len(entry) for entry in played.entries]


def test_older_openings_fit_in_every_seats_log(recorded: list[Played]) -> None:
    for played in recorded:
        for seat in seats_of(played):
            cut = [redact_entry(entry, seat) for entry in played.entries]
            for entry in cut:
                check_older(decode_entry(entry), cut.__getitem__, "baba")


def test_who_draws_a_card_can_prove_what_the_shuffle_sealed(recorded: list[Played]) -> None:
    proved = Counter[str]()
    for played in recorded:
        for seat in seats_of(played):
            cut = [redact_entry(entry, seat) for entry in played.entries]
            proved += proofs_of_draws(cut, seat)
    assert proved["from the first shuffle"] > 7 * 2 * len(recorded)
    assert proved["after the library was arranged"]


def proofs_of_draws(cut: list[bytes], seat: PlayerId) -> Counter[str]:
    """Check from a seat's own log that each card it drew is one that a shuffle sealed.

    The exceptions are cards that were put into the library since: the seat saw them go there.
    """
    sealed: dict[ObjectId, SealAddress] = {}
    put_back: set[ObjectId] = set()
    proved = Counter[str]()
    has_arranged = False
    for entry in cut:
        commit = decode_entry(entry)
        opened = {opening.at: opening for opening in commit.older}
        for place, event in enumerate(commit.events()):
            match event:
                case LibraryShuffled(player=player) if player == seat:
                    sealed = {
                        ObjectId(event.first_id + item): SealAddress(commit.number, place, 0, item)
                        for item in range(len(event.slots))
                    }
                case LibraryArranged(player=player, secret=secret) if player == seat:
                    assert not isinstance(secret, bytes), "its player can follow"
                    moved = {new: sealed.pop(old, None) for old, new in secret.names}
                    sealed |= {new: at for new, at in moved.items() if at is not None}
                    put_back |= {new for old, new in secret.names if old in put_back}
                    has_arranged = True
                case ObjectMoved(destination=ZoneKind.LIBRARY, player=player) if player == seat:
                    put_back.add(event.becomes)
                case ObjectMoved(origin=ZoneKind.LIBRARY, player=player) if player == seat:
                    at = sealed.pop(event.object, None)
                    if at is None:
                        assert event.object in put_back
                        proved["seen as it was put back"] += 1
                        continue
                    opening = opened[at]
                    card = event.card or card_of(event)
                    assert bytes(card) in opening.value
                    assert seal_of(opening.value, opening.salt) == seal_at(cut[at.commit], at)
                    kind = "after the library was arranged" if has_arranged else ""
                    proved[kind or "from the first shuffle"] += 1
                case _:
                    pass
    return proved


def card_of(event: ObjectMoved) -> bytes:
    """Return the card of a move that the log's seat can read."""
    assert isinstance(event.secret, MovedCard), "who draws a card sees it"
    return event.secret.card


@pytest.mark.rule("103.3")
def test_opening_hands_are_proved_in_the_commit_that_shuffles(recorded: list[Played]) -> None:
    for played in recorded:
        first = decode_entry(played.entries[0])
        own = [opening for opening in first.older if opening.at.commit == 0]
        assert len(own) == 7 * played.seats
        for seat in seats_of(played):
            cut = decode_entry(redact_entry(played.entries[0], seat))
            assert len(cut.older) == 7


def test_openings_tell_nobody_where_cards_went_that_they_could_not_follow() -> None:
    slots = tuple(SlotCard(DefinitionId(bytes([number]) * 16)) for number in range(4))
    shuffled = LibraryShuffled("701.24a", 0, ALICE, ObjectId(10), slots)
    seals = SlotSeals()
    seals.follow(3, (shuffled,))
    swapped = NewNames(((ObjectId(11), ObjectId(14)), (ObjectId(10), ObjectId(15))))
    seals.follow(4, (LibraryArranged("701.18a", 0, ALICE, 2, 0, (ALICE,), swapped),))
    assert openers(seals, ObjectId(14), 1) == {SealAddress(3, 0, 0, 1): (ALICE,)}
    assert openers(seals, ObjectId(12), 2) == {SealAddress(3, 0, 0, 2): (ALICE, BOB)}
    # Everybody can follow a single card that was looked at.
    single = NewNames(((ObjectId(12), ObjectId(16)),))
    seals.follow(5, (LibraryArranged("701.18a", 0, ALICE, 1, 1, (ALICE,), single),))
    assert openers(seals, ObjectId(16), 2) == {SealAddress(3, 0, 0, 2): (ALICE, BOB)}


def openers(
    seals: SlotSeals, slot: ObjectId, number: int
) -> dict[SealAddress, tuple[PlayerId, ...]]:
    """Return which seals are opened, and to whom, as a card is milled from a slot."""
    milled = ObjectMoved(
        "701.13a",
        0,
        slot,
        ZoneKind.LIBRARY,
        ALICE,
        ZoneKind.GRAVEYARD,
        ALICE,
        ObjectId(99),
        DefinitionId(bytes([number]) * 16),
        ALICE,
        -1,
        tapped=False,
        face_down=False,
        readers=(),
        secret=None,
        last_known=None,
        manner="milled",
    )
    found = seals.openings(9, (milled,), GameSecrets.from_seed(1, 2), 2)
    return {opening.at: opening.readers for opening in found}


def test_slots_followed_are_the_same_from_a_snapshot(recorded: list[Played]) -> None:
    for played in recorded:
        whole, again = SlotSeals(), SlotSeals()
        for number, commit in enumerate(played.commits()):
            older = whole.openings(number, commit.events(), played.secrets, played.seats)
            assert older == again.openings(number, commit.events(), played.secrets, played.seats)
            assert older == commit.older
            whole.follow(number, commit.events())
            again.follow(number, commit.events())
            if number % 100 == 0:
                again = SlotSeals.from_bytes(again.to_bytes())
