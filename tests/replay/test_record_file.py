import io
from collections.abc import Callable

import msgpack
import msgspec
import pytest
import zstandard

from apnap.events.catalog import AnyEvent
from apnap.events.chain import GENESIS
from apnap.events.codec import encode_commit, read_entry
from apnap.events.commit import Commit
from apnap.events.decisions import AnyDecision, BeginGame, KeepHand, PassPriority
from apnap.events.errors import EngineError, GameExists, LogDamaged, NewerFormat, RecordDamaged
from apnap.events.game import GameBegan, SeatInfo
from apnap.events.ids import NOBODY, CommitNumber, DefinitionId, ObjectId, PlayerId, ZoneKind
from apnap.events.life import LifeLost
from apnap.events.memory_store import MemoryStore
from apnap.events.seals import GameSecrets, commitment_of
from apnap.events.store import NewCommit, Store
from apnap.events.zones import CardsRevealed, SeenCards, SlotCard
from apnap.replay import record_file
from apnap.replay.record_file import (
    Record,
    RecordHeader,
    definitions_seen,
    export_game,
    import_game,
    read_record,
    write_record,
)

ALICE, BOB = PlayerId(0), PlayerId(1)
SECRETS = GameSecrets.from_seed(7, 2)


def card(number: int) -> DefinitionId:
    return DefinitionId(bytes([number]) * 16)


TOKEN = bytes([9]) * 16
DEFINITIONS = {
    bytes(card(1)): b"Alice's beast, makes " + TOKEN,
    bytes(card(2)): b"Alice's land",
    bytes(card(3)): b"Bob's bolt",
    bytes(card(4)): b"Bob's secret",
    TOKEN: b"a token",
}


def log() -> list[bytes]:
    seats = tuple(
        SeatInfo(name, 20, 2, commitment_of(nonce))
        for name, nonce in zip(("alice", "bob"), SECRETS.seat_nonces, strict=True)
    )
    slots = tuple(SlotCard(card(number)) for number in (1, 2, 3, 4))
    chance = commitment_of(SECRETS.chance)
    began = GameBegan(
        "103.1", 0, "2025-02", "duel", seats, slots, b"c", "1", "1", chance, seed_given=True
    )
    shown = SeenCards(((ObjectId(9), card(3)),))
    steps: list[tuple[AnyDecision, AnyEvent]] = [
        (BeginGame(NOBODY, NOBODY, 0), began),
        (
            KeepHand(BOB, BOB, 1),
            CardsRevealed("701.20a", 0, BOB, ZoneKind.HAND, (ALICE, BOB), shown),
        ),
        (PassPriority(ALICE, ALICE, 2, 1), LifeLost("119.3", 0, ALICE, 1)),
    ]
    entries: list[bytes] = []
    head = GENESIS
    for number, (decision, event) in enumerate(steps):
        commit = Commit(CommitNumber(number), decision, ((event,),), True, head)
        entry, head = encode_commit(commit, SECRETS)
        entries.append(entry)
    return entries


def store_with_game() -> tuple[Store, str]:
    store = MemoryStore()
    game = store.new_game_id()
    meta = {"status": "running", "players": "alice bob", "error": "Bob's secret went wrong"}
    store.create(game, SECRETS.to_bytes(), meta)
    store.put_definitions(game, DEFINITIONS)
    fence = store.acquire(game, "here")
    entries = log()
    commits = [NewCommit(entry, read_entry(entry).digest) for entry in entries]
    store.append_many(game, 0, GENESIS, commits, fence)
    store.release(fence)
    return store, game


def exported(seat: PlayerId | None = None) -> bytes:
    store, game = store_with_game()
    file = io.BytesIO()
    export_game(store, game, file, seat)
    return file.getvalue()


def read(data: bytes) -> Record:
    return read_record(io.BytesIO(data), "a.apnap")


def pieces_of(data: bytes) -> list[bytes]:
    """Return the magic word and the pieces of a record, as they stand in the file."""
    magic = len(record_file.MAGIC)
    found = [data[:magic]]
    data = data[magic:]
    while data:
        end = 20 + int.from_bytes(data[:4], "big")
        found.append(data[:end])
        data = data[end:]
    return found


def sections() -> list[str]:
    return ["header", "header", "definitions", "baba@0", "baba@1", "baba@2", "trailer"]


def place_of(data: bytes, offset: int) -> str:
    """Return the section that a byte of a record belongs to."""
    for piece, section in zip(pieces_of(data), sections(), strict=True):
        if offset < len(piece):
            return section
        offset -= len(piece)
    return "trailer"


def unpacked(data: bytes) -> list[object]:
    """Return what the pieces hold."""
    stream = zstandard.ZstdDecompressor().decompressobj()
    return [
        msgpack.unpackb(stream.decompress(piece[20:]), strict_map_key=False)
        for piece in pieces_of(data)[1:]
    ]


def damaged(data: bytes) -> str:
    """Return the message of the error that reading raises."""
    with pytest.raises(EngineError) as caught:
        read(data)
    return str(caught.value)


def test_record_holds_the_game_of_the_store() -> None:
    record = read(exported())
    assert list(record.entries) == log()
    assert record.definitions == DEFINITIONS
    assert record.header.secrets == SECRETS.to_bytes()
    assert (record.header.game, record.header.commits) == ("baba", 3)
    assert record.header.head == read_entry(log()[-1]).digest
    assert exported() == exported()


def test_every_flipped_bit_is_found_and_its_section_named() -> None:
    data = exported()
    for offset in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[offset] ^= 1 << bit
            assert damaged(bytes(changed)).endswith(place_of(data, offset))


def test_every_cut_is_found_and_its_section_named() -> None:
    data = exported()
    for size in range(len(data)):
        with pytest.raises(RecordDamaged, match=rf"{place_of(data, size)}$") as caught:
            read(data[:size])
        assert caught.value.is_cut


