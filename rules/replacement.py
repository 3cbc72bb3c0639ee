"""Replacement and prevention: what proposed actions become before they happen (CR 614-616).

Works on proposed actions, for each affected object or player in APNAP order; each effect applies
once to an event (614.5). Where several apply, the affected object's controller or the affected
player chooses which is first (616.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..cards.model import EntersWith
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.life import DrawFailed
from ..projections.context import Context
from ..projections.filters import amount_of, fits, holds
from .actions import Action, DealDamageTo, DestroyPermanent, Draw, MakeToken, Move, occur
from .damage import damage_results
from .possible import possible
from .prompts import SelectOption, prompt_fields
from .protocol import Procedure, ask

if TYPE_CHECKING:
    from ..projections.position import Position

REPLACEABLE = (DealDamageTo, DestroyPermanent, Draw, MakeToken)
"""Kinds of action that always pass through here; a `Move` does when it is to the battlefield."""


class Applicable(msgspec.Struct, frozen=True):
    """A replacement effect that would apply to an entering permanent: its source and ability."""

    source: ObjectId
    you: PlayerId
    ability: EntersWith


def needs_replacement(actions: tuple[Action, ...]) -> bool:
    """Say whether one of the actions is of a kind that effects or rules may change."""
    return any(
        isinstance(action, REPLACEABLE)
        or (isinstance(action, Move) and action.to == ZoneKind.BATTLEFIELD)
        for action in actions
    )


def replaced(game: Position, actions: tuple[Action, ...]) -> Procedure[tuple[Action, ...]]:
    """Return what the actions become: replaced, prevented, or as they were.

    What can't happen is not replaced (CR 614.7).
    """
    result: list[Action] = []
    damage: list[DealDamageTo] = []
    drawn: dict[PlayerId, int] = {}
    for action in possible(game.state, actions):
        match action:
            case DealDamageTo():
                damage.append(action)
            case DestroyPermanent():
                result += _destroyed(game, action)
            case Draw(player=player):
                already = drawn.get(player, 0)
                drawn[player] = already + 1
                result.append(_drawn(game, action, already))
            case Move(to=ZoneKind.BATTLEFIELD):
                result.append((yield from _entering(game, action)))
            case _:
                result.append(action)
    if damage:
        result += damage_results(game, tuple(damage))
    return tuple(result)


def _destroyed(game: Position, action: DestroyPermanent) -> tuple[Action, ...]:
    """A destroyed permanent goes to its owner's graveyard, unless indestructible (CR 702.12b)."""
    if not game.is_in(action.object, ZoneKind.BATTLEFIELD):
        return ()
    if "indestructible" in game.characteristics(action.object).keywords:
        return ()
    return (Move(action.rule, action.cause, action.object, ZoneKind.GRAVEYARD, manner="destroyed"),)


def _drawn(game: Position, action: Draw, already: int) -> Action:
    """A draw from an empty library does not happen and is remembered (CR 121.4, 704.5b)."""
    if len(game.state.players[action.player].library) > already:
        return action
    return occur(DrawFailed("121.4", action.cause, action.player))


def _entering(game: Position, action: Move) -> Procedure[Move]:
    """Apply "enters tapped" and "enters with counters" to an entering permanent (CR 614.1c).

    The permanent is judged as it would exist on the battlefield, its own abilities included
    (614.12).
    """
    waiting = list(_applicable(game, action))
    controller = entering_controller(game, action)
    while waiting:
        chosen = 0
        if len(waiting) > 1 and not _alike(waiting):
            prompt = SelectOption(
                **prompt_fields(game, controller, "616.1"),
                text="Choose which effect applies first",
                labels=tuple(game.name_of(effect.source) for effect in waiting),
            )
            decision = yield from ask(prompt)
            chosen = int(getattr(decision, "number", 1)) - 1
        action = _with(game, action, waiting.pop(chosen))
    return action


def _alike(effects: list[Applicable]) -> bool:
    """Say whether the effects give the same in any order, so that there is nothing to ask."""
    return all(not effect.ability.counters for effect in effects)


def entering_controller(game: Position, action: Move) -> PlayerId:
    """Return who will control the permanent that enters."""
    if action.controller >= 0:
        return action.controller
    return game.state.objects[action.object].owner


def _applicable(game: Position, action: Move) -> tuple[Applicable, ...]:
    entering = game.characteristics_elsewhere(action.object)
    controller = entering_controller(game, action)
    found = [
        Applicable(action.object, controller, ability)
        for ability in entering.abilities
        if isinstance(ability, EntersWith) and ability.what.identity == "this"
    ]
    for source in game.state.battlefield:
        traits = game.characteristics(source)
        found += [
            Applicable(source, traits.controller, ability)
            for ability in traits.abilities
            if isinstance(ability, EntersWith) and ability.what.identity != "this"
        ]
    return tuple(effect for effect in found if _applies(game, action, effect))


def _applies(game: Position, action: Move, effect: Applicable) -> bool:
    context = Context(source=effect.source, you=effect.you)
    condition = effect.ability.condition
    if condition is not None and not holds(game, condition, context):
        return False
    if effect.source == action.object:
        return True
    return fits(game, effect.ability.what, action.object, context)


def _with(game: Position, action: Move, effect: Applicable) -> Move:
    context = Context(source=effect.source, you=effect.you)
    counters = tuple(
        (kind, amount_of(game, amount, context)) for kind, amount in effect.ability.counters
    )
    return msgspec.structs.replace(
        action,
        tapped=action.tapped or effect.ability.tapped,
        counters=(*action.counters, *counters),
    )
