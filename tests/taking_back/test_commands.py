"""`apnap repair`, and `undo` at a terminal where people play."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cli.main import run
from apnap.events.memory_store import MemoryStore
from apnap.events.store import Store
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def command(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Return a function that runs the command with a data folder of the test's own."""
    folder = tmp_path_factory.mktemp("r")
    known = {key: value for key, value in os.environ.items() if key != "APNAP_STORE"}

    def run_command(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "apnap.cli", *words],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={**known, "XDG_DATA_HOME": str(folder)},
        )

    return run_command


def unfinished(store: Store, *, judge: bool, agents: tuple[str, ...] = ("greedy",)) -> str:
    """Begin a game in a store that stops after some commits, and return its name."""
    setup = GameSetup(decks=BUILTIN_DECKS, seed=3, agents=agents, judge=judge)
    with host_new_game(store, setup) as hosted:
        hosted.play(commits_max=30)
        return hosted.game


@pytest.mark.parametrize("judge", [True, False])
def test_repair_mends_a_game_of_agents(
    judge: bool, embedded_store: Store, embedded_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = unfinished(embedded_store, judge=judge)
    words = ("repair", game, "life of bob is 13", "--store", embedded_url, "--json")
    assert run(words) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["made"]
    assert record["game"] == game
    assert run(("verify", game, "--store", embedded_url)) == 0
    assert run(("log", game, "--store", embedded_url, "--json")) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()[1:]]
    decided = [line for line in lines if line.get("seat") == "judge"]
    assert [line["text"] for line in decided] == ["life of bob is 13"]


def test_repair_waits_for_people_unless_they_have_agreed(
    embedded_store: Store, embedded_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = unfinished(embedded_store, judge=False, agents=("human", "greedy"))
    assert run(("repair", game, "alice loses", "--store", embedded_url, "--json")) == 0
    assert not json.loads(capsys.readouterr().out)["made"]
    assert run(("repair", game, "alice loses", "--store", embedded_url)) == 1
    assert "offered already" in capsys.readouterr().err
    other = unfinished(embedded_store, judge=False, agents=("human", "greedy"))
    words = ("repair", other, "alice loses", "--agreed", "--store", embedded_url, "--json")
    assert run(words) == 0
    assert json.loads(capsys.readouterr().out)["made"]


def test_repair_that_means_nothing_is_one_sentence(
    embedded_store: Store, embedded_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = unfinished(embedded_store, judge=True)
    assert run(("repair", game, "make it good", "--store", embedded_url)) == 2
    said = capsys.readouterr().err
    assert "nothing that a judge does" in said
    assert "life of bob is 17" in said
    assert run(("repair", game, "back up to 4000", "--store", embedded_url)) == 1
    assert "nothing to take back" in capsys.readouterr().err


def test_person_undoes_and_redoes_a_decision_at_the_terminal(command: Command) -> None:
    lines = "keep\nundo\nkeep\npass\nundo\nredo\nq\n"
    ran = command("play", "--agent", "human", "greedy", "--seed", "3", stdin=lines)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("the game goes back to after commit") == 2
    game = ran.stdout.rpartition("apnap resume ")[2].split()[0]
    assert command("verify", game).returncode == 0


def test_other_person_at_the_terminal_has_to_agree(command: Command) -> None:
    lines = "keep\nundo\nn\nundo\ny\nkeep\nq\n"
    ran = command("play", "--agent", "human", "--seed", "3", stdin=lines)
    assert ran.returncode == 0, ran.stderr
    assert "bob, do you agree to go back to after commit 0? (y/n)" in ran.stdout
    assert "bob does not agree" in ran.stdout
    assert "the game goes back to after commit 0" in ran.stdout
    game = ran.stdout.rpartition("apnap resume ")[2].split()[0]
    assert command("verify", game).returncode == 0


def test_store_in_memory_keeps_no_game_to_mend() -> None:
    assert run(("repair", "baba", "bob loses", "--store", "memory:")) == 2
    assert unfinished(MemoryStore(), judge=True)
