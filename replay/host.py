"""A host runs tables: it asks agents, lets the engine answer, and keeps the game in its store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Self

import msgspec

from ..actors.agents import Agent, agent_named
from ..actors.knowledge import SeatKnowledge
from ..actors.live_table import LiveTable, TableHalted
from ..events.base import Decision
from ..events.codec import decode_entry
from ..events.commit import Commit
from ..events.decisions import AnyDecision
from ..events.errors import EngineError, LeaseLost, LogConflict, StoreUnusable
from ..events.game import GameBegan
from ..events.ids import PlayerId
from ..events.refused import Refused
from ..events.seals import GameSecrets
from ..events.store import Fence, Store
from ..projections.past import FoldedPast
from ..projections.position import Position
from ..projections.state import State
from ..rules.protocol import Prompt
from .evidence import SIGN_EVERY, HeadSigner
from .finished import keep_as_record
from .new_game import HUMAN, GameSetup, NewGame, create_game, judge_of, prepare, this_host
from .sinks import GROUP_MAX, StoreSink
from .snapshots import SNAPSHOT_EVERY, keep_snapshot

Watcher = Callable[["HostedGame"], None]
"""Called after each decision of a game that is played by agents."""


class AgentRefused(EngineError):
    """An agent decided what the rules refuse: the agent, or the list of options, is wrong."""


class GameResult(msgspec.Struct, frozen=True):
    """How a game stands or ended, in the words of `apnap play --json`."""

    game: str
    winner: str | None
    reason: str
    rule: str
    turns: int
    commits: int
    events: int
    head: str
    state: str


class HostedGame:
    """One table with its agents, its store and the lease on its log.

    `decided` are the commits since `hosted_since` that `decide` was called for.

    `agents` holds one agent a seat, None where a person decides. Closing it gives the lease up; the
    game can be resumed from its log.
    """

    def __init__(
        self,
        store: Store,
        game: str,
        table: LiveTable,
        fence: Fence,
        agents: Sequence[Agent | None],
    ) -> None:
        self.store = store
        self.game = game
        self.table = table
        self.fence: Fence | None = fence
        self.agents = tuple(agents)
        self.decisions = 0
        self.decided: list[int] = []
        self.hosted_since = table.commits
        group_max = 1 if None in self.agents else GROUP_MAX
        self.sink = StoreSink(store, game, fence, group_max)
        self.sink.written.begin_at(table.commits, table.head)
        table.recorder.sink = self.sink
        table.game.trail.past = FoldedPast(self._commits)
        self._snapshot_at = table.commits + SNAPSHOT_EVERY
        self._signer = HeadSigner(store, game)

    @property
    def prompt(self) -> Prompt | None:
        """The open prompt; None when the game is over."""
        return self.table.prompt

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.table.is_over

    @property
    def position(self) -> Position:
        """The game as it is now."""
        return self.table.game

    @property
    def state(self) -> State:
        """The state as it is now."""
        return self.table.game.state

    def _commits(self, first: int, stop: int) -> Iterator[Commit]:
        """Yield commits of the log, those that wait to be written too."""
        self.sink.flush()
        for number, entry in self.store.read(self.game, first, stop):
            yield decode_entry(entry, self.game, number)

    def names(self) -> tuple[str, ...]:
        """Return the names of the seats."""
        return tuple(player.name for player in self.state.players)

    def decide(self, decision: Decision) -> Refused | None:
        """Take a decision, acknowledged on return, then let the engine answer what it can."""
        number = self.table.commits
        refused = self._guarded(lambda: self.table.decide(decision))
        if refused is None:
            self.decided.append(number)
            self._went_on()
        return refused

    def play(self, watch: Watcher | None = None, commits_max: int | None = None) -> None:
        """Let agents decide until the game is over, a person is asked, or it is so long."""
        self._guarded(self.table.advance)
        while not self.is_over and (commits_max is None or self.table.commits < commits_max):
            decision = self._from_agent()
            if decision is None:
                break
            self._take(decision)
            self.decisions += 1
            if watch is not None:
                watch(self)
            self._keep_snapshot()
        self._settle_accounts()

    def close(self) -> None:
        """Write what waits, park the table and give the lease up."""
        if self.fence is None:
            return
        self.fence = None
        try:
            if self.table.error is None:
                self.sink.confirm()
                self._sign()
                if self.is_over:
                    keep_as_record(self.store, self.sink.written.fence)
        finally:
            self.table.park()
            self.store.release(self.sink.written.fence)

    def vouch(self) -> None:
        """Sign the log as it is, all of which is acknowledged."""
        self._guarded(self.sink.flush)
        self._sign()

    def __enter__(self) -> Self:
        """Use the game in a `with` block, which closes it."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the game."""
        self.close()

    def result(self) -> GameResult:
        """Return how the game stands."""
        state = self.state
        winners = state.winners or ()
        return GameResult(
            game=self.game,
            winner=state.players[winners[0]].name if len(winners) == 1 else None,
            reason=state.end_reason,
            rule=rule_of_ending(state),
            turns=state.turn.number,
            commits=self.table.commits,
            events=state.next_sequence,
            head=self.table.head.hex(),
            state=state.digest().hex(),
        )

    def _from_agent(self) -> AnyDecision | None:
        """Return what the agent of the seat that is asked decides; None where a person is."""
        prompt = self.prompt
        assert prompt is not None, "a game that is not over asks somebody"
        agent = self.agents[prompt.seat]
        if agent is None:
            return None
        knowledge = SeatKnowledge(self.table.game, PlayerId(prompt.seat))
        try:
            return agent.decide(prompt, knowledge)
        except Exception as error:
            self._halted(f"the agent of {self.names()[prompt.seat]} failed: {error!r}")
            raise

    def _take(self, decision: AnyDecision) -> None:
        refused = self._guarded(lambda: self.table.decide(decision))
        if refused is not None:
            reason = f"an agent's decision was refused: {refused.detail} ({decision!r})"
            self._halted(reason)
            raise AgentRefused(reason)
        self._guarded(self.table.advance)

    def _went_on(self) -> None:
        self._guarded(self.table.advance)
        self._keep_snapshot()
        self._settle_accounts()

    def _settle_accounts(self) -> None:
        """Write what waits and, when the game is over, say so beside the log."""
        self._guarded(self.sink.flush)
        if self.is_over:
            self._guarded(self.sink.confirm)
            self.store.set_meta(self.game, {"status": "finished", "error": ""})
            self._sign()

    def _sign(self) -> None:
        """Sign the head, all of which is acknowledged, for the host and the seats here."""
        self._signer.sign(self.table.commits - 1, self.table.head)

    def _keep_snapshot(self) -> None:
        """Sign now and then, and keep the state: outside combat, which loses its order by it."""
        if self.table.commits >= self._signer.last + SIGN_EVERY:
            self._guarded(self.sink.flush)
            self._sign()
        if self.table.commits < self._snapshot_at:
            return
        prompt = self.prompt
        if prompt is None or not prompt.quiescent or self.state.combat.attackers:
            return
        self._guarded(self.sink.flush)
        table = self.table
        seals = table.recorder.slot_seals
        keep_snapshot(self.store, self.game, table.commits - 1, table.head, self.state, seals)
        self._snapshot_at = self.table.commits + SNAPSHOT_EVERY

    def _guarded(self, step: Callable[[], Refused | None]) -> Refused | None:
        """Do a step; a table that halts says so beside its log, and the exception goes on."""
        try:
            return step()
        except TableHalted as error:
            self.sink.flush()
            self._halted(str(error))
            raise
        except AssertionError as error:
            self._halted(f"{error} (after commit {self.table.commits - 1})")
            raise

    def _halted(self, reason: str) -> None:
        try:
            self.store.set_meta(self.game, {"status": "halted", "error": reason})
        except (StoreUnusable, LeaseLost, LogConflict):
            return  # the store's own trouble comes up with the next append


