"""The greedy agent: it plays the best thing it sees at once, and attacks where that pays.

It looks one decision ahead and no further. What it decides follows from what its seat may know.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, takewhile
from typing import cast

from ..cards.model import ActivatedAbility, Body, Continuously
from ..events.base import Decision
from ..events.decisions import (
    ActivateAbility,
    AnyDecision,
    CastSpell,
    ChooseObjects,
    ChoosePlayers,
    ChooseTargets,
    KeepHand,
    PlayLand,
    TakeMulligan,
)
from ..events.ids import ObjectId, PlayerId, Step
from ..events.stack import ChosenTarget
from ..projections.characteristics import Characteristics
from ..rules.prompts import ChooseTriggerTargets
from ..rules.protocol import Prompt
from ..rules.targets import spell_body
from .agent_combat import attack, block
from .agent_values import (
    effects_on_target,
    instructions_of,
    is_about_all,
    kindness_of_aura,
    kindness_to_object,
    kindness_to_player,
    worth_of_permanent,
)
from .chance import Chance
from .knowledge import SeatKnowledge

OPTIONS_MAX = 48
"""How many options it weighs."""

ACTIVATIONS_MAX = 12
"""How often a turn it activates abilities of one object: what costs nothing must end too."""

LANDS_KEPT = (2, 5)
"""A hand with fewer or more lands goes back, once."""

GIVEN_UP = ("discard", "sacrifice", "bottom")
"""Kinds of choices in which the seat parts with what it chooses."""


class GreedyAgent:
    """Takes what looks best at once; chance decides between equals."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def decide(self, prompt: Prompt, game: SeatKnowledge) -> AnyDecision:
        """Return a legal answer to the prompt."""
        choose = _CHOOSERS.get(prompt.kind, _best_listed)
        return cast("AnyDecision", choose(prompt, game, Chance(self.seed, prompt.counter)))


def _priority(prompt: Prompt, game: SeatKnowledge, chance: Chance) -> Decision:
    """Act where an option is worth more than doing nothing; else pass."""
    options = game.lazy_options(prompt)
    best: Decision = next(options)
    if _is_waiting(game):
        return best
    best_worth = 0
    for option in islice(takewhile(is_no_mana, options), OPTIONS_MAX):
        worth = worth_of_action(game, option)
        if worth > best_worth or (worth == best_worth > 0 and chance.one_in(2)):
            best, best_worth = option, worth
    return best


def is_no_mana(option: object) -> bool:
    """Whether an option is none of the mana abilities, which are listed last."""
    return not (isinstance(option, ActivateAbility) and option.mana)


def _is_waiting(game: SeatKnowledge) -> bool:
    """Whether the seat lets its own spell or ability resolve first."""
    stack = game.stack
    return bool(stack) and game.traits(stack[-1]).controller == game.seat


def worth_of_action(game: SeatKnowledge, option: object) -> int:
    """Return what an action with priority is worth to the seat; 0 or less: not worth doing now."""
    match option:
        case PlayLand(object=land):
            return 500 + len(game.traits(land).abilities)
        case CastSpell(object=card):
            return _worth_of_spell(game, option, game.traits(card))
        case ActivateAbility(object=source, number=number):
            ability = game.activated(source, number)
            if not isinstance(ability, ActivatedAbility):
                return 0
            return _worth_of_ability(game, option, ability)
        case _:
            return 0


def _worth_of_spell(game: SeatKnowledge, option: CastSpell, traits: Characteristics) -> int:
    cost = 2 * traits.mana_value
    if "Aura" in traits.subtypes:
        worth = sum(_worth_of_aura(game, traits, target) for target in option.targets)
        return worth + cost if worth > 0 else 0
    if traits.is_creature or not traits.is_instant_or_sorcery:
        return 20 + cost + worth_of_permanent(traits)
    body = spell_body(traits)
    if not _is_timely(game, body):
        return 0
    worth = worth_of_effects(game, body, option.modes, option.targets) + option.x
    return worth + cost // 2 if worth > 0 else 0


