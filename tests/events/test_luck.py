from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apnap.events.catalog import AnyEvent
from apnap.events.codec import decode_entry
from apnap.events.game import GameBegan
from apnap.events.luck import Luck, commitments_hold, is_shuffled_by, permutation_draws
from apnap.events.seals import GameSecrets

LUCK = Luck.of(GameSecrets.from_seed(7, 2))


@given(st.integers(1, 2**64), st.integers(0, 2**40))
def test_draw_is_below_its_bound_and_uses_one_counter(n: int, counter: int) -> None:
    value, after = LUCK.draw_below(n, counter)
    assert 0 <= value < n
    assert after == counter + 1
    assert LUCK.draw_below(n, counter) == (value, after)


def test_draw_that_is_rejected_still_uses_one_counter() -> None:
    almost_half = 2**63 + 1  # nearly every second word must be rejected
    drawn = [LUCK.draw_below(almost_half, counter) for counter in range(400)]
    assert [after for _, after in drawn] == list(range(1, 401))
    assert all(value < almost_half for value, _ in drawn)
    low = sum(value < almost_half // 2 for value, _ in drawn)
    assert 150 < low < 250


def test_draws_are_even() -> None:
    counts = Counter(LUCK.draw_below(6, counter)[0] for counter in range(12_000))
    assert sorted(counts) == list(range(6))
    assert sum((count - 2000) ** 2 for count in counts.values()) // 2000 < 25  # chi², 5 degrees


def test_orders_of_three_are_even() -> None:
    counts = Counter(LUCK.permutation(3, 2 * number)[0] for number in range(6_000))
    assert len(counts) == 6
    assert sum((count - 1000) ** 2 for count in counts.values()) // 1000 < 25


@given(st.integers(0, 120), st.integers(0, 2**40))
def test_permutation_has_each_place_once(n: int, counter: int) -> None:
    order, after = LUCK.permutation(n, counter)
    assert sorted(order) == list(range(n))
    assert after == counter + permutation_draws(n)


def test_nothing_can_be_drawn_below_one() -> None:
    with pytest.raises(AssertionError, match="below 0"):
        LUCK.draw_below(0, 1)


def test_every_nonce_and_the_secret_count() -> None:
    streams = [
        Luck(b"s", (b"a", b"b")),
        Luck(b"t", (b"a", b"b")),
        Luck(b"s", (b"b", b"a")),
        Luck(b"s", (b"ab",)),
        Luck(b"s", (b"a", b"b", b"")),
    ]
    assert len({stream.permutation(30, 0)[0] for stream in streams}) == 5


def test_stream_is_the_same_in_every_version() -> None:
    luck = Luck.of(GameSecrets.from_seed(1, 2))
    assert luck.permutation(10, 5)[0] == PINNED


@pytest.mark.rule("701.24a")
def test_shuffle_is_proved_as_the_permutation_of_the_stream() -> None:
    before = [f"card {number}" for number in range(40)]
    order, _ = LUCK.permutation(40, 11)
    after = [before[place] for place in order]
    assert is_shuffled_by(LUCK, before, after, 11)
    assert not is_shuffled_by(LUCK, before, after, 12)
    assert not is_shuffled_by(LUCK, before, [*after[1:], after[0]], 11)
    assert not is_shuffled_by(LUCK, before, after[1:], 11)


def test_disclosed_secrets_are_those_committed_to(log: list[bytes], secrets: GameSecrets) -> None:
    began: AnyEvent = next(decode_entry(log[0]).events())
    assert isinstance(began, GameBegan)
    assert commitments_hold(began, secrets)
    assert commitments_hold(began, secrets.branched(3, b"x").with_fresh_luck(4, bytes(32)))
    assert not commitments_hold(began, GameSecrets.from_seed(8, 2))
    bent = msgspec.structs.replace(secrets, seat_nonces=(secrets.seat_nonces[0], b"bent"))
    assert not commitments_hold(began, bent)


PINNED = (5, 6, 4, 9, 1, 7, 0, 3, 8, 2)
