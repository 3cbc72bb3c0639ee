"""The connection that is kept for scripts: what breaks it, and what it must never mix up."""

from collections.abc import Callable
from os import getpid

import pytest

from apnap.events.redis_line import Line


class FakeConnection:
    """Answers each command with its words; may be interrupted between sending and reading."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.replies: list[tuple[str | bytes | int, ...]] = []
        self.is_interrupted = False

    def pack_command(self, *words: str | bytes | int) -> tuple[str | bytes | int, ...]:
        return words

    def send_packed_command(self, command: tuple[str | bytes | int, ...]) -> None:
        self.replies.append(command)

    def read_response(self) -> tuple[str | bytes | int, ...]:
        if self.is_interrupted:
            raise KeyboardInterrupt
        return self.replies.pop(0)

    def disconnect(self) -> None:
        self.replies.clear()


@pytest.fixture
def made() -> list[FakeConnection]:
    return []


@pytest.fixture
def connect(made: list[FakeConnection]) -> Callable[[], FakeConnection]:
    def one_more() -> FakeConnection:
        made.append(FakeConnection(getpid()))
        return made[-1]

    return one_more


def test_commands_share_one_connection(
    made: list[FakeConnection], connect: Callable[[], FakeConnection]
) -> None:
    line = Line(connect)
    assert [line.ask("GET", name) for name in ("a", "b")] == [("GET", "a"), ("GET", "b")]
    assert len(made) == 1


def test_a_reply_that_nobody_waited_for_is_not_the_next_commands(
    made: list[FakeConnection], connect: Callable[[], FakeConnection]
) -> None:
    line = Line(connect)
    line.ask("GET", "a")
    made[0].is_interrupted = True
    with pytest.raises(KeyboardInterrupt):
        line.ask("GET", "b")
    assert line.ask("GET", "c") == ("GET", "c")
    assert made[0].replies == []
    assert len(made) == 2


def test_a_forked_process_does_not_speak_on_its_parents_connection(
    made: list[FakeConnection], connect: Callable[[], FakeConnection]
) -> None:
    line = Line(connect)
    line.ask("GET", "a")
    made[0].pid += 1
    assert line.ask("GET", "b") == ("GET", "b")
    assert len(made) == 2
