"""Card files: three shapes, one meaning; and files that are none are refused with a sentence."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from apnap.cards.builtin import builtin_cards
from apnap.cards.card_files import (
    CardFileError,
    digest_of_texts,
    read_card_file,
    texts_by_name,
)
from apnap.cards.card_text import CardText
from apnap.cards.compiler import Unsupported, compile_card, definition_digest

from .shapes import Record, as_array, as_atomic, as_lines, records_of

SHAPES = {"lines": as_lines, "array": as_array, "atomic": as_atomic}

FACES: Record = {
    "name": "Alive // Well",
    "mana_cost": "{3}{G}",
    "type_line": "Sorcery // Sorcery",
    "layout": "split",
    "card_faces": [
        {"name": "Alive", "mana_cost": "{3}{G}", "type_line": "Sorcery", "oracle_text": "One."},
        {"name": "Well", "mana_cost": "{W}", "type_line": "Sorcery", "oracle_text": "Two."},
    ],
}
COLORED: Record = {
    "name": "Dryad Arbor",
    "mana_cost": "",
    "type_line": "Land Creature — Forest Dryad",
    "oracle_text": "",
    "power": "1",
    "toughness": "1",
    "color_indicator": ["G"],
    "layout": "normal",
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[bytes], Path]:
    """Write bytes to a file whose name says nothing about them."""

    def to_file(data: bytes) -> Path:
        path = tmp_path / "cards.file"
        path.write_bytes(data)
        return path

    return to_file


def refusal_of(path: Path) -> CardFileError:
    with pytest.raises(CardFileError) as caught:
        read_card_file(path)
    assert str(caught.value).startswith(str(path))
    assert str(caught.value).endswith(".")
    return caught.value


def undated(cards: tuple[CardText, ...]) -> list[tuple[object, ...]]:
    return [
        (c.name, c.mana_cost, c.type_line, c.oracle_text, c.power, c.color_indicator, c.faces)
        for c in cards
    ]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_every_shape_gives_the_same_cards(
    write: Callable[[bytes], Path], shape: str, packed: bool
) -> None:
    records = [
        *records_of(Path(__file__).parents[2] / "cards" / "builtin_cards.jsonl"),
        FACES,
        COLORED,
    ]
    data = SHAPES[shape](records)
    cards = read_card_file(write(gzip.compress(data) if packed else data))
    expected = read_card_file(write(as_lines(records)))
    assert undated(cards) == undated(expected)
    assert digest_of_texts(cards) == digest_of_texts(expected)
    assert len(cards) == len(records)


def test_shared_cards_have_one_digest_in_every_shape(
    shared: Path, write: Callable[[bytes], Path]
) -> None:
    wanted = deck_card_names(shared)
    records = [
        record
        for record in records_of(shared / "cards" / "oracle-cards.jsonl.gz")
        if record["name"] in wanted
    ]
    assert len(records) == len(wanted)
    digests = []
    for shape in SHAPES.values():
        cards = read_card_file(write(shape(records)))
        compiled = [compile_card(card) for card in cards]
        digests.append([definition_digest(c) for c in compiled if not isinstance(c, Unsupported)])
        assert len(digests[-1]) == len(wanted)
    assert digests[0] == digests[1] == digests[2]


def deck_card_names(shared: Path) -> set[str]:
    lines = [
        line
        for path in sorted((shared / "decks" / "skeleton").glob("*.dck"))
        for line in path.read_text().splitlines()
    ]
    return {line.split(" ", 1)[1].split("|")[0] for line in lines if line[:1].isdigit()}


def test_pretty_printed_files_are_read(write: Callable[[bytes], Path]) -> None:
    for compact in (as_array([FACES, COLORED]), as_atomic([FACES, COLORED])):
        pretty = json.dumps(json.loads(compact), indent=2).encode()
        assert [c.name for c in read_card_file(write(pretty))] == ["Alive // Well", "Dryad Arbor"]


def test_tokens_emblems_and_art_cards_are_passed_over(write: Callable[[bytes], Path]) -> None:
    layouts = ("token", "double_faced_token", "emblem", "art_series", "normal")
    records: list[Record] = [
        {"name": f"Thing {layout}", "type_line": "Creature — Bear", "layout": layout}
        for layout in layouts
    ]
    for shape in SHAPES.values():
        assert [c.name for c in read_card_file(write(shape(records)))] == ["Thing normal"]


def test_later_card_replaces_earlier_one_of_its_name() -> None:
    old, new = CardText(name="Grizzly Bears"), CardText(name="grizzly bears", power="2")
    assert list(texts_by_name([old, new]).values()) == [new]


def test_digest_ignores_order_and_printing_but_no_rules_text() -> None:
    first, second = builtin_cards()[10:12]
    digest = digest_of_texts([first, second])
    dated = CardText(**{**as_fields(first), "set": "lea", "released_at": "1993-08-05"})
    changed = CardText(**{**as_fields(first), "oracle_text": "Haste"})
    assert digest == digest_of_texts([second, first]) == digest_of_texts([dated, second])
    assert digest != digest_of_texts([changed, second])


def as_fields(card: CardText) -> Record:
    return {field: getattr(card, field) for field in card.__struct_fields__}


def test_binary_file_is_refused(write: Callable[[bytes], Path]) -> None:
    error = refusal_of(write(bytes(range(256)) * 4))
    assert "no card file" in error.reason


def test_empty_and_missing_files_are_refused(
    write: Callable[[bytes], Path], tmp_path: Path
) -> None:
    assert "empty" in refusal_of(write(b" \n")).reason
    assert "cannot be read" in refusal_of(tmp_path / "absent").reason


def test_text_that_is_no_json_is_refused(write: Callable[[bytes], Path]) -> None:
    assert refusal_of(write(b"4 Grizzly Bears\n")).line == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_file_cut_in_half_is_refused(write: Callable[[bytes], Path], shape: str) -> None:
    data = SHAPES[shape]([FACES, COLORED, FACES])
    cut = data[: len(data) // 2]
    error = refusal_of(write(cut))
    assert "cut short" in error.reason
    assert error.line == cut.rstrip().count(b"\n") + 1


def test_gzip_cut_in_half_is_refused(write: Callable[[bytes], Path]) -> None:
    data = gzip.compress(as_lines([FACES, COLORED]))
    assert "cut short" in refusal_of(write(data[: len(data) // 2])).reason


def test_gzip_with_a_changed_byte_is_refused(write: Callable[[bytes], Path]) -> None:
    data = bytearray(gzip.compress(as_lines([FACES, COLORED])))
    data[-6] ^= 1
    assert "damaged" in refusal_of(write(bytes(data))).reason


@pytest.mark.parametrize("shape", ["lines", "array"])
def test_card_without_a_name_is_refused_with_its_line(
    write: Callable[[bytes], Path], shape: str
) -> None:
    nameless = {key: value for key, value in COLORED.items() if key != "name"}
    error = refusal_of(write(SHAPES[shape]([FACES, COLORED, nameless])))
    assert error.line == (3 if shape == "lines" else 4)
    assert "no name" in error.reason


@pytest.mark.parametrize("shape", SHAPES)
def test_field_of_the_wrong_type_is_refused(write: Callable[[bytes], Path], shape: str) -> None:
    error = refusal_of(write(SHAPES[shape]([FACES, {**COLORED, "power": 1}])))
    assert error.line is not None
    assert "power" in error.reason


def test_broken_line_is_named(write: Callable[[bytes], Path]) -> None:
    data = as_lines([FACES, COLORED]).replace(b'"Dryad', b"Dryad")
    assert refusal_of(write(data)).line == 2


def test_meld_card_goes_by_its_front_name(write: Callable[[bytes], Path]) -> None:
    meld = {**FACES, "layout": "meld", "name": "Alive"}
    atomic = {**FACES, "layout": "meld"}
    assert [c.name for c in read_card_file(write(as_lines([meld])))] == ["Alive"]
    assert [c.name for c in read_card_file(write(as_atomic([atomic])))] == ["Alive"]
