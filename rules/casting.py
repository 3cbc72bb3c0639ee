"""Casting spells (CR 601)."""

from __future__ import annotations

import msgspec

from ..cards.mana import symbols_of
from ..cards.model import SpellsHaveFlash
from ..events.decisions import CastSpell
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..events.stack import SpellCast
from ..projections.characteristics import FACE_DOWN, Characteristics
from ..projections.context import Context
from ..projections.position import Position
from .actions import Move, occur
from .cost_parts import TotalCost
from .effects_zones import rename
from .lands import check_in_hand, moved_to
from .mana_costs import mana_cost_of
from .payment import check_payment, complete_payment, cost_in_mana, pay
from .proposals import check_choices, check_x, with_forced_choices
from .protocol import Procedure, perform
from .spell_costs import spell_mana
from .targets import spell_body
from .timing import check_priority, check_sorcery_time

CASTABLE_TYPES = {
    "artifact": "301.1",
    "battle": "310.1",
    "creature": "302.1",
    "enchantment": "303.1",
    "planeswalker": "306.1",
    "sorcery": "307.1",
    "instant": "304.1",
}
"""The types that are cast, with the rule that says when."""


FACE_DOWN_CAST = ("morph",)
"""The option of `CastSpell` by which a card with morph is cast face down (CR 702.37c)."""

FACE_DOWN_COST = "{3}"


def is_instant_speed(traits: Characteristics) -> bool:
    """Say whether it may be cast any time its player has priority (CR 304.1, 702.8a)."""
    return "instant" in traits.types or "flash" in traits.keywords


def casts_as_with_flash(game: Position, player: PlayerId) -> bool:
    """Say whether an effect lets a player cast spells as though they had flash (CR 702.8a)."""
    return any(
        isinstance(rule, SpellsHaveFlash)
        for item in game.permanents_of(player)
        for rule in game.characteristics(item).rules
    )


def is_castable(traits: Characteristics) -> bool:
    """Say whether such a card can be cast at all: no land, with a mana cost (CR 118.6, 305.9)."""
    return (
        bool(traits.mana_cost)
        and not traits.is_land
        and any(name in CASTABLE_TYPES for name in traits.types)
    )


def lacks_legend(game: Position, player: PlayerId, traits: Characteristics) -> bool:
    """Say whether it is a legendary instant or sorcery whose player has no legend (CR 205.4e)."""
    if "legendary" not in traits.supertypes or not {"instant", "sorcery"} & set(traits.types):
        return False
    return not any(
        "legendary" in mine.supertypes
        and ("creature" in mine.types or "planeswalker" in mine.types)
        for mine in map(game.characteristics, game.permanents_of(player))
    )


def announced_traits(game: Position, decision: CastSpell) -> Characteristics:
    """Return what the spell will be: cast face down a nameless 2/2 creature (CR 708.4)."""
    if decision.options == FACE_DOWN_CAST:
        return msgspec.structs.replace(FACE_DOWN, controller=decision.player)
    return game.characteristics(decision.object)


def _check_face_down(game: Position, player: PlayerId, traits: Characteristics) -> Refused | None:
    """Return None if the player could cast the card face down now (CR 702.37c)."""
    if "morph" not in traits.keywords:
        detail = f"{traits.name} has no morph"
        return Refused(Code.NOT_CASTABLE, "702.37c", detail, "cast it for its mana cost")
    if casts_as_with_flash(game, player):
        return None
    what = "a face-down spell is a creature"
    return check_sorcery_time(game, player, what, CASTABLE_TYPES["creature"])


def check_cast(game: Position, player: PlayerId, decision: CastSpell) -> Refused | None:
    """Return None if the player may cast the spell so, its payment complete (CR 601.2, 601.3)."""
    refused = check_proposal(game, player, decision)
    if refused is not None:
        return refused
    return check_payment(game, spell_total(game, player, decision), decision.payment)


def complete_cast(game: Position, player: PlayerId, decision: CastSpell) -> CastSpell | Refused:
    """Return the proposal with what was left open filled in, or why that cannot be (CR 601.2)."""
    refused = _check_card(game, player, decision)
    if refused is not None:
        return refused
    body = spell_body(announced_traits(game, decision))
    context = Context(source=decision.object, you=player, x=decision.x)
    targets, modes = with_forced_choices(game, body, decision, context)
    if targets != decision.targets or modes != decision.modes:
        decision = msgspec.structs.replace(decision, targets=targets, modes=modes)
    refused = _check_announced(game, player, decision)
    if refused is not None:
        return refused
    payment = complete_payment(game, spell_total(game, player, decision), decision.payment)
    if isinstance(payment, Refused):
        return payment
    if payment == decision.payment:
        return decision
    return msgspec.structs.replace(decision, payment=payment)