def _worth_of_ability(
    game: SeatKnowledge, option: ActivateAbility, ability: ActivatedAbility
) -> int:
    body = ability.body
    already = sum(source == option.object for source, _ in game.turn.activations)
    if already >= ACTIVATIONS_MAX or not _is_timely(game, body):
        return 0
    price = _price_of(game, option)
    if ability.cost.tap and _wants_to_fight(game, option.object):
        price += 2
    return worth_of_effects(game, body, option.modes, option.targets) - price


def _price_of(game: SeatKnowledge, option: ActivateAbility) -> int:
    """Return what an activation gives up besides mana."""
    paid = option.payment
    given = (*paid.sacrificed, *paid.exiled, *paid.returned)
    return sum(worth_of_permanent(game.traits(item)) for item in given) + 4 * len(paid.discarded)


def _wants_to_fight(game: SeatKnowledge, source: ObjectId) -> bool:
    """Whether a creature had better stay untapped: before combat in its controller's turn."""
    traits = game.traits(source)
    is_before = game.turn.active == game.seat and game.turn.step <= Step.BEGIN_COMBAT
    return traits.is_creature and (traits.power or 0) > 1 and is_before


def _is_timely(game: SeatKnowledge, body: Body) -> bool:
    """Whether an effect comes at its time: a short-lived change in combat, after blocks."""
    is_short = any(
        isinstance(one, Continuously) and one.duration == "end-of-turn"
        for mode in (body.instructions, *(mode.instructions for mode in body.modes))
        for one in mode
    )
    if not is_short:
        return True
    return game.turn.step == Step.DECLARE_BLOCKERS


def worth_of_effects(
    game: SeatKnowledge, body: Body, modes: tuple[int, ...], targets: tuple[ChosenTarget, ...]
) -> int:
    """Return what a spell's or ability's instructions are worth to the seat."""
    total = 0
    for target in targets:
        for one in effects_on_target(body, modes, target.phrase):
            total += _worth_on(game, one, target)
    for one in instructions_of(body, modes):
        if not any(one in effects_on_target(body, modes, t.phrase) for t in targets):
            total += _worth_untargeted(game, one)
    return total


def _worth_on(game: SeatKnowledge, instruction: object, target: ChosenTarget) -> int:
    if not target.object:
        kindness = kindness_to_player(instruction)
        return kindness if target.player == game.seat else -kindness
    traits = game.traits(target.object)
    worth = worth_of_permanent(traits)
    kindness = kindness_to_object(instruction, target.phrase, worth)
    if isinstance(instruction, Continuously) and kindness > 0:
        kindness = kindness if _is_fighting(game, target.object) else 0
    return kindness if traits.controller in (game.seat, PlayerId(-1)) else -kindness


def _is_fighting(game: SeatKnowledge, creature: ObjectId) -> bool:
    """Whether a creature attacks or blocks: then a boost counts."""
    return creature in game.combat.attackers or creature in game.combat.blocks


def _worth_untargeted(game: SeatKnowledge, instruction: object) -> int:
    """Return what an instruction without a target is worth: for the seat, or for all alike."""
    if is_about_all(instruction):
        return _worth_for_all(game, instruction)
    kindness = kindness_to_player(instruction)
    if kindness:
        return kindness
    if isinstance(instruction, Continuously):
        return 2 if game.turn.step == Step.DECLARE_BLOCKERS else 0
    return 2


def _worth_for_all(game: SeatKnowledge, instruction: object) -> int:
    """Return what an effect on all, or on every creature, is worth: by who has more of them."""
    mine = _worth_of_board(game, game.seat)
    theirs = sum(_worth_of_board(game, player) for player in game.opponents())
    kindness = kindness_to_object(instruction, -1, LEAST) or kindness_to_player(instruction)
    if isinstance(instruction, Continuously):
        return kindness * len(game.able_blockers(game.seat)) if game.combat.attackers else 0
    if kindness < 0:
        return theirs - mine
    return mine - theirs if kindness > 0 else 1


LEAST = 6
"""The worth of an ordinary creature, where no single one is meant."""


