"""The plan of a seed: which faults it has and how often, who plays, and what people get wrong.

Each seed leaves many things out, so that what is left comes together in ways it never would if all
went wrong at once.
"""

from __future__ import annotations

import msgspec

from .simulation_dice import Dice
from .simulation_faults import Fault, FaultRates
from .simulation_tables import GAME, SHORT_SEEDS, TableKind

FAULTY_ONE_IN = (0, 3, 6, 12, 40)
"""How often a request to the store fails: never in some seeds, hardly ever not in others."""

MISHAPS = ("die", "park", "move", "second host", "wait", "restart", "fail over", "catch up")
"""What befalls hosts and the store."""

HARMLESS = ("twice", "stale", "ahead", "wrong seat")
"""What seats do wrong and is refused, whatever the game is."""

WILD = ("late answer", "standing pass", "revoke", "concede", "take back", "consent")
"""What seats may do, though nobody asked."""


class Plan(msgspec.Struct, frozen=True):
    """All that a seed decides before it begins."""

    seed: int
    script: str
    tables: int
    steps: int
    players: int
    agent: str
    has_seats: bool
    rates: FaultRates
    events: tuple[tuple[str, int], ...]

    @property
    def fails_over(self) -> bool:
        """Whether there is a replica that takes the place of the store."""
        return any(name == "fail over" for name, _ in self.events)

    def kind_of(self, number: int) -> TableKind:
        """Return what the table of a number plays."""
        seed = self.seed * 8 + number
        if self.script != GAME:
            seed %= SHORT_SEEDS
        return TableKind(self.script, self.players, self.agent, seed)

    def in_words(self) -> str:
        """Return the plan as a line for people."""
        faults = ", ".join(f"{fault.value} {weight}" for fault, weight in self.rates.kinds)
        events = ", ".join(f"{name} {weight}" for name, weight in self.events)
        who = "seats" if self.has_seats else "built-in agents"
        return (
            f"{self.tables} tables of {self.players}, {self.agent}, {who}; "
            f"a fault in one request of {self.rates.one_in or 'none'} ({faults}); {events}"
        )


def plan_of(seed: int, script: str, dice: Dice, *, has_replica: bool = True) -> Plan:
    """Throw the dice for a seed's plan."""
    has_seats = not dice.one_in(4)
    rates = FaultRates(
        dice.pick(FAULTY_ONE_IN),
        tuple((fault, 1 + dice.below(4)) for fault in Fault if fault is not Fault.NONE),
    )
    is_wild = dice.one_in(2)
    possible = MISHAPS + HARMLESS + (WILD if is_wild else ())
    chosen = [name for name in possible if dice.one_in(2)]
    weights = [(name, 1 if name == "concede" else 1 + dice.below(4)) for name in chosen]
    if not has_replica:
        weights = [(name, weight) for name, weight in weights if name != "fail over"]
    events = [("decide", 40), *weights]
    return Plan(
        seed=seed,
        script=script,
        tables=1 + int(dice.one_in(4) and script != GAME),
        steps=90 if script != GAME else 500,
        players=2 + int(dice.one_in(6)),
        agent="greedy" if dice.one_in(4) else "random",
        has_seats=has_seats,
        rates=rates,
        events=tuple(events),
    )
