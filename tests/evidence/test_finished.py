"""A finished game is kept as one record, and is read, resumed and removed as any other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from apnap.events.errors import LeaseLost, LogDamaged
from apnap.events.packed_log import PackedCommit, pack_log, unpack_log
from apnap.events.redis_store import CHUNK, RedisStore
from apnap.events.store import Fence, Head, NewCommit, Packs, Store
from apnap.events.store_url import open_store
from apnap.replay.branch import branch_game, diff_games
from apnap.replay.finished import keep_all_as_records
from apnap.replay.host import GameResult, host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import recorded_game
from apnap.replay.resume import resume_game
from apnap.replay.timeline import replay_game
from apnap.replay.verify import verify_game

DECKS = ("red-green-stompers", "white-black-wardens")


def commit(number: int) -> NewCommit:
    return NewCommit(b"entry %d" % number * 20, b"digest %08d" % number)


def filled(store: Store, commits: int) -> tuple[str, Fence]:
    game = store.new_game_id()
    store.create(game, b"secret", {"status": "finished"})
    fence = store.acquire(game, "host")
    store.append_many(game, 0, b"", [commit(number) for number in range(commits)], fence)
    return game, fence


def played(store: Store, seed: int = 4) -> GameResult:
    setup = GameSetup(decks=DECKS, seed=seed, agents=("greedy",))
    with host_new_game(store, setup) as hosted:
        hosted.play()
        return hosted.result()


def stream_length(store: Store, game: str) -> int:
    assert isinstance(store, RedisStore)
    return int(server_of(store).xlen(f"apnap:{{{game}}}:log"))


def server_of(store: RedisStore) -> redis.Redis:
    """Return a client of an embedded store's server."""
    from apnap.events.launcher import join

    share = join(Path(store.address))
    client = redis.Redis(unix_socket_path=share.socket_path)
    share.leave()
    return client


@pytest.mark.parametrize("commits", [1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK])
def test_packed_log_reads_as_its_commits_did(embedded_store: Store, commits: int) -> None:
    store = embedded_store
    assert isinstance(store, Packs)
    game, fence = filled(store, commits)
    before = (list(store.read(game)), list(store.times(game)), store.head(game))
    parts = [list(store.read(game, start, start + 3)) for start in range(0, commits + 4, 97)]
    store.pack(fence)
    store.release(fence)
    assert stream_length(store, game) == 0
    assert (list(store.read(game)), list(store.times(game)), store.head(game)) == before
    assert parts == [
        list(store.read(game, start, start + 3)) for start in range(0, commits + 4, 97)
    ]
    assert [one.commits for one in store.games() if one.game == game] == [commits]
    store.remove(game)
    assert game not in [one.game for one in store.games()]


def test_who_takes_the_lease_of_a_packed_game_appends_to_it(embedded_store: Store) -> None:
    store = embedded_store
    assert isinstance(store, Packs)
    game, fence = filled(store, 7)
    times = list(store.times(game))
    store.pack(fence)
    store.pack(fence)  # as after a lost reply
    store.release(fence)
    later = store.acquire(game, "other")
    store.append(game, 7, commit(6).digest, commit(7), later)
    assert store.head(game) == Head(7, commit(7).digest)
    assert list(store.times(game))[:7] == times
    store.release(later)


def test_who_lost_the_lease_packs_nothing(embedded_store: Store) -> None:
    store = embedded_store
    assert isinstance(store, Packs)
    game, fence = filled(store, 3)
    store.release(fence)
    with pytest.raises(LeaseLost):
        store.pack(fence)
    assert stream_length(store, game) == 3


def test_log_that_is_packed_while_it_is_read_is_read_whole(embedded_store: Store) -> None:
    store = embedded_store
    assert isinstance(store, Packs)
    game, fence = filled(store, 2 * CHUNK + 5)
    reading = store.read(game)
    found = [next(reading) for _ in range(3)]
    store.pack(fence)
    found += list(reading)
    assert found == [(number, commit(number).entry) for number in range(2 * CHUNK + 5)]
    store.release(fence)


def test_damaged_record_is_told_and_nothing_of_it_is_read() -> None:
    record = pack_log([PackedCommit(b"d" * 16, b"entry", 5)])
    assert unpack_log("baba", record) == (PackedCommit(b"d" * 16, b"entry", 5),)
    for place in range(len(record)):
        damaged = bytearray(record)
        damaged[place] ^= 1
        with pytest.raises(LogDamaged, match="baba@0"):
            unpack_log("baba", bytes(damaged))
        with pytest.raises(LogDamaged):
            unpack_log("baba", record[:place])


def test_finished_game_is_one_record_that_everything_reads(embedded_store: Store) -> None:
    store = embedded_store
    result = played(store)
    assert stream_length(store, result.game) == 0
    replayed = replay_game(recorded_game(store, result.game))
    assert (replayed.commits, replayed.head) == (result.commits, result.head)
    assert verify_game(store, result.game).ok
    child = branch_game(store, result.game, 40)
    with resume_game(store, child, ("random",)) as hosted:
        hosted.play()
    assert verify_game(store, child).ok
    assert diff_games(store, result.game, child) is not None
    with resume_game(store, result.game) as hosted:
        assert hosted.is_over
        assert stream_length(store, result.game) == result.commits
    assert stream_length(store, result.game) == 0


def test_finished_games_whose_host_died_before_are_packed_later(embedded_store: Store) -> None:
    game, fence = filled(embedded_store, 5)
    embedded_store.release(fence)
    assert game in keep_all_as_records(embedded_store, "host")
    assert stream_length(embedded_store, game) == 0
    assert embedded_store.head(game).number == 4


PACKS_AGAIN_AND_AGAIN = """
import sys
from pathlib import Path
from apnap.events.store_url import open_store
with open_store(None, Path(sys.argv[1])) as store:
    print("packing", flush=True)
    for _ in range(200):
        fence = store.acquire(sys.argv[2], "host")
        store.pack(fence)
        store.release(fence)
"""


def test_kill_at_any_moment_leaves_the_log_once(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    folder = tmp_path_factory.mktemp("s")
    with open_store(None, folder) as store:
        game, fence = filled(store, 800)
        store.release(fence)
    log = [(number, commit(number).entry) for number in range(800)]
    kills = 40 if request.config.getoption("--every-kill") else 4
    for number in range(kills):
        command = [sys.executable, "-c", PACKS_AGAIN_AND_AGAIN, str(folder), game]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as packing:
            assert packing.stdout is not None
            assert packing.stdout.readline() == b"packing\n"
            try:
                packing.wait(timeout=number % 20 / 100)
            except subprocess.TimeoutExpired:
                packing.kill()
                if number % 2:
                    server = int((folder / "server.pid").read_text(encoding="ascii"))
                    os.kill(server, signal.SIGKILL)
        with open_store(None, folder) as store:
            assert list(store.read(game)) == log
            assert store.head(game) == Head(799, commit(799).digest)
