"""What a failover takes: a host appends it again, or the log says that it is lost."""

from __future__ import annotations

import msgspec
import pytest

from apnap.events.codec import decode_entry
from apnap.events.decisions import ReportTailLost
from apnap.events.errors import LeaseLost, LogConflict
from apnap.events.ids import NOBODY, CommitNumber, PlayerId
from apnap.events.store import LEASE_MS, Head
from apnap.events.taking_back import TailLost
from apnap.replay.host import HostedGame, host_created
from apnap.replay.lost_tail import hear_heads
from apnap.replay.new_game import HUMAN, create_game
from apnap.replay.resume import resume_game
from apnap.replay.simulation_dice import Clock
from apnap.replay.simulation_store import SimulatedStore
from apnap.replay.simulation_tables import prepared_for
from apnap.replay.verify import verify_game

SEATS = (HUMAN, HUMAN)


@pytest.fixture
def store() -> SimulatedStore:
    """A store with a replica."""
    return SimulatedStore(Clock())


@pytest.fixture
def hosted(store: SimulatedStore) -> HostedGame:
    """A short game that people play."""
    prepared = msgspec.structs.replace(prepared_for("short", 2), agents=SEATS)
    return host_created(store, create_game(store, prepared, 3))


def answer(hosted: HostedGame, times: int = 1) -> list[Head]:
    """Take the first option so many times; return the heads that the seats are told."""
    told = []
    for _ in range(times):
        assert hosted.prompt is not None
        assert hosted.decide(hosted.prompt.suggest(hosted.position)) is None
        told.append(head_of(hosted))
    return told


def head_of(hosted: HostedGame) -> Head:
    return Head(hosted.table.commits - 1, hosted.table.head)


def taken_over(store: SimulatedStore, game: str) -> HostedGame:
    """Let another host take the game over once the lease is over."""
    store.clock.advance(LEASE_MS + 1)
    return resume_game(store, game, SEATS)


def losses(store: SimulatedStore, game: str) -> list[TailLost]:
    commits = [decode_entry(entry) for _, entry in store.read(game)]
    return [event for one in commits for event in one.events() if isinstance(event, TailLost)]


@pytest.mark.parametrize("lost", [1, 3, 6])
def test_a_host_appends_its_tail_again(
    store: SimulatedStore, hosted: HostedGame, lost: int
) -> None:
    told = answer(hosted, 6)
    store.fail_over(lost)
    assert store.head(hosted.game).number == told[-1].number - lost
    told += answer(hosted)
    assert [head.digest for head in told] == [
        commit.digest for commit in store.entries(hosted.game)[1:]
    ]
    assert verify_game(store, hosted.game).ok


