"""Free-for-all games of three and four random players, some of whom concede in mid-resolution."""

from __future__ import annotations

from collections import Counter

import pytest

from apnap.actors.chance import Chance
from apnap.events.decisions import Concede
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.replay.host import HostedGame, host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import recorded_game
from apnap.replay.timeline import replay_game
from apnap.replay.verify import verify_game

DECKS = ("red-green-stompers", "white-black-wardens")
FEW = 4
DECISIONS_MAX = 20_000
CONCEDE_ONE_IN = 3


def _begun(store: MemoryStore, players: int, seed: int) -> HostedGame:
    decks = tuple(DECKS[seat % 2] for seat in range(players))
    return host_new_game(store, GameSetup(decks=decks, seed=seed, agents=("random",)))


def _play(game: HostedGame, seed: int, *, concedes: bool) -> Counter[str]:
    """Play a game to its end; where it concedes, somebody does when a procedure is half-way."""
    asked: Counter[str] = Counter()
    game.play(commits_max=1)
    for number in range(DECISIONS_MAX):
        prompt = game.prompt
        if prompt is None:
            return asked
        chance = Chance(seed.to_bytes(4, "big"), number)
        is_half_way = not prompt.quiescent
        if concedes and is_half_way and not asked and chance.one_in(CONCEDE_ONE_IN):
            seats = [n for n, player in enumerate(game.state.players) if not player.has_left]
            seat = PlayerId(seats[chance.below(len(seats))])
            counter = game.state.decision_counters[seat]
            assert game.decide(Concede(seat, seat, counter)) is None
            asked[prompt.kind] += 1
        else:
            game.play(commits_max=game.table.commits + 1)
    pytest.fail(f"seed {seed}: the game did not end in {DECISIONS_MAX} decisions")


@pytest.mark.rule("806.1")
@pytest.mark.rule("104.2a")
def test_games_of_three_and_four_end_and_verify(games: int) -> None:
    """With `--games 40`: the fold of each log is the live state, and running it again agrees."""
    count = games or FEW
    asked: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    for seed in range(count):
        store = MemoryStore()
        game = _begun(store, 3 + seed // 2 % 2, seed)
        asked += _play(game, seed, concedes=seed % 2 == 1)
        result = game.result()
        ended[result.reason] += 1
        assert result.rule
        live = game.state.digest().hex()
        game.close()
        assert replay_game(recorded_game(store, game.game)).state == live
        verified = verify_game(store, game.game)
        assert verified.ok, f"seed {seed}: {verified}"
    print(f"{count} games, ended by {dict(ended)}, conceded while asked {dict(asked)}")
    assert asked.total() >= count // 4
