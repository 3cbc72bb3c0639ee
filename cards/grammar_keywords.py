"""Keyword abilities: lines of them, and lists of them as something is granted (CR 702)."""

from __future__ import annotations

from ..events.ids import ZoneKind
from .grammar_costs import cost, mana
from .grammar_filters import EVERGREEN, description
from .grammar_reader import Reader, reading
from .mana import COLORS
from .model import Cost, Filter, KeywordAbility
from .vocabulary import BASIC_LAND_TYPES, CARD_TYPES, TYPE_OF_PLURAL, subtype_of_plural

PLAIN_KEYWORDS = (
    *EVERGREEN,
    "ascend",
    "assist",
    "aftermath",
    "battle cry",
    "cascade",
    "conspire",
    "convoke",
    "daybound",
    "decayed",
    "delve",
    "demonstrate",
    "dethrone",
    "devoid",
    "epic",
    "evolve",
    "exploit",
    "extort",
    "fuse",
    "gravestorm",
    "improvise",
    "ingest",
    "jump-start",
    "living metal",
    "living weapon",
    "melee",
    "mentor",
    "myriad",
    "nightbound",
    "provoke",
    "ravenous",
    "read ahead",
    "rebound",
    "retrace",
    "riot",
    "soulbond",
    "split second",
    "storm",
    "sunburst",
    "totem armor",
    "training",
    "umbra armor",
    "undaunted",
    "unleash",
)
"""Keywords that take nothing."""

NUMBER_KEYWORDS = (
    "absorb",
    "afflict",
    "afterlife",
    "amplify",
    "annihilator",
    "backup",
    "bloodthirst",
    "bushido",
    "casualty",
    "crew",
    "devour",
    "dredge",
    "fabricate",
    "fading",
    "frenzy",
    "graft",
    "hideaway",
    "mobilize",
    "modular",
    "poisonous",
    "rampage",
    "renown",
    "ripple",
    "saddle",
    "soulshift",
    "toxic",
    "tribute",
    "vanishing",
)
"""Keywords that take a number."""

COST_KEYWORDS = (
    "bestow",
    "blitz",
    "buyback",
    "cumulative upkeep",
    "cycling",
    "dash",
    "disguise",
    "disturb",
    "echo",
    "embalm",
    "emerge",
    "encore",
    "entwine",
    "equip",
    "escalate",
    "eternalize",
    "evoke",
    "flashback",
    "foretell",
    "fortify",
    "freerunning",
    "kicker",
    "level up",
    "madness",
    "megamorph",
    "miracle",
    "morph",
    "multikicker",
    "mutate",
    "ninjutsu",
    "offspring",
    "outlast",
    "overload",
    "plot",
    "prowl",
    "reconfigure",
    "recover",
    "replicate",
    "scavenge",
    "spectacle",
    "squad",
    "surge",
    "transfigure",
    "transmute",
    "unearth",
    "ward",
)
"""Keywords that take a cost."""

_LANDWALKS = {f"{name.lower()}walk": name for name in BASIC_LAND_TYPES}
_LANDCYCLINGS = {f"{name.lower()}cycling": name for name in BASIC_LAND_TYPES}

EMITTED_KEYWORDS = tuple(
    sorted(
        {
            *PLAIN_KEYWORDS,
            *NUMBER_KEYWORDS,
            *COST_KEYWORDS,
            "affinity",
            "enchant",
            "landwalk",
            "protection",
            "suspend",
            "typecycling",
        }
    )
)
"""The names of `KeywordAbility` that the compiler makes."""

_STARTS = frozenset(
    name.split()[0] for name in (*PLAIN_KEYWORDS, *NUMBER_KEYWORDS, *COST_KEYWORDS)
) | {"affinity", "basic", "enchant", "protection", "suspend", "nonbasic", "snow", "legendary"}


@reading
def keyword_line(r: Reader) -> list[KeywordAbility] | None:
    """Read a whole line of keywords: "Flying, first strike"."""
    found: list[KeywordAbility] = []
    while True:
        some = keyword(r)
        if some is None:
            return None
        found += some
        if r.at_end() or (r.quoted and r.peek() == '"'):
            return found
        ended = r.eat(".") and r.at_end()
        if ended:
            return found if found[-1].cost is not None else None
        if not (r.eat(",") or r.eat(";")):
            return None


@reading
def granted_keywords(r: Reader) -> list[KeywordAbility] | None:
    """Read "flying, first strike, and trample" behind "has" or "gains"."""
    first = keyword(r, granted=True)
    if first is None:
        return None
    found = list(first)
    alone = r.mark()
    listed = False
    while True:
        mark = r.mark()
        last = r.eat(", and") or r.eat("and")
        more = keyword(r, granted=True) if last or r.eat(",") else None
        if more is None:
            r.reset(mark)
            break
        found += more
        if last:
            return found
        listed = True
    if listed:  # a list ends in "and": these commas belong to something else
        mark = r.mark()
        if (r.eat(", and") or r.eat("and")) and r.peek() == '"':
            r.reset(mark)
            return found
        r.reset(alone)
        return first
    return found


