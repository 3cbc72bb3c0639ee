"""The same seed gives the same head: whatever the hash seed, the store, and the Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14")
HASH_SEEDS = ("0", "1", "4242424242")
MIXED = ("--agent", "random", "--agent", "greedy")


def heads(python: str | Path, *words: str, hash_seed: str = "random") -> list[tuple[str, str, int]]:
    """Play games in another process; return each one's head, state and number of events."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [str(python), "-m", "apnap.cli", "play", *words, "--json"]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr
    played = [json.loads(line) for line in done.stdout.splitlines()]
    return [(game["head"], game["state"], game["events"]) for game in played]


@cache
def expected() -> list[tuple[str, str, int]]:
    """Return what this Python comes to in memory."""
    return heads(sys.executable, "--seed", "11", "--games", "2", *MIXED, "--store", "memory:")


@pytest.mark.parametrize("hash_seed", HASH_SEEDS)
def test_order_of_hashes_changes_no_head(hash_seed: str) -> None:
    words = ("--seed", "11", "--games", "2", *MIXED, "--store", "memory:")
    assert heads(sys.executable, *words, hash_seed=hash_seed) == expected()


def test_order_of_hashes_changes_no_head_of_real_decks(shared: Path) -> None:
    decks = sorted((shared / "decks" / "skeleton").glob("*.dck"))
    words = ["--seed", "5", "--agent", "random", "--store", "memory:"]
    words += ["--cards", str(shared / "cards" / "oracle-cards.jsonl.gz")]
    for path in decks[:4]:
        words += ["--deck", str(path)]
    one, other = (heads(sys.executable, *words, hash_seed=seed) for seed in HASH_SEEDS[1:])
    assert one == other


def test_two_stores_give_the_same_heads(tmp_path_factory: pytest.TempPathFactory) -> None:
    words = ("--seed", "11", "--games", "2", *MIXED, "--store")
    for _ in range(2):
        folder = tmp_path_factory.mktemp("s")
        assert heads(sys.executable, *words, f"embedded:{folder}") == expected()


def runs(python: str) -> bool:
    """Whether a Python starts and can make environments: a shim on PATH may run nothing."""
    try:
        tried = subprocess.run(
            [python, "-c", "import sys, venv, ensurepip"], check=False, capture_output=True
        )
    except OSError:
        return False
    return tried.returncode == 0


def other_python(name: str) -> str | None:
    """Return a Python of that version: on PATH, else among those that pyenv keeps."""
    on_path = shutil.which(name)
    if on_path is not None and runs(on_path):
        return on_path
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    kept = sorted(pyenv.glob(f"versions/*/bin/{name}"))
    return next((str(path) for path in kept if runs(str(path))), None)


@pytest.mark.parametrize("name", PYTHONS)
def test_other_pythons_give_the_same_heads(
    name: str, root: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """With `--other-pythons`: each makes an environment of its own, with the project in it."""
    if name == f"python3.{sys.version_info.minor}":
        pytest.skip(f"{name} runs the tests")
    python = other_python(name)
    if python is None:
        pytest.skip(f"{name} is not installed")
    if not request.config.getoption("--other-pythons"):
        pytest.skip("other Pythons take an installation each: ask with --other-pythons")
    subprocess.run([python, "-m", "venv", str(tmp_path / "venv")], check=True)
    inside = tmp_path / "venv" / "bin" / "python"
    install = [str(inside), "-m", "pip", "install", "--quiet", "--editable", str(root)]
    subprocess.run(install, check=True, capture_output=True)
    words = ("--seed", "11", "--games", "2", *MIXED, "--store", "memory:")
    for hash_seed in HASH_SEEDS[:2]:
        assert heads(inside, *words, hash_seed=hash_seed) == expected()
