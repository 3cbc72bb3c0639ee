"""Cards made of English: what the tests of several folders compile."""

from __future__ import annotations

import msgspec

from apnap.cards.card_text import CardText
from apnap.cards.compiler import compile_card
from apnap.cards.model import CardDefinition


def card_of(text: str, type_line: str = "Creature — Bear", **facts: str | None) -> CardText:
    """Return a card with this text, a creature of 2/2; `facts` are other printed values."""
    sizes = {"power": "2", "toughness": "2"} if "Creature" in type_line else {}
    plain = CardText(name="Grove Warden", type_line=type_line, oracle_text=text)
    return msgspec.structs.replace(plain, **{**sizes, **facts})


def compiled(text: str, type_line: str = "Creature — Bear", **facts: str | None) -> CardDefinition:
    """Return the definition of such a card, which must be understood."""
    found = compile_card(card_of(text, type_line, **facts))
    assert isinstance(found, CardDefinition), found
    return found
