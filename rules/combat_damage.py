"""How attackers and blockers assign combat damage, and who does in which step (CR 510)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec

from ..events.base import Decision
from ..events.decisions import DivideDamage
from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from .damage import lethal_damage
from .prompts import taken_as
from .protocol import Prompt

if TYPE_CHECKING:
    from ..projections.position import Position

Share = tuple[ObjectId, PlayerId, int]
"""Damage to an object, or to a player where the object is 0 (else the player is -1)."""

FAST = frozenset({"first strike", "double strike"})
"""Keywords with which creatures assign damage in the first of two steps (CR 510.4)."""


class Assigned(msgspec.Struct, frozen=True):
    """The damage that one creature assigns."""

    source: ObjectId
    shares: tuple[Share, ...]


class Assigner(msgspec.Struct, frozen=True):
    """A creature that assigns combat damage: how much, to which creatures and to what it attacks.

    `beyond` is what it attacks, where it may assign damage to that: (permanent, player), one of
    them set; for an unblocked attacker the only thing, for one with trample what comes after the
    creatures blocking it.
    """

    source: ObjectId
    amount: int
    creatures: tuple[ObjectId, ...]
    beyond: tuple[ObjectId, PlayerId] | None

    @property
    def is_bound(self) -> bool:
        """Say whether there is but one recipient for all of it."""
        return len(self.creatures) + (self.beyond is not None) == 1


class DividePrompt(Prompt, frozen=True, kw_only=True):
    """A player divides the combat damage of one creature, `source` (CR 510.1c, 510.1d).

    `assigned` is what others were assigned already in this step, `waiting` are the creatures of the
    same player whose damage is to be divided after this one: the total is judged (CR 510.1e).
    """

    kind: str = "damage-division"
    assigner: Assigner
    assigned: tuple[Assigned, ...] = ()
    waiting: tuple[Assigner, ...] = ()

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None for a legal division, else the rule that refuses it."""
        taken = taken_as(self, decision, DivideDamage)
        if isinstance(taken, Refused):
            return taken
        return self._why_illegal(game, taken.shares)

    def suggest(self, game: Position) -> Decision:
        """Return lethal damage to one creature after another, and the rest beyond them."""
        return next(self.options(game))

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield legal divisions, the suggestion first."""
        first = self._suggested(game)
        if self._why_illegal(game, first) is None:
            yield self._answer(first)
        for shares in self._divisions():
            if shares != first and self._why_illegal(game, shares) is None:
                yield self._answer(shares)

    def _answer(self, shares: tuple[Share, ...]) -> DivideDamage:
        return DivideDamage(self.seat, self.player, self.counter, shares)

    def _suggested(self, game: Position) -> tuple[Share, ...]:
        """Give each creature what is lethal, in order; the rest beyond, else to the last one."""
        left = self.assigner.amount
        amounts: list[int] = []
        needed = needed_damage(game, self.assigner.source, self.assigner.creatures, self.assigned)
        for creature in self.assigner.creatures:
            amounts.append(min(left, needed[creature]))
            left -= amounts[-1]
        if self.assigner.beyond is not None:
            return _shares(self.assigner, (left, *amounts))
        amounts[-1] += left
        return _shares(self.assigner, tuple(amounts))

    def _divisions(self) -> Iterator[tuple[Share, ...]]:
        """Yield all divisions, those that give nothing beyond the creatures first."""
        count = len(self.assigner.creatures) + (self.assigner.beyond is not None)
        for amounts in _partitions(self.assigner.amount, count):
            yield _shares(self.assigner, amounts)

    def _why_illegal(self, game: Position, shares: tuple[Share, ...]) -> Refused | None:
        name = game.name_of(self.assigner.source)
        refused = self._why_no_division(game, name, shares)
        if refused is not None:
            return refused
        mine = Assigned(self.assigner.source, shares)
        short = short_of_lethal(game, (*self.assigned, mine), self.waiting)
        if short is None:
            return None
        blocker = game.name_of(short)
        detail = f"{name} has trample: {blocker} is to be assigned lethal damage first"
        if not _goes_beyond(game, mine):
            detail = f"{blocker} is to be assigned lethal damage, since a trampler went beyond it"
        change = f"assign lethal damage to {blocker}, then the rest"
        return Refused(Code.DIVISION_ILLEGAL, "702.19b", detail, change)

    def _why_no_division(
        self, game: Position, name: str, shares: tuple[Share, ...]
    ) -> Refused | None:
        """Judge the recipients and the sum (CR 510.1a, 510.1c, 510.1d)."""
        may = [(item, NOBODY) for item in self.assigner.creatures]
        if self.assigner.beyond is not None:
            may.append(self.assigner.beyond)
        named = [(item, player) for item, player, _ in shares]
        for recipient in named:
            if recipient not in may:
                detail = f"{name} can't assign damage to {_whom(game, recipient)}"
                whom = " or ".join(_whom(game, one) for one in may)
                change = f"assign it to {whom}"
                return Refused(Code.DIVISION_ILLEGAL, "510.1c", detail, change)
        if len(set(named)) < len(named) or any(amount < 0 for *_, amount in shares):
            detail = f"each recipient of {name}'s damage stands there once, with 0 or more"
            change = "name each recipient once, with 0 or more"
            return Refused(Code.DIVISION_ILLEGAL, "510.1c", detail, change)
        total = sum(amount for *_, amount in shares)
        if total != self.assigner.amount:
            detail = f"{name} assigns {self.assigner.amount} damage, not {total}"
            change = f"divide {self.assigner.amount} in all"
            return Refused(Code.DIVISION_ILLEGAL, "510.1a", detail, change)
        return None


def _whom(game: Position, recipient: tuple[ObjectId, PlayerId]) -> str:
    item, player = recipient
    if item:
        return game.name_of(item) or "it"
    seats = game.state.players
    return seats[player].name if 0 <= player < len(seats) else "nobody"


def _shares(assigner: Assigner, amounts: tuple[int, ...]) -> tuple[Share, ...]:
    """Return shares of amounts: what goes beyond is the first amount and the last share."""
    if assigner.beyond is None:
        pairs = zip(assigner.creatures, amounts, strict=True)
        return tuple((item, NOBODY, amount) for item, amount in pairs)
    pairs = zip(assigner.creatures, amounts[1:], strict=True)
    found = [(item, NOBODY, amount) for item, amount in pairs]
    return (*found, (*assigner.beyond, amounts[0]))


def _partitions(total: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write a number as so many numbers in order, the first ascending."""
    if count == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _partitions(total - first, count - 1):
            yield (first, *rest)


