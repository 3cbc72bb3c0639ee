"""The target phrases that a proposal's targets are for, with what they are judged by."""

from __future__ import annotations

from ..cards.model import Body, TargetSpec
from ..events.ids import ObjectId, PlayerId
from ..projections.context import Context
from ..projections.position import Position
from ..rules.mana import activated_abilities
from ..rules.targets import body_of, phrases_of, spell_body
from ..rules.triggers import context_of

Phrases = tuple[tuple[TargetSpec, ...], Context]


def spell_phrases(
    game: Position, item: ObjectId, player: PlayerId, modes: tuple[int, ...], x: int
) -> Phrases:
    """Return the target phrases of a spell that is to be cast (CR 601.2c)."""
    context = Context(source=item, you=player, x=x)
    return _of(spell_body(game.characteristics(item)), modes), context


def activation_phrases(
    game: Position,
    item: ObjectId,
    player: PlayerId,
    number: int,
    modes: tuple[int, ...],
    x: int,
) -> Phrases:
    """Return the target phrases of an ability that is to be activated (CR 602.2b)."""
    context = Context(source=item, you=player, x=x)
    abilities = activated_abilities(game.characteristics(item))
    if not 0 <= number < len(abilities):
        return (), context
    return _of(abilities[number].body, modes), context


def trigger_phrases(game: Position, player: PlayerId, modes: tuple[int, ...]) -> Phrases:
    """Return the target phrases of the trigger that a player puts on the stack now (CR 603.3d)."""
    for waiting in game.state.pending:
        if waiting.player == player:
            body = body_of(game, waiting.ability)
            if body.targets or body.modes:
                return _of(body, modes), context_of(waiting)
    return (), Context(source=ObjectId(0), you=player)


def _of(body: Body, modes: tuple[int, ...]) -> tuple[TargetSpec, ...]:
    """Return the phrases of a body, none where a mode is named that it does not have."""
    if any(not 1 <= mode <= len(body.modes) for mode in modes):
        return ()
    return phrases_of(body, modes)
