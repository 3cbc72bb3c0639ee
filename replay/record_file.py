"""One file that holds a game: header, definitions, commits, trailer.

The file is a magic word and then pieces, in this order and no other: one for the header, one for
the definitions, one a commit, one for the trailer. A piece is its length, a digest of place and
data, and the data: MessagePack, compressed as a part of one zstd stream, which is flushed after
each piece. So every changed byte is found, and told apart by the piece it is in.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import BinaryIO, TypeVar

import msgpack
import msgspec
import zstandard

from ..events.chain import GENESIS, check_follows
from ..events.codec import decode_entry, is_open, read_entry
from ..events.errors import GameExists, GameUnknown, LogDamaged, NewerFormat, RecordDamaged
from ..events.ids import PlayerId
from ..events.redaction import redact_entry
from ..events.signing import Evidence
from ..events.store import Store
from .evidence import evidence_of, keep_evidence, sign_export
from .finished import FINISHED, keep_finished
from .sinks import append_entries

MAGIC = b"apnap record\n"
RECORD_FORMAT = 1
"""The version of the layout of record files; commits have one of their own."""

SEAT_META = ("status", "players", "edition", "variant", "format")
"""What a seat's record tells of what is kept beside the log; the rest may name unseen cards."""

_PIECE = struct.Struct(">I16s")
_PLACE = struct.Struct(">QI")
_IMPORTING = "importing"

_T = TypeVar("_T")


class RecordHeader(msgspec.Struct, frozen=True):
    """What a record is of. `seat` is None in a judge's record, which alone holds the secrets.

    `evidence` holds public keys and signatures; a seat's record has them, too.
    """

    format: int
    game: str
    meta: dict[str, str]
    seat: int | None
    commits: int
    head: bytes
    secrets: bytes | None
    evidence: bytes = b""


class Record(msgspec.Struct, frozen=True):
    """A whole game as a file holds it; every part of it has been checked."""

    header: RecordHeader
    definitions: dict[bytes, bytes]
    entries: tuple[bytes, ...]


class RecordTrailer(msgspec.Struct, frozen=True):
    """How many commits a record has and the digest of the last: that it is whole."""

    commits: int
    head: bytes


def export_game(
    store: Store, game: str, file: BinaryIO, seat: PlayerId | None = None
) -> RecordHeader:
    """Write a game of a store to a file: as a judge has it, or as one seat does.

    Its head is signed first, where the keys are here.
    """
    entries = tuple(entry for _, entry in store.read(game))
    definitions = store.get_definitions(game)
    meta = store.meta(game)
    secrets: bytes | None = store.secret(game)
    if not secrets and meta.get("seat", "").isdigit():
        seat = PlayerId(int(meta["seat"])) if seat is None else seat  # it was a seat's record
    if seat is not None:
        secrets = None
        meta = {key: meta[key] for key in SEAT_META if key in meta}
        entries = tuple(redact_entry(entry, seat) for entry in entries)
        definitions = definitions_seen(entries, definitions)
    head = read_entry(entries[-1]).digest if entries else GENESIS
    sign_export(store, game, len(entries) - 1, head)
    evidence = evidence_of(store, game).to_bytes()
    header = RecordHeader(RECORD_FORMAT, game, meta, seat, len(entries), head, secrets, evidence)
    write_record(file, Record(header, definitions, entries))
    return header


def import_game(store: Store, file: BinaryIO, name: str, host: str) -> RecordHeader:
    """Read a record from a file and keep the game in a store, under its own name.

    A game that the store has already, up to the same head, is left as it is; one with another
    head is refused (`GameExists`). `name` is the file's, for messages.
    """
    record = read_record(file, name)
    header = record.header
    try:
        if store.meta(header.game).get("status") == _IMPORTING:
            store.remove(header.game)  # an import that was cut off: do it again
        elif store.head(header.game).digest == header.head:
            keep_evidence(store, header.game, _evidence_in(header, name))
            return header
        else:
            raise GameExists(header.game)
    except GameUnknown:
        pass
    meta = dict(header.meta)
    if header.seat is not None:
        meta["seat"] = str(header.seat)
    store.create(header.game, header.secrets or b"", meta | {"status": _IMPORTING})
    store.put_definitions(header.game, record.definitions)
    append_entries(store, header.game, record.entries, host)
    keep_evidence(store, header.game, _evidence_in(header, name))
    store.set_meta(header.game, {"status": meta.get("status", "running")})
    if meta.get("status") == FINISHED:
        keep_finished(store, header.game, host)
    return header


def write_record(file: BinaryIO, record: Record) -> None:
    """Write a record to a file."""
    header = record.header
    trailer = RecordTrailer(header.commits, header.head)
    stream = zstandard.ZstdCompressor(level=9).compressobj()
    file.write(MAGIC)
    for place, part in enumerate(
        (
            msgspec.structs.asdict(header),
            dict(sorted(record.definitions.items())),
            *record.entries,
            msgspec.structs.asdict(trailer),
        )
    ):
        data = stream.compress(msgpack.packb(part))
        data += stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
        file.write(_PIECE.pack(len(data), _check_of(place, data)) + data)


