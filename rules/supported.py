"""Which parts of the ability model have an interpreter: what a deck may hold.

The compiler understands more words than the rules here play. A card with a keyword or a record
that nothing interprets is refused as the deck is loaded, with the phrase that is not built.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ..cards.check import nodes_of
from ..cards.delayed import references_of
from ..cards.keyword_abilities import EXPANDED_KEYWORDS
from ..cards.model import (
    CannotBeCountered,
    CardDefinition,
    Chosen,
    Continuously,
    DealDamage,
    Delayed,
    Discard,
    EventPlayer,
    KeywordAbility,
    MayBeginOnBattlefield,
    Node,
    StaticAbility,
    Target,
    TriggeredAbility,
)
from ..cards.pool import UnsupportedCard
from ..events.ids import ZoneKind

RULES_KEYWORDS = (
    "affinity",
    "deathtouch",
    "defender",
    "double strike",
    "enchant",
    "fear",
    "first strike",
    "flash",
    "flying",
    "haste",
    "hexproof",
    "horsemanship",
    "indestructible",
    "intimidate",
    "landwalk",
    "lifelink",
    "menace",
    "morph",
    "protection",
    "reach",
    "shadow",
    "shroud",
    "skulk",
    "trample",
    "undaunted",
    "vigilance",
    "wither",
)
"""Keywords that procedures and checks ask for by name."""

INTERPRETED_KEYWORDS = tuple(sorted({*RULES_KEYWORDS, *EXPANDED_KEYWORDS}))
"""The keywords a card may have."""

DURATIONS = (
    "end-of-turn",
    "this-turn",
    "for-ever",
    "next-untap-step",
    "until-your-next-turn",
    "end-of-combat",
    "while-source-remains",
)
"""How long effects may last: what the turn's procedures end, and what never ends (CR 611.2a)."""


def supported(definition: CardDefinition) -> CardDefinition:
    """Return the card if the rules here can play it, else raise UnsupportedCard with the phrase."""
    phrase = unsupported_in(definition)
    if phrase is not None:
        raise UnsupportedCard(definition.name, phrase)
    return definition


@lru_cache(maxsize=4096)
def unsupported_in(definition: CardDefinition) -> str | None:
    """Return the first thing a card says that nothing interprets, in words, if there is any."""
    if "battle" in definition.types:
        return "type battle"
    if "{S}" in definition.mana_cost:
        return "snow mana"
    return next(_problems(definition), None)


def _problems(definition: CardDefinition) -> Iterator[str]:
    for node in nodes_of(definition):
        problem = _problem_of(node)
        if problem:
            yield problem


def _problem_of(node: Node) -> str:
    match node:
        case KeywordAbility(name=name) if name not in INTERPRETED_KEYWORDS:
            return name
        case Discard(at_random=True) | Chosen(at_random=True):
            return "at random"
        case Continuously(duration=duration) if duration not in DURATIONS:
            return duration.replace("-", " ")
        case TriggeredAbility(zone=zone) if zone != ZoneKind.BATTLEFIELD:
            return f"a trigger in the {zone.name.lower()}"
        case StaticAbility():
            return _problem_of_static(node)
        case Delayed():
            return _problem_of_delayed(node)
        case _:
            return ""


def _problem_of_static(ability: StaticAbility) -> str:
    elsewhere = CannotBeCountered | MayBeginOnBattlefield
    is_about_stack = all(isinstance(part, elsewhere) for part in ability.modifications)
    if ability.zone != ZoneKind.BATTLEFIELD and not is_about_stack:
        return f"a static ability in the {ability.zone.name.lower()}"
    return ""


def _problem_of_delayed(node: Delayed) -> str:
    """Return what a delayed ability cannot remember: more than one thing, or a player."""
    if len(references_of(node)) > 1:
        return "a delayed ability about several things"
    for inner in nodes_of(node.body):
        who = getattr(inner, "player", None)
        is_dealt = isinstance(inner, DealDamage) and isinstance(inner.to, Target)
        if is_dealt or isinstance(who, Target | EventPlayer):
            return "a delayed ability about a player"
    return ""
