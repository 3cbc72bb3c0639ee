"""Running the command as people do: a process of its own, its two outputs and its exit code."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apnap.cli.main import run as run_here

RunCommand = Callable[..., "Ran"]


class Ran:
    """What came of a run of the command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def records(self) -> list[dict[str, Any]]:
        """The JSON objects on standard output, one a line and nothing else."""
        return [json.loads(line) for line in self.out.splitlines()]


def run_process(*words: str | Path, folder: Path, stdin: str = "", **environment: str) -> Ran:
    """Run the command in a process whose default store lies in a folder of the test."""
    known = {key: value for key, value in os.environ.items() if key != "APNAP_STORE"}
    done = subprocess.run(
        [sys.executable, "-m", "apnap.cli", *map(str, words)],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**known, "XDG_DATA_HOME": str(folder), **environment},
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder of the test's own, short enough for a socket."""
    return tmp_path_factory.mktemp("d")


@pytest.fixture
def command(data_folder: Path) -> RunCommand:
    """Return a function that runs the command with that data folder."""

    def run(*words: str | Path, stdin: str = "", **environment: str) -> Ran:
        return run_process(*words, folder=data_folder, stdin=stdin, **environment)

    return run


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunCommand, dict[str, Any]]:
    """Return a function that runs the command on a store with a finished game, and its line."""
    folder = tmp_path_factory.mktemp("p")

    def run(*words: str | Path, stdin: str = "", **environment: str) -> Ran:
        return run_process(*words, folder=folder, stdin=stdin, **environment)

    return run, run("play", "--seed", "3", "--json").records[0]


@pytest.fixture
def in_process(
    data_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[RunCommand]:
    """Return a function that runs the command in this process, which is faster."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    monkeypatch.setenv("XDG_DATA_HOME", str(data_folder))
    monkeypatch.delenv("APNAP_STORE", raising=False)

    def run(*words: str | Path) -> Ran:
        capsys.readouterr()
        code = run_here([str(word) for word in words])
        told = capsys.readouterr()
        return Ran(code, told.out, told.err)

    yield run
    for number, handler in kept.items():
        signal.signal(number, handler)
