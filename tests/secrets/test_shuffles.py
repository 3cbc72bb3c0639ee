"""After the game the disclosed secrets prove each shuffle, and show a bent one (CR 103.3)."""

from collections.abc import Iterator

import msgspec
import pytest

from apnap.actors.emission import SHUFFLE_STRIDE
from apnap.events.game import GameBegan
from apnap.events.ids import NOBODY, DefinitionId, PlayerId
from apnap.events.luck import Luck, commitments_hold, is_shuffled_by
from apnap.events.redaction import redact_entry
from apnap.events.seals import GameSecrets
from apnap.events.zones import LibraryShuffled, SlotCard
from apnap.projections.evolve import evolve
from apnap.projections.state import State
from apnap.projections.trail import Trail
from apnap.replay.opened import RecordedGame
from apnap.replay.verify import Verification, verify_recorded

from .playing import Played, decks_of, play_on, seats_of, sit_down
from .test_non_interference import bent

Cards = list[DefinitionId]


def shuffles_of(played: Played) -> Iterator[tuple[Cards, Cards, int]]:
    """Yield each shuffle of a game: the library before and after it, and its counter."""
    trail = Trail(State())
    for event in (event for commit in played.commits() for event in commit.events()):
        if isinstance(event, LibraryShuffled):
            state = trail.state
            before = [state.objects[name].card for name in state.players[event.player].library]
            after = [slot.card for slot in event.slots if isinstance(slot, SlotCard)]
            yield before, after, state.shuffles * SHUFFLE_STRIDE
        evolve(trail, event)


@pytest.mark.rule("103.3")
@pytest.mark.rule("701.24a")
def test_every_shuffle_is_the_permutation_that_the_secrets_give(recorded: list[Played]) -> None:
    for played in recorded:
        luck = Luck.of(played.secrets)
        proofs = list(shuffles_of(played))
        assert len(proofs) >= played.seats
        for before, after, counter in proofs:
            assert is_shuffled_by(luck, before, after, counter)


def test_other_order_other_counter_and_other_secrets_are_found(recorded: list[Played]) -> None:
    for seed, played in enumerate(recorded):
        luck, other = Luck.of(played.secrets), Luck.of(GameSecrets.from_seed(seed + 1000, 2))
        for before, after, counter in shuffles_of(played):
            if len(after) < 20:
                continue  # few cards may come to lie the same by chance
            place = next(place for place in range(1, len(after)) if after[place] != after[0])
            wrong = [after[place], *after[1:place], after[0], *after[place + 1 :]]
            assert not is_shuffled_by(luck, before, wrong, counter)
            assert not is_shuffled_by(luck, before, after[1:], counter)
            assert not is_shuffled_by(luck, before, after, counter + SHUFFLE_STRIDE)
            assert not is_shuffled_by(other, before, after, counter)


def test_commitments_of_commit_0_hold_for_these_secrets_alone(recorded: list[Played]) -> None:
    for seed, played in enumerate(recorded):
        began = next(played.commits()[0].events())
        assert isinstance(began, GameBegan)
        assert commitments_hold(began, played.secrets)
        assert not commitments_hold(began, GameSecrets.from_seed(seed + 1000, played.seats))
        for seat in seats_of(played):
            nonces = list(played.secrets.seat_nonces)
            nonces[seat] = bytes(32)
            forged = msgspec.structs.replace(played.secrets, seat_nonces=tuple(nonces))
            assert not commitments_hold(began, forged)


def verified(played: Played, seat: PlayerId = NOBODY) -> Verification:
    """Verify a game, as a judge or as a seat has it."""
    entries = tuple(played.entries)
    if seat != NOBODY:
        entries = tuple(redact_entry(entry, seat) for entry in entries)
    secrets = played.secrets.to_bytes() if seat == NOBODY else b""
    definitions = played.definitions.to_records()
    return verify_recorded(RecordedGame("baba", entries, definitions, secrets, seat, {}))


def test_host_that_stacks_a_library_is_found() -> None:
    sitting = sit_down(decks_of(1), 1, bent(0, (0, 40)))
    for _ in play_on(sitting, 1, 30):
        pass
    assert verified(sitting.played).kind == "shuffle"
    # A seat has not the secrets: it sees nothing wrong before they are disclosed.
    assert verified(sitting.played, PlayerId(0)).ok


def test_games_and_seats_logs_verify(recorded: list[Played]) -> None:
    for played in recorded[:3]:
        found = verified(played)
        assert found.ok, found
        for seat in seats_of(played):
            assert verified(played, seat).ok


def test_shuffle_opens_no_deck_list_to_others(recorded: list[Played]) -> None:
    """Who learns the chance secret can check sealed slots, and sees no card by it."""
    for played in recorded:
        for seat in seats_of(played):
            cut = redact_entry(played.entries[0], seat)
            began = next(Played(2, played.secrets, played.definitions, [cut]).commits()[0].events())
            assert isinstance(began, GameBegan)
            own = [began.slot_reader(place) == seat for place in range(len(began.deck_slots))]
            assert [isinstance(slot, SlotCard) for slot in began.deck_slots] == own
