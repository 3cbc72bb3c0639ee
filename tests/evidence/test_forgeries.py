"""A log that was changed and chained anew is found by re-execution or by its signatures.

`--games N` tries N forgeries of each run's kinds together.
"""

from __future__ import annotations

import msgspec
import pytest

from apnap.events.ids import PlayerId
from apnap.events.redaction import redact_entry
from apnap.events.seals import GameSecrets
from apnap.events.signing import Evidence
from apnap.replay.opened import RecordedGame
from apnap.replay.record_file import definitions_seen
from apnap.replay.verify import verify_recorded

from . import forge

FORGERIES_IN_CI = 24


@pytest.fixture(scope="module")
def tries(games: int) -> range:
    """Return the numbers of the forgeries that are to be tried."""
    return range(games or FORGERIES_IN_CI)


def test_forgery_by_who_has_the_secrets_is_found_and_named(
    signed: tuple[RecordedGame, ...], tries: range
) -> None:
    for number in tries:
        random = forge.chance(number)
        game = signed[number % len(signed)]
        way, kind = forge.FORGERIES[number % len(forge.FORGERIES)]
        made = None
        while made is None:
            made = way(forge.commits_of(game), random)
        commits, first = made
        found = verify_recorded(forge.rechained(game, commits, game.keys()))
        told = f"{number}: {way.__name__} at {first}: {found}"
        assert (found.ok, found.kind) == (False, kind), told
        assert found.first_difference is not None, told
        assert found.first_difference.commit == first, told
        assert found.first_difference.rule[:1].isdigit(), told


def test_forgery_that_nobody_signed_is_found_by_running_the_rules(
    signed: tuple[RecordedGame, ...], tries: range
) -> None:
    for number in tries:
        random = forge.chance(number)
        game = msgspec.structs.replace(signed[number % len(signed)], evidence=Evidence())
        way, kind = forge.FORGERIES[number % len(forge.FORGERIES)]
        made = None
        while made is None:
            made = way(forge.commits_of(game), random)
        found = verify_recorded(forge.rechained(game, made[0], game.keys()))
        told = f"{number}: {way.__name__} at {made[1]}: {found}"
        assert not found.ok, told
        assert (found.kind == "shuffle") == (kind == "shuffle"), told
        assert found.first_difference is not None, told
        assert found.first_difference.commit == made[1], told


def test_forgery_by_who_lacks_the_secrets_is_found_as_one(
    signed: tuple[RecordedGame, ...], tries: range
) -> None:
    for number in tries:
        random = forge.chance(number)
        game = signed[number % len(signed)]
        way, kind = forge.FORGERIES[number % len(forge.FORGERIES)]
        made = None
        while made is None:
            made = way(forge.commits_of(game), random)
        keys = GameSecrets.from_seed(1000 + number, len(game.keys().seat_nonces))
        found = verify_recorded(forge.rechained(game, made[0], keys))
        told = f"{number}: {way.__name__} at {made[1]}: {found}"
        assert (found.ok, found.kind) in {(False, "forged"), (False, kind)}, told


def test_other_game_by_the_rules_is_found_by_its_signatures(
    signed: tuple[RecordedGame, ...], games: int
) -> None:
    for number in range(max(3, games // 10)):
        game = signed[number % len(signed)]
        made, first = forge.other_game_played(game, forge.chance(number))
        assert verify_recorded(msgspec.structs.replace(made, evidence=Evidence())).ok
        found = verify_recorded(made)
        told = f"{number}: from {first} on: {found}"
        assert not found.ok, told
        assert found.first_difference is not None
        assert found.first_difference.commit >= first, told
        assert all(one.commit < first for one in found.signed), told
        # Where it ends before the next signed head, nothing tells it from a log that was cut.
        is_shorter = len(made.entries) < len(game.entries)
        assert found.kind == "forged" or (found.kind == "cut" and is_shorter), told


@pytest.mark.parametrize("seat", [0, 1])
def test_record_of_a_seat_that_was_chained_anew_is_forged(
    signed: tuple[RecordedGame, ...], tries: range, seat: int
) -> None:
    game = as_seat(signed[0], PlayerId(seat))
    assert verify_recorded(game).ok
    for number in tries:
        made = None
        while made is None:
            made = forge.number_in_event_changed(forge.commits_of(game), forge.chance(number))
            number += len(tries)  # noqa: PLW2901 -- another try
        entries = forge.rechained(game, made[0], GameSecrets.from_seed(1, 2)).entries
        found = verify_recorded(msgspec.structs.replace(game, entries=entries))
        told = f"{number}: at {made[1]}: {found}"
        assert (found.ok, found.kind) == (False, "forged"), told


def as_seat(game: RecordedGame, seat: PlayerId) -> RecordedGame:
    """Return a game as one seat has it."""
    entries = tuple(redact_entry(entry, seat) for entry in game.entries)
    definitions = definitions_seen(entries, game.definitions)
    return msgspec.structs.replace(
        game, entries=entries, definitions=definitions, secrets=b"", seat=seat
    )
