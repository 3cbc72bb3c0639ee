from collections import Counter
from collections.abc import Callable
from typing import get_args

import pytest

from apnap.events.catalog import EVENT_TYPES
from apnap.events.commit import Commit
from apnap.events.game import PositionArranged
from apnap.events.ids import PlayerId
from apnap.events.taking_back import TakingBackEvent
from apnap.projections.evolve import FOLDS, evolve
from apnap.projections.redaction import redact_state
from apnap.projections.state import State
from apnap.projections.trail import Trail
from apnap.projections.view import apply_commit, fold, new_view, seat_view

MakeLog = Callable[[int, int], list[Commit]]
Cut = Callable[[Commit, PlayerId], Commit]
SEEDS = range(40)
COMMITS = 150
SEATS = tuple(PlayerId(seat) for seat in range(3))


def folded(commits: list[Commit]) -> State:
    trail = Trail(State())
    fold(trail, commits)
    return trail.state


def test_each_event_type_has_a_fold() -> None:
    assert set(FOLDS) == set(EVENT_TYPES)


def test_logs_by_chance_hold_each_event_type(log_by_chance: MakeLog) -> None:
    kinds = Counter(
        type(event)
        for seed in SEEDS
        for commit in log_by_chance(seed, COMMITS)
        for event in commit.events()
    )
    assert set(EVENT_TYPES) - set(kinds) == {PositionArranged, *get_args(TakingBackEvent)}


@pytest.mark.parametrize("seed", SEEDS)
def test_seat_that_folds_its_own_log_knows_what_is_left_of_the_whole(
    seed: int, log_by_chance: MakeLog, cut_for: Cut
) -> None:
    whole = Trail(State())
    views = {seat: new_view(seat) for seat in SEATS}
    for commit in log_by_chance(seed, COMMITS):
        apply_commit(whole, commit)
        for seat, view in views.items():
            apply_commit(view, cut_for(commit, seat))
            expected = redact_state(whole.state, seat)
            assert view.state == expected or view.state.to_bytes() == expected.to_bytes(), commit


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_seat_view_is_the_fold_of_a_cut_log(
    seed: int, log_by_chance: MakeLog, cut_for: Cut
) -> None:
    commits = log_by_chance(seed, COMMITS)
    whole = folded(commits)
    for seat in SEATS:
        view = seat_view([cut_for(commit, seat) for commit in commits], seat)
        assert view.to_bytes() == redact_state(whole, seat).to_bytes()


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_redacting_leaves_the_state_and_is_done_once(seed: int, log_by_chance: MakeLog) -> None:
    state = folded(log_by_chance(seed, COMMITS))
    before = state.to_bytes()
    for seat in SEATS:
        view = redact_state(state, seat)
        assert redact_state(view, seat).to_bytes() == view.to_bytes()
    assert state.to_bytes() == before


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_undo_gives_back_the_bytes_before_each_event(seed: int, log_by_chance: MakeLog) -> None:
    trail = Trail(State())
    marks: list[tuple[int, bytes]] = []
    for commit in log_by_chance(seed, COMMITS):
        for event in commit.events():
            marks.append((trail.mark(), trail.state.to_bytes()))
            evolve(trail, event)
    for mark, before in reversed(marks):
        trail.undo_to(mark)
        assert trail.state.to_bytes() == before


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_snapshot_and_the_rest_of_the_log_give_the_whole(seed: int, log_by_chance: MakeLog) -> None:
    commits = log_by_chance(seed, COMMITS)
    whole = folded(commits)
    for at in (1, COMMITS // 3, COMMITS - 1):
        snapshot = folded(commits[:at]).to_bytes()
        assert State.from_bytes(snapshot).to_bytes() == snapshot
        trail = Trail(State.from_bytes(snapshot))
        fold(trail, commits[at:])
        assert trail.state.to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_objects_of_a_game_lie_in_one_zone_each(seed: int, log_by_chance: MakeLog) -> None:
    state = folded(log_by_chance(seed, COMMITS))
    lists = [state.battlefield, state.stack, state.exile, state.command]
    for player in state.players:
        lists += [player.library, player.hand, player.graveyard]
    lying = sorted(name for names in lists for name in names)
    assert lying == sorted(state.objects)
    assert all(name == item.id for name, item in state.objects.items())
    assert sorted(state.items) == sorted(state.stack)


def test_evolve_does_not_change_what_it_was_given(log_by_chance: MakeLog) -> None:
    commits = log_by_chance(1, COMMITS)
    assert folded(commits).to_bytes() == folded(commits).to_bytes()
