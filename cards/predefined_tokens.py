"""Tokens that a name stands for: Treasure, Food, Clue … (CR 111.10)."""

from ..events.ids import ZoneKind
from .model import (
    ActivatedAbility,
    AddMana,
    Body,
    Chosen,
    Cost,
    DrawCards,
    Filter,
    GainLife,
    Instruction,
    Number,
    This,
    TokenTemplate,
    You,
)

_ANY_COLOR = ("{W}", "{U}", "{B}", "{R}", "{G}")
_A_CARD = Chosen(You(), Filter(zone=ZoneKind.HAND, owner="you"), Number(1))


def _artifact(name: str, cost: Cost, does: Instruction) -> TokenTemplate:
    return TokenTemplate(
        power=None,
        toughness=None,
        colors=(),
        types=("artifact",),
        subtypes=(name,),
        abilities=(ActivatedAbility(cost, Body(instructions=(does,))),),
    )


PREDEFINED_TOKENS = {
    "Treasure": _artifact("Treasure", Cost(tap=True, sacrifice=This()), AddMana(_ANY_COLOR)),
    "Food": _artifact(
        "Food", Cost(mana="{2}", tap=True, sacrifice=This()), GainLife(You(), Number(3))
    ),
    "Gold": _artifact("Gold", Cost(sacrifice=This()), AddMana(_ANY_COLOR)),
    "Clue": _artifact("Clue", Cost(mana="{2}", sacrifice=This()), DrawCards(You(), Number(1))),
    "Blood": _artifact(
        "Blood",
        Cost(mana="{1}", tap=True, discard=_A_CARD, sacrifice=This()),
        DrawCards(You(), Number(1)),
    ),
}
"""What is created as "a Treasure token" and the like, by its subtype."""
