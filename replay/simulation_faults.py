"""Faults between a host and the store: what is refused, slow, lost, cut off, or comes late."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol, TypeVar

import msgspec

from ..events.errors import EngineError, StoreUnusable
from ..events.store import LEASE_MS, Store
from .simulation_dice import STEP_MS, Clock, Dice, Trace
from .simulation_relay import Relay

T = TypeVar("T")

SLOW_MS = (10, 1_000, LEASE_MS // 2, LEASE_MS + 1)
"""How long something slow takes: the last is longer than a lease."""

AWAY_MS = 2_000
"""How long a store that restarts is away."""


class Fault(Enum):
    """What goes wrong with one request."""

    NONE = "none"
    REFUSED = "refused"
    SLOW_REQUEST = "slow request"
    SLOW_REPLY = "slow reply"
    CUT = "cut after it was done"
    LATE = "done after the host gave up"


class FaultRates(msgspec.Struct, frozen=True):
    """How often things go wrong in one seed: one request in so many, none where it is 0."""

    one_in: int
    kinds: tuple[tuple[Fault, int], ...]


class Outage(Protocol):
    """What says whether the store is away."""

    @property
    def is_down(self) -> bool:
        """Whether it answers nobody."""


class Network:
    """All that lies between hosts and the store; when it is healed nothing goes wrong any more."""

    def __init__(self, dice: Dice, clock: Clock, trace: Trace, rates: FaultRates) -> None:
        self.dice = dice
        self.clock = clock
        self.trace = trace
        self.rates = rates
        self.is_healed = False
        self.faults = 0
        self.outage: Outage | None = None
        self._late: list[tuple[int, str, Callable[[], object]]] = []

    def draw(self) -> Fault:
        """Return what goes wrong with the next request."""
        if self.is_healed or not self.dice.one_in(self.rates.one_in):
            return Fault.NONE
        self.faults += 1
        return self.dice.weighted(self.rates.kinds)

    def is_down(self) -> bool:
        """Whether the store is away."""
        return self.outage is not None and self.outage.is_down

    def delay(self, name: str, step: Callable[[], object]) -> None:
        """Let a request arrive later, when nobody waits for its reply any more."""
        due = self.clock.now + self.dice.pick(SLOW_MS)
        self._late.append((due, name, step))

    def deliver(self, *, everything: bool = False) -> None:
        """Let what is due arrive; a refusal goes to nobody."""
        due = [late for late in self._late if everything or late[0] <= self.clock.now]
        if not due:
            return
        self._late = [late for late in self._late if late not in due]
        for _, name, step in sorted(due, key=lambda late: late[0]):
            try:
                step()
            except EngineError as error:
                self.trace.note(f"late {name}: {type(error).__name__}")
            else:
                self.trace.note(f"late {name}: done")


class FaultyLink(Relay):
    """One host's connection to the store."""

    def __init__(self, store: Store, host: str, network: Network) -> None:
        super().__init__(store)
        self.host = host
        self.network = network

    def request(self, name: str, step: Callable[[], T], *, writes: bool) -> T:
        """Carry a request to the store and its reply back, or fail on the way."""
        network = self.network
        network.clock.advance(STEP_MS)
        network.deliver()
        if network.is_down():
            raise self._lost("it is restarting")
        fault = network.draw()
        if fault is Fault.NONE:
            return step()
        network.trace.note(f"{self.host} {name}: {fault.value}")
        if fault is Fault.REFUSED:
            raise self._lost("it cannot be reached")
        if fault is Fault.SLOW_REQUEST:
            network.clock.advance(network.dice.pick(SLOW_MS))
            network.deliver()
            return step()
        if fault is Fault.SLOW_REPLY:
            found = step()
            network.clock.advance(network.dice.pick(SLOW_MS))
            return found
        if fault is Fault.LATE and writes:
            network.delay(name, step)
        else:
            step()
        raise self._lost("it does not answer in time")

    def _lost(self, reason: str) -> StoreUnusable:
        return StoreUnusable(self.address, reason)
