"""Commits as bytes and back: MessagePack by msgspec, seals in the body, openings beside it.

Reading checks all that one entry can show: its digest, that each opening fits its seal, and that
who may read it is who the event says. What older openings fit is shown by `check_older`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn, get_args, get_origin, get_type_hints

import msgspec

from .base import Decision, Event, Secret
from .catalog import DECISION_TYPES, EVENT_TYPES, AnyEvent
from .chain import GENESIS, check_follows, digest_of, short_digest_of
from .commit import DECISION, FORMAT, Commit, Entry, OlderOpening, Opening, SealAddress
from .decisions import AnyDecision
from .errors import LogDamaged, NewerFormat, UnknownTag
from .ids import CommitNumber, PlayerId
from .seals import SEAL_SIZE, GameSecrets, Salter, salter, seal_of


class Body(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the chain covers of a commit: each hidden part is the 16 bytes of its seal."""

    format: int
    number: CommitNumber
    decision: bytes
    quiescent: bool
    groups: tuple[tuple[AnyEvent, ...], ...]
    prev: bytes


class SealedField(msgspec.Struct, frozen=True):
    """A field of an event type that is sealed: its name, and how its values are read."""

    name: str
    is_many: bool
    decode: Callable[[bytes], Secret]


def encode_commit(commit: Commit, secrets: GameSecrets) -> tuple[bytes, bytes]:
    """Return a commit's entry, with openings for all who may know, and its digest.

    Hidden parts that the commit does not know (bytes in their place) stay as they are.
    """
    salt = salter(secrets, commit.number)
    openings: list[Opening] = []
    if isinstance(commit.decision, bytes):
        decision = commit.decision
    else:
        readers = (commit.decision.seat,)
        decision = _sealed(commit.decision, (DECISION, 0, 0), readers, salt, openings)
    groups = _sealed_groups(commit.groups, salt, openings)
    body = _ENCODE(Body(FORMAT, commit.number, decision, commit.quiescent, groups, commit.prev))
    digest = digest_of(body)
    return _ENCODE(Entry(body, digest, tuple(openings), pack_older(commit.older))), digest


def decode_entry(entry: bytes, game: str = "", number: int | None = None) -> Commit:
    """Return the commit of an entry, with each hidden part that the entry opens filled in.

    `game` and `number` are for the address in messages; the chain is checked by `decode_log`.
    """
    try:
        outer = _DECODE_ENTRY(entry)
        body = _checked_body(outer, game, number)
        decision: AnyDecision | bytes = body.decision
        if outer.openings:
            decision = _fill(body, outer.openings, game)
        older = unpack_older(outer.older) if outer.older else ()
    except msgspec.DecodeError as error:
        _explain(entry, game, number, error)
    return Commit(
        body.number, decision, body.groups, body.quiescent, body.prev, outer.digest, older
    )


def decode_log(
    game: str, entries: Iterable[tuple[int, bytes]], head: bytes = GENESIS
) -> Iterator[Commit]:
    """Yield the commits of a log, each checked against the one before it.

    `head` is the digest of the commit before the first entry.
    """
    for number, entry in entries:
        commit = decode_entry(entry, game, number)
        check_follows(game, number, head, commit)
        head = commit.digest
        yield commit


def is_open(commit: Commit) -> bool:
    """Whether a commit holds the value of every hidden part, as a judge's log does."""
    if isinstance(commit.decision, bytes):
        return False
    for event in commit.events():
        for field in SEALED.get(type(event), ()):
            held = getattr(event, field.name)
            if any(isinstance(part, bytes) for part in (held if field.is_many else (held,))):
                return False
    return True


def seal_at(entry: bytes, at: SealAddress) -> bytes:
    """Return the seal that stands at an address in the entry of its commit."""
    body = _DECODE_BODY(_DECODE_ENTRY(entry).body)
    if at.event == DECISION:
        return body.decision
    events = [event for group in body.groups for event in group]
    fields = SEALED.get(type(events[at.event]), ()) if 0 <= at.event < len(events) else ()
    if not 0 <= at.field < len(fields):
        return b""
    found = getattr(events[at.event], fields[at.field].name)
    if fields[at.field].is_many:
        found = found[at.item] if 0 <= at.item < len(found) else b""
    return found if isinstance(found, bytes) else b""


def check_older(commit: Commit, entry_of: Callable[[int], bytes], game: str) -> None:
    """Raise `LogDamaged` unless each older opening of a commit fits the seal that it names.

    The seal may stand in the same commit: opening hands are drawn in the one that shuffles.
    """
    for opening in commit.older:
        at = opening.at
        known = 0 <= at.commit <= commit.number
        if not known or seal_at(entry_of(at.commit), at) != seal_of(opening.value, opening.salt):
            where = f"commit {at.commit}, event {at.event}"
            reason = f"an opening does not fit the seal it names ({where})"
            raise LogDamaged(game, commit.number, reason)


