"""How many games the laws are tried on, and the decks that play them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apnap.cards.mana import COLOR_OF_LETTER
from apnap.cards.pool import CardPool
from apnap.replay.invariants import Tally

GAMES_IN_CI = 12
DECKS = 40
SHARE = 20
"""Cards of its own in a deck: ten pairs of colours, so that four decks hold most of a pair's."""

FOR_ALL = ("Turncoat", "Old King", "Old King", "Wide Gate", "Quick Prism")
"""Cards of no colour that all decks hold, for what seldom happens."""

LANDS = {"W": "Plains", "U": "Island", "B": "Swamp", "R": "Mountain", "G": "Forest"}


@pytest.fixture(scope="session")
def games(request: pytest.FixtureRequest) -> int:
    """Return how many games are to be played: `--games N`, else a few."""
    return int(request.config.getoption("--games")) or GAMES_IN_CI


@pytest.fixture(scope="session")
def pool() -> CardPool:
    """Return the built-in cards, and some for events that none of these brings about."""
    return CardPool.load([Path(__file__).parent / "extra_cards.jsonl"])


@pytest.fixture(scope="session")
def decks(tmp_path_factory: pytest.TempPathFactory, pool: CardPool) -> tuple[str, ...]:
    """Return decks of two colours each that hold most cards among them."""
    folder = tmp_path_factory.mktemp("decks")
    letters = "WUBRG"
    found: list[str] = []
    for number in range(DECKS):
        pair = number % 10
        colors = letters[pair % 5], letters[(pair + 1 + pair // 5) % 5]
        file = folder / f"deck{number}.txt"
        file.write_text(deck_text(pool, colors, number), encoding="utf-8")
        found.append(str(file))
    return tuple(found)


def deck_text(pool: CardPool, colors: tuple[str, str], number: int) -> str:
    """Return a deck of 16 lands, 20 of the cards of two colours in turn, and some for all decks."""
    usable = [
        card.name
        for card in pool
        if "Land" not in card.type_line.split()
        and {letter for letter in card.mana_cost if letter in COLOR_OF_LETTER} <= set(colors)
        and not hasattr(pool.compiled(card.name), "phrase")
    ]
    first = number // 10 * SHARE
    chosen = [usable[(first + place) % len(usable)] for place in range(SHARE)] + list(FOR_ALL)
    return "\n".join([f"8 {LANDS[color]}" for color in colors] + [f"1 {name}" for name in chosen])


@pytest.fixture(scope="session")
def tally() -> Iterator[Tally]:
    """Count what occurred in all games of the session, and print it at its end."""
    counted = Tally()
    yield counted
    for kind in ("events", "prompts", "decisions"):
        counts = getattr(counted, kind)
        listed = ", ".join(f"{name} {count}" for name, count in counts.most_common())
        print(f"\n{kind}: {listed}")


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a path short enough for a socket."""
    return tmp_path_factory.mktemp("l")
