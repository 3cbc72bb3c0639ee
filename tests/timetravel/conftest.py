"""Games whose state was noted at each commit as it was played, and a long one of many seats."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cards.pool import CardPool
from apnap.events.memory_store import MemoryStore
from apnap.events.store import NewCommit
from apnap.replay.host import HostedGame, host_created
from apnap.replay.new_game import GameSetup, create_game, prepare
from apnap.replay.opened import RecordedGame, recorded_game
from apnap.replay.sinks import StoreSink

LONG_COMMITS, LONG_SEATS = 5000, 8


class Played(msgspec.Struct, frozen=True):
    """A recorded game and the digest of the state after each commit, as it was then."""

    recorded: RecordedGame
    states: tuple[bytes, ...]


class NotingSink:
    """Notes the digest of the state as each commit is written, and passes the commit on."""

    def __init__(self, hosted: HostedGame) -> None:
        assert hosted.table.commits == 1
        self.sink: StoreSink = hosted.sink
        self.state = hosted.state
        self.states = [hosted.state.digest()]

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Note the state, which has all of this commit."""
        assert number == len(self.states)
        self.states.append(self.state.digest())
        self.sink.append(number, prev, commit)


def played(setup: GameSetup, seed: int, pool: CardPool | None = None) -> Played:
    """Play a game to its end by its agents, or a long while."""
    store = MemoryStore()
    new = create_game(store, prepare(setup, pool), seed)
    with host_created(store, new) as hosted:
        noting = NotingSink(hosted)
        hosted.table.recorder.sink = noting
        hosted.play(commits_max=LONG_COMMITS)
        return Played(recorded_game(store, new.game), tuple(noting.states))


@pytest.fixture(scope="session")
def play() -> Callable[..., Played]:
    """Return a function that plays a game and notes its states."""
    return played


@pytest.fixture(scope="session")
def long_game() -> Played:
    """Return a game of 5,000 commits and eight seats."""
    decks = (BUILTIN_DECKS * LONG_SEATS)[:LONG_SEATS]
    game = played(GameSetup(decks=decks, agents=("random",)), 1)
    assert len(game.recorded.entries) == LONG_COMMITS
    return game