def read_entry(entry: bytes) -> Entry:
    """Return the parts of an entry, unchecked."""
    return _DECODE_ENTRY(entry)


def read_body(outer: Entry) -> Body:
    """Return the body of an entry with all seals closed, unchecked."""
    return _DECODE_BODY(outer.body)


def pack_older(older: tuple[OlderOpening, ...]) -> bytes:
    """Return older openings as they stand in an entry."""
    if not older:
        return b""
    packed = _ENCODE(older)
    return short_digest_of(packed) + packed


def unpack_older(packed: bytes) -> tuple[OlderOpening, ...]:
    """Read what `pack_older` wrote."""
    if not packed:
        return ()
    if short_digest_of(packed[8:]) != packed[:8]:
        raise msgspec.ValidationError("the older openings do not fit their digest")
    return _DECODE_OLDER(packed[8:])


def _sealed(
    value: msgspec.Struct,
    at: tuple[int, int, int],
    readers: tuple[PlayerId, ...],
    salt: Salter,
    openings: list[Opening],
) -> bytes:
    """Seal one value, and note what opens it."""
    data = _ENCODE(value)
    salted = salt(*at)
    openings.append(Opening(*at, readers, data, salted))
    return seal_of(data, salted)


def _sealed_groups(
    groups: tuple[tuple[AnyEvent, ...], ...], salt: Salter, openings: list[Opening]
) -> tuple[tuple[AnyEvent, ...], ...]:
    """Return the groups with a seal for each hidden part; without any, the groups themselves."""
    index = 0
    sealed: list[tuple[AnyEvent, ...]] = []
    for group in groups:
        changed: list[AnyEvent] | None = None
        for place, event in enumerate(group):
            fields = SEALED.get(type(event))
            if fields is not None:
                if changed is None:
                    changed = list(group)
                changed[place] = _sealed_event(event, fields, index + place, salt, openings)
        sealed.append(group if changed is None else tuple(changed))
        index += len(group)
    return tuple(sealed)


def _sealed_event(
    event: AnyEvent,
    fields: tuple[SealedField, ...],
    index: int,
    salt: Salter,
    openings: list[Opening],
) -> AnyEvent:
    """Return an event with a seal for each hidden part."""
    seals: dict[str, object] = {}
    for place, field in enumerate(fields):
        held = getattr(event, field.name)
        if field.is_many:
            seals[field.name] = tuple(
                value
                if isinstance(value, bytes)
                else _sealed(value, (index, place, item), event.item_readers(item), salt, openings)
                for item, value in enumerate(held)
            )
        elif isinstance(held, Secret):
            at = (index, place, 0)
            seals[field.name] = _sealed(held, at, event.sealed_readers(), salt, openings)
    return msgspec.structs.replace(event, **seals) if seals else event


def _checked_body(outer: Entry, game: str, number: int | None) -> Body:
    """Decode the body after its digest has been checked."""
    if digest_of(outer.body) != outer.digest:
        known = _number_in(_raw(outer.body)) if number is None else number
        raise LogDamaged(game, known, "a commit does not fit its digest")
    body = _DECODE_BODY(outer.body)
    if body.format != FORMAT:
        raise msgspec.ValidationError("another format")
    return body


def _fill(body: Body, openings: tuple[Opening, ...], game: str) -> AnyDecision | bytes:
    """Put opened values in the place of their seals; return the decision, or its seal."""
    decision: AnyDecision | bytes = body.decision
    events: list[AnyEvent] = []
    many: dict[tuple[int, int], list[Secret | bytes]] = {}
    for opening in openings:
        if opening.event == DECISION:
            decision = _opened_decision(body, opening, game)
            continue
        if not events:
            events = [event for group in body.groups for event in group]
        index, place = opening.event, opening.field
        fields = SEALED.get(type(events[index]), ()) if 0 <= index < len(events) else ()
        if not 0 <= place < len(fields) or (opening.item and not fields[place].is_many):
            raise LogDamaged(game, body.number, "an opening names no sealed field")
        event, field = events[index], fields[place]
        if field.is_many:
            slots = many.get((index, place))
            if slots is None:
                slots = many[index, place] = list(getattr(event, field.name))
            item = opening.item
            held = slots[item] if 0 <= item < len(slots) else b""
            _check_opening(opening, held, event, body.number, game)
            slots[item] = field.decode(opening.value)
        else:
            _check_opening(opening, getattr(event, field.name), event, body.number, game)
            _change(event, field.name, field.decode(opening.value))
    for (index, place), slots in many.items():
        event = events[index]
        _change(event, SEALED[type(event)][place].name, tuple(slots))
    return decision


def _check_opening(opening: Opening, held: object, event: AnyEvent, number: int, game: str) -> None:
    """Raise `LogDamaged` unless an opening fits the seal it names and is for whom it should be."""
    salt = opening.salt
    if len(salt) != SEAL_SIZE or held != seal_of(opening.value, salt):
        raise LogDamaged(game, number, "an opening does not fit the seal it names")
    if opening.readers != event.item_readers(opening.item):
        raise LogDamaged(game, number, "an opening is for others than its event says")


