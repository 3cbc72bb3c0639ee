"""Keywords that are short for abilities in other words (CR 702): those abilities.

Keywords that change how the rules work (flying, trample, …) have none; the rules read their names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec

from ..events.ids import Step, ZoneKind
from .model import (
    Ability,
    ActivatedAbility,
    Amount,
    Attach,
    Attacks,
    BecomesBlocked,
    BecomesTarget,
    Blocks,
    Body,
    CannotBlock,
    CastsSpell,
    Chosen,
    Comparison,
    Continuously,
    Cost,
    CounterSpell,
    CreateTokens,
    DefendingPlayer,
    Delayed,
    Dies,
    DrawCards,
    EachPlayer,
    Earlier,
    Enters,
    EventObject,
    EventPlayer,
    Every,
    Filter,
    Instruction,
    KeywordAbility,
    LoseLife,
    Matches,
    May,
    ModifyPowerToughness,
    MoveObjects,
    NotSo,
    Number,
    PowerOf,
    PutCounters,
    Sacrifice,
    StaticAbility,
    StepBegins,
    Target,
    TargetSpec,
    This,
    TokenTemplate,
    ToughnessOf,
    Trigger,
    TriggeredAbility,
    You,
)

_THIS = Filter(identity="this")
_CREATURE = Filter(types=("creature",))


@lru_cache(maxsize=4096)
def expanded(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """Return the abilities that a keyword ability stands for; none if it stands for itself."""
    make = _MAKERS.get(keyword.name)
    return make(keyword) if make is not None else ()


def with_expansions(abilities: tuple[Ability, ...]) -> tuple[Ability, ...]:
    """Return the abilities, and after them those that keywords among them stand for."""
    more = tuple(
        ability
        for keyword in abilities
        if isinstance(keyword, KeywordAbility)
        for ability in expanded(keyword)
    )
    return (*abilities, *more) if more else abilities


def _when(trigger: Trigger, *instructions: Instruction) -> TriggeredAbility:
    return TriggeredAbility(trigger, Body(instructions=instructions))


def _bonus(power: int, toughness: int) -> tuple[ModifyPowerToughness]:
    return (ModifyPowerToughness(Number(power), Number(toughness)),)


def _number(keyword: KeywordAbility) -> Number:
    assert keyword.amount is not None, f"{keyword.name} has a number"
    return Number(keyword.amount)


def _cost(keyword: KeywordAbility) -> Cost:
    assert keyword.cost is not None, f"{keyword.name} has a cost"
    return keyword.cost


def _afflict(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.130a."""
    return (_when(BecomesBlocked(_THIS), LoseLife(DefendingPlayer(), _number(keyword))),)


