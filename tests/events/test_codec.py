from collections.abc import Callable
from enum import IntEnum
from types import NoneType, UnionType
from typing import Any, NewType, get_args, get_origin, get_type_hints

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apnap.events.base import Decision, Event
from apnap.events.catalog import DECISION_TYPES, EVENT_TYPES
from apnap.events.chain import GENESIS, digest_of
from apnap.events.codec import (
    DECISION_TAGS,
    EVENT_TAGS,
    SECRET_TAGS,
    check_older,
    decode_entry,
    decode_log,
    encode_commit,
    is_open,
    read_entry,
    seal_at,
)
from apnap.events.commit import FORMAT, Commit, Entry, Opening, SealAddress
from apnap.events.decisions import CastSpell, PassPriority
from apnap.events.errors import EngineError, LogDamaged, NewerFormat, UnknownTag
from apnap.events.game import GameBegan
from apnap.events.ids import CommitNumber, ObjectId, PlayerId
from apnap.events.life import LifeLost
from apnap.events.redaction import redact_entry
from apnap.events.seals import GameSecrets, seal_of

SECRETS = GameSecrets.from_seed(3, 2)
SMALL = st.integers(-1, 2**31)
ALICE = PlayerId(0)


def values_of(annotation: Any) -> st.SearchStrategy[Any]:
    """Return a strategy for the values that a field of a record may hold, its seals open."""
    if isinstance(annotation, NewType):
        annotation = annotation.__supertype__
    if isinstance(annotation, UnionType) or get_origin(annotation) not in {None, tuple}:
        parts = get_args(annotation)
        sealed = any(isinstance(part, type) and issubclass(part, msgspec.Struct) for part in parts)
        kept = [part for part in parts if not (sealed and part in {bytes, NoneType})]
        return st.one_of(*(values_of(part) for part in kept))
    if get_origin(annotation) is tuple:
        parts = get_args(annotation)
        if parts[-1] is Ellipsis:
            return st.lists(values_of(parts[0]), max_size=3).map(tuple)
        return st.tuples(*(values_of(part) for part in parts))
    if issubclass(annotation, msgspec.Struct):
        return records_of(annotation)
    if issubclass(annotation, IntEnum):
        return st.sampled_from(annotation)
    simple: dict[type, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: SMALL,
        str: st.text(max_size=6),
        bytes: st.binary(max_size=18),
        NoneType: st.none(),
    }
    return simple[annotation]


