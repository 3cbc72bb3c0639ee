"""Random games that go back at random, all laws checked on the way, as logs and in stores."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apnap.actors.chance import Chance
from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cards.pool import CardPool
from apnap.events.chain import GENESIS
from apnap.events.codec import read_entry
from apnap.events.decisions import GiveConsent, OfferTakeBack
from apnap.events.ids import NOBODY, CommitNumber, PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.store import NewCommit
from apnap.projections.taking_back import is_on_the_line
from apnap.replay.invariants import CheckedTable, RandomPlay, concede_all
from apnap.replay.new_game import GameSetup, create_game, prepare
from apnap.replay.opened import RecordedGame
from apnap.rules.taking_back import waiting_for

COMMITS_MAX = 1200
BACK_MAX = 60
"""How many commits a take-back undoes at most, where nothing is half-way."""


class GoingBack:
    """A random game in which players take back some of what was decided."""

    def __init__(self, seed: int, pool: CardPool, times: int, commits_max: int) -> None:
        seats = 2 if seed % 3 else 3
        decks = (BUILTIN_DECKS * 2)[:seats]
        prepared = prepare(GameSetup(decks=decks), pool)
        self.seed = seed
        self.store = MemoryStore()
        self.new = create_game(self.store, prepared, seed)
        self.table = CheckedTable(self.new)
        self.times = {True: 0, False: 0}
        self._left = times
        self._play = RandomPlay(b"going back:%d" % seed)
        self._commits_max = commits_max

    def play(self) -> None:
        """Play to the end, going back as often as was asked for."""
        table = self.table
        table.advance()
        while not table.table.is_over and table.table.commits < self._commits_max:
            self._play.step(table)
            chance = Chance(b"back:%d" % self.seed, table.table.commits)
            if self._left and chance.one_in(8):
                self._go_back(chance)
        if not table.table.is_over:
            concede_all(table)
        table.table.park()

    def recorded(self, commits: int | None = None) -> RecordedGame:
        """Return the log, or the beginning of it, as a store would."""
        return RecordedGame(
            self.new.game,
            tuple(self.table.entries[:commits]),
            self.new.position.definitions.to_records(),
            self.new.secrets.to_bytes(),
            NOBODY,
            {},
        )

    def stored(self, commits: int) -> MemoryStore:
        """Return a store that has the beginning of the log, as after a crash."""
        store = MemoryStore()
        records = self.new.position.definitions.to_records()
        names = ",".join(player.name for player in self.new.position.state.players)
        meta = {"status": "running", "players": names, "agents": "random"}
        store.create(self.new.game, self.new.secrets.to_bytes(), meta, records)
        fence = store.acquire(self.new.game, "a host that was killed")
        entries = self.table.entries[:commits]
        new = [NewCommit(entry, read_entry(entry).digest) for entry in entries]
        store.append_many(self.new.game, 0, GENESIS, new, fence)
        store.release(fence)
        return store

    def _go_back(self, chance: Chance) -> None:
        """Offer a moment, half the time one in the middle of something, and let all consent."""
        if self.table.table.is_over:
            return
        state, commits = self.new.position.state, self.table.table.commits
        moments = [
            number
            for number in range(max(0, commits - BACK_MAX), commits - 1)
            if is_on_the_line(state, number)
        ]
        midway = [number for number in moments if not self._is_quiescent(number)]
        if midway and chance.one_in(2):
            moments = midway
        if not moments:
            return
        to = moments[chance.below(len(moments))]
        seats = [n for n, player in enumerate(state.players) if not player.has_left]
        seat = PlayerId(seats[chance.below(len(seats))])
        counter = state.decision_counters[seat]
        offer = OfferTakeBack(seat, seat, counter, CommitNumber(to))
        assert self.table.decide(offer) is None
        for other in waiting_for(state):
            consent = GiveConsent(other, other, state.decision_counters[other])
            assert self.table.decide(consent) is None
        assert state.offer is None
        self.times[self._is_quiescent(to)] += 1
        self._left -= 1
        self.table.advance()

    def _is_quiescent(self, number: int) -> bool:
        return next(self.table.shadow.commits(number, number + 1)).quiescent


@pytest.fixture(scope="session")
def pool() -> CardPool:
    """Return the built-in cards."""
    return CardPool.load(())


@pytest.fixture(scope="session")
def going_back(pool: CardPool) -> Callable[..., GoingBack]:
    """Return a function that plays a random game with so many take-backs."""

    def play(seed: int, times: int = 8, commits_max: int = COMMITS_MAX) -> GoingBack:
        game = GoingBack(seed, pool, times, commits_max)
        game.play()
        return game

    return play
