"""The same laws over games of printed decks, where they are beside the checkout."""

from pathlib import Path

import pytest

from apnap.cards.deck_files import read_deck
from apnap.cards.deck_rules import playable
from apnap.cards.pool import CardPool

from .playing import Played, play_on, sit_down
from .test_exports import (
    check_exports,
)
from .test_exports import (
    test_no_commit_of_a_seats_log_holds_a_card_it_never_saw as check_commits,
)
from .test_ids import test_ids_of_hidden_cards_of_hands_stand_nowhere_open as check_ids
from .test_seat_logs import (
    test_folding_a_seats_log_gives_what_it_may_see_of_the_whole as check_folds,
)
from .test_seat_logs import (
    test_older_openings_fit_in_every_seats_log as check_openings,
)

GAMES = 4


@pytest.fixture(scope="module")
def printed(shared: Path, games: int) -> list[Played]:
    """Return games between printed decks, each third of them of three players."""
    pool = CardPool.load([shared / "cards" / "oracle-cards.jsonl.gz"])
    paths = sorted((shared / "decks" / "skeleton").glob("*.dck"))
    decks = [
        tuple(card.name for card in playable(read_deck(str(path)), pool, "casual").cards())
        for path in paths
    ]
    played = []
    for seed in range(games or GAMES):
        chosen = [decks[(seed + step) % len(decks)] for step in (0, 3, 5)][: 3 if seed % 3 else 2]
        sitting = sit_down(chosen, seed, defined=pool.definition)
        for _ in play_on(sitting, seed):
            pass
        played.append(sitting.played)
    return played


def test_games_of_printed_decks_keep_their_secrets(printed: list[Played]) -> None:
    check_folds(printed)
    check_openings(printed)
    check_commits(printed)
    check_ids(printed)
    for seed, played in enumerate(printed):
        for upto in (1, len(played.entries) // 2, len(played.entries)):
            check_exports(played, upto, f"seed {seed}, {upto} commits")
