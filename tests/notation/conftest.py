"""The positions of docs/notation.md, each set up as a scenario."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from apnap.cards.pool import CardPool
from apnap.events.edition import edition_named
from apnap.replay.scenario import KeptCommits, ScenarioRun
from apnap.replay.scenario_file import scenario_of
from apnap.replay.scenario_setup import arrange
from apnap.replay.scenario_table import ScenarioTable

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "notation.md"


@pytest.fixture(scope="session")
def tables() -> Iterator[dict[str, ScenarioTable]]:
    """Return a table at each position of the document; nothing is decided there."""
    pool = CardPool.load()
    made = {name: table_at(name, what, pool) for name, what in positions_of(DOCUMENT).items()}
    yield made
    for table in made.values():
        table.close()


def positions_of(document: Path) -> dict[str, dict[str, Any]]:
    """Return the positions that the document describes in its YAML block."""
    text = document.read_text(encoding="utf-8")
    block = text.split("```yaml\n", 1)[1].split("```", 1)[0]
    found: dict[str, dict[str, Any]] = yaml.safe_load(block)
    return found


def table_at(name: str, described: dict[str, Any], pool: CardPool) -> ScenarioTable:
    """Return a table at a described position: `to` only moves on to a declaration."""
    parts = {key: value for key, value in described.items() if key != "to"}
    scenario = scenario_of({"scenario": name, **parts}, name)
    table = ScenarioTable(arrange(scenario, pool), edition_named("current"), KeptCommits())
    steps = ScenarioRun(scenario).play_script(table)
    if "to" in described:
        steps.prepare(described["to"])
    return table
