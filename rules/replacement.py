"""Replacement and prevention: what proposed actions become before they happen (CR 614-616).

Works on proposed actions, for each affected object or player in APNAP order; each effect applies
once to an event (614.5). Where several apply, the affected object's controller or the affected
player chooses which is first (616.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..cards.model import EntersWith, ExiledInsteadOfGraveyard
from ..events.decisions import ChooseNumber
from ..events.ids import NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.life import DrawFailed
from ..events.zones import ObjectMoved, TokenCreated
from ..projections.context import Context
from ..projections.filters import amount_of, every, fits, holds
from .actions import Action, DealDamageTo, DestroyPermanent, Draw, MakeToken, Move, TurnDown, occur
from .damage import damage_results
from .possible import possible
from .prompts import SelectOption, prompt_fields
from .protocol import Procedure, ask_for

if TYPE_CHECKING:
    from ..projections.characteristics import Characteristics
    from ..projections.position import Position

Entering = Move | MakeToken
"""An action by which a permanent enters the battlefield."""

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
        or (isinstance(action, Move) and action.to in (ZoneKind.BATTLEFIELD, ZoneKind.GRAVEYARD))
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
            case Move(to=ZoneKind.BATTLEFIELD) | MakeToken():
                result += _turned_down(game, action)
                result.append((yield from _entering(game, action)))
            case _:
                result.append(action)
    if damage:
        result += damage_results(game, tuple(damage))
    return tuple(_exiled_instead(game, action) for action in result)


def _destroyed(game: Position, action: DestroyPermanent) -> tuple[Action, ...]:
    """A destroyed permanent goes to its owner's graveyard, unless indestructible (CR 702.12b)."""
    if not game.is_in(action.object, ZoneKind.BATTLEFIELD):
        return ()
    if "indestructible" in game.characteristics(action.object).keywords:
        return ()
    return (Move(action.rule, action.cause, action.object, ZoneKind.GRAVEYARD, manner="destroyed"),)


def _exiled_instead(game: Position, action: Action) -> Action:
    """A card may be exiled that would be put into an opponent's graveyard (CR 614.1a)."""
    if not isinstance(action, Move) or action.to != ZoneKind.GRAVEYARD:
        return action
    found = game.state.objects[action.object]
    is_exiled = not found.is_token and any(
        isinstance(rule, ExiledInsteadOfGraveyard) and game.controller_of(item) != found.owner
        for item in game.state.battlefield
        for rule in game.characteristics(item).rules
    )
    return msgspec.structs.replace(action, to=ZoneKind.EXILE) if is_exiled else action


def _drawn(game: Position, action: Draw, already: int) -> Action:
    """A draw from an empty library does not happen and is remembered (CR 121.4, 704.5b)."""
    if len(game.state.players[action.player].library) > already:
        return action
    return occur(DrawFailed("121.4", action.cause, action.player))


def _entering(game: Position, action: Entering) -> Procedure[Entering]:
    """Apply "enters tapped" and "enters with counters" to an entering permanent (CR 614.1c).

    The permanent is judged as it would exist on the battlefield, its own abilities included
    (614.12).
    """
    waiting = list(applicable_to_entering(game, action))
    controller = entering_controller(game, action)
    while waiting:
        chosen = 0
        if len(waiting) > 1 and not _alike(waiting):
            prompt = SelectOption(
                **prompt_fields(game, controller, "616.1"),
                text="Choose which effect applies first",
                labels=tuple(game.name_of(effect.source) for effect in waiting),
            )
            chosen = (yield from ask_for(ChooseNumber, prompt)).number - 1
        action = _with(game, action, waiting.pop(chosen))
    return action


def _turned_down(game: Position, action: Entering) -> tuple[Action, ...]:
    """Return what turns face down as a permanent enters face up (CR 614.1c, 708.2a)."""
    if isinstance(action, MakeToken) or action.face_down:
        return ()
    context = Context(source=action.object, you=entering_controller(game, action))
    return tuple(
        TurnDown("708.2a", action.cause, item)
        for ability in printed_of(game, action).abilities
        if isinstance(ability, EntersWith) and ability.turns_down is not None
        for item in every(game, ability.turns_down, context)
        if not game.state.objects[item].face_down
    )


def _alike(effects: list[Applicable]) -> bool:
    """Say whether the effects give the same in any order, so that there is nothing to ask."""
    return all(not effect.ability.counters for effect in effects)