def records_of(kind: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Return a strategy for the records of a type."""
    hints = get_type_hints(kind)
    fields = {name: values_of(hints[name]) for name in kind.__struct_fields__}
    if kind is GameBegan:  # as many slots as the decks have
        slots = fields.pop("deck_slots")
        return st.builds(
            lambda deck_slots, players, **rest: GameBegan(
                deck_slots=deck_slots,
                players=(msgspec.structs.replace(players[0], deck_size=len(deck_slots)), *players),
                **rest,
            ),
            deck_slots=slots,
            players=fields.pop("players").filter(bool),
            **fields,
        )
    return st.builds(kind, **fields)


def commit_of(*events: Any, number: int = 5, decision: Any = None) -> Commit:
    decision = decision or PassPriority(ALICE, ALICE, 3)
    return Commit(CommitNumber(number), decision, (events,), True, bytes(range(16)))


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: kind.__name__)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_event_is_read_as_it_was_written(kind: type[Event], data: st.DataObject) -> None:
    commit = commit_of(data.draw(records_of(kind)), data.draw(records_of(kind)))
    entry, digest = encode_commit(commit, SECRETS)
    read = decode_entry(entry)
    assert read == msgspec.structs.replace(commit, digest=digest)
    assert is_open(read)
    assert encode_commit(read, SECRETS) == (entry, digest)
    for seat in (PlayerId(0), PlayerId(7)):
        seen = decode_entry(redact_entry(entry, seat))
        assert seen.digest == digest
        assert encode_commit(seen, SECRETS)[1] == digest


@pytest.mark.parametrize("kind", DECISION_TYPES, ids=lambda kind: kind.__name__)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_decision_is_read_as_it_was_written(kind: type[Decision], data: st.DataObject) -> None:
    commit = commit_of(decision=data.draw(records_of(kind)))
    entry, digest = encode_commit(commit, SECRETS)
    assert decode_entry(entry) == msgspec.structs.replace(commit, digest=digest)
    other = PlayerId(commit.decision.seat + 1)  # type: ignore[union-attr] # it is open
    assert isinstance(decode_entry(redact_entry(entry, other)).decision, bytes)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(*map(records_of, EVENT_TYPES)), min_size=1, max_size=8), st.data())
def test_groups_of_all_kinds_of_events_are_read_as_written(
    events: list[Any], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(events)))
    groups = (tuple(events[:cut]), tuple(events[cut:]))
    commit = Commit(CommitNumber(0), PassPriority(ALICE, ALICE, 0), groups, False, GENESIS)
    entry, digest = encode_commit(commit, SECRETS)
    assert decode_entry(entry) == msgspec.structs.replace(commit, digest=digest)


def test_stranger_reads_a_commit_as_arrays_of_tags_and_fields() -> None:
    entry, digest = encode_commit(commit_of(LifeLost("119.3", 1, ALICE, 2)), SECRETS)
    body, own, openings, older = msgpack.unpackb(entry)
    assert (own, older, len(openings)) == (digest, b"", 1)
    event, field, item, readers, value, salt = openings[0]
    assert (event, field, item, readers) == (-1, 0, 0, [0])
    assert msgpack.unpackb(value) == [202, 0, 0, 3, 0]
    raw = msgpack.unpackb(body)
    assert raw == [
        FORMAT,
        5,
        seal_of(value, salt),
        True,
        [[[32, "119.3", 1, 0, 2]]],
        bytes(range(16)),
    ]


def with_body(entry: bytes, change: Callable[[list[Any]], None]) -> bytes:
    """Return an entry whose body was changed, with the digest made anew."""
    outer = read_entry(entry)
    body = msgpack.unpackb(outer.body)
    change(body)
    packed = msgpack.packb(body)
    return msgspec.msgpack.encode(Entry(packed, digest_of(packed), outer.openings, outer.older))


def with_opening(entry: bytes, value: list[Any]) -> bytes:
    """Return an entry whose decision is another value, sealed anew."""
    outer = read_entry(entry)
    packed = msgpack.packb(value)
    salt = bytes(16)
    opening = (Opening(-1, 0, 0, (ALICE,), packed, salt),)
    entry = msgspec.msgpack.encode(Entry(outer.body, outer.digest, opening))
    return with_body(entry, lambda body: body.__setitem__(2, seal_of(packed, salt)))


def test_record_written_before_a_field_was_added_has_its_default(log: list[bytes]) -> None:
    older = with_body(log[0], lambda body: body[4][0][0].pop())
    began = next(decode_entry(older).events())
    assert isinstance(began, GameBegan)
    assert began.format == "casual"
    cast = CastSpell(ALICE, ALICE, 1, ObjectId(9))
    entry, _ = encode_commit(commit_of(decision=cast), SECRETS)
    assert decode_entry(with_opening(entry, [204, 0, 0, 1, 9])).decision == cast


def test_record_with_a_field_that_this_version_does_not_know_is_read_without_it() -> None:
    lost = LifeLost("119.3", 1, ALICE, 2)
    entry, _ = encode_commit(commit_of(lost), SECRETS)
    newer = with_body(entry, lambda body: body[4][0][0].append("more"))
    assert list(decode_entry(newer).events()) == [lost]


def test_unknown_tag_is_named_with_its_address() -> None:
    entry, _ = encode_commit(commit_of(LifeLost("119.3", 1, ALICE, 2)), SECRETS)
    event = with_body(entry, lambda body: body[4][0][0].__setitem__(0, 9999))
    with pytest.raises(UnknownTag, match=r"Type tag 9999 of an event .*: baba@5$"):
        decode_entry(event, "baba")
    with pytest.raises(UnknownTag, match=r"Type tag 7777 of a decision .*: baba@5$"):
        decode_entry(with_opening(entry, [7777, 0, 0, 1]), "baba")


def test_newer_format_is_named() -> None:
    entry, _ = encode_commit(commit_of(LifeLost("119.3", 1, ALICE, 2)), SECRETS)
    newer = with_body(entry, lambda body: body.__setitem__(0, FORMAT + 1))
    with pytest.raises(NewerFormat, match=r"Format 2 is newer than 1.*: baba@5$"):
        decode_entry(newer, "baba", 5)


def test_record_that_does_not_fit_its_type_is_damage() -> None:
    entry, _ = encode_commit(commit_of(LifeLost("119.3", 1, ALICE, 2)), SECRETS)
    wrong = with_body(entry, lambda body: body[4][0][0].__setitem__(3, "alice"))
    with pytest.raises(LogDamaged, match=r"baba@5$"):
        decode_entry(wrong, "baba", 5)


def test_every_flipped_bit_and_every_cut_of_an_entry_is_found(log: list[bytes]) -> None:
    for number, entry in enumerate(log):
        for place in range(len(entry)):
            with pytest.raises(LogDamaged, match=rf"baba@{number}$"):
                decode_entry(entry[:place], "baba", number)
            for bit in range(8):
                flipped = bytearray(entry)
                flipped[place] ^= 1 << bit
                with pytest.raises(EngineError, match=rf"baba@{number}$"):
                    decode_entry(bytes(flipped), "baba", number)


def test_every_wrong_byte_of_an_entry_is_found(log: list[bytes]) -> None:
    entry = log[3]
    for place in range(len(entry)):
        for wrong in range(256):
            if wrong != entry[place]:
                changed = entry[:place] + bytes([wrong]) + entry[place + 1 :]
                with pytest.raises(EngineError, match=r"baba@3$"):
                    decode_entry(changed, "baba", 3)


def test_gap_swap_or_foreign_commit_in_a_log_is_found(log: list[bytes]) -> None:
    assert len(list(decode_log("baba", enumerate(log)))) == 5
    wrong = [
        [(0, log[0]), (1, log[2])],
        [(0, log[0]), (2, log[2])],
        [(0, log[0]), (1, log[1]), (2, log[3]), (3, log[2])],
        [(0, log[0]), (1, encode_commit(commit_of(number=1), SECRETS)[0])],
    ]
    for entries in wrong:
        with pytest.raises(LogDamaged, match=r"baba@[12]$"):
            list(decode_log("baba", entries))
    tail = decode_log("baba", enumerate(log[2:], 2), read_entry(log[1]).digest)
    assert [commit.number for commit in tail] == [2, 3, 4]


def test_older_opening_must_fit_the_seal_it_names(log: list[bytes]) -> None:
    commit = decode_entry(log[2])
    check_older(commit, log.__getitem__, "baba")
    (opening,) = commit.older
    for at in (SealAddress(1, 0, 0, 1), SealAddress(1, 9, 0, 0), SealAddress(3, 0, 0, 0)):
        other = msgspec.structs.replace(opening, at=at)
        with pytest.raises(LogDamaged, match=r"baba@2$"):
            check_older(msgspec.structs.replace(commit, older=(other,)), log.__getitem__, "baba")
    assert seal_at(log[1], opening.at) == seal_of(opening.value, opening.salt)


def test_tags_are_never_used_again() -> None:
    names = {tag: kind.__name__ for tag, kind in sorted((EVENT_TAGS | DECISION_TAGS).items())}
    assert len(EVENT_TAGS) == len(EVENT_TYPES)
    assert len(DECISION_TAGS) == len(DECISION_TYPES)
    assert names.items() >= TAGS.items()
    assert {
        tag: kind.__name__ for tag, kind in SECRET_TAGS.items()
    }.items() >= SECRETS_BY_TAG.items()


TAGS = {
    1: "ObjectMoved",
    2: "LibraryShuffled",
    3: "ObjectsRenamed",
    4: "CardsRevealed",
    5: "TokenCreated",
    6: "ObjectCeased",
    7: "PermanentTapped",
    8: "PermanentUntapped",
    9: "CountersPut",
    10: "CountersRemoved",
    11: "ObjectAttached",
    12: "ObjectUnattached",
    13: "ControlGained",
    14: "LibraryArranged",
    15: "PermanentTurnedFaceUp",
    16: "PermanentTurnedFaceDown",
    20: "TurnBegan",
    21: "StepBegan",
    22: "PriorityPassed",
    23: "StandingPassRevoked",
    24: "TurnEffectsEnded",
    25: "TurnActionsDone",
    30: "DamageDealt",
    31: "LifeGained",
    32: "LifeLost",
    33: "DrawFailed",
    40: "ManaAdded",
    41: "ManaSpent",
    50: "AttackersDeclared",
    51: "BlockersDeclared",
    52: "RemovedFromCombat",
    60: "SpellCast",
    61: "AbilityActivated",
    62: "AbilityTriggered",
    63: "TriggerPutOnStack",
    64: "TriggerRemoved",
    65: "ObjectResolved",
    66: "ObjectCountered",
    67: "LandPlayed",
    68: "EffectBegan",
    69: "EffectEnded",
    70: "DelayedTriggerCreated",
    80: "GameBegan",
    81: "StartingPlayerChosen",
    82: "MulliganTaken",
    83: "HandKept",
    84: "MulliganDeclared",
    85: "OpeningHandsDone",
    86: "ChoiceMade",
    87: "PlayerLost",
    88: "PlayerLeft",
    89: "GameEnded",
    90: "PositionArranged",
    200: "KeepHand",
    201: "TakeMulligan",
    202: "PassPriority",
    203: "PlayLand",
    204: "CastSpell",
    205: "ActivateAbility",
    206: "DeclareAttackers",
    207: "DeclareBlockers",
    208: "ChooseObjects",
    209: "ChoosePlayers",
    210: "Answer",
    211: "ChooseNumber",
    212: "ChooseTargets",
    213: "OrderObjects",
    214: "DivideDamage",
    215: "Concede",
    216: "RevokeStandingPass",
    217: "BeginGame",
    218: "SetUp",
    219: "TurnFaceUp",
}

SECRETS_BY_TAG = {
    1: "MovedCard",
    2: "SlotCard",
    3: "SeenCards",
    4: "NewNames",
    6: "StandingPass",
}
