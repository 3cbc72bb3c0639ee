"""Activating activated abilities (CR 602), mana abilities (605) and loyalty abilities (606)."""

from __future__ import annotations

import msgspec

from ..cards.model import ActivatedAbility
from ..events.decisions import ActivateAbility
from ..events.ids import NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..events.stack import AbilityActivated
from ..projections.context import Context
from ..projections.filters import holds
from ..projections.position import Position
from .actions import TO_BE_NAMED, Produce, occur
from .cost_parts import TotalCost, has_x
from .effects import follow
from .mana import activated_abilities, is_mana_ability, is_own_mana, mana_options
from .naming import is_there, name_for
from .payment import check_payment, complete_payment, pay
from .proposals import check_choices, check_x, with_forced_choices
from .protocol import Procedure, perform
from .timing import check_priority, check_sorcery_time


def check_activate(game: Position, player: PlayerId, decision: ActivateAbility) -> Refused | None:
    """Return None if the player may activate the ability so, its payment complete (CR 602)."""
    found = find_ability(game, player, decision)
    if isinstance(found, Refused):
        return found
    refused = _check_announced(game, player, decision, found)
    if refused is not None:
        return refused
    return check_payment(game, ability_total(player, decision, found), decision.payment)


def complete_activation(
    game: Position, player: PlayerId, decision: ActivateAbility
) -> ActivateAbility | Refused:
    """Return the proposal with what was left open filled in, or why that cannot be (CR 602.2b)."""
    ability = find_ability(game, player, decision)
    if isinstance(ability, Refused):
        return ability
    context = Context(source=decision.object, you=player, x=decision.x)
    targets, modes = with_forced_choices(game, ability.body, decision, context)
    mana = decision.mana
    if not mana and is_mana_ability(ability):
        options = mana_options(game, decision.object, player, ability)
        mana = options[0] if len(options) == 1 else ""
    if (targets, modes, mana) != (decision.targets, decision.modes, decision.mana):
        decision = msgspec.structs.replace(decision, targets=targets, modes=modes, mana=mana)
    refused = _check_announced(game, player, decision, ability)
    if refused is not None:
        return refused
    payment = complete_payment(game, ability_total(player, decision, ability), decision.payment)
    if isinstance(payment, Refused):
        return payment
    if payment == decision.payment:
        return decision
    return msgspec.structs.replace(decision, payment=payment)


def find_ability(
    game: Position, player: PlayerId, decision: ActivateAbility
) -> ActivatedAbility | Refused:
    """Return the ability that the player could begin to activate now, or why not (CR 602.5)."""
    refused = check_priority(game, player)
    if refused is not None:
        return refused
    if not is_there(game, player, decision.object):
        detail = f"there is no object #{decision.object}"
        return Refused(Code.NO_SUCH_OBJECT, "602.2", detail, "name an object that is there now")
    found = game.state.objects[decision.object]
    traits = game.characteristics(decision.object)
    name = name_for(game, player, decision.object)
    if _player_of(found.zone, traits.controller, found.owner) != player:
        detail = f"{name} is not yours to activate abilities of"
        return Refused(Code.NOT_YOURS, "602.2", detail, f"control {name}")
    abilities = activated_abilities(traits)
    if not 0 <= decision.number < len(abilities):
        detail = f"{name} has no activated ability number {decision.number + 1}"
        change = (
            f"name one of its {len(abilities)}" if abilities else "let it gain an ability first"
        )
        return Refused(Code.NO_SUCH_ABILITY, "602.1", detail, change)
    ability = abilities[decision.number]
    if ability.zone != found.zone:
        detail = f"that ability of {name} works only in the zone {ability.zone.name.lower()}"
        change = f"have {name} in the zone {ability.zone.name.lower()}"
        return Refused(Code.WRONG_ZONE, "113.6", detail, change)
    return _check_time(game, player, decision.object, ability) or ability


def _player_of(zone: ZoneKind, controller: PlayerId, owner: PlayerId) -> PlayerId:
    """Return who may activate an object's abilities: its controller, else its owner (CR 602.2)."""
    return controller if zone in {ZoneKind.BATTLEFIELD, ZoneKind.STACK} else owner


