"""Doubles of the simulation's parts, each with one bug planted in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import ClassVar

import msgspec

from apnap.events.base import Decision
from apnap.events.decisions import OUT_OF_TURN
from apnap.events.refused import Code, Refused
from apnap.events.store import Fence, Head, NewCommit
from apnap.replay.host import HostedGame
from apnap.replay.simulation import Makers
from apnap.replay.simulation_dice import Clock, Dice
from apnap.replay.simulation_script import Parts
from apnap.replay.simulation_store import Lease, SimulatedStore
from apnap.replay.simulation_tables import Seat

RARELY = 9
"""A bug shows once in so many times: one that always shows needs no simulation."""


class LosesACommit(SimulatedStore):
    """Says now and then that a commit is written, and forgets it."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._appends = 0

    def append_many(
        self,
        game: str,
        number: int,
        prev_digest: bytes,
        commits: Sequence[NewCommit],
        fence: Fence,
    ) -> None:
        super().append_many(game, number, prev_digest, commits, fence)
        self._appends += 1
        log = self.entries(game)
        if self._appends % RARELY == 0 and number == len(log) - 1 > 0:
            log.pop()


class WritesACommitTwice(SimulatedStore):
    """Takes a request that is sent again for another one."""

    def append_many(
        self,
        game: str,
        number: int,
        prev_digest: bytes,
        commits: Sequence[NewCommit],
        fence: Fence,
    ) -> None:
        log = self.entries(game)
        is_there = number < len(log)
        super().append_many(game, number, prev_digest, commits, fence)
        if is_there:
            log.extend(commits)


class LetsTwoWrite(SimulatedStore):
    """Compares no fencing token."""

    def is_fenced(self, lease: Lease, fence: Fence) -> bool:
        return True


class GivesATokenTwice(SimulatedStore):
    """Tells a fence by its number alone, which a failover lets it give twice."""

    def is_fenced(self, lease: Lease, fence: Fence) -> bool:
        return lease.fence is not None and lease.number == fence.token


def hear_nothing(_hosted: HostedGame, _told: list[Head], _ends: list[Head]) -> None:
    """Take a game over without asking the seats what they were told."""


def tell_another_head(seat: Seat, head: Head) -> None:
    """Tell one seat now and then a head that never was."""
    if seat.number == 1 and head.number % RARELY == RARELY - 1:
        head = Head(head.number, bytes(16))
    seat.hear(head)


def change_beside_the_log(hosted: HostedGame, decision: Decision) -> Refused | None:
    """Let something happen now and then that no event says."""
    refused = hosted.decide(decision)
    if refused is None and hosted.table.commits % RARELY == 0:
        hosted.state.players[0].life += 1
    return refused


def number_anew(hosted: HostedGame, decision: Decision) -> Refused | None:
    """Take a decision out of turn that was counted before, by numbering it anew."""
    refused = hosted.decide(decision)
    if refused and refused.code == Code.WRONG_COUNTER and isinstance(decision, OUT_OF_TURN):
        counter = hosted.state.decision_counters[decision.seat]
        return hosted.decide(msgspec.structs.replace(decision, counter=counter))
    return refused


class DiceOfTheMoment(Dice):
    """Throws by the seed and by how often dice were made before."""

    _made: ClassVar[count[int]] = count()

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed + b":%d" % next(self._made))


def with_store(kind: type[SimulatedStore]) -> Makers:
    """Return what a simulation on another kind of store is made of."""
    return Makers(store=kind)


WITHOUT_HEARING = Makers(parts=Parts(hear=hear_nothing))
WITH_ANOTHER_HEAD = Makers(parts=Parts(tell=tell_another_head))
WITH_CHANGES_BESIDE = Makers(parts=Parts(decide=change_beside_the_log))
WITH_NUMBERS_ANEW = Makers(parts=Parts(decide=number_anew))
WITH_OTHER_DICE = Makers(dice=DiceOfTheMoment)
