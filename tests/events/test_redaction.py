import msgspec
import pytest

from apnap.events.codec import decode_entry, decode_log, encode_commit, is_open, read_entry
from apnap.events.commit import Commit
from apnap.events.decisions import ChooseObjects, PassPriority
from apnap.events.game import GameBegan
from apnap.events.ids import CommitNumber, DefinitionId, ObjectId, PlayerId
from apnap.events.redaction import blanked, redact_commit, redact_entry
from apnap.events.seals import GameSecrets
from apnap.events.turn import PriorityPassed, StandingPass
from apnap.events.zones import LibraryShuffled, MovedCard, ObjectMoved, SlotCard

ALICE, BOB, CAROL = PlayerId(0), PlayerId(1), PlayerId(2)


def card(number: int) -> DefinitionId:
    return DefinitionId(bytes([number]) * 16)


def test_seats_log_has_the_head_of_the_whole_log(log: list[bytes]) -> None:
    heads = {
        [commit.digest for commit in decode_log("baba", enumerate(entries))][-1]
        for entries in (
            log,
            [redact_entry(entry, ALICE) for entry in log],
            [redact_entry(entry, CAROL) for entry in log],
        )
    }
    assert len(heads) == 1


def test_seats_log_holds_no_value_that_it_may_not_know(log: list[bytes]) -> None:
    alice = b"".join(redact_entry(entry, ALICE) for entry in log)
    bob = b"".join(redact_entry(entry, BOB) for entry in log)
    carol = b"".join(redact_entry(entry, CAROL) for entry in log)
    # Alice's deck is cards 1 and 2, Bob's 3 and 4; Bob showed card 3 to Alice.
    assert [bytes(card(number)) in alice for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert [bytes(card(number)) in bob for number in (1, 2, 3, 4)] == [False, False, True, True]
    assert [bytes(card(number)) in carol for number in (1, 2, 3, 4)] == [False] * 4


def test_deck_is_open_to_its_player_and_its_order_to_nobody(log: list[bytes]) -> None:
    (began,) = decode_entry(redact_entry(log[0], ALICE)).events()
    assert isinstance(began, GameBegan)
    assert [isinstance(slot, SlotCard) for slot in began.deck_slots] == [True, True, False, False]
    shuffled = next(decode_entry(redact_entry(log[1], ALICE)).events())
    assert isinstance(shuffled, LibraryShuffled)
    assert all(isinstance(slot, bytes) for slot in shuffled.slots)
    assert is_open(decode_entry(log[1]))


def test_seat_learns_the_older_seal_of_the_card_it_draws(log: list[bytes]) -> None:
    assert len(decode_entry(redact_entry(log[2], ALICE)).older) == 1
    assert decode_entry(redact_entry(log[2], BOB)).older == ()
    assert read_entry(redact_entry(log[2], BOB)).older == b""


def test_standing_pass_and_decision_are_its_seats_own(log: list[bytes]) -> None:
    for seat, known in ((ALICE, False), (BOB, True)):
        commit = decode_entry(redact_entry(log[3], seat))
        (passed,) = commit.events()
        assert isinstance(passed, PriorityPassed)
        assert isinstance(passed.secret, StandingPass) is known
        assert isinstance(commit.decision, PassPriority) is known


def test_cutting_twice_changes_nothing_more(log: list[bytes]) -> None:
    for entry in log:
        cut = redact_entry(entry, ALICE)
        assert redact_entry(cut, ALICE) == cut
        assert not decode_entry(redact_entry(cut, BOB)).older


def test_commit_is_redacted_as_its_entry_is(log: list[bytes], secrets: GameSecrets) -> None:
    for entry in log:
        commit = decode_entry(entry)
        for seat in (ALICE, BOB, CAROL):
            assert redact_commit(commit, seat, secrets) == decode_entry(redact_entry(entry, seat))


def drawn(number: int, chosen: int) -> Commit:
    """Return that Alice chose a card of her hand and drew one."""
    event = ObjectMoved(
        "121.1",
        1,
        object=ObjectId(0),
        origin=1,  # type: ignore[arg-type] # as it stands on the wire
        origin_player=ALICE,
        destination=2,  # type: ignore[arg-type] # likewise
        player=ALICE,
        becomes=ObjectId(0),
        card=DefinitionId(b""),
        controller=PlayerId(-1),
        position=-1,
        tapped=False,
        face_down=False,
        readers=(ALICE,),
        secret=MovedCard(ObjectId(5), ObjectId(9), card(number)),
        last_known=None,
    )
    decision = ChooseObjects(ALICE, ALICE, 4, (ObjectId(chosen),) * chosen)
    return Commit(CommitNumber(6), decision, ((event,),), True, bytes(16))


@pytest.mark.parametrize("seat", [BOB, CAROL])
def test_what_a_seat_cannot_know_changes_nothing_for_it_but_seals(seat: PlayerId) -> None:
    seen = {
        blanked(redact_entry(encode_commit(commit, GameSecrets.from_seed(seed, 2))[0], seat))
        for seed in (1, 2)
        for commit in (drawn(1, 1), drawn(2, 1), drawn(1, 200))
    }
    assert len(seen) == 1


def test_what_a_seat_knows_is_left_when_seals_are_blanked() -> None:
    entries = [
        blanked(redact_entry(encode_commit(commit, GameSecrets.from_seed(seed, 2))[0], ALICE))
        for seed, commit in ((1, drawn(1, 1)), (2, drawn(1, 1)), (1, drawn(2, 1)))
    ]
    assert entries[0] == entries[1]
    assert entries[0] != entries[2]
    opened = msgspec.msgpack.decode(entries[0])[2]
    assert {salt for *_, salt in opened} == {bytes(16)}
