"""Live tables between the built-in decks, for tests of who does what."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from apnap.actors.agents import agent_named
from apnap.actors.dispatcher import Dispatcher
from apnap.actors.knowledge import SeatKnowledge
from apnap.actors.live_table import LiveTable
from apnap.events.memory_store import MemoryStore
from apnap.replay.new_game import GameSetup, create_game, prepare

from ..kept import KeptLog

DECKS = ("red-green-stompers", "white-black-wardens")


class Match:
    """A live table of random agents."""

    def __init__(self, seed: int, dispatcher: Dispatcher | None = None, players: int = 2) -> None:
        decks = tuple(DECKS[seat % 2] for seat in range(players))
        setup = GameSetup(decks=decks, seed=seed, agents=("random",))
        new = create_game(MemoryStore(), prepare(setup), seed)
        self.new = new
        self.log = KeptLog()
        self.table = LiveTable(new.position, new.secrets, self.log, dispatcher)
        self.agents = [agent_named("random", seat) for seat in new.secrets.agent_seeds]
        self.table.begin(new.began)
        self.table.advance()

    def play(self, commits_max: int = 10_000) -> None:
        """Let the agents decide until the game is over or so long."""
        table = self.table
        while table.prompt is not None and table.commits < commits_max:
            seat = table.prompt.seat
            decision = self.agents[seat].decide(table.prompt, SeatKnowledge(table.game, seat))
            refused = table.decide(decision)
            assert refused is None, refused
            table.advance()


@pytest.fixture
def match_of() -> Iterator[Callable[..., Match]]:
    """Return what begins a match with a seed; its actors are stopped at the end."""
    made: list[Match] = []

    def make(seed: int, dispatcher: Dispatcher | None = None, players: int = 2) -> Match:
        made.append(Match(seed, dispatcher, players))
        return made[-1]

    yield make
    for match in made:
        match.table.park()
