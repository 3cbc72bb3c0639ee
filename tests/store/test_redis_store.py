"""What only a server can do to a store: expire, refuse, break off, fall silent."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from apnap.events.errors import LeaseHeld, LeaseLost, LogConflict, LogDamaged, StoreUnusable
from apnap.events.redis_store import RedisStore
from apnap.events.store import NewCommit
from apnap.events.store_url import open_store

DURABLE = ("--appendonly", "yes", "--appendfsync", "always")
FIRST = NewCommit(b"entry 0", b"digest 0")
SECOND = NewCommit(b"entry 1", b"digest 1")


class SwallowingProxy:
    """A socket before a server's that passes all on, but for one reply when it is told so."""

    def __init__(self, path: Path, target: str) -> None:
        self.url = f"unix://{path}"
        self.swallow_next_reply = False
        self.swallowed = 0
        self._target = target
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._target)
            while request := client.recv(1_000_000):
                server.sendall(request)
                reply = server.recv(1_000_000)
                if self.swallow_next_reply and b"-NOSCRIPT" not in reply:
                    self.swallow_next_reply = False
                    self.swallowed += 1
                    return
                client.sendall(reply)


@pytest.fixture
def url(start_server: Any) -> str:
    return str(start_server(*DURABLE))


@pytest.fixture
def server(url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(url) as client:
        yield client


def open_with_game(url: str) -> tuple[RedisStore, str]:
    store = open_store(url, Path("unused"))
    assert isinstance(store, RedisStore)
    game = store.new_game_id()
    store.create(game, b"secret", {})
    return store, game


def test_an_append_whose_reply_is_lost_is_sent_again_and_counts_once(
    url: str, short_folder: Path
) -> None:
    proxy = SwallowingProxy(short_folder / "proxy", url.removeprefix("unix://"))
    store, game = open_with_game(proxy.url)
    with store:
        fence = store.acquire(game, "host")
        store.append(game, 0, b"", FIRST, fence)
        proxy.swallow_next_reply = True
        store.append(game, 1, b"digest 0", SECOND, fence)
        assert proxy.swallowed == 1
        assert [number for number, _ in store.read(game)] == [0, 1]
    proxy.close()


def test_a_lease_whose_reply_is_lost_is_still_ours(url: str, short_folder: Path) -> None:
    proxy = SwallowingProxy(short_folder / "proxy", url.removeprefix("unix://"))
    store, game = open_with_game(proxy.url)
    with store:
        store.release(store.acquire(game, "host"))
        proxy.swallow_next_reply = True
        fence = store.acquire(game, "host")
        assert proxy.swallowed == 1
        store.append(game, 0, b"", FIRST, fence)
        proxy.swallow_next_reply = True
        store.release(fence)
        assert store.holder(game) is None
    proxy.close()


def test_an_expired_lease_may_be_taken_and_the_late_host_learns_it(
    url: str, server: redis.Redis
) -> None:
    store, game = open_with_game(url)
    with store:
        first = store.acquire(game, "first")
        server.delete(f"apnap:{{{game}}}:lease")  # as when its time is over
        store.append(game, 0, b"", FIRST, first)  # nobody took it: it is held anew
        with pytest.raises(LeaseHeld):
            store.acquire(game, "second")
        server.delete(f"apnap:{{{game}}}:lease")
        store.acquire(game, "second")
        with pytest.raises(LeaseLost, match=f"taken over by second .*{game}@1$"):
            store.append(game, 1, b"digest 0", SECOND, first)


def test_a_lease_that_a_failover_forgot_is_worthless_though_its_number_is_given_again(
    url: str, server: redis.Redis
) -> None:
    store, game = open_with_game(url)
    with store:
        forgotten = store.acquire(game, "first")
        server.delete(f"apnap:{{{game}}}:lease", f"apnap:{{{game}}}:token")
        second = store.acquire(game, "second")
        assert second.token == forgotten.token
        server.delete(f"apnap:{{{game}}}:lease")  # its time is over, and nobody took it
        with pytest.raises(LeaseLost):
            store.append(game, 0, b"", FIRST, forgotten)
        with pytest.raises(LeaseLost):
            store.renew(forgotten)
        store.append(game, 0, b"", FIRST, second)


def test_a_lease_ends_by_the_servers_clock_unless_it_is_renewed(
    url: str, server: redis.Redis
) -> None:
    store, game = open_with_game(url)
    with store:
        fence = store.acquire(game, "host", 5_000)
        key = f"apnap:{{{game}}}:lease"
        assert 0 < int(str(server.pttl(key))) <= 5_000
        server.pexpire(key, 1_000)
        store.append(game, 0, b"", FIRST, fence)
        assert int(str(server.pttl(key))) > 2_500
        server.pexpire(key, 1_000)
        store.renew(fence)
        assert int(str(server.pttl(key))) > 2_500


def test_the_lease_of_a_killed_process_of_this_machine_is_taken_over_at_once(url: str) -> None:
    store, game = open_with_game(url)
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from apnap.events.store_url import open_store\n"
        "open_store(sys.argv[1], Path()).acquire(sys.argv[2], 'victim', 3_600_000)\n"
        "print('held', flush=True)\n"
        "time.sleep(60)\n"
    )
    with (
        store,
        subprocess.Popen(
            [sys.executable, "-c", script, url, game], stdout=subprocess.PIPE
        ) as victim,
    ):
        assert victim.stdout is not None
        assert victim.stdout.readline() == b"held\n"
        with pytest.raises(LeaseHeld, match=f"victim \\(process {victim.pid}\\)"):
            store.acquire(game, "heir")
        os.kill(victim.pid, signal.SIGKILL)
        victim.wait()
        assert store.holder(game) is None
        store.append(game, 0, b"", FIRST, store.acquire(game, "heir"))


