"""Every cut, flip and reordering in the export of a played game is found, and its place named."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from apnap.actors.chance import Chance
from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cli.main import run
from apnap.events.errors import LogDamaged, RecordDamaged
from apnap.events.memory_store import MemoryStore
from apnap.events.store import Store
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.record_file import MAGIC, export_game, import_game, read_record
from apnap.replay.verify import verify_file

Complaint = Callable[..., str]

FEW = 150
PIECE = struct.Struct(">I16s")
CHECK_FAILED = 1


class Parts:
    """Where the parts of a record lie: header, definitions, commits, trailer."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.starts = [len(MAGIC)]
        while self.starts[-1] < len(data):
            length, _ = PIECE.unpack_from(data, self.starts[-1])
            self.starts.append(self.starts[-1] + PIECE.size + length)
        self.game = read_record(io.BytesIO(data), "whole").header.game
        self.pieces = [data[one:other] for one, other in pairwise(self.starts)]

    def section(self, piece: int) -> str:
        """Return the name of a piece: its commit's address, or the section it is."""
        last = len(self.pieces) - 1
        names = {0: "header", 1: "definitions", last: "trailer"}
        return names.get(piece, f"{self.game}@{piece - 2}")

    def section_at(self, offset: int) -> str:
        """Return the name of the part that a byte is in."""
        inside = [number for number, start in enumerate(self.starts[:-1]) if start <= offset]
        return self.section(inside[-1] if inside else 0)

    def joined(self, pieces: list[bytes]) -> bytes:
        """Return a file of these pieces."""
        return MAGIC + b"".join(pieces)


def found_in(data: bytes) -> str:
    """Return the section that reading a damaged record names; fail where it finds nothing."""
    try:
        read_record(io.BytesIO(data), "damaged")
    except RecordDamaged as error:
        return str(error).rpartition(" in its ")[2].removeprefix("commit ")
    except LogDamaged as error:
        return f"{error.game}@{error.number}"
    pytest.fail("the damage was not found")


def offsets(data: bytes, games: int) -> Iterator[int]:
    """Yield all offsets with `--games`, else some, those of the first and last parts with them."""
    if games:
        yield from range(len(data))
        return
    chance = Chance(b"offsets", 0)
    yield from (*range(40), *range(len(data) - 40, len(data)))
    yield from (chance.below(len(data)) for _ in range(FEW))


def test_every_flipped_byte_is_found_in_its_part(small_record: bytes, games: int) -> None:
    """With `--games` each byte of the file."""
    parts = Parts(small_record)
    count = 0
    for offset in offsets(small_record, games):
        for flip in (0x01, 0x80) if games == 0 else (1 << offset % 8,):
            damaged = bytearray(small_record)
            damaged[offset] ^= flip
            assert found_in(bytes(damaged)) == parts.section_at(offset), offset
            count += 1
    print(f"\n{count} flips in {len(small_record)} bytes, {len(parts.pieces) - 3} commits")


def test_every_cut_is_found_in_its_part(small_record: bytes, games: int) -> None:
    parts = Parts(small_record)
    for offset in offsets(small_record, games):
        assert found_in(small_record[:offset]) == parts.section_at(offset), offset


def test_every_removed_or_doubled_byte_is_found(small_record: bytes, games: int) -> None:
    parts = Parts(small_record)
    for offset in offsets(small_record, games):
        data = small_record
        for damaged in (
            data[:offset] + data[offset + 1 :],
            data[:offset] + data[offset : offset + 1] + data[offset:],
        ):
            if damaged == data:
                continue
            # A byte that its neighbour equals may be gone from the part before as well.
            assert found_in(damaged) in {parts.section_at(offset), "trailer"} | {
                parts.section_at(other) for other in same_run(data, offset)
            }, offset


def same_run(data: bytes, offset: int) -> Iterator[int]:
    """Yield the offsets after one, as long as the bytes are the same, and the next one."""
    while offset < len(data) - 1 and data[offset] == data[offset + 1]:
        offset += 1
        yield offset
    yield min(offset + 1, len(data) - 1)


