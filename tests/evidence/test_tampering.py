"""Each changed, missing, added or moved byte of a log or a record file is found, and told where.

`--games N` tries N tamperings of each of the three kinds of place.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random

import msgspec
import pytest

from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.replay.opened import RecordedGame
from apnap.replay.record_file import export_game
from apnap.replay.verify import verify_file, verify_recorded

from .forge import chance

TAMPERINGS_IN_CI = 60

Entries = tuple[bytes, ...]
Tamper = Callable[[Entries, Entries, Random], tuple[Entries, int]]
"""Changes a log, given the log of another game too; says which commit shows it first."""


def bit_flipped(log: Entries, _other: Entries, random: Random) -> tuple[Entries, int]:
    number = random.randrange(len(log))
    entry = bytearray(log[number])
    entry[random.randrange(len(entry))] ^= 1 << random.randrange(8)
    return _put(log, number, bytes(entry)), number


def byte_changed(log: Entries, _other: Entries, random: Random) -> tuple[Entries, int]:
    number = random.randrange(len(log))
    entry = bytearray(log[number])
    place = random.randrange(len(entry))
    entry[place] = (entry[place] + random.randrange(1, 256)) % 256
    return _put(log, number, bytes(entry)), number


def byte_dropped(log: Entries, _other: Entries, random: Random) -> tuple[Entries, int]:
    number = random.randrange(len(log))
    place = random.randrange(len(log[number]))
    return _put(log, number, log[number][:place] + log[number][place + 1 :]), number


def byte_added(log: Entries, _other: Entries, random: Random) -> tuple[Entries, int]:
    number = random.randrange(len(log))
    place = random.randrange(len(log[number]) + 1)
    byte = bytes([random.randrange(256)])
    return _put(log, number, log[number][:place] + byte + log[number][place:]), number


def entry_cut(log: Entries, _other: Entries, random: Random) -> tuple[Entries, int]:
    number = random.randrange(len(log))
    return _put(log, number, log[number][: random.randrange(len(log[number]))]), number


def commit_dropped(log: Entries, _other: Entries, random: Random) -> tuple[Entries, int]:
    number = random.randrange(len(log) - 1)
    return (*log[:number], *log[number + 1 :]), number


def commit_repeated(log: Entries, _other: Entries, random: Random) -> tuple[Entries, int]:
    number = random.randrange(len(log))
    return (*log[: number + 1], *log[number:]), number + 1


def commits_swapped(log: Entries, _other: Entries, random: Random) -> tuple[Entries, int]:
    one, other = sorted(random.sample(range(len(log)), 2))
    return _put(_put(log, one, log[other]), other, log[one]), one


def commit_of_another_game(log: Entries, other: Entries, random: Random) -> tuple[Entries, int]:
    number = random.randrange(1, min(len(log), len(other)))
    return _put(log, number, other[number]), number


def _put(log: Entries, number: int, entry: bytes) -> Entries:
    return (*log[:number], entry, *log[number + 1 :])


TAMPERINGS: tuple[Tamper, ...] = (
    bit_flipped,
    byte_changed,
    byte_dropped,
    byte_added,
    entry_cut,
    commit_dropped,
    commit_repeated,
    commits_swapped,
    commit_of_another_game,
)


@pytest.fixture(scope="module")
def tries(games: int) -> range:
    """Return the numbers of the tamperings that are to be tried."""
    return range(games or TAMPERINGS_IN_CI)


def test_tampering_with_the_chain_is_damage_in_its_commit(
    signed: tuple[RecordedGame, ...], tries: range
) -> None:
    for number in tries:
        random = chance(number)
        game, other = signed[number % 2], signed[1 - number % 2]
        way = TAMPERINGS[number % len(TAMPERINGS)]
        entries, first = way(game.entries, other.entries, random)
        found = verify_recorded(msgspec.structs.replace(game, entries=entries))
        told = f"{number}: {way.__name__} at {first}: {found}"
        assert (found.ok, found.kind) == (False, "damaged"), told
        assert found.first_difference is not None, told
        assert found.first_difference.commit == first, told


def test_tampering_with_a_record_file_is_damage_or_a_cut(store: MemoryStore, tries: range) -> None:
    files: list[bytes] = []
    for seat in (None, PlayerId(0)):
        file = io.BytesIO()
        export_game(store, store.games()[0].game, file, seat)
        files.append(file.getvalue())
    for number in tries:
        random = chance(number)
        data = bytearray(files[number % 2])
        place = random.randrange(len(data))
        if number % 4 < 3:
            data[place] ^= 1 << random.randrange(8)
        else:
            del data[place:]
        found = verify_file(io.BytesIO(data), "tampered.apnap")
        told = f"{number}: at byte {place} of {len(data)}: {found}"
        assert not found.ok, told
        assert found.kind in {"damaged", "cut"}, told
        assert (found.kind == "cut") or number % 4 < 3, told


def test_tail_that_was_cut_off_is_missed_because_it_was_signed(
    signed: tuple[RecordedGame, ...], tries: range
) -> None:
    for number in range(max(3, len(tries) // 20)):
        random = chance(number)
        game = signed[number % len(signed)]
        running = msgspec.structs.replace(game, meta={**game.meta, "status": "running"})
        length = random.randrange(1, len(game.entries))
        found = verify_recorded(msgspec.structs.replace(running, entries=running.entries[:length]))
        told = f"{number}: cut after {length} of {len(game.entries)}: {found}"
        assert (found.ok, found.kind) == (False, "cut"), told
        assert found.first_difference is not None, told
        assert found.first_difference.commit == length, told
