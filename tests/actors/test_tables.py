"""Tables run on one dispatcher each: any order of delivery, no thread, parked and made anew."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from apnap.actors.dispatcher import Dispatcher
from apnap.actors.live_table import LiveTable
from apnap.actors.shuffling import ShufflingDispatcher
from apnap.events.codec import decode_entry
from apnap.projections.position import Position
from apnap.projections.slot_seals import SlotSeals
from apnap.projections.state import State
from apnap.projections.trail import Trail
from apnap.projections.view import apply_commit

from ..kept import KeptLog
from .conftest import Match

FEW = 6
WANTED_IN_100_GAMES = 1_000
WAITING = 50


class Recording(Dispatcher):
    """Delivers in the plain order, and writes it down."""

    def __init__(self) -> None:
        self.order: list[str] = []
        super().__init__(lambda _number, urn, _message: self.order.append(urn))


class RecordingShuffled(ShufflingDispatcher):
    """Delivers in any order, and writes it down."""

    def __init__(self, seed: int) -> None:
        self.order: list[str] = []
        super().__init__(seed, lambda _number, urn, _message: self.order.append(urn))


def test_any_order_of_delivery_gives_the_same_heads(
    match_of: Callable[..., Match], games: int
) -> None:
    """Random games, each played in the plain order and in a shuffled one (`--games 100`)."""
    count = games or FEW
    choice_points = 0
    for seed in range(count):
        plain = match_of(seed)
        shuffling = ShufflingDispatcher(seed)
        shuffled = match_of(seed, shuffling)
        plain.play()
        shuffled.play()
        assert plain.table.is_over
        assert plain.log.entries == shuffled.log.entries, f"seed {seed}"
        choice_points += shuffling.choice_points
    print(f"{choice_points} choice points in {count} games")
    assert choice_points >= WANTED_IN_100_GAMES * count // 100


def test_the_order_of_delivery_does_vary(match_of: Callable[..., Match]) -> None:
    plain, shuffled = Recording(), RecordingShuffled(1)
    for dispatcher in (plain, shuffled):
        match_of(1, dispatcher).play()
    assert sorted(plain.order) == sorted(shuffled.order)
    assert plain.order != shuffled.order


def test_a_game_of_four_is_the_same_in_any_order(match_of: Callable[..., Match]) -> None:
    plain = match_of(4, players=4)
    shuffled = match_of(4, ShufflingDispatcher(9), 4)
    plain.play(400)
    shuffled.play(400)
    assert plain.log.entries == shuffled.log.entries


def test_waiting_tables_hold_no_thread(match_of: Callable[..., Match]) -> None:
    before = threading.active_count()
    matches = [match_of(seed) for seed in range(WAITING)]
    for match in matches:
        match.play(30)
        assert match.table.prompt is not None
        assert match.table.dispatcher.is_idle
    assert threading.active_count() == before


def test_a_parked_table_has_no_actor_and_is_made_anew_from_its_log(
    match_of: Callable[..., Match],
) -> None:
    match = match_of(8)
    match.play(60)
    asked, head = match.table.prompt, match.table.head
    assert asked is not None
    match.table.park()
    assert not match.table.dispatcher.actors
    assert match.table.dispatcher.is_idle
    anew = _made_anew(match)
    assert anew.prompt == asked
    assert anew.head == head
    _play_on(match, anew)
    other = match_of(8)
    other.play()
    assert anew.head == other.table.head


def test_a_table_changes_threads_between_two_decisions(match_of: Callable[..., Match]) -> None:
    match = match_of(9)
    match.play(40)

    def go_on() -> None:
        match.table.dispatcher.adopt()
        match.play()

    thread = threading.Thread(target=go_on)
    thread.start()
    thread.join()
    match.table.dispatcher.adopt()
    assert match.table.is_over
    other = match_of(9)
    other.play()
    assert match.table.head == other.table.head


@pytest.mark.parametrize("cut", [25, 61, 97, 133])
def test_a_table_made_anew_at_any_moment_asks_the_same(
    match_of: Callable[..., Match], cut: int
) -> None:
    match = match_of(10)
    match.play(cut)
    anew = _made_anew(match)
    assert anew.prompt == match.table.prompt
    assert anew.game.state.to_bytes() == match.new.position.state.to_bytes()
    anew.park()


def _made_anew(match: Match) -> LiveTable:
    """Return a table folded from the log to its last quiescent commit, then run again."""
    commits = [
        decode_entry(entry, match.new.game, number)
        for number, entry in enumerate(match.log.entries)
    ]
    quiet = max(number for number, commit in enumerate(commits) if commit.quiescent)
    trail, seals = Trail(State()), SlotSeals()
    for commit in commits[: quiet + 1]:
        apply_commit(trail, commit)
        seals.follow(commit.number, commit.events())
    position = Position(trail.state, match.new.position.definitions, match.new.position.edition)
    log = KeptLog()
    log.entries = match.log.entries[: quiet + 1]
    table = LiveTable(position, match.new.secrets, log)
    table.go_on(quiet + 1, commits[quiet].digest, seals)
    for commit in commits[quiet + 1 :]:
        assert not isinstance(commit.decision, bytes)
        assert table.decide_as_recorded(commit.decision) is None
    assert log.entries == match.log.entries
    return table


def _play_on(match: Match, table: LiveTable) -> None:
    """Let the match's agents play a table that was made anew to its end."""
    match.table = table
    table.advance()
    match.play()
    assert table.is_over
