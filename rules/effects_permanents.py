"""Effects on permanents where they are: tapping, counters, attaching, lasting effects (611.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..cards.check import nodes_of
from ..cards.model import (
    Attach,
    AttachedTo,
    ChangeControl,
    Continuously,
    Earlier,
    EventObject,
    EventPlayer,
    Every,
    GrantAbility,
    Modification,
    ModifyPowerToughness,
    Number,
    PutCounters,
    RemoveCounters,
    RuleChange,
    SetPowerToughness,
    StaticAbility,
    TapObjects,
    Target,
    This,
    UntapObjects,
    You,
)
from ..events.ids import ObjectId, PlayerId
from ..events.stack import EffectBegan
from ..projections.context import Context
from ..projections.filters import amount_of, change_of
from .actions import TO_BE_NUMBERED, Action, AddCounters, Occur, TakeCounters, Tap, Untap, occur
from .actions import Attach as AttachTo
from .attaching import can_be_attached
from .durations import WHILE_SOURCE_REMAINS, is_held
from .effects_base import existing, number_of, objects_meant, on_battlefield, players_meant
from .protocol import Procedure, perform

if TYPE_CHECKING:
    from ..projections.position import Position

_CHOSEN = (Target, Earlier, EventObject, EventPlayer, This, AttachedTo)

LARGEST_NUMBER = 10**15
"""A locked number's bound: thousands of them together still fit 64 bits."""


def tap_objects(
    game: Position, effect: TapObjects, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Tap permanents that are untapped (CR 701.21a)."""
    found = yield from objects_meant(game, effect.what, context)
    permanents = on_battlefield(game, found)
    yield from perform(
        *(
            Tap("701.21a", context.cause, item)
            for item in permanents
            if not game.state.objects[item].tapped
        )
    )
    return permanents


def untap_objects(
    game: Position, effect: UntapObjects, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Untap permanents that are tapped (CR 701.21b)."""
    found = yield from objects_meant(game, effect.what, context)
    permanents = on_battlefield(game, found)
    yield from perform(
        *(
            Untap("701.21b", context.cause, item)
            for item in permanents
            if game.state.objects[item].tapped
        )
    )
    return permanents


def put_counters(
    game: Position, effect: PutCounters, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Put counters on objects (CR 122.6)."""
    found = yield from objects_meant(game, effect.what, context)
    there = existing(game, effect.what, found, context)
    amount = number_of(game, effect.amount, context)
    if amount:
        yield from perform(
            *(AddCounters("122.6", context.cause, item, effect.kind, amount) for item in there)
        )
    return there


def remove_counters(
    game: Position, effect: RemoveCounters, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Remove counters from objects, as many as there are (CR 122.1, 101.3)."""
    found = yield from objects_meant(game, effect.what, context)
    there = existing(game, effect.what, found, context)
    amount = number_of(game, effect.amount, context)
    yield from perform(
        *(
            TakeCounters("122.1", context.cause, item, effect.kind, taken)
            for item in there
            if (taken := min(amount, game.state.objects[item].counters.get(effect.kind, 0)))
        )
    )
    return there


def attach(game: Position, effect: Attach, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Attach a permanent to another object, unless it can't be or is already (CR 701.3)."""
    found = yield from objects_meant(game, effect.what, context)
    to = yield from objects_meant(game, effect.to, context)
    permanents = on_battlefield(game, found)[:1]
    hosts = on_battlefield(game, to)[:1]
    if not permanents or not hosts or not can_be_attached(game, permanents[0], hosts[0]):
        return ()
    if game.state.objects[permanents[0]].attached_to != hosts[0]:
        yield from perform(AttachTo("701.3a", context.cause, permanents[0], hosts[0]))
    return permanents


def continuously(
    game: Position, effect: Continuously, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Begin a continuous effect: its objects and numbers are locked now (CR 611.2c, 611.2d).

    A change of control goes to one player, named as the effect's own "you".
    """
    if is_unlocked(effect):
        yield from perform(_begin_unlocked(effect, context))
        return ()
    if effect.duration == WHILE_SOURCE_REMAINS and not is_held(game, context.source, context.you):
        return ()  # its duration is over before it starts (611.2b)
    found = yield from objects_meant(game, effect.what, context)
    there = existing(game, effect.what, found, context)
    if not there:
        return ()
    control = [part for part in effect.modifications if isinstance(part, ChangeControl)]
    others = tuple(
        _locked(game, part, context)
        for part in effect.modifications
        if not isinstance(part, ChangeControl)
    )
    actions: list[Action] = []
    for part in control:
        for player in players_meant(game, part.to, context)[:1]:
            lasting: tuple[Modification, ...] = (ChangeControl(You()),)
            actions.append(_begin(effect, context, there, player, lasting))
    if others:
        sets = _apart(there) if effect.duration == "next-untap-step" else (there,)
        actions += [_begin(effect, context, objects, context.you, others) for objects in sets]
    yield from perform(*actions)
    return there


def _apart(objects: tuple[ObjectId, ...]) -> tuple[tuple[ObjectId, ...], ...]:
    """Return each object by itself: the effect ends in its own controller's untap step."""
    return tuple((item,) for item in objects)


def is_unlocked(effect: Continuously) -> bool:
    """Say whether an effect changes rules for whatever its description fits later (CR 611.2c).

    What it describes must follow from the effect alone: nothing chosen, and no untap step to find.
    """
    return (
        isinstance(effect.what, Every)
        and effect.duration != "next-untap-step"
        and all(isinstance(part, RuleChange) for part in effect.modifications)
        and not any(isinstance(node, _CHOSEN) for node in nodes_of(effect.what))
    )


def _begin_unlocked(effect: Continuously, context: Context) -> Occur:
    """Return the beginning of an effect without a locked set: as a static ability says it."""
    ability = StaticAbility(effect.what, effect.modifications)
    return _begin(effect, context, (), context.you, (GrantAbility((ability,)),))


def _begin(
    effect: Continuously,
    context: Context,
    objects: tuple[ObjectId, ...],
    player: PlayerId,
    modifications: tuple[Modification, ...],
) -> Occur:
    return occur(
        EffectBegan(
            "611.2",
            context.cause,
            TO_BE_NUMBERED,
            context.source,
            player,
            objects,
            msgspec.msgpack.encode(modifications),
            effect.duration,
        )
    )


def _locked(game: Position, part: Modification, context: Context) -> Modification:
    """Return a modification with its numbers determined (CR 611.2d).

    What is added is counted from 0; a power that is set may be below it (107.1b).
    """
    match part:
        case ModifyPowerToughness(power, toughness):
            return ModifyPowerToughness(
                _fixed(change_of(game, power, context)), _fixed(change_of(game, toughness, context))
            )
        case SetPowerToughness(power=power, toughness=toughness):
            return SetPowerToughness(
                power if power is None else _fixed(amount_of(game, power, context)),
                toughness if toughness is None else _fixed(amount_of(game, toughness, context)),
                defining=part.defining,
            )
        case _:
            return part


def _fixed(number: int) -> Number:
    """Return a number for the log; what doubles for ever stops where it can still be written."""
    return Number(max(-LARGEST_NUMBER, min(number, LARGEST_NUMBER)))
