"""All pairings of ten real decks: a winner or a draw by rule, a log that replays and verifies."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from apnap.cards.deck_files import read_deck
from apnap.cards.deck_rules import playable
from apnap.cards.pool import CardPool
from apnap.replay.host import HostedGame
from apnap.replay.new_game import GameSetup
from apnap.rules.supported import supported

Begin = Callable[[GameSetup], HostedGame]
Check = Callable[[HostedGame], int]

SEEDS = (1, 2, 3, 4, 5)
FEW = 4
COMMITS_MAX = 20_000


def pairings(decks: list[str]) -> list[tuple[tuple[str, str], int]]:
    """Return all 225 games; the deck first in the alphabet sits first."""
    return [(pair, seed) for seed in SEEDS for pair in combinations(decks, 2)]


def test_the_ten_decks_load_with_the_printed_cards(decks: list[str], pool: CardPool) -> None:
    assert len(decks) == 10
    for path in decks:
        deck = playable(read_deck(path), pool, "casual")
        assert len(deck.cards()) >= 40
        for card in deck.cards():
            supported(card)


@pytest.mark.rule("104.1")
def test_pairings_of_the_real_decks_end_by_rule_replay_verify_and_read_back(
    decks: list[str], begin: Begin, check: Check, games: int
) -> None:
    """With `--games 225` all pairings with seeds 1 to 5; else a few of them."""
    planned = pairings(decks)
    assert len(planned) == 225
    count = min(games or FEW, len(planned))
    step = len(planned) // count
    reasons: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    began = time.perf_counter()
    for pair, seed in planned[::step][:count]:
        setup = GameSetup(decks=pair, agents=("random", "greedy"), seed=seed)
        with begin(setup) as hosted:
            hosted.play(commits_max=COMMITS_MAX)
        names = "/".join(Path(path).stem.rpartition("-")[2] for path in pair)
        try:
            read = check(hosted)
        except AssertionError as error:
            pytest.fail(f"{names} with seed {seed}: {error}")
        result = hosted.result()
        reasons[result.reason] += 1
        totals.update(commits=result.commits, events=result.events, decisions_read=read)
        totals[f"{'draws' if result.winner is None else 'won'}"] += 1
    seconds = time.perf_counter() - began
    print(f"\n{count} games, {dict(totals)}, ended by {dict(reasons)}, {seconds:.0f} s")
    assert reasons.total() == count
