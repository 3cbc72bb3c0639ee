"""A game goes on from whatever commit it was cut off at, and ends as if nothing had been."""

from collections.abc import Callable

import pytest

from apnap.actors.live_table import LiveTable
from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.commit import Commit
from apnap.events.decisions import Concede
from apnap.events.errors import LeaseHeld
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.store import Store
from apnap.replay import resume
from apnap.replay.host import GameResult, HostedGame, host_new_game
from apnap.replay.new_game import GENESIS_BLOB, GameSetup
from apnap.replay.opened import SecretsMissing, recorded_game
from apnap.replay.resume import GameNeverBegan, folded_game, resume_game
from apnap.replay.sinks import ReplayDiverged
from apnap.replay.snapshots import SNAPSHOT, keep_snapshot
from apnap.rules import setup

Play = Callable[..., GameResult]
Cut = Callable[[Store, str, int], MemoryStore]


def test_game_resumed_after_each_of_its_commits_ends_with_the_same_head(
    played: tuple[MemoryStore, GameResult], cut: Cut
) -> None:
    store, result = played
    for commits in range(result.commits + 1):
        other = cut(store, result.game, commits)
        with resume_game(other, result.game) as hosted:
            hosted.play()
            assert (hosted.result(), commits) == (result, commits)


def test_games_with_mulligans_and_choices_resume_in_the_middle_of_them(
    play: Play, cut: Cut
) -> None:
    store = MemoryStore()
    for seed in range(20, 24):
        result = play(store, seed, ("random",))
        recorded = recorded_game(store, result.game)
        inside = [commit.number for commit in recorded.commits() if not commit.quiescent]
        for number in inside[:: max(1, len(inside) // 6)]:
            with resume_game(cut(store, result.game, number + 1), result.game) as hosted:
                hosted.play()
                assert hosted.result().head == result.head


def test_resuming_runs_nothing_before_the_last_quiescent_commit(
    played: tuple[MemoryStore, GameResult], cut: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, result = played
    again: list[int] = []
    redo = resume.redo

    def noted(table: LiveTable, game: str, commit: Commit) -> None:
        again.append(commit.number)
        redo(table, game, commit)

    monkeypatch.setattr(resume, "redo", noted)
    commits = tuple(recorded_game(store, result.game).commits())
    for last in range(len(commits)):
        again.clear()
        with resume_game(cut(store, result.game, last + 1), result.game):
            quiet = max(commit.number for commit in commits[: last + 1] if commit.quiescent)
            assert again == list(range(quiet + 1, last + 1))


def test_snapshot_spares_the_fold_and_changes_nothing(play: Play, cut: Cut) -> None:
    store = MemoryStore()
    result = play(store, 9, ("random",))
    whole = folded_game(cut(store, result.game, 150), result.game)
    assert whole is not None
    other = cut(store, result.game, 200)
    state, seals = whole.position.state, whole.slot_seals
    keep_snapshot(other, result.game, whole.number - 1, whole.head, state, seals)
    with resume_game(other, result.game) as hosted:
        hosted.play()
        assert hosted.result() == result


def test_snapshot_that_does_not_fit_the_log_is_passed_over(play: Play, cut: Cut) -> None:
    store = MemoryStore()
    result = play(store, 9, ("random",))
    for blob in (b"no snapshot", store.get_blob(result.game, SNAPSHOT) or b""):
        other = cut(store, result.game, 120)
        other.put_blob(result.game, SNAPSHOT, blob)
        with resume_game(other, result.game) as hosted:
            hosted.play()
            assert hosted.result().head == result.head


def test_game_goes_on_when_its_agents_would_answer_differently_now(
    played: tuple[MemoryStore, GameResult], cut: Cut
) -> None:
    store, result = played
    other = cut(store, result.game, result.commits // 2)
    with resume_game(other, result.game, ("random",)) as hosted:
        hosted.play()
        assert hosted.is_over


def test_second_host_is_told_and_the_first_plays_on(
    played: tuple[MemoryStore, GameResult], cut: Cut
) -> None:
    store, result = played
    other = cut(store, result.game, 20)
    with resume_game(other, result.game) as hosted:
        with pytest.raises(LeaseHeld):
            resume_game(other, result.game)
        hosted.play()
        assert hosted.result().head == result.head


def test_finished_game_resumes_as_what_it_is(played: tuple[MemoryStore, GameResult]) -> None:
    store, result = played
    with resume_game(store, result.game) as hosted:
        hosted.play()
        assert hosted.result() == result


def test_changed_rule_halts_the_game_at_its_tail_and_drops_nothing(
    play: Play, cut: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    game, number = _game_with_a_bottomed_card(store, play)
    other = cut(store, game, number)
    monkeypatch.setattr(setup, "cards_to_bottom", lambda _game, _player: 0)
    with pytest.raises(ReplayDiverged) as caught:
        resume_game(other, game)
    assert caught.value.difference.commit <= number
    assert other.meta(game)["status"] == "halted"
    assert str(caught.value) == other.meta(game)["error"]
    assert other.head(game).number == number - 1
    assert other.holder(game) is None


def _game_with_a_bottomed_card(store: Store, play: Play) -> tuple[str, int]:
    """Return a game, and how many commits lead to a prompt for what goes to the bottom."""
    for seed in range(60):
        result = play(store, seed, ("random",))
        for commit in recorded_game(store, result.game).commits():
            if not commit.quiescent and commit.number < 6:
                return result.game, commit.number + 1
    pytest.fail("no game of these has a mulligan")


def test_game_cut_off_as_it_began_begins_again_or_says_that_it_cannot(
    played: tuple[MemoryStore, GameResult], cut: Cut
) -> None:
    store, result = played
    other = cut(store, result.game, 0)
    other.drop_blob(result.game, GENESIS_BLOB)
    with pytest.raises(GameNeverBegan, match="was cut off before it began"):
        resume_game(other, result.game)


def test_record_of_one_seat_is_not_resumed() -> None:
    store = MemoryStore()
    store.create("baba", b"", {"seat": "1"})
    with pytest.raises(SecretsMissing, match="is one seat's"):
        resume_game(store, "baba")


@pytest.mark.rule("104.3a")
@pytest.mark.rule("800.4a")
def test_conceding_in_mid_resolution_resumes_like_all_else(cut: Cut) -> None:
    store = MemoryStore()
    setup_of_three = GameSetup(decks=(BUILTIN_DECKS * 2)[:3], seed=12, agents=("random",))
    with host_new_game(store, setup_of_three) as hosted:
        _play_until_mid_resolution(hosted)
        seat = PlayerId(1)
        counter = hosted.state.decision_counters[seat]
        assert hosted.decide(Concede(seat, seat, counter)) is None
        at = hosted.table.commits
        hosted.play()
        result = hosted.result()
    assert result.winner != "bob"
    for commits in range(at - 3, at + 4):
        other = cut(store, result.game, commits)
        with resume_game(other, result.game) as resumed:
            resumed.play()
            if commits >= at:
                assert resumed.result() == result


def _play_until_mid_resolution(hosted: HostedGame) -> None:
    while hosted.prompt is not None and (hosted.prompt.quiescent or hosted.table.commits < 30):
        hosted.play(commits_max=hosted.table.commits + 1)
    assert not hosted.is_over
