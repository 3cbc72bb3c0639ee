"""Simulation: seeded games over a store under faults, with all laws held at the end.

In the manner of FoundationDB and TigerBeetle: one thread, one seed for everything, and a run that
fails does so again.
"""

from __future__ import annotations

import msgspec

from ..events.store import Store
from .simulation_dice import Clock, Dice
from .simulation_plan import Plan, plan_of
from .simulation_script import Parts, Script
from .simulation_store import SimulatedStore
from .simulation_witness import REPEATS, SimulationBroken

REPEAT_EVERY = 32
"""One seed in so many is run twice, also where nothing fails."""


class Outcome(msgspec.Struct, frozen=True):
    """What came of one seed; `law` is empty where all held."""

    seed: int
    digest: str
    commits: int
    games: int
    faults: int
    plan: str
    law: str = ""
    error: str = ""
    trace: tuple[str, ...] = ()


class SimulatedPlace:
    """A place whose store is the model."""

    def __init__(self, store: SimulatedStore) -> None:
        self.model = store

    @property
    def store(self) -> Store:
        """The store, without any fault."""
        return self.model

    @property
    def is_down(self) -> bool:
        """Whether it answers nobody at this moment."""
        return self.model.is_down

    def restart(self, milliseconds: int) -> None:
        """Let the store be away for a while."""
        self.model.restart(milliseconds)

    def fail_over(self, commits: int) -> tuple[bytes, ...]:
        """Go on with a replica that lacks so many commits."""
        return self.model.fail_over(commits)

    def catch_up(self) -> None:
        """Let the replica receive all there is."""
        self.model.catch_up()


class Makers(msgspec.Struct, frozen=True):
    """How a seed's store and dice are made, and what else it is made of."""

    store: type[SimulatedStore] = SimulatedStore
    dice: type[Dice] = Dice
    parts: Parts = Parts()


def simulate(seed: int, script: str, makers: Makers | None = None) -> Outcome:
    """Run a seed; one that fails, and one in some, twice: it must do the same again."""
    made = makers or Makers()
    outcome = run_once(seed, script, made)
    if outcome.law or seed % REPEAT_EVERY == 0:
        again = run_once(seed, script, made)
        if again.digest != outcome.digest:
            error = f"Broken: {REPEATS} (its trace was {outcome.digest}, then {again.digest})"
            return msgspec.structs.replace(outcome, law=REPEATS, error=error)
    return outcome


def simulate_many(first: int, count: int, script: str) -> list[Outcome]:
    """Run seeds one after another."""
    return [simulate(seed, script) for seed in range(first, first + count)]


def plan_in_words(seed: int, script: str) -> str:
    """Return what a seed decides before it begins."""
    return plan_of(seed, script, _dice_of(seed)).in_words()


def _dice_of(seed: int, kind: type[Dice] = Dice) -> Dice:
    return kind(b"simulate:%d" % seed)


def run_once(seed: int, script: str, makers: Makers) -> Outcome:
    """Run a seed's script to its end, or to the first law that breaks."""
    dice = _dice_of(seed, makers.dice)
    plan = plan_of(seed, script, dice)
    clock = Clock()
    place = SimulatedPlace(makers.store(clock))
    return outcome_of(Script(plan, place, clock, dice, makers.parts), plan)


def outcome_of(script: Script, plan: Plan) -> Outcome:
    """Run a script and say what came of it."""
    law = error = ""
    try:
        script.run()
    except SimulationBroken as broken:
        law, error = broken.law, str(broken)
        script.trace.note(error)
    finally:
        script.close()
    return Outcome(
        seed=plan.seed,
        digest=script.trace.digest(),
        commits=script.witness.commits,
        games=len(script.tables),
        faults=script.network.faults,
        plan=plan.in_words(),
        law=law,
        error=error,
        trace=tuple(script.trace.last()) if law else (),
    )
