"""Whole games between real decks: each ends by a rule, replays and verifies."""

from itertools import combinations
from pathlib import Path

import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cards.pool import CardPool
from apnap.events.decisions import Concede
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.redaction import redact_entry
from apnap.projections.redaction import is_known
from apnap.replay.host import HostedGame, host_created
from apnap.replay.new_game import GameSetup, create_game, prepare
from apnap.replay.opened import recorded_game
from apnap.replay.record_file import definitions_seen
from apnap.replay.timeline import Timeline, replay_game
from apnap.replay.verify import verify_game

COMMITS_MAX = 20_000
REASONS = ("life", "library", "poison", "effect", "concession", "simultaneous")


@pytest.fixture(scope="module")
def decks(shared: Path) -> list[str]:
    """Return the ten real decks, in the alphabet's order."""
    return sorted(str(path) for path in (shared / "decks" / "skeleton").glob("*.dck"))


@pytest.fixture(scope="module")
def pool(shared: Path) -> CardPool:
    """Return the printed cards."""
    return CardPool.load([shared / "cards" / "oracle-cards.jsonl.gz"])


def hosted(setup: GameSetup, pool: CardPool, seed: int) -> HostedGame:
    store = MemoryStore()
    return host_created(store, create_game(store, prepare(setup, pool), seed))


def assert_ended_well(game: HostedGame) -> None:
    result = game.result()
    assert game.is_over
    assert result.reason in REASONS
    assert result.commits < COMMITS_MAX
    replayed = replay_game(recorded_game(game.store, game.game))
    assert (replayed.head, replayed.state) == (result.head, result.state)
    found = verify_game(game.store, game.game)
    assert found.ok, found.detail


def test_all_pairings_of_the_real_decks_end_replay_and_verify(
    decks: list[str], pool: CardPool
) -> None:
    assert len(decks) == 10
    for number, pair in enumerate(combinations(decks, 2)):
        setup = GameSetup(decks=pair, agents=("random", "greedy"))
        with hosted(setup, pool, number % 5 + 1) as game:
            game.play(commits_max=COMMITS_MAX)
        assert_ended_well(game)


@pytest.mark.rule("104.3a")
@pytest.mark.rule("800.4a")
@pytest.mark.parametrize("seed", range(6))
def test_games_of_several_players_end_also_when_one_concedes_in_mid_resolution(seed: int) -> None:
    seats = 3 + seed % 2
    setup = GameSetup(decks=(BUILTIN_DECKS * 2)[:seats], agents=("random",))
    with hosted(setup, CardPool.load(), seed + 1) as game:
        if seed >= 2:
            _concede_in_mid_resolution(game, PlayerId(seed % seats))
        game.play(commits_max=COMMITS_MAX)
    assert_ended_well(game)


def _concede_in_mid_resolution(game: HostedGame, seat: PlayerId) -> None:
    game.play(commits_max=30)
    while not game.is_over:
        prompt = game.prompt
        assert prompt is not None
        if not prompt.quiescent:
            counter = game.state.decision_counters[seat]
            assert game.decide(Concede(seat, seat, counter)) is None
            assert game.state.players[seat].has_lost
            return
        game.play(commits_max=game.table.commits + 1)


@pytest.mark.parametrize("seed", [3, 4])
def test_seats_log_tells_nothing_of_cards_that_it_never_saw(seed: int) -> None:
    setup = GameSetup(decks=BUILTIN_DECKS, agents=("random", "greedy"))
    with hosted(setup, CardPool.load(), seed) as game:
        game.play()
    recorded = recorded_game(game.store, game.game)
    definitions = game.position.definitions
    for seat in (PlayerId(0), PlayerId(1)):
        entries = [redact_entry(entry, seat) for entry in recorded.entries]
        timeline = Timeline(recorded)
        seen: set[bytes] = set()
        number = 0
        while timeline.forward():
            objects = timeline.position.state.objects.values()
            seen |= {bytes(item.card) for item in objects if is_known(item.known_to, seat)}
            if timeline.is_between_commits:
                leaked = [
                    definitions.get(digest).name  # type: ignore[arg-type] # a stored digest
                    for digest in recorded.definitions
                    if digest not in seen and digest in entries[number]
                ]
                assert (leaked, number) == ([], number)
                number += 1
        kept = definitions_seen(entries, recorded.definitions)
        everything = b"".join((*entries, *kept.values()))
        for digest in recorded.definitions:
            card = definitions.get(digest)  # type: ignore[arg-type] # a stored digest
            if digest not in seen and not card.is_token:
                assert digest not in kept
                assert card.name.encode() not in everything
        assert number == len(entries)
