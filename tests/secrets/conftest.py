"""Random games of the built-in decks and a deck of tricks, recorded with all their secrets."""

import pytest

from .playing import Played, play

GAMES = 6


@pytest.fixture(scope="session")
def recorded(games: int) -> list[Played]:
    """Return whole games of two and three players."""
    return [play(seed) for seed in range(games or GAMES)]