def test_every_reordered_lost_or_doubled_part_is_found(small_record: bytes, games: int) -> None:
    parts = Parts(small_record)
    pieces = parts.pieces
    last = len(pieces)
    pairs = [(one, other) for other in range(last) for one in range(other)]
    for one, other in pairs if games else pairs[:: max(1, len(pairs) // FEW)]:
        swapped = list(pieces)
        swapped[one], swapped[other] = pieces[other], pieces[one]
        assert found_in(parts.joined(swapped)) == parts.section(one)
        moved = list(pieces)
        moved.insert(one, moved.pop(other))
        assert found_in(parts.joined(moved)) == parts.section(one)
    for number in range(last):
        assert found_in(parts.joined(pieces[:number] + pieces[number + 1 :])) == (
            parts.section(number)
        )
        doubled = [*pieces[: number + 1], *pieces[number:]]
        assert found_in(parts.joined(doubled)) == parts.section(min(number + 1, last - 1))


def test_parts_of_another_game_are_found(small_record: bytes) -> None:
    parts, other = Parts(small_record), Parts(another_record(5))
    for number in range(min(len(parts.pieces), len(other.pieces)) - 1):
        mixed = list(parts.pieces)
        mixed[number] = other.pieces[number]
        assert found_in(parts.joined(mixed))


def another_record(seed: int) -> bytes:
    """Return the export of another game of the same name."""
    store, file = MemoryStore(), io.BytesIO()
    with host_new_game(store, GameSetup(decks=BUILTIN_DECKS, seed=seed)) as hosted:
        hosted.play(commits_max=30)
    export_game(store, hosted.game, file)
    return file.getvalue()


def test_verification_of_a_file_says_whether_it_is_cut_or_damaged(small_record: bytes) -> None:
    flipped = bytearray(small_record)
    flipped[len(flipped) // 2] ^= 4
    found = verify_file(io.BytesIO(bytes(flipped)), "f")
    assert (found.ok, found.kind) == (False, "damaged")
    found = verify_file(io.BytesIO(small_record[:-1]), "f")
    assert (found.ok, found.kind) == (False, "cut")
    assert verify_file(io.BytesIO(small_record), "f").ok


# Importing


def test_damaged_record_is_not_imported(
    small_record: bytes,
    complaint: Complaint,
    embedded_url: str,
    embedded_store: Store,
    tmp_path: Path,
) -> None:
    before = embedded_store.games()
    file = tmp_path / "game.apnap"
    middle = len(small_record) // 2
    where = Parts(small_record).section_at(middle)
    flipped = bytearray(small_record)
    flipped[middle] ^= 1
    cases: tuple[tuple[bytes, str], ...] = (
        (small_record[:middle], where),
        (bytes(flipped), where),
        (small_record[:-1], "trailer"),
        (small_record + b"x", "trailer"),
        (b"", "header"),
        (b"40 Forest\n", "header"),
    )
    for data, section in cases:
        file.write_bytes(data)
        said = complaint("import", file, "--store", embedded_url)
        assert section in said
        assert str(file) in said or "@" in section
    assert embedded_store.games() == before


def test_known_game_with_another_head_is_refused_and_kept(
    complaint: Complaint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    setup = GameSetup(decks=BUILTIN_DECKS, seed=3)
    with host_new_game(store, setup) as hosted:
        hosted.play(commits_max=30)
    entries = list(store.read(hosted.game))
    monkeypatch.setattr("apnap.replay.places.open_store", lambda *_: store)
    file = tmp_path / "other.apnap"
    for seed in (3, 4):  # the same game played on, and another one
        other = MemoryStore()
        with host_new_game(other, GameSetup(decks=BUILTIN_DECKS, seed=seed)) as played:
            played.play(commits_max=60)
        assert played.game == hosted.game
        with file.open("wb") as out:
            export_game(other, played.game, out)
        assert hosted.game in complaint("import", file)
        assert list(store.read(hosted.game)) == entries


def test_imported_game_goes_on_to_the_same_head(small_record: bytes) -> None:
    store = MemoryStore()
    header = import_game(store, io.BytesIO(small_record), "f", "here")
    again = import_game(store, io.BytesIO(small_record), "f", "here")
    assert header == again
    assert store.head(header.game).digest == header.head


def test_damaged_record_fails_verification_with_its_place(
    small_record: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.apnap"
    offset = len(small_record) * 2 // 3
    flipped = bytearray(small_record)
    flipped[offset] ^= 16
    file.write_bytes(flipped)
    assert run(["verify", str(file)]) == CHECK_FAILED
    assert Parts(small_record).section_at(offset) in capsys.readouterr().out
    assert run(["verify", str(file), "--json"]) == CHECK_FAILED
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["kind"]) == (False, "damaged")
    assert Parts(small_record).section_at(offset) in json.dumps(told["first_difference"])
