"""A seat's export holds nothing of a card that the seat has not seen: no name, no id, no digest."""

from io import BytesIO

import pytest
import zstandard

from apnap.events.codec import decode_entry, decode_log
from apnap.events.ids import DefinitionId
from apnap.events.memory_store import MemoryStore
from apnap.events.redaction import redact_entry
from apnap.events.seals import GameSecrets
from apnap.events.store import NewCommit
from apnap.replay.record_file import export_game, read_record

from .playing import Played, play, seats_of, tokens_of
from .witness import Witness

GAMES = 10
META = {
    "status": "finished",
    "players": "alice,bob,carol",
    "agents": "random,random,random",
    "decks": "stompers.dck,tricks.dck",
    "edition": "2025-02",
    "variant": "duel",
    "format": "casual",
}


@pytest.fixture(scope="module")
def exported(recorded: list[Played], games: int) -> list[Played]:
    """Return ten games or more."""
    more = [play(seed) for seed in range(len(recorded), max(GAMES, games))]
    return [*recorded, *more]


def names_of(played: Played) -> dict[DefinitionId, str]:
    """Return the names of all cards and tokens that a game may have to do with."""
    records = played.definitions.to_records()
    return {
        DefinitionId(digest): played.definitions.get(DefinitionId(digest)).name
        for digest in records
    }


def test_no_commit_of_a_seats_log_holds_a_card_it_never_saw(exported: list[Played]) -> None:
    for seed, played in enumerate(exported):
        records = played.definitions.to_records()
        witness = Witness(played.seats)
        for entry in played.entries:
            commit = decode_entry(entry)
            for event in commit.events():
                witness.take(event)
            for seat in seats_of(played):
                cut = redact_entry(entry, seat)
                held = {digest for digest in records if digest in cut}
                at = (seed, seat, commit.number)
                assert held <= witness.seen[seat], at


def test_no_export_holds_a_definition_or_name_of_a_card_the_seat_never_saw(
    exported: list[Played],
) -> None:
    for seed, played in enumerate(exported):
        last = len(played.entries)
        for upto in sorted({1, 2, last // 4, last // 2, last}):
            check_exports(played, upto, f"seed {seed}, {upto} commits")


def check_exports(played: Played, upto: int, where: str) -> None:
    """Export the first commits for each seat and look for what it has not seen."""
    names = names_of(played)
    witness = Witness(played.seats)
    for entry in played.entries[:upto]:
        for event in decode_entry(entry).events():
            witness.take(event)
    store = stored(played, upto)
    for seat in seats_of(played):
        file = BytesIO()
        export_game(store, "baba", file, seat)
        raw = unpacked(file.getvalue())
        file.seek(0)
        record = read_record(file, "baba.apnap")
        may_hold = tokens_of(played.definitions, witness.seen[seat])
        assert {DefinitionId(digest) for digest in record.definitions} <= may_hold, where
        assert witness.seen[seat] <= {DefinitionId(digest) for digest in record.definitions}, where
        assert record.header.secrets is None
        for digest, name in names.items():
            if digest in may_hold:
                continue
            assert bytes(digest) not in raw, (where, seat, name)
            assert name.encode() not in words_beside(raw, record.definitions, name), (
                where,
                seat,
                name,
            )
        for secret in secrets_of(played.secrets):
            assert secret not in raw
        assert b"stompers" not in raw
        assert b"tricks" not in raw


def words_beside(raw: bytes, definitions: dict[bytes, bytes], name: str) -> bytes:
    """Return an export without the definitions that speak of a card's name as of a type.

    "As long as you control a Forest" names no card.
    """
    for definition in definitions.values():
        if name.encode() in definition:
            raw = raw.replace(definition, b"")
    return raw


def secrets_of(secrets: GameSecrets) -> tuple[bytes, ...]:
    """Return the bytes that nobody but the host may have."""
    return (
        secrets.seal,
        secrets.chance,
        secrets.nonce,
        *secrets.agent_seeds,
        *secrets.seat_nonces,
    )


def stored(played: Played, upto: int) -> MemoryStore:
    """Return a store that holds the first commits of a game."""
    store = MemoryStore()
    store.create("baba", played.secrets.to_bytes(), META)
    store.put_definitions("baba", played.definitions.to_records())
    fence = store.acquire("baba", "host")
    heads = [commit.digest for commit in decode_log("baba", enumerate(played.entries[:upto]))]
    commits = [
        NewCommit(entry, head) for entry, head in zip(played.entries[:upto], heads, strict=True)
    ]
    store.append_many("baba", 0, bytes(16), commits, fence)
    store.release(fence)
    return store


def unpacked(data: bytes) -> bytes:
    """Return what stands in a record file as one can read it: all pieces, decompressed."""
    stream = zstandard.ZstdDecompressor().decompressobj()
    place = data.index(b"\n") + 1
    found = data[:place]
    while place < len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        place += 20
        found += stream.decompress(data[place : place + length])
        place += length
    return found


def test_witness_and_search_find_what_an_open_log_holds(exported: list[Played]) -> None:
    """The search is worth something: the whole log holds what each seat's may not."""
    played = exported[0]
    records = played.definitions.to_records()
    witness = Witness(played.seats)
    for event in (event for entry in played.entries for event in decode_entry(entry).events()):
        witness.take(event)
    whole = b"".join(played.entries)
    for seat in seats_of(played):
        assert {digest for digest in records if digest in whole} > witness.seen[seat]
