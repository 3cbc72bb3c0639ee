"""The scenarios beside the checkout: none crashes; those named here as wrong fail for a reason."""

from collections import Counter
from pathlib import Path

import pytest

from apnap.cards.pool import CardPool
from apnap.replay.scenario import ScenarioResult, run_scenario, scenario_files

WRONG = {
    "lord-turned-into-frog": "dependency between effects (613.8) is not built",
    "older-kormus-bell-waits-for-urborg": "dependency between effects (613.8) is not built",
}
"""Scenarios that fail with a wrong value, each with its cause; all others lack words or rules."""


@pytest.fixture(scope="module")
def results(shared: Path) -> dict[Path, ScenarioResult]:
    cards = shared / "cards" / "oracle-cards.jsonl.gz"
    if not cards.is_file():
        pytest.skip("../shared has no card file")
    pool = CardPool.load([cards])
    files = scenario_files([shared / "scenarios"])
    return {path: run_scenario(path, pool) for path in files}


def test_no_scenario_crashes(results: dict[Path, ScenarioResult]) -> None:
    bugs = ("AssertionError", "TypeError", "KeyError", "IndexError", "AttributeError", "halted")
    crashed = {
        path.stem: result.error
        for path, result in results.items()
        if result.error and any(bug in result.error for bug in bugs)
    }
    assert crashed == {}


def test_enough_scenarios_of_enough_folders_pass(results: dict[Path, ScenarioResult]) -> None:
    passed = Counter(path.parent.name for path, result in results.items() if result.ok)
    assert passed.total() >= 40
    assert len(passed) >= 8


def test_wrong_values_are_known_with_their_cause(results: dict[Path, ScenarioResult]) -> None:
    wrong = {path.stem for path, result in results.items() if not result.ok and not result.error}
    assert wrong - set(WRONG) == set()


def test_every_failure_says_what_was_wrong(results: dict[Path, ScenarioResult]) -> None:
    for path, result in results.items():
        if not result.ok:
            assert result.error or (result.expected and result.found is not None), path
