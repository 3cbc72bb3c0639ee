"""A host keeps games in its store, and a table that fails fails alone."""

from collections.abc import Callable, Sequence

import pytest

from apnap.actors import agents
from apnap.actors.live_table import TableHalted
from apnap.actors.lookahead import Forgetting
from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.chain import GENESIS
from apnap.events.decisions import AnyDecision, KeepHand
from apnap.events.errors import LeaseLost, StoreUnusable
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.store import Fence, NewCommit
from apnap.replay.host import AgentRefused, GameResult, HostedGame, host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import recorded_game
from apnap.replay.resume import resume_game
from apnap.replay.sinks import CheckingSink, ReplayDiverged, StoreSink
from apnap.replay.snapshots import last_snapshot
from apnap.rules import priority

Play = Callable[..., GameResult]


def hosted_in(store: MemoryStore, *names: str, seed: int = 1) -> HostedGame:
    return host_new_game(store, GameSetup(decks=BUILTIN_DECKS, seed=seed, agents=names))


class FullStore(MemoryStore):
    """A store that takes so many commits and no more."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def append_many(
        self,
        game: str,
        number: int,
        prev_digest: bytes,
        commits: Sequence[NewCommit],
        fence: Fence,
    ) -> None:
        """Append while there is room."""
        fitting = commits[: max(self.room - number, 0)]
        super().append_many(game, number, prev_digest, fitting, fence)
        if len(fitting) < len(commits):
            raise StoreUnusable(self.address, "the disk is full")


def test_failing_procedure_rolls_back_and_halts_its_table_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    halted, other = hosted_in(store, "human"), hosted_in(store, "random", seed=2)
    for _ in range(2):
        assert halted.prompt is not None
        assert halted.decide(halted.prompt.suggest(halted.position)) is None
    before, commits = halted.state.to_bytes(), halted.table.commits

    def broken(*_args: object) -> None:
        raise ZeroDivisionError("a bug in the rules")

    with monkeypatch.context() as patch:
        patch.setattr(priority, "pass_priority", broken)
        prompt = halted.prompt
        assert prompt is not None
        with pytest.raises(TableHalted, match="a bug in the rules"):
            halted.decide(prompt.suggest(halted.position))
    assert (halted.state.to_bytes(), halted.table.commits) == (before, commits)
    [record] = [one for one in store.games() if one.game == halted.game]
    assert record.meta["status"] == "halted"
    assert "a bug in the rules" in record.meta["error"]
    refused = halted.decide(KeepHand(PlayerId(0), PlayerId(0), 0))
    assert refused is not None
    assert refused.code == "game-over"
    other.play()
    assert other.is_over
    halted.close()
    with resume_game(store, halted.game, ("random",)) as again:
        again.play()
        assert store.meta(again.game)["status"] == "finished"


def test_full_store_stops_the_game_and_nothing_acknowledged_is_lost(play: Play) -> None:
    whole = play(MemoryStore(), 1, ("greedy",))
    store = FullStore(room=70)
    hosted = host_new_game(store, GameSetup(decks=BUILTIN_DECKS, seed=1, agents=("greedy",)))
    with pytest.raises(StoreUnusable, match="the disk is full"), hosted:
        hosted.play()
    assert store.head(hosted.game).number == 69
    store.room = 10_000
    with resume_game(store, hosted.game) as again:
        again.play()
        assert again.result().head == whole.head


def test_host_that_lost_its_lease_learns_so_from_the_refused_append() -> None:
    store = MemoryStore()
    hosted = hosted_in(store, "human")
    assert hosted.fence is not None
    store.release(hosted.fence)
    with resume_game(store, hosted.game):
        prompt = hosted.prompt
        assert prompt is not None
        with pytest.raises(LeaseLost):
            hosted.decide(prompt.suggest(hosted.position))


def test_human_decisions_are_acknowledged_one_by_one() -> None:
    store = MemoryStore()
    with hosted_in(store, "human", "greedy") as hosted:
        for _ in range(12):
            prompt = hosted.prompt
            assert prompt is not None
            if hosted.agents[prompt.seat] is not None:
                hosted.play()
                continue
            assert hosted.decide(prompt.suggest(hosted.position)) is None
            assert store.head(hosted.game).number == hosted.table.commits - 1


def test_agents_commits_are_written_in_bounded_groups(
    played: tuple[MemoryStore, GameResult],
) -> None:
    source, result = played
    store = MemoryStore()
    store.create(result.game, b"", {})
    sink = StoreSink(store, result.game, store.acquire(result.game, "here"), group_max=4)
    head = GENESIS
    for commit in recorded_game(source, result.game).commits():
        if commit.number == 10:
            break
        entry = recorded_game(source, result.game).entries[commit.number]
        sink.append(commit.number, head, NewCommit(entry, commit.digest))
        head = commit.digest
        assert store.head(result.game).number == commit.number - (commit.number + 1) % 4
    sink.flush()
    assert store.head(result.game).number == 9


def test_agent_that_answers_against_the_rules_halts_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def cheat(_self: object, prompt: object, _game: object) -> AnyDecision:
        return KeepHand(PlayerId(0), PlayerId(0), 99)

    monkeypatch.setattr(agents.RandomAgent, "decide", cheat)
    store = MemoryStore()
    with hosted_in(store, "random") as hosted, pytest.raises(AgentRefused, match="was refused"):
        hosted.play()
    assert store.meta(hosted.game)["status"] == "halted"


def test_long_game_keeps_a_snapshot_that_fits_its_log(play: Play) -> None:
    store = MemoryStore()
    result = play(store, 9, ("random",))
    snapshot = last_snapshot(store, result.game)
    assert snapshot is not None
    assert 0 < snapshot.commit < result.commits
    assert last_snapshot(store, result.game, before=snapshot.commit) is None


def test_divergence_names_the_event_and_both_sides(played: tuple[MemoryStore, GameResult]) -> None:
    store, result = played
    entries = recorded_game(store, result.game).entries
    sink = CheckingSink(result.game, 0, (entries[1],))
    with pytest.raises(ReplayDiverged) as caught:
        sink.append(0, GENESIS, NewCommit(entries[2], b""))
    difference = caught.value.difference
    assert difference.recorded != difference.recomputed
    assert str(caught.value).split()[-1].startswith(f"{result.game}@")
    Forgetting().append(0, GENESIS, NewCommit(entries[0], b""))
