"""Paying costs (CR 118, 601.2f-h): what a payment must hold, how one is found, how it is paid."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from ..cards.model import Cost
from ..events.base import Decision
from ..events.decisions import Answer, Payment
from ..events.ids import NOTHING, ObjectId, ZoneKind
from ..events.mana import ManaSpent
from ..events.refused import Code, Refused
from ..events.stack import AbilityActivated
from ..projections.mana import sorted_mana
from ..projections.position import Position
from .actions import Action, Produce, occur
from .cost_parts import (
    PARTS,
    TotalCost,
    actions_of_parts,
    check_enough,
    check_parts,
    choices_of_parts,
    has_parts,
    objects_for,
)
from .mana import (
    activated_abilities,
    is_payable_source,
    mana_options,
    mana_sources,
)
from .mana_costs import Offer, bills_of, find_uses, mana_cost_of, pays_exactly
from .naming import name_for
from .prompts import YesNo, taken_as
from .protocol import Procedure, perform

NO_PAYMENT = Payment()


@lru_cache(maxsize=4096)
def cost_in_mana(mana: str) -> Cost:
    """Return the cost that is only this mana: what a spell costs as a rule (CR 601.2f)."""
    return Cost(mana=mana)


def payment_options(game: Position, total: TotalCost) -> Iterator[Payment]:
    """Yield payments that differ in the objects given up, mana left open, lazily."""
    if has_parts(total.cost):
        yield from choices_of_parts(game, total)
    else:
        yield NO_PAYMENT


def can_pay_parts(game: Position, total: TotalCost) -> bool:
    """Say whether the parts other than mana can be paid (CR 118.3)."""
    first = next(payment_options(game, total), None)
    return first is not None and check_parts(game, total, first) is None


def complete_payment(game: Position, total: TotalCost, payment: Payment) -> Payment | Refused:
    """Return the payment with all filled in that was left open, or why that cannot be.

    Objects are filled in where there is just one choice. Mana is found in the pool first, then from
    sources that only tap; where `sources` or `life` are given, these are used.
    """
    for part in PARTS:
        if getattr(total.cost, part.wanted) is None or getattr(payment, part.paid):
            continue
        candidates, count = objects_for(game, total, part)
        refused = check_enough(game, total, part)
        if refused is not None:
            return refused
        if len(candidates) > count:
            detail = f"{game.name_of(total.source)} costs to {part.verb} {count}: say which"
            return Refused(Code.PAYMENT_WRONG, part.rule, detail, f"choose {count}")
        payment = msgspec.structs.replace(payment, **{part.paid: candidates})
    return _complete_mana(game, total, payment)


def _complete_mana(game: Position, total: TotalCost, payment: Payment) -> Payment | Refused:
    cost = mana_cost_of(total.cost.mana, total.x)
    mine = game.state.players[total.player]
    if payment.mana or (mine.any_mana and not payment.sources):
        return payment
    if cost.snow:
        return _not_built(game, total)
    if not (cost.pips or cost.generic or cost.split or cost.phyrexian):
        return payment
    exclude = (*_busy(total, payment), *(source for source, _, _ in payment.sources))
    sources = mana_sources(game, total.player, exclude)
    ready = sorted_mana(mine.pool) + "".join(mana for _, _, mana in payment.sources)
    offers: tuple[Offer, ...] = (
        *((letter,) for letter in ready),
        *(tuple(mana for mana, _ in source.options) for source in sources),
    )
    for bill in bills_of(cost):
        if payment.life and bill.life != payment.life:
            continue
        if bill.life and mine.life < bill.life + total.cost.life:
            continue
        uses = find_uses(bill, offers)
        if uses is not None:
            tapped = [
                (sources[use.place - len(ready)], use.option)
                for use in uses
                if use.place >= len(ready)
            ]
            return msgspec.structs.replace(
                payment,
                sources=(
                    *payment.sources,
                    *((one.object, one.number_of(mana), mana) for one, mana in tapped),
                ),
                mana=sorted_mana("".join(use.spent for use in uses)),
                life=bill.life,
            )
    return _too_little(game, total)


def _busy(total: TotalCost, payment: Payment) -> tuple[ObjectId, ...]:
    """Return the permanents that the cost itself taps: these give no mana as well."""
    return (*((total.source,) if total.cost.tap else ()), *payment.tapped)


def _too_little(game: Position, total: TotalCost) -> Refused:
    name, mana = game.name_of(total.source), total.cost.mana
    detail = f"{name} costs {mana}" + (f" with X = {total.x}" if "{X}" in mana else "")
    return Refused(
        Code.COST_UNPAYABLE,
        "118.3",
        f"{detail}, which your mana pool and untapped mana sources can't pay",
        "have more mana, or activate other mana abilities first",
    )


def _not_built(game: Position, total: TotalCost) -> Refused:
    detail = f"{game.name_of(total.source)} costs snow mana, which is not built yet"
    return Refused(Code.NOT_BUILT, "107.4h", detail, "use a card that costs no snow mana")


def check_payment(game: Position, total: TotalCost, payment: Payment) -> Refused | None:
    """Return None if the payment, complete, pays the cost exactly (CR 118.3, 601.2h)."""
    return (
        check_parts(game, total, payment)
        or _check_sources(game, total, payment)
        or _check_mana(game, total, payment)
    )


def _check_sources(game: Position, total: TotalCost, payment: Payment) -> Refused | None:
    """Return None if the mana abilities of the payment can all be activated (CR 601.2g)."""
    busy = list(_busy(total, payment))
    given_up = (*payment.sacrificed, *payment.exiled, *payment.returned)
    life = total.cost.life + payment.life
    for source, number, mana in payment.sources:
        refused = _check_source(game, total, source, number, mana)
        if refused is not None:
            return refused
        cost = activated_abilities(game.characteristics(source))[number].cost
        name = game.name_of(source)
        if source in busy:
            detail = f"{name} is used twice to pay"
            return Refused(Code.ALREADY_TAPPED, "118.10", detail, "use each permanent once")
        if cost.sacrifice is not None and source in given_up:
            detail = f"{name} is given up twice"
            return Refused(Code.PAYMENT_WRONG, "118.10", detail, "give each permanent up once")
        busy.append(source)
        life += cost.life
    if life and life > game.state.players[total.player].life:
        detail = f"that costs {life} life, more than you have"
        return Refused(Code.COST_UNPAYABLE, "119.4", detail, f"have at least {life} life")
    return None


def _check_source(
    game: Position, total: TotalCost, source: ObjectId, number: int, mana: str
) -> Refused | None:
    name = name_for(game, total.player, source)
    if not game.is_in(source, ZoneKind.BATTLEFIELD):
        detail = f"{name} is not on the battlefield"
        return Refused(Code.NO_SUCH_OBJECT, "605.3a", detail, "take mana from a permanent of yours")
    traits = game.characteristics(source)
    if traits.controller != total.player:
        detail = f"you do not control {name}"
        return Refused(Code.NOT_YOURS, "602.2", detail, "take mana from a permanent of yours")
    abilities = activated_abilities(traits)
    if not 0 <= number < len(abilities) or not is_payable_source(abilities[number]):
        detail = f"{name} has no mana ability {number + 1} that a payment may use"
        change = "activate it before, as an action of its own"
        return Refused(Code.NO_SUCH_ABILITY, "605.1a", detail, change)
    ability = abilities[number]
    if mana not in mana_options(game, source, total.player, ability):
        detail = f"{name} does not add {mana or 'nothing'}"
        return Refused(Code.PAYMENT_WRONG, "106.4", detail, "name mana that it adds")
    own = TotalCost(total.player, source, ability.cost)
    return check_parts(game, own, _own_payment(source, ability.cost))


def _own_payment(source: ObjectId, cost: Cost) -> Payment:
    """Return what a mana ability in a payment is paid with: itself, where it is sacrificed."""
    return Payment(sacrificed=(source,)) if cost.sacrifice is not None else NO_PAYMENT


def _check_mana(game: Position, total: TotalCost, payment: Payment) -> Refused | None:
    """Return None if the mana is there and pays the cost exactly (CR 118.3a, 202.1a)."""
    cost = mana_cost_of(total.cost.mana, total.x)
    mine = game.state.players[total.player]
    name = game.name_of(total.source)
    if cost.snow:
        return _not_built(game, total)
    pool = mine.pool + "".join(mana for _, _, mana in payment.sources)
    for letter in dict.fromkeys(payment.mana):
        if payment.mana.count(letter) > pool.count(letter):
            detail = f"your mana pool has too little {{{letter}}} to pay for {name}"
            return Refused(Code.PAYMENT_WRONG, "118.3a", detail, "activate more mana abilities")
    if mine.any_mana and not payment.mana:
        return None
    for bill in bills_of(cost):
        if bill.life == payment.life and pays_exactly(bill, payment.mana):
            return None
    spent = "".join(f"{{{letter}}}" for letter in payment.mana) or "no mana"
    detail = f"{spent} does not pay {total.cost.mana or 'a cost without mana'} of {name}"
    return Refused(Code.PAYMENT_WRONG, "601.2h", detail, f"pay {total.cost.mana or 'nothing'}")


def pay(game: Position, total: TotalCost, payment: Payment) -> Procedure[None]:
    """Activate the mana abilities of the payment, then pay the cost, as one action each (601.2g-h).

    The payment is complete and was checked: a cost is never paid in part.
    """
    refused = check_payment(game, total, payment)
    assert refused is None, f"a payment was not checked: {refused}"
    sources = _source_actions(game, total, payment)
    yield from perform(*sources)
    actions = actions_of_parts(total, payment)
    if payment.mana:
        actions.insert(0, occur(ManaSpent(total.rule, total.cause, total.player, payment.mana)))
    yield from perform(*actions)


def _source_actions(game: Position, total: TotalCost, payment: Payment) -> list[Action]:
    """Return the actions of activating mana abilities, which resolve at once (CR 605.3b)."""
    actions: list[Action] = []
    for source, number, mana in payment.sources:
        ability = activated_abilities(game.characteristics(source))[number]
        own = TotalCost(total.player, source, ability.cost, rule="605.3b", cause=total.cause)
        actions.extend(actions_of_parts(own, _own_payment(source, ability.cost)))
        digest = game.definitions.digest_of_ability(ability)
        event = AbilityActivated(
            "605.3b", total.cause, NOTHING, source, total.player, digest, number, (), (), 0
        )
        actions.append(occur(event))
        actions.append(Produce("106.4", total.cause, total.player, source, mana))
    return actions


class MayPay(YesNo, frozen=True, kw_only=True):
    """May the player pay a cost? Answered by `Answer`, a yes with its payment (CR 118.12)."""

    total: TotalCost

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None for a no, and for a yes whose payment can be made."""
        taken = taken_as(self, decision, Answer)
        if isinstance(taken, Refused):
            return taken
        if not taken.yes:
            return None
        payment = complete_payment(game, self.total, taken.payment)
        if isinstance(payment, Refused):
            return payment
        return check_payment(game, self.total, payment)

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield no, then yes with the ways to pay, if there are any."""
        yield Answer(self.seat, self.player, self.counter, yes=False)
        for chosen in payment_options(game, self.total):
            payment = complete_payment(game, self.total, chosen)
            if isinstance(payment, Refused) or check_payment(game, self.total, payment):
                return
            yield Answer(self.seat, self.player, self.counter, yes=True, payment=payment)
