"""Spells, abilities and effects, folded (CR 405, 601-608, 611)."""

from __future__ import annotations

from typing import assert_never

from ..events.ids import NOTHING, UNKNOWN_CARD, ObjectId, PlayerId, ZoneKind
from ..events.stack import (
    AbilityActivated,
    AbilityTriggered,
    DelayedTriggerCreated,
    EffectBegan,
    EffectEnded,
    LandPlayed,
    ObjectCountered,
    ObjectResolved,
    SpellCast,
    StackEvent,
    TriggerPutOnStack,
    TriggerRemoved,
)
from .life import forget_deathtouch
from .state import ContinuousEffect, DelayedTrigger, GameObject, PendingTrigger, StackItem, State
from .trail import Trail
from .turn import give_priority, restart_passes, somebody_acted
from .zones import put_on_stack, take_ids, take_out, take_timestamp


def fold_stack(trail: Trail, event: StackEvent) -> None:
    """Apply what happened to spells, abilities and effects."""
    state = trail.state
    match event:
        case AbilityActivated():
            _ability_activated(trail, event)
        case ObjectResolved():
            trail.set(state.turn, "resolved", state.turn.resolved + 1)
            _left_stack(trail, event.object)
        case ObjectCountered():
            _left_stack(trail, event.object)
        case SpellCast():
            _spell_cast(trail, event)
        case LandPlayed():
            player = state.players[event.player]
            forget_deathtouch(trail)
            trail.set(player, "lands_played", player.lands_played + 1)
            somebody_acted(trail)
            give_priority(trail, event.player)
        case AbilityTriggered():
            _ability_triggered(trail, event)
        case TriggerPutOnStack():
            _trigger_put_on_stack(trail, event)
        case TriggerRemoved():
            trail.remove(state.pending, _pending(state, event.number))
        case EffectBegan():
            _effect_began(trail, event)
        case EffectEnded():
            lasting = [effect for effect in state.effects if effect.number != event.number]
            trail.refill(state.effects, lasting)
        case DelayedTriggerCreated():
            _take_number(trail, event.number)
            delayed = DelayedTrigger(
                event.number, event.source, event.player, event.ability, event.objects
            )
            trail.append(state.delayed, delayed)
        case _:
            assert_never(event)


def _spell_cast(trail: Trail, event: SpellCast) -> None:
    state = trail.state
    forget_deathtouch(trail)
    item = StackItem(
        source=event.object,
        targets=event.targets,
        modes=event.modes,
        x=event.x,
        is_cast=True,
        caused_by=state.next_sequence + 1,
    )
    trail.put(state.items, event.object, item)
    somebody_acted(trail)
    give_priority(trail, event.player)


def _ability_activated(trail: Trail, event: AbilityActivated) -> None:
    """Put an activated ability on the stack; a mana ability does not use it (CR 605.3b).

    It is an action all the same: players have to pass in succession after it (CR 117.4).
    """
    state = trail.state
    trail.append(state.turn.activations, (event.source, event.ability))
    if event.object == NOTHING:
        restart_passes(trail)
        return
    forget_deathtouch(trail)
    item = StackItem(
        source=event.source,
        ability=event.ability,
        targets=event.targets,
        modes=event.modes,
        x=event.x,
        caused_by=state.next_sequence + 1,
    )
    _put_ability(trail, event.object, event.player, item)
    somebody_acted(trail)
    give_priority(trail, event.player)


def _put_ability(trail: Trail, name: ObjectId, player: PlayerId, item: StackItem) -> None:
    """Put an ability on the stack: its controller is also its owner, in effect (CR 113.7a)."""
    state = trail.state
    take_ids(trail, 1)
    ability = GameObject(
        id=name,
        card=UNKNOWN_CARD,
        owner=player,
        controller=player,
        zone=ZoneKind.STACK,
        since_turn=state.turn.number,
    )
    put_on_stack(trail, ability, item)


def _left_stack(trail: Trail, name: ObjectId) -> None:
    """Let an ability cease to exist (CR 608.2n); a spell leaves by a move of its own."""
    state = trail.state
    item = state.items.get(name)
    if item is not None and item.ability:
        take_out(trail, name)
    give_priority(trail, state.turn.active)


def _ability_triggered(trail: Trail, event: AbilityTriggered) -> None:
    """Let a triggered ability wait; a delayed one triggers once (CR 603.7b)."""
    state = trail.state
    _take_number(trail, event.number)
    trigger = PendingTrigger(
        number=event.number,
        source=event.source,
        player=event.player,
        ability=event.ability,
        about=event.about,
        about_player=event.about_player,
        amount=event.amount,
        sequence=state.next_sequence,
    )
    trail.append(state.pending, trigger)
    if event.delayed:
        waiting = [delayed for delayed in state.delayed if delayed.number != event.delayed]
        trail.refill(state.delayed, waiting)


def _trigger_put_on_stack(trail: Trail, event: TriggerPutOnStack) -> None:
    state = trail.state
    trigger = _pending(state, event.number)
    trail.remove(state.pending, trigger)
    item = StackItem(
        source=trigger.source,
        ability=trigger.ability,
        targets=event.targets,
        modes=event.modes,
        about=trigger.about,
        about_player=trigger.about_player,
        amount=trigger.amount,
        caused_by=trigger.sequence + 1,
    )
    _put_ability(trail, event.object, trigger.player, item)
    restart_passes(trail)


def _pending(state: State, number: int) -> PendingTrigger:
    for trigger in state.pending:
        if trigger.number == number:
            return trigger
    msg = f"no triggered ability number {number} waits to be put on the stack"
    raise AssertionError(msg)


def _effect_began(trail: Trail, event: EffectBegan) -> None:
    state = trail.state
    _take_number(trail, event.number)
    effect = ContinuousEffect(
        number=event.number,
        source=event.source,
        player=event.player,
        timestamp=take_timestamp(trail),
        objects=event.objects,
        modifications=event.modifications,
        duration=event.duration,
        began_turn=state.turn.number,
    )
    trail.append(state.effects, effect)


def _take_number(trail: Trail, number: int) -> None:
    trail.set(trail.state, "next_number", number + 1)
