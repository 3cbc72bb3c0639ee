"""The checkout is the package: what is listed is what is there."""

import doctest
import importlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

import apnap

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("events", "cards", "projections", "rules", "actors", "replay", "cli")


def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _modules() -> list[str]:
    """Name all modules of the package but `__main__`, which would run the command."""
    files = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    dotted = (".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files)
    names = (f"apnap.{name}".removesuffix(".__init__") for name in dotted)
    return ["apnap", *(name for name in names if not name.endswith("__main__"))]


def test_listed_packages_are_the_folders_with_code() -> None:
    inits = ROOT.rglob("__init__.py")
    parts = (init.relative_to(ROOT).parent.parts for init in inits)
    folders = {
        ".".join(("apnap", *part))
        for part in parts
        if not any(name.startswith(".") or name in {"tests", "build"} for name in part)
    }
    assert set(_project()["tool"]["setuptools"]["packages"]) == folders
    assert folders == {"apnap", *(f"apnap.{folder}" for folder in FOLDERS)}


def test_root_holds_no_module_beside_the_public_face() -> None:
    # Any other would be packed as a module of the package: a conftest.py once was.
    assert [file.name for file in ROOT.glob("*.py")] == ["__init__.py"]


def test_link_for_type_checkers_leads_to_the_root() -> None:
    link = ROOT / ".typing" / "apnap"
    assert link.is_symlink()
    assert link.resolve() == ROOT
    assert not link.readlink().is_absolute()


def test_package_says_that_it_is_typed() -> None:
    assert (ROOT / "py.typed").is_file()
    assert "py.typed" in _project()["tool"]["setuptools"]["package-data"]["apnap"]


def test_imported_package_is_this_checkout() -> None:
    assert apnap.__file__ is not None
    assert Path(apnap.__file__).resolve() == ROOT / "__init__.py"


def test_layers_are_the_folders_from_top_to_bottom() -> None:
    [contract] = _project()["tool"]["importlinter"]["contracts"]
    assert contract["layers"] == [f"apnap.{folder}" for folder in reversed(FOLDERS)]


@pytest.mark.parametrize("extra", ["dependencies", "dev"])
def test_each_dependency_is_justified_with_its_lower_bound(extra: str) -> None:
    project = _project()["project"]
    needed = project["dependencies"] if extra == "dependencies" else _extra(project, extra)
    paper = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    missing = [need for need in needed if f"| `{need.split(';')[0].strip()}` |" not in paper]
    assert missing == []


def _extra(project: dict[str, Any], extra: str) -> list[str]:
    needed: list[str] = project["optional-dependencies"][extra]
    return needed


@pytest.mark.parametrize("name", _modules())
def test_module_imports_and_its_examples_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
