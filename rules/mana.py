"""Mana abilities (CR 605) and what a player could pay mana with."""

from __future__ import annotations

import msgspec

from ..cards.model import (
    Ability,
    ActivatedAbility,
    AddMana,
    Cost,
    If,
    Instruction,
    May,
    Number,
    This,
    You,
)
from ..events.ids import DefinitionId, ObjectId, PlayerId, ZoneKind
from ..projections.characteristics import Characteristics
from ..projections.context import Context
from ..projections.filters import amount_of
from ..projections.position import Position
from .mana_costs import ManaCost, Offer, Use, bills_of, find_uses, mana_cost_of
from .targets import is_targeted

TAPS_ITSELF = Cost(tap=True)
"""The cost of the mana abilities that the engine uses by itself to pay."""


def is_mana_ability(ability: ActivatedAbility) -> bool:
    """Say whether an activated ability is a mana ability (CR 605.1a).

    It has no target, could add mana as it resolves, and is not a loyalty ability.
    """
    if ability.cost.loyalty is not None or is_targeted(ability):
        return False
    body = ability.body
    return any(map(could_add_mana, body.instructions)) or any(
        could_add_mana(instruction) for mode in body.modes for instruction in mode.instructions
    )


def could_add_mana(instruction: Instruction) -> bool:
    """Say whether an instruction may add mana, also only if something holds (CR 605.1a)."""
    match instruction:
        case AddMana():
            return True
        case May(do=do, then=then, otherwise=otherwise):
            return any(map(could_add_mana, (*do, *then, *otherwise)))
        case If(then=then, otherwise=otherwise):
            return any(map(could_add_mana, (*then, *otherwise)))
        case _:
            return False


def activated_abilities(traits: Characteristics) -> tuple[ActivatedAbility, ...]:
    """Return an object's activated abilities in order: a decision names one by its place."""
    return tuple(ability for ability in traits.abilities if isinstance(ability, ActivatedAbility))


def is_simple(ability: ActivatedAbility) -> bool:
    """Say whether a mana ability only adds mana to its controller's pool."""
    body = ability.body
    return len(body.instructions) == 1 and not body.modes and is_own_mana(body.instructions[0])


def is_own_mana(instruction: Instruction) -> bool:
    """Say whether an instruction adds mana to the pool of the ability's controller."""
    return isinstance(instruction, AddMana) and isinstance(instruction.player, You)


def mana_options(
    game: Position, source: ObjectId, player: PlayerId, ability: ActivatedAbility
) -> tuple[str, ...]:
    """Return what a mana ability would add to its controller's pool now: one of these (106.4)."""
    options: list[str] = [""]
    for instruction in ability.body.instructions:
        if isinstance(instruction, AddMana) and is_own_mana(instruction):
            amount = amount_of(game, instruction.amount, Context(source=source, you=player))
            added = [letters_of(option) * max(0, amount) for option in instruction.options]
            options = [before + after for before in options for after in added]
    return tuple(dict.fromkeys(options))


def letters_of(symbols: str) -> str:
    """Return mana symbols as a pool writes them: "WW" for "{W}{W}"."""
    return symbols.replace("{", "").replace("}", "")


def is_held_up(game: Position, permanent: ObjectId) -> bool:
    """Say whether a creature may not use {T} or {Q} yet (CR 302.6, 602.5a).

    It must have been its controller's since their most recent turn began, or have haste.
    """
    traits = game.characteristics(permanent)
    if not traits.is_creature or "haste" in traits.keywords:
        return False
    last_turn = game.state.players[traits.controller].last_turn
    return game.state.objects[permanent].since_turn >= max(last_turn, 0)


class ManaSource(msgspec.Struct, frozen=True):
    """A permanent that can be tapped for mana: the mana it could add, by ability number."""

    object: ObjectId
    options: tuple[tuple[str, int], ...]

    def number_of(self, mana: str) -> int:
        """Return the number of the first ability that adds this mana."""
        return next(number for option, number in self.options if option == mana)


class Facts(msgspec.Struct, frozen=True):
    """What abilities say about activating them, kept with the abilities it was read from.

    `others` are the activated abilities that use the stack, `by_hand` the mana abilities that no
    automatic payment uses, each with its number; `options` is what automatic payment may have of
    it, None where that changes.
    """

    abilities: tuple[Ability, ...]
    others: tuple[tuple[int, ActivatedAbility], ...]
    by_hand: tuple[tuple[int, ActivatedAbility], ...]
    options: tuple[tuple[str, int], ...] | None


_KNOWN: dict[tuple[DefinitionId, PlayerId], Facts] = {}
"""Facts by card and controller, good for as long as the object has those same abilities."""


def facts_of(game: Position, object_id: ObjectId, traits: Characteristics) -> Facts:
    """Return what an object's present abilities say about activating them."""
    key = (game.state.objects[object_id].card, traits.controller)
    known = _KNOWN.get(key)
    if known is None or known.abilities is not traits.abilities:
        known = _KNOWN[key] = _read(traits)
    return known


def _read(traits: Characteristics) -> Facts:
    numbered = tuple(enumerate(activated_abilities(traits)))
    return Facts(
        traits.abilities,
        tuple(pair for pair in numbered if not is_mana_ability(pair[1])),
        tuple(pair for pair in numbered if is_mana_ability(pair[1]) and not _is_automatic(pair[1])),
        _fixed_options(traits),
    )


