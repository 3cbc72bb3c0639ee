"""An ability in English, from the model alone, as the engine understood it."""

from __future__ import annotations

from ..cards.model import Ability, CardDefinition, Condition, Filter
from ..cards.render import render
from ..cards.render_conditions import condition_text
from ..cards.render_phrases import Phrases, Unrenderable, with_article
from ..projections.characteristics import Characteristics


def ability_text(traits: Characteristics, ability: Ability) -> str:
    """Return what an ability of an object says; "an ability of NAME" where words fail."""
    card = CardDefinition(
        name=traits.name, types=traits.types, subtypes=traits.subtypes, abilities=(ability,)
    )
    try:
        return render(card)
    except Unrenderable:
        return f"an ability of {traits.name}"


def condition_words(traits: Characteristics, condition: Condition) -> str:
    """Return what a condition of an object's ability asks."""
    try:
        return condition_text(condition, Phrases(traits.name, "it", kinds=frozenset(traits.types)))
    except Unrenderable:
        return "its condition holds"


def filter_words(traits: Characteristics, what: Filter) -> str:
    """Return what a filter of an object's ability describes, with an article."""
    phrases = Phrases(traits.name, "what it is attached to", kinds=frozenset(traits.types))
    try:
        if what.identity == "this":
            return phrases.itself()
        if what.identity == "attached":
            return phrases.attached
        text = phrases.described(what, plural=False)
    except Unrenderable:
        return "what the ability describes"
    return f"another {text}" if what.identity == "other" else with_article(text)
