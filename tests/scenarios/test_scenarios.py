"""The project's own scenarios, with built-in cards only; each cites the rules that it shows."""

import re
from pathlib import Path

import pytest

from apnap.cards.pool import CardPool
from apnap.replay.scenario import run_scenario
from apnap.replay.scenario_file import load_scenario

FOLDER = Path(__file__).resolve().parent
FILES = sorted(FOLDER.glob("*.yaml"))


@pytest.fixture(scope="module")
def pool() -> CardPool:
    return CardPool.load()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario_passes(path: Path, pool: CardPool) -> None:
    result = run_scenario(path, pool)
    assert result.ok, f"{result.scenario}, step {result.step}: {result}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario_is_named_as_its_file_and_cites_rules(path: Path) -> None:
    scenario = load_scenario(path)
    assert scenario.name == path.stem
    assert scenario.title
    assert scenario.rules


def test_there_are_enough_scenarios() -> None:
    assert len(FILES) >= 45


def test_scenarios_cite_rules_that_exist(shared: Path) -> None:
    rules = shared / "rules" / "comprehensive-rules-2025-02-07.txt"
    known = set(re.findall(r"^(\d{3}\.\d+[a-z]?)\b", rules.read_text("utf-8-sig"), re.MULTILINE))
    cited = {rule for path in FILES for rule in load_scenario(path).rules}
    assert cited - known == set()