def check_proposal(game: Position, player: PlayerId, decision: CastSpell) -> Refused | None:
    """Return None if all that is announced is legal; the payment is not looked at (CR 601.2a-e)."""
    return _check_card(game, player, decision) or _check_announced(game, player, decision)


def _check_card(game: Position, player: PlayerId, decision: CastSpell) -> Refused | None:
    """Return None if the player could begin to cast the card now (CR 601.3)."""
    refused = check_priority(game, player) or check_in_hand(game, player, decision.object, "601.2a")
    if refused is not None:
        return refused
    traits = game.characteristics(decision.object)
    name = traits.name or "that card"
    if decision.options == FACE_DOWN_CAST:
        return _check_face_down(game, player, traits)
    if traits.is_land:
        detail = f"{name} is a land: lands are played, not cast"
        return Refused(Code.NOT_CASTABLE, "305.9", detail, "play it as a land")
    if not any(kind in CASTABLE_TYPES for kind in traits.types):
        detail = f"{name} is no card that can be cast"
        return Refused(Code.NOT_CASTABLE, "601.3", detail, "cast another card")
    if not traits.mana_cost or symbols_of(traits.mana_cost) is None:
        detail = f"{name} has no mana cost, which can't be paid"
        change = "cast it only where something lets you pay another cost"
        return Refused(Code.NOT_CASTABLE, "118.6", detail, change)
    if lacks_legend(game, player, traits):
        detail = f"{name} is legendary, and you control no legendary creature or planeswalker"
        change = "control a legendary creature or planeswalker"
        return Refused(Code.NOT_CASTABLE, "205.4e", detail, change)
    if is_instant_speed(traits) or casts_as_with_flash(game, player):
        return None
    kind = next(kind for kind in CASTABLE_TYPES if kind in traits.types)
    what = f"{name} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
    return check_sorcery_time(game, player, what, CASTABLE_TYPES[kind])


def _check_announced(game: Position, player: PlayerId, decision: CastSpell) -> Refused | None:
    traits = announced_traits(game, decision)
    if decision.options and decision.options != FACE_DOWN_CAST:
        detail = f"{traits.name} has no way of casting called {decision.options[0]!r} yet"
        return Refused(Code.NOT_BUILT, "601.2b", detail, "cast it for its mana cost")
    has_x = mana_cost_of(traits.mana_cost).variables > 0
    context = Context(source=decision.object, you=player, x=decision.x)
    return check_x(traits.name, decision.x, has_x=has_x) or check_choices(
        game, spell_body(traits), decision, context
    )


def spell_total(
    game: Position, player: PlayerId, decision: CastSpell, spell: ObjectId | None = None
) -> TotalCost:
    """Return what a spell costs: its mana cost, with what reduces it (CR 601.2f)."""
    source = decision.object if spell is None else spell
    if decision.options == FACE_DOWN_CAST:
        return TotalCost(player, source, cost_in_mana(FACE_DOWN_COST), decision.x)
    cost = cost_in_mana(spell_mana(game, player, game.characteristics(source)))
    return TotalCost(player, source, cost, decision.x)


def cast(game: Position, decision: CastSpell) -> Procedure[None]:
    """Cast a spell: put it on the stack, pay its cost, and it becomes cast (CR 601.2).

    The decision is complete and was checked, so nothing can fail half-way.
    """
    player, card = decision.player, decision.object
    is_face_down = decision.options == FACE_DOWN_CAST
    if is_face_down:
        names = yield from rename(player, ZoneKind.HAND, Context(source=card, you=player))
        card = names.get(card, card)
    happened = yield from perform(
        Move(
            "702.37c" if is_face_down else "601.2a",
            0,
            card,
            ZoneKind.STACK,
            manner="cast",
            controller=player,
            face_down=is_face_down,
        )
    )
    spell = moved_to(happened)
    assert game.is_in(spell, ZoneKind.STACK), "a spell that is cast lies on the stack (CR 601.2a)"
    yield from pay(game, spell_total(game, player, decision, spell), decision.payment)
    event = SpellCast("601.2i", 0, spell, player, decision.targets, decision.modes, decision.x)
    yield from perform(occur(event))
