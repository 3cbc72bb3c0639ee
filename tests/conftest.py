"""What all tests share: the folder beside the checkout, stores, and a last line about skips."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from apnap.events.store import Store
from apnap.events.store_url import open_store

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let long runs be asked for: `make test` takes a few of each kind."""
    parser.addoption(
        "--every-kill", action="store_true", help="kill at every moment, not at a few of each kind"
    )
    parser.addoption(
        "--other-pythons", action="store_true", help="install and play with other Pythons too"
    )
    parser.addoption("--games", type=int, default=0, help="random games to play; 0: a few")


@pytest.fixture(scope="session")
def games(request: pytest.FixtureRequest) -> int:
    """Return how many random games are asked for, 0 where a few will do."""
    return int(request.config.getoption("--games"))


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the root of the checkout, which is the package's folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder `../shared` with rules, printed cards and scenarios; skip without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is not beside the checkout")
    return folder


@pytest.fixture
def store_url() -> str:
    """Return the address of a store that keeps nothing after the test."""
    return "memory:"


@pytest.fixture(scope="session")
def embedded_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of the session's own embedded store."""
    return tmp_path_factory.mktemp("s")


@pytest.fixture(scope="session")
def embedded_store(embedded_folder: Path) -> Iterator[Store]:
    """Return the session's embedded store; its counter keeps the games of the tests apart."""
    with open_store(None, embedded_folder) as store:
        yield store


@pytest.fixture
def embedded_url(embedded_folder: Path, embedded_store: Store) -> str:
    """Return the address of the session's embedded store, whose server runs already."""
    return f"embedded:{embedded_folder}"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say in the very last line how many tests were skipped, and why.

    `pytest_terminal_summary` would run before pytest's own line of totals.
    """
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or config.option.collectonly:
        return  # a worker of xdist: its controller reports
    reasons = Counter(_reason(report) for report in reporter.stats.get("skipped", ()))
    told = "; ".join(f"{count} × {reason}" for reason, count in sorted(reasons.items()))
    reporter.write_line(f"skipped: {reasons.total()} ({told or 'nothing was missing'})")


def _reason(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2]).removeprefix("Skipped: ")
    return "no reason given"
