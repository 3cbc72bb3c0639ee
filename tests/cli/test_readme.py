"""What the README says is so: its game runs, its demo prints what it shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from apnap.cards.pool import CardPool
from apnap.replay.scenario import run_scenario


def block(root: Path, language: str) -> str:
    """Return the first block of the README in a language."""
    text = (root / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def test_game_in_ten_lines_runs(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = block(root, "python")
    code = [line for line in source.splitlines() if line and not line.startswith("import")]
    assert len(code) <= 10
    exec(compile(source, "README.md", "exec"), {})  # noqa: S102 -- our own README
    winner, reason, rule = capsys.readouterr().out.split()
    assert winner in {"alice", "bob"}
    assert (reason, rule) == ("life", "704.5a")


def test_demo_prints_equal_heads_and_leaves_nothing(root: Path, data_folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "apnap.cli.demo"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(data_folder), "HOME": str(data_folder)},
    )
    lines = done.stdout.splitlines()
    assert lines[-1] == "They are equal."
    assert lines[-2].split()[-1] == lines[-3].split()[-1]
    assert list(data_folder.iterdir()) == []
    shown = [line for line in block(root, "").splitlines() if line.startswith(("Verif", "They"))]
    assert set(shown) <= set(lines)


def test_scenario_of_the_document_about_them_passes(root: Path, tmp_path: Path) -> None:
    text = (root / "docs" / "scenarios.md").read_text(encoding="utf-8")
    found = re.search(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert found is not None
    file = tmp_path / "growth-loses-its-target.yaml"
    file.write_text(found[1], encoding="utf-8")
    result = run_scenario(file, CardPool.load())
    assert result.ok, result


def test_links_lead_to_files(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (root / target).is_file(), target
