"""`apnap simulate`: seed and options first, the same trace twice, a failure and its repetition."""

from __future__ import annotations

import json

import pytest

from apnap.cli import simulate as command
from apnap.cli.main import run
from apnap.replay.simulation import Outcome
from apnap.replay.simulation_witness import INVARIANTS, NO_FORK


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_seed_and_options_come_first_and_the_trace_is_the_same_twice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    traces = []
    for _ in range(2):
        assert run(["simulate", "--seed", "7", "--seeds", "4", "--json"]) == 0
        first, last = lines_of(capsys)
        assert first == {"seed": 7, "seeds": 4, "script": "short", "laws": list(INVARIANTS)}
        assert last["failed"] == 0
        assert int(str(last["commits"])) >= 4 * 60
        traces.append(last["trace"])
    assert traces[0] == traces[1]


def test_a_whole_game_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "--seed", "1", "--script", "game"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Seed 1, 1 seeds, script game.")
    assert "every law held" in printed


def test_a_broken_law_is_named_with_the_command_that_repeats_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Outcome(
        seed=9,
        digest="d" * 32,
        commits=60,
        games=1,
        faults=3,
        plan="a plan",
        law=NO_FORK,
        error=f"Broken: {NO_FORK} (found): baba@5",
        trace=("what happened",),
    )
    monkeypatch.setattr(command, "simulate_many", lambda *_: [broken])
    assert run(["simulate", "--seed", "9", "--json"]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[1])["repeat"] == "apnap simulate --seed 9 --script short"
    assert NO_FORK in err
    assert "apnap simulate --seed 9 --script short" in err
