"""Verification finds damage, forgery, a bent shuffle, a cut, and rules that changed."""

import io
from collections.abc import Callable

import msgspec
import pytest

from apnap.events.catalog import AnyEvent
from apnap.events.codec import decode_entry, encode_commit
from apnap.events.ids import PlayerId
from apnap.events.life import DamageDealt, LifeLost
from apnap.events.memory_store import MemoryStore
from apnap.events.seals import GameSecrets
from apnap.events.zones import LibraryShuffled
from apnap.replay.host import GameResult
from apnap.replay.opened import RecordedGame, recorded_game
from apnap.replay.record_file import export_game, import_game
from apnap.replay.verify import verify_file, verify_game, verify_recorded
from apnap.rules import lands

Played = tuple[MemoryStore, GameResult]


@pytest.fixture
def recorded(played: Played) -> RecordedGame:
    """Return the log of the short finished game."""
    store, result = played
    return recorded_game(store, result.game)


def rewritten(
    recorded: RecordedGame, change: Callable[[AnyEvent], AnyEvent], *, keeps_older: bool = True
) -> RecordedGame:
    """Return a log whose events were changed and whose chain was made anew by the host."""
    secrets = GameSecrets.from_bytes(recorded.secrets)
    head = bytes(16)
    entries: list[bytes] = []
    for entry in recorded.entries:
        commit = decode_entry(entry)
        groups = tuple(tuple(change(event) for event in group) for group in commit.groups)
        older = commit.older if keeps_older else ()
        new = msgspec.structs.replace(commit, groups=groups, prev=head, older=older)
        entry, head = encode_commit(new, secrets)  # noqa: PLW2901 -- the entry, rewritten
        entries.append(entry)
    return msgspec.structs.replace(recorded, entries=tuple(entries))


def test_finished_game_verifies_in_store_and_file(played: Played) -> None:
    store, result = played
    assert verify_game(store, result.game).ok
    file = io.BytesIO()
    export_game(store, result.game, file)
    found = verify_file(io.BytesIO(file.getvalue()), "game.apnap")
    assert (found.ok, found.commits, found.kind) == (True, result.commits, None)


def test_export_comes_back_as_the_same_game(played: Played) -> None:
    store, result = played
    file = io.BytesIO()
    export_game(store, result.game, file)
    other = MemoryStore()
    import_game(other, io.BytesIO(file.getvalue()), "game.apnap", "here")
    assert other.head(result.game) == store.head(result.game)
    assert other.meta(result.game) == store.meta(result.game)
    assert verify_game(other, result.game).ok


@pytest.mark.parametrize("seat", [0, 1])
def test_export_of_a_seat_verifies_as_far_as_it_goes(played: Played, seat: int) -> None:
    store, result = played
    file = io.BytesIO()
    export_game(store, result.game, file, PlayerId(seat))
    found = verify_file(io.BytesIO(file.getvalue()), "alice.apnap")
    assert (found.ok, found.commits) == (True, result.commits)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_flipped_byte_is_damage_in_its_commit(recorded: RecordedGame, part: int) -> None:
    number = len(recorded.entries) // 3
    entry = bytearray(recorded.entries[number])
    entry[len(entry) * (2 * part + 1) // 6] ^= 1
    entries = (*recorded.entries[:number], bytes(entry), *recorded.entries[number + 1 :])
    found = verify_recorded(msgspec.structs.replace(recorded, entries=entries))
    assert (found.ok, found.kind) == (False, "damaged")
    assert found.first_difference is not None
    assert found.first_difference.commit == number


def test_swapped_commits_are_damage(recorded: RecordedGame) -> None:
    entries = list(recorded.entries)
    entries[7], entries[8] = entries[8], entries[7]
    found = verify_recorded(msgspec.structs.replace(recorded, entries=tuple(entries)))
    assert (found.kind, found.commits) == ("damaged", 7)


def test_finished_game_without_its_last_commit_is_cut(recorded: RecordedGame) -> None:
    found = verify_recorded(msgspec.structs.replace(recorded, entries=recorded.entries[:-1]))
    assert found.kind == "cut"


def test_shuffle_that_the_secrets_do_not_give_is_found(recorded: RecordedGame) -> None:
    def stacked(event: AnyEvent) -> AnyEvent:
        if isinstance(event, LibraryShuffled) and event.player == 0:
            return msgspec.structs.replace(event, slots=event.slots[::-1])
        return event

    found = verify_recorded(rewritten(recorded, stacked, keeps_older=False))
    assert found.kind == "shuffle"
    assert found.first_difference is not None
    assert found.first_difference.commit == 0
    assert found.first_difference.rule == "103.3"


def test_secrets_other_than_those_committed_to_are_forged(recorded: RecordedGame) -> None:
    other = GameSecrets.from_seed(99, 2).to_bytes()
    found = verify_recorded(msgspec.structs.replace(recorded, secrets=other))
    assert found.kind == "forged"


def test_event_that_the_rules_do_not_give_diverges_with_commit_event_and_rule(
    recorded: RecordedGame,
) -> None:
    def richer(event: AnyEvent) -> AnyEvent:
        if isinstance(event, LifeLost | DamageDealt):
            return msgspec.structs.replace(event, amount=event.amount + 1)
        return event

    found = verify_recorded(rewritten(recorded, richer))
    assert (found.ok, found.kind) == (False, "diverged")
    difference = found.first_difference
    assert difference is not None
    assert difference.event is not None
    assert difference.recorded != difference.recomputed
    assert difference.rule


@pytest.mark.rule("305.2")
def test_changed_constant_of_a_rule_is_found(
    recorded: RecordedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lands, "LANDS_EACH_TURN", 0)
    found = verify_recorded(recorded)
    assert (found.ok, found.kind) == (False, "diverged")
    assert found.first_difference is not None
    assert found.first_difference.rule == "305.2b"
    assert found.detail.endswith(f"{recorded.game}@{found.first_difference.commit}")
