"""What must hold of a game at the end of a simulation: its log against what everybody knows."""

from __future__ import annotations

from ..events.codec import decode_log
from ..events.commit import Commit
from ..events.errors import EngineError
from ..events.redaction import redact_entry
from ..events.store import Head, Store
from ..events.taking_back import TailLost
from ..projections.definitions import Definitions
from ..projections.position import Position
from ..projections.state import State
from .opened import edition_of, past_of
from .simulation_tables import Seat, TableRun, undisturbed
from .simulation_witness import (
    FOLD,
    HEADS,
    NO_FORK,
    NOTHING_LOST,
    ONCE,
    SAME_END,
    VERIFIES,
    SimulationBroken,
    Witness,
)
from .verify import verify_game

VERIFIED_ONE_IN = 4
"""How many games are run again by the rules: one in so many."""


def check_table(run: TableRun, store: Store, witness: Witness) -> None:
    """Hold the log of a finished game against what seats were told and hosts had."""
    entries = [entry for _, entry in store.read(run.game)]
    try:
        commits = tuple(decode_log(run.game, enumerate(entries)))
    except EngineError as error:
        raise SimulationBroken(NO_FORK, run.game, len(entries) - 1, str(error)) from error
    check_told(run, commits, witness)
    check_counted_once(run, commits)
    check_seats_agree(run, entries, commits)
    check_fold(run, store, commits)
    check_end(run, commits)
    if run.kind.seed % VERIFIED_ONE_IN == 0:
        check_verified(run, store)


def check_told(run: TableRun, commits: tuple[Commit, ...], witness: Witness) -> None:
    """Every head that a seat was told is in the log, or lost by a failover that the log names."""
    losses = [event for one in commits for event in one.events() if isinstance(event, TailLost)]
    for seat in run.seats:
        for head in seat.heads:
            is_there = head.number < len(commits) and commits[head.number].digest == head.digest
            if not is_there:
                _explain_loss(run, seat, head, losses, witness)


def _explain_loss(
    run: TableRun, seat: Seat, head: Head, losses: list[TailLost], witness: Witness
) -> None:
    who = f"seat {seat.number} was told {head.digest.hex()[:8]}"
    if head.digest not in witness.before:
        raise SimulationBroken(HEADS, run.game, head.number, f"{who}, which never was a head")
    if head.digest not in witness.dropped:
        raise SimulationBroken(NOTHING_LOST, run.game, head.number, f"{who}, no failover took it")
    for lost in losses:
        last = Head(lost.last, lost.head)
        if lost.kept < head.number <= lost.last and witness.is_of_chain(head, last):
            return
    raise SimulationBroken(NO_FORK, run.game, head.number, f"{who}, the log has another commit")


def check_counted_once(run: TableRun, commits: tuple[Commit, ...]) -> None:
    """Each seat's decisions are numbered without a gap and none is there twice."""
    counters = [0] * len(run.seats)
    for commit in commits:
        decision = commit.decision
        if isinstance(decision, bytes) or not 0 <= decision.seat < len(counters):
            continue
        if decision.counter != counters[decision.seat]:
            found = f"seat {decision.seat}'s decision {decision.counter}"
            raise SimulationBroken(ONCE, run.game, commit.number, found)
        counters[decision.seat] += 1


def check_seats_agree(run: TableRun, entries: list[bytes], commits: tuple[Commit, ...]) -> None:
    """Each seat's own log verifies to the same head, which is the last that the seat was told."""
    last = Head(len(commits) - 1, commits[-1].digest)
    for seat in run.seats:
        own = (redact_entry(entry, seat.number) for entry in entries)
        head = b""
        for commit in decode_log(run.game, enumerate(own)):
            head = commit.digest
        told = seat.heads[-1] if seat.heads else None
        if head != last.digest or told != last:
            found = f"seat {seat.number} has {told}, its log {head.hex()[:8]}"
            raise SimulationBroken(HEADS, run.game, last.number, found)


def check_fold(run: TableRun, store: Store, commits: tuple[Commit, ...]) -> None:
    """Folding the log gives the states that hosts had, wherever one was noted."""
    definitions = Definitions.from_records(store.get_definitions(run.game))
    position = Position(State(), definitions, edition_of(commits[0], run.game))
    position.trail.past = past_of(store, run.game)
    for commit in commits:
        position.apply_commit(commit)
        live = run.states.get(commit.digest)
        if live is not None and position.state.digest() != live:
            raise SimulationBroken(FOLD, run.game, commit.number, "another state")


def check_verified(run: TableRun, store: Store) -> None:
    """Verify the log as anybody can, also that no signature stands for what was lost."""
    found = verify_game(store, run.game)
    if not found.ok:
        raise SimulationBroken(
            VERIFIES, run.game, found.commits - 1, f"{found.kind}: {found.detail}"
        )


def check_end(run: TableRun, commits: tuple[Commit, ...]) -> None:
    """Where nobody decided otherwise and nothing was lost, the game ends as if left alone."""
    if run.is_disturbed:
        return
    last = Head(len(commits) - 1, commits[-1].digest)
    expected = undisturbed(run.kind)
    if last != expected:
        found = f"its head is {last.digest.hex()[:8]}, not {expected.digest.hex()[:8]}"
        raise SimulationBroken(SAME_END, run.game, last.number, found)
