"""Ids tell nothing: a hidden card's id is sealed, and no card is followed by it (CR 400.2)."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Union, get_args, get_origin, get_type_hints

import msgspec

from apnap.events.catalog import AnyEvent
from apnap.events.codec import decode_entry
from apnap.events.ids import ObjectId, PlayerId, ZoneKind
from apnap.events.redaction import redact_entry
from apnap.events.stack import ChosenTarget
from apnap.events.zones import LibraryArranged, LibraryShuffled, ObjectMoved, ObjectsRenamed
from apnap.projections.evolve import evolve
from apnap.projections.redaction import is_known
from apnap.projections.state import State
from apnap.projections.trail import Trail

from .playing import Played, seats_of


def ids_in(record: msgspec.Struct) -> Iterator[ObjectId]:
    """Yield the ids that stand in a record, wherever its fields say that one does."""
    for name, hint in hints_of(type(record)):
        yield from ids_of(getattr(record, name), hint)


def ids_of(value: object, hint: object) -> Iterator[ObjectId]:
    """Yield the ids in a value of a field's type."""
    if hint is ObjectId:
        assert isinstance(value, int)
        yield ObjectId(value)
    elif isinstance(value, msgspec.Struct):
        yield from ids_in(value)
    elif isinstance(value, tuple):
        parts = get_args(hint) if get_origin(hint) is tuple else ()
        for place, item in enumerate(value):
            part = parts[0] if parts[1:] == (...,) else parts[place]
            yield from ids_of(item, part)
    elif get_origin(hint) is Union:
        assert not isinstance(value, int), f"{hint} may hide an id"


@cache
def hints_of(kind: type[msgspec.Struct]) -> tuple[tuple[str, object], ...]:
    """Return the fields of a record type with their types."""
    hints = get_type_hints(kind)
    return tuple((name, hints[name]) for name in kind.__struct_fields__)


def test_ids_are_found_wherever_they_stand() -> None:
    target = ChosenTarget(0, ObjectId(7), PlayerId(3), 2)
    assert list(ids_in(target)) == [7]


def unknown_to(state: State, seat: PlayerId) -> set[ObjectId]:
    """Return the objects of hands whose cards a seat does not know."""
    return {
        name
        for name, item in state.objects.items()
        if item.zone == ZoneKind.HAND and not is_known(item.known_to, seat)
    }


def test_ids_of_hidden_cards_of_hands_stand_nowhere_open(recorded: list[Played]) -> None:
    """Not while they are there, nor in the commit that plays or discards them."""
    looked_for = 0
    for seed, played in enumerate(recorded):
        whole = Trail(State())
        for entry in played.entries:
            hidden = {seat: unknown_to(whole.state, seat) for seat in seats_of(played)}
            for event in decode_entry(entry).events():
                evolve(whole, event)
                if isinstance(event, ObjectMoved | ObjectsRenamed):
                    for seat in hidden:
                        hidden[seat] |= unknown_to(whole.state, seat)
            whole.forget()
            for seat, names in hidden.items():
                cut = decode_entry(redact_entry(entry, seat))
                told = {name for event in cut.events() for name in ids_in(event)}
                assert not told & names, (seed, seat, cut.number)
                looked_for += len(names)
    assert looked_for > 1000


def test_every_way_out_of_a_hand_was_tried(recorded: list[Played]) -> None:
    ways = Counter(
        (event.manner, bool(event.object))
        for played in recorded
        for commit in played.commits()
        for event in commit.events()
        if isinstance(event, ObjectMoved) and event.origin == ZoneKind.HAND
    )
    for manner in ("cast", "played", "discarded", "shuffled-in", "put-on-bottom", "put"):
        assert ways[manner, False], f"nobody let a hidden card be {manner}"
    assert ways["cast", True], "nobody cast a card that everybody knew"


def test_ids_of_library_slots_are_fresh_after_each_shuffle(recorded: list[Played]) -> None:
    shuffles = 0
    for played in recorded:
        trail = Trail(State())
        for event in (event for commit in played.commits() for event in commit.events()):
            before = trail.state.next_id
            evolve(trail, event)
            if isinstance(event, LibraryShuffled):
                library = trail.state.players[event.player].library
                assert library == list(range(before, before + len(library)))
                assert all(trail.state.objects[name].known_to == 0 for name in library)
                shuffles += 1
    assert shuffles > 2 * len(recorded)


def test_ids_where_cards_are_arranged_are_fresh_and_in_the_order_of_slots(
    recorded: list[Played],
) -> None:
    arranged = Counter[int]()
    for played in recorded:
        trail = Trail(State())
        for event in (event for commit in played.commits() for event in commit.events()):
            before = trail.state.next_id
            evolve(trail, event)
            if isinstance(event, LibraryArranged):
                library = trail.state.players[event.player].library
                on_top = event.count - event.bottom
                fresh = [*library[:on_top], *library[len(library) - event.bottom :]]
                assert fresh == list(range(before, before + event.count))
                arranged[event.bottom] += 1
    assert len(arranged) > 1


def test_open_events_of_a_move_within_hidden_zones_are_few(recorded: list[Played]) -> None:
    """What others see of a card that goes back: that one went, and to which slot."""
    for played in recorded:
        for entry in played.entries:
            for event in decode_entry(redact_entry(entry, PlayerId(0))).events():
                if is_of_anothers_hidden_card(event):
                    assert isinstance(event, ObjectMoved)
                    assert isinstance(event.secret, bytes)
                    assert not event.card
                    assert not event.object


def is_of_anothers_hidden_card(event: AnyEvent) -> bool:
    """Whether an event is that a card went from another player's hand into a library, unseen."""
    return (
        isinstance(event, ObjectMoved)
        and event.origin == ZoneKind.HAND
        and event.destination == ZoneKind.LIBRARY
        and 0 not in event.readers
        and event.secret is not None
    )