def bound_shares(assigner: Assigner) -> tuple[Share, ...]:
    """Return the shares of a creature with but one recipient (CR 510.1)."""
    if assigner.beyond is not None:
        return ((*assigner.beyond, assigner.amount),)
    return ((assigner.creatures[0], NOBODY, assigner.amount),)


def is_fast(game: Position, creature: ObjectId) -> bool:
    """Say whether a creature has first strike or double strike (CR 702.7, 702.4)."""
    return bool(game.characteristics(creature).keywords & FAST)


def fast_creatures(game: Position) -> tuple[ObjectId, ...]:
    """Return the attacking and blocking creatures with first or double strike (CR 510.4)."""
    combat = game.state.combat
    return tuple(item for item in (*combat.attackers, *combat.blocks) if is_fast(game, item))


def assigns_in(game: Position, creature: ObjectId, *, first: bool) -> bool:
    """Say whether a creature assigns combat damage in the first or the last such step.

    CR 510.4: in the last, those that had neither first nor double strike as the first step began,
    and those with double strike now.
    """
    if first:
        return is_fast(game, creature)
    if creature not in game.state.combat.dealt_first:
        return True
    return "double strike" in game.characteristics(creature).keywords


def attacking_assigners(game: Position, *, first: bool) -> tuple[Assigner, ...]:
    """Return how the attackers that assign damage in this step may do so (CR 510.1a-c)."""
    found = [
        _attacker(game, item)
        for item in game.state.combat.attackers
        if assigns_in(game, item, first=first)
    ]
    return tuple(item for item in found if item is not None)


def blocking_assigners(game: Position, *, first: bool) -> tuple[Assigner, ...]:
    """Return how the blockers that assign damage in this step may do so (CR 510.1a, 510.1d)."""
    found = [
        _blocker(game, item)
        for item in game.state.combat.blocks
        if assigns_in(game, item, first=first)
    ]
    return tuple(item for item in found if item is not None)


def _attacker(game: Position, attacker: ObjectId) -> Assigner | None:
    """Return how an attacker may assign damage; None if it assigns none (CR 510.1a-c, 702.19)."""
    traits = game.characteristics(attacker)
    amount = traits.power or 0
    if amount <= 0 or not traits.is_creature:
        return None
    combat = game.state.combat
    if attacker not in combat.blocked:
        beyond = attacked_by(game, attacker)
        return Assigner(attacker, amount, (), beyond) if beyond is not None else None
    creatures = tuple(
        blocker
        for blocker, attackers in combat.blocks.items()
        if attacker in attackers and _can_be_assigned(game, blocker)
    )
    beyond = attacked_by(game, attacker) if "trample" in traits.keywords else None
    if not creatures and beyond is None:
        return None
    return Assigner(attacker, amount, creatures, beyond)


def _blocker(game: Position, blocker: ObjectId) -> Assigner | None:
    traits = game.characteristics(blocker)
    amount = traits.power or 0
    creatures = tuple(
        attacker
        for attacker in game.state.combat.blocks[blocker]
        if _can_be_assigned(game, attacker)
    )
    if amount <= 0 or not traits.is_creature or not creatures:
        return None
    return Assigner(blocker, amount, creatures, None)


