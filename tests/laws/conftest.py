"""How many games the laws are tried on, and the decks that play them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apnap.actors.chance import Chance
from apnap.cards.mana import COLOR_OF_LETTER
from apnap.cards.pool import CardPool
from apnap.replay.invariants import Tally

GAMES_IN_CI = 12
DECKS = 12
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
        colors = letters[number % 5], letters[(number + 1 + number // 5) % 5]
        file = folder / f"deck{number}.txt"
        file.write_text(deck_text(pool, colors, number), encoding="utf-8")
        found.append(str(file))
    return tuple(found)


def deck_text(pool: CardPool, colors: tuple[str, str], number: int) -> str:
    """Return a deck of 16 lands, 22 cards of two colours by chance, and two that are needed."""
    usable = [
        card.name
        for card in pool
        if "Land" not in card.type_line.split()
        and {letter for letter in card.mana_cost if letter in COLOR_OF_LETTER} <= set(colors)
        and not hasattr(pool.compiled(card.name), "phrase")
    ]
    chance = Chance(b"decks", number)
    chosen = [usable[chance.below(len(usable))] for _ in range(22)] + ["Turncoat"] * 2
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
