"""A scenario that is kept is a game like any other: verified, branched, resumed, exported."""

from pathlib import Path

import pytest

from apnap.cards.pool import CardPool
from apnap.events.store import Store
from apnap.events.store_url import open_store
from apnap.replay.branch import branch_game
from apnap.replay.opened import recorded_game
from apnap.replay.resume import resume_game
from apnap.replay.scenario_file import load_scenario, scenario_of
from apnap.replay.scenario_kept import keep_scenario
from apnap.replay.verify import verify_game
from apnap.replay.why import why_event

POOL = CardPool.load()
SCENARIOS = sorted((Path(__file__).parents[2] / "docs" / "rulings").glob("*.yaml"))
BOLT = {
    "scenario": "bolt",
    "players": [{"name": "alice", "mana": "any", "hand": ["Shock"]}, {"name": "bob", "life": 2}],
}
CAST = {"cast": "Shock", "by": "alice", "targets": ["bob"]}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store("memory:", tmp_path)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_kept_scenario_verifies_and_so_does_a_branch_that_is_played_on(
    path: Path, store: Store
) -> None:
    result, game = keep_scenario(store, load_scenario(path), POOL)
    assert result.ok
    assert game is not None
    assert verify_game(store, game).ok
    branch = branch_game(store, game, 1)
    hosted = resume_game(store, branch)
    hosted.play()
    hosted.close()
    assert verify_game(store, branch).ok


def test_a_scenario_in_which_the_game_ends_is_kept_as_finished(store: Store) -> None:
    ends = scenario_of({**BOLT, "script": [CAST, "resolve"]}, "bolt")
    _, game = keep_scenario(store, ends, POOL)
    assert game is not None
    assert store.meta(game)["status"] == "finished"
    assert why_event(recorded_game(store, game), 3, 0).causes[-1].text


def test_a_scenario_that_fails_is_kept_up_to_its_failure(store: Store) -> None:
    fails = scenario_of({**BOLT, "script": [CAST, {"expect": {"life": {"bob": 7}}}]}, "bolt")
    result, game = keep_scenario(store, fails, POOL)
    assert (result.ok, result.step) == (False, 2)
    assert game is not None
    assert len(recorded_game(store, game).entries) == 2


def test_a_position_that_cannot_be_set_up_is_not_kept(store: Store) -> None:
    unknown = scenario_of({"players": [{"name": "alice", "hand": ["No Such Card"]}]}, "none")
    result, game = keep_scenario(store, unknown, POOL)
    assert (result.ok, game) == (False, None)
    assert list(store.games()) == []
