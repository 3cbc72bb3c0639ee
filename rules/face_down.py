"""Face-down permanents turned face up by a special action (CR 702.37e, 708.7, 116.2b)."""

from __future__ import annotations

import msgspec

from ..events.decisions import TurnFaceUp
from ..events.ids import PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..projections.position import Position
from .actions import TurnUp
from .cost_parts import TotalCost
from .naming import is_there
from .payment import check_payment, complete_payment, pay
from .protocol import Procedure, perform
from .timing import check_priority


def check_turn_up(game: Position, player: PlayerId, decision: TurnFaceUp) -> Refused | None:
    """Return None if the player may turn the permanent face up so (CR 702.37e)."""
    total = _total_of(game, player, decision)
    return total if isinstance(total, Refused) else check_payment(game, total, decision.payment)


def complete_turn_up(
    game: Position, player: PlayerId, decision: TurnFaceUp
) -> TurnFaceUp | Refused:
    """Return the special action with its payment filled in, or why that cannot be."""
    total = _total_of(game, player, decision)
    if isinstance(total, Refused):
        return total
    payment = complete_payment(game, total, decision.payment)
    if isinstance(payment, Refused):
        return payment
    return msgspec.structs.replace(decision, payment=payment)


def turn_up(game: Position, decision: TurnFaceUp) -> Procedure[None]:
    """Pay the morph cost and turn the permanent face up: it uses no stack (CR 116.2b, 702.37e)."""
    total = _total_of(game, decision.player, decision)
    assert isinstance(total, TotalCost), "the decision was checked"
    yield from pay(game, total, decision.payment)
    yield from perform(TurnUp("702.37e", 0, decision.object))


def _total_of(game: Position, player: PlayerId, decision: TurnFaceUp) -> TotalCost | Refused:
    """Return what turning the permanent face up costs, or why the player can't (CR 702.37e)."""
    refused = check_priority(game, player)
    if refused is not None:
        return refused
    item = decision.object
    if not is_there(game, player, item) or not game.is_in(item, ZoneKind.BATTLEFIELD):
        detail = f"there is no permanent #{item}"
        change = "name a face-down permanent that is there now"
        return Refused(Code.NO_SUCH_OBJECT, "702.37e", detail, change)
    found = game.state.objects[item]
    if game.controller_of(item) != player:
        detail = "that permanent is not yours to turn face up"
        return Refused(Code.NOT_YOURS, "702.37e", detail, "control it")
    if not found.face_down:
        detail = f"{game.name_of(item)} is face up"
        change = "name a face-down permanent"
        return Refused(Code.CHOICE_ILLEGAL, "702.37e", detail, change)
    morph = game.definitions.printed(found.card, player).keyword("morph")
    if morph is None or morph.cost is None:
        detail = "that card would have no morph cost face up"
        change = "let something else turn it face up"
        return Refused(Code.CHOICE_ILLEGAL, "702.37e", detail, change)
    return TotalCost(player, item, morph.cost, rule="702.37e")
