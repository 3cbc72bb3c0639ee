"""Stores of every kind, and servers that a test starts and stops itself."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from apnap.events.launcher import server_binaries
from apnap.events.store import Store
from apnap.events.store_url import open_store

DURABLE = ("--appendonly", "yes", "--appendfsync", "always")

StartServer = Callable[..., str]


@contextmanager
def running_server(binary: str, folder: Path, *options: str) -> Iterator[str]:
    """Run a server on a folder and give the URL of its socket."""
    folder.mkdir(exist_ok=True)
    path = folder / "s"
    command = [binary, "--dir", str(folder), "--unixsocket", str(path), "--save", ""]
    if "--port" not in options:
        command += ["--port", "0"]
    server = subprocess.Popen(
        [*command, *options], stdout=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"}
    )
    try:
        deadline = time.monotonic() + 10
        while not path.exists():
            assert server.poll() is None, "the server did not start"
            assert time.monotonic() < deadline, "the server opened no socket"
            time.sleep(0.002)
        yield f"unix://{path}"
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def short_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder whose path is short enough for a socket."""
    folder = tmp_path_factory.mktemp("s")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def start_server(short_folder: Path) -> Iterator[StartServer]:
    """Return a function that starts the best server there is, with options, and gives its URL."""
    started: list[AbstractContextManager[str]] = []

    def start(*options: str) -> str:
        folder = short_folder / str(len(started))
        running = running_server(server_binaries()[0], folder, *options)
        started.append(running)
        return running.__enter__()

    yield start
    for running in reversed(started):
        running.__exit__(None, None, None)


@pytest.fixture(params=["memory", "embedded", "valkey", "redis-server"])
def store(request: pytest.FixtureRequest, short_folder: Path) -> Iterator[Store]:
    """Return an empty store of each kind in turn."""
    match request.param:
        case "memory":
            with open_store("memory:", short_folder) as store:
                yield store
        case "embedded":
            with open_store(None, short_folder) as store:
                yield store
        case "valkey":
            with (
                running_server(server_binaries()[0], short_folder, *DURABLE) as url,
                open_store(url, short_folder) as store,
            ):
                yield store
        case _:
            binary = shutil.which("redis-server")
            if binary is None:
                pytest.skip("redis-server is not installed")
            with (
                running_server(binary, short_folder, *DURABLE) as url,
                open_store(url, short_folder) as store,
            ):
                yield store
