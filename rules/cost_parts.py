"""The parts of a cost that are not mana: tapping, life, counters, objects given up (CR 118)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import msgspec

from ..cards.model import Chosen, Cost, This, VariableX
from ..events.decisions import Payment
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..projections.context import Context
from ..projections.filters import amount_of, every
from ..projections.position import Position
from .actions import Action, AddCounters, Lose, Move, TakeCounters, Tap, Untap
from .mana import is_held_up
from .mana_costs import mana_cost_of
from .naming import name_for


class TotalCost(msgspec.Struct, frozen=True):
    """What a player pays at a moment, for what, by which rule (CR 601.2f, 602.2b, 118.12).

    `source` is the spell, or the object whose ability asks for it. `cause` is as in events: 0 where
    the player's own decision pays, the cause of the resolution where an effect asks for it.
    """

    player: PlayerId
    source: ObjectId
    cost: Cost
    x: int = 0
    rule: str = "601.2h"
    cause: int = 0


class CostPart(msgspec.Struct, frozen=True):
    """A part of a cost that objects are chosen for: where they are and what becomes of them."""

    wanted: str
    paid: str
    verb: str
    rule: str
    zone: ZoneKind | None
    to: ZoneKind | None = None
    manner: str = ""


PARTS = (
    CostPart(
        "sacrifice",
        "sacrificed",
        "sacrifice",
        "701.17a",
        ZoneKind.BATTLEFIELD,
        ZoneKind.GRAVEYARD,
        "sacrificed",
    ),
    CostPart(
        "discard", "discarded", "discard", "701.8a", ZoneKind.HAND, ZoneKind.GRAVEYARD, "discarded"
    ),
    CostPart("exile", "exiled", "exile", "701.11a", None, ZoneKind.EXILE, "exiled"),
    CostPart(
        "return_to_hand",
        "returned",
        "return",
        "118.1",
        ZoneKind.BATTLEFIELD,
        ZoneKind.HAND,
        "returned",
    ),
    CostPart("tap_others", "tapped", "tap", "701.21a", ZoneKind.BATTLEFIELD),
)
"""The parts that objects are chosen for, in the order in which they are paid."""


def has_parts(cost: Cost) -> bool:
    """Say whether a cost has a part that objects are given up or tapped for."""
    return any(getattr(cost, part.wanted) is not None for part in PARTS)


def objects_for(
    game: Position, total: TotalCost, part: CostPart
) -> tuple[tuple[ObjectId, ...], int]:
    """Return what may be chosen for a part of a cost, and how many must be (CR 118.3)."""
    wanted = getattr(total.cost, part.wanted)
    match wanted:
        case None:
            return (), 0
        case This():
            here = game.state.objects.get(total.source)
            fits = here is not None and (part.zone is None or here.zone == part.zone)
            return ((total.source,) if fits else ()), 1
        case Chosen(what=what, amount=amount):
            context = Context(source=total.source, you=total.player, x=total.x)
            found = every(game, what, context)
            return (
                tuple(item for item in found if _is_at_hand(game, total, part, item)),
                amount_of(game, amount, context),
            )
        case _:
            msg = f"no object is meant by {type(wanted).__name__} in a cost"
            raise AssertionError(msg)


def _is_at_hand(game: Position, total: TotalCost, part: CostPart, item: ObjectId) -> bool:
    """Say whether the player has it to pay with: controls it, or owns it off the battlefield.

    The source may be tapped for its own ability, however new (CR 302.6), unless {T} taps it.
    """
    found = game.state.objects[item]
    if part.zone is not None and found.zone != part.zone:
        return False
    if found.zone != ZoneKind.BATTLEFIELD:
        return found.owner == total.player and item != total.source
    if part.paid == "tapped" and (found.tapped or (total.cost.tap and item == total.source)):
        return False
    return game.controller_of(item) == total.player


def has_x(cost: Cost) -> bool:
    """Say whether a number for X is announced with the cost (CR 107.3a)."""
    if mana_cost_of(cost.mana).variables:
        return True
    parts = (getattr(cost, part.wanted) for part in PARTS)
    return any(isinstance(one, Chosen) and isinstance(one.amount, VariableX) for one in parts)


def choices_of_parts(game: Position, total: TotalCost) -> Iterator[Payment]:
    """Yield payments with the objects chosen and all else open, lazily."""
    groups: list[tuple[tuple[ObjectId, ...], ...]] = []
    for part in PARTS:
        candidates, count = objects_for(game, total, part)
        groups.append(tuple(combinations(candidates, count)))
    for chosen in product(*groups):
        paid = {part.paid: objects for part, objects in zip(PARTS, chosen, strict=True)}
        yield msgspec.structs.replace(Payment(), **paid)


def check_parts(game: Position, total: TotalCost, payment: Payment) -> Refused | None:
    """Return None if the parts of the cost other than mana can be paid so (CR 118.3)."""
    return _check_own(game, total, payment) or _check_objects(game, total, payment)


def _check_own(game: Position, total: TotalCost, payment: Payment) -> Refused | None:
    cost, source = total.cost, total.source
    name = game.name_of(source)
    if cost.tap or cost.untap:
        refused = _check_symbol(game, total, name)
        if refused is not None:
            return refused
    life = cost.life + payment.life
    if life and game.state.players[total.player].life < life:
        detail = f"{name} costs {life} life, more than you have"
        return Refused(Code.COST_UNPAYABLE, "119.4", detail, f"have at least {life} life")
    if cost.remove_counters is not None:
        kind, number = cost.remove_counters
        return _check_counters(game, total, kind, number)
    if cost.loyalty is not None and cost.loyalty < 0:
        return _check_counters(game, total, "loyalty", -cost.loyalty)
    return None


def _check_symbol(game: Position, total: TotalCost, name: str) -> Refused | None:
    """Return None if {T} or {Q} can be paid (CR 107.5, 107.6, 602.5a)."""
    found = game.state.objects.get(total.source)
    if found is None or found.zone != ZoneKind.BATTLEFIELD:
        detail = f"{name} is not on the battlefield"
        return Refused(Code.WRONG_ZONE, "107.5", detail, f"have {name} on the battlefield")
    if total.cost.tap and found.tapped:
        detail = f"{name} is tapped already"
        return Refused(Code.ALREADY_TAPPED, "107.5", detail, f"{name} must be untapped")
    if total.cost.untap and not found.tapped:
        detail = f"{name} is untapped already"
        return Refused(Code.COST_UNPAYABLE, "107.6", detail, f"{name} must be tapped")
    if is_held_up(game, total.source):
        detail = f"{name} has not been under your control since your turn began"
        return Refused(Code.SUMMONING_SICK, "602.5a", detail, f"{name} would need haste")
    return None


def _check_counters(game: Position, total: TotalCost, kind: str, number: int) -> Refused | None:
    found = game.state.objects.get(total.source)
    if found is not None and found.counters.get(kind, 0) >= number:
        return None
    rule = "606.6" if kind == "loyalty" else "118.3"
    detail = f"{game.name_of(total.source)} has fewer than {number} {kind} counters"
    return Refused(Code.COST_UNPAYABLE, rule, detail, f"have {number} {kind} counters on it")


def _check_objects(game: Position, total: TotalCost, payment: Payment) -> Refused | None:
    for part in PARTS:
        chosen: tuple[ObjectId, ...] = getattr(payment, part.paid)
        if not chosen and getattr(total.cost, part.wanted) is None:
            continue
        candidates, count = objects_for(game, total, part)
        refused = check_enough(game, total, part)
        if refused is not None:
            return refused
        if len(chosen) != count or len(set(chosen)) != count:
            detail = f"{game.name_of(total.source)} costs to {part.verb} {count}, not {len(chosen)}"
            return Refused(Code.PAYMENT_WRONG, part.rule, detail, f"choose {count}")
        for item in chosen:
            if item not in candidates:
                named = name_for(game, total.player, item)
                detail = f"{named} is not what {game.name_of(total.source)} costs to {part.verb}"
                return Refused(Code.PAYMENT_WRONG, part.rule, detail, "choose another")
    return None


def check_enough(game: Position, total: TotalCost, part: CostPart) -> Refused | None:
    """Return None if there is enough to choose for a part of the cost (CR 118.3)."""
    candidates, count = objects_for(game, total, part)
    wanted = getattr(total.cost, part.wanted)
    if isinstance(wanted, Chosen) and wanted.at_random:
        detail = f"{game.name_of(total.source)} costs something at random, which is not built yet"
        return Refused(Code.NOT_BUILT, part.rule, detail, "use another ability or card")
    if len(candidates) >= count:
        return None
    detail = (
        f"{game.name_of(total.source)} costs to {part.verb} {count}; you have {len(candidates)}"
    )
    return Refused(Code.COST_UNPAYABLE, "118.3", detail, f"have {count} to {part.verb}")


def actions_of_parts(total: TotalCost, payment: Payment) -> list[Action]:
    """Return the actions that pay the parts other than mana (CR 601.2h)."""
    cost, source, rule, cause = total.cost, total.source, total.rule, total.cause
    actions: list[Action] = []
    if cost.tap:
        actions.append(Tap("701.21a", cause, source))
    if cost.untap:
        actions.append(Untap("701.21b", cause, source))
    if cost.life + payment.life:
        actions.append(Lose("119.4", cause, total.player, cost.life + payment.life))
    if cost.loyalty is not None and cost.loyalty > 0:
        actions.append(AddCounters("606.4", cause, source, "loyalty", cost.loyalty))
    if cost.loyalty is not None and cost.loyalty < 0:
        actions.append(TakeCounters("606.4", cause, source, "loyalty", -cost.loyalty))
    if cost.remove_counters is not None:
        actions.append(TakeCounters(rule, cause, source, *cost.remove_counters))
    for part in PARTS:
        for item in getattr(payment, part.paid):
            if part.to is None:
                actions.append(Tap(part.rule, cause, item))
            else:
                actions.append(Move(part.rule, cause, item, part.to, manner=part.manner))
    return actions