def _opened_decision(body: Body, opening: Opening, game: str) -> AnyDecision:
    salt = opening.salt
    fits = len(salt) == SEAL_SIZE and body.decision == seal_of(opening.value, salt)
    if not fits or opening.field or opening.item:
        raise LogDamaged(game, body.number, "an opening does not fit the seal it names")
    decision = _DECODE_DECISION(opening.value)
    if opening.readers != (decision.seat,):
        raise LogDamaged(game, body.number, "a decision is open to another seat than its own")
    return decision


def _explain(entry: bytes, game: str, number: int | None, error: msgspec.DecodeError) -> NoReturn:
    """Say why an entry cannot be read: it is newer than this version, or damaged."""
    outer = _raw(entry)
    body = _raw(outer[0]) if outer and isinstance(outer[0], bytes) else []
    known = number if number is not None else _number_in(body)
    where = f"{game}@{known}"
    if body and isinstance(body[0], int) and body[0] > FORMAT:
        raise NewerFormat(body[0], FORMAT, where) from error
    for tag in _tags(body):
        if tag not in EVENT_TAGS:
            raise UnknownTag(tag, "an event", where) from error
    for event, tag in _opened_tags(outer):
        if event == DECISION and tag not in DECISION_TAGS:
            raise UnknownTag(tag, "a decision", where) from error
        if event != DECISION and tag not in SECRET_TAGS:
            raise UnknownTag(tag, "a hidden part of an event", where) from error
    raise LogDamaged(game, known, f"a record does not fit its type ({error})") from error


def _raw(data: bytes) -> list[object]:
    """Decode an array without types; what is none is an empty one."""
    try:
        found = msgspec.msgpack.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []
    return found if isinstance(found, list) else []


def _number_in(body: list[object]) -> int:
    return body[1] if len(body) > 1 and isinstance(body[1], int) else 0


def _tags(body: list[object]) -> Iterator[int]:
    """Yield the tags of a raw body's events."""
    groups = body[4] if len(body) > 4 else None
    for group in groups if isinstance(groups, list) else ():
        for event in group if isinstance(group, list) else ():
            if isinstance(event, list) and event and isinstance(event[0], int):
                yield event[0]


def _opened_tags(outer: list[object]) -> Iterator[tuple[int, int]]:
    """Yield event number and tag of each value that a raw entry opens."""
    openings = outer[2] if len(outer) > 2 else None
    for opening in openings if isinstance(openings, list) else ():
        if isinstance(opening, list) and len(opening) > 4 and isinstance(opening[4], bytes):
            value = _raw(opening[4])
            if value and isinstance(opening[0], int) and isinstance(value[0], int):
                yield opening[0], value[0]


def _tag_of(kind: type[msgspec.Struct]) -> int:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, int), f"{kind.__name__} has no number as its tag"
    return tag


def _secrets_in(annotation: object) -> tuple[type[Secret], ...]:
    """Return the types of secrets that an annotation speaks of."""
    if isinstance(annotation, type) and issubclass(annotation, Secret):
        return (annotation,)
    return tuple(kind for part in get_args(annotation) for kind in _secrets_in(part))


def _sealed_field(event: type[Event], name: str) -> SealedField:
    annotation = get_type_hints(event)[name]
    (secret,) = _secrets_in(annotation)
    is_many = get_origin(annotation) is tuple
    return SealedField(name, is_many, msgspec.msgpack.Decoder(secret).decode)


SEALED: dict[type[Event], tuple[SealedField, ...]] = {
    event: tuple(_sealed_field(event, name) for name in event.sealed_fields)
    for event in EVENT_TYPES
    if event.sealed_fields
}
"""The sealed fields of each event type that has some."""

EVENT_TAGS: dict[int, type[Event]] = {_tag_of(kind): kind for kind in EVENT_TYPES}
"""Event types by tag."""

DECISION_TAGS: dict[int, type[Decision]] = {_tag_of(kind): kind for kind in DECISION_TYPES}
"""Decision types by tag."""

SECRET_TAGS: dict[int, type[Secret]] = {
    _tag_of(secret): secret
    for event, fields in SEALED.items()
    for field in fields
    for secret in _secrets_in(get_type_hints(event)[field.name])
}
"""Types of sealed values by tag."""

_change = msgspec.structs.force_setattr
"""Changes an event that was decoded a moment ago and that nobody has seen: a copy costs more."""

_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE_ENTRY = msgspec.msgpack.Decoder(Entry).decode
_DECODE_BODY = msgspec.msgpack.Decoder(Body).decode
_DECODE_DECISION = msgspec.msgpack.Decoder(AnyDecision).decode
_DECODE_OLDER = msgspec.msgpack.Decoder(tuple[OlderOpening, ...]).decode
