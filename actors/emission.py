"""How an owner turns a proposed action into events: pure, against the state before the batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ..events.catalog import AnyEvent
from ..events.game import GameBegan
from ..events.ids import (
    NOTHING,
    UNKNOWN_CARD,
    ObjectId,
    PlayerId,
    ZoneKind,
)
from ..events.life import LifeGained, LifeLost
from ..events.luck import Luck
from ..events.mana import ManaAdded
from ..events.ownership import (
    BATTLEFIELD,
    TABLE,
    Owner,
    Role,
    owner_of,
    player_owner,
    zone_owner,
)
from ..events.stack import (
    AbilityActivated,
    AbilityTriggered,
    DelayedTriggerCreated,
    EffectBegan,
    TriggerPutOnStack,
)
from ..events.zones import (
    CardsRevealed,
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
)
from ..projections.position import Position
from ..projections.state import EVERYBODY, GameObject, State, zone_of
from ..rules.actions import (
    TO_BE_NAMED,
    Action,
    AddCounters,
    Arrange,
    Attach,
    Cease,
    Draw,
    Gain,
    Lose,
    MakeToken,
    Move,
    Occur,
    Produce,
    Rename,
    Reveal,
    Shuffle,
    TakeCounters,
    Tap,
    TurnDown,
    TurnUp,
    Unattach,
    Untap,
)

SHUFFLE_STRIDE = 1 << 16
"""Counters of chance kept for one shuffle: more than any library has cards."""

RENAMING = 1 << 61
"""Where the counters of chance begin that give a hand's cards fresh ids, beyond all shuffles."""


class Slot(msgspec.Struct, frozen=True, gc=False):
    """What the Recorder's allocator gives an action of a batch, in the batch's order.

    `ordinal` counts earlier draws of the same player, or shuffles, in the batch.
    """

    first_id: int
    number: int
    ordinal: int


def owner_of_action(state: State, action: Action) -> Owner:
    """Return the owner that turns an action into events."""
    route = _ROUTES.get(type(action))
    assert route is not None, f"{type(action).__name__} is replaced before it comes to an owner"
    return route(state, action)


def ids_taken(state: State, action: Action) -> int:
    """Return how many ids an action takes: a publicly known number."""
    match action:
        case Move() | Draw() | MakeToken():
            return 1
        case Shuffle(player=player):
            return len(state.players[player].library)
        case Rename(player=player, zone=zone):
            return len(zone_of(state, zone, player))
        case Arrange(top=top, bottom=bottom):
            return len(top) + len(bottom)
        case Occur(event=AbilityActivated() | TriggerPutOnStack() as event):
            return 1 if event.object == TO_BE_NAMED else 0
        case Occur(event=GameBegan() as began):
            return len(began.deck_slots)
        case _:
            return 0


def numbers_taken(action: Action) -> int:
    """Return how many numbers of effects and triggers an action takes."""
    is_numbered = isinstance(action, Occur) and isinstance(
        action.event, AbilityTriggered | EffectBegan | DelayedTriggerCreated
    )
    return 1 if is_numbered else 0


def events_of(game: Position, action: Action, slot: Slot, luck: Luck) -> tuple[AnyEvent, ...]:
    """Return the events that an action becomes; its owner is `owner_of_action`."""
    return _EMITTERS[type(action)](game, action, slot, luck)


def _moved(game: Position, action: Move, slot: Slot, _luck: Luck) -> tuple[AnyEvent, ...]:
    found = game.state.objects[action.object]
    new_id = ObjectId(slot.first_id)
    event = _move_event(game, found, action, new_id)
    if action.to != ZoneKind.BATTLEFIELD:
        return (event,)
    counters = _counters_entered(action, new_id)
    attached = (
        (
            ObjectAttached(
                action.rule, action.cause, new_id, action.attach_to, action.attach_to_player
            ),
        )
        if action.attach_to or action.attach_to_player >= 0
        else ()
    )
    return (event, *attached, *counters)


def _token_made(
    _game: Position, action: MakeToken, slot: Slot, _luck: Luck
) -> tuple[AnyEvent, ...]:
    token = ObjectId(slot.first_id)
    created = TokenCreated(
        action.rule, action.cause, token, action.player, action.card, action.tapped
    )
    return (created, *_counters_entered(action, token))


def _counters_entered(action: Move | MakeToken, entered: ObjectId) -> tuple[CountersPut, ...]:
    """Return the counters with which a permanent enters (CR 122.6a, 614.1c, 306.5b)."""
    return tuple(
        CountersPut(
            "306.5b" if kind == "loyalty" else "614.1c", action.cause, entered, kind, amount
        )
        for kind, amount in action.counters
        if amount > 0
    )