def host_new_game(store: Store, setup: GameSetup, meta: dict[str, str] | None = None) -> HostedGame:
    """Begin a new game from a set-up and return it at its first prompt."""
    return host_created(store, create_game(store, prepare(setup), setup.seed, meta))


def host_created(store: Store, new: NewGame) -> HostedGame:
    """Write commit 0 of a game that `create_game` made, and host it."""
    fence = store.acquire(new.game, this_host())
    try:
        table = begun(store, new.game, new.position, new.secrets, new.began, fence)
        agents = agents_of(new.agents, new.secrets)
        return HostedGame(store, new.game, table, fence, agents)
    except BaseException:
        store.release(fence)
        raise


def begun(
    store: Store,
    game: str,
    position: Position,
    secrets: GameSecrets,
    began: GameBegan,
    fence: Fence,
) -> LiveTable:
    """Return a new table whose first commit is written."""
    table = LiveTable(position, secrets, StoreSink(store, game, fence))
    try:
        table.begin(began, *judge_of(store, game))
    except TableHalted as error:
        store.set_meta(game, {"status": "halted", "error": str(error)})
        raise
    return table


def agents_of(names: Sequence[str], secrets: GameSecrets) -> tuple[Agent | None, ...]:
    """Return the agents of those names, each with its seat's seed; None for a person."""
    return tuple(
        None if name == HUMAN else agent_named(name, secrets.agent_seeds[seat])
        for seat, name in enumerate(names)
    )


def rule_of_ending(state: State) -> str:
    """Return the rule by which a game ended, "" while it goes on (CR 104)."""
    if state.winners is None:
        return ""
    return RULES_OF_REASONS.get(state.end_reason, "104.2a" if state.winners else "104.4a")


RULES_OF_REASONS = {
    "life": "704.5a",
    "library": "704.5b",
    "poison": "704.5c",
    "effect": "104.2b",
    "concession": "104.3a",
    "agreed": "104.4a",
    "loop": "104.4b",
    "simultaneous": "104.4a",
    "judge": "104.3k",
}
"""The rule behind each reason that a game can end for."""

__all__ = [
    "AgentRefused",
    "GameResult",
    "HostedGame",
    "agents_of",
    "begun",
    "host_created",
    "host_new_game",
]
