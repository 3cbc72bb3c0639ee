"""Positions set up as scenarios, at a table that keeps its log, to be asked about."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from apnap.cards.pool import CardPool
from apnap.events.edition import edition_named
from apnap.events.ids import NOBODY
from apnap.events.seals import GameSecrets
from apnap.replay.opened import RecordedGame
from apnap.replay.scenario import KeptCommits, ScenarioRun
from apnap.replay.scenario_file import scenario_of
from apnap.replay.scenario_setup import arrange
from apnap.replay.scenario_table import ScenarioTable

EXTRA_CARDS = Path(__file__).parent / "extra_cards.jsonl"


class Scene:
    """A table at a position, and its log as a judge has it."""

    def __init__(self, described: dict[str, Any], pool: CardPool) -> None:
        parts = {key: value for key, value in described.items() if key != "to"}
        scenario = scenario_of({"scenario": "scene", **parts}, "scene")
        self.kept = KeptCommits()
        arranged = arrange(scenario, pool)
        self.definitions = arranged.definitions
        self.table = ScenarioTable(arranged, edition_named("current"), self.kept)
        steps = ScenarioRun(scenario).play_script(self.table)
        if "to" in described:
            steps.prepare(described["to"])

    @property
    def recorded(self) -> RecordedGame:
        """The game as a store would give it."""
        seats = len(self.table.game.state.players)
        return RecordedGame(
            "scene",
            tuple(commit.entry for commit in self.kept.commits),
            self.definitions.to_records(),
            GameSecrets.from_seed(0, seats).to_bytes(),
            NOBODY,
            {},
        )


SetUp = Callable[[str], Scene]


@pytest.fixture(scope="session")
def pool() -> CardPool:
    """Return the built-in cards and a few that only the tests have."""
    return CardPool.load([EXTRA_CARDS])


@pytest.fixture
def scene(pool: CardPool) -> Iterator[SetUp]:
    """Return a function that sets up a position from YAML."""
    made: list[Scene] = []

    def set_up(text: str) -> Scene:
        made.append(Scene(yaml.safe_load(text), pool))
        return made[-1]

    yield set_up
    for one in made:
        one.table.close()
