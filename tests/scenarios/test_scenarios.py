"""The project's own scenarios, with built-in cards only; each cites the rules that it shows."""

import re
from pathlib import Path

import pytest

from apnap.cards.pool import CardPool
from apnap.events.codec import decode_log
from apnap.events.edition import edition_named
from apnap.events.ids import PlayerId
from apnap.events.redaction import redact_entry
from apnap.projections.position import Position
from apnap.projections.redaction import redact_state
from apnap.projections.view import apply_commit
from apnap.replay.opened import new_position
from apnap.replay.scenario import KeptCommits, ScenarioRun, run_scenario
from apnap.replay.scenario_file import load_scenario
from apnap.replay.scenario_setup import arrange
from apnap.replay.scenario_table import ScenarioTable

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
def test_log_of_a_scenario_folds_to_what_was_played(path: Path, pool: CardPool) -> None:
    scenario, sink = load_scenario(path), KeptCommits()
    arranged = arrange(scenario, pool)
    table = ScenarioTable(arranged, edition_named("current"), sink)
    ScenarioRun(scenario).play(table)
    entries = [commit.entry for commit in sink.commits]
    records = arranged.definitions.to_records()
    folded = new_position(records, edition_named("current"))
    views = {
        seat: new_position(records, edition_named("current"), PlayerId(seat))
        for seat in range(len(scenario.players))
    }
    _fold(folded, entries)
    assert folded.state.to_bytes() == table.game.state.to_bytes()
    for seat, view in views.items():
        _fold(view, [redact_entry(entry, PlayerId(seat)) for entry in entries])
        seen = redact_state(table.game.state, PlayerId(seat))
        assert view.state.to_bytes() == seen.to_bytes()
    table.close()


def _fold(position: Position, entries: list[bytes]) -> None:
    for commit in decode_log("scenario", enumerate(entries)):
        apply_commit(position.trail, commit)


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
