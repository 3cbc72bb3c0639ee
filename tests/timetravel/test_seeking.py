"""Any moment of a game is shown as it was when it was played, however one comes to it.

`--games N` plays N games between the real decks, without it three between the built-in ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from random import Random

import msgspec
import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cards.pool import CardPool
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.redaction import redact_entry
from apnap.events.taking_back import TakenBack
from apnap.projections.redaction import redact_state
from apnap.replay.moments import MOMENT_EVERY
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import recorded_game
from apnap.replay.session import new_game
from apnap.replay.timeline import Timeline, position_at

from .conftest import NotingSink, Played

GAMES_IN_CI = 3
SEEKS = 60


def games_played(
    games: int, play: Callable[..., Played], request: pytest.FixtureRequest
) -> Iterator[Played]:
    """Yield so many games between the real decks, else a few between the built-in ones."""
    if not games:
        for seed in range(GAMES_IN_CI):
            setup = GameSetup(decks=BUILTIN_DECKS[:2], agents=("random", "greedy"))
            yield play(setup, seed)
        return
    shared: Path = request.getfixturevalue("shared")
    decks = sorted(str(path) for path in (shared / "decks" / "skeleton").glob("*.dck"))
    pool = CardPool.load([shared / "cards" / "oracle-cards.jsonl.gz"])
    pairs = list(combinations(decks, 2))
    for seed in range(games):
        setup = GameSetup(decks=pairs[seed % len(pairs)], agents=("random", "greedy"))
        yield play(setup, seed, pool)


def test_each_moment_is_as_it_was_played_forward_backward_and_at_random(
    games: int, play: Callable[..., Played], request: pytest.FixtureRequest
) -> None:
    for number, game in enumerate(games_played(games, play, request)):
        timeline = Timeline(game.recorded)
        for state in game.states:
            assert timeline.next_commit()
            assert timeline.position.state.digest() == state
        assert not timeline.next_commit()
        for state in reversed(game.states):
            assert timeline.position.state.digest() == state
            assert timeline.previous_commit()
        assert not timeline.previous_commit()
        random = Random(number)  # noqa: S311 -- chooses moments, and guards nothing
        for _ in range(SEEKS):
            commit = random.randrange(len(game.states))
            assert timeline.go_to(commit).state.digest() == game.states[commit]


def test_random_seeks_of_a_long_game_agree_with_the_state_as_played(long_game: Played) -> None:
    timeline = Timeline(long_game.recorded)
    random = Random(1)  # noqa: S311 -- chooses moments, and guards nothing
    for _ in range(300):
        commit = random.randrange(len(long_game.states))
        assert timeline.go_to(commit).state.digest() == long_game.states[commit]
        for step in range(1, min(4, commit)):
            assert timeline.previous_commit()
            assert timeline.position.state.digest() == long_game.states[commit - step]


def test_events_are_stepped_over_both_ways_around_a_kept_state(long_game: Played) -> None:
    timeline = Timeline(long_game.recorded)
    timeline.go_to(4000)
    assert len(timeline.moments) == 4001 // MOMENT_EVERY
    timeline.go_to(2 * MOMENT_EVERY + 3)  # its trail begins at the kept state before
    states = [timeline.position.state.digest()]
    moments = [(timeline.commit, timeline.is_between_commits)]
    for _ in range(60):
        assert timeline.back()
        states.append(timeline.position.state.digest())
        moments.append((timeline.commit, timeline.is_between_commits))
    assert timeline.commit < 2 * MOMENT_EVERY - 3
    for state, moment in list(zip(states, moments, strict=True))[-2::-1]:
        assert timeline.forward()
        assert timeline.position.state.digest() == state
        assert (timeline.commit, timeline.is_between_commits) == moment


def test_moment_inside_a_commit_is_the_same_from_near_and_far(long_game: Played) -> None:
    near, far = Timeline(long_game.recorded), Timeline(long_game.recorded)
    for commit in (1234, 4321, 17):
        events = len(tuple(near.commits[commit].events()))
        near.go_to(max(commit - 20, 0))
        for event in range(events):
            far.go_to(4999 if event % 2 else 0)
            there = far.go_to(commit, event).state
            assert near.go_to(commit, event).state.digest() == there.digest()
            assert position_at(long_game.recorded, commit, event).state == there


def test_kept_states_take_less_than_a_tenth_of_the_log(long_game: Played) -> None:
    timeline = Timeline(long_game.recorded)
    timeline.go_to(timeline.last)
    timeline.go_to(0)
    timeline.go_to(timeline.last)
    assert len(timeline.moments) == 5000 // MOMENT_EVERY
    assert timeline.moments.size * 10 < sum(map(len, long_game.recorded.entries))


@pytest.mark.parametrize("seat", [0, 3, 7])
def test_seat_sees_of_each_moment_what_it_could_know_then(long_game: Played, seat: int) -> None:
    player = PlayerId(seat)
    entries = tuple(redact_entry(entry, player) for entry in long_game.recorded.entries)
    own = Timeline(
        msgspec.structs.replace(long_game.recorded, entries=entries, secrets=b"", seat=player)
    )
    whole = Timeline(long_game.recorded)
    random = Random(seat)  # noqa: S311 -- chooses moments, and guards nothing
    for _ in range(25):
        commit = random.randrange(len(entries))
        seen = redact_state(whole.go_to(commit).state, player)
        assert own.go_to(commit).state.to_bytes() == seen.to_bytes()


def test_game_that_was_taken_back_often_is_sought_in_as_it_was_played() -> None:
    """States after a return to an earlier one are as played, whatever was kept in between."""
    store = MemoryStore()
    random = Random(2)  # noqa: S311 -- chooses what to play and when to go back
    with new_game(BUILTIN_DECKS[:2], seed=2, store=store) as game:
        noting = NotingSink(game.hosted)
        game.hosted.table.recorder.sink = noting
        while not game.over and game.commits < 1000:
            assert game.decide(random.choice(game.prompt.options(limit=6))) is None
            if random.randrange(20) == 0 and not game.over:
                assert game.undo() is None
        recorded = recorded_game(store, game.id)
    timeline = Timeline(recorded)
    assert sum(isinstance(e, TakenBack) for c in timeline.commits for e in c.events()) > 10
    timeline.go_to(timeline.last)
    for _ in range(400):
        commit = random.randrange(len(noting.states))
        assert timeline.go_to(commit).state.digest() == noting.states[commit]
        if commit:
            assert timeline.previous_commit()
            assert timeline.position.state.digest() == noting.states[commit - 1]
