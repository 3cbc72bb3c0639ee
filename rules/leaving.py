"""What becomes of the game as players leave it (CR 104.5, 800.4).

Who leaves takes along all they own; what they still control is exiled. A question to them that is
open, or comes up later in a procedure that goes on, falls to somebody else or is void.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..cards.model import ChangeControl, Modification
from ..events.base import Decision
from ..events.decisions import (
    Answer,
    ChooseNumber,
    ChooseObjects,
    ChoosePlayers,
)
from ..events.game import PlayerLeft
from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.stack import EffectEnded
from ..events.zones import LastKnown
from ..projections.state import players_in_turn_order
from .actions import Action, Move, occur
from .combat_damage import DividePrompt
from .prompts import SelectObjects, SelectOption, SelectPlayers, YesNo, prompt_fields
from .protocol import Procedure, Prompt, ask, ask_for, perform

if TYPE_CHECKING:
    from ..projections.position import Position

SETTLING_KINDS = ("legend", "order-triggers", "targets")
"""Prompts of what happens before somebody gets priority: asked anew from the state (CR 117.5)."""

_MODIFICATIONS = msgspec.msgpack.Decoder(tuple[Modification, ...])


def leave(game: Position, players: tuple[PlayerId, ...]) -> Procedure[None]:
    """Let players leave together, with all they own and what gives them control (CR 800.4a).

    Abilities and tokens that they control cease with that; cards of others that they control
    then are exiled, which `abandoned` finds.
    """
    left = [
        occur(PlayerLeft("800.4a", 0, player, _taken_along(game, player))) for player in players
    ]
    ended = [
        occur(EffectEnded("800.4a", 0, effect.number))
        for effect in game.state.effects
        if effect.player in players and _changes_control(effect.modifications)
    ]
    yield from perform(*left, *ended)


def _changes_control(modifications: bytes) -> bool:
    return any(isinstance(part, ChangeControl) for part in _MODIFICATIONS.decode(modifications))


def _taken_along(game: Position, player: PlayerId) -> tuple[tuple[ObjectId, LastKnown], ...]:
    """Return what the player's permanents and spells are as they go, for who looks back at them."""
    state = game.state
    return tuple(
        (item, game.last_known(item))
        for item in (*state.battlefield, *state.stack)
        if state.objects[item].owner == player
        and (item not in state.items or not state.items[item].ability)
    )


def abandoned(game: Position) -> tuple[Action, ...]:
    """Return the exile of what a player who has left controls still, or again (CR 800.4a, 800.4c).

    It is no state-based action: it happens at once.
    """
    state = game.state
    if not any(player.has_left for player in state.players):
        return ()
    return tuple(
        Move("800.4c" if item in state.battlefield else "800.4a", 0, item, ZoneKind.EXILE, "exiled")
        for item in (*state.battlefield, *state.stack)
        if state.players[game.controller_of(item)].has_left
    )


def needs_other_answer(game: Position, prompt: Prompt) -> bool:
    """Say whether a prompt can't be put as it stands since players have left (CR 800.4f-h)."""
    if game.state.players[prompt.seat].has_left:
        return True
    match prompt:
        case SelectObjects(candidates=candidates):
            return any(item not in game.state.objects for item in candidates)
        case SelectPlayers(candidates=players):
            return any(game.state.players[player].has_left for player in players)
        case DividePrompt(source=source, assigner=plan, waiting=waiting):
            named = (source, *plan.creatures, *(item.source for item in waiting))
            return any(item not in game.state.objects for item in named)
        case _:
            return False


def answered_otherwise(game: Position, prompt: Prompt) -> Procedure[Decision | None]:
    """Return the answer to a prompt that can't be put as it stands: another's, or a void one."""
    remaining = _of_what_is_left(game, prompt)
    if remaining is None:
        return void_answer(prompt)
    seat = PlayerId(remaining.seat)
    if game.state.players[seat].has_left:
        seat = yield from _chosen_instead(game, remaining)
        if seat == NOBODY:
            return void_answer(prompt)
    counter = game.state.decision_counters[seat]
    return (yield from ask(msgspec.structs.replace(remaining, seat=seat, counter=counter)))


def void_answer(prompt: Prompt) -> Decision | None:
    """Return the answer that lets nothing happen: nothing is paid or chosen (CR 800.4f)."""
    asked = (prompt.seat, prompt.player, prompt.counter)
    match prompt:
        case YesNo():
            return Answer(*asked, yes=False)
        case SelectObjects():
            return ChooseObjects(*asked, ())
        case SelectPlayers():
            return ChoosePlayers(*asked, ())
        case SelectOption():
            return ChooseNumber(*asked, 1)
        case _:  # a division of damage is asked for anew, if there is one left
            return None


def _of_what_is_left(game: Position, prompt: Prompt) -> Prompt | None:
    """Return the prompt without what has left the game; None where nothing is left to choose."""
    match prompt:
        case SelectObjects(kind="enchant") if game.state.players[prompt.player].has_left:
            return None  # an Aura that would enter under their control doesn't (CR 800.4b)
        case SelectObjects(candidates=candidates):
            there = tuple(item for item in candidates if item in game.state.objects)
            return _narrowed(prompt, there) if there else None
        case SelectPlayers(candidates=players):
            present = tuple(one for one in players if not game.state.players[one].has_left)
            return _narrowed(prompt, present) if present else None
        case _:
            return prompt if type(prompt) is YesNo else None


def _narrowed(prompt: SelectObjects | SelectPlayers, candidates: tuple[int, ...]) -> Prompt:
    return msgspec.structs.replace(
        prompt,
        candidates=candidates,
        minimum=min(prompt.minimum, len(candidates)),
        maximum=min(prompt.maximum, len(candidates)),
    )


def _chosen_instead(game: Position, prompt: Prompt) -> Procedure[PlayerId]:
    """Return who makes a choice of a player who has left; NOBODY where it is nobody's any more.

    CR 800.4g: the controller of the object that asks chooses one, an opponent for an opponent. CR
    800.4h: where a rule asks it is the next player in turn order. What an object asked its own
    controller for falls with that player.
    """
    order = players_in_turn_order(game.state, prompt.player)
    if prompt.source == NOTHING:
        return order[0]
    controller = game.controller_of(prompt.source)
    if controller == NOBODY or game.state.players[controller].has_left:
        return PlayerId(NOBODY)
    opponents = tuple(player for player in order if player != controller)
    if len(opponents) == 1:
        return opponents[0]
    choice = SelectPlayers(
        **prompt_fields(game, controller, "800.4g", prompt.source),
        text="Choose who decides for the player who has left",
        candidates=opponents,
    )
    chosen = (yield from ask_for(ChoosePlayers, choice)).players
    return chosen[0] if chosen else opponents[0]
