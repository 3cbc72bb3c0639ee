"""A game that begins in an arranged position hides as much as any other (CR 400.2, 708.5)."""

import pytest

from apnap.events.codec import check_older, decode_entry
from apnap.events.game import PositionArranged, with_hidden_sealed
from apnap.events.ids import PlayerId
from apnap.events.redaction import blanked, redact_entry
from apnap.events.zones import ObjectMoved
from apnap.projections.redaction import redact_state
from apnap.projections.state import State
from apnap.projections.trail import Trail
from apnap.projections.view import apply_commit, new_view

from .arranging import sit_at
from .playing import definition_of, play_on, seats_of
from .witness import Witness

SEEDS = range(6)
ALICE, BOB = PlayerId(0), PlayerId(1)


HANDS = (("Deep Look", "Unsummon", "Opt"), ("Doom Blade", "Under the Books"))


@pytest.mark.parametrize("seed", SEEDS)
def test_arranged_game_folds_to_what_each_seat_may_see(seed: int) -> None:
    sitting = sit_at(seed, HANDS)
    for _ in play_on(sitting, seed, 120):
        pass
    whole, witness = Trail(State()), Witness(2)
    views = {seat: new_view(seat) for seat in seats_of(sitting.played)}
    records = sitting.played.definitions.to_records()
    for entry in sitting.played.entries:
        commit = decode_entry(entry)
        apply_commit(whole, commit)
        for event in commit.events():
            witness.take(event)
        for seat, view in views.items():
            cut = redact_entry(entry, seat)
            apply_commit(view, decode_entry(cut))
            assert view.state.to_bytes() == redact_state(whole.state, seat).to_bytes()
            assert {digest for digest in records if digest in cut} <= witness.seen[seat]


def test_arranged_hands_libraries_and_face_down_cards_are_sealed() -> None:
    sitting = sit_at(1, HANDS)
    names = {
        bytes(sitting.played.definitions.add(definition_of(name))): name
        for name in ("Deep Look", "Doom Blade", "Craw Wurm", "Serra Angel", "Island", "Worn Path")
    }
    (entry,) = sitting.played.entries
    held = {
        seat: {name for digest, name in names.items() if digest in redact_entry(entry, seat)}
        for seat in (ALICE, BOB)
    }
    assert held[ALICE] == {"Deep Look", "Craw Wurm", "Island"}
    assert held[BOB] == {"Doom Blade", "Serra Angel", "Island"}


def test_other_seats_get_the_same_bytes_whatever_is_hidden() -> None:
    other = (("Opt", "Mind Wipe", "Opt"), HANDS[1])
    one, two = (sit_at(1, hands).played.entries[0] for hands in (HANDS, other))
    assert blanked(redact_entry(one, BOB)) == blanked(redact_entry(two, BOB))
    assert blanked(redact_entry(one, ALICE)) != blanked(redact_entry(two, ALICE))


def test_sealing_an_arrangement_twice_changes_nothing_more() -> None:
    event = next(decode_entry(sit_at(1, HANDS).played.entries[0]).events())
    assert isinstance(event, PositionArranged)
    assert with_hidden_sealed(event) == event


def test_who_draws_from_an_arranged_library_can_check_the_card() -> None:
    sitting = sit_at(3, (("Opt",), ()))
    for _ in play_on(sitting, 3, 60):
        pass
    entries = sitting.played.entries
    drawn = 0
    for entry in entries:
        commit = decode_entry(entry)
        check_older(commit, entries.__getitem__, "baba")
        moves = [
            event
            for event in commit.events()
            if isinstance(event, ObjectMoved) and event.manner == "drawn"
        ]
        assert len(commit.older) >= len(moves)
        drawn += len(moves)
    assert drawn
