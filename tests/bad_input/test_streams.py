"""Standard streams that are closed, full, or read by nobody."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.store import Store
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup

APNAP = f"{shlex.quote(sys.executable)} -m apnap.cli"
INTERRUPTED = 130


def shell(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", "-c", f"set -o pipefail; {script}"],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture(scope="module")
def game(embedded_store: Store) -> str:
    """Return the name of a finished game in the session's embedded store."""
    with host_new_game(embedded_store, GameSetup(decks=BUILTIN_DECKS, seed=3)) as hosted:
        hosted.play()
        return hosted.game


@pytest.mark.parametrize("option", ["", "--json"])
def test_pipe_that_is_read_no_more_ends_the_command_quietly(
    option: str, game: str, embedded_url: str
) -> None:
    done = shell(f"{APNAP} log {game} {option} --store {embedded_url} | head -n 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


def test_game_whose_output_nobody_reads_is_kept(embedded_url: str, embedded_store: Store) -> None:
    known = {record.game for record in embedded_store.games()}
    done = shell(f"{APNAP} play --seed 3 --store {embedded_url} | head -n 1")
    assert (done.returncode, done.stderr) == (0, "")
    (game,) = {record.game for record in embedded_store.games()} - known
    resumed = shell(f"{APNAP} resume {game} --json --store {embedded_url}")
    alone = shell(f"{APNAP} play --seed 3 --json --store memory:")
    assert json.loads(resumed.stdout)["head"] == json.loads(alone.stdout)["head"]


@pytest.mark.parametrize("closed", ["1>&-", "2>&-", "0<&-", "0<&- 1>&- 2>&-"])
def test_closed_standard_streams_harm_nothing(
    closed: str, embedded_url: str, embedded_store: Store
) -> None:
    known = {record.game for record in embedded_store.games()}
    done = shell(f"{APNAP} play --seed 3 --json --store {embedded_url} {closed}")
    assert (done.returncode, done.stderr) == (0, "")
    (game,) = {record.game for record in embedded_store.games()} - known
    assert embedded_store.meta(game)["status"] == "finished"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", ["play --seed 3", "play --seed 3 --json", "games", "--help"])
def test_output_that_cannot_be_written_is_told(
    words: str, embedded_url: str, one_sentence: Callable[[str], None]
) -> None:
    store = "" if words == "--help" else f"--store {embedded_url}"
    done = shell(f"{APNAP} {words} {store} >/dev/full")
    one_sentence(done.stderr)
    assert done.returncode == 2
    assert "standard output" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_export_to_a_full_device_is_told_and_the_device_stays(
    game: str, embedded_url: str, one_sentence: Callable[[str], None]
) -> None:
    device = Path("/dev/full")
    done = shell(f"{APNAP} export {game} {device} --store {embedded_url}")
    one_sentence(done.stderr)
    assert done.returncode == 2
    assert str(device) in done.stderr
    assert device.is_char_device()


@pytest.mark.parametrize("stdin", ["0<&-", "</dev/null"])
def test_person_who_is_not_there_leaves_a_game_to_be_resumed(
    stdin: str, embedded_url: str, embedded_store: Store
) -> None:
    known = {record.game for record in embedded_store.games()}
    words = f"play --seed 3 --agent human greedy --json --store {embedded_url}"
    done = shell(f"{APNAP} {words} {stdin}")
    (game,) = {record.game for record in embedded_store.games()} - known
    assert (done.returncode, done.stdout) == (INTERRUPTED, "")
    assert f"apnap resume {game}" in done.stderr
    assert "Traceback" not in done.stderr
    resumed = shell(f"{APNAP} resume {game} --agent greedy --json --store {embedded_url}")
    assert json.loads(resumed.stdout)["winner"]


def test_terminal_that_knows_few_letters_is_written_to(game: str, embedded_url: str) -> None:
    done = shell(f"PYTHONIOENCODING=ascii {APNAP} show {game} --store {embedded_url}")
    assert (done.returncode, done.stderr) == (0, "")
    assert "alice" in done.stdout
