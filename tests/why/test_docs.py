"""The how-to's transcript is what the program prints; WRITE_TRANSCRIPTS=1 writes it anew."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder of the test's own, short enough for a socket."""
    return tmp_path_factory.mktemp("y")


def test_the_how_to_shows_what_the_program_prints(root: Path, folder: Path) -> None:
    document = root / "docs" / "why.md"
    written = document.read_text("utf-8")
    _run(folder, "apnap play --seed 3")
    fresh = BLOCK.sub(lambda found: f"```console\n{_printed(folder, found[1])}\n```", written)
    if os.environ.get("WRITE_TRANSCRIPTS"):
        document.write_text(fresh, "utf-8")
    assert fresh == written


def _printed(folder: Path, block: str) -> str:
    """Return a block's commands, each with what it prints, a blank line between them."""
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    return "\n\n".join(f"$ {command}\n{_run(folder, command)}" for command in commands)


def _run(folder: Path, command: str) -> str:
    words = shlex.split(command)
    assert words[0] == "apnap"
    known = {key: value for key, value in os.environ.items() if key != "APNAP_STORE"}
    done = subprocess.run(
        [sys.executable, "-m", "apnap.cli", *words[1:]],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**known, "XDG_DATA_HOME": str(folder)},
    )
    assert (done.returncode, done.stderr) == (0, ""), command
    return done.stdout.rstrip()