def test_closing_a_store_gives_up_its_leases(url: str) -> None:
    store, game = open_with_game(url)
    store.acquire(game, "host")
    store.close()
    with open_store(url, Path("unused")) as other:
        other.acquire(game, "other")


def test_an_append_goes_on_when_the_server_has_cut_the_connection(
    url: str, server: redis.Redis
) -> None:
    store, game = open_with_game(url)
    with store:
        fence = store.acquire(game, "host")
        store.append(game, 0, b"", FIRST, fence)
        server.client_kill_filter(_type="normal", skipme=True)
        store.append(game, 1, FIRST.digest, SECOND, fence)
        assert [entry for _, entry in store.read(game)] == [FIRST.entry, SECOND.entry]


def test_a_server_that_forgets_its_scripts_is_told_them_again(
    url: str, server: redis.Redis
) -> None:
    store, game = open_with_game(url)
    with store:
        fence = store.acquire(game, "host")
        server.script_flush()
        store.append(game, 0, b"", FIRST, fence)


def test_a_host_ahead_of_a_server_that_lost_its_tail_appends_it_again(
    url: str, server: redis.Redis
) -> None:
    store, game = open_with_game(url)
    third = NewCommit(b"entry 2", b"digest 2")
    with store:
        fence = store.acquire(game, "host")
        store.append_many(game, 0, b"", [FIRST, SECOND], fence)
        server.delete(f"apnap:{{{game}}}:log")
        store.append(game, 0, b"", FIRST, fence)
        with pytest.raises(LogConflict) as conflict:
            store.append(game, 2, b"digest 1", third, fence)
        assert conflict.value.head == 0
        store.append_many(game, 1, b"digest 0", [SECOND, third], fence)
        assert store.head(game).number == 2


def test_a_gap_in_the_stream_is_damage_at_its_address(url: str, server: redis.Redis) -> None:
    store, game = open_with_game(url)
    with store:
        fence = store.acquire(game, "host")
        commits = [NewCommit(b"entry", bytes([number])) for number in range(5)]
        store.append_many(game, 0, b"", commits, fence)
        server.xdel(f"apnap:{{{game}}}:log", "3-1")
        with pytest.raises(LogDamaged, match=f"{game}@3$"):
            list(store.read(game))


