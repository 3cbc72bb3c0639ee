"""Every word of a card's text matters: without it, or with another, the card says another thing."""

import re
from pathlib import Path

import msgspec
import pytest

from apnap.cards.card_files import read_card_file
from apnap.cards.card_text import CardText
from apnap.cards.compiler import Unsupported, compile_card
from apnap.cards.deck_files import read_deck

_WORD = re.compile(r"[^\s.,:;\"()—•]+")
_OTHERS = (
    "xyzzy", "a", "an", "the", "this", "that", "these", "those", "it", "its", "you", "your",
    "may", "each", "every", "another", "other", "all", "any", "target", "next", "one", "two", "1",
    "2", "creature", "creatures", "player", "opponent", "permanent", "card", "spell", "and", "or",
    "until", "end", "of", "turn", "gets", "get", "gains", "gain", "has", "have", "can't", "be",
    "is", "are", "when", "whenever", "if", "as", "from", "to", "in", "on", "with", "without",
    "control", "controls", "enters", "attacks", "dies", "flying", "first", "tapped", "untapped",
    "combat", "damage", "life",
)  # fmt: skip


@pytest.fixture(scope="module")
def deck_cards(shared: Path) -> list[CardText]:
    texts = _by_name(shared / "cards" / "oracle-cards.jsonl.gz")
    names: set[str] = set()
    for path in sorted((shared / "decks" / "skeleton").iterdir()):
        deck = read_deck(path)
        names.update(name for _, name in (*deck.main, *deck.sideboard))
    return [texts[name] for name in sorted(names)]


@pytest.fixture(scope="module")
def recent_cards(shared: Path) -> dict[str, CardText]:
    return _by_name(shared / "cards" / "recent-cards.jsonl.gz")


def _by_name(path: Path) -> dict[str, CardText]:
    return {card.name: card for card in read_card_file(path)}


def _with_text(card: CardText, text: str) -> CardText:
    return msgspec.structs.replace(card, oracle_text=text)


def test_all_cards_of_the_ten_decks_are_supported(deck_cards: list[CardText]) -> None:
    compiled = [compile_card(card) for card in deck_cards]
    assert [each for each in compiled if isinstance(each, Unsupported)] == []
    assert len(compiled) == 78


def test_newer_wordings_of_the_same_cards_have_the_same_abilities(
    deck_cards: list[CardText], recent_cards: dict[str, CardText]
) -> None:
    for card in deck_cards:
        if card.name in recent_cards:
            old, new = compile_card(card), compile_card(recent_cards[card.name])
            assert not isinstance(old, Unsupported)
            assert not isinstance(new, Unsupported), new
            assert new.abilities == old.abilities, card.name


def test_deleting_any_word_changes_the_model(deck_cards: list[CardText]) -> None:
    idle = []
    for card in deck_cards:
        before = compile_card(card)
        text = card.oracle_text
        for found in _WORD.finditer(text):
            rest = text[: found.start()] + text[found.end() :].lstrip(" ")
            if compile_card(_with_text(card, rest)) == before:
                idle.append((card.name, found[0], rest))
    assert idle == []


def test_changing_any_word_changes_the_model(deck_cards: list[CardText]) -> None:
    idle = []
    for card in deck_cards:
        before = compile_card(card)
        text = card.oracle_text
        for found in _WORD.finditer(text):
            for other in _OTHERS:
                if other == found[0].lower():
                    continue
                changed = text[: found.start()] + other + text[found.end() :]
                if compile_card(_with_text(card, changed)) == before:
                    idle.append((card.name, found[0], other))
    assert idle == []
