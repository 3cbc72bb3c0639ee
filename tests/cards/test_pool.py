"""The pool finds cards however their names are typed, and definitions survive storing."""

import json
from pathlib import Path

import pytest

from apnap.cards.builtin import builtin_cards
from apnap.cards.card_text import CardText
from apnap.cards.compiler import definition_digest
from apnap.cards.definitions import (
    Definitions,
    DefinitionsDamaged,
    DefinitionUnknown,
    templates_of,
    token_definition,
)
from apnap.cards.model import TokenTemplate
from apnap.cards.pool import CardPool, UnknownCard, UnsupportedCard
from apnap.events.ids import DefinitionId

GOBLIN = TokenTemplate(1, 1, ("red",), ("creature",), ("goblin",))


@pytest.fixture(scope="module")
def pool() -> CardPool:
    return CardPool.load()


@pytest.mark.rule("201.1")
@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("grizzly bears", "Grizzly Bears"),
        ("AJANI’S PRIDEMATE", "Ajani's Pridemate"),
        ("Man-o‘-War", "Man-o'-War"),
        ("Lim-Dul's Vault", "Lim-Dûl's Vault"),
        ("Aether Vial", "Æther Vial"),
        ("fire/ice", "Fire // Ice"),
        ("Fire", "Fire // Ice"),
    ],
)
def test_card_is_found_however_its_name_is_typed(typed: str, name: str) -> None:
    faces = (CardText(name="Fire"), CardText(name="Ice"))
    more = (
        CardText(name="Lim-Dûl's Vault"),
        CardText(name="Æther Vial"),
        CardText(name="Fire // Ice", faces=faces),
    )
    assert CardPool((*builtin_cards(), *more)).text(typed).name == name


def test_front_face_does_not_hide_a_card_of_that_name() -> None:
    double = CardText(name="Fire // Ice", faces=(CardText(name="Fire"), CardText(name="Ice")))
    assert CardPool((double, CardText(name="Fire"))).text("fire").name == "Fire"


def test_unknown_card_is_refused_by_name(pool: CardPool) -> None:
    with pytest.raises(UnknownCard, match="Grizzly Beers"):
        pool.definition("Grizzly Beers")


def test_unsupported_card_is_refused_with_the_phrase() -> None:
    odd = CardText(name="Odd", type_line="Sorcery", oracle_text="Juggle three chainsaws.")
    with pytest.raises(UnsupportedCard) as caught:
        CardPool((odd,)).definition("odd")
    assert caught.value.name == "Odd"
    assert caught.value.phrase in odd.oracle_text


def test_every_builtin_card_is_supported(pool: CardPool) -> None:
    names = [text.name for text in pool]
    assert len(names) >= 110
    assert [pool.definition(name).name for name in names] == names


def test_card_of_a_file_replaces_a_builtin_one(tmp_path: Path) -> None:
    path = tmp_path / "cards.jsonl"
    card = {"name": "Grizzly Bears", "type_line": "Creature — Bear", "power": "7", "toughness": "7"}
    path.write_text(json.dumps(card))
    changed = CardPool.load([path])
    assert changed.definition("Grizzly Bears").power == 7
    assert len(changed) == len(CardPool.load())
    assert changed.digest != CardPool.load().digest


def test_definition_is_compiled_once(pool: CardPool) -> None:
    assert pool.definition("Shock") is pool.definition("shock")


@pytest.mark.rule("111.4")
@pytest.mark.parametrize(
    ("template", "name"),
    [
        (GOBLIN, "goblin Token"),
        (TokenTemplate(1, 1, (), ("creature",), ("Elf", "Warrior")), "Elf Warrior Token"),
        (TokenTemplate(1, 1, (), ("creature",), ("Cat",), name="Ajani's Pridemate"), None),
    ],
)
def test_token_is_named_for_its_subtypes_unless_it_is_named(
    template: TokenTemplate, name: str | None
) -> None:
    token = token_definition(template)
    assert token.name == (name or template.name)
    assert token.is_token


def test_definitions_survive_storing(pool: CardPool) -> None:
    definitions = Definitions()
    digests = [definitions.add(pool.definition(text.name)) for text in pool]
    again = Definitions.from_bytes(definitions.to_bytes())
    assert again.to_bytes() == definitions.to_bytes()
    assert [again.get(digest) for digest in digests] == [
        definitions.get(digest) for digest in digests
    ]


def test_tokens_are_stored_with_the_card_that_makes_them(pool: CardPool) -> None:
    definitions = Definitions()
    card = pool.definition("Dragon Fodder")
    digest = definitions.add(card)
    (template,) = templates_of(card)
    token = token_definition(template)
    assert token.name == "Goblin Token"
    assert definition_digest(token) in definitions
    assert set(definitions.only((digest,))) == {digest, definition_digest(token)}


def test_changed_definition_is_noticed(pool: CardPool) -> None:
    definitions = Definitions()
    digest = definitions.add(pool.definition("Grizzly Bears"))
    records = definitions.to_records()
    records[digest] = records[digest].replace(b"Grizzly", b"Grazzly")
    with pytest.raises(DefinitionsDamaged, match=digest.hex()):
        Definitions.from_records(records)
    with pytest.raises(DefinitionsDamaged):
        Definitions.from_bytes(definitions.to_bytes()[:-3])


def test_unknown_definition_is_an_error() -> None:
    with pytest.raises(DefinitionUnknown):
        Definitions().get(DefinitionId(b"x" * 16))
    assert Definitions().find(DefinitionId(b"")) is None
