"""State-based actions (CR 704): what the game does by itself, all at once.

Each check returns the actions it asks for, with its rule. A creature that several checks find is
put into the graveyard once: the first of 704.5f, 704.5g, 704.5h counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.decisions import ChooseObjects
from ..events.game import PlayerLost
from ..events.ids import NOTHING, ObjectId, PlayerId, ZoneKind
from ..projections.state import GameObject, players_in_turn_order
from .actions import Action, Cease, DestroyPermanent, Move, TakeCounters, Unattach, occur
from .attaching import can_equip, is_attached_illegally
from .prompts import SelectObjects, prompt_fields
from .protocol import Procedure, ask_for

if TYPE_CHECKING:
    from ..projections.characteristics import Characteristics
    from ..projections.position import Position


def state_based_actions(game: Position) -> tuple[Action, ...]:
    """Return all state-based actions that are due and need no choice (CR 704.5)."""
    if game.state.winners is not None:
        return ()
    found: list[Action] = []
    found += _players_who_lose(game)
    found += _ceasing_tokens(game)
    for object_id in game.state.battlefield:
        found += _permanent_actions(game, object_id)
    found += _older_worlds(game)
    return tuple(found)


def _players_who_lose(game: Position) -> list[Action]:
    """704.5a-c: a player at 0 life, who drew from an empty library, or with ten poison counters."""
    found: list[Action] = []
    state = game.state
    for player in players_in_turn_order(state, state.turn.active):
        mine = state.players[player]
        if mine.has_lost:
            continue
        if mine.life <= 0:
            found.append(occur(PlayerLost("704.5a", 0, player, "life")))
        elif mine.has_failed_draw:
            found.append(occur(PlayerLost("704.5b", 0, player, "library")))
        elif mine.counters.get("poison", 0) >= game.edition.poison_to_lose:
            found.append(occur(PlayerLost("704.5c", 0, player, "poison")))
    return found


def _ceasing_tokens(game: Position) -> list[Action]:
    """704.5d: a token in a zone other than the battlefield ceases to exist."""
    state = game.state
    zones = [state.exile, *(mine.graveyard for mine in state.players)]
    zones += [mine.hand for mine in state.players] + [mine.library for mine in state.players]
    objects = state.objects
    return [
        Cease("704.5d", 0, item)
        for zone in zones
        for item in zone
        if item and item in objects and objects[item].is_token
    ]


def _older_worlds(game: Position) -> list[Action]:
    """704.5k: of several world permanents only the newest stays."""
    state = game.state
    worlds = [
        item for item in state.battlefield if "world" in game.characteristics(item).supertypes
    ]
    if len(worlds) < 2:
        return []
    newest = max(state.objects[item].timestamp for item in worlds)
    return [
        Move("704.5k", 0, item, ZoneKind.GRAVEYARD, manner="died")
        for item in worlds
        if state.objects[item].timestamp < newest
    ]


def _permanent_actions(game: Position, object_id: ObjectId) -> list[Action]:
    """Return what is due for one permanent, at most one thing that removes it."""
    found = game.state.objects[object_id]
    traits = game.characteristics(object_id)
    if "creature" in traits.types:
        gone = _creature_that_dies(game, found, traits)
        if gone is not None:
            return [gone]
    if "planeswalker" in traits.types and found.counters.get("loyalty", 0) <= 0:
        return [Move("704.5i", 0, object_id, ZoneKind.GRAVEYARD, manner="died")]
    if "enchantment" in traits.types and "Aura" in traits.subtypes:
        if is_attached_illegally(game, object_id):
            return [Move("704.5m", 0, object_id, ZoneKind.GRAVEYARD, manner="died")]
    elif _is_attached(found) and is_attached_illegally(game, object_id):
        rule = "704.5n" if can_equip(traits) else "704.5p"
        return [Unattach(rule, 0, object_id)]
    return _annihilating_counters(found)


def _creature_that_dies(
    game: Position, found: GameObject, traits: Characteristics
) -> Action | None:
    """704.5f-h: toughness 0 or less, lethal damage, or damage from a source with deathtouch."""
    toughness = traits.toughness or 0
    if toughness <= 0:
        return Move("704.5f", 0, found.id, ZoneKind.GRAVEYARD, manner="died")
    if found.damage >= toughness:
        return _destroyed("704.5g", found.id, traits)
    if found.id in game.state.deathtouched:
        return _destroyed("704.5h", found.id, traits)
    return None


def _destroyed(rule: str, object_id: ObjectId, traits: Characteristics) -> Action | None:
    return None if "indestructible" in traits.keywords else DestroyPermanent(rule, 0, object_id)


def _is_attached(found: GameObject) -> bool:
    return found.attached_to != NOTHING or found.attached_player >= 0


def _annihilating_counters(found: GameObject) -> list[Action]:
    """704.5q: as many +1/+1 as -1/-1 counters are removed in pairs."""
    pairs = min(found.counters.get("+1/+1", 0), found.counters.get("-1/-1", 0))
    if pairs <= 0:
        return []
    return [
        TakeCounters("704.5q", 0, found.id, "+1/+1", pairs),
        TakeCounters("704.5q", 0, found.id, "-1/-1", pairs),
    ]


def state_based_choices(game: Position) -> Procedure[tuple[Action, ...]]:
    """Ask which of several legendary permanents of one name a player keeps (CR 704.5j)."""
    actions: list[Action] = []
    for player, group in same_legends(game):
        prompt = SelectObjects(
            **prompt_fields(game, player, "704.5j"),
            kind="legend",
            text=f"Choose which {game.name_of(group[0])} you keep",
            candidates=group,
            minimum=1,
            maximum=1,
        )
        kept = (yield from ask_for(ChooseObjects, prompt)).objects
        actions += [
            Move("704.5j", 0, item, ZoneKind.GRAVEYARD, manner="died")
            for item in group
            if item not in kept
        ]
    return tuple(actions)


def same_legends(game: Position) -> list[tuple[PlayerId, tuple[ObjectId, ...]]]:
    """Return legendary permanents of one name and controller, in APNAP order (CR 704.5j)."""
    groups: dict[tuple[PlayerId, str], list[ObjectId]] = {}
    for item in game.state.battlefield:
        traits = game.characteristics(item)
        if "legendary" in traits.supertypes:
            groups.setdefault((traits.controller, traits.name), []).append(item)
    if all(len(group) == 1 for group in groups.values()):
        return []
    state = game.state
    return [
        (player, tuple(group))
        for player in players_in_turn_order(state, state.turn.active)
        for (controller, _), group in groups.items()
        if controller == player and len(group) > 1
    ]
