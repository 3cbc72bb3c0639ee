"""Who vouches for a game: the keys of its data folder or seed, and what their signatures show."""

from __future__ import annotations

import io
import stat
from pathlib import Path

import msgspec
import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cli.main import run
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.signing import HOST, Evidence, PublicKey, Signature, Signers, root_of_seed
from apnap.events.store import Store
from apnap.events.store_url import open_store
from apnap.replay.branch import branch_game
from apnap.replay.evidence import ROOT_FILE, SIGN_EVERY, evidence_of
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import RecordedGame
from apnap.replay.record_file import export_game, import_game, read_record
from apnap.replay.resume import resume_game
from apnap.replay.verify import required, verify_file, verify_game, verify_recorded

from .conftest import read_signed

NAMES = ("alice", "bob")


def played(store: Store, seed: int | None, commits_max: int | None = None) -> str:
    setup = GameSetup(decks=BUILTIN_DECKS[:2], seed=seed, agents=("greedy",))
    with host_new_game(store, setup) as hosted:
        hosted.play(commits_max=commits_max)
        return hosted.game


def exported(store: Store, game: str, seat: PlayerId | None = None) -> bytes:
    file = io.BytesIO()
    export_game(store, game, file, seat)
    return file.getvalue()


def test_host_and_seats_sign_now_and_then_and_at_the_end(signed: tuple[RecordedGame, ...]) -> None:
    for game in signed:
        commits = sorted({one.commit for one in game.evidence.signatures})
        assert commits[-1] == len(game.entries) - 1
        gaps = [later - earlier for earlier, later in zip([0, *commits], commits, strict=False)]
        assert max(gaps) <= SIGN_EVERY + 1
        seats = range(len(game.keys().seat_nonces))
        for commit in commits:
            signers = [one.signer for one in game.evidence.signatures if one.commit == commit]
            assert signers == [HOST, *seats]


def test_verification_says_who_vouches_for_a_game(signed: tuple[RecordedGame, ...]) -> None:
    found = verify_recorded(signed[0])
    assert found.ok
    assert [one.by for one in found.signed] == ["the host", "alice", "bob"]
    assert {one.commit for one in found.signed} == {len(signed[0].entries) - 1}


def test_game_with_a_seed_signs_the_same_bytes_in_every_store(embedded_store: Store) -> None:
    one, other = MemoryStore(), MemoryStore()
    evidence = [evidence_of(store, played(store, 11)) for store in (one, other, embedded_store)]
    assert evidence[0] == evidence[1] == evidence[2]
    assert evidence[0] != evidence_of(one, played(one, 12))


