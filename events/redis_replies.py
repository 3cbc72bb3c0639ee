"""What the server's replies mean: who holds a lease, which commit an entry is, why it refused."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha1
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import msgspec

from .errors import EngineError, LeaseLost, LogConflict, LogDamaged
from .processes import ProcessId
from .store import Fence

Reply: TypeAlias = Any
"""What a server answers: bytes, integers, nested lists of them; redis-py does not say which."""


class Holder(msgspec.Struct, frozen=True):
    """Who holds a lease: the host by name, its process, and what tells two leases of it apart."""

    host: str
    process: ProcessId
    nonce: str


def number_of(game: str, entry_id: bytes) -> int:
    """Return the number of the commit that a stream's entry holds."""
    number, _, part = entry_id.partition(b"-")
    if part != b"1":
        raise LogDamaged(game, int(number), f"the stream holds a foreign entry {entry_id.decode()}")
    return int(number)


def holder_of(lease: bytes) -> Holder:
    """Return the holder that a lease names."""
    return msgspec.json.decode(lease, type=Holder)


def holder_in_words(lease: bytes) -> str:
    """Return a lease's holder for a person; nothing where nobody holds it."""
    if not lease:
        return ""
    holder = holder_of(lease)
    return f"{holder.host} (process {holder.process.pid})"


def append_error(game: str, number: int, answer: Sequence[Reply]) -> EngineError:
    """Return the error that a refusal of the append script means."""
    match answer[0]:
        case b"lost":
            return LeaseLost(game, number, holder_in_words(answer[1]))
        case b"conflict":
            return LogConflict(game, number, int(answer[1]))
        case b"digest":
            return LogConflict(game, number, int(answer[1]), same_place=True)
        case _:
            return LogDamaged(game, number, f"the stream holds a foreign entry {answer[1]!r}")


def token_of(fence: Fence) -> str:
    """Return a fence as the server keeps it: no other one, of whatever number, is the same."""
    return f"{fence.token}{mark_of(fence.holder)}"


@lru_cache(maxsize=256)
def mark_of(holder: bytes) -> str:
    """Return what tells the leases of two holders apart, whatever their numbers."""
    return f":{sha1(holder, usedforsecurity=False).hexdigest()[:16]}"


def without_password(url: str) -> str:
    """Return a URL without user name, password and options, for messages."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


@cache
def digest_of_script(script: str) -> str:
    """Return by what a server calls a script that it has."""
    return sha1(script.encode(), usedforsecurity=False).hexdigest()


def as_it_came(answer: Reply, **_: Reply) -> Reply:
    """Return an answer in the client's own words, not made into something else."""
    return answer


def texts_of(pairs: Mapping[Reply, Reply]) -> dict[str, str]:
    """Return names and values as text."""
    return {_text(name): _text(value) for name, value in pairs.items()}


def _text(value: Reply) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
