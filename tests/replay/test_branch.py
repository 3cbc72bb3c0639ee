"""Branches share commits and go on; two games part where they part."""

from collections.abc import Callable

import pytest

from apnap.events.memory_store import MemoryStore
from apnap.replay.branch import BranchRefused, branch_game, diff_games
from apnap.replay.host import GameResult
from apnap.replay.opened import recorded_game
from apnap.replay.resume import resume_game
from apnap.replay.verify import verify_game

Play = Callable[..., GameResult]


@pytest.fixture
def store() -> MemoryStore:
    """Return an empty store."""
    return MemoryStore()


@pytest.mark.parametrize("fresh", [False, True])
def test_branch_shares_its_first_commits_and_verifies(
    store: MemoryStore, play: Play, fresh: bool
) -> None:
    parent = play(store, 5, ("greedy",))
    at = parent.commits // 2
    child = branch_game(store, parent.game, at, fresh_luck=fresh, entropy=bytes(32))
    with resume_game(store, child) as hosted:
        hosted.play()
        assert hosted.is_over
    ours, theirs = recorded_game(store, child), recorded_game(store, parent.game)
    assert ours.entries[: at + 1] == theirs.entries[: at + 1]
    assert ours.entries[at + 1] != theirs.entries[at + 1]
    assert verify_game(store, child).ok
    assert store.meta(child)["parent"] == f"{parent.game}@{at}"


def test_branch_in_the_middle_of_a_resolution_goes_on_from_there(
    store: MemoryStore, play: Play
) -> None:
    parent = play(store, 21, ("random",))
    commits = tuple(recorded_game(store, parent.game).commits())
    inside = [commit.number for commit in commits if not commit.quiescent]
    for at in inside[:4]:
        child = branch_game(store, parent.game, at, fresh_luck=True, entropy=b"x" * 32)
        with resume_game(store, child) as hosted:
            hosted.play()
        assert verify_game(store, child).ok


def test_same_luck_and_same_agents_play_the_same_game(store: MemoryStore, play: Play) -> None:
    parent = play(store, 5, ("greedy",))
    child = branch_game(store, parent.game, 40)
    with resume_game(store, child) as hosted:
        hosted.play()
        assert hosted.result().state == parent.state
        assert hosted.result().head != parent.head  # its seals are its own
    assert diff_games(store, parent.game, child) is None


def test_games_part_after_the_branch(store: MemoryStore, play: Play) -> None:
    parent = play(store, 5, ("greedy",))
    child = branch_game(store, parent.game, 40)
    with resume_game(store, child, ("random",)) as hosted:
        hosted.play()
    parting = diff_games(store, parent.game, child)
    assert parting is not None
    assert parting.at > 40
    assert parting.left != parting.right


def test_branch_of_a_branch_keeps_all_its_secrets(store: MemoryStore, play: Play) -> None:
    parent = play(store, 5, ("greedy",))
    child = branch_game(store, parent.game, 60, fresh_luck=True, entropy=b"a" * 32)
    with resume_game(store, child) as hosted:
        hosted.play(commits_max=100)
    grandchild = branch_game(store, child, 80, fresh_luck=True, entropy=b"b" * 32)
    with resume_game(store, grandchild) as hosted:
        hosted.play()
    assert verify_game(store, grandchild).ok


def test_siblings_have_seals_of_their_own(store: MemoryStore, play: Play) -> None:
    parent = play(store, 5, ("greedy",))
    secrets = [recorded_game(store, branch_game(store, parent.game, 40)).keys() for _ in range(2)]
    assert secrets[0].chance == secrets[1].chance
    assert secrets[0].nonce != secrets[1].nonce


def test_seat_of_an_unfinished_game_gets_fresh_luck_only(store: MemoryStore, play: Play) -> None:
    parent = play(store, 5, ("greedy",))
    store.set_meta(parent.game, {"status": "running"})
    with pytest.raises(BranchRefused, match="fresh luck only"):
        branch_game(store, parent.game, 40, by_seat=True)


def test_branch_needs_a_commit_that_is_there(store: MemoryStore, play: Play) -> None:
    parent = play(store, 5, ("greedy",))
    with pytest.raises(BranchRefused, match="There is no commit 9999"):
        branch_game(store, parent.game, 9999)
