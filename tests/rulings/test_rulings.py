"""The pages of docs/rulings show what the program prints; WRITE_TRANSCRIPTS=1 writes them anew."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from apnap.cards.pool import CardPool
from apnap.replay.scenario import run_scenario
from apnap.replay.scenario_file import load_scenario

BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
ANSWERS: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("answers.yaml").read_text("utf-8")
)


@pytest.fixture
def rulings(root: Path) -> Path:
    """Return the folder of the pages."""
    return root / "docs" / "rulings"


def test_each_page_has_a_scenario_and_an_answer(rulings: Path) -> None:
    pages = sorted(path.stem for path in rulings.glob("[0-9]*.md"))
    assert len(pages) == 10
    assert pages == sorted(path.stem for path in rulings.glob("*.yaml")) == sorted(ANSWERS)
    listed = re.findall(r"\]\((\d[^)]*)\.md\)", (rulings / "README.md").read_text("utf-8"))
    assert listed == pages


@pytest.mark.parametrize("slug", sorted(ANSWERS))
def test_its_scenario_passes_and_cites_the_rules_of_the_answer(slug: str, rulings: Path) -> None:
    path = rulings / f"{slug}.yaml"
    assert run_scenario(path, CardPool.load()).ok
    assert set(ANSWERS[slug]["rules"]) <= set(load_scenario(path).rules)


@pytest.mark.parametrize("slug", sorted(ANSWERS))
def test_what_is_printed_names_the_rule_and_nothing_else_does(slug: str, rulings: Path) -> None:
    written = (rulings / f"{slug}.md").read_text("utf-8")
    printed = "\n".join(BLOCK.findall(written))
    told = BLOCK.sub("", written)
    assert all(f"CR {rule}" in printed for rule in ANSWERS[slug]["rules"])
    assert not re.search(r"\d{3}\.\d", told)


@pytest.mark.parametrize("slug", sorted(ANSWERS))
def test_a_page_shows_what_the_program_prints(
    slug: str, rulings: Path, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page, folder = rulings / f"{slug}.md", tmp_path_factory.mktemp("r")
    written = page.read_text("utf-8")
    fresh = BLOCK.sub(lambda found: f"```console\n{_printed(root, folder, found[1])}\n```", written)
    if os.environ.get("WRITE_TRANSCRIPTS"):
        page.write_text(fresh, "utf-8")
    assert fresh == written


def _printed(root: Path, folder: Path, block: str) -> str:
    """Return a block's commands, each with what it prints, a blank line between them."""
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    return "\n\n".join(f"$ {command}\n{_run(root, folder, command)}" for command in commands)


def _run(root: Path, folder: Path, command: str) -> str:
    words = shlex.split(command)
    assert words[0] == "apnap"
    known = {key: value for key, value in os.environ.items() if key != "APNAP_STORE"}
    done = subprocess.run(
        [sys.executable, "-m", "apnap.cli", *words[1:]],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**known, "XDG_DATA_HOME": str(folder)},
    )
    assert (done.returncode, done.stderr) == (0, ""), command
    return done.stdout.rstrip()