def _worth_of_board(game: SeatKnowledge, player: PlayerId) -> int:
    traits = (game.traits(item) for item in game.permanents_of(player))
    return sum(worth_of_permanent(one) for one in traits if one.is_creature)


def _worth_of_aura(game: SeatKnowledge, aura: Characteristics, target: ChosenTarget) -> int:
    if not target.object:
        return -1 if target.player == game.seat else 1
    traits = game.traits(target.object)
    kindness = kindness_of_aura(aura, worth_of_permanent(traits))
    return kindness if traits.controller == game.seat else -kindness


# Other prompts


def _mulligan(prompt: Prompt, game: SeatKnowledge, _chance: Chance) -> Decision:
    """Keep a hand with some lands and some spells; a second one is always kept."""
    asked = (prompt.seat, prompt.player, prompt.counter)
    hand = game.hand()
    lands = sum(game.traits(card).is_land for card in hand)
    least, most = LANDS_KEPT
    decision = TakeMulligan(*asked)
    is_poor = not least <= lands <= most and game.player(game.seat).mulligans == 0
    if is_poor and game.is_accepted(prompt, decision):
        return decision
    return KeepHand(*asked)


def _attackers(prompt: Prompt, game: SeatKnowledge, _chance: Chance) -> Decision:
    return attack(prompt, game)


def _blockers(prompt: Prompt, game: SeatKnowledge, _chance: Chance) -> Decision:
    return block(prompt, game)


def _may(prompt: Prompt, game: SeatKnowledge, _chance: Chance) -> Decision:
    """Say yes where it is possible: what one may do is mostly good for one."""
    options = game.options(prompt, 2)
    return options[-1]


def _targets(prompt: Prompt, game: SeatKnowledge, _chance: Chance) -> Decision:
    """Choose the targets of a triggered ability that are best for the seat."""
    options = game.options(prompt, OPTIONS_MAX)
    if not isinstance(prompt, ChooseTriggerTargets):
        return options[0]
    body = prompt.body

    def worth(option: object) -> int:
        if not isinstance(option, ChooseTargets):
            return 0
        return worth_of_effects(game, body, option.modes, option.targets)

    return max(options, key=worth)


def _choose(prompt: Prompt, game: SeatKnowledge, _chance: Chance) -> Decision:
    """Part with the least, take the most."""
    sign = -1 if prompt.kind in GIVEN_UP else 1
    lands = sum(game.traits(item).is_land for item in game.permanents_of(game.seat))

    def worth(option: object) -> int:
        if not isinstance(option, ChooseObjects):
            return 0
        return sign * sum(_worth_of_card(game, item, lands) for item in option.objects)

    return max(game.options(prompt, OPTIONS_MAX), key=worth)


def _worth_of_card(game: SeatKnowledge, item: ObjectId, lands: int) -> int:
    """Return what a card or permanent is worth to its owner, lands the more the fewer there are."""
    traits = game.traits(item)
    worth = max(1, 12 - 2 * lands) if traits.is_land else worth_of_permanent(traits)
    return worth if traits.controller in (game.seat, PlayerId(-1)) else -worth


def _players(prompt: Prompt, game: SeatKnowledge, _chance: Chance) -> Decision:
    """Choose an opponent where one may be chosen."""
    options = game.options(prompt, OPTIONS_MAX)
    for option in options:
        if isinstance(option, ChoosePlayers) and game.seat not in option.players:
            return option
    return options[0]


def _best_listed(prompt: Prompt, game: SeatKnowledge, _chance: Chance) -> Decision:
    """Take the suggestion."""
    return game.suggestion(prompt)


_Chooser = Callable[[Prompt, SeatKnowledge, Chance], Decision]

_CHOOSERS: dict[str, _Chooser] = {
    "priority": _priority,
    "mulligan": _mulligan,
    "attackers": _attackers,
    "blockers": _blockers,
    "may": _may,
    "targets": _targets,
    "choose": _choose,
    "discard": _choose,
    "sacrifice": _choose,
    "bottom": _choose,
    "legend": _choose,
    "players": _players,
}
