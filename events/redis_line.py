"""A connection kept for scripts, which a game asks for at every decision.

redis-py lends a connection of its pool to each command, books how long that took, and is ready to
try again: of an append that waits 200 µs for the disk this takes 60. Here a command is sent and its
reply read. What fails goes the long way, by the pool: each script may be sent twice without harm.
"""

from collections.abc import Callable
from os import getpid
from typing import Protocol

from .redis_replies import Reply


class Connection(Protocol):
    """What is used of a connection of redis-py; it connects as it sends, and again if it has to."""

    pid: int

    def pack_command(self, *words: str | bytes | int) -> Reply:
        """Return a command as it is sent."""

    def send_packed_command(self, command: Reply) -> None:
        """Send a command."""

    def read_response(self) -> Reply:
        """Wait for a reply; raise it where it is an error."""

    def disconnect(self) -> None:
        """Let go of the server."""


class Line:
    """Connections that are free; more than one only if several threads ask at once."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._new = connection
        self._free: list[Connection] = []

    def ask(self, *words: str | bytes | int) -> Reply:
        """Send a command once and return its reply, or raise what went wrong."""
        connection = self._taken()
        is_read = False
        try:
            connection.send_packed_command(connection.pack_command(*words))
            reply = connection.read_response()
            is_read = True
        finally:
            # A reply that nobody read must not be taken for the next command's.
            if is_read:
                self._free.append(connection)
            else:
                connection.disconnect()
        return reply

    def close(self) -> None:
        """Let go of the server."""
        while self._free:
            self._free.pop().disconnect()

    def _taken(self) -> Connection:
        """Return a free connection of this process: not one that a fork has copied."""
        try:
            connection = self._free.pop()  # in one step: another thread may be at it too
        except IndexError:
            return self._new()
        return connection if connection.pid == getpid() else self._new()