def mana_sources(
    game: Position, player: PlayerId, exclude: tuple[ObjectId, ...] = ()
) -> tuple[ManaSource, ...]:
    """Return the permanents that the engine taps by itself to pay, in the order it prefers.

    Those with fewer kinds of mana first, then basic lands, other lands, the rest, creatures last;
    then by timestamp. Their abilities cost only to tap them and only add mana.
    """
    found: list[tuple[tuple[int, int, int, int], ManaSource]] = []
    objects = game.state.objects
    for object_id in game.state.battlefield:
        permanent = objects[object_id]
        if permanent.tapped or object_id in exclude:
            continue
        traits = game.characteristics(object_id)
        if traits.controller != player or not traits.abilities:
            continue
        options = _options_of(game, object_id, traits)
        if options and not (traits.is_creature and is_held_up(game, object_id)):
            kinds = len({letter for option, _ in options for letter in option})
            key = (kinds, _rank(traits), permanent.timestamp, object_id)
            found.append((key, ManaSource(object_id, options)))
    found.sort(key=lambda pair: pair[0])
    return tuple(source for _, source in found)


def _rank(traits: Characteristics) -> int:
    if traits.is_creature:
        return 3
    if not traits.is_land:
        return 2
    return 0 if "basic" in traits.supertypes else 1


def _options_of(
    game: Position, object_id: ObjectId, traits: Characteristics
) -> tuple[tuple[str, int], ...]:
    known = facts_of(game, object_id, traits)
    if known.options is not None:
        return known.options
    return tuple(
        (mana, number)
        for number, ability in enumerate(activated_abilities(traits))
        if _is_automatic(ability)
        for mana in mana_options(game, object_id, traits.controller, ability)
        if mana
    )


def _fixed_options(traits: Characteristics) -> tuple[tuple[str, int], ...] | None:
    """Return what the abilities offer if it is the same at any time, else None."""
    found: list[tuple[str, int]] = []
    for number, ability in enumerate(activated_abilities(traits)):
        if not _is_automatic(ability):
            continue
        adds = ability.body.instructions[0]
        assert isinstance(adds, AddMana), "a simple mana ability adds mana"
        if not isinstance(adds.amount, Number):
            return None
        found.extend((letters_of(option) * adds.amount.value, number) for option in adds.options)
    return tuple(found)


def _is_automatic(ability: ActivatedAbility) -> bool:
    return (
        ability.cost == TAPS_ITSELF
        and ability.zone == ZoneKind.BATTLEFIELD
        and not ability.once_each_turn
        and not ability.sorcery_speed
        and ability.only_if is None
        and is_simple(ability)
    )


def is_payable_source(ability: ActivatedAbility) -> bool:
    """Say whether a mana ability may stand in a payment: its own cost asks for no choice or mana.

    Others are activated by themselves before, and their mana is then in the pool.
    """
    cost = ability.cost
    no_choice = (
        cost.mana == ""
        and not cost.untap
        and cost.sacrifice in (None, This())
        and cost.discard is None
        and cost.exile is None
        and cost.return_to_hand is None
        and cost.tap_others is None
    )
    return no_choice and is_mana_ability(ability) and is_simple(ability)


class Means:
    """What a player can pay mana with at a moment: pool and sources. Made anew after any change."""

    def __init__(
        self, game: Position, player: PlayerId, exclude: tuple[ObjectId, ...] = ()
    ) -> None:
        """Look at pool and battlefield once."""
        mine = game.state.players[player]
        self.player = player
        self.pool = mine.pool
        self.any_mana = mine.any_mana
        self.life = mine.life
        self.sources = mana_sources(game, player, exclude)
        self.offers: tuple[Offer, ...] = (
            *((letter,) for letter in self.pool),
            *(tuple(mana for mana, _ in source.options) for source in self.sources),
        )
        self.most = len(self.pool) + sum(
            max(len(mana) for mana, _ in source.options) for source in self.sources
        )
        letters = dict.fromkeys(letter for offer in self.offers for o in offer for letter in o)
        self.letters = "".join(letters)
        self._payable: dict[tuple[str, int], bool] = {}

    def can_pay(self, mana: str, x: int = 0) -> bool:
        """Say whether a mana cost can be paid."""
        key = (mana, x)
        found = self._payable.get(key)
        if found is None:
            found = self._payable[key] = self._can_pay(mana_cost_of(mana, x))
        return found

    def _can_pay(self, cost: ManaCost) -> bool:
        if cost.snow:
            return False
        if self.any_mana:
            return True
        if cost.smallest > self.most:
            return False
        for pip in cost.pips:
            if not any(letter in self.letters for letter in pip):
                return False
        return self.plan(cost, self.life) is not None

    def plan(self, cost: ManaCost, life: int) -> tuple[int, tuple[Use, ...]] | None:
        """Return the life and the offers that pay a cost, with so much life at most to pay."""
        for bill in bills_of(cost):
            if bill.life <= life:
                uses = find_uses(bill, self.offers)
                if uses is not None:
                    return bill.life, uses
        return None
