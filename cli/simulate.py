"""Simulation from the command line: seeds under faults, and how to repeat one that fails."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import blake2b
from multiprocessing import get_context

import click

from ..replay.simulation import Outcome, plan_in_words, simulate_many
from ..replay.simulation_tables import SCRIPTS, SHORT
from ..replay.simulation_witness import INVARIANTS
from .main import CHECK_FAILED, complain
from .options import with_json
from .output import Output

CHUNK = {"short": 50, "game": 4}
"""How many seeds a process runs before it reports."""

FAILURES_SHOWN = 5
"""How many failing seeds are told; more of them mostly fail for the same reason."""


@click.command()
@click.option("--seed", type=int, required=True, metavar="N", help="The first seed.")
@click.option(
    "--seeds", "count", type=click.IntRange(min=1), default=1, metavar="M", help="How many seeds."
)
@click.option(
    "--script",
    type=click.Choice(SCRIPTS),
    default=SHORT,
    help="Short games of tiny decks, or whole games (default: short).",
)
@with_json
def simulate(*, seed: int, count: int, script: str, as_json: bool) -> int:
    """Play under faults of the store, of hosts and of people, from a seed.

    Requests are refused, slow, late or cut off; the store restarts or fails over to a replica that
    lacks its last commits; hosts die; two want one table. Then the faults stop and every game has
    to finish. When a law breaks, the exit code is 1, and the law and the command that repeats it
    are named.
    """
    output = Output(as_json=as_json)
    output.record(seed=seed, seeds=count, script=script, laws=INVARIANTS)
    output.say(f"Seed {seed}, {count} seeds, script {script}. Held at all times:")
    for law in INVARIANTS:
        output.say(f"  {law}")
    if count == 1:
        output.say(f"Plan: {plan_in_words(seed, script)}")
    began = time.perf_counter()
    traces = blake2b(digest_size=16)
    games = commits = faults = failed = 0
    for outcome in _outcomes(seed, count, script):
        traces.update(outcome.digest.encode())
        games, commits = games + outcome.games, commits + outcome.commits
        faults += outcome.faults
        if outcome.law:
            failed += 1
            if failed <= FAILURES_SHOWN:
                _tell_failure(output, outcome, script)
    seconds = time.perf_counter() - began
    output.record(
        seeds=count,
        failed=failed,
        games=games,
        commits=commits,
        faults=faults,
        trace=traces.hexdigest(),
        seconds=round(seconds, 3),
    )
    held = f"{failed} seeds failed" if failed else "every law held"
    output.say(
        f"{count} seeds, {games} games, {commits} commits, {faults} faulty requests in "
        f"{seconds:.0f} s, trace {traces.hexdigest()}: {held}."
    )
    return CHECK_FAILED if failed else 0


def _outcomes(seed: int, count: int, script: str) -> Iterator[Outcome]:
    """Yield what came of the seeds, in order; many are run by several processes."""
    size = CHUNK[script]
    if count <= size:
        yield from simulate_many(seed, count, script)
        return
    firsts = range(seed, seed + count, size)
    sizes = [min(size, seed + count - first) for first in firsts]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for found in pool.map(simulate_many, firsts, sizes, [script] * len(sizes)):
            yield from found


def _tell_failure(output: Output, outcome: Outcome, script: str) -> None:
    repeat = f"apnap simulate --seed {outcome.seed} --script {script}"
    output.record(
        broken=outcome.law,
        seed=outcome.seed,
        error=outcome.error,
        trace=outcome.digest,
        plan=outcome.plan,
        repeat=repeat,
    )
    for line in outcome.trace:
        output.say(f"  {line}")
    complain(outcome.error, CHECK_FAILED)
    complain(f"Repeat it by: {repeat}", CHECK_FAILED)