def test_every_missing_or_doubled_byte_is_found() -> None:
    data = exported()
    for offset in range(len(data)):
        for changed in (
            data[:offset] + data[offset + 1 :],
            data[: offset + 1] + data[offset:],
        ):
            if changed != data:
                damaged(changed)
    assert damaged(data + b"\0").endswith("trailer")


def test_every_two_neighbours_swapped_are_found() -> None:
    data = exported()
    for offset in range(len(data) - 1):
        one, other = data[offset], data[offset + 1]
        if one != other:
            changed = data[:offset] + bytes([other, one]) + data[offset + 2 :]
            assert damaged(changed).endswith(place_of(data, offset)) or place_of(
                data, offset
            ) != place_of(data, offset + 1)


def test_every_piece_swapped_doubled_or_left_out_is_found() -> None:
    pieces = pieces_of(exported())
    for one in range(len(pieces)):
        left_out = pieces[:one] + pieces[one + 1 :]
        assert damaged(b"".join(left_out)).endswith(sections()[one])
        doubled = [*pieces[: one + 1], *pieces[one:]]
        assert damaged(b"".join(doubled)).endswith([*sections(), "trailer"][one + 1])
        for other in range(one):
            swapped = list(pieces)
            swapped[one], swapped[other] = pieces[other], pieces[one]
            assert damaged(b"".join(swapped)).endswith(sections()[other])


def rewritten(change: Callable[[Record], Record]) -> bytes:
    """Return a record whose contents were changed before it was written whole."""
    file = io.BytesIO()
    write_record(file, change(read(exported())))
    return file.getvalue()


def with_entries(*entries: bytes) -> Callable[[Record], Record]:
    def change(record: Record) -> Record:
        header = msgspec.structs.replace(record.header, commits=len(entries))
        return Record(header, record.definitions, entries)

    return change


def test_commits_that_fit_their_pieces_but_not_the_chain_are_found() -> None:
    one, two, three = log()
    assert damaged(rewritten(with_entries(one, three))).endswith("baba@1")
    assert damaged(rewritten(with_entries(one, three, two))).endswith("baba@1")
    assert damaged(rewritten(with_entries(one, one, two))).endswith("baba@1")
    assert damaged(rewritten(with_entries(one, two))).endswith("header")
    flipped = two[:-20] + bytes([two[-20] ^ 1]) + two[-19:]
    with pytest.raises(LogDamaged, match=r"baba@1$"):
        read(rewritten(with_entries(one, flipped, three)))


def test_judges_record_must_open_every_seal() -> None:
    one, two, three = log()
    closed = msgspec.structs.replace(read_entry(two), openings=())
    cut = rewritten(with_entries(one, msgspec.msgpack.encode(closed), three))
    assert "an opening is missing" in damaged(cut)


def test_newer_record_is_refused_as_such() -> None:
    newer = rewritten(
        lambda record: msgspec.structs.replace(
            record, header=msgspec.structs.replace(record.header, format=99)
        )
    )
    with pytest.raises(NewerFormat, match=r"Format 99 is newer than 1.*a\.apnap$"):
        read(newer)


def test_seats_record_tells_of_no_card_that_it_never_saw() -> None:
    for seat, unseen in ((ALICE, [4]), (BOB, [1, 2]), (PlayerId(2), [1, 2, 3, 4])):
        data = exported(seat)
        record = read(data)
        assert record.header.secrets is None
        assert record.header.seat == seat
        assert "error" not in record.header.meta
        assert record.header.head == read_entry(log()[-1]).digest
        text = msgpack.packb(unpacked(data))
        for number in (1, 2, 3, 4):
            known = number not in unseen
            assert (bytes(card(number)) in text) is known
            assert (DEFINITIONS[card(number)] in text) is known
        assert (TOKEN in text) is (seat == ALICE)
        assert SECRETS.seal not in text


def test_definitions_name_the_tokens_they_make() -> None:
    assert list(definitions_seen(log()[:1], DEFINITIONS)) == [*map(card, (1, 2, 3, 4)), TOKEN]
    assert definitions_seen((), DEFINITIONS) == {}


def imported(store: Store, data: bytes) -> RecordHeader:
    return import_game(store, io.BytesIO(data), "a.apnap", "here")


def test_imported_game_is_exported_as_it_was() -> None:
    store = MemoryStore()
    data = exported()
    header = imported(store, data)
    again = io.BytesIO()
    assert export_game(store, header.game, again) == header
    assert again.getvalue() == data
    assert store.secret(header.game) == SECRETS.to_bytes()
    assert store.holder(header.game) is None


def test_seats_record_stays_a_seats_record_in_a_store() -> None:
    store = MemoryStore()
    imported(store, exported(ALICE))
    again = io.BytesIO()
    export_game(store, "baba", again)
    assert again.getvalue() == exported(ALICE)


def test_known_game_is_left_and_another_of_its_name_refused() -> None:
    store, game = store_with_game()
    imported(store, exported())
    assert store.head(game).number == 2
    one, two, _ = log()
    head = read_entry(two).digest

    def shorter(record: Record) -> Record:
        record = with_entries(one, two)(record)
        header = msgspec.structs.replace(record.header, head=head)
        return msgspec.structs.replace(record, header=header)

    with pytest.raises(GameExists, match="baba"):
        imported(store, rewritten(shorter))
    assert store.head(game).number == 2


def test_import_that_was_cut_off_is_done_again() -> None:
    store = MemoryStore()
    store.create("baba", SECRETS.to_bytes(), {"status": "importing"})
    imported(store, exported())
    assert store.head("baba").number == 2
    assert store.meta("baba")["status"] == "running"
