"""Seals: no salt twice, other salts in a branch, nothing of the secrets in the log."""

from collections import Counter
from itertools import product
from typing import get_type_hints

from apnap.events.base import Decision
from apnap.events.catalog import DECISION_TYPES
from apnap.events.codec import SEALED, decode_entry, read_body, read_entry
from apnap.events.commit import DECISION, SealAddress
from apnap.events.redaction import redact_entry
from apnap.events.seals import GameSecrets, commitment_of, salt_of, seal_of

from .playing import Played, play, seats_of

NUMBERS = {
    "PassPriority.standing": "a StandingMode",
    "CastSpell.x": "a number that is announced",
    "CastSpell.modes": "places among the modes that are printed",
    "ActivateAbility.x": "a number that is announced",
    "ActivateAbility.modes": "places among the modes that are printed",
    "ActivateAbility.number": "a place among the abilities that are printed",
    "ChooseTargets.modes": "places among the modes that are printed",
    "ChooseNumber.number": "a number, or a place among public words",
    "OrderObjects.order": "ids, or numbers of triggers",
}
"""The bare numbers of decisions, and why none of them is the place of an option in a list."""


def test_no_salt_stands_twice_in_a_game_or_in_two() -> None:
    salts = Counter[bytes]()
    for seed in range(3):
        for entry in play(seed, 150).entries:
            salts.update(opening.salt for opening in read_entry(entry).openings)
    assert len(salts) > 1500
    assert set(salts.values()) == {1}


def test_salts_of_older_openings_are_those_of_the_seals_they_open(recorded: list[Played]) -> None:
    for played in recorded:
        for commit in played.commits():
            for opening in commit.older:
                assert opening.salt == salt_of(played.secrets, opening.at)


def test_branches_have_salts_of_their_own_from_where_they_part() -> None:
    secrets = GameSecrets.from_seed(3, 2)
    branches = [
        secrets.branched(5, b"one"),
        secrets.branched(5, b"two"),
        secrets.with_fresh_luck(5, b"e" * 32),
        secrets.branched(5, b"one").branched(9, b"one"),
    ]
    places = [SealAddress(*at) for at in product((5, 9), (DECISION, 0, 3), (0, 1), (0, 7))]
    found = Counter(salt_of(keys, at) for keys in (secrets, *branches) for at in places)
    shared = [at for at in places if at.commit == 5]
    assert len(found) == 5 * len(places) - len(shared)  # the last one is the first one's until 9
    earlier = SealAddress(4, 1, 0, 0)
    assert {salt_of(keys, earlier) for keys in branches} == {salt_of(secrets, earlier)}


def test_nothing_of_the_secrets_stands_in_the_log(recorded: list[Played]) -> None:
    for played in recorded:
        log = b"".join(played.entries)
        secrets = played.secrets
        hidden = (secrets.seal, secrets.chance, secrets.nonce, *secrets.agent_seeds)
        for value in (*hidden, *secrets.seat_nonces):
            assert value not in log
            assert value[:8] not in log
        assert commitment_of(secrets.chance) in played.entries[0]
        assert commitment_of(secrets.seal) not in log


def test_seals_cannot_be_guessed_without_their_salts(recorded: list[Played]) -> None:
    """One who knows all that may be hidden tries it with salts that are easy to think of."""
    played = recorded[0]
    guesses = (b"", bytes(16), bytes(8))
    for entry in played.entries[:40]:
        outer = read_entry(entry)
        body = outer.body
        seals = {seal_of(opening.value, opening.salt) for opening in outer.openings}
        assert all(seal in body for seal in seals)
        for opening in outer.openings:
            for guess in (*guesses, read_body(outer).prev, outer.digest):
                assert seal_of(opening.value, guess) not in seals


def test_no_hidden_part_stands_open_in_a_body(recorded: list[Played]) -> None:
    for played in recorded:
        for entry in played.entries:
            for group in read_body(read_entry(entry)).groups:
                for event in group:
                    for field in SEALED.get(type(event), ()):
                        held = getattr(event, field.name)
                        parts = held if field.is_many else (held,)
                        assert all(part is None or len(part) == 16 for part in parts)


def test_decision_holds_no_index_of_an_option() -> None:
    """How many options there were is a secret too: a new bare number has to be looked at."""
    bare = {
        f"{kind.__name__}.{name}"
        for kind in DECISION_TYPES
        for name, hint in get_type_hints(kind).items()
        if name in kind.__struct_fields__ and name not in Decision.__struct_fields__
        if hint in (int, tuple[int, ...])
    }
    assert bare == set(NUMBERS)


def test_other_seats_openings_are_all_cut(recorded: list[Played]) -> None:
    for played in recorded:
        for entry in played.entries:
            for seat in seats_of(played):
                cut = read_entry(redact_entry(entry, seat))
                assert all(seat in opening.readers for opening in cut.openings)
                assert all(
                    seat in one.readers for one in decode_entry(redact_entry(entry, seat)).older
                )
