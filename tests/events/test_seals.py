import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apnap.events.codec import decode_entry, encode_commit, read_entry
from apnap.events.commit import Commit, SealAddress
from apnap.events.decisions import PassPriority
from apnap.events.ids import CommitNumber, DefinitionId, ObjectId, PlayerId
from apnap.events.seals import GameSecrets, commitment_of, open_older, salt_of, salter, seal_of
from apnap.events.zones import LibraryShuffled, SlotCard

ALICE = PlayerId(0)
ADDRESSES = st.builds(
    SealAddress, st.integers(0, 999), st.integers(-1, 99), st.integers(0, 3), st.integers(0, 250)
)


def shuffled(*cards: int) -> Commit:
    slots = tuple(SlotCard(DefinitionId(bytes([card]) * 16)) for card in cards)
    event = LibraryShuffled("701.24a", 0, ALICE, ObjectId(1), slots)
    return Commit(CommitNumber(4), PassPriority(ALICE, ALICE, 1), ((event,),), True, bytes(16))


def test_all_secrets_follow_from_a_seed() -> None:
    assert GameSecrets.from_seed(7, 2) == GameSecrets.from_seed(7, 2)
    assert GameSecrets.from_seed(7, 2).seed_given
    one, other = GameSecrets.from_seed(7, 3), GameSecrets.from_seed(8, 3)
    values = [
        value
        for secrets in (one, other)
        for value in (
            secrets.seal,
            secrets.chance,
            secrets.nonce,
            *secrets.agent_seeds,
            *secrets.seat_nonces,
        )
    ]
    assert len(set(values)) == len(values) == 18
    assert GameSecrets.from_seed(-1, 2) != GameSecrets.from_seed(1, 2)


def test_secrets_of_random_bytes_are_not_those_of_a_seed() -> None:
    secrets = GameSecrets.from_entropy(bytes(32), 2)
    assert not secrets.seed_given
    assert secrets.seal != GameSecrets.from_seed(0, 2).seal
    with pytest.raises(AssertionError, match="32 random bytes"):
        GameSecrets.from_entropy(bytes(31), 2)


def test_secrets_are_read_as_they_were_written() -> None:
    secrets = GameSecrets.from_seed(7, 2).branched(5, b"x").with_fresh_luck(9, bytes(32))
    assert GameSecrets.from_bytes(secrets.to_bytes()) == secrets


def test_branch_is_under_its_own_secrets_from_where_it_parts() -> None:
    parent = GameSecrets.from_seed(7, 2)
    branch = parent.branched(5, b"1")
    fresh = branch.with_fresh_luck(9, bytes(32))
    assert [fresh.at(number) for number in (0, 4, 5, 8, 9, 99)] == [
        parent,
        parent,
        branch,
        branch,
        fresh,
        fresh,
    ]
    assert (branch.chance, branch.seat_nonces) == (parent.chance, parent.seat_nonces)
    assert fresh.chance != parent.chance
    nonces = {parent.nonce, branch.nonce, fresh.nonce, parent.branched(5, b"2").nonce}
    assert len(nonces) == 4
    older = [encode_commit(shuffled(1, 2), secrets) for secrets in (parent, branch)]
    assert older[0] == older[1]
    later = msgspec.structs.replace(shuffled(1, 2), number=CommitNumber(5))
    assert encode_commit(later, parent)[1] != encode_commit(later, branch)[1]


@settings(max_examples=200)
@given(ADDRESSES, ADDRESSES, st.integers(0, 5), st.integers(0, 5))
def test_no_two_seals_share_a_salt(
    one: SealAddress, other: SealAddress, seed: int, other_seed: int
) -> None:
    salts = (
        salt_of(GameSecrets.from_seed(seed, 2), one),
        salt_of(GameSecrets.from_seed(other_seed, 2), other),
    )
    assert (salts[0] == salts[1]) == ((one, seed) == (other, other_seed))


def test_salts_of_a_game_never_repeat() -> None:
    secrets = GameSecrets.from_seed(7, 2)
    salts = {
        salter(secrets, commit)(event, field, item)
        for commit in range(30)
        for event in range(-1, 9)
        for field in range(2)
        for item in range(20)
    }
    assert len(salts) == 30 * 10 * 2 * 20


def test_equal_cards_have_different_seals() -> None:
    entry, _ = encode_commit(shuffled(*[1] * 60), GameSecrets.from_seed(7, 2))
    hidden = decode_entry(
        msgspec.msgpack.encode(msgspec.structs.replace(read_entry(entry), openings=()))
    )
    (event,) = hidden.events()
    assert isinstance(event, LibraryShuffled)
    assert len(set(event.slots)) == 60
    assert {len(slot) for slot in event.slots if isinstance(slot, bytes)} == {16}


def test_seals_have_one_shape_whatever_they_hide() -> None:
    bodies = {
        len(read_entry(encode_commit(shuffled(*cards), GameSecrets.from_seed(7, 2))[0]).body)
        for cards in ((1, 2, 3), (9, 9, 9), (0, 255, 128))
    }
    assert len(bodies) == 1


def test_older_opening_opens_the_seal_of_its_slot() -> None:
    secrets = GameSecrets.from_seed(7, 2)
    at = SealAddress(4, 0, 0, 1)
    value = SlotCard(DefinitionId(bytes([2]) * 16))
    opening = open_older(secrets, at, value, (ALICE,))
    entry, _ = encode_commit(shuffled(1, 2), secrets)
    assert seal_of(opening.value, opening.salt) in read_entry(entry).body


def test_commitment_hides_nothing_twice() -> None:
    assert commitment_of(b"a") != commitment_of(b"b")
    assert len(commitment_of(b"a")) == 32
