"""Each refusal names a change, and after the change the action is accepted (CR 101, 117, 601)."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from apnap.events.base import Decision
from apnap.events.decisions import PassPriority, PlayLand
from apnap.events.ids import PlayerId
from apnap.events.refused import Code
from apnap.replay.answered import WhyNot
from apnap.replay.notation import NotationError, parse_decision
from apnap.replay.questions import whynot
from apnap.replay.scenario_table import ScenarioTable
from apnap.replay.whynot import whynot_action

from .conftest import Scene, SetUp

FOLDER = Path(__file__).parent
CASES: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "refusals.yaml").read_text("utf-8"))

RULE = re.compile(r"\d{3}(\.\d+[a-z]?)?")


def test_each_code_of_a_refusal_has_its_case() -> None:
    assert set(CASES) == {code.value for code in Code}


@pytest.mark.parametrize("code", list(CASES))
def test_what_is_refused_is_accepted_after_the_change_it_names(code: str, scene: SetUp) -> None:
    case = CASES[code]
    before = scene(yaml.safe_dump(case["position"]))
    seat = _seat(before.table, case["by"])
    refused = _asked(before, _action(before.table, code, case["action"], seat), seat)
    assert refused.refused
    assert refused.code == code
    assert refused.change
    assert RULE.fullmatch(refused.rule or ""), refused
    after = scene(yaml.safe_dump(case.get("changed", case["position"])))
    action = case.get("changed_action", case["action"])
    assert not _asked(after, action, seat).refused, _asked(after, action, seat)
    decision = parse_decision(after.table.game, after.table.prompt, action, seat=seat)
    assert not isinstance(decision, NotationError), decision
    assert after.table.table.decide(decision) is None


@pytest.mark.parametrize("code", list(CASES))
def test_the_log_gives_the_same_answer_as_the_table(code: str, scene: SetUp) -> None:
    case = CASES[code]
    before = scene(yaml.safe_dump(case["position"]))
    seat = _seat(before.table, case["by"])
    action = _action(before.table, code, case["action"], seat)
    told = whynot(before.recorded, action, case["by"])
    assert told == _asked(before, action, seat)


@pytest.mark.parametrize("code", list(CASES))
def test_asking_changes_nothing(code: str, scene: SetUp) -> None:
    case = CASES[code]
    before = scene(yaml.safe_dump(case["position"]))
    state = before.table.game.state.to_bytes()
    seat = _seat(before.table, case["by"])
    _asked(before, _action(before.table, code, case["action"], seat), seat)
    assert before.table.game.state.to_bytes() == state


def test_no_refusal_is_written_without_a_change(root: Path) -> None:
    for path in (*(root / "rules").glob("*.py"), root / "actors" / "live_table.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                count = len(node.args) + len(node.keywords)
                assert count == 4, f"{path.name}:{node.lineno} says no change"


def _action(table: ScenarioTable, code: str, text: str, seat: PlayerId) -> str | Decision:
    """Return the action of a case; some have no words: people say "play" of any card."""
    counter = table.game.state.decision_counters[seat]
    match code:
        case Code.WRONG_COUNTER:
            return PassPriority(seat, seat, counter + 1)
        case Code.NOT_A_LAND:
            return PlayLand(seat, seat, counter, table.game.state.players[seat].hand[0])
        case _:
            return text


def _asked(scene: Scene, action: str | Decision, seat: PlayerId) -> WhyNot:
    return whynot_action(scene.table.game, scene.table.prompt, action, seat)


def _seat(table: ScenarioTable, name: str) -> PlayerId:
    names = [player.name for player in table.game.state.players]
    return PlayerId(names.index(name))