def test_a_foreign_entry_in_the_stream_is_damage(url: str, server: redis.Redis) -> None:
    store, game = open_with_game(url)
    with store:
        fence = store.acquire(game, "host")
        server.xadd(f"apnap:{{{game}}}:log", {"a": "b"}, id="0-7")
        for ask in (store.head, lambda game: store.append(game, 0, b"", FIRST, fence)):
            with pytest.raises(LogDamaged, match="foreign entry"):
                ask(game)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--appendonly", "no"), "appendonly is no and not yes"),
        (("--appendonly", "yes", "--appendfsync", "everysec"), "appendfsync is everysec"),
        ((*DURABLE, "--maxmemory-policy", "allkeys-lru"), "maxmemory-policy is allkeys-lru"),
        ((*DURABLE, "--rename-command", "CONFIG", "gone"), "CONFIG is refused"),
        ((*DURABLE, "--replicaof", "127.0.0.1 1"), "its role is slave"),
    ],
)
def test_a_server_that_may_lose_games_is_refused_unless_told_otherwise(
    start_server: Any, options: tuple[str, ...], reason: str
) -> None:
    url = start_server(*options)
    with pytest.raises(StoreUnusable, match=reason) as refused:
        open_store(url, Path("unused"))
    assert "durable=no" in str(refused.value)
    with open_store(f"{url}?durable=no", Path("unused")) as store:
        info = store.info()
    assert not info.durable
    assert reason in info.reason


def test_a_full_server_takes_nothing_and_says_so(start_server: Any) -> None:
    url = start_server(*DURABLE)
    store, game = open_with_game(url)
    with store, redis.Redis.from_url(url) as server:
        fence = store.acquire(game, "host")
        server.config_set("maxmemory", "1")
        with pytest.raises(StoreUnusable, match="its memory is full"):
            store.append(game, 0, b"", FIRST, fence)
        server.config_set("maxmemory", "0")
        assert store.head(game).number == -1


def test_a_server_short_of_replicas_takes_nothing_and_says_so(start_server: Any) -> None:
    url = start_server(*DURABLE)
    store, game = open_with_game(url)
    with store, redis.Redis.from_url(url) as server:
        fence = store.acquire(game, "host")
        server.config_set("min-replicas-to-write", "1")
        with pytest.raises(StoreUnusable, match="min-replicas-to-write"):
            store.append(game, 0, b"", FIRST, fence)
        server.config_set("min-replicas-to-write", "0")


def test_a_password_is_asked_for_used_and_never_shown(start_server: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start_server(*DURABLE, "--port", str(port), "--requirepass", "hunter2")
    with open_store(f"redis://:hunter2@127.0.0.1:{port}/0", Path("unused")) as store:
        assert store.address == f"redis://127.0.0.1:{port}/0"
    for user in ("", ":hunter3@"):
        with pytest.raises(StoreUnusable, match="password") as refused:
            open_store(f"redis://{user}127.0.0.1:{port}/0", Path("unused"))
        assert "hunter" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "redis://127.0.0.1:1/0",
        "unix:///nowhere/at/all.sock",
        "redis://127.0.0.1:1/none?durable=no",
        "redis://127.0.0.1:port",
        "redis://127.0.0.1:1/0?durable=perhaps",
        "redis://127.0.0.1:1/0?nonsense=1",
        "https://example.org",
        "nonsense",
    ],
)
def test_an_address_where_no_store_is_is_named_in_one_sentence(url: str) -> None:
    with pytest.raises(StoreUnusable) as refused:
        open_store(url, Path("unused"))
    sentence = str(refused.value)
    assert url.partition("?")[0].removesuffix("/none") in sentence
    assert sentence.count("\n") == 0
    assert sentence.endswith(".")
