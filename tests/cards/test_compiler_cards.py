"""Whole cards: their characteristics, digests and costs, and what is refused."""

import msgspec
import pytest

from apnap.cards.card_text import CardText
from apnap.cards.compiler import Unsupported, compile_card, definition_digest
from apnap.cards.mana import colors_of_cost, mana_value, symbols_of
from apnap.cards.model import (
    CardDefinition,
)

from ..english import card_of, compiled


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Scratch your head.", "Scratch your head"),
        ("When this creature enters, juggle two cards.", "juggle two cards"),
        ("Target creature gets +1/+1.", "Target creature gets +1/+1"),
        ("Gain 3 life.", "Gain 3 life"),
        ("Draw an card.", "Draw an card"),
        ("Creatures get -1/-1 until end of turn.", "Creatures get -1/-1 until end of turn"),
        ("Destroy creature.", "Destroy creature"),
        ("It deals 4 damage to target creature.", "It deals 4 damage to target creature"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_phrase(text: str, phrase: str) -> None:
    type_line = "Creature — Bear" if text.startswith("When") else "Instant"
    found = compile_card(card_of(text, type_line))
    assert isinstance(found, Unsupported)
    assert phrase.startswith(found.phrase.rstrip(".")), found.phrase


def test_layouts_and_types_that_are_not_built_are_refused() -> None:
    split = CardText(name="A // B", layout="split", faces=(card_of(""), card_of("")))
    assert compile_card(split) == Unsupported("A // B", "layout split")
    scheme = card_of("Draw a card.", "Scheme")
    assert compile_card(scheme) == Unsupported("Grove Warden", "type scheme")


@pytest.mark.rule("202.2")
def test_characteristics_come_from_cost_type_line_and_sizes() -> None:
    found = compiled("", "Legendary Artifact Creature — Golem", mana_cost="{2}{W/U}{R/P}")
    assert found.colors == ("white", "blue", "red")
    assert found.supertypes == ("legendary",)
    assert found.types == ("artifact", "creature")
    assert found.subtypes == ("Golem",)
    assert (found.power, found.toughness) == (2, 2)


@pytest.mark.rule("604.3")
def test_star_needs_an_ability_that_defines_it() -> None:
    text = "Grove Warden's power and toughness are each equal to the number of lands you control."
    found = compiled(text, power="*", toughness="*")
    assert (found.power, found.toughness) == (0, 0)
    alone = compile_card(card_of("", power="*"))
    assert alone == Unsupported("Grove Warden", "power *")


def test_digest_names_what_a_card_says() -> None:
    first, second = compiled("Flying"), compiled("Flying")
    assert definition_digest(first) == definition_digest(second)
    assert len(definition_digest(first)) == 16
    assert definition_digest(first) != definition_digest(compiled("Reach"))


def test_definitions_survive_their_encoding() -> None:
    found = compiled("When this creature enters, exile target creature an opponent controls.")
    data = msgspec.msgpack.encode(found)
    assert msgspec.msgpack.decode(data, type=CardDefinition) == found


@pytest.mark.parametrize(
    ("cost", "value", "colors"),
    [
        ("", 0, ()),
        ("{0}", 0, ()),
        ("{3}{G}{G}", 5, ("green",)),
        ("{X}{R}", 1, ("red",)),
        ("{2/W}{W/U}{G/P}", 4, ("white", "blue", "green")),
        ("{C}{C}", 2, ()),
    ],
)
@pytest.mark.rule("202.3")
def test_mana_value_and_colours_of_a_cost(cost: str, value: int, colors: tuple[str, ...]) -> None:
    assert mana_value(cost) == value
    assert colors_of_cost(cost) == colors


@pytest.mark.rule("202.3e")
def test_x_counts_on_the_stack() -> None:
    assert mana_value("{X}{X}{R}", x=3) == 7


def test_what_is_no_mana_cost_is_refused() -> None:
    assert symbols_of("{Q}") is None
    assert symbols_of("two green") is None
    refused = compile_card(card_of("", mana_cost="{2}{Z9}"))
    assert refused == Unsupported("Grove Warden", "mana cost {2}{Z9}")