def entering_controller(game: Position, action: Entering) -> PlayerId:
    """Return who will control the permanent that enters (CR 110.2)."""
    if isinstance(action, MakeToken):
        return action.player
    if action.controller >= 0:
        return action.controller
    return game.state.objects[action.object].owner


def applicable_to_entering(game: Position, action: Entering) -> tuple[Applicable, ...]:
    """Return the effects that apply to what enters, its own first (CR 614.12).

    Which apply is judged on the permanent as it would exist on the battlefield; what their
    conditions and numbers ask is judged on the game before it enters.
    """
    others = [
        Applicable(source, game.controller_of(source), ability)
        for source in game.state.battlefield
        for ability in game.characteristics(source).abilities
        if isinstance(ability, EntersWith) and ability.what.identity != "this"
    ]
    controller = entering_controller(game, action)  # while supposing, the object is another one
    printed = _own_effects(action, printed_of(game, action), controller)
    if not others and not (printed and game.has_effects):
        return tuple(effect for effect in printed if _condition_holds(game, action, effect))
    event = as_entering(game, action)

    def found() -> tuple[Applicable, ...]:
        own = _own_effects(action, game.characteristics(event_object(event)), controller)
        return (*own, *(effect for effect in others if _fits_entered(game, event, effect)))

    applicable = game.supposing(event, found)
    return tuple(effect for effect in applicable if _condition_holds(game, action, effect))


def _own_effects(
    action: Entering, traits: Characteristics, controller: PlayerId
) -> tuple[Applicable, ...]:
    """Return the effects of the entering permanent's own abilities, on itself."""
    source = NOTHING if isinstance(action, MakeToken) else action.object
    return tuple(
        Applicable(source, controller, ability)
        for ability in traits.abilities
        if isinstance(ability, EntersWith) and ability.what.identity == "this"
    )


def printed_of(game: Position, action: Entering) -> Characteristics:
    """Return what is printed on what would enter."""
    if isinstance(action, MakeToken):
        return game.definitions.printed(action.card, action.player)
    return game.characteristics_elsewhere(action.object)


def as_entering(game: Position, action: Entering) -> ObjectMoved | TokenCreated:
    """Return the event by which a permanent would enter, to be supposed and never logged."""
    name = ObjectId(game.state.next_id)
    controller = entering_controller(game, action)
    if isinstance(action, MakeToken):
        return TokenCreated(action.rule, action.cause, name, controller, action.card, action.tapped)
    found = game.state.objects[action.object]
    return ObjectMoved(
        rule=action.rule,
        cause=action.cause,
        object=action.object,
        origin=found.zone,
        origin_player=found.owner,
        destination=ZoneKind.BATTLEFIELD,
        player=found.owner,
        becomes=name,
        card=found.card,
        controller=controller,
        position=-1,
        tapped=action.tapped,
        face_down=action.face_down,
        readers=(),
        secret=None,
        last_known=None,
    )


def event_object(event: ObjectMoved | TokenCreated) -> ObjectId:
    """Return the permanent that an event brings onto the battlefield."""
    return event.object if isinstance(event, TokenCreated) else event.becomes


def _fits_entered(game: Position, event: ObjectMoved | TokenCreated, effect: Applicable) -> bool:
    """Say whether an effect of another permanent speaks of the one that is supposed to be there."""
    context = Context(source=effect.source, you=effect.you)
    return fits(game, effect.ability.what, event_object(event), context)


def _condition_holds(game: Position, action: Entering, effect: Applicable) -> bool:
    condition = effect.ability.condition
    return condition is None or holds(game, condition, _context_of(game, action, effect))


def _context_of(game: Position, action: Entering, effect: Applicable) -> Context:
    """Return what the words of an effect point at; X is that of the entering spell (107.3m)."""
    item = None if isinstance(action, MakeToken) else game.state.items.get(action.object)
    x = item.x if item is not None and effect.source == item.source else 0
    return Context(source=effect.source, you=effect.you, x=x)


def _with(game: Position, action: Entering, effect: Applicable) -> Entering:
    context = _context_of(game, action, effect)
    counters = tuple(
        (kind, amount_of(game, amount, context)) for kind, amount in effect.ability.counters
    )
    return msgspec.structs.replace(
        action,
        tapped=action.tapped or effect.ability.tapped,
        counters=(*action.counters, *counters),
    )