def test_a_host_that_is_closed_appends_its_tail_again(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    told = answer(hosted, 4)
    store.fail_over(2)
    hosted.close()
    assert store.head(hosted.game) == told[-1]
    assert store.holder(hosted.game) is None


def test_a_host_takes_a_lease_again_that_a_failover_forgot(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    answer(hosted, 2)
    hosted.close()
    store.catch_up()
    other = resume_game(store, hosted.game, SEATS)
    told = answer(other, 2)
    store.fail_over(3)  # also that the other host had the lease
    assert store.holder(hosted.game) is None
    told += answer(other)
    assert store.head(hosted.game) == told[-1]


def test_a_host_does_not_write_where_another_has_taken_over(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    answer(hosted, 3)
    store.fail_over(2)
    other = taken_over(store, hosted.game)
    with pytest.raises(LeaseLost):
        answer(hosted)
    answer(other)


def test_a_host_that_found_more_than_there_is_says_so(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    answer(hosted, 3)
    other = taken_over(store, hosted.game)
    store.catch_up()
    other.close()
    last = taken_over(store, hosted.game)
    store.entries(hosted.game).pop()
    with pytest.raises(LogConflict):
        last.close()


def test_what_is_lost_for_good_stands_in_the_log_and_seats_are_told(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    told = [head_of(hosted), *answer(hosted, 4)]
    store.fail_over(2)
    other = taken_over(store, hosted.game)
    (report,) = hear_heads(other, told)
    assert (report.kept, report.last, report.head) == (2, 4, told[-1].digest)
    assert losses(store, hosted.game) == [
        TailLost("100.6", 0, report.kept, report.last, report.head)
    ]
    assert hear_heads(other, told) == ()
    answer(other, 3)
    assert verify_game(store, hosted.game).ok


def test_seats_that_were_told_nothing_that_is_lost_change_nothing(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    told = [head_of(hosted), *answer(hosted, 4)]
    other = taken_over(store, hosted.game)
    assert hear_heads(other, told) == ()
    assert hear_heads(other, told[:2]) == ()
    assert hear_heads(other, []) == ()
    assert head_of(other) == told[-1]


def test_a_loss_of_which_the_record_is_lost_is_recorded_again(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    told = [head_of(hosted), *answer(hosted, 4)]
    store.fail_over(2)
    other = taken_over(store, hosted.game)
    hear_heads(other, told)
    after = [head_of(other)]
    store.fail_over(1)
    third = taken_over(store, hosted.game)
    reports = hear_heads(third, [*told, *after], ends=[told[-1]])
    assert [report.head for report in reports] == [told[-1].digest]
    assert len(losses(store, hosted.game)) == 1
    assert head_of(third) == after[-1]  # the same record, so the same commit


def test_a_loss_is_recorded_also_where_the_game_has_ended(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    while not hosted.is_over:
        told = answer(hosted)
    hosted.close()
    other = resume_game(store, hosted.game, SEATS)
    beyond = Head(told[-1].number + 1, b"d" * 16)
    assert len(hear_heads(other, [*told, beyond])) == 1
    assert other.is_over
    assert verify_game(store, hosted.game).ok


@pytest.mark.parametrize(
    ("seat", "kept", "last", "head"),
    [
        (0, 1, 3, b"d" * 16),
        (NOBODY, 1, 3, b"short"),
        (NOBODY, 3, 3, b"d" * 16),
        (NOBODY, 99, 100, b"d" * 16),
        (NOBODY, -2, 3, b"d" * 16),
    ],
)
def test_only_the_host_reports_a_loss_and_only_one_that_can_be(
    hosted: HostedGame, seat: int, kept: int, last: int, head: bytes
) -> None:
    answer(hosted, 2)
    before = head_of(hosted)
    who = (PlayerId(seat), PlayerId(seat), 0)
    assert hosted.decide(ReportTailLost(*who, CommitNumber(kept), CommitNumber(last), head))
    assert head_of(hosted) == before


def test_signatures_of_what_is_lost_are_explained_by_those_who_say_so(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    told = [head_of(hosted), *answer(hosted, 4)]
    hosted.vouch()
    name = f"evidence:{told[-1].number:09d}"
    signed = store.get_blob(hosted.game, name)
    assert signed is not None
    store.fail_over(2)
    other = taken_over(store, hosted.game)
    store.put_blob(hosted.game, name, signed)  # the host sent it before, and it came late
    assert verify_game(store, hosted.game).kind == "cut"
    hear_heads(other, told)
    assert verify_game(store, hosted.game).ok
    answer(other, 3)
    assert verify_game(store, hosted.game).ok


def test_a_loss_that_nobody_vouches_for_explains_no_signature(
    store: SimulatedStore, hosted: HostedGame
) -> None:
    answer(hosted, 4)
    hosted.vouch()
    last = head_of(hosted)
    name = f"evidence:{last.number:09d}"
    signed = store.get_blob(hosted.game, name)
    assert signed is not None
    store.fail_over(2)
    other = taken_over(store, hosted.game)
    store.put_blob(hosted.game, name, signed)
    kept = CommitNumber(last.number - 2)
    report = ReportTailLost(NOBODY, NOBODY, 0, kept, CommitNumber(last.number), last.digest)
    assert other.decide(report) is None
    answer(other, 3)
    assert verify_game(store, hosted.game).kind == "forged"
