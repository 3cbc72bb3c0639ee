"""Nothing acknowledged is lost by a kill, and what is resumed ends as if nothing had been."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from apnap.events.memory_store import MemoryStore
from apnap.events.store_url import open_store
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.verify import verify_game

CHILD = Path(__file__).with_name("killed_player.py")
DECKS = ("red-green-stompers", "white-black-wardens")
KINDS = ("append", "resolution", "mulligan", "proposal", "start")
MOMENTS = 10
SERVER_KILLS = 20
SEED = 7
FEW = 3


@pytest.fixture(scope="session")
def undisturbed_head() -> str:
    """The head of the game that was left alone."""
    setup = GameSetup(decks=DECKS, seed=SEED, agents=("random", "greedy"))
    with host_new_game(MemoryStore(), setup) as hosted:
        hosted.play()
        return hosted.table.head.hex()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take every moment where `--every-kill` is given, else a few of each kind."""
    every = metafunc.config.getoption("--every-kill")
    if "moment" in metafunc.fixturenames:
        counts = range(1, MOMENTS + 1) if every else range(1, MOMENTS + 1, 4)
        metafunc.parametrize("moment", [(kind, count) for kind in KINDS for count in counts])
    if "server_kill" in metafunc.fixturenames:
        counts = range(1, SERVER_KILLS + 1) if every else range(1, FEW + 1)
        metafunc.parametrize("server_kill", counts)


def run_child(folder: Path, kind: str, count: int) -> int:
    """Play in a process that is killed, or whose server is; return its exit code."""
    command = [sys.executable, str(CHILD), str(folder), str(SEED), kind, str(count)]
    return subprocess.run(command, check=False, capture_output=True, timeout=60).returncode


def apnap(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command on the folder's store."""
    command = [sys.executable, "-m", "apnap.cli", *words, "--store", f"embedded:{folder}"]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)


def go_on(folder: Path) -> str:
    """Resume the only game of the folder, or begin it where it never began; return its head."""
    with open_store(None, folder) as store:
        games = [record.game for record in store.games()]
    if games:
        done = apnap(folder, "resume", games[0], "--json")
    else:
        agents = ["--agent", "random", "--agent", "greedy"]
        done = apnap(folder, "play", "--seed", str(SEED), *agents, "--json")
    assert done.returncode == 0, done.stderr
    head = json.loads(done.stdout)["head"]
    assert isinstance(head, str)
    return head


def test_game_of_a_killed_process_ends_with_the_same_head(
    tmp_path: Path, moment: tuple[str, int], undisturbed_head: str
) -> None:
    assert run_child(tmp_path, *moment) == -signal.SIGKILL
    assert go_on(tmp_path) == undisturbed_head
    with open_store(None, tmp_path) as store:
        assert [verify_game(store, one.game).ok for one in store.games()] == [True]


def test_game_whose_server_was_killed_ends_with_the_same_head(
    tmp_path: Path, server_kill: int, undisturbed_head: str
) -> None:
    told_and_left = 2
    assert run_child(tmp_path, "server", server_kill) == told_and_left
    assert go_on(tmp_path) == undisturbed_head


def test_two_processes_resume_one_game_and_one_is_told(
    tmp_path: Path, undisturbed_head: str
) -> None:
    run_child(tmp_path, "append", 2)
    with open_store(None, tmp_path) as store:
        (game,) = [record.game for record in store.games()]
        command = [sys.executable, "-m", "apnap.cli", "resume", game, "--json"]
        command += ["--store", f"embedded:{tmp_path}"]
        both = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        told = [process.communicate(timeout=60) for process in both]
        codes = sorted(process.returncode for process in both)
        played = [json.loads(out)["head"] for out, _ in told if out]
        assert set(played) == {undisturbed_head}
        assert codes in ([0, 2], [0, 0]), told
        if codes == [0, 2]:
            refusal = next(error for out, error in told if not out)
            assert game in refusal
            assert "Traceback" not in refusal
        assert verify_game(store, game).ok
