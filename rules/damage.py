"""Damage: what it becomes, and what comes of it (CR 120)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.life import DamageDealt
from ..projections.filters import owner_of
from .actions import Action, AddCounters, DealDamageTo, Gain, Lose, TakeCounters, occur
from .protection import has_protection_from

if TYPE_CHECKING:
    from ..projections.characteristics import Characteristics
    from ..projections.position import Position

DAMAGED_TYPES = ("creature", "planeswalker", "battle")
"""The permanents that damage can be dealt to (CR 120.1a)."""


def damage_results(game: Position, actions: tuple[DealDamageTo, ...]) -> tuple[Action, ...]:
    """Return what happens where damage would be dealt at the same time (CR 120.3, 120.4).

    First all the damage, then its results: what is lost, put, removed and gained. Damage that is
    prevented, 0, or dealt to nothing that can be damaged is not there at all (120.1a, 120.8).
    """
    dealt = tuple(action for action in actions if is_dealt(game, action))
    damage = [_damage_dealt(game, action) for action in dealt]
    results = [result for action in dealt for result in _results(game, action)]
    return (*damage, *_limited(game, results), *_gained_by_lifelink(game, dealt))


def is_dealt(game: Position, action: DealDamageTo) -> bool:
    """Say whether damage is dealt: over 0, to what it can be, not prevented (120.8, 702.16e)."""
    if action.amount <= 0:
        return False
    if not action.to:
        return not game.state.players[action.to_player].has_left
    if not game.is_in(action.to, ZoneKind.BATTLEFIELD):
        return False
    types = game.characteristics(action.to).types
    if not any(name in types for name in DAMAGED_TYPES):
        return False
    return not has_protection_from(game, action.to, action.source)


def _damage_dealt(game: Position, action: DealDamageTo) -> Action:
    keywords = game.characteristics(action.source).keywords
    is_creature = bool(action.to) and game.characteristics(action.to).is_creature
    return occur(
        DamageDealt(
            action.rule,
            action.cause,
            action.source,
            action.to,
            action.to_player,
            action.amount,
            action.is_combat,
            is_deathtouch=is_creature and "deathtouch" in keywords,
            is_marked=is_creature and not keywords & {"wither", "infect"},
        )
    )


def _results(game: Position, action: DealDamageTo) -> list[Action]:
    """Return the results of one source's damage to one recipient (CR 120.3), but lifelink's."""
    source = game.characteristics(action.source)
    if action.to:
        return _results_for_permanent(game, action, source)
    return _results_for_player(action, source)


def _gained_by_lifelink(game: Position, dealt: tuple[DealDamageTo, ...]) -> list[Action]:
    """Return the life that sources with lifelink cause to be gained (CR 120.3f).

    Each source causes one gain, of all the damage it deals at that time (702.15e).
    """
    found: list[Action] = []
    for source in dict.fromkeys(action.source for action in dealt):
        traits = game.characteristics(source)
        player = _controller(game, source, traits)
        if "lifelink" in traits.keywords and player >= 0:
            mine = [action for action in dealt if action.source == source]
            amount = sum(action.amount for action in mine)
            found.append(Gain("120.3f", mine[0].cause, player, amount))
    return found


def _controller(game: Position, source: ObjectId, traits: Characteristics) -> PlayerId:
    """Return the source's controller, or its owner if it has none (CR 702.15b)."""
    return traits.controller if traits.controller >= 0 else owner_of(game, source)


def _results_for_player(action: DealDamageTo, source: Characteristics) -> list[Action]:
    """Return the life that a player loses (CR 120.3a).

    A source with infect makes no player lose life (120.3b).
    """
    if "infect" in source.keywords:
        return []
    return [Lose("120.3a", action.cause, action.to_player, action.amount)]


def _results_for_permanent(
    game: Position, action: DealDamageTo, source: Characteristics
) -> list[Action]:
    """Return the counters that damage puts on a permanent or takes from it (CR 120.3c, d, h)."""
    types = game.characteristics(action.to).types
    found: list[Action] = []
    if "planeswalker" in types:
        found.append(TakeCounters("120.3c", action.cause, action.to, "loyalty", action.amount))
    if "battle" in types:
        found.append(TakeCounters("120.3h", action.cause, action.to, "defense", action.amount))
    if "creature" in types and source.keywords & {"wither", "infect"}:
        found.append(AddCounters("120.3d", action.cause, action.to, "-1/-1", action.amount))
    return found


def _limited(game: Position, results: list[Action]) -> list[Action]:
    """Take from each permanent no more counters than it has (CR 122.1)."""
    found: list[Action] = []
    left: dict[tuple[ObjectId, str], int] = {}
    for action in results:
        if not isinstance(action, TakeCounters):
            found.append(action)
            continue
        key = (action.object, action.kind)
        if key not in left:
            left[key] = game.state.objects[action.object].counters.get(action.kind, 0)
        amount = min(action.amount, left[key])
        left[key] -= amount
        if amount:
            found.append(msgspec.structs.replace(action, amount=amount))
    return found


def lethal_damage(game: Position, creature: ObjectId) -> int:
    """Return how much more damage is lethal to a creature (CR 120.6, 702.19b); at least 0."""
    toughness = game.characteristics(creature).toughness or 0
    return max(0, toughness - game.state.objects[creature].damage)
