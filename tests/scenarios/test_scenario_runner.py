"""The scenario runner: failures are reported with step, expectation and finding, never raised."""

from pathlib import Path

import pytest

from apnap.cards.pool import CardPool
from apnap.events.codec import decode_log
from apnap.events.game import PositionArranged
from apnap.replay.scenario import (
    KeptCommits,
    ScenarioResult,
    play_scenario,
    run_paths,
    run_scenario,
)
from apnap.replay.scenario_file import load_scenario

BEARS = """
scenario: test
title: a test
rules: ["704.5g"]
players:
  - {name: alice, mana: any, hand: [Shock, Forest, Forest], battlefield: [Squire, Hill Giant]}
  - {name: bob, hand: [Shock], battlefield: [Grizzly Bears, {card: Grizzly Bears, as: second}]}
"""


@pytest.fixture(scope="module")
def pool() -> CardPool:
    return CardPool.load()


def run(tmp_path: Path, pool: CardPool, script: str, head: str = BEARS) -> ScenarioResult:
    path = tmp_path / "test.yaml"
    path.write_text(head + script, encoding="utf-8")
    return run_scenario(path, pool)


def test_wrong_expectation_is_reported_with_step_and_values(tmp_path: Path, pool: CardPool) -> None:
    script = """
script:
  - {cast: Shock, by: alice, targets: [bob]}
  - resolve
expect: {life: {bob: 17}}
"""
    result = run(tmp_path, pool, script)
    assert not result.ok
    assert result.step == 3
    assert result.expected == "life of bob: 17"
    assert result.found == "18"
    assert result.error is None
    assert "Shock deals 2 damage to bob (120.2b)" in (result.explanation or "")


def test_refused_step_is_reported_with_its_rule(tmp_path: Path, pool: CardPool) -> None:
    result = run(tmp_path, pool, "script: [{cast: Shock, by: alice, targets: [bob]}, {pass: bob}]")
    assert not result.ok
    assert result.step == 2
    assert result.expected == "a step that is accepted"


@pytest.mark.parametrize(
    ("script", "step", "words"),
    [
        ("script: [{illegal: {play: Forest, by: alice}}]", 1, "to be refused"),
        ("script: [{choose: Squire, by: alice}]", 2, "every choice"),
        ("script: [resolve]", 1, "an object on the stack"),
        ("script: [{cast: Shock, by: alice, targets: [Grizzly Bears]}]", 1, "mean one thing"),
        ("script: [{cast: Shock, by: alice, targets: [Sheep]}]", 1, "mean one thing"),
        ("script: [{step: draw}]", 1, "turn 1, draw to come"),
        ("script: [{step: first_strike_damage}]", 1, "turn 1, first_strike_damage to begin"),
        ("script: [{attack: {Squire: carol}, by: alice}]", 1, "mean one thing"),
        ("script: [{expect: {objects: {Sheep: {power: 1}}}}]", 1, "an object Sheep"),
        ("script: [{expect: {objects: {second: {power: 1}}}}]", 1, "second: power: 1"),
        ("script: [{expect: {winner: alice}}]", 1, "winner: alice"),
        ("script: [{expect: {asked: bob}}]", 1, "who is asked: bob"),
        ("script: [{expect: {legal: [{cast: Shock, by: bob, targets: [bob]}]}}]", 1, "legal"),
        ("script: [{concede: bob}, {pass: alice}]", 2, "a game that goes on"),
    ],
)
def test_what_goes_wrong_is_reported(
    tmp_path: Path, pool: CardPool, script: str, step: int, words: str
) -> None:
    result = run(tmp_path, pool, script)
    assert not result.ok
    assert result.step == step
    assert words in (result.expected or "")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("script: [{cast: Shock, by: alice, kicked: true}]", "kicked"),
        ("script: [{special: suspend, card: Shock, by: alice}]", "suspend"),
        ("script: [{expect: {weather: fine}}]", "weather"),
        ("script: [dance]", "dance"),
        ("start: {moon: full}\nscript: []", "moon"),
        ("edition: 2008-10\nscript: []", "2008-10"),
        ("variant: commander\nscript: []", "commander"),
        ("script: {}{", "cannot be read"),
    ],
)
def test_what_is_not_built_is_named(
    tmp_path: Path, pool: CardPool, script: str, words: str
) -> None:
    result = run(tmp_path, pool, script)
    assert not result.ok
    assert result.error is not None
    assert words in result.error


def test_a_card_that_is_not_supported_is_named_with_its_phrase(
    tmp_path: Path, pool: CardPool
) -> None:
    head = BEARS.replace("Grizzly Bears,", "Black Lotus,")
    result = run(tmp_path, pool, "script: []", head)
    assert result.error is not None
    assert "Black Lotus" in result.error


def test_a_choice_may_stand_before_the_step_and_is_kept_in_order(
    tmp_path: Path, pool: CardPool
) -> None:
    head = """
scenario: test
title: a test
rules: ["701.8a"]
players:
  - {name: alice, mana: any, hand: [Mind Rot, Mind Rot]}
  - {name: bob, hand: [Forest, Shock, Opt, Island, Squire]}
"""
    script = """
script:
  - {choose: [Forest, Shock], by: bob}
  - {choose: [Opt, Island], by: bob}
  - {cast: Mind Rot, by: alice, targets: [bob]}
  - resolve
  - expect: {zones: {bob.graveyard: {Forest: 1, Shock: 1, Opt: 0}}}
  - {cast: Mind Rot, by: alice, targets: [bob]}
  - resolve
expect: {zones: {bob.hand: {Squire: 1}}, hand: {bob: 1}}
"""
    result = run(tmp_path, pool, script, head)
    assert result.ok, result


def test_required_choice_without_an_answer_fails(tmp_path: Path, pool: CardPool) -> None:
    head = BEARS.replace("Shock, Forest", "Flametongue Kavu, Forest")
    script = "script: [{cast: Flametongue Kavu, by: alice}, resolve, resolve]"
    result = run(tmp_path, pool, script, head)
    assert not result.ok
    assert result.step == 3
    assert result.expected == "a choice in the script"
    assert "alice is asked" in (result.found or "")


def test_a_scenario_is_a_log_whose_first_event_is_the_position(pool: CardPool) -> None:
    path = next(iter(sorted(Path(__file__).parent.glob("burn-*.yaml"))))
    sink = KeptCommits()
    assert play_scenario(load_scenario(path), pool, sink).ok
    commits = list(decode_log("test", enumerate(commit.entry for commit in sink.commits)))
    assert isinstance(next(commits[0].events()), PositionArranged)
    assert len(commits) > 3


def test_folders_are_run_in_the_order_of_names(pool: CardPool) -> None:
    results = list(run_paths([Path(__file__).parent], pool))
    assert [result.scenario for result in results] == sorted(one.scenario for one in results)
