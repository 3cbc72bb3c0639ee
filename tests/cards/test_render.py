"""What `render` writes from the model alone compiles to the same abilities again."""

from pathlib import Path

import pytest

from apnap.cards.card_files import read_card_file
from apnap.cards.card_text import CardText
from apnap.cards.compiler import Unsupported, compile_card
from apnap.cards.model import CardDefinition
from apnap.cards.render import render, rendered_card


def _compiled(card: CardText) -> CardDefinition:
    found = compile_card(card)
    assert isinstance(found, CardDefinition), found
    return found


@pytest.mark.parametrize("file", ["oracle-cards.jsonl.gz", "recent-cards.jsonl.gz"])
def test_every_supported_card_reads_back_from_its_rendering(shared: Path, file: str) -> None:
    supported = 0
    for card in read_card_file(shared / "cards" / file):
        before = compile_card(card)
        if isinstance(before, Unsupported):
            continue
        supported += 1
        after = _compiled(rendered_card(before))
        assert after.abilities == before.abilities, (card.name, render(before))
        assert (after.types, after.subtypes, after.supertypes, after.colors) == (
            before.types,
            before.subtypes,
            before.supertypes,
            before.colors,
        )
        assert (after.power, after.toughness) == (before.power, before.toughness)
    assert supported > 2500


def test_rendering_says_what_the_model_says_in_templated_english() -> None:
    card = CardText(
        name="River Guide",
        type_line="Creature — Human Wizard",
        power="2",
        toughness="2",
        oracle_text=(
            "Flying\n"
            "When this creature enters the battlefield, you may pay {2}. When you do, it deals 3 "
            "damage to any target.\n"
            "Other creatures you control get +1/+1 as long as you control an Island."
        ),
    )
    assert render(_compiled(card)) == (
        "Flying\n"
        "When River Guide enters, you may pay {2}. When you do, River Guide deals 3 damage to any "
        "target.\n"
        "As long as you control an Island, other creatures you control get +1/+1."
    )
