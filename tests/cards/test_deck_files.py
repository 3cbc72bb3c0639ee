"""Deck files: the same deck in every format, and bad lines refused with their number."""

from pathlib import Path

import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cards.deck_files import Deck, DeckFileError, read_deck, size_of

from .shapes import deck_formats

DECK = Deck(
    name="Two Bears",
    main=((4, "Grizzly Bears"), (2, "Lim-Dûl's Vault"), (1, "Fire // Ice"), (20, "Forest")),
    sideboard=((3, "+2 Mace"), (1, "Grizzly Bears")),
)
FORMATS = tuple(deck_formats(DECK))


def read_text(tmp_path: Path, text: str | bytes, name: str = "deck.txt") -> Deck:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_deck(path)


def refusal_of(tmp_path: Path, text: str | bytes, name: str = "deck.txt") -> DeckFileError:
    with pytest.raises(DeckFileError) as caught:
        read_text(tmp_path, text, name)
    assert str(caught.value).startswith(str(tmp_path / name))
    return caught.value


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_deck(tmp_path: Path, name: str) -> None:
    deck = read_text(tmp_path, deck_formats(DECK)[name], name)
    assert (deck.main, deck.sideboard) == (DECK.main, DECK.sideboard)


@pytest.mark.parametrize("name", FORMATS)
def test_windows_line_ends_and_byte_order_mark_change_nothing(tmp_path: Path, name: str) -> None:
    text = deck_formats(DECK)[name].replace(b"\n", b"\r\n")
    deck = read_text(tmp_path, b"\xef\xbb\xbf" + text, name)
    assert (deck.main, deck.sideboard) == (DECK.main, DECK.sideboard)


@pytest.mark.parametrize("name", FORMATS)
def test_skeleton_decks_rewritten_in_every_format_load_alike(
    shared: Path, tmp_path: Path, name: str
) -> None:
    for path in sorted((shared / "decks" / "skeleton").glob("*.dck")):
        deck = read_deck(path)
        assert size_of(deck.main) >= 40
        again = read_text(tmp_path, deck_formats(deck)[name], name)
        assert (again.main, again.sideboard) == (deck.main, deck.sideboard)


def test_real_decks_are_read(shared: Path) -> None:
    paths = sorted((shared / "decks" / "real").glob("*.dck"))
    assert all(size_of(read_deck(path).main) >= 20 for path in paths)


@pytest.mark.parametrize("name", ["forge.dck", "xmage.dck", "apprentice.dec", "arena.txt"])
def test_deck_is_named_by_its_file_where_that_says_so(tmp_path: Path, name: str) -> None:
    assert read_text(tmp_path, deck_formats(DECK)[name], name).name == "Two Bears"


def test_deck_without_a_name_is_called_by_its_file(tmp_path: Path) -> None:
    assert read_text(tmp_path, "40 Forest", "all lands.txt").name == "all lands"


def test_format_is_read_off_the_content_not_the_ending(tmp_path: Path) -> None:
    for name, text in deck_formats(DECK).items():
        if not name.startswith(("mtgo.txt", "counted.txt")):
            assert read_text(tmp_path, text, "deck.unknown").main == DECK.main


def test_lines_of_one_card_are_merged_where_it_first_stands(tmp_path: Path) -> None:
    deck = read_text(tmp_path, "[Main]\n3 Forest|M19\n1 Shock\n2 forest|M20\n", "deck.dck")
    assert deck.main == ((5, "Forest"), (1, "Shock"))


def test_commander_section_is_its_own_pile(tmp_path: Path) -> None:
    for text in (
        "[Commander]\n1 Isamaru\n[Main]\n99 Plains",
        "Commander\n1 Isamaru\n\nDeck\n99 Plains",
    ):
        deck = read_text(tmp_path, text)
        assert (deck.commander, deck.main) == (((1, "Isamaru"),), ((99, "Plains"),))


def test_headings_by_type_divide_nothing(tmp_path: Path) -> None:
    deck = read_text(tmp_path, "Creatures (4)\n4 Memnite\n\nLands (20)\n20 Forest\n")
    assert (deck.main, deck.sideboard) == (((4, "Memnite"), (20, "Forest")), ())


def test_blank_lines_of_a_dec_file_divide_nothing(tmp_path: Path) -> None:
    assert read_text(tmp_path, "4 Memnite\n\n20 Forest\n", "a.dec").sideboard == ()


def test_older_windows_text_is_read(tmp_path: Path) -> None:
    deck = read_text(tmp_path, "2 Lim-Dûl's Vault\n".encode("cp1252"))
    assert deck.main == ((2, "Lim-Dûl's Vault"),)


@pytest.mark.parametrize("name", BUILTIN_DECKS)
def test_name_of_a_builtin_deck_stands_for_a_file(name: str) -> None:
    assert size_of(read_deck(name).main) == 60


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("4 Forest\nForest\n", 2, "neither"),
        ("4 Forest\n\n0 Shock\n", 3, "no number of cards"),
        ("4 Forest\n4\n", 2, "names no card"),
        ("[Main]\n4 Forest\n[Mian]\n4 Shock\n", 3, "section"),
        ("4 Forest\n\n4 Shock\n\n4 Memnite\n", 5, "third group"),
        ("99999 Forest\n", 1, "more than"),
        ("<Deck>\n<Cards Quantity='x' Name='Forest'/>\n</Deck>", 2, "no number of cards"),
        ("<Deck>\n<Cards Quantity='4'/>\n</Deck>", 2, "names no card"),
        ("<Deck>\n<Cards Quantity='4' Name='Forest'/>\n", 3, "no XML"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]>\n<Deck/>", 1, "document type"),
    ],
)
def test_bad_line_is_refused_with_its_number(
    tmp_path: Path, text: str, line: int, reason: str
) -> None:
    error = refusal_of(tmp_path, text)
    assert error.line == line
    assert reason in error.reason


@pytest.mark.parametrize("text", ["", "// nothing\n", "[Main]\n", "<Deck></Deck>", "SB: 4 Shock"])
def test_deck_without_cards_is_refused(tmp_path: Path, text: str) -> None:
    assert "empty" in refusal_of(tmp_path, text).reason


def test_binary_file_is_refused(tmp_path: Path) -> None:
    assert "no text" in refusal_of(tmp_path, bytes(range(256))).reason


def test_absent_file_is_refused_with_the_builtin_decks() -> None:
    with pytest.raises(DeckFileError, match="red-green-stompers"):
        read_deck("red-green-stomper")
