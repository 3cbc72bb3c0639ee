"""Decks and card files that no game may begin with: one sentence, and nothing in the store."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

Complaint = Callable[..., str]

FINE = "20 Forest\n20 Mountain\n"
BINARY = bytes(range(256)) * 8
DEEP = b"[" * 100_000
NONSENSE = {
    "name": "Gordian Knot",
    "mana_cost": "{1}",
    "type_line": "Sorcery",
    "oracle_text": "Untie this knot in a bold way.",
}

DECKS: dict[str, tuple[str | bytes, tuple[str, ...], tuple[str, ...]]] = {
    "empty": ("", (), ("empty",)),
    "blank": ("\n\n# nothing\n", (), ("empty",)),
    "of-39-cards": ("20 Forest\n19 Mountain\n", (), ("39", "40", "100.2b")),
    "constructed-59": ("30 Forest\n29 Swamp\n", ("--format", "constructed"), ("59", "60")),
    "constructed-five": (
        "55 Forest\n5 Grizzly Bears\n",
        ("--format", "constructed"),
        ("Grizzly Bears", "5", "4", "100.2a"),
    ),
    "binary": (BINARY, (), ("no text",)),
    "unknown-card": ("39 Forest\n1 Nosuch Card\n", (), ("Nosuch Card",)),
    "bad-line": ("40 Forest\nforty Swamps\n", (), ("line 2", "forty Swamps")),
    "no-number": ("40 Forest\n0 Swamp\n", (), ("line 2",)),
    "endless-name": (f"40 {'a' * 100_000}\n", (), ("line 1", "100000")),
    "bad-xml": ("<Deck><Cards Quantity='4'", (), ("line 1",)),
}


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("name", DECKS)
def test_bad_deck_is_refused_by_the_name_of_its_file(
    name: str, complaint: Complaint, tmp_path: Path
) -> None:
    content, options, words = DECKS[name]
    bad = write(tmp_path / f"{name}.dck", content)
    good = write(tmp_path / "good.dck", FINE)
    said = complaint("play", "--deck", good, bad, *options, "--store", "memory:")
    if options:
        assert "good.dck" in said  # it is refused first, for the same reason
        said = complaint("play", "--deck", bad, bad, *options, "--store", "memory:")
    assert f"{name}.dck" in said
    for word in words:
        assert word in said


def test_deck_that_is_not_there_or_a_folder_is_named(complaint: Complaint, tmp_path: Path) -> None:
    (tmp_path / "folder.dck").mkdir()
    for name in ("nowhere.dck", "folder.dck"):
        deck = tmp_path / name
        assert name in complaint("play", "--deck", deck, deck, "--store", "memory:")


def test_unsupported_card_is_refused_with_its_phrase(complaint: Complaint, tmp_path: Path) -> None:
    cards = write(tmp_path / "cards.jsonl", json.dumps(NONSENSE))
    deck = write(tmp_path / "knot.dck", "39 Forest\n1 Gordian Knot\n")
    said = complaint("play", "--deck", deck, deck, "--cards", cards, "--store", "memory:")
    assert "knot.dck" in said
    assert "Gordian Knot" in said
    assert "Untie" in said


@pytest.fixture
def card_lines() -> bytes:
    """Return the bytes of a sound card file."""
    cards = [
        {"name": f"Bear {number}", "type_line": "Creature — Bear", "power": "2", "toughness": "2"}
        for number in range(200)
    ]
    return b"\n".join(json.dumps(card).encode() for card in cards)


@pytest.mark.parametrize("is_gzip", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("is_array", [False, True], ids=["lines", "array"])
def test_card_file_cut_in_half_is_refused(
    complaint: Complaint, tmp_path: Path, card_lines: bytes, *, is_gzip: bool, is_array: bool
) -> None:
    content = b"[" + card_lines.replace(b"\n", b",\n") + b"]" if is_array else card_lines
    packed = gzip.compress(content) if is_gzip else content
    for where in (len(packed) // 2, len(packed) - 1):
        file = write(tmp_path / "cut.json", packed[:where])
        said = complaint("play", "--cards", file, "--store", "memory:")
        assert "cut.json" in said
        assert "cut short" in said


@pytest.mark.parametrize(
    "content", [b"", BINARY, b"\x1f\x8b" + BINARY, b"40 Forest\n", b"[1, 2]", DEEP]
)
def test_file_that_is_no_card_file_is_named(
    content: bytes, complaint: Complaint, tmp_path: Path
) -> None:
    file = write(tmp_path / "odd.json", content)
    for words in (("play", "--store", "memory:", "--cards"), ("cards", "report")):
        assert "odd.json" in complaint(*words, file)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero here")
def test_file_without_an_end_is_refused(complaint: Complaint) -> None:
    for option in (("--cards",), ("--deck", "red-green-stompers")):
        assert "/dev/zero" in complaint("play", *option, "/dev/zero", "--store", "memory:")


def test_nothing_is_kept_of_a_game_that_was_refused(
    complaint: Complaint, tmp_path: Path, embedded_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from apnap.cli.main import run

    run(["games", "--json", "--store", embedded_url])
    before = capsys.readouterr().out
    deck = write(tmp_path / "unknown.dck", "40 Nosuch Card\n")
    complaint("play", "--deck", deck, deck, "--store", embedded_url)
    run(["games", "--json", "--store", embedded_url])
    assert capsys.readouterr().out == before
