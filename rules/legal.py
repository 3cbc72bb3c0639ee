"""The legal actions of a player with priority (CR 117.1), listed lazily, and what fills them in."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..cards.model import ActivatedAbility
from ..events.base import Decision
from ..events.decisions import (
    ActivateAbility,
    Answer,
    CastSpell,
    ChooseTargets,
    PassPriority,
    Payment,
    PlayLand,
    TurnFaceUp,
)
from ..events.ids import NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.refused import Refused
from ..projections.context import Context
from ..projections.position import Position
from .activating import ability_total, complete_activation, find_ability
from .casting import casts_as_with_flash, complete_cast, is_castable, is_instant_speed, lacks_legend
from .face_down import complete_turn_up
from .lands import may_play_lands
from .mana import Means, facts_of, mana_options
from .mana_costs import mana_cost_of
from .payment import MayPay, can_pay_parts, complete_payment, payment_options
from .prompts import ChooseTriggerTargets, prompt_for
from .protocol import Prompt
from .spell_costs import spell_mana
from .targets import choices, spell_body
from .timing import is_sorcery_time

X_LISTED_MAX = 20
"""The largest X that is listed for a player whose costs are always payable."""


def complete(
    game: Position, decision: Decision, prompt: Prompt | None = None
) -> Decision | Refused:
    """Return the decision with payment and forced choices filled in, as it will be recorded.

    What is complete comes back as it is, and so does what speaks for no player of the game: the
    prompt refuses it. A Refused says why a decision can't be completed.
    """
    if not 0 <= decision.player < len(game.state.players):
        return decision
    match decision:
        case CastSpell():
            return complete_cast(game, decision.player, decision)
        case ActivateAbility():
            return complete_activation(game, decision.player, decision)
        case TurnFaceUp():
            return complete_turn_up(game, decision.player, decision)
        case Answer(yes=True) if isinstance(prompt, MayPay):
            payment = complete_payment(game, prompt.total, decision.payment)
            if isinstance(payment, Refused):
                return payment
            return msgspec.structs.replace(decision, payment=payment)
        case ChooseTargets(targets=()) if isinstance(prompt, ChooseTriggerTargets):
            only = prompt.only_option(game)
            if not isinstance(only, ChooseTargets):
                return decision
            return msgspec.structs.replace(decision, targets=only.targets, modes=only.modes)
        case _:
            return decision


def legal_actions(game: Position, player: PlayerId) -> Iterator[Decision]:
    """Yield what the player with priority may do: pass, lands, spells, abilities, mana abilities.

    Payments are left open but for objects given up: `complete` finds the mana.
    """
    asked = prompt_for(game, player)
    yield PassPriority(**asked)
    means = Means(game, player)
    if may_play_lands(game, player):
        for card in game.state.players[player].hand:
            if card and game.characteristics(card).is_land:
                yield PlayLand(**asked, object=card)
    yield from _spells(game, player, means)
    yield from _abilities(game, player, means)
    yield from _mana_abilities(game, player, means)


def _spells(game: Position, player: PlayerId, means: Means) -> Iterator[Decision]:
    asked = prompt_for(game, player)
    at_any_time = is_sorcery_time(game, player) or casts_as_with_flash(game, player)
    for card in tuple(game.state.players[player].hand):
        if card == NOTHING:
            continue
        traits = game.characteristics(card)
        if not (at_any_time or is_instant_speed(traits)) or not is_castable(traits):
            continue
        if lacks_legend(game, player, traits):
            continue
        for x in _values_of_x(means, spell_mana(game, player, traits)):
            context = Context(source=card, you=player, x=x)
            for targets, modes in choices(game, spell_body(traits), context):
                yield CastSpell(**asked, object=card, targets=targets, modes=modes, x=x)


def _values_of_x(means: Means, mana: str) -> Iterator[int]:
    """Yield the numbers for X with which the mana can be paid; 0 alone where there is no X."""
    if not means.can_pay(mana):
        return
    yield 0
    if not mana_cost_of(mana).variables:
        return
    x = 1
    while x <= X_LISTED_MAX and means.can_pay(mana, x):
        yield x
        x += 1


def _objects_with_abilities(game: Position, player: PlayerId) -> Iterator[ObjectId]:
    """Yield what may have abilities that the player can activate, battlefield first."""
    yield from game.state.battlefield
    mine = game.state.players[player]
    yield from (card for card in mine.hand if card)
    yield from mine.graveyard


def _abilities(game: Position, player: PlayerId, means: Means) -> Iterator[Decision]:
    for source in tuple(_objects_with_abilities(game, player)):
        traits = game.characteristics(source)
        if not traits.abilities or traits.controller != player:
            continue
        for number, ability in facts_of(game, source, traits).others:
            if ability.zone == game.state.objects[source].zone:
                yield from _activations(game, source, number, ability, means)


def _activations(
    game: Position, source: ObjectId, number: int, ability: ActivatedAbility, means: Means
) -> Iterator[Decision]:
    player = means.player
    asked = prompt_for(game, player)
    mana = ability.cost.mana
    if mana and not means.can_pay(mana):
        return
    proposal = ActivateAbility(**asked, object=source, number=number)
    if isinstance(find_ability(game, player, proposal), Refused):
        return
    if not can_pay_parts(game, ability_total(player, proposal, ability)):
        return
    if mana and ability.cost.tap and any(one.object == source for one in means.sources):
        means = Means(game, player, (source,))
    for x in _values_of_x(means, mana):
        context = Context(source=source, you=player, x=x)
        proposal = msgspec.structs.replace(proposal, x=x)
        payments = tuple(_payments(game, proposal, ability))
        for targets, modes in choices(game, ability.body, context):
            for payment in payments:
                yield msgspec.structs.replace(
                    proposal, targets=targets, modes=modes, payment=payment
                )


def _payments(
    game: Position, proposal: ActivateAbility, ability: ActivatedAbility
) -> Iterator[Payment]:
    """Yield the choices of objects for the cost with which the mana can still be paid."""
    total = ability_total(proposal.player, proposal, ability)
    for payment in payment_options(game, total):
        busy = bool(payment.tapped) or (ability.cost.tap and bool(ability.cost.mana))
        if not busy or not isinstance(complete_payment(game, total, payment), Refused):
            yield payment


def _mana_abilities(game: Position, player: PlayerId, means: Means) -> Iterator[Decision]:
    asked = prompt_for(game, player)
    for source in means.sources:
        for mana, number in source.options:
            yield ActivateAbility(**asked, object=source.object, number=number, mana=mana)
    for permanent in tuple(game.state.battlefield):
        traits = game.characteristics(permanent)
        if not traits.abilities or traits.controller != player:
            continue
        for number, ability in facts_of(game, permanent, traits).by_hand:
            if ability.zone == ZoneKind.BATTLEFIELD:
                proposal = ActivateAbility(**asked, object=permanent, number=number)
                yield from _by_hand(game, proposal, ability, means)


def _by_hand(
    game: Position, proposal: ActivateAbility, ability: ActivatedAbility, means: Means
) -> Iterator[Decision]:
    """Yield the ways to activate a mana ability that costs more than to tap its source."""
    player, mana_cost = means.player, ability.cost.mana
    if mana_cost and not means.can_pay(mana_cost):
        return
    if isinstance(find_ability(game, player, proposal), Refused):
        return
    if not can_pay_parts(game, ability_total(player, proposal, ability)):
        return
    for mana in mana_options(game, proposal.object, player, ability):
        for payment in _payments(game, proposal, ability):
            yield msgspec.structs.replace(proposal, mana=mana, payment=payment)
