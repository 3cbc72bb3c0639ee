"""What all effects share: following instructions in order, and finding what their words mean.

CR 608.2c: the instructions are followed in the order written. What each of them dealt with is kept
in the context, for "it" and "those creatures" further on. CR 101.3, 609.3: as much is done as can
be; what is not there any more is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from ..cards.model import Amount, Chosen, EventObject, Objects, Players, This
from ..events.catalog import AnyEvent
from ..events.decisions import ChooseObjects
from ..events.game import ChoiceMade
from ..events.ids import HIDDEN_ZONES, NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.zones import MovedCard, ObjectMoved, TokenCreated
from ..projections.context import Context
from ..projections.filters import amount_of, every, objects_of, players_of
from ..projections.state import players_in_turn_order, zone_of
from .actions import occur
from .naming import range_in_words
from .prompts import SelectObjects, prompt_fields
from .protocol import Perform, Procedure, ask_for, perform

if TYPE_CHECKING:
    from ..projections.position import Position

R = TypeVar("R")

Effect = Callable[["Position", Any, Context], Procedure[tuple[ObjectId, ...]]]
"""What follows one kind of instruction; it returns the objects that it dealt with."""

EFFECTS: dict[type[msgspec.Struct], Effect] = {}
"""The effect of each kind of instruction: filled by `effects.py`, complete by a test."""


def follow(
    game: Position, instructions: Sequence[msgspec.Struct], context: Context
) -> Procedure[Context]:
    """Follow instructions in order and return the context with what each dealt with (608.2c).

    Where an effect ends the game, nothing more is done.
    """
    for instruction in instructions:
        if game.state.winners is not None:
            break
        dealt_with = yield from EFFECTS[type(instruction)](game, instruction, context)
        context = msgspec.structs.replace(context, earlier=(*context.earlier, dealt_with))
    return context


def watched(procedure: Procedure[R]) -> Procedure[tuple[bool, R]]:
    """Do a procedure and say, with its result, whether anything happened ("if you do").

    A choice alone is nothing that happens.
    """
    has_happened = False
    reply: Any = None
    while True:
        try:
            yielded = procedure.send(reply)
        except StopIteration as stop:
            return has_happened, stop.value
        reply = yield yielded
        if isinstance(yielded, Perform):
            has_happened = has_happened or any(not isinstance(e, ChoiceMade) for e in reply)


def number_of(game: Position, amount: Amount, context: Context) -> int:
    """Return a number of an effect, 0 where it would be negative (CR 107.1b)."""
    return max(0, amount_of(game, amount, context))


def players_meant(game: Position, who: Players, context: Context) -> tuple[PlayerId, ...]:
    """Return the players in the game that a reference means, in APNAP order, each once (101.4)."""
    meant = players_of(game, who, context)
    order = players_in_turn_order(game.state, game.state.turn.active)
    return tuple(player for player in order if player in meant)


def objects_meant(
    game: Position, what: Objects, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Return the objects a reference means, each once; let players choose where it says so."""
    if isinstance(what, Chosen):
        return (yield from _chosen_objects(game, what, context))
    return tuple(dict.fromkeys(objects_of(game, what, context)))


def existing(
    game: Position, what: Objects, found: Iterable[ObjectId], context: Context
) -> tuple[ObjectId, ...]:
    """Return those of the objects that exist, found again where the rules follow them."""
    state = game.state
    result = []
    for item in found:
        if item not in state.objects and _is_followed(game, what, item, context):
            result.append(state.became.get(item, NOTHING))
        else:
            result.append(item)
    return tuple(item for item in result if item in state.objects)


def _is_followed(game: Position, what: Objects, item: ObjectId, context: Context) -> bool:
    """Say whether an effect finds in a public zone what an object that is gone has become.

    CR 400.7e: an ability that triggered as the object left, if it speaks of that object itself. CR
    400.7j: an effect or a cost that moved it there; what an earlier instruction dealt with was
    there then, so that this effect itself has moved it since.
    """
    if context.follows and isinstance(what, This | EventObject):
        return True
    becomes = game.state.became.get(item, NOTHING)
    return any(item in group or becomes in group for group in context.earlier)


def on_battlefield(game: Position, found: Iterable[ObjectId]) -> tuple[ObjectId, ...]:
    """Return those of the objects that are permanents."""
    return tuple(item for item in found if game.is_in(item, ZoneKind.BATTLEFIELD))


def became(events: Iterable[AnyEvent]) -> tuple[ObjectId, ...]:
    """Return the new objects that moves and tokens made, in order (CR 400.7, 111)."""
    found = []
    for event in events:
        match event:
            case ObjectMoved():
                secret = event.secret
                hidden = secret.becomes if isinstance(secret, MovedCard) else NOTHING
                found.append(event.becomes or hidden)
            case TokenCreated():
                found.append(event.object)
            case _:
                pass
    return tuple(item for item in found if item)


def choose_objects(  # noqa: PLR0913 - a choice has that many sides
    game: Position,
    player: PlayerId,
    candidates: tuple[ObjectId, ...],
    minimum: int,
    maximum: int,
    *,
    context: Context,
    kind: str = "choose",
    rule: str = "608.2d",
    from_hidden: bool = False,
    ordered: bool = False,
) -> Procedure[tuple[ObjectId, ...]]:
    """Let a player choose some of the candidates, as many as there are if too few (CR 101.3).

    Nobody is asked where the number of public candidates leaves no choice. What is chosen
    `from_hidden` zones is asked for though there be none: that would tell what is not there.
    """
    maximum = min(maximum, len(candidates))
    minimum = min(minimum, maximum)
    if maximum == 0 and not from_hidden:
        return ()
    is_hidden = from_hidden or any(
        game.state.objects[item].zone in HIDDEN_ZONES for item in candidates
    )
    if minimum == len(candidates) and not is_hidden:
        return candidates
    prompt = SelectObjects(
        **prompt_fields(game, player, rule, context.source),
        kind=kind,
        text=f"{kind.capitalize()} {range_in_words(minimum, maximum)}",
        candidates=candidates,
        minimum=minimum,
        maximum=maximum,
        ordered=ordered,
    )
    chosen = (yield from ask_for(ChooseObjects, prompt)).objects
    if not is_hidden:
        made = ChoiceMade(rule, context.cause, player, chosen, (), len(chosen))
        yield from perform(occur(made))
    return chosen


def _chosen_objects(
    game: Position, what: Chosen, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Let the players meant choose in APNAP order, none what another chose (CR 608.2e)."""
    amount = number_of(game, what.amount, context)
    result: tuple[ObjectId, ...] = ()
    from_hidden = _has_hidden(game, what.what.zone)
    for player in players_meant(game, what.by, context):
        candidates = tuple(
            item
            for item in every(game, what.what, context)
            if item not in result and not (what.own and game.state.objects[item].owner != player)
        )
        minimum = 0 if what.up_to else amount
        chosen = yield from choose_objects(
            game,
            player,
            candidates,
            minimum,
            amount,
            context=context,
            from_hidden=from_hidden,
            ordered=what.ordered,
        )
        result = (*result, *chosen)
    return result


def _has_hidden(game: Position, kind: ZoneKind) -> bool:
    """Say whether it is a kind of hidden zone, and some player's has cards: both are public."""
    return kind in HIDDEN_ZONES and any(
        zone_of(game.state, kind, PlayerId(number)) for number in range(len(game.state.players))
    )