def _check_time(
    game: Position, player: PlayerId, source: ObjectId, ability: ActivatedAbility
) -> Refused | None:
    name = game.name_of(source)
    if ability.cost.loyalty is not None:
        what = f"the loyalty abilities of {name} are activated as a sorcery is cast"
        return check_sorcery_time(game, player, what, "606.3") or _check_loyalty(game, source)
    if ability.sorcery_speed:
        what = f"that ability of {name} is activated only as a sorcery"
        refused = check_sorcery_time(game, player, what, "602.5d")
        if refused is not None:
            return refused
    if ability.only_if is not None:
        context = Context(source=source, you=player)
        if not holds(game, ability.only_if, context):
            detail = f"what that ability of {name} asks for does not hold now"
            return Refused(Code.ACTIVATION_LIMIT, "602.5b", detail, "wait until it holds")
    if ability.once_each_turn:
        digest = game.definitions.digest_of_ability(ability)
        if (source, digest) in game.state.turn.activations:
            detail = f"that ability of {name} was activated this turn and can be only once"
            change = "wait for the next turn"
            return Refused(Code.ACTIVATION_LIMIT, "602.5b", detail, change)
    return None


def _check_loyalty(game: Position, source: ObjectId) -> Refused | None:
    """Return None if no loyalty ability of the permanent was activated this turn (CR 606.3)."""
    for other, digest in game.state.turn.activations:
        if other != source:
            continue
        ability = game.definitions.ability(digest)
        if isinstance(ability, ActivatedAbility) and ability.cost.loyalty is not None:
            detail = f"a loyalty ability of {game.name_of(source)} was activated this turn"
            return Refused(Code.ACTIVATION_LIMIT, "606.3", detail, "wait for the next turn")
    return None


def _check_announced(
    game: Position, player: PlayerId, decision: ActivateAbility, ability: ActivatedAbility
) -> Refused | None:
    name = game.name_of(decision.object)
    context = Context(source=decision.object, you=player, x=decision.x)
    return (
        check_x(name, decision.x, has_x=has_x(ability.cost))
        or check_choices(game, ability.body, decision, context)
        or _check_mana(game, player, decision, ability)
    )


def _check_mana(
    game: Position, player: PlayerId, decision: ActivateAbility, ability: ActivatedAbility
) -> Refused | None:
    """Return None if the mana named is what the ability may add (CR 106.4, 605.1a)."""
    options: tuple[str, ...] = ("",)
    if is_mana_ability(ability):
        options = mana_options(game, decision.object, player, ability)
    if decision.mana in options:
        return None
    name = game.name_of(decision.object)
    wanted = " or ".join(option or "nothing" for option in options)
    detail = f"{name} adds {wanted}, not {decision.mana or 'nothing'}"
    return Refused(Code.CHOICE_ILLEGAL, "106.4", detail, f"choose {wanted}")


def ability_total(
    player: PlayerId, decision: ActivateAbility, ability: ActivatedAbility
) -> TotalCost:
    """Return what activating the ability costs (CR 602.1a, 602.2b)."""
    return TotalCost(player, decision.object, ability.cost, decision.x, rule="602.2b")


def activate(game: Position, decision: ActivateAbility) -> Procedure[None]:
    """Activate an ability: pay its cost; it goes on the stack, or adds its mana at once.

    CR 602.2, 605.3b. The decision is complete and was checked. The ability is what the object has
    before its cost is paid, which may be to sacrifice it.
    """
    player, source = decision.player, decision.object
    ability = activated_abilities(game.characteristics(source))[decision.number]
    uses_stack = not is_mana_ability(ability)
    event = AbilityActivated(
        "602.2b" if uses_stack else "605.3b",
        0,
        TO_BE_NAMED if uses_stack else NOTHING,
        source,
        player,
        game.definitions.digest_of_ability(ability),
        decision.number,
        decision.targets,
        decision.modes,
        decision.x,
    )
    yield from pay(game, ability_total(player, decision, ability), decision.payment)
    if uses_stack:
        yield from perform(occur(event))
        return
    yield from _add_mana(game, decision, ability, event)


def _add_mana(
    game: Position, decision: ActivateAbility, ability: ActivatedAbility, event: AbilityActivated
) -> Procedure[None]:
    """Let a mana ability resolve right after it was activated (CR 605.3b)."""
    player, source = decision.player, decision.object
    added = (Produce("106.4", 0, player, source, decision.mana),) if decision.mana else ()
    yield from perform(occur(event), *added)
    rest = tuple(one for one in ability.body.instructions if not is_own_mana(one))
    if rest:
        yield from follow(game, rest, Context(source=source, you=player, x=decision.x))