def test_data_folder_has_one_key_that_only_its_user_reads(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("s")
    keys = []
    for _ in range(2):
        with open_store(None, folder) as store:
            keys.append(evidence_of(store, played(store, None)).keys)
    assert keys[0] == keys[1]
    mode = (folder / ROOT_FILE).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert [path.name for path in folder.iterdir() if path.name.startswith(".signing")] == []


def test_signatures_and_no_private_key_travel_with_a_record(tmp_path: Path) -> None:
    store = MemoryStore()
    game = played(store, None)
    root = store.get_blob(game, "signing")
    assert root is not None
    for seat in (None, PlayerId(0), PlayerId(1)):
        data = exported(store, game, seat)
        record = read_record(io.BytesIO(data), "record")
        assert Evidence.from_bytes(record.header.evidence) == evidence_of(store, game)
        assert root not in msgspec.msgpack.encode(record)
        found = verify_file(io.BytesIO(data), "record")
        assert (found.ok, len(found.signed)) == (True, 3)
        other = MemoryStore()
        import_game(other, io.BytesIO(data), "record", "here")
        assert evidence_of(other, game) == evidence_of(store, game)
        assert exported(other, game) == data or seat is None
        assert verify_game(other, game).signed == found.signed


def test_export_of_a_running_game_signs_its_head_first() -> None:
    store = MemoryStore()
    setup = GameSetup(decks=BUILTIN_DECKS[:2], seed=5, agents=("greedy",))
    with host_new_game(store, setup) as hosted:
        hosted.play(commits_max=30)
        found = verify_file(io.BytesIO(exported(store, hosted.game)), "record")
        assert {one.commit for one in found.signed} == {len(list(store.read(hosted.game))) - 1}


def test_who_goes_on_with_a_game_elsewhere_signs_by_other_keys(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    store = MemoryStore()
    game = played(store, None, commits_max=60)
    with open_store(None, tmp_path_factory.mktemp("s")) as elsewhere:
        elsewhere.new_game_id()
        played(elsewhere, None)  # makes the folder's keys
        import_game(elsewhere, io.BytesIO(exported(store, game)), "record", "here")
        before = evidence_of(elsewhere, game)
        exported(elsewhere, game)
        assert evidence_of(elsewhere, game) == before  # nobody here has acknowledged it
        with resume_game(elsewhere, game) as hosted:
            hosted.play()
        after = evidence_of(elsewhere, game)
        assert len(after.keys) == 6
        assert before.signatures == after.signatures[: len(before.signatures)]
        found = verify_game(elsewhere, game)
        assert found.ok
        assert len(found.signed) == 3


def test_branch_keeps_the_signatures_of_what_it_shares() -> None:
    store = MemoryStore()
    game = played(store, 8)
    child = branch_game(store, game, 120)
    shared = evidence_of(store, child)
    assert {one.commit for one in shared.signatures} <= set(range(121))
    with resume_game(store, child, ("random",)) as hosted:
        hosted.play()
    signatures = evidence_of(store, child).signatures
    assert {one.branch for one in signatures if one.commit <= 120} == {0}
    assert {one.branch for one in signatures if one.commit > 120} == {121}
    assert verify_game(store, child).ok


def test_branch_is_not_taken_for_the_game_it_left() -> None:
    store = MemoryStore()
    child = branch_game(store, played(store, 8), 120)
    with resume_game(store, child, ("random",)) as hosted:
        hosted.play()
    branch = read_signed(store, child)
    moved = tuple(msgspec.structs.replace(one, branch=0) for one in branch.evidence.signatures)
    evidence = Evidence(branch.evidence.keys, moved)
    found = verify_recorded(msgspec.structs.replace(branch, evidence=evidence))
    assert (found.ok, found.kind) == (False, "forged")


@pytest.mark.parametrize("field", ["commit", "head", "branch", "signer", "signature"])
def test_changed_signature_is_valid_no_more(field: str) -> None:
    signers = Signers(root_of_seed(1), NAMES)
    evidence = Evidence(signers.public_keys(), signers.sign(7, b"h" * 16, 0))
    for one in evidence.signatures:
        assert evidence.is_valid(one)
        value = getattr(one, field)
        other = value + 1 if isinstance(value, int) else value[:-1] + bytes([value[-1] ^ 1])
        changed = msgspec.structs.replace(one, **{field: other})
        assert not evidence.is_valid(changed)


def test_nonsense_is_no_signature() -> None:
    evidence = Evidence((PublicKey(0, 0, b"short"), PublicKey(0, 0, bytes(32))))
    assert not evidence.is_valid(Signature(0, 1, b"head", 0, b""))
    assert not evidence.is_valid(Signature(0, 2**63, b"head", 0, bytes(64)))


def test_signature_that_is_not_theirs_is_forged(signed: tuple[RecordedGame, ...]) -> None:
    game = signed[0]
    own = Signers(root_of_seed(999), NAMES).sign(20, game.entries[20][:16], 0)
    evidence = Evidence(game.evidence.keys, (*game.evidence.signatures, *own))
    found = verify_recorded(msgspec.structs.replace(game, evidence=evidence))
    assert (found.ok, found.kind) == (False, "forged")
    assert "is not one of theirs" in found.detail


def test_damaged_evidence_is_damage() -> None:
    store = MemoryStore()
    game = played(store, 8, commits_max=40)
    blob = bytearray(store.get_blob(game, "evidence:keys") or b"")
    blob[20] ^= 1
    store.put_blob(game, "evidence:keys", bytes(blob))
    found = verify_game(store, game)
    assert (found.ok, found.kind) == (False, "damaged")


def test_log_without_signatures_is_not_believed_where_a_key_is_asked_for(
    signed: tuple[RecordedGame, ...],
) -> None:
    found = verify_recorded(signed[0])
    host = found.signed[0].key
    assert required(found, (host, host[:16])).ok
    stripped = verify_recorded(msgspec.structs.replace(signed[0], evidence=Evidence()))
    assert stripped.ok
    for key in (host, "0" * 16):
        refused = required(stripped if key == host else found, (key,))
        assert (refused.ok, refused.kind) == (False, "forged")
        assert key in refused.detail


def test_command_asks_for_a_key(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("s")
    with open_store(None, folder) as store:
        game = played(store, 7)
        key = verify_game(store, game).signed[0].key
    words = ("verify", game, "--store", f"embedded:{folder}", "--key")
    assert run((*words, key[:16])) == 0
    assert f"the host ({key[:16]})" in capsys.readouterr().out
    assert run((*words, "f" * 64)) == 1
    assert run((*words, "alice")) == 2
