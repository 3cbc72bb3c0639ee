"""A few whole games, signed by their host and seats, as a judge has them."""

from __future__ import annotations

import msgspec
import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.memory_store import MemoryStore
from apnap.replay.evidence import evidence_of
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import RecordedGame, recorded_game

SEATS = (2, 2, 3)


def read_signed(store: MemoryStore, game: str) -> RecordedGame:
    """Return all that a store keeps of a game, its signatures too."""
    return msgspec.structs.replace(recorded_game(store, game), evidence=evidence_of(store, game))


@pytest.fixture(scope="session")
def store() -> MemoryStore:
    """Return a store with the games, not to be changed."""
    store = MemoryStore()
    for seed, seats in enumerate(SEATS, 3):
        decks = (BUILTIN_DECKS * 2)[:seats]
        setup = GameSetup(decks=decks, seed=seed, agents=("greedy",))
        with host_new_game(store, setup) as hosted:
            hosted.play()
    return store


@pytest.fixture(scope="session")
def signed(store: MemoryStore) -> tuple[RecordedGame, ...]:
    """Return the games as a judge has them."""
    return tuple(read_signed(store, record.game) for record in store.games())