def _can_be_assigned(game: Position, creature: ObjectId) -> bool:
    return game.is_in(creature, ZoneKind.BATTLEFIELD) and game.characteristics(creature).is_creature


def attacked_by(game: Position, attacker: ObjectId) -> tuple[ObjectId, PlayerId] | None:
    """Return what a creature is attacking now; None if that is gone (CR 506.4c, 510.1b).

    A player who has left, and a planeswalker that left, changed its controller or is none any
    more, are attacked by nothing.
    """
    defender, permanent = game.state.combat.attackers[attacker]
    if not permanent:
        is_there = not game.state.players[defender].has_left
        return (NOTHING, defender) if is_there else None
    if not game.is_in(permanent, ZoneKind.BATTLEFIELD):
        return None
    traits = game.characteristics(permanent)
    is_attacked = "planeswalker" in traits.types and traits.controller == defender
    return (permanent, NOBODY) if is_attacked else None


def needed_damage(
    game: Position,
    source: ObjectId,
    creatures: tuple[ObjectId, ...],
    assigned: tuple[Assigned, ...],
) -> dict[ObjectId, int]:
    """Return how much from a source makes lethal damage with what is assigned already.

    CR 702.19b: marked damage and that of other creatures in this step count, what would change
    the damage dealt does not. CR 702.2c: any damage from a source with deathtouch is lethal.
    """
    has_deathtouch = "deathtouch" in game.characteristics(source).keywords
    found: dict[ObjectId, int] = {}
    for creature in creatures:
        missing = _missing(game, creature, assigned)
        found[creature] = min(missing, 1) if has_deathtouch else missing
    return found


def _missing(game: Position, creature: ObjectId, assigned: tuple[Assigned, ...]) -> int:
    """Return how much of lethal damage nobody has assigned to a creature yet."""
    missing = lethal_damage(game, creature)
    for plan in assigned:
        amount = sum(part for item, _, part in plan.shares if item == creature)
        if amount and "deathtouch" in game.characteristics(plan.source).keywords:
            return 0
        missing -= amount
    return max(0, missing)


def short_of_lethal(
    game: Position, assigned: tuple[Assigned, ...], waiting: tuple[Assigner, ...]
) -> ObjectId | None:
    """Return a blocker that a trampler went beyond and that cannot get lethal damage any more.

    CR 702.19b, 510.1e: damage of attackers whose division is still to come counts as far as they
    could assign it. None if the plan is legal or can still become so.
    """
    missing: dict[ObjectId, int] = {}
    for plan in assigned:
        if _goes_beyond(game, plan):
            for item in _blockers_of(game, plan.source):
                missing[item] = _missing(game, item, assigned)
    missing = {item: amount for item, amount in missing.items() if amount}
    if not missing or _can_be_met(game, missing, waiting):
        return None
    return next(iter(missing))


def _goes_beyond(game: Position, plan: Assigned) -> bool:
    """Say whether a blocked attacker was given damage for what it attacks."""
    if plan.source not in game.state.combat.attackers:
        return False
    blockers = _blockers_of(game, plan.source)
    return any(amount > 0 and item not in blockers for item, _, amount in plan.shares)


def _blockers_of(game: Position, attacker: ObjectId) -> tuple[ObjectId, ...]:
    return tuple(
        blocker
        for blocker, attackers in game.state.combat.blocks.items()
        if attacker in attackers and _can_be_assigned(game, blocker)
    )


def _can_be_met(
    game: Position, missing: dict[ObjectId, int], waiting: tuple[Assigner, ...]
) -> bool:
    """Say whether creatures whose damage is not divided yet could assign what is missing."""
    missing = {item: amount for item, amount in missing.items() if amount}
    if not missing:
        return True
    if not waiting:
        return False
    first, *rest = waiting
    reached = [item for item in first.creatures if item in missing]
    if "deathtouch" in game.characteristics(first.source).keywords:
        count = min(first.amount, len(reached))
        tries = [dict.fromkeys(some, 0) for some in combinations(reached, count)]
    else:
        tries = [
            {item: missing[item] - amount for item, amount in zip(reached, amounts, strict=True)}
            for amounts in _useful(tuple(missing[item] for item in reached), first.amount)
        ]
    return any(_can_be_met(game, {**missing, **less}, tuple(rest)) for less in tries)


def _useful(wanted: tuple[int, ...], amount: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to give as much of an amount as is wanted."""
    if not wanted:
        yield ()
        return
    most = min(wanted[0], amount)
    for first in range(most, most - 1 if len(wanted) == 1 else -1, -1):
        for rest in _useful(wanted[1:], amount - first):
            yield (first, *rest)
