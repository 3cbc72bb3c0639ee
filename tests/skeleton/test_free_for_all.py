"""Three and four of the real decks against each other; in half of the games somebody concedes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from apnap.actors.chance import Chance
from apnap.events.decisions import Concede
from apnap.events.ids import PlayerId
from apnap.replay.host import HostedGame
from apnap.replay.new_game import GameSetup
from apnap.rules.leaving import SETTLING_KINDS

Begin = Callable[[GameSetup], HostedGame]
Check = Callable[[HostedGame], int]

ALL = 20
FEW = 2
COMMITS_MAX = 40_000
TRIES = 20


def setup_of(decks: list[str], number: int, attempt: int) -> GameSetup:
    """Return a set-up in which each deck has its turn, with three and four players."""
    seats = 3 + number // 2 % 2
    chosen = tuple(decks[(number * 3 + seat * 7 + attempt) % len(decks)] for seat in range(seats))
    agents = tuple(("random", "greedy")[(number + seat) % 2] for seat in range(seats))
    return GameSetup(decks=chosen, agents=agents, seed=number + 1 + attempt * ALL)


def is_in_mid_resolution(game: HostedGame) -> bool:
    """Whether the resolution of a spell or ability waits for an answer (CR 608.2)."""
    prompt = game.prompt
    if prompt is None or prompt.quiescent or prompt.kind in SETTLING_KINDS:
        return False
    return bool(game.state.stack)


def play(game: HostedGame, number: int) -> str:
    """Play a game in which somebody concedes while something resolves.

    Return what was being asked, "" if nothing was asked before the game was over.
    """
    while not game.is_over and game.table.commits < COMMITS_MAX:
        if is_in_mid_resolution(game):
            assert game.prompt is not None
            kind = f"{game.prompt.kind} ({game.prompt.rule})"
            chance = Chance(number.to_bytes(4, "big"), game.table.commits)
            seat = PlayerId(chance.below(len(game.state.players)))
            if not game.state.players[seat].has_left:
                counter = game.state.decision_counters[seat]
                assert game.decide(Concede(seat, seat, counter)) is None
                assert game.state.players[seat].has_lost
                game.play(commits_max=COMMITS_MAX)
                return kind
        game.play(commits_max=game.table.commits + 1)
    return ""


def played(decks: list[str], number: int, begin: Begin) -> tuple[HostedGame, str]:
    """Play a game, and say when somebody conceded in it: every second one, as soon as one can.

    Few cards ask while they resolve: the first decks and seed are taken whose game comes to it.
    """
    for attempt in range(TRIES):
        with begin(setup_of(decks, number, attempt)) as hosted:
            if number % 2 == 0:
                hosted.play(commits_max=COMMITS_MAX)
                return hosted, ""
            kind = play(hosted, number)
        if kind:
            return hosted, kind
    pytest.fail(f"game {number}: in {TRIES} games nothing was asked while something resolved")


@pytest.mark.rule("104.3a")
@pytest.mark.rule("800.4a")
@pytest.mark.rule("806.1")
def test_games_of_three_and_four_real_decks_end_replay_verify_and_read_back(
    decks: list[str], begin: Begin, check: Check, games: int
) -> None:
    """With `--games 20` or more all; in every second one a player concedes in mid-resolution."""
    count = min(games or FEW, ALL)
    reasons: Counter[str] = Counter()
    conceded: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for number in range(ALL - count, ALL):
        hosted, kind = played(decks, number, begin)
        if kind:
            conceded[kind] += 1
        try:
            read = check(hosted)
        except AssertionError as error:
            pytest.fail(f"game {number}: {error}")
        result = hosted.result()
        reasons[result.reason] += 1
        totals.update(commits=result.commits, events=result.events, decisions_read=read)
        totals[f"seats {len(hosted.names())}"] += 1
    print(f"\n{count} games, {dict(totals)}, by {dict(reasons)}, conceded at {dict(conceded)}")
    assert conceded.total() == count // 2
