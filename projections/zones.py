"""Objects come, go, move and are seen, folded (CR 400, 111, 701.16).

The same code folds the whole log and a seat's: what a seat cannot read is bytes, and the object
then is a 0 in its hand or has no card. Counts (of ids, of cards in a zone) are always public.
"""

from __future__ import annotations

from typing import assert_never

from ..events.ids import (
    HIDDEN_ZONES,
    NOBODY,
    NOTHING,
    OWNED_ZONES,
    UNKNOWN_CARD,
    DefinitionId,
    ObjectId,
    PlayerId,
    Timestamp,
    ZoneKind,
)
from ..events.zones import (
    CardsRevealed,
    ControlGained,
    CountersPut,
    CountersRemoved,
    LibraryArranged,
    LibraryShuffled,
    MovedCard,
    NewNames,
    ObjectAttached,
    ObjectCeased,
    ObjectMoved,
    ObjectsRenamed,
    ObjectUnattached,
    PermanentTapped,
    PermanentTurnedFaceDown,
    PermanentTurnedFaceUp,
    PermanentUntapped,
    SeenCards,
    SlotCard,
    TokenCreated,
    ZoneEvent,
)
from .combat import leave_combat
from .redaction import as_seen, mask_of
from .state import EVERYBODY, GameObject, StackItem, zone_of
from .trail import Trail
from .turn import stack_grew


def fold_zones(trail: Trail, event: ZoneEvent) -> None:
    """Apply what happened to objects and zones."""
    objects = trail.state.objects
    match event:
        case ObjectMoved():
            _object_moved(trail, event)
        case PermanentTapped():
            trail.set(objects[event.object], "tapped", True)
        case PermanentUntapped():
            trail.set(objects[event.object], "tapped", False)
        case TokenCreated():
            _token_created(trail, event)
        case ObjectCeased():
            take_out(trail, event.object)
        case CountersPut():
            _count(trail, event.object, event.kind, event.amount)
        case CountersRemoved():
            _count(trail, event.object, event.kind, -event.amount)
        case ObjectAttached():
            _attach(trail, event)
        case ObjectUnattached():
            trail.set(objects[event.object], "attached_to", NOTHING)
            trail.set(objects[event.object], "attached_player", NOBODY)
        case ControlGained():
            # Whose it is now is derived (613.1b), and ends with the effect that says so.
            trail.set(objects[event.object], "since_turn", trail.state.turn.number)
            trail.set(objects[event.object], "held_by", event.player)
        case LibraryShuffled():
            _library_shuffled(trail, event)
        case ObjectsRenamed():
            _objects_renamed(trail, event)
        case CardsRevealed():
            _cards_revealed(trail, event)
        case PermanentTurnedFaceUp():
            item = objects[event.object]
            trail.set(item, "face_down", False)
            trail.set(item, "card", event.card)
            trail.set(item, "known_to", EVERYBODY)
            trail.set(item, "timestamp", take_timestamp(trail))
        case PermanentTurnedFaceDown():
            trail.set(objects[event.object], "face_down", True)
            trail.set(objects[event.object], "timestamp", take_timestamp(trail))
        case LibraryArranged():
            _library_arranged(trail, event)
        case _:
            assert_never(event)


def place(trail: Trail, item: GameObject, position: int = -1) -> None:
    """Put a new object into its zone: at a place from the top of a library, else at the end."""
    state = trail.state
    trail.put(state.objects, item.id, item)
    names = zone_of(state, item.zone, item.owner)
    if item.zone == ZoneKind.LIBRARY and 0 <= position < len(names):
        trail.insert(names, position, item.id)
    else:
        trail.append(names, item.id)


def put_on_stack(trail: Trail, item: GameObject, choices: StackItem) -> None:
    """Put a spell or ability on top of the stack (CR 405.2)."""
    place(trail, item)
    trail.put(trail.state.items, item.id, choices)
    stack_grew(trail)


def take_out(trail: Trail, name: ObjectId) -> None:
    """Take an object out of its zone, of combat and of the game."""
    state = trail.state
    item = state.objects[name]
    trail.remove(zone_of(state, item.zone, item.owner), name)
    _drop(trail, name)


def take_ids(trail: Trail, count: int) -> None:
    """Count ids that an event gave."""
    trail.set(trail.state, "next_id", trail.state.next_id + count)