def read_record(file: BinaryIO, name: str) -> Record:
    """Read a record and check all of it: pieces, digests, chain, openings and trailer.

    What is wrong is told with the section it is in; in a commit that fits its piece, as of a log.
    """
    pieces = _Pieces(file, name)
    header = _read_header(pieces, name)
    _evidence_in(header, name)
    definitions = pieces.typed("definitions", dict[bytes, bytes])
    entries = tuple(_read_entries(pieces, header))
    trailer = pieces.typed("trailer", RecordTrailer)
    if trailer != RecordTrailer(header.commits, header.head):
        raise RecordDamaged(name, "trailer", "it does not say what the header says")
    if file.read(1):
        raise RecordDamaged(name, "trailer", "something follows the end")
    return Record(header, definitions, entries)


def definitions_seen(
    entries: Sequence[bytes], definitions: Mapping[bytes, bytes]
) -> dict[bytes, bytes]:
    """Return the definitions whose digests stand in what a seat can read of its log.

    With them come those that they name themselves: the tokens that a card makes.
    """
    readable: list[bytes] = []
    for entry in entries:
        outer = read_entry(entry)
        readable += [outer.body, outer.older, *(opening.value for opening in outer.openings)]
    seen: dict[bytes, bytes] = {}
    text = b"".join(readable)
    while text:
        new = {
            digest: definition
            for digest, definition in definitions.items()
            if digest not in seen and digest in text
        }
        seen |= new
        text = b"".join(new.values())
    return seen


class _Pieces:
    """The pieces of a record file, one after the other."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self.name = name
        self._place = 0
        self._stream = zstandard.ZstdDecompressor().decompressobj()
        if self._read("header", len(MAGIC)) != MAGIC:
            raise RecordDamaged(name, "header", "it does not begin as a record does")

    def next(self, section: str) -> object:
        """Return what the next piece holds; `section` is what it should be."""
        length, check = _PIECE.unpack(self._read(section, _PIECE.size))
        data = self._read(section, length)
        if _check_of(self._place, data) != check:
            raise RecordDamaged(self.name, section, "a part does not fit its digest")
        self._place += 1
        try:
            return msgpack.unpackb(self._stream.decompress(data), strict_map_key=False)
        except (zstandard.ZstdError, ValueError, msgpack.UnpackException) as error:
            raise RecordDamaged(self.name, section, f"it cannot be read ({error})") from error

    def typed(self, section: str, kind: type[_T]) -> _T:
        """Return what the next piece holds as a value of a type."""
        return self.convert(section, self.next(section), kind)

    def convert(self, section: str, value: object, kind: type[_T]) -> _T:
        """Return a value as one of a type, which it must fit."""
        try:
            return msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            raise RecordDamaged(self.name, section, f"it cannot be read ({error})") from error

    def _read(self, section: str, size: int) -> bytes:
        data = self._file.read(size)
        if len(data) < size:
            raise RecordDamaged(self.name, section, "the file ends too early", is_cut=True)
        return data


def _read_header(pieces: _Pieces, name: str) -> RecordHeader:
    raw = pieces.next("header")
    version = raw.get("format") if isinstance(raw, dict) else None
    if isinstance(version, int) and version > RECORD_FORMAT:
        raise NewerFormat(version, RECORD_FORMAT, name)
    return pieces.convert("header", raw, RecordHeader)


def _evidence_in(header: RecordHeader, name: str) -> Evidence:
    """Return the signatures that a header holds, none in records made before there were any."""
    try:
        return Evidence.from_bytes(header.evidence) if header.evidence else Evidence()
    except msgspec.DecodeError as error:
        raise RecordDamaged(name, "header", f"its signatures cannot be read ({error})") from error


def _read_entries(pieces: _Pieces, header: RecordHeader) -> Iterator[bytes]:
    """Yield the entries, each decoded and checked against the one before it."""
    head = GENESIS
    for number in range(header.commits):
        section = f"commit {header.game}@{number}"
        entry = pieces.typed(section, bytes)
        commit = decode_entry(entry, header.game, number)
        check_follows(header.game, number, head, commit)
        if header.seat is None and not is_open(commit):
            reason = "an opening is missing that a judge should have"
            raise LogDamaged(header.game, number, reason)
        head = commit.digest
        yield entry
    if head != header.head:
        raise RecordDamaged(pieces.name, "header", "its head is not that of the commits")


def _check_of(place: int, data: bytes) -> bytes:
    """Return the digest of a piece's data and of its place among the pieces."""
    return blake2b(_PLACE.pack(place, len(data)) + data, digest_size=16).digest()
