"""Effects that leave something to a player or to a later moment: may, if, delayed triggers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cards.check import nodes_of
from ..cards.delayed import delayed_ability, spoken_of
from ..cards.model import Body, Delayed, If, May, This
from ..events.decisions import Answer
from ..events.game import ChoiceMade
from ..events.ids import ObjectId, PlayerId
from ..events.refused import Refused
from ..events.stack import AbilityTriggered, DelayedTriggerCreated
from ..projections.context import Context
from ..projections.filters import holds, objects_of
from .actions import occur
from .cost_parts import TotalCost
from .effects_base import existing, follow, players_meant, watched
from .payment import MayPay, complete_payment, pay
from .prompts import YesNo, prompt_fields
from .protocol import Procedure, ask_for, perform

if TYPE_CHECKING:
    from ..projections.position import Position


def may(game: Position, effect: May, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Let players do something, perhaps at a cost, and what follows (CR 608.2d, 118.12).

    "If you do" follows only on what was done; nothing happened where nothing could.
    """
    dealt_with: tuple[ObjectId, ...] = ()
    outer = len(context.earlier)
    for player in players_meant(game, effect.player, context):
        is_done, after = yield from _offered(game, player, effect, context)
        following = effect.then if is_done else effect.otherwise
        after = yield from follow(game, following, after)
        dealt_with = (*dealt_with, *(item for items in after.earlier[outer:] for item in items))
        if is_done and effect.when_done is not None:
            yield from _reflexive(game, effect.when_done, context)
    return tuple(dict.fromkeys(dealt_with))


def _offered(
    game: Position, player: PlayerId, effect: May, context: Context
) -> Procedure[tuple[bool, Context]]:
    """Ask the player, let them pay and do it; say whether it was done, and with what."""
    total = _total_cost(player, effect, context)
    name = game.name_of(context.source)
    fields = prompt_fields(game, player, "608.2d", context.source)
    prompt: YesNo = (
        YesNo(**fields, text=f"Use the effect of {name}?")
        if total is None
        else MayPay(**fields, text=f"Pay for {name}?", total=total)
    )
    answer = yield from ask_for(Answer, prompt)
    yield from perform(occur(ChoiceMade("608.2d", context.cause, player, (), (), int(answer.yes))))
    if not answer.yes:
        return False, context
    if total is not None:
        payment = complete_payment(game, total, answer.payment)
        assert not isinstance(payment, Refused), "the answer was checked with its payment"
        yield from pay(game, total, payment)
    if not effect.do:
        return True, context
    return (yield from watched(follow(game, effect.do, context)))


def _total_cost(player: PlayerId, effect: May, context: Context) -> TotalCost | None:
    if effect.cost is None:
        return None
    return TotalCost(
        player, context.source, effect.cost, x=context.x, rule="118.12", cause=context.cause
    )


def _reflexive(game: Position, body: Body, context: Context) -> Procedure[None]:
    """Let a reflexive triggered ability trigger at once (CR 603.12)."""
    yield from perform(
        occur(
            AbilityTriggered(
                "603.12",
                context.cause,
                -1,
                context.source,
                context.you,
                game.definitions.digest_of_ability(body),
                context.about,
                context.about_player,
                context.amount,
                0,
            )
        )
    )


def conditionally(game: Position, effect: If, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Follow instructions if a condition holds now, else the others (CR 608.2c)."""
    is_so = holds(game, effect.condition, context)
    outer = len(context.earlier)
    after = yield from follow(game, effect.then if is_so else effect.otherwise, context)
    return tuple(dict.fromkeys(item for items in after.earlier[outer:] for item in items))


def delay(game: Position, effect: Delayed, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Create delayed triggered abilities: one, or one for each object it speaks of (CR 603.7).

    What is gone by now will not be found again (603.7c), so no ability waits for it.
    """
    ability = game.definitions.digest_of_ability(delayed_ability(effect))
    about = spoken_of(effect)
    groups: tuple[tuple[ObjectId, ...], ...] = ((),)
    if about is not None:
        found = objects_of(game, about, context)
        groups = tuple((item,) for item in existing(game, about, found, context))
    source = _source_of_delayed(game, effect, context)
    yield from perform(
        *(
            occur(
                DelayedTriggerCreated(
                    "603.7a", context.cause, -1, source, context.you, ability, objects
                )
            )
            for objects in groups
        )
    )
    return ()


def _source_of_delayed(game: Position, effect: Delayed, context: Context) -> ObjectId:
    """Return the source; where it has gone, if the ability speaks of it there (603.7e, 400.7j)."""
    if not any(isinstance(node, This) for node in nodes_of(effect.body)):
        return context.source
    found = existing(game, This(), (context.source,), context)
    return found[0] if found else context.source
