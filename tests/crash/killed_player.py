"""Plays a seeded game and dies by SIGKILL at one moment: the child process of the kill tests.

Arguments: the store's folder, the seed, the kind of moment, and the how-manyeth of its kind.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import redis.connection

from apnap.events import redis_store
from apnap.events.errors import StoreUnusable
from apnap.events.store_url import open_store
from apnap.replay import host, new_game
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.rules import casting, resolving, setup, stages

DECKS = ("red-green-stompers", "white-black-wardens")
AGENTS = ("random", "greedy")
EXIT_STORE_LOST = 2


def setup_of(seed: int) -> GameSetup:
    """Return the set-up that every process of the kill tests uses."""
    return GameSetup(decks=DECKS, seed=seed, agents=AGENTS)


def die() -> None:
    """Die at once, as by a power cut."""
    os.kill(os.getpid(), signal.SIGKILL)


def kill_server(folder: Path) -> Callable[[], None]:
    """Return what kills the store's server, of which this process is a user."""

    def kill() -> None:
        os.kill(int((folder / "server.pid").read_text()), signal.SIGKILL)

    return kill


def before_call(owner: Any, name: str, count: int, strike: Callable[[], None]) -> None:
    """Strike before the count-th call of a function, which is replaced where it is looked up."""
    original = getattr(owner, name)
    left = iter(range(count - 1, -1, -1))

    def counted(*args: Any, **kwargs: Any) -> Any:
        if next(left, None) == 0:
            strike()
        return original(*args, **kwargs)

    setattr(owner, name, counted)


def after_call(owner: Any, name: str, count: int, strike: Callable[[], None]) -> None:
    """Strike after the count-th call of a function."""
    original = getattr(owner, name)
    left = iter(range(count - 1, -1, -1))

    def counted(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if next(left, None) == 0:
            strike()
        return result

    setattr(owner, name, counted)


def after_request(count: int, strike: Callable[[], None]) -> None:
    """Strike when a script has been sent to the server and its reply has not been read."""
    connection = redis.connection.AbstractConnection
    original: Callable[..., None] = connection.send_packed_command
    left = iter(range(count - 1, -1, -1))

    def counted(self: Any, command: Any, *args: Any, **kwargs: Any) -> None:
        packed = b"".join(command) if isinstance(command, list | tuple) else command
        original(self, command, *args, **kwargs)
        if b"EVALSHA" in packed and next(left, None) == 0:
            strike()

    connection.send_packed_command = counted  # type: ignore[method-assign]


def inside_a_step(module: Any, name: str, count: int, strike: Callable[[], None]) -> None:
    """Strike after the first thing that the count-th run of a procedure lets happen."""
    original = getattr(module, name)
    left = iter(range(count - 1, -1, -1))

    def counted(*args: Any) -> Generator[Any, Any, Any]:
        strikes = next(left, None) == 0
        procedure = original(*args)
        value: Any = None
        while True:
            try:
                yielded = procedure.send(value)
            except StopIteration as stop:
                if strikes:
                    strike()
                return stop.value
            value = yield yielded
            if strikes:
                strike()

    setattr(module, name, counted)


def arm(kind: str, count: int, folder: Path) -> None:
    """Arrange for this process, or for its server, to be killed at a moment."""
    match kind:
        case "append":
            _arm_append(count)
        case "resolution":
            inside_a_step(resolving, "follow_body", count, die)
        case "mulligan":
            _arm_mulligan(count)
        case "proposal":
            inside_a_step(casting, "pay", count, die)
        case "start":
            _arm_start(count)
        case "server":
            server = kill_server(folder)
            if count % 2:
                before_call(redis_store.RedisStore, "append_many", (count + 3) // 4, server)
            else:
                inside_a_step(resolving, "follow_body", count // 2, server)
        case _:
            msg = f"no moment is called {kind!r}"
            raise AssertionError(msg)


def _arm_append(count: int) -> None:
    store, nth = redis_store.RedisStore, (count + 2) // 3
    match count % 3:
        case 0:
            before_call(store, "append_many", nth, die)
        case 1:
            after_request(nth + 5, die)
        case _:
            after_call(store, "append_many", nth, die)


def _arm_mulligan(count: int) -> None:
    calls = 4
    if count > 2 * calls:
        before_call(stages, "mulligans", count - 2 * calls + 1, die)
    elif count % 2:
        inside_a_step(stages, "mulligans", (count + 1) // 2, die)
    else:
        inside_a_step(setup, "_draw_hand", count // 2, die)


def _arm_start(count: int) -> None:
    store = redis_store.RedisStore
    moments: tuple[tuple[Any, str], ...] = (
        (host, "prepare"),
        (new_game, "playable"),
        (store, "new_game_id"),
        (store, "create"),
        (store, "create"),
        (store, "_do"),
        (store, "acquire"),
        (host, "LiveTable"),
        (host, "begun"),
        (host, "agents_of"),
    )
    owner, name = moments[count - 1]
    strike_at = before_call if count % 2 else after_call
    strike_at(owner, name, 3 if name == "_do" else 1, die)


def main() -> int:
    """Play until killed; exit with 2 where the server was."""
    folder, seed, kind, count = Path(sys.argv[1]), *map(str, sys.argv[2:5])
    arm(kind, int(count), folder)
    try:
        with (
            open_store(None, folder) as store,
            host_new_game(store, setup_of(int(seed))) as hosted,
        ):
            hosted.play()
    except StoreUnusable as error:
        print(error, file=sys.stderr)
        return EXIT_STORE_LOST
    return 0


if __name__ == "__main__":
    sys.exit(main())
