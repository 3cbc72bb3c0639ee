"""A game begins, players keep hands, lose, leave and win, folded (CR 103, 104, 800.4)."""

from __future__ import annotations

from typing import assert_never

import msgspec

from ..events.game import (
    ChoiceMade,
    GameBegan,
    GameEnded,
    GameEvent,
    HandKept,
    MulliganDeclared,
    MulliganTaken,
    OpeningHandsDone,
    PlacedObject,
    PlayerLeft,
    PlayerLost,
    PositionArranged,
    StartingPlayerChosen,
)
from ..events.ids import (
    NOBODY,
    NOTHING,
    UNKNOWN_CARD,
    ObjectId,
    PlayerId,
    Step,
    ZoneKind,
)
from ..events.zones import SlotCard
from .mana import sorted_mana
from .redaction import as_seen
from .state import EVERYBODY, GameObject, Player, StackItem, players_in_turn_order
from .trail import Trail
from .zones import place, put_on_stack, take_ids, take_out, take_timestamp


def fold_game(trail: Trail, event: GameEvent) -> None:
    """Apply a game's beginning and end, and what players are in it."""
    state = trail.state
    match event:
        case GameBegan():
            _game_began(trail, event)
        case PositionArranged():
            _position_arranged(trail, event)
        case StartingPlayerChosen():
            trail.set(state, "starting_player", event.player)
        case MulliganDeclared():
            trail.set(state.players[event.player], "has_declared_mulligan", True)
        case MulliganTaken():
            player = state.players[event.player]
            trail.set(player, "mulligans", player.mulligans + 1)
            trail.set(player, "has_declared_mulligan", False)
        case HandKept():
            trail.set(state.players[event.player], "has_kept", True)
        case OpeningHandsDone():
            trail.set(state, "opening_done", True)
        case ChoiceMade():
            pass  # what comes of a choice are events of their own
        case PlayerLost():
            trail.set(state.players[event.player], "has_lost", True)
            trail.set(state.players[event.player], "lost_reason", event.reason)
        case PlayerLeft():
            _player_left(trail, event)
        case GameEnded():
            trail.set(state, "winners", event.winners)
            trail.set(state, "end_reason", event.reason)
        case _:
            assert_never(event)


def _game_began(trail: Trail, event: GameBegan) -> None:
    """Build players and libraries; the cards of a deck are known to its player until shuffled."""
    state = trail.state
    trail.set(state, "edition", event.edition)
    trail.set(state, "variant", event.variant)
    trail.set(state, "format", event.format)
    trail.refill(state.players, [Player(seat.name, seat.life) for seat in event.players])
    trail.refill(state.decision_counters, [0] * len(event.players))
    for index, slot in enumerate(event.deck_slots):
        owner = event.slot_reader(index)
        item = GameObject(
            id=ObjectId(state.next_id + index),
            card=slot.card if isinstance(slot, SlotCard) else UNKNOWN_CARD,
            owner=owner,
            controller=owner,
            zone=ZoneKind.LIBRARY,
            known_to=as_seen(state, 1 << owner),
        )
        place(trail, item)
    take_ids(trail, len(event.deck_slots))


def _position_arranged(trail: Trail, event: PositionArranged) -> None:
    """Set up the middle of a game, in which the active player has priority.

    Without a step it is the opening: the hands are opening hands, and mulligans come (CR 103.5).
    """
    state, turn = trail.state, trail.state.turn
    trail.set(state, "edition", event.edition)
    trail.set(state, "variant", event.variant)
    trail.set(state, "is_arranged", True)
    trail.set(state, "keeps_order", event.keep_order)
    trail.set(state, "opening_done", event.step != Step.NONE)
    trail.set(state, "starting_player", PlayerId(0))
    players = [
        Player(
            seat.name,
            seat.life,
            pool=sorted_mana(seat.pool),
            counters=dict(seat.counters),
            any_mana=seat.any_mana,
        )
        for seat in event.players
    ]
    trail.refill(state.players, players)
    trail.refill(state.decision_counters, [0] * len(players))
    trail.set(turn, "number", event.turn)
    trail.set(turn, "active", event.active)
    trail.set(turn, "step", event.step)
    trail.set(turn, "holder", event.active)
    trail.set(turn, "passes", 0)
    trail.set(turn, "actions_done", False)
    trail.set(players[event.active], "last_turn", event.turn)
    first = state.next_id
    hidden = iter(event.hidden)
    for index, given in enumerate(event.objects):
        placed = given if given.card else _with_card(given, next(hidden, None))
        attached_to = first + placed.attached - 1 if placed.attached else NOTHING
        _arrange(trail, placed, ObjectId(first + index), ObjectId(attached_to))
    take_ids(trail, len(event.objects))


