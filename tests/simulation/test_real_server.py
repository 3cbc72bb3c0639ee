"""The same scripts against the real embedded server: faults lie before it, and it is killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from apnap.events.store import LEASE_MS, Fence, Store
from apnap.events.store_url import open_store
from apnap.replay.simulation import outcome_of
from apnap.replay.simulation_dice import Clock, Dice
from apnap.replay.simulation_plan import plan_of
from apnap.replay.simulation_relay import Relay
from apnap.replay.simulation_script import Parts, Script

SEEDS = 5
"""How many scripts are run where nobody asks for more by `--games`."""

SHORT_LEASE_MS = 300


class SleepingClock(Clock):
    """A clock whose leases really end: what is longer than one sleeps for a short one."""

    def advance(self, milliseconds: int) -> None:
        super().advance(milliseconds)
        if milliseconds >= LEASE_MS:
            time.sleep((SHORT_LEASE_MS + 50) / 1000)


class ServedStore(Relay):
    """An embedded server's store; its leases are short."""

    def acquire(self, game: str, host: str, ttl_ms: int = LEASE_MS) -> Fence:
        return super().acquire(game, host, SHORT_LEASE_MS)


class ServedPlace:
    """A place whose server can be killed; it has no replica to go on with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kills = 0
        self._opened = [open_store(None, folder)]
        self._served = ServedStore(self._opened[0])

    @property
    def store(self) -> Store:
        return self._served

    @property
    def is_down(self) -> bool:
        return False

    def restart(self, milliseconds: int) -> None:
        """Kill the server, and start it again by the next who uses it."""
        os.kill(int((self.folder / "server.pid").read_text()), signal.SIGKILL)
        self.kills += 1
        self._opened.append(open_store(None, self.folder))
        self._served.store = self._opened[-1]

    def fail_over(self, commits: int) -> tuple[bytes, ...]:
        raise AssertionError(commits)

    def catch_up(self) -> None:
        """Do nothing: there is no replica."""

    def close(self) -> None:
        """Let go of the server."""
        for opened in self._opened:
            opened.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPlace]:
    served = ServedPlace(tmp_path_factory.mktemp("simulated"))
    yield served
    served.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take as many seeds as are asked for."""
    if "seed" in metafunc.fixturenames:
        seeds = metafunc.config.getoption("--games") or SEEDS
        metafunc.parametrize("seed", range(seeds))


def test_no_law_breaks_on_the_real_server(place: ServedPlace, seed: int) -> None:
    dice = Dice(b"real:%d" % seed)
    plan = plan_of(seed, "short", dice, has_replica=False)
    script = Script(plan, place, SleepingClock(), dice, Parts())
    outcome = outcome_of(script, plan)
    assert not outcome.law, "\n".join((outcome.plan, *outcome.trace))
    assert outcome.commits >= 60
