"""Whole games between the built-in decks, and what is left of one that was cut off."""

from collections.abc import Callable

import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.chain import GENESIS
from apnap.events.codec import read_entry
from apnap.events.memory_store import MemoryStore
from apnap.events.store import NewCommit, Store
from apnap.replay.host import GameResult, host_new_game
from apnap.replay.new_game import GENESIS_BLOB, GameSetup

Play = Callable[..., GameResult]
Cut = Callable[[Store, str, int], MemoryStore]


def _play(
    store: Store, seed: int | None, agents: tuple[str, ...] = ("random", "greedy"), seats: int = 2
) -> GameResult:
    setup = GameSetup(decks=(BUILTIN_DECKS * 2)[:seats], seed=seed, agents=agents)
    with host_new_game(store, setup) as hosted:
        hosted.play()
        return hosted.result()


def _cut(store: Store, game: str, commits: int) -> MemoryStore:
    other = MemoryStore()
    other.create(game, store.secret(game), store.meta(game) | {"status": "running"})
    other.put_definitions(game, store.get_definitions(game))
    other.put_blob(game, GENESIS_BLOB, store.get_blob(game, GENESIS_BLOB) or b"")
    entries = [entry for _, entry in store.read(game, 0, commits)]
    fence = other.acquire(game, "a host that was killed")
    new = [NewCommit(entry, read_entry(entry).digest) for entry in entries]
    other.append_many(game, 0, GENESIS, new, fence)
    other.release(fence)
    return other


@pytest.fixture(scope="session")
def play() -> Play:
    """Return a function that plays a game to its end in a store, and closes it."""
    return _play


@pytest.fixture(scope="session")
def cut() -> Cut:
    """Return a function that makes a store in which a game has its first commits only."""
    return _cut


@pytest.fixture(scope="session")
def played() -> tuple[MemoryStore, GameResult]:
    """Return a store with one short finished game, not to be changed, and how it ended."""
    store = MemoryStore()
    return store, _play(store, seed=3, agents=("greedy",))
