"""Keyword abilities and costs as English."""

from __future__ import annotations

from .model import Chosen, Cost, Filter, KeywordAbility, Number, This
from .render_phrases import Phrases, Unrenderable, with_article
from .vocabulary import NUMBER_WORDS


def keyword_text(keyword: KeywordAbility, phrases: Phrases) -> str:
    """Return a keyword with what it takes: "Cycling {2}", "protection from red"."""
    name = keyword.name
    if keyword.filter is not None:
        return _with_filter(keyword, keyword.filter, phrases)
    if name == "suspend" and keyword.cost is not None:
        return f"suspend {keyword.amount}—{keyword.cost.mana}"
    if keyword.amount is not None:
        return f"{name} {keyword.amount}"
    if keyword.cost is not None:
        if keyword.cost == Cost(mana=keyword.cost.mana):
            return f"{name} {keyword.cost.mana}"
        return f"{name}—{cost_text(keyword.cost, phrases)}."
    return name


def _with_filter(keyword: KeywordAbility, what: Filter, phrases: Phrases) -> str:
    name = keyword.name
    if name == "landwalk":
        if what.subtypes:
            return f"{what.subtypes[0].lower()}walk"
        kind = "nonbasic" if what.not_supertypes else what.supertypes[0]
        return f"{kind} landwalk"
    if name == "enchant":
        return f"enchant {phrases.described(what, plural=False)}"
    if name == "affinity":
        return f"affinity for {phrases.described(what, plural=True)}"
    if name == "typecycling" and keyword.cost is not None:
        kind = f"{what.subtypes[0].lower()}cycling" if what.subtypes else "basic landcycling"
        return f"{kind} {keyword.cost.mana}"
    if name in {"protection", "hexproof"}:
        if what.colors:
            return f"{name} from {what.colors[0]}"
        return f"{name} from {phrases.described(what, plural=True)}"
    raise Unrenderable(f"a keyword with a description: {name}")


def cost_text(cost: Cost, phrases: Phrases) -> str:
    """Return the parts of a cost, separated by commas."""
    parts: list[str] = []
    if cost.mana:
        parts.append(cost.mana)
    parts += ["{T}"] if cost.tap else []
    parts += ["{Q}"] if cost.untap else []
    if cost.life:
        parts.append(f"Pay {cost.life} life")
    if cost.sacrifice is not None:
        parts.append(f"Sacrifice {_picked(cost.sacrifice, phrases)}")
    if cost.discard is not None:
        parts.append(_discarded(cost.discard, phrases))
    if cost.exile is not None:
        parts.append(_exiled(cost.exile, phrases))
    if cost.return_to_hand is not None:
        several = isinstance(cost.return_to_hand, Chosen) and _several(cost.return_to_hand)
        owner = "their owner's" if several else "its owner's"
        parts.append(f"Return {_picked(cost.return_to_hand, phrases)} to {owner} hand")
    if cost.tap_others is not None:
        parts.append(f"Tap {_picked(cost.tap_others, phrases)}")
    if cost.remove_counters is not None:
        kind, count = cost.remove_counters
        number = with_article(kind) if count == 1 else f"{NUMBER_WORDS[count]} {kind}"
        parts.append(f"Remove {number} counter{'' if count == 1 else 's'} from {phrases.itself()}")
    return ", ".join(parts)


def _several(what: Chosen) -> bool:
    return what.amount != Number(1)


def _picked(what: Chosen | This, phrases: Phrases) -> str:
    return phrases.itself() if isinstance(what, This) else phrases.chosen(what)[0]


def own_cards_text(what: Chosen, phrases: Phrases) -> str:
    """Return "a card", "two creature cards": without the zone, which the verb says."""
    one = what.amount == Number(1)
    text = phrases.described(what.what, plural=not one).replace(" in your hand", "")
    return with_article(text) if one else f"{phrases.count(what.amount)} {text}"


def _discarded(what: Chosen | This, phrases: Phrases) -> str:
    if isinstance(what, This):
        return f"Discard {phrases.itself()}"
    ending = " at random" if what.at_random else ""
    return f"Discard {own_cards_text(what, phrases)}{ending}"


def _exiled(what: Chosen | This, phrases: Phrases) -> str:
    if isinstance(what, This):
        return f"Exile {phrases.itself()}"
    return f"Exile {phrases.chosen(what)[0]}"
