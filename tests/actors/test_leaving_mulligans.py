"""Players leave before the game proper has begun (CR 103.5, 800.4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apnap.events.codec import decode_entry
from apnap.events.decisions import Concede, TakeMulligan
from apnap.events.ids import PlayerId, Step
from apnap.events.turn import TurnBegan
from apnap.projections.state import State
from apnap.projections.trail import Trail
from apnap.projections.view import apply_commit

from .conftest import Match


def _mulligan_once(match: Match) -> None:
    """Answer the open prompt: a mulligan the first two times, then keep, and put back as told."""
    prompt = match.table.prompt
    assert prompt is not None
    mine = match.new.position.state.players[prompt.player]
    if prompt.kind == "mulligan" and mine.mulligans < 2:
        decision = TakeMulligan(prompt.seat, prompt.player, prompt.counter)
        assert match.table.decide(decision) is None
    else:
        assert match.table.decide(prompt.suggest(match.new.position)) is None


def _concede(match: Match, seat: int) -> None:
    player = PlayerId(seat)
    counter = match.new.position.state.decision_counters[player]
    assert match.table.decide(Concede(player, player, counter)) is None


def _folds(match: Match) -> bool:
    trail = Trail(State())
    for number, entry in enumerate(match.log.entries):
        apply_commit(trail, decode_entry(entry, match.new.game, number))
    return trail.state.to_bytes() == match.new.position.state.to_bytes()


@pytest.mark.rule("104.3a")
@pytest.mark.rule("103.5")
@pytest.mark.parametrize("leaver", [0, 1, 2])
def test_a_player_may_leave_at_each_moment_of_the_mulligans(
    match_of: Callable[..., Match], leaver: int
) -> None:
    kinds: dict[str, int] = {}
    moment = 0
    while True:
        match = match_of(3, players=3)
        for _ in range(moment):
            _mulligan_once(match)
        prompt = match.table.prompt
        assert prompt is not None
        if match.new.position.state.opening_done:
            break
        kinds[prompt.kind] = kinds.get(prompt.kind, 0) + 1
        _concede(match, leaver)
        assert _folds(match)
        match.play(200)
        assert _folds(match)
        state = match.new.position.state
        assert state.opening_done
        assert not state.players[leaver].hand
        assert not state.players[leaver].library
        moment += 1
    print(kinds)
    assert kinds["mulligan"] >= 9
    assert kinds["bottom"] >= 3


@pytest.mark.rule("800.4k")
def test_the_next_player_begins_if_the_starting_player_leaves(
    match_of: Callable[..., Match],
) -> None:
    match = match_of(3, players=3)
    first = match.new.position.state.starting_player
    _concede(match, first)
    while not match.new.position.state.opening_done:
        assert match.table.prompt is not None
        assert match.table.decide(match.table.prompt.suggest(match.new.position)) is None
    turn = match.new.position.state.turn
    assert (turn.number, turn.active, turn.step) == (1, (first + 1) % 3, Step.UPKEEP)
    began = [
        event
        for number, entry in enumerate(match.log.entries)
        for event in decode_entry(entry, match.new.game, number).events()
        if isinstance(event, TurnBegan)
    ]
    assert len(began) == 1


@pytest.mark.rule("104.2a")
def test_a_duel_ends_in_the_mulligans(match_of: Callable[..., Match]) -> None:
    match = match_of(3)
    _concede(match, 0)
    assert match.table.is_over
    assert match.new.position.state.winners == (1,)
    assert match.new.position.state.end_reason == "concession"
