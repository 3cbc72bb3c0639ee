"""Running the command in this process, and what every complaint of it must be."""

from __future__ import annotations

import io
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cli.main import run
from apnap.events.decisions import Concede
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.record_file import export_game

Complaint = Callable[..., str]

UNUSABLE = 2


@pytest.fixture
def complaint(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Complaint]:
    """Return what runs the command and gives its one sentence; nothing else may come of it."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    monkeypatch.delenv("APNAP_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))

    def complained(*words: str | Path, code: int = UNUSABLE) -> str:
        capsys.readouterr()
        given = run([str(word) for word in words])
        told = capsys.readouterr()
        assert_one_sentence(told.err)
        assert (given, told.out) == (code, "")
        return told.err.strip()

    yield complained
    for number, handler in kept.items():
        signal.signal(number, handler)


def assert_one_sentence(said: str) -> None:
    lines = said.splitlines()
    assert len(lines) == 1, said
    assert lines[0].startswith("apnap: "), said
    assert not [sign for sign in ("Traceback", "A bug", "Error(") if sign in said], said
    assert lines[0].endswith((".", "!", "?", ")")) or "@" in lines[0].split()[-1], said


@pytest.fixture(scope="session")
def one_sentence() -> Callable[[str], None]:
    """Return what checks that a complaint is one sentence."""
    return assert_one_sentence


@pytest.fixture(scope="session")
def small_record() -> bytes:
    """Return the export of a short game that was really played: alice concedes in turn three."""
    store = MemoryStore()
    setup = GameSetup(decks=BUILTIN_DECKS, seed=4, agents=("random", "greedy"))
    with host_new_game(store, setup) as hosted:
        hosted.play(commits_max=25)
        alice = PlayerId(0)
        counter = hosted.state.decision_counters[alice]
        assert hosted.decide(Concede(alice, alice, counter)) is None
        assert hosted.is_over
        game = hosted.game
    file = io.BytesIO()
    export_game(store, game, file)
    return file.getvalue()
