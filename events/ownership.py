"""Who owns what an event is about: only the owner emits it (routing and the Recorder's check)."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from . import combat, game, life, mana, stack, taking_back, turn, zones
from .base import Event
from .catalog import AnyEvent
from .ids import OWNED_ZONES, PlayerId, ZoneKind


class Role(IntEnum):
    """The kinds of owners. The zones' numbers are those of `ZoneKind`."""

    LIBRARY = 1
    HAND = 2
    BATTLEFIELD = 3
    GRAVEYARD = 4
    STACK = 5
    EXILE = 6
    COMMAND = 7
    TABLE = 10
    PLAYER = 11


Owner = tuple[Role, int]
"""A role and, where each player has such an owner, the player; else -1."""

TABLE: Owner = (Role.TABLE, -1)
STACK: Owner = (Role.STACK, -1)
BATTLEFIELD: Owner = (Role.BATTLEFIELD, -1)


def zone_owner(kind: ZoneKind, player: PlayerId) -> Owner:
    """Return the owner of a zone: one a player for library, hand and graveyard (CR 400.1)."""
    return (Role(int(kind)), player if kind in OWNED_ZONES else -1)


def player_owner(player: PlayerId) -> Owner:
    """Return the owner of what is a player's own: life, pool, counters, answers."""
    return (Role.PLAYER, player)


def owner_of(event: AnyEvent) -> Owner:
    """Return who may emit an event. A move belongs to its destination, which gives the id."""
    return _OWNERS[type(event)](event)


def _of_damage(event: life.DamageDealt) -> Owner:
    return BATTLEFIELD if event.to else player_owner(event.to_player)


def _of_activation(event: stack.AbilityActivated) -> Owner:
    return STACK if event.object else player_owner(event.player)


def _always(owner: Owner) -> Callable[[Any], Owner]:
    return lambda _event: owner


def _of_player(event: Any) -> Owner:  # noqa: ANN401 -- every event with a `player` field
    return (Role.PLAYER, event.player)


_OWNERS: dict[type[Event], Callable[[Any], Owner]] = {
    zones.ObjectMoved: lambda event: zone_owner(event.destination, event.player),
    zones.LibraryShuffled: lambda event: (Role.LIBRARY, event.player),
    zones.LibraryArranged: lambda event: (Role.LIBRARY, event.player),
    zones.ObjectsRenamed: lambda event: zone_owner(event.zone, event.player),
    zones.CardsRevealed: lambda event: zone_owner(event.zone, event.player),
    **dict.fromkeys(
        (
            zones.TokenCreated,
            zones.PermanentTapped,
            zones.PermanentUntapped,
            zones.CountersPut,
            zones.CountersRemoved,
            zones.ObjectAttached,
            zones.ObjectUnattached,
            zones.ControlGained,
            zones.PermanentTurnedFaceUp,
            zones.PermanentTurnedFaceDown,
        ),
        _always(BATTLEFIELD),
    ),
    **dict.fromkeys(
        (
            zones.ObjectCeased,
            turn.TurnBegan,
            turn.StepBegan,
            turn.TurnEffectsEnded,
            turn.TurnActionsDone,
            combat.AttackersDeclared,
            combat.BlockersDeclared,
            combat.RemovedFromCombat,
            combat.FirstStrikersDetermined,
            stack.AbilityTriggered,
            stack.TriggerRemoved,
            stack.EffectBegan,
            stack.EffectEnded,
            stack.DelayedTriggerCreated,
            game.GameBegan,
            game.StartingPlayerChosen,
            game.OpeningHandsDone,
            game.PlayerLost,
            game.PlayerLeft,
            game.GameEnded,
            game.PositionArranged,
            taking_back.JudgeNamed,
            taking_back.RepairOffered,
            taking_back.TakenBack,
            taking_back.RepairMade,
            taking_back.TailLost,
        ),
        _always(TABLE),
    ),
    **dict.fromkeys(
        (
            turn.PriorityPassed,
            turn.StandingPassRevoked,
            life.LifeGained,
            life.LifeLost,
            life.DrawFailed,
            mana.ManaAdded,
            mana.ManaSpent,
            stack.LandPlayed,
            game.MulliganTaken,
            game.MulliganDeclared,
            game.HandKept,
            game.ChoiceMade,
            taking_back.TakeBackOffered,
            taking_back.ConsentGiven,
            taking_back.ConsentRefused,
            taking_back.LifeCorrected,
        ),
        _of_player,
    ),
    **dict.fromkeys(
        (
            stack.SpellCast,
            stack.TriggerPutOnStack,
            stack.ObjectResolved,
            stack.ObjectCountered,
        ),
        _always(STACK),
    ),
    life.DamageDealt: _of_damage,
    stack.AbilityActivated: _of_activation,
}