@reading
def keyword(r: Reader, *, granted: bool = False) -> list[KeywordAbility] | None:
    """Read one keyword with what it takes; "protection from red and from white" is two."""
    word = r.peek()
    if word in _LANDWALKS:
        r.take()
        return [_landwalk(Filter(types=("land",), subtypes=(_LANDWALKS[word],)))]
    if word in _LANDCYCLINGS or word == "basic":
        found = _typecycling(r)
        if found is not None:
            return [found]
    if word not in _STARTS:
        return None
    if r.eat("protection from"):
        return _protection(r)
    if r.eat("hexproof from"):
        return [
            KeywordAbility("hexproof", filter=each.filter) for each in _protection(r) or []
        ] or None
    one = _one(r) if not granted else _plain(r) or _number(r) or _costly(r)
    return [one] if one is not None else None


@reading
def _one(r: Reader) -> KeywordAbility | None:
    return _costly(r) or _number(r) or _special(r) or _plain(r)


@reading
def _plain(r: Reader) -> KeywordAbility | None:
    for kind, facts in (
        ("nonbasic", Filter(types=("land",), not_supertypes=("basic",))),
        ("snow", Filter(types=("land",), supertypes=("snow",))),
        ("legendary", Filter(types=("land",), supertypes=("legendary",))),
    ):
        if r.eat(f"{kind} landwalk"):
            return _landwalk(facts)
    name = r.eat_any(*PLAIN_KEYWORDS)
    return KeywordAbility(name) if name is not None else None


def _landwalk(what: Filter) -> KeywordAbility:
    return KeywordAbility("landwalk", filter=what)


@reading
def _number(r: Reader) -> KeywordAbility | None:
    name = r.eat_any(*NUMBER_KEYWORDS)
    if name is None or not r.peek().isdigit():
        return None
    return KeywordAbility(name, amount=int(r.take()))


@reading
def _costly(r: Reader) -> KeywordAbility | None:
    name = r.eat_any(*COST_KEYWORDS)
    if name is None:
        return None
    symbols = mana(r)
    if symbols is not None:
        return KeywordAbility(name, cost=Cost(mana=symbols))
    if r.eat("—"):
        paid = cost(r)
        if paid is not None and r.peek() in {".", ""}:
            return KeywordAbility(name, cost=paid)
    return None


@reading
def _special(r: Reader) -> KeywordAbility | None:
    if r.eat("suspend") and r.peek().isdigit():
        turns = int(r.take())
        symbols = mana(r) if r.eat("—") else None
        return KeywordAbility("suspend", turns, Cost(mana=symbols)) if symbols else None
    if r.eat("affinity for"):
        found = description(r)
        return (
            KeywordAbility("affinity", filter=found.what)
            if found and found.counts_as(plural=True)
            else None
        )
    if r.eat("enchant"):
        return _enchant(r)
    return None


@reading
def _enchant(r: Reader) -> KeywordAbility | None:
    found = description(r)
    if found is None or not found.counts_as(plural=False):
        return None
    nouns = {found.noun, "permanent"} if found.noun == "permanent" else {found.noun}
    if found.what.subtypes and set(found.what.subtypes) <= set(BASIC_LAND_TYPES):
        nouns.add("land")
    r.card.attached_nouns = frozenset(nouns)
    return KeywordAbility("enchant", filter=found.what)


@reading
def _typecycling(r: Reader) -> KeywordAbility | None:
    word = r.peek()
    if word in _LANDCYCLINGS:
        what = Filter(zone=ZoneKind.LIBRARY, subtypes=(_LANDCYCLINGS[word],))
        r.take()
    elif r.eat("basic landcycling"):
        what = Filter(zone=ZoneKind.LIBRARY, types=("land",), supertypes=("basic",))
    else:
        return None
    symbols = mana(r)
    if symbols is None:
        return None
    return KeywordAbility("typecycling", cost=Cost(mana=symbols), filter=what)


@reading
def _protection(r: Reader) -> list[KeywordAbility] | None:
    found: list[KeywordAbility] = []
    while True:
        quality = _quality(r)
        if quality is None:
            return None
        found.append(KeywordAbility("protection", filter=quality))
        if not (r.eat("and from") or r.eat(", from") or r.eat(", and from")):
            return found


@reading
def _quality(r: Reader) -> Filter | None:
    """Read what protection is from (CR 702.16a); the filter's zone is not asked."""
    word = r.peek()
    if word in COLORS:
        r.take()
        return Filter(colors=(word,))
    if r.eat("monocolored") or r.eat("multicolored"):
        return None
    kind = TYPE_OF_PLURAL.get(word)
    if kind in CARD_TYPES:
        r.take()
        return Filter(types=(kind,))
    subtype = subtype_of_plural().get(word)
    if subtype is not None:
        r.take()
        return Filter(subtypes=(subtype,))
    return None
