"""The script of a simulation: hosts and seats do what they do, and what they should not.

Everything happens in one thread, in an order that the dice choose. When enough has happened the
faults stop, and every game has to finish.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeVar

import msgspec

from ..actors.knowledge import SeatKnowledge
from ..events.base import Decision
from ..events.decisions import (
    Concede,
    GiveConsent,
    OfferTakeBack,
    PassPriority,
    RefuseConsent,
    RevokeStandingPass,
    StandingMode,
)
from ..events.errors import (
    EngineError,
    GameUnknown,
    LeaseHeld,
    LeaseLost,
    LogConflict,
    StoreUnusable,
)
from ..events.ids import CommitNumber, PlayerId
from ..events.refused import Refused
from ..events.seals import GameSecrets
from ..events.store import LEASE_MS, Head, Store
from .host import HostedGame, host_created
from .lost_tail import hear_heads
from .new_game import HUMAN, create_game
from .resume import resume_game
from .simulation_dice import Clock, Dice, Trace
from .simulation_faults import AWAY_MS, FaultyLink, Network
from .simulation_laws import check_table
from .simulation_plan import Plan
from .simulation_tables import GAME, Seat, TableKind, TableRun, prepared_for
from .simulation_witness import (
    FINISHES,
    NO_FAILURE,
    ONCE,
    REFUSALS,
    SimulationBroken,
    Witness,
)

T = TypeVar("T")

HOSTS = ("north", "south", "west")
"""The machines of a simulation."""

COMMITS_MIN = 60
"""A script goes on with another table until there are so many commits."""

DECISIONS_MAX = 6000
"""A game that is longer, once the faults have stopped, will never finish."""

STATE_ONE_IN = 4
"""How often a live state is noted for the comparison with the fold of the log."""


TAKEN_ONE_IN = 8
"""How often a failover comes right after a table was taken over, where there are any."""


class Place(Protocol):
    """What the hosts of a simulation share: a store that can be restarted and fail over."""

    @property
    def store(self) -> Store:
        """The store, without any fault."""

    @property
    def is_down(self) -> bool:
        """Whether it answers nobody at this moment."""

    def restart(self, milliseconds: int) -> None:
        """Let the store be away for a while."""

    def fail_over(self, commits: int) -> tuple[bytes, ...]:
        """Go on with a replica that lacks so many commits; return their digests."""

    def catch_up(self) -> None:
        """Let the replica receive all there is."""


class Parts(msgspec.Struct, frozen=True):
    """What a simulation is made of: tests put others in the place of one."""

    resume: Callable[[Store, str, tuple[str, ...]], HostedGame] = resume_game
    decide: Callable[[HostedGame, Decision], Refused | None] = HostedGame.decide
    hear: Callable[[HostedGame, list[Head], list[Head]], object] = hear_heads
    tell: Callable[[Seat, Head], None] = Seat.hear


class Script:
    """Runs one seed's script: its tables, hosts and seats."""

    def __init__(self, plan: Plan, place: Place, clock: Clock, dice: Dice, parts: Parts) -> None:
        self.plan = plan
        self.place = place
        self.clock = clock
        self.dice = dice
        self.parts = parts
        self.trace = Trace()
        self.witness = Witness(place.store)
        self.network = Network(dice, clock, self.trace, plan.rates)
        self.network.outage = place
        self.links = {host: FaultyLink(self.witness, host, self.network) for host in HOSTS}
        self.tables: list[TableRun] = []

    def run(self) -> None:
        """Play all tables under faults, then without, and hold the laws against what came of it."""
        for number in range(self.plan.tables):
            self._begin(number)
        step = 0
        while step < self.plan.steps and not all(run.is_finished for run in self.tables):
            step += 1
            self._step()
        self._heal()
        while self.witness.commits < COMMITS_MIN:
            self._begin(len(self.tables))
            self._finish(self.tables[-1])
        for run in self.tables:
            check_table(run, self.place.store, self.witness)
            self.trace.note(f"{run.game}: ends in {run.seats[0].heads[-1]}")

    # One thing happens

    def _step(self) -> None:
        self.network.deliver()
        run = self.dice.pick(self.tables)
        what = self.dice.weighted(self.plan.events)
        if run.is_finished:
            return
        self.trace.note(f"{self.clock.now} {run.game}: {what}")
        if what in ("wait", "restart", "fail over", "catch up"):
            self._happen_to_store(what)
            return
        host = self._host_of(run)
        hosted = run.hosting.get(host)
        if hosted is None:
            self._adopt(run, host)
            return
        match what:
            case "die":
                self._forget(run, host, closes=False)
            case "park":
                self._forget(run, host, closes=True)
            case "move":
                self._forget(run, host, closes=True)
                self._adopt(run, self._another(host))
            case "second host":
                self._adopt(run, self._another(host))
            case _:
                self._at_table(run, host, hosted, what)

    def _at_table(self, run: TableRun, host: str, hosted: HostedGame, what: str) -> None:
        if hosted.is_over:
            self._settle(run, host, hosted)
        elif None not in hosted.agents:
            commits = hosted.table.commits + 1 + self.dice.below(24)
            self._try(run, host, lambda: hosted.play(commits_max=commits))
            self._tell(run, host)
        elif what == "decide":
            self._answer(run, host, hosted)
        else:
            self._misbehave(run, host, hosted, what)

    def _happen_to_store(self, what: str) -> None:
        match what:
            case "wait":
                self.clock.advance(LEASE_MS + 1)
            case "restart":
                self.place.restart(self.dice.below(AWAY_MS))
            case "catch up":
                self.place.catch_up()
            case _:
                self._fail_over(self.dice.below(7))

    def _fail_over(self, commits: int) -> None:
        lost = self.place.fail_over(commits)
        self.witness.failed_over(lost)
        self.trace.note(f"lost {[digest.hex()[:8] for digest in lost]}")
        for run in self.tables:
            run.failovers += 1
            if run.is_finished:  # its seats look whether it still is
                head = self.place.store.head(run.game)
                run.is_finished = run.seats[0].heads[-1:] == [head]

    # Tables and hosts

    def _begin(self, number: int) -> None:
        """Create a table; what may be cut off is its first commit."""
        kind = self.plan.kind_of(number)
        prepared = prepared_for(kind.script, kind.players)
        agents = (HUMAN if self.plan.has_seats else kind.agent,) * kind.players
        prepared = msgspec.structs.replace(prepared, agents=agents)
        new = create_game(self.place.store, prepared, kind.seed)
        secrets = GameSecrets.from_bytes(self.place.store.secret(new.game))
        run = TableRun(new.game, kind, secrets)
        self.tables.append(run)
        host = self.dice.pick(HOSTS)
        link_game = msgspec.structs.replace(new, agents=agents)
        self.trace.note(f"{host} begins {new.game}: {kind}")
        hosted = self._guarded(run, lambda: host_created(self.links[host], link_game))
        if hosted is not None:
            run.hosting[host] = hosted
            self._tell(run, host)

    def _host_of(self, run: TableRun) -> str:
        return self.dice.pick(tuple(run.hosting) or HOSTS)

    def _another(self, host: str) -> str:
        return self.dice.pick([other for other in HOSTS if other != host])

    def _adopt(self, run: TableRun, host: str) -> None:
        """Let a host take a table over, if nobody else has it; seats tell it what they know."""
        if host in run.hosting:
            return
        names = (HUMAN if self.plan.has_seats else run.kind.agent,) * run.kind.players
        hosted = self._guarded(run, lambda: self.parts.resume(self.links[host], run.game, names))
        self.trace.note(f"{host} adopts {run.game}: {hosted is not None}")
        if hosted is None:
            return
        run.hosting[host] = hosted
        for seat in sorted(run.seats, key=lambda seat: -len(seat.heads)):
            hear = partial(self.parts.hear, hosted, seat.heads, seat.ends)
            if reports := self._try(run, host, hear):
                self.trace.note(f"{host} reports {reports}")
                run.is_disturbed = True
        self._tell(run, host)
        if self.plan.fails_over and not self.network.is_healed and self.dice.one_in(TAKEN_ONE_IN):
            self._fail_over(0)  # the new primary does not know who has the lease
            self._adopt(run, self._another(host))

    def _forget(self, run: TableRun, host: str, *, closes: bool) -> None:
        """Let a host drop a table: as in good order, or as by a power cut."""
        hosted = run.hosting.pop(host)
        if closes:
            self._guarded(run, hosted.close)

    def _settle(self, run: TableRun, host: str, hosted: HostedGame) -> None:
        """Close a game that is over; it may still turn out that its end was lost."""
        self._forget(run, host, closes=True)
        head = self.place.store.head(run.game)
        run.is_finished = head == Head(hosted.table.commits - 1, hosted.table.head)

    # Asking the product

    def _try(self, run: TableRun, host: str, step: Callable[[], T]) -> T | None:
        """Do a step at a hosted table; a host whose store failed it gives the table up."""
        hosted = run.hosting.get(host)
        if hosted is None:
            return None
        failed = False

        def noticed() -> T:
            nonlocal failed
            failed = True
            found = step()
            failed = False
            return found

        found = self._guarded(run, noticed)
        if failed:
            self._forget(run, host, closes=not self.dice.one_in(2))
        return found

    def _guarded(self, run: TableRun, step: Callable[[], T]) -> T | None:
        """Do a step; only what a store may do to a host may come of it."""
        try:
            return step()
        except SimulationBroken:
            raise
        except (StoreUnusable, LeaseHeld, LeaseLost) as error:
            self.trace.note(f"{run.game}: {type(error).__name__}")
        except (LogConflict, GameUnknown) as error:
            if not run.failovers:
                raise self._failure(run, error) from error
            self.trace.note(f"{run.game}: {type(error).__name__}")
        except Exception as error:
            raise self._failure(run, error) from error
        return None

    def _failure(self, run: TableRun, error: Exception) -> SimulationBroken:
        number = self.place.store.head(run.game).number
        return SimulationBroken(NO_FAILURE, run.game, number, f"{type(error).__name__}: {error}")

    def _tell(self, run: TableRun, host: str) -> None:
        """Tell the seats the head of what has been acknowledged."""
        hosted = run.hosting.get(host)
        if hosted is None:
            return
        table = hosted.table
        head = Head(table.commits - 1, table.head)
        for seat in run.seats:
            if seat.heads and not self.witness.is_of_chain(seat.heads[-1], head):
                seat.ends.append(seat.heads[-1])  # what it gets of the log says so
                run.is_disturbed = True
            self.parts.tell(seat, head)
        self.trace.note(f"{host} tells {head.number} {head.digest.hex()[:8]}")
        if head.digest not in run.states and self.dice.one_in(STATE_ONE_IN):
            run.states[head.digest] = hosted.state.digest()

    # Seats

    def _answer(self, run: TableRun, host: str, hosted: HostedGame) -> None:
        """Let the seat that is asked answer; what got no reply is sent again."""
        prompt = hosted.prompt
        assert prompt is not None, "a game that is not over asks somebody"
        seat = run.seats[prompt.seat]
        again = seat.unanswered
        if again is not None:
            seat.unanswered = None
            self._send(run, host, seat, again)
            return
        decision = seat.agent.decide(prompt, SeatKnowledge(hosted.table.game, seat.number))
        self._send(run, host, seat, decision)

    def _send(self, run: TableRun, host: str, seat: Seat, decision: Decision) -> Refused | None:
        """Send a decision to a host; without a reply the seat does not know what became of it."""
        hosted = run.hosting[host]
        seat.unanswered = decision
        seat.remember(decision)
        refused = self._try(run, host, lambda: self.parts.decide(hosted, decision))
        if host in run.hosting:
            seat.unanswered = None
            self.trace.note(f"{decision!r}: {refused.code if refused else 'taken'}")
            self._tell(run, host)
        return refused

    def _misbehave(self, run: TableRun, host: str, hosted: HostedGame, what: str) -> None:
        """Send what is out of turn or out of order."""
        prompt = hosted.prompt
        assert prompt is not None, "a game that is not over asks somebody"
        asked = run.seats[prompt.seat]
        seat = self.dice.pick(run.seats)
        counter = hosted.state.decision_counters[seat.number]
        who = (seat.number, seat.number, counter)
        good = prompt.suggest(hosted.position)
        match what:
            case "twice":
                self._send_twice(run, host, asked)
            case "stale":
                self._refused(run, host, _counted(good, good.counter - 1))
            case "ahead":
                self._refused(run, host, _counted(good, good.counter + 1))
            case "wrong seat":
                other = PlayerId((good.seat + 1) % run.kind.players)
                self._refused(run, host, msgspec.structs.replace(good, seat=other))
            case "late answer":
                if seat.sent:
                    self._send_out_of_turn(run, host, seat, self.dice.pick(seat.sent))
            case "standing pass" if prompt.kind == "priority":
                mode = self.dice.pick(tuple(StandingMode))
                standing = PassPriority(prompt.seat, prompt.player, prompt.counter, mode)
                self._send_out_of_turn(run, host, asked, standing)
            case "revoke":
                self._send_out_of_turn(run, host, seat, RevokeStandingPass(*who))
            case "concede":
                self._send_out_of_turn(run, host, seat, Concede(*who))
            case "take back":
                to = CommitNumber(self.dice.below(hosted.table.commits))
                self._send_out_of_turn(run, host, seat, OfferTakeBack(*who, to))
            case "consent":
                kind = RefuseConsent if self.dice.one_in(4) else GiveConsent
                self._send_out_of_turn(run, host, seat, kind(*who))
            case _:
                self._answer(run, host, hosted)

    def _send_out_of_turn(self, run: TableRun, host: str, seat: Seat, decision: Decision) -> None:
        """Send what nobody asked for; if it is taken the game is another one."""
        refused = self._send(run, host, seat, decision)
        if refused is None:
            run.is_disturbed = True
            if host in run.hosting and not run.hosting[host].is_over:
                self._refused(run, host, decision)

    def _send_twice(self, run: TableRun, host: str, seat: Seat) -> None:
        """Let a seat answer, and send the same again at once."""
        self._answer(run, host, run.hosting[host])
        if host in run.hosting and seat.sent and not run.hosting[host].is_over:
            self._refused(run, host, seat.sent[-1])

    def _refused(self, run: TableRun, host: str, decision: Decision) -> None:
        """Send what must be refused."""
        hosted = run.hosting[host]
        before = hosted.table.commits
        refused = self._try(run, host, lambda: self.parts.decide(hosted, decision))
        if host in run.hosting and (refused is None or hosted.table.commits != before):
            law = ONCE if decision in [one for seat in run.seats for one in seat.sent] else REFUSALS
            raise SimulationBroken(law, run.game, before, f"{decision!r} was taken")

    # The end

    def _heal(self) -> None:
        """Stop the faults; then every game has to finish."""
        self.trace.note("the faults stop")
        self.network.is_healed = True
        self.clock.advance(AWAY_MS)
        self.network.deliver(everything=True)
        for run in self.tables:
            self._finish(run)

    def _finish(self, run: TableRun) -> None:
        """Let whoever hosts a game go on with it, else a new host once its lease is over."""
        for _ in range(DECISIONS_MAX):
            if run.is_finished:
                return
            if not run.hosting:
                self._adopt(run, HOSTS[0])
                if not run.hosting:
                    self.clock.advance(LEASE_MS)
                continue
            host = next(iter(run.hosting))
            self._at_table(run, host, run.hosting[host], "decide")
        number = self.place.store.head(run.game).number
        raise SimulationBroken(FINISHES, run.game, number, f"not after {DECISIONS_MAX} decisions")

    def close(self) -> None:
        """Let go of all tables."""
        for run in self.tables:
            for hosted in run.hosting.values():
                with suppress(EngineError):
                    hosted.table.park()


def _counted(decision: Decision, counter: int) -> Decision:
    return msgspec.structs.replace(decision, counter=counter)


__all__ = ["GAME", "HOSTS", "Parts", "Place", "Script", "TableKind"]
