"""The ten real decks, and what must be true of every game that was played to its end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from apnap.actors.live_table import LiveTable
from apnap.cards.pool import CardPool
from apnap.events.commit import Commit
from apnap.events.game import GameBegan
from apnap.events.memory_store import MemoryStore
from apnap.replay.host import HostedGame, host_created
from apnap.replay.new_game import GameSetup, create_game, prepare
from apnap.replay.notation import format_decision, parse_decision
from apnap.replay.opened import RecordedGame, edition_of, first_event, new_position, recorded_game
from apnap.replay.resume import redo
from apnap.replay.sinks import CheckingSink
from apnap.replay.timeline import replay_game
from apnap.replay.verify import verify_game

Begin = Callable[[GameSetup], HostedGame]
Check = Callable[[HostedGame], int]

REASONS = ("life", "library", "poison", "effect", "concession", "loop", "simultaneous")
"""How a game between agents can end; none of these offers a draw (CR 104.4a)."""


@pytest.fixture(scope="session")
def decks(shared: Path) -> list[str]:
    """Return the ten real decks, in the alphabet's order."""
    return sorted(str(path) for path in (shared / "decks" / "skeleton").glob("*.dck"))


@pytest.fixture(scope="session")
def pool(shared: Path) -> CardPool:
    """Return the printed cards."""
    return CardPool.load([shared / "cards" / "oracle-cards.jsonl.gz"])


@pytest.fixture
def begin(pool: CardPool) -> Begin:
    """Return what begins a game in a store of its own."""

    def begun(setup: GameSetup) -> HostedGame:
        store = MemoryStore()
        return host_created(store, create_game(store, prepare(setup, pool), setup.seed))

    return begun


@pytest.fixture(scope="session")
def check() -> Check:
    """Return what checks a finished game and tells how many decisions were read back."""
    return _check


def _check(hosted: HostedGame) -> int:
    """The end is by rule, the fold is what was played, the rules agree, decisions read back."""
    result = hosted.result()
    assert hosted.is_over, result
    assert result.reason in REASONS, result
    assert result.rule, result
    recorded = recorded_game(hosted.store, hosted.game)
    replayed = replay_game(recorded)
    assert (replayed.head, replayed.state) == (result.head, result.state)
    assert (replayed.commits, replayed.events) == (result.commits, result.events)
    verified = verify_game(hosted.store, hosted.game)
    assert verified.ok, verified.detail
    assert verified.commits == result.commits
    return _read_back(recorded)


def _read_back(recorded: RecordedGame) -> int:
    """Run the game again; before each decision write it, read it, and compare the bytes."""
    commits = tuple(recorded.commits())
    began = first_event(commits[0], recorded.game)
    assert isinstance(began, GameBegan)
    position = new_position(recorded.definitions, edition_of(commits[0], recorded.game))
    sink = CheckingSink(recorded.game, 0, recorded.entries)
    table = LiveTable(position, recorded.keys(), sink)
    table.begin(began)
    for commit in commits[1:]:
        _assert_reads_back(table, recorded.game, commit)
        redo(table, recorded.game, commit)
    table.park()
    return len(commits) - 1


def _assert_reads_back(table: LiveTable, game: str, commit: Commit) -> None:
    decision = commit.decision
    assert not isinstance(decision, bytes)
    text = format_decision(table.game, decision)
    read = parse_decision(table.game, table.prompt, text, seat=decision.seat)
    where = f"{game}@{commit.number}: {text!r}"
    assert type(read) is type(decision), where
    assert msgspec.msgpack.encode(read) == msgspec.msgpack.encode(decision), where
