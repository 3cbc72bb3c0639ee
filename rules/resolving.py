"""Resolving the topmost spell or ability of the stack (CR 608)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..cards.model import ActivatedAbility, Dies, LeavesBattlefield, This, TriggeredAbility
from ..events.ids import NOBODY, NOTHING, ObjectId, ZoneKind
from ..events.stack import ChosenTarget, ObjectResolved
from ..projections.context import Context
from ..projections.filters import holds
from .actions import Move, occur
from .effects import follow
from .effects_zones import counter
from .protocol import Procedure, perform
from .targets import item_body, item_context, parts_of, still_legal

if TYPE_CHECKING:
    from ..projections.position import Position


def resolve_top(game: Position) -> Procedure[None]:
    """Resolve the spell or ability on top of the stack (CR 608.1).

    An intervening "if" is checked first (608.2a), then the targets (608.2b): if all are illegal it
    does not resolve, if some are they are left out.
    """
    item_id = game.state.stack[-1]
    item = game.state.items[item_id]
    context = resolving_context(game, item_id)
    if not _condition_holds(game, item_id, context):
        yield from counter(game, item_id, "608.2a", context.cause)
        return
    targets = tuple(target for target in item.targets if still_legal(game, item_id, target))
    if item.targets and not targets:
        yield from counter(game, item_id, "608.2b", context.cause)
        return
    context = msgspec.structs.replace(context, targets=targets)
    if item.ability:
        yield from _resolve_ability(game, item_id, context)
    elif game.characteristics(item_id).is_instant_or_sorcery:
        yield from _resolve_instant_or_sorcery(game, item_id, context)
    else:
        yield from _resolve_permanent_spell(game, item_id, context)


def resolving_context(game: Position, item_id: ObjectId) -> Context:
    """Return what the words of a resolving spell or ability point at, and its cause.

    The source of an ability is the object that had it, as it exists or last did (CR 113.7a). One
    that triggered as an object left a zone, or whose cost moved it, finds it where it went (400.7e,
    400.7j).
    """
    item = game.state.items[item_id]
    return msgspec.structs.replace(
        item_context(game, item_id),
        cause=item.caused_by,
        follows=_is_about_leaving(game, item.ability),
    )


def follow_body(game: Position, item_id: ObjectId, context: Context) -> Procedure[None]:
    """Follow the instructions of a spell or ability, mode by mode (CR 608.2c, 700.2)."""
    modes = game.state.items[item_id].modes
    for part in parts_of(item_body(game, item_id), modes):
        mine = msgspec.structs.replace(
            context, targets=part.targets_among(context.targets), earlier=()
        )
        yield from follow(game, part.instructions, mine)


def _condition_holds(game: Position, item_id: ObjectId, context: Context) -> bool:
    """Say whether a triggered ability's intervening "if" holds as it resolves (CR 603.4)."""
    digest = game.state.items[item_id].ability
    if not digest:
        return True
    ability = game.definitions.ability(digest)
    if not isinstance(ability, TriggeredAbility) or ability.condition is None:
        return True
    return holds(game, ability.condition, context)


def _is_about_leaving(game: Position, digest: bytes) -> bool:
    if not digest:
        return False
    ability = game.definitions.ability(digest)
    if isinstance(ability, ActivatedAbility):
        cost = ability.cost
        return This() in (cost.sacrifice, cost.discard, cost.exile, cost.return_to_hand)
    return isinstance(ability, TriggeredAbility) and isinstance(
        ability.trigger, Dies | LeavesBattlefield
    )


def _resolve_ability(game: Position, item_id: ObjectId, context: Context) -> Procedure[None]:
    """Follow an ability's instructions; then it ceases to exist (CR 608.2n).

    One that left the stack while it resolved, with its controller, still resolves fully (608.2m).
    """
    yield from follow_body(game, item_id, context)
    if game.state.winners is None:
        rule = "608.2n" if game.is_in(item_id, ZoneKind.STACK) else "608.2m"
        yield from perform(occur(ObjectResolved(rule, context.cause, item_id)))


def _resolve_instant_or_sorcery(
    game: Position, item_id: ObjectId, context: Context
) -> Procedure[None]:
    """Follow a spell's instructions; then it goes to its owner's graveyard (CR 608.2n).

    One that left the stack while it resolved goes nowhere further (608.2m).
    """
    yield from follow_body(game, item_id, context)
    cause = context.cause
    if game.state.winners is not None:
        return
    if not game.is_in(item_id, ZoneKind.STACK):
        yield from perform(occur(ObjectResolved("608.2m", cause, item_id)))
    else:
        yield from perform(
            occur(ObjectResolved("608.2n", cause, item_id)),
            Move("608.2n", cause, item_id, ZoneKind.GRAVEYARD, manner="resolved"),
        )


def _resolve_permanent_spell(
    game: Position, item_id: ObjectId, context: Context
) -> Procedure[None]:
    """Let a spell become a permanent under its controller's control (CR 608.3a).

    An Aura spell enters attached to what it targets (608.3c).
    """
    target = context.targets[0] if context.targets else ChosenTarget(0, NOTHING, NOBODY)
    is_attached = bool(context.targets)
    rule = "608.3c" if is_attached else "608.3a"
    yield from perform(
        occur(ObjectResolved(rule, context.cause, item_id)),
        Move(
            rule,
            context.cause,
            item_id,
            ZoneKind.BATTLEFIELD,
            manner="resolved",
            controller=context.you,
            face_down=game.state.objects[item_id].face_down,
            attach_to=target.object,
            attach_to_player=target.player,
        ),
    )
