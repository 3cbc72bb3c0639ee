"""An exception in a procedure rolls its table back to the last commit, and halts that one alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from apnap.actors import table as table_module
from apnap.actors.live_table import TableHalted
from apnap.events.errors import EngineError
from apnap.events.memory_store import MemoryStore
from apnap.events.refused import Code
from apnap.events.store import NewCommit
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.resume import resume_game
from apnap.rules import (
    casting,
    combat,
    effects_zones,
    priority,
    resolving,
    settling,
    stages,
    state_based,
    turn,
)

from .conftest import DECKS, Match

AFTER = 60
"""How many calls of the broken function go well."""

BROKEN = (
    (resolving, "follow_body", 3),
    (resolving, "_resolve_permanent_spell", 2),
    (effects_zones, "became", 0),
    (settling, "state_based_actions", AFTER),
    (settling, "put_triggers_on_stack", 2),
    (state_based, "_permanent_actions", AFTER),
    (casting, "pay", 2),
    (combat, "_assign", 1),
    (priority, "pass_priority", AFTER),
    (stages, "end_step", AFTER),
    (turn, "_draw_step", 3),
    (turn, "_cleanup_step", 2),
    (table_module, "replaced", 4),
    (table_module, "triggered", AFTER),
    (table_module, "look_back", AFTER),
    (table_module, "noticed_changes", AFTER),
    (table_module, "possible", AFTER),
)
"""Functions of procedures, triggers, state-based actions, replacement and the table itself."""


class BrokenWorldError(RuntimeError):
    """What a bug would raise."""


def _break(patch: pytest.MonkeyPatch, module: object, name: str, good: int) -> None:
    """Let a function raise once it was called so often."""
    whole: Callable[..., Any] = getattr(module, name)
    calls = 0

    def broken(*args: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > good:
            raise BrokenWorldError(name)
        return whole(*args, **named)

    patch.setattr(module, name, broken)


@pytest.mark.parametrize(("module", "name", "good"), BROKEN, ids=[name for _, name, _ in BROKEN])
def test_an_exception_rolls_back_to_the_last_commit_and_halts(
    match_of: Callable[..., Match], module: object, name: str, good: int
) -> None:
    match, other = match_of(21), match_of(22)
    other.play(50)
    before: list[bytes] = [match.new.position.state.to_bytes()]
    append = match.log.append

    def kept(number: int, prev: bytes, commit: NewCommit) -> None:
        append(number, prev, commit)
        before[0] = match.new.position.state.to_bytes()

    match.log.append = kept  # type: ignore[method-assign]
    with pytest.MonkeyPatch.context() as patch:
        _break(patch, module, name, good)
        with pytest.raises(TableHalted, match=f"BrokenWorldError: {name}") as raised:
            match.play()
    _stands_at_its_last_commit(match, before[0])
    assert isinstance(raised.value.__cause__, BrokenWorldError)
    other.play()
    assert other.table.is_over
    assert other.table.error is None


def _stands_at_its_last_commit(match: Match, before: bytes) -> None:
    """Require that the table is as after its last commit and takes no more decisions."""
    table = match.table
    assert match.new.position.state.to_bytes() == before
    assert table.error is not None
    assert f"after commit {len(match.log.entries) - 1}" in table.error
    assert table.commits == len(match.log.entries)
    assert table.prompt is None
    assert table.dispatcher.is_idle
    concede = _conceding(match)
    refused = table.decide(concede)
    assert refused is not None
    assert refused.code == Code.GAME_OVER
    assert "halted" in refused.detail
    assert match.new.position.state.to_bytes() == before


def _conceding(match: Match) -> Any:
    from apnap.events.decisions import Concede
    from apnap.events.ids import PlayerId

    return Concede(PlayerId(0), PlayerId(0), match.new.position.state.decision_counters[0])


def test_an_exception_as_somebody_concedes_rolls_back_too(match_of: Callable[..., Match]) -> None:
    match = match_of(23, players=3)
    match.play(40)
    before = match.new.position.state.to_bytes()
    with pytest.MonkeyPatch.context() as patch:
        _break(patch, table_module, "abandoned", 1)
        with pytest.raises(TableHalted, match="BrokenWorldError"):
            match.table.decide(_conceding(match))
    _stands_at_its_last_commit(match, before)


def test_a_table_halts_at_its_first_commit(match_of: Callable[..., Match]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        _break(patch, table_module, "triggered", 3)
        with pytest.raises(TableHalted, match="after commit -1"):
            match_of(24)


def test_a_halted_table_is_made_anew_from_its_log_once_the_bug_is_gone(
    match_of: Callable[..., Match],
) -> None:
    """What was recorded is good: the same game goes on to the head of one that was never halted."""
    match = match_of(25)
    with pytest.MonkeyPatch.context() as patch:
        _break(patch, resolving, "follow_body", 4)
        with pytest.raises(TableHalted):
            match.play()
    whole = match_of(25)
    whole.play()
    assert whole.log.entries[: len(match.log.entries)] == match.log.entries


class Full:
    """A log that takes so many commits and no more."""

    def __init__(self, room: int) -> None:
        self.room = room

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Take a commit while there is room."""
        if number >= self.room:
            raise EngineError(f"no room for commit {number} of {len(commit.entry)} after {prev!r}")


def test_a_commit_that_is_not_acknowledged_is_rolled_back(match_of: Callable[..., Match]) -> None:
    match = match_of(26)
    match.play(30)
    before = match.new.position.state.to_bytes()
    commits = match.table.commits
    match.table.recorder.sink = Full(commits)
    with pytest.raises(EngineError, match=f"no room for commit {commits}"):
        match.play()
    assert match.new.position.state.to_bytes() == before
    assert match.table.commits == commits


def test_a_halted_game_says_why_and_is_resumed_once_the_bug_is_gone() -> None:
    setup = GameSetup(decks=DECKS, seed=27, agents=("random",))
    store, whole_store = MemoryStore(), MemoryStore()
    whole = host_new_game(whole_store, setup)
    whole.play()
    game = host_new_game(store, setup)
    other = host_new_game(store, setup)
    with pytest.MonkeyPatch.context() as patch:
        _break(patch, resolving, "follow_body", 4)
        with pytest.raises(TableHalted):
            game.play()
    meta = store.meta(game.game)
    assert meta["status"] == "halted"
    assert "BrokenWorldError: follow_body" in meta["error"]
    game.close()
    assert store.meta(other.game)["status"] == "running"
    other.play()
    assert other.table.head == whole.table.head
    with resume_game(store, game.game) as resumed:
        resumed.play()
        assert resumed.table.head == whole.table.head
    assert store.meta(game.game)["status"] == "finished"
    other.close()
    whole.close()
