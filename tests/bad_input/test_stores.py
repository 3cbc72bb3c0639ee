"""Stores that cannot be used: unreachable, not durable, of a newer format, or full."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.chain import digest_of
from apnap.events.codec import read_entry
from apnap.events.commit import FORMAT
from apnap.events.launcher import server_binaries
from apnap.events.memory_store import MemoryStore
from apnap.events.store import NewCommit, Store
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup

Complaint = Callable[..., str]

COMMANDS = (
    ("play", "--seed", "1"),
    ("games",),
    ("store",),
    ("show", "baba"),
    ("resume", "baba"),
    ("verify", "--all"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=[words[0] for words in COMMANDS])
def test_unreachable_store_is_named(words: tuple[str, ...], complaint: Complaint) -> None:
    said = complaint(*words, "--store", "redis://127.0.0.1:1")
    assert "redis://127.0.0.1:1" in said
    assert "cannot be reached" in said


def test_password_of_a_store_is_not_told(complaint: Complaint) -> None:
    assert "hush" not in complaint("games", "--store", "redis://me:hush@127.0.0.1:1")


@pytest.mark.parametrize(
    "url",
    [
        "unix:///nowhere/s",
        "redis://127.0.0.1:port",
        "http://127.0.0.1",
        "baba",
        "embedded:",
        "redis://127.0.0.1:1?durable=perhaps",
        "redis://127.0.0.1:1?frobnicate=yes",
    ],
)
def test_url_that_leads_nowhere_is_named(url: str, complaint: Complaint) -> None:
    assert url.partition("?")[0] in complaint("games", "--store", url)


def test_store_of_the_environment_is_named(
    complaint: Complaint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APNAP_STORE", "redis://127.0.0.1:1")
    assert "redis://127.0.0.1:1" in complaint("games")


@contextmanager
def server(folder: Path, *options: str) -> Iterator[str]:
    """Run a server with options, and give its URL."""
    path = folder / "s"
    command = [server_binaries()[0], "--dir", str(folder), "--unixsocket", str(path)]
    process = subprocess.Popen(
        [*command, "--port", "0", "--save", "", *options],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "LC_ALL": "C"},
    )
    try:
        deadline = time.monotonic() + 20
        while not path.exists():
            assert process.poll() is None, "the server did not start"
            assert time.monotonic() < deadline, "the server opened no socket"
            time.sleep(0.005)
        yield f"unix://{path}"
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--appendonly", "no"), "appendonly"),
        (("--appendonly", "yes", "--appendfsync", "everysec"), "appendfsync"),
        (
            ("--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "allkeys-lru"),
            "maxmemory-policy",
        ),
    ],
)
def test_store_that_may_lose_games_is_refused_unless_it_is_wanted(
    options: tuple[str, ...],
    word: str,
    complaint: Complaint,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from apnap.cli.main import run

    with server(tmp_path_factory.mktemp("s"), *options) as url:
        for words in COMMANDS[:2]:
            said = complaint(*words, "--store", url)
            assert word in said
            assert "durable=no" in said
        assert run(["games", "--json", "--store", f"{url}?durable=no"]) == 0
        assert capsys.readouterr().out == ""  # and nothing was written before the refusal


def newer(store: Store, game: str) -> MemoryStore:
    """Return a store whose only game ends in a commit that a later version has written."""
    entries = [entry for _, entry in store.read(game)]
    body = msgspec.msgpack.decode(read_entry(entries[-1]).body)
    body[0] = FORMAT + 1
    packed = msgspec.msgpack.encode(body)
    last = msgspec.msgpack.decode(entries[-1])
    last[:2] = [packed, digest_of(packed)]
    entries[-1] = msgspec.msgpack.encode(last)
    other = MemoryStore()
    other.create(game, store.secret(game), store.meta(game), store.get_definitions(game))
    fence = other.acquire(game, "a later version")
    head = b""
    for number, entry in enumerate(entries):
        digest = read_entry(entry).digest
        other.append(game, number, head or read_prev(entry), NewCommit(entry, digest), fence)
        head = digest
    other.release(fence)
    return other


def read_prev(entry: bytes) -> bytes:
    prev = msgspec.msgpack.decode(read_entry(entry).body)[5]
    assert isinstance(prev, bytes)
    return prev


def test_log_of_a_newer_format_is_refused_and_stays_as_it_is(
    complaint: Complaint, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = MemoryStore()
    with host_new_game(store, GameSetup(decks=BUILTIN_DECKS, seed=3)) as hosted:
        hosted.play(commits_max=20)
    other = newer(store, hosted.game)
    last = f"{hosted.game}@{other.head(hosted.game).number}"
    before = list(other.read(hosted.game))
    monkeypatch.setattr("apnap.replay.places.open_store", lambda *_: other)
    for words in (
        ("resume", hosted.game),
        ("replay", hosted.game),
        ("show", hosted.game),
        ("verify", hosted.game),
        ("log", hosted.game, "--from", str(other.head(hosted.game).number)),
    ):
        said = complaint(*words)
        assert "newer" in said
        assert last in said
    assert list(other.read(hosted.game)) == before
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a disk of two megabytes; skip where none may be mounted."""
    folder = tmp_path_factory.mktemp("d")
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, check=False, capture_output=True).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("a small disk may not be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def apnap(*words: str, store: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "apnap.cli", *words, "--json", "--store", store]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)


def fill(disk: Path, room: int) -> Path:
    """Fill a disk but for so many bytes; return the file that does."""
    status = os.statvfs(disk)
    file = disk / "filler"
    file.write_bytes(bytes(status.f_bavail * status.f_frsize - room))
    return file


@pytest.mark.parametrize("room_kb", [0, 40, 120])
def test_full_disk_is_told_and_the_game_goes_on_when_there_is_room(
    room_kb: int, small_disk: Path, one_sentence: Callable[[str], None]
) -> None:
    played = ("play", "--seed", "7", "--agent", "random", "greedy")
    alone = json.loads(apnap(*played, store="memory:").stdout)
    store = f"embedded:{small_disk / 's'}"
    assert apnap("games", store=store).returncode == 0
    filler = fill(small_disk, room_kb * 1024)
    done = apnap(*played, store=store)
    one_sentence(done.stderr)
    assert (done.returncode, done.stdout) == (2, "")
    assert str(small_disk) in done.stderr
    assert "disk is full" in done.stderr
    filler.unlink()
    games = [json.loads(line) for line in apnap("games", store=store).stdout.splitlines()]
    if not games:
        assert room_kb < 100  # so little room that not even the beginning was acknowledged
        resumed = apnap(*played, store=store)
    else:
        assert [game["status"] for game in games] == ["running"]
        resumed = apnap("resume", games[0]["game"], store=store)
    assert resumed.returncode == 0, resumed.stderr
    ended = json.loads(resumed.stdout)
    assert [ended[key] for key in ("head", "state")] == [alone[key] for key in ("head", "state")]
    assert apnap("verify", "--all", store=store).returncode == 0
