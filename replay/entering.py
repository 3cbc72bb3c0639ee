"""What changed how a permanent entered the battlefield (CR 614.1c), read again off the position."""

from __future__ import annotations

from ..events.catalog import AnyEvent
from ..events.ids import NOTHING, ObjectId, ZoneKind
from ..events.zones import CountersPut, MovedCard, ObjectMoved, TokenCreated
from ..projections.position import Position
from ..rules.actions import MakeToken, Move
from ..rules.replacement import Applicable, Entering, applicable_to_entering, printed_of
from .ability_words import ability_text


def entering_text(
    before: Position, group: tuple[AnyEvent, ...], event: AnyEvent
) -> tuple[str, ...]:
    """Return the abilities by which the permanent of an event entered tapped or with counters.

    `before` is the position before the event's group.
    """
    action = _entering(_entry_of(group, event))
    if action is None:
        return ()
    if isinstance(action, Move) and not before.state.objects.get(action.object):
        return ()
    return tuple(
        f"“{_text(before, action, effect)}” applies as it enters"
        for effect in applicable_to_entering(before, action)
        if _concerns(effect, event)
    )


def _entry_of(group: tuple[AnyEvent, ...], event: AnyEvent) -> AnyEvent | None:
    """Return the event by which the permanent that an event is about came."""
    if not isinstance(event, CountersPut):
        return event
    for one in group:
        entered = one.becomes if isinstance(one, ObjectMoved) else getattr(one, "object", NOTHING)
        if isinstance(one, ObjectMoved | TokenCreated) and entered == event.object:
            return one
    return None


def _entering(event: AnyEvent | None) -> Entering | None:
    """Return the action that an entering permanent's event came of, as it was proposed."""
    match event:
        case TokenCreated(rule=rule, cause=cause, owner=owner, card=card):
            return MakeToken(rule, cause, owner, card)
        case ObjectMoved(destination=ZoneKind.BATTLEFIELD):
            secret = event.secret
            moved = event.object or (
                secret.object if isinstance(secret, MovedCard) else ObjectId(NOTHING)
            )
            return Move(
                event.rule, event.cause, moved, event.destination, controller=event.controller
            )
        case _:
            return None


def _concerns(effect: Applicable, event: AnyEvent) -> bool:
    if isinstance(event, CountersPut):
        return any(kind == event.kind for kind, _ in effect.ability.counters)
    return effect.ability.tapped and bool(getattr(event, "tapped", False))


def _text(game: Position, action: Entering, effect: Applicable) -> str:
    own = effect.source == NOTHING or (isinstance(action, Move) and effect.source == action.object)
    traits = printed_of(game, action) if own else game.characteristics(effect.source)
    return ability_text(traits, effect.ability)