def _move_event(game: Position, found: GameObject, action: Move, new_id: ObjectId) -> ObjectMoved:
    """Return the move with what may be open in the open and the rest sealed.

    The id of a hand's object and a card that not everybody knows are sealed; a slot of a library
    has an open id. What leaves a public zone is known to all wherever it goes.
    """
    state = game.state
    goes_hidden = action.to in (ZoneKind.HAND, ZoneKind.LIBRARY)
    stays_hidden = action.face_down and action.to not in (ZoneKind.HAND, ZoneKind.LIBRARY)
    is_turned = found.face_down and found.zone in (ZoneKind.BATTLEFIELD, ZoneKind.STACK)
    # A face-down permanent or spell is revealed as it leaves (CR 708.9).
    is_known = found.known_to == EVERYBODY or (is_turned and not stays_hidden)
    hides_id = found.zone == ZoneKind.HAND and not is_known
    hides_card = (goes_hidden or stays_hidden) and not is_known
    hides_new = action.to == ZoneKind.HAND and not is_known
    readers: tuple[PlayerId, ...] = ()
    secret: MovedCard | None = None
    if hides_id or hides_card:
        readers = _readers(state, found, action.to)
        secret = MovedCard(found.id, new_id, found.card)
    remembered = (
        game.last_known(found.id) if found.zone in (ZoneKind.BATTLEFIELD, ZoneKind.STACK) else None
    )
    return ObjectMoved(
        action.rule,
        action.cause,
        NOTHING if hides_id else found.id,
        found.zone,
        found.owner,
        action.to,
        found.owner,
        NOTHING if hides_new else new_id,
        UNKNOWN_CARD if hides_card else found.card,
        action.controller if action.controller >= 0 else found.owner,
        action.position,
        action.tapped,
        action.face_down,
        readers,
        secret,
        remembered,
        action.manner,
    )


def _readers(state: State, found: GameObject, to: ZoneKind) -> tuple[PlayerId, ...]:
    return tuple(
        PlayerId(seat)
        for seat in range(len(state.players))
        if found.known_to >> seat & 1 or (seat == found.owner and to == ZoneKind.HAND)
    )


def _drawn(game: Position, action: Draw, slot: Slot, _luck: Luck) -> tuple[AnyEvent, ...]:
    top = game.state.players[action.player].library[slot.ordinal]
    found = game.state.objects[top]
    move = Move(action.rule, action.cause, top, ZoneKind.HAND, manner="drawn")
    return (_move_event(game, found, move, ObjectId(slot.first_id)),)


def _shuffled(game: Position, action: Shuffle, slot: Slot, luck: Luck) -> tuple[AnyEvent, ...]:
    """Shuffle by the stream of chance; an arranged position may keep its order."""
    state = game.state
    library = state.players[action.player].library
    counter = (state.shuffles + slot.ordinal) * SHUFFLE_STRIDE
    if state.keeps_order:
        order = tuple(range(len(library)))
    else:
        order, _ = luck.permutation(len(library), counter)
    slots = tuple(SlotCard(state.objects[library[place]].card) for place in order)
    first = ObjectId(slot.first_id)
    return (LibraryShuffled(action.rule, action.cause, action.player, first, slots),)


def _renamed(game: Position, action: Rename, slot: Slot, luck: Luck) -> tuple[AnyEvent, ...]:
    """Give fresh ids: a library's stand in the order of its slots, a hand's in none.

    Else who is shown cards of the hand later could tell from their ids which was drawn first.
    """
    held = zone_of(game.state, action.zone, action.player)
    order: Sequence[int] = range(len(held))
    if action.zone == ZoneKind.HAND:
        order, _ = luck.permutation(len(held), RENAMING + slot.first_id * SHUFFLE_STRIDE)
    names = tuple(
        (old, ObjectId(slot.first_id + place)) for old, place in zip(held, order, strict=True)
    )
    return (
        ObjectsRenamed(
            action.rule, action.cause, action.player, action.zone, (action.player,), NewNames(names)
        ),
    )


def _arranged(_game: Position, action: Arrange, slot: Slot, _luck: Luck) -> tuple[AnyEvent, ...]:
    looked_at = (*action.top, *action.bottom)
    names = tuple((old, ObjectId(slot.first_id + place)) for place, old in enumerate(looked_at))
    return (
        LibraryArranged(
            action.rule,
            action.cause,
            action.player,
            len(looked_at),
            len(action.bottom),
            (action.player,),
            NewNames(names),
        ),
    )


