"""What the greedy agent thinks things are worth: rough numbers, read off the ability model.

A value above 0 is good for whom the effect is about. Nothing here is a rule of the game.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..cards.model import (
    Attach,
    AttachedTo,
    Body,
    CannotAttack,
    CannotBlock,
    ChangeControl,
    Continuously,
    CounterSpell,
    CreateTokens,
    DealDamage,
    Delayed,
    Destroy,
    Discard,
    DoesNotUntap,
    DrawCards,
    EachPlayer,
    Every,
    Fight,
    GainLife,
    GrantAbility,
    If,
    LoseAbilities,
    LoseGame,
    LoseLife,
    May,
    Mill,
    Modification,
    ModifyPowerToughness,
    MoveObjects,
    Negative,
    Number,
    PutCounters,
    RemoveCounters,
    Sacrifice,
    SetPowerToughness,
    TapObjects,
    Target,
    UntapObjects,
    WinGame,
)
from ..events.ids import ZoneKind
from ..projections.characteristics import Characteristics
from ..rules.targets import parts_of

KEYWORD_VALUES = {
    "flying": 3,
    "double strike": 4,
    "first strike": 2,
    "deathtouch": 3,
    "lifelink": 2,
    "trample": 1,
    "vigilance": 1,
    "menace": 2,
    "reach": 1,
    "haste": 1,
    "hexproof": 2,
    "indestructible": 4,
    "defender": -2,
}
LARGE = 4
"""Stands for a number that is not printed."""

WIN = 1_000


def worth_of_permanent(traits: Characteristics) -> int:
    """Return what a permanent is worth to who has it, in the rough."""
    worth = 2 * traits.mana_value + 1
    if traits.is_creature:
        worth += 2 * max(traits.power or 0, 0) + max(traits.toughness or 0, 0)
        worth += sum(KEYWORD_VALUES.get(name, 0) for name in sorted(traits.keywords))
    return worth + 2 * len(traits.triggers) + 2 * len(traits.statics)


def number_in(amount: object) -> int:
    """Return the number an amount says, or a guess."""
    match amount:
        case Number(value=value):
            return value
        case Negative(of=inner):
            return -number_in(inner)
        case _:
            return LARGE


def effects_on_target(body: Body, modes: tuple[int, ...], phrase: int) -> list[object]:
    """Return the instructions that concern the n-th target of what was chosen."""
    found: list[object] = []
    for part in parts_of(body, modes):
        index = phrase - part.first_phrase
        found += [one for one in flattened(part.instructions) if _concerns(one, index)]
    return found


def instructions_of(body: Body, modes: tuple[int, ...]) -> list[object]:
    """Return all instructions of what was chosen, also those behind a condition."""
    return [one for part in parts_of(body, modes) for one in flattened(part.instructions)]


def flattened(instructions: Iterable[object]) -> list[object]:
    """Return instructions with those inside "may", "if" and delayed triggers."""
    found: list[object] = []
    for one in instructions:
        match one:
            case May(do=do, then=then):
                found += flattened((*do, *then))
            case If(then=then):
                found += flattened(then)
            case Delayed(body=body):
                found += flattened(body.instructions)
            case _:
                found.append(one)
    return found


def kindness_to_object(instruction: object, index: int, worth: int) -> int:
    """Return what an instruction does for the controller of a permanent it is about.

    `index` is the number of the target phrase within its part, `worth` the permanent's.
    """
    match instruction:
        case DealDamage():
            return -min(number_in(instruction.amount) * 3, worth)
        case Destroy() | CounterSpell():
            return -worth
        case MoveObjects(to=ZoneKind.BATTLEFIELD):
            return worth
        case MoveObjects(to=ZoneKind.HAND):
            return -worth // 2
        case MoveObjects():
            return -worth
        case TapObjects():
            return -2
        case UntapObjects():
            return 1
        case PutCounters(kind=kind, amount=amount):
            return (-3 if kind.startswith("-") else 3) * number_in(amount)
        case RemoveCounters():
            return -2
        case Fight(first=first):
            return 1 if first == Target(index) else -worth
        case Continuously(modifications=modifications):
            return kindness_of_changes(modifications, worth)
        case Attach():
            return 1
        case _:
            return 0


def kindness_to_player(instruction: object) -> int:
    """Return what an instruction does for the player it is about."""
    match instruction:
        case DealDamage(amount=amount) | LoseLife(amount=amount):
            return -2 * number_in(amount)
        case GainLife(amount=amount):
            return number_in(amount)
        case DrawCards(amount=amount):
            return 3 * number_in(amount)
        case Discard(amount=amount):
            return -3 * number_in(amount)
        case Mill(amount=amount):
            return -number_in(amount) // 2
        case Sacrifice():
            return -5
        case CreateTokens(amount=amount, token=token):
            size = (token.power or 0) + (token.toughness or 0)
            return (size + 1) * max(number_in(amount), 1)
        case WinGame():
            return WIN
        case LoseGame():
            return -WIN
        case _:
            return 0


def kindness_of_changes(changes: tuple[Modification, ...], worth: int) -> int:
    """Return what changes of a permanent do for its controller."""
    total = 0
    for change in changes:
        match change:
            case ModifyPowerToughness(power=power, toughness=toughness):
                total += 2 * number_in(power) + number_in(toughness)
            case CannotAttack() | CannotBlock() | DoesNotUntap():
                total -= worth // 2 + 1
            case ChangeControl() | LoseAbilities():
                total -= worth
            case SetPowerToughness():
                total -= worth // 2
            case GrantAbility():
                total += 2
            case _:
                pass
    return total


def kindness_of_aura(traits: Characteristics, worth: int) -> int:
    """Return what an Aura does for the controller of what it enchants."""
    total = 0
    for ability in traits.statics:
        if isinstance(ability.affects, AttachedTo):
            total += kindness_of_changes(ability.modifications, worth)
    return total or 1


def is_about_all(instruction: object) -> bool:
    """Whether an instruction is about every object of a kind, or each player."""
    what = getattr(instruction, "what", None) or getattr(instruction, "to", None)
    return isinstance(what, Every) or isinstance(getattr(instruction, "player", None), EachPlayer)


def _concerns(instruction: object, index: int) -> bool:
    """Whether a field of an instruction is the target of that number."""
    fields = getattr(instruction, "__struct_fields__", ())
    return any(getattr(instruction, name) == Target(index) for name in fields)