def _with_card(placed: PlacedObject, slot: SlotCard | bytes | None) -> PlacedObject:
    """Return an arranged object with its card where that may be known."""
    card = slot.card if isinstance(slot, SlotCard) else UNKNOWN_CARD
    return msgspec.structs.replace(placed, card=card)


def _arrange(trail: Trail, placed: PlacedObject, name: ObjectId, attached_to: ObjectId) -> None:
    """Put one object where the arrangement has it; what a view's seat cannot see stays blank."""
    state = trail.state
    known_to = as_seen(state, _known_arranged(placed))
    is_unseen = state.viewer != NOBODY and not known_to
    if is_unseen and placed.zone == ZoneKind.HAND:
        trail.append(state.players[placed.owner].hand, NOTHING)
        return
    item = GameObject(
        id=name,
        card=UNKNOWN_CARD if is_unseen else placed.card,
        owner=placed.owner,
        controller=placed.controller,
        zone=placed.zone,
        tapped=placed.tapped,
        face_down=placed.face_down,
        is_token=placed.is_token,
        counters=dict(placed.counters),
        attached_to=attached_to,
        attached_player=placed.attached_player,
        since_turn=state.turn.number if placed.sick else -1,
        known_to=known_to,
    )
    if placed.zone == ZoneKind.STACK:
        put_on_stack(trail, item, StackItem(source=name, is_cast=True))
        return
    if placed.zone == ZoneKind.BATTLEFIELD:
        item.timestamp = take_timestamp(trail)
    place(trail, item)


def _known_arranged(placed: PlacedObject) -> int:
    """Return who knows an arranged object: a hand its owner, a library nobody (CR 400.2)."""
    if placed.zone == ZoneKind.LIBRARY:
        return 0
    if placed.zone == ZoneKind.HAND:
        return 1 << placed.owner
    return 1 << placed.controller if placed.face_down else EVERYBODY


def _player_left(trail: Trail, event: PlayerLeft) -> None:
    """Take all that a player owns out of the game, and their abilities (CR 800.4a).

    The abilities are found as objects on the stack whose owner is the player who controls them.
    """
    state, player = trail.state, event.player
    _pass_on_priority(trail, player)
    for name, known in event.last_known:
        trail.put(state.last_known, name, known)
    leaver = state.players[player]
    trail.set(leaver, "has_left", True)
    if state.offer is not None:
        trail.set(state, "offer", None)
    if leaver.standing:
        trail.set(leaver, "standing", 0)
    for name in sorted(state.objects):
        if state.objects[name].owner == player:
            take_out(trail, name)
    trail.refill(leaver.hand, [])
    pending = [trigger for trigger in state.pending if trigger.player != player]
    trail.refill(state.pending, pending)
    delayed = [trigger for trigger in state.delayed if trigger.player != player]
    trail.refill(state.delayed, delayed)


def _pass_on_priority(trail: Trail, player: PlayerId) -> None:
    """Give a leaving player's priority to the next, and forget that they passed (CR 800.4a).

    The players who passed in succession are those right before the holder in turn order. Though
    all others have passed, the next one gets priority that a leaving player had. Where nobody had
    it, something is being resolved, and goes on.
    """
    turn = trail.state.turn
    if turn.holder == NOBODY:
        return
    order = players_in_turn_order(trail.state, turn.holder)
    remaining = len(order) - 1
    if turn.passes and player in order[len(order) - turn.passes :]:
        trail.set(turn, "passes", turn.passes - 1)
    elif turn.holder == player and turn.passes >= remaining:
        trail.set(turn, "passes", max(0, remaining - 1))
    if turn.holder == player:
        trail.set(turn, "holder", order[1] if len(order) > 1 else NOBODY)