def take_timestamp(trail: Trail) -> Timestamp:
    """Return the next timestamp, and count it (CR 613.7)."""
    timestamp = Timestamp(trail.state.next_timestamp)
    trail.set(trail.state, "next_timestamp", timestamp + 1)
    return timestamp


def _drop(trail: Trail, name: ObjectId) -> None:
    """Drop an object that is in no zone any more, with what was chosen for it."""
    state = trail.state
    if name in state.objects:
        trail.drop(state.objects, name)
    if name in state.items:
        trail.drop(state.items, name)
    leave_combat(trail, name)


def _object_moved(trail: Trail, event: ObjectMoved) -> None:
    """Make the object a new one in its new zone (CR 400.7).

    What it was and has become is kept where both are public: in a hidden zone nothing can follow
    it (CR 400.7 with 400.2), and nobody's view may say more than another's.
    """
    state = trail.state
    opened = event.secret if isinstance(event.secret, MovedCard) else None
    old = event.object or (opened.object if opened else NOTHING)
    before = state.objects.get(old)
    _leave(trail, event, old)
    take_ids(trail, 1)
    if event.object and event.last_known is not None:
        trail.put(state.last_known, event.object, event.last_known)
    if event.object and event.becomes:
        trail.put(state.became, event.object, event.becomes)
    becomes = event.becomes or (opened.becomes if opened else NOTHING)
    card = event.card or (opened.card if opened else UNKNOWN_CARD)
    _arrive(trail, event, before, becomes, card)


def _leave(trail: Trail, event: ObjectMoved, old: ObjectId) -> None:
    """Take an object, or one unknown card of a hand, out of where it was."""
    state = trail.state
    if event.origin == ZoneKind.OUTSIDE:
        return
    names = zone_of(state, event.origin, event.origin_player)
    if event.origin == ZoneKind.HAND and old not in names:
        assert NOTHING in names, "a log hides a card's move from a seat that could see it go"
        trail.remove(names, NOTHING)
        return
    trail.remove(names, old)
    _drop(trail, old)


def _arrive(
    trail: Trail,
    event: ObjectMoved,
    before: GameObject | None,
    becomes: ObjectId,
    card: DefinitionId,
) -> None:
    """Put what moved into the zone it went to."""
    state, zone = trail.state, event.destination
    if zone == ZoneKind.OUTSIDE:
        return
    if not becomes:
        assert zone == ZoneKind.HAND, "only a hand's cards have no ids for others"
        trail.append(state.players[event.player].hand, NOTHING)
        return
    is_hidden = zone in HIDDEN_ZONES
    item = GameObject(
        id=becomes,
        card=card,
        owner=_owner_of(event, before),
        controller=event.player if is_hidden else event.controller,
        zone=zone,
        tapped=event.tapped,
        face_down=event.face_down,
        is_token=before is not None and before.is_token,
        since_turn=-1 if is_hidden else state.turn.number,
        known_to=as_seen(state, _known_after(event)),
    )
    if zone == ZoneKind.STACK:
        put_on_stack(trail, item, StackItem(source=becomes))
        return
    if zone == ZoneKind.BATTLEFIELD:
        item.timestamp = take_timestamp(trail)
    place(trail, item, event.position)


def _owner_of(event: ObjectMoved, before: GameObject | None) -> PlayerId:
    """Return a moved object's owner: an unknown card is its hand's or library's (CR 400.3)."""
    if before is not None:
        return before.owner
    return event.origin_player if event.origin in OWNED_ZONES else event.player


def _known_after(event: ObjectMoved) -> int:
    """Return who knows a card that has moved: all where it is public, else who could follow it."""
    is_public = event.destination not in HIDDEN_ZONES and not event.face_down
    if is_public or (event.card and event.becomes):
        return EVERYBODY
    return mask_of(event.readers)


def _token_created(trail: Trail, event: TokenCreated) -> None:
    take_ids(trail, 1)
    token = GameObject(
        id=event.object,
        card=event.card,
        owner=event.owner,
        controller=event.owner,
        zone=ZoneKind.BATTLEFIELD,
        timestamp=take_timestamp(trail),
        tapped=event.tapped,
        is_token=True,
        since_turn=trail.state.turn.number,
    )
    place(trail, token)


def _count(trail: Trail, name: ObjectId, kind: str, change: int) -> None:
    counters = trail.state.objects[name].counters
    left = counters.get(kind, 0) + change
    if left > 0:
        trail.put(counters, kind, left)
    elif kind in counters:
        trail.drop(counters, kind)


