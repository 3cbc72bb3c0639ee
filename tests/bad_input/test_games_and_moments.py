"""Games, seats and moments that are not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.store import Store
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup

Complaint = Callable[..., str]


@pytest.fixture(scope="module")
def game(embedded_store: Store) -> str:
    """Return the name of a finished game in the session's embedded store."""
    setup = GameSetup(decks=BUILTIN_DECKS, seed=3)
    with host_new_game(embedded_store, setup) as hosted:
        hosted.play()
        return hosted.game


@pytest.mark.parametrize(
    "words",
    [
        ("show", "nosuch"),
        ("show", "nosuch@3.1"),
        ("log", "nosuch"),
        ("replay", "nosuch"),
        ("verify", "nosuch"),
        ("resume", "nosuch"),
        ("remove", "nosuch"),
        ("branch", "nosuch@3"),
        ("diff", "nosuch", "nosuch"),
    ],
)
def test_unknown_game_is_named(
    words: tuple[str, ...], complaint: Complaint, embedded_url: str
) -> None:
    assert "nosuch" in complaint(*words, "--store", embedded_url)


def test_unknown_game_leaves_no_file(
    complaint: Complaint, embedded_url: str, tmp_path: Path
) -> None:
    assert "nosuch" in complaint("export", "nosuch", tmp_path / "f", "--store", embedded_url)
    assert list(tmp_path.iterdir()) == []


def test_known_game_stays_where_another_to_remove_is_unknown(
    game: str, complaint: Complaint, embedded_url: str, embedded_store: Store
) -> None:
    assert "nosuch" in complaint("remove", game, "nosuch", "--store", embedded_url)
    assert embedded_store.head(game).number > 0


@pytest.mark.parametrize("command", ["show", "log", "export"])
def test_unknown_seat_is_named_with_those_that_play(
    command: str, game: str, complaint: Complaint, embedded_url: str, tmp_path: Path
) -> None:
    file = [tmp_path / "f"] if command == "export" else []
    said = complaint(command, game, *file, "--seat", "zed", "--store", embedded_url)
    for word in ("--seat", "zed", "alice", "bob"):
        assert word in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("show", "{game}", "--at", "99999"),
        ("show", "{game}@99999"),
        ("replay", "{game}", "--to", "99999"),
        ("log", "{game}", "--from", "99999"),
        ("branch", "{game}", "--at", "99999"),
        ("branch", "{game}@99999"),
    ],
)
def test_moment_after_the_end_is_refused_with_the_last_one(
    words: tuple[str, ...],
    game: str,
    complaint: Complaint,
    embedded_url: str,
    embedded_store: Store,
) -> None:
    said = complaint(*(word.format(game=game) for word in words), "--store", embedded_url)
    assert "99999" in said
    assert f"{game}@{embedded_store.head(game).number}" in said


def test_log_that_ends_before_it_begins_is_refused(
    game: str, complaint: Complaint, embedded_url: str
) -> None:
    said = complaint("log", game, "--from", "9", "--to", "3", "--store", embedded_url)
    assert "--to 3" in said


def test_event_that_is_not_there_is_refused_with_the_last_one(
    game: str, complaint: Complaint, embedded_url: str
) -> None:
    assert f"{game}@5." in complaint("show", f"{game}@5.999", "--store", embedded_url)


@pytest.mark.parametrize("at", ["-1", "x", "1.5.2", ""])
def test_moment_that_is_no_number_is_refused(at: str, game: str, complaint: Complaint) -> None:
    assert "--at" in complaint("show", game, "--at", at, "--store", "memory:")


@pytest.mark.parametrize(
    "address", ["", "@", "@3", "baba@", "baba@x", "baba@1@2", "baba@-1", "a b"]
)
def test_bad_address_is_refused_with_how_one_is_written(address: str, complaint: Complaint) -> None:
    assert "GAME@N" in complaint("show", address, "--store", "memory:")


@pytest.mark.parametrize("command", ["resume", "export", "remove"])
def test_moment_stands_for_no_whole_game(
    command: str, game: str, complaint: Complaint, embedded_url: str, tmp_path: Path
) -> None:
    file = [tmp_path / "f"] if command == "export" else []
    assert f"{game}@3" in complaint(command, f"{game}@3", *file, "--store", embedded_url)