def _revealed(game: Position, action: Reveal, _slot: Slot, _luck: Luck) -> tuple[AnyEvent, ...]:
    seen = tuple((item, game.state.objects[item].card) for item in action.objects)
    return (
        CardsRevealed(
            action.rule, action.cause, action.player, action.zone, action.readers, SeenCards(seen)
        ),
    )


def _filled(_game: Position, action: Occur, slot: Slot, _luck: Luck) -> tuple[AnyEvent, ...]:
    """Fill in the id or number that the event takes."""
    event = action.event
    if isinstance(event, AbilityActivated | TriggerPutOnStack) and event.object == TO_BE_NAMED:
        return (msgspec.structs.replace(event, object=ObjectId(slot.first_id)),)
    if isinstance(event, AbilityTriggered | EffectBegan | DelayedTriggerCreated):
        return (msgspec.structs.replace(event, number=slot.number),)
    return (event,)


_Emitter = Callable[[Position, Any, Slot, Luck], tuple[AnyEvent, ...]]
_Route = Callable[[State, Any], Owner]

_EMITTERS: dict[type[Action], _Emitter] = {
    Move: _moved,
    Draw: _drawn,
    Shuffle: _shuffled,
    Rename: _renamed,
    Arrange: _arranged,
    Reveal: _revealed,
    Occur: _filled,
    MakeToken: _token_made,
    Cease: lambda _g, a, _s, _l: (ObjectCeased(a.rule, a.cause, a.object),),
    Tap: lambda _g, a, _s, _l: (PermanentTapped(a.rule, a.cause, a.object),),
    Untap: lambda _g, a, _s, _l: (PermanentUntapped(a.rule, a.cause, a.object),),
    TurnUp: lambda g, a, _s, _l: (
        PermanentTurnedFaceUp(a.rule, a.cause, a.object, g.state.objects[a.object].card),
    ),
    TurnDown: lambda _g, a, _s, _l: (PermanentTurnedFaceDown(a.rule, a.cause, a.object),),
    AddCounters: lambda _g, a, _s, _l: (CountersPut(a.rule, a.cause, a.object, a.kind, a.amount),),
    TakeCounters: lambda _g, a, _s, _l: (
        CountersRemoved(a.rule, a.cause, a.object, a.kind, a.amount),
    ),
    Attach: lambda _g, a, _s, _l: (ObjectAttached(a.rule, a.cause, a.object, a.to, a.to_player),),
    Unattach: lambda _g, a, _s, _l: (ObjectUnattached(a.rule, a.cause, a.object),),
    Gain: lambda _g, a, _s, _l: (LifeGained(a.rule, a.cause, a.player, a.amount),),
    Lose: lambda _g, a, _s, _l: (LifeLost(a.rule, a.cause, a.player, a.amount),),
    Produce: lambda _g, a, _s, _l: (ManaAdded(a.rule, a.cause, a.player, a.source, a.mana),),
}

_ROUTES: dict[type[Action], _Route] = {
    Move: lambda state, a: zone_owner(a.to, state.objects[a.object].owner),
    Draw: lambda _s, a: (Role.HAND, a.player),
    Shuffle: lambda _s, a: (Role.LIBRARY, a.player),
    Rename: lambda _s, a: zone_owner(a.zone, a.player),
    Arrange: lambda _s, a: (Role.LIBRARY, a.player),
    Reveal: lambda _s, a: zone_owner(a.zone, a.player),
    Occur: lambda _s, a: owner_of(a.event),
    MakeToken: lambda _s, _a: BATTLEFIELD,
    Cease: lambda _s, _a: TABLE,
    Tap: lambda _s, _a: BATTLEFIELD,
    TurnUp: lambda _s, _a: BATTLEFIELD,
    TurnDown: lambda _s, _a: BATTLEFIELD,
    Untap: lambda _s, _a: BATTLEFIELD,
    AddCounters: lambda _s, _a: BATTLEFIELD,
    TakeCounters: lambda _s, _a: BATTLEFIELD,
    Attach: lambda _s, _a: BATTLEFIELD,
    Unattach: lambda _s, _a: BATTLEFIELD,
    Gain: lambda _s, a: player_owner(a.player),
    Lose: lambda _s, a: player_owner(a.player),
    Produce: lambda _s, a: player_owner(a.player),
}