def _attach(trail: Trail, event: ObjectAttached) -> None:
    item = trail.state.objects[event.object]
    trail.set(item, "attached_to", event.to)
    trail.set(item, "attached_player", event.to_player)
    trail.set(item, "timestamp", take_timestamp(trail))


def _library_shuffled(trail: Trail, event: LibraryShuffled) -> None:
    """Fill a library with new objects that nobody knows (CR 701.20a)."""
    state = trail.state
    library = state.players[event.player].library
    for name in library:
        trail.drop(state.objects, name)
    names: list[ObjectId] = []
    for offset, slot in enumerate(event.slots):
        card = slot.card if isinstance(slot, SlotCard) else UNKNOWN_CARD
        name = ObjectId(event.first_id + offset)
        names.append(name)
        item = GameObject(name, card, event.player, event.player, ZoneKind.LIBRARY, known_to=0)
        trail.put(state.objects, name, item)
    trail.refill(library, names)
    take_ids(trail, len(event.slots))
    trail.set(state, "shuffles", state.shuffles + 1)


def _objects_renamed(trail: Trail, event: ObjectsRenamed) -> None:
    """Give the objects of a hidden zone fresh ids; who cannot follow them knows none of them.

    Fresh ids of a library stand in the order of its slots, so that all see the same ids there. A
    single object cannot be confused with others: who knew it knows it still.
    """
    state = trail.state
    names = zone_of(state, event.zone, event.player)
    if len(names) == 1:
        renamed = [ObjectId(state.next_id) if names[0] else NOTHING]
    elif isinstance(event.secret, NewNames):
        fresh = dict(event.secret.names)
        renamed = [fresh[name] if name else NOTHING for name in names]
    elif event.zone == ZoneKind.HAND:
        renamed = [NOTHING] * len(names)
    else:
        renamed = [ObjectId(state.next_id + offset) for offset in range(len(names))]
    readers = mask_of(event.readers) if len(names) > 1 else EVERYBODY
    for old, new in zip(names, renamed, strict=True):
        if old:
            _rename(trail, old, new, readers)
    take_ids(trail, len(names))
    trail.refill(names, sorted(renamed) if event.zone == ZoneKind.HAND else renamed)


def _rename(trail: Trail, old: ObjectId, new: ObjectId, readers: int) -> None:
    state = trail.state
    item = state.objects[old]
    trail.drop(state.objects, old)
    if not new:
        return
    known_to = as_seen(state, item.known_to & readers)
    is_blank = state.viewer != NOBODY and not known_to
    trail.set(item, "id", new)
    trail.set(item, "known_to", known_to)
    if is_blank:
        trail.set(item, "card", UNKNOWN_CARD)
    trail.put(state.objects, new, item)


def _library_arranged(trail: Trail, event: LibraryArranged) -> None:
    """Put top cards of a library on its top and bottom: who cannot follow them knows none.

    A single card everybody can follow.
    """
    state = trail.state
    library = state.players[event.player].library
    looked_at, rest = library[: event.count], library[event.count :]
    fresh = [ObjectId(state.next_id + offset) for offset in range(event.count)]
    followed = dict(event.secret.names) if isinstance(event.secret, NewNames) else {}
    readers = mask_of(event.readers) if event.count > 1 else EVERYBODY
    for old, new in zip(looked_at, fresh, strict=True):
        # One who cannot follow has blank cards anyway: any pairing gives the same.
        _rename(trail, old, followed.get(old, new), readers)
    on_top = event.count - event.bottom
    take_ids(trail, event.count)
    trail.refill(library, [*fresh[:on_top], *rest, *fresh[on_top:]])


def _cards_revealed(trail: Trail, event: CardsRevealed) -> None:
    """Let players know cards of a hidden zone that they were shown."""
    state = trail.state
    if not isinstance(event.secret, SeenCards):
        return
    # What all are shown is public, as if it lay in a public zone.
    is_shown_to_all = len(event.readers) == len(state.players)
    readers = EVERYBODY if is_shown_to_all else mask_of(event.readers)
    for name, card in event.secret.cards:
        item = state.objects.get(name)
        if item is None:
            trail.remove(state.players[event.player].hand, NOTHING)
            known_to = as_seen(state, readers)
            shown = GameObject(
                name, card, event.player, event.player, event.zone, known_to=known_to
            )
            place(trail, shown)
            continue
        trail.set(item, "card", card)
        trail.set(item, "known_to", as_seen(state, item.known_to | readers))
