"""Taking back at random: the game goes on, and every law of the log holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.codec import decode_entry
from apnap.events.commit import Commit
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.redaction import redact_entry
from apnap.events.taking_back import TakenBack
from apnap.projections.past import FoldedPast
from apnap.projections.redaction import redact_state
from apnap.projections.state import State
from apnap.projections.taking_back import GOES_ON, PastUnknown, from_kept, kept
from apnap.projections.trail import Trail
from apnap.projections.view import apply_commit, fold, new_view
from apnap.replay.branch import branch_game
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.resume import resume_game
from apnap.replay.snapshots import SNAPSHOT_EVERY, last_snapshot
from apnap.replay.taking_back import take_back
from apnap.replay.timeline import Timeline, replay_game
from apnap.replay.transcript import transcript
from apnap.replay.verify import verify_game, verify_recorded

from .conftest import GoingBack

Play = Callable[..., GoingBack]
MANY = 200
"""How many take-backs are asked for at least with `--games`."""


def commits_of(game: GoingBack) -> list[Commit]:
    return list(game.table.commits())


def moments_of(game: GoingBack) -> list[tuple[int, TakenBack]]:
    return [
        (commit.number, event)
        for commit in commits_of(game)
        for event in commit.events()
        if isinstance(event, TakenBack)
    ]


def test_games_that_go_back_at_random_end_and_verify(going_back: Play, games: int) -> None:
    times = {True: 0, False: 0}
    for seed in range(games or 4):
        game = going_back(seed)
        found = verify_recorded(game.recorded())
        assert found.ok, found
        for quiescent, count in game.times.items():
            times[quiescent] += count
    print(f"went back {times[True]} times to between, {times[False]} times to amid something")
    assert sum(times.values()) >= (MANY if games >= MANY // 8 else 20)
    assert min(times.values()) >= 3


@pytest.mark.parametrize("seed", [2, 4])
def test_game_that_went_back_resumes_from_around_each_take_back(
    going_back: Play, seed: int
) -> None:
    game = going_back(seed)
    moments = moments_of(game)
    assert moments
    for number, _ in moments:
        for commits in (number, number + 1, number + 2):
            store = game.stored(commits)
            with resume_game(store, game.new.game) as hosted:
                assert hosted.table.commits == commits
                hosted.play(commits_max=commits + 5)
            assert verify_game(store, game.new.game).ok


def test_host_goes_back_before_its_snapshot_and_resumes_after_it() -> None:
    """The snapshot that a resumed game begins from is later than what it goes back to."""
    store = MemoryStore()
    setup = GameSetup(decks=BUILTIN_DECKS, seed=11, agents=("random",))
    with host_new_game(store, setup) as hosted:
        hosted.play(commits_max=SNAPSHOT_EVERY + 60)
        game = hosted.game
    snapshot = last_snapshot(store, game)
    assert snapshot is not None
    with resume_game(store, game) as hosted:
        assert take_back(hosted, snapshot.commit - 90, PlayerId(0)) is None
        hosted.play(commits_max=hosted.table.commits + 20)
        state, commits = hosted.state.to_bytes(), hosted.table.commits
    again = last_snapshot(store, game)
    assert again is not None
    assert again.commit == snapshot.commit
    with resume_game(store, game) as hosted:
        assert (hosted.state.to_bytes(), hosted.table.commits) == (state, commits)
        hosted.play(commits_max=commits + 2 * SNAPSHOT_EVERY)
    with resume_game(store, game) as hosted:
        assert take_back(hosted, 40, PlayerId(1)) is None
        hosted.play(commits_max=hosted.table.commits + 20)
    found = verify_game(store, game)
    assert found.ok, found


def test_branch_of_a_game_that_went_back_plays_on(going_back: Play) -> None:
    game = going_back(5)
    number, taken = moments_of(game)[-1]
    store = game.stored(number + 3)
    for at in (taken.last, number):
        child = branch_game(store, game.new.game, at, fresh_luck=True)
        with resume_game(store, child) as hosted:
            hosted.play(commits_max=at + 40)
        found = verify_game(store, child)
        assert found.ok, found


def test_fold_of_a_prefix_then_the_rest_is_the_fold_of_all(going_back: Play) -> None:
    game = going_back(7)
    commits = commits_of(game)
    past = game.recorded().past
    whole = game.new.position.state.to_bytes()
    for place in range(0, len(commits), 97):
        first = Trail(State())
        first.past = past()
        fold(first, commits[:place])
        rest = Trail(State.from_bytes(first.state.to_bytes()))
        rest.past = past()  # a fold that starts from a snapshot reads the log for what was before
        fold(rest, commits[place:])
        assert rest.state.to_bytes() == whole
        first.undo_to(0)
        assert first.state.to_bytes() == State().to_bytes()
    assert replay_game(game.recorded()).state == game.new.position.state.digest().hex()


def test_what_goes_back_is_the_state_and_what_goes_on_is_not(going_back: Play) -> None:
    game = going_back(1)
    past = game.recorded().past()
    for number, taken in moments_of(game):
        then, after, before = (past.state_at(one) for one in (taken.to, number, number - 1))
        assert after.next_sequence > before.next_sequence
        assert after.shuffles == before.shuffles
        assert after.next_id == before.next_id
        assert after.offer is None
        assert after.taken_back[-1] == (taken.to + 1, taken.last)
        for item in then.objects.values():
            known_to = before.objects[item.id].known_to if item.id in before.objects else 0
            assert after.objects[item.id].known_to & item.known_to == item.known_to
            assert after.objects[item.id].known_to & known_to == known_to
            after.objects[item.id].known_to = item.known_to
        for field in GOES_ON:
            setattr(after, field, getattr(then, field))
        after.offer = then.offer
        assert after.to_bytes() == then.to_bytes()


def test_seats_fold_their_own_logs_to_what_is_left_of_the_whole(going_back: Play) -> None:
    game = going_back(3)
    entries = game.table.entries
    for seat in range(len(game.new.position.state.players)):
        own = [redact_entry(entry, PlayerId(seat)) for entry in entries]

        def read(first: int, stop: int, own: list[bytes] = own) -> list[Commit]:
            return [decode_entry(entry) for entry in own[first:stop]]

        view = new_view(PlayerId(seat))
        view.past = FoldedPast(read, PlayerId(seat))
        for entry in own:
            apply_commit(view, decode_entry(entry))
        seen = redact_state(game.new.position.state, PlayerId(seat))
        assert view.state.to_bytes() == seen.to_bytes()


def test_timeline_steps_over_take_backs_both_ways(going_back: Play) -> None:
    game = going_back(8)
    recorded = game.recorded()
    timeline, past = Timeline(recorded), recorded.past()
    for number, taken in (*moments_of(game), *reversed(moments_of(game))):
        for commit in (number, number - 1, number + 1, taken.to):
            state = timeline.go_to(min(commit, timeline.last)).state
            expected = past.state_at(min(commit, timeline.last))
            assert state.to_bytes() == expected.to_bytes()
    while timeline.back():
        pass
    assert timeline.position.state.to_bytes() == State().to_bytes()


def test_transcript_tells_who_offered_who_agreed_and_what_was_undone(going_back: Play) -> None:
    game = going_back(2)
    number, taken = moments_of(game)[0]
    lines = [line for line in transcript(game.recorded()) if number - 2 <= line.n <= number]
    texts = [line.text for line in lines]
    assert f"take back to {taken.to}" in texts
    assert "agree" in texts
    undone = f"commits {taken.to + 1} to {taken.last} are undone"
    assert any(undone in text for text in texts if text)


def test_fold_without_the_log_says_that_it_knows_no_past(going_back: Play) -> None:
    game = going_back(2)
    with pytest.raises(PastUnknown, match="Nothing is kept"):
        fold(Trail(State()), commits_of(game))


def test_kept_states_keep_the_order_of_tables(going_back: Play) -> None:
    state = going_back(1).new.position.state
    again = from_kept(kept(state))
    assert list(again.objects) == list(state.objects)
    assert again.to_bytes() == state.to_bytes()