def _afterlife(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.135a."""
    spirit = TokenTemplate(
        1, 1, ("white", "black"), ("creature",), ("Spirit",), abilities=(KeywordAbility("flying"),)
    )
    return (_when(Dies(_THIS), CreateTokens(_number(keyword), spirit)),)


def _annihilator(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.86a."""
    chosen = Chosen(DefendingPlayer(), Filter(), _number(keyword))
    return (_when(Attacks(_THIS), Sacrifice(DefendingPlayer(), chosen)),)


def _battle_cry(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.91a."""
    del keyword
    others = Every(Filter(types=("creature",), attacking=True, identity="other"))
    return (_when(Attacks(_THIS), Continuously(others, _bonus(1, 0), "end-of-turn")),)


def _bushido(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.45a: blocking or becoming blocked; a creature never does both at once."""
    number = _number(keyword)
    stronger = Continuously(This(), (ModifyPowerToughness(number, number),), "end-of-turn")
    return (_when(Blocks(_THIS), stronger), _when(BecomesBlocked(_THIS), stronger))


def _cycling(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.29a."""
    cost = msgspec.structs.replace(_cost(keyword), discard=This())
    draw = Body(instructions=(DrawCards(You(), Number(1)),))
    return (ActivatedAbility(cost, draw, zone=ZoneKind.HAND),)


def _decayed(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.147a."""
    del keyword
    end_of_combat = StepBegins(Step.END_COMBAT, EachPlayer())
    gone = Delayed(end_of_combat, Body(instructions=(Sacrifice(You(), This()),)))
    return (StaticAbility(This(), (CannotBlock(),)), _when(Attacks(_THIS), gone))


def _equip(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.6a; 702.6c narrows the targets."""
    what = keyword.filter or _CREATURE
    spec = TargetSpec(msgspec.structs.replace(what, controller="you"))
    body = Body((spec,), (Attach(Target()),))
    return (ActivatedAbility(_cost(keyword), body, sorcery_speed=True),)


def _evolve(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.100a; its "if" is checked again as it resolves (603.4)."""
    del keyword
    greater = Filter(
        any_of=(_greater(power=PowerOf(This())), _greater(toughness=ToughnessOf(This())))
    )
    entering = Filter(types=("creature",), controller="you", identity="other")
    body = Body(instructions=(PutCounters(This(), "+1/+1", Number(1)),))
    return (TriggeredAbility(Enters(entering), body, condition=Matches(EventObject(), greater)),)


def _greater(power: Amount | None = None, toughness: Amount | None = None) -> Filter:
    return Filter(
        power=Comparison(power, ">") if power is not None else None,
        toughness=Comparison(toughness, ">") if toughness is not None else None,
    )


def _exploit(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.110a."""
    del keyword
    given = Sacrifice(You(), Chosen(You(), _CREATURE, Number(1)))
    return (_when(Enters(_THIS), May(You(), do=(given,))),)


def _exalted(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.83a."""
    del keyword
    mine = Filter(types=("creature",), controller="you")
    bonus = Continuously(EventObject(), _bonus(1, 1), "end-of-turn")
    return (_when(Attacks(mine, alone=True), bonus),)


def _returning(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.79a (persist), 702.93a (undying): back with a counter, if it had none of that kind."""
    kind = "-1/-1" if keyword.name == "persist" else "+1/+1"
    had_none = NotSo(Matches(This(), Filter(counters=kind)))
    back = MoveObjects(This(), ZoneKind.BATTLEFIELD, counters=((kind, 1),))
    return (TriggeredAbility(Dies(_THIS), Body(instructions=(back,)), condition=had_none),)


def _fabricate(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.123a."""
    number = _number(keyword)
    servo = TokenTemplate(1, 1, (), ("artifact", "creature"), ("Servo",))
    choice = May(
        You(),
        do=(PutCounters(This(), "+1/+1", number),),
        otherwise=(CreateTokens(number, servo),),
    )
    return (_when(Enters(_THIS), choice),)


def _living_weapon(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.92a."""
    del keyword
    germ = TokenTemplate(0, 0, ("black",), ("creature",), ("Phyrexian", "Germ"))
    return (_when(Enters(_THIS), CreateTokens(Number(1), germ), Attach(Earlier(0))),)


def _mentor(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.134a."""
    del keyword
    lesser = Comparison(PowerOf(This()), "<")
    spec = TargetSpec(Filter(types=("creature",), attacking=True, power=lesser))
    body = Body((spec,), (PutCounters(Target(), "+1/+1", Number(1)),))
    return (TriggeredAbility(Attacks(_THIS), body),)


def _outlast(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.107a."""
    cost = msgspec.structs.replace(_cost(keyword), tap=True)
    body = Body(instructions=(PutCounters(This(), "+1/+1", Number(1)),))
    return (ActivatedAbility(cost, body, sorcery_speed=True),)


def _prowess(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.108a."""
    del keyword
    noncreature = Filter(zone=ZoneKind.STACK, not_types=("creature",))
    bonus = Continuously(This(), _bonus(1, 1), "end-of-turn")
    return (_when(CastsSpell(You(), noncreature), bonus),)


def _ward(keyword: KeywordAbility) -> tuple[Ability, ...]:
    """CR 702.21a: what the trigger is about is the spell or ability that targets."""
    pays = May(EventPlayer(), cost=_cost(keyword), otherwise=(CounterSpell(EventObject()),))
    return (_when(BecomesTarget(_THIS, by_opponent=True), pays),)


_MAKERS: dict[str, Callable[[KeywordAbility], tuple[Ability, ...]]] = {
    "afflict": _afflict,
    "afterlife": _afterlife,
    "annihilator": _annihilator,
    "battle cry": _battle_cry,
    "bushido": _bushido,
    "cycling": _cycling,
    "decayed": _decayed,
    "equip": _equip,
    "evolve": _evolve,
    "exalted": _exalted,
    "exploit": _exploit,
    "fabricate": _fabricate,
    "living weapon": _living_weapon,
    "mentor": _mentor,
    "outlast": _outlast,
    "persist": _returning,
    "prowess": _prowess,
    "undying": _returning,
    "ward": _ward,
}

EXPANDED_KEYWORDS = tuple(_MAKERS)
"""The names of the keywords that stand for other abilities."""
