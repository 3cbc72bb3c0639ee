"""Any moment of a game can be gone to, forward and back, and is the same each way."""

import pytest

from apnap.events.memory_store import MemoryStore
from apnap.replay.host import GameResult
from apnap.replay.opened import recorded_game
from apnap.replay.timeline import (
    NoSuchMoment,
    Timeline,
    event_at,
    position_at,
    replay_game,
    state_at,
)

Played = tuple[MemoryStore, GameResult]


@pytest.fixture
def timeline(played: Played) -> Timeline:
    """Return the timeline of the short finished game."""
    store, result = played
    return Timeline(recorded_game(store, result.game))


def test_fold_gives_the_state_that_was_played(played: Played) -> None:
    store, result = played
    replayed = replay_game(recorded_game(store, result.game))
    assert (replayed.commits, replayed.events) == (result.commits, result.events)
    assert (replayed.head, replayed.state) == (result.head, result.state)


def test_going_back_gives_the_same_states_as_going_forward(timeline: Timeline) -> None:
    states = [timeline.position.state.to_bytes()]
    while timeline.forward():
        states.append(timeline.position.state.to_bytes())
    for state in reversed(states[:-1]):
        assert timeline.back()
        assert timeline.position.state.to_bytes() == state
    assert not timeline.back()


def test_commits_are_stepped_over_whole(timeline: Timeline) -> None:
    timeline.go_to(10)
    assert (timeline.commit, timeline.is_between_commits) == (10, True)
    before = timeline.position.state.digest()
    assert timeline.next_commit()
    assert timeline.commit == 11
    assert timeline.previous_commit()
    assert (timeline.commit, timeline.position.state.digest()) == (10, before)


def test_event_inside_a_commit_is_a_moment(timeline: Timeline) -> None:
    timeline.go_to(0, 0)
    assert (timeline.commit, timeline.is_between_commits) == (0, False)
    assert timeline.position.state.players[0].hand == []
    timeline.next_commit()
    assert (timeline.commit, timeline.is_between_commits) == (0, True)
    assert len(timeline.position.state.players[0].hand) == 7


def test_moment_is_the_same_however_it_is_reached(played: Played, timeline: Timeline) -> None:
    store, result = played
    timeline.go_to(timeline.last)
    for commit in (50, 3, 77, 20):
        gone_to = timeline.go_to(commit).state.digest()
        assert state_at(store, result.game, commit).state.digest() == gone_to
        assert replay_game(timeline.recorded, commit).state == gone_to.hex()


def test_moment_that_is_not_there_is_told_with_the_last_one(timeline: Timeline) -> None:
    game = timeline.recorded.game
    with pytest.raises(NoSuchMoment, match=f"the last one is {game}@{timeline.last}"):
        timeline.go_to(timeline.last + 1)
    with pytest.raises(NoSuchMoment, match="There is no event 999"):
        timeline.go_to(0, 999)
    with pytest.raises(NoSuchMoment):
        event_at(timeline.recorded, 0, 999)
    assert event_at(timeline.recorded, 0, 0) is not None
    assert position_at(timeline.recorded).state.winners is not None
