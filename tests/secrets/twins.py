"""Two games that differ only in something hidden, played side by side with the same decisions."""

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from apnap.events.codec import decode_entry
from apnap.events.commit import Commit
from apnap.events.decisions import AnyDecision, CastSpell, Concede, PassPriority, PlayLand
from apnap.events.ids import ObjectId, PlayerId
from apnap.events.redaction import blanked, redact_entry
from apnap.events.refused import Refused
from apnap.events.zones import CardsRevealed, SeenCards
from apnap.projections.state import State

from .playing import Sitting, next_decision, public_part
from .witness import seers

Change = Callable[[Sitting, AnyDecision], AnyDecision]
"""Gives what the second game's seat decides instead."""

PROBE_EVERY = 97


@dataclass
class Twins:
    """A game and its twin; `secret_of` is the seat whose secret differs.

    `watching` are the seats that cannot tell the games apart yet; `shown` those that were shown
    the difference, each with the commit that did.
    """

    one: Sitting
    two: Sitting
    secret_of: PlayerId
    watching: list[PlayerId]
    shown: dict[PlayerId, int] = field(default_factory=dict)
    compared: int = 0
    parted: int = -1

    def begin(self) -> None:
        """Compare commit 0."""
        self.compare(0)

    def play(self, seed: int, change: Change, commits_max: int = 260) -> None:
        """Play on until every watching seat has been shown the difference, or can't be."""
        number = 0
        while self.watching and self.one.table.commits < commits_max:
            if self.one.table.is_over:
                break
            assert public_part(self.one.prompt) == public_part(self.two.prompt)
            if number % PROBE_EVERY == 0:
                self.probe()
            decision = next_decision(self.one, seed, number)
            number += 1
            hidden = differences(self.one.table.game.state, self.two.table.game.state)
            other = change(self.two, decision)
            if other != decision and self.parted < 0:
                self.parted = self.one.table.commits
            assert self.one.decide(decision)
            if not self.two.decide(other):
                # Only what its player does with a hidden card may be another thing in the twin.
                assert decision.seat == self.secret_of, other
                assert names(decision, hidden), other
                self.shown |= dict.fromkeys(self.watching, self.one.table.commits - 1)
                break
            self.compare(self.one.table.commits - 1)
        self.one.table.park()
        self.two.table.park()

    def compare(self, number: int) -> None:
        """Compare what the watching seats get of a commit, but for those who see the difference."""
        left, right = self.one.played.entries[number], self.two.played.entries[number]
        for seat in tuple(self.watching):
            mine, other = (blanked(redact_entry(entry, seat)) for entry in (left, right))
            if self.is_shown(decode_entry(left), seat):
                self.watching.remove(seat)
                self.shown[seat] = number
                continue
            assert mine == other, f"seat {seat} can tell the games apart in commit {number}"
            self.compared += 1

    def is_shown(self, commit: Commit, seat: PlayerId) -> bool:
        """Whether a seat sees now, or was shown in the commit, where the two games differ."""
        one, two = self.one.table.game.state, self.two.table.game.state
        hidden = differences(one, two)
        for event in commit.events():
            if isinstance(event, CardsRevealed) and seat in event.readers:
                assert isinstance(event.secret, SeenCards)
                if any(name in hidden for name, _ in event.secret.cards):
                    return True
        for state in (one, two):
            for name in hidden:
                found = state.objects.get(name)
                if found is not None and seat in tuple(seers(found, len(state.players))):
                    return True
        return False

    def probe(self) -> None:
        """Ask in both games for what is mostly not allowed: the answers must not differ."""
        top = self.one.table.game.state.next_id + 2
        for seat in self.watching:
            if seat == self.secret_of:
                continue
            counter = self.one.table.game.state.decision_counters[seat]
            asked = (seat, seat, counter)
            for name in range(0, top, 7):
                for decision in (
                    CastSpell(*asked, ObjectId(name)),
                    PlayLand(*asked, ObjectId(name)),
                ):
                    assert answer(self.one, decision) == answer(self.two, decision), decision


def answer(sitting: Sitting, decision: AnyDecision) -> object:
    """Return what a seat is told of a decision that it has not made."""
    completed = sitting.table.complete(decision)
    if isinstance(completed, Refused):
        return completed
    return completed, sitting.table.check(completed)


def differences(one: State, two: State) -> set[ObjectId]:
    """Return the ids that stand for different cards in two states, or for one in one state only."""
    names_of_both = {*one.objects, *two.objects}
    return {name for name in names_of_both if card_in(one, name) != card_in(two, name)}


def card_in(state: State, name: ObjectId) -> bytes | None:
    """Return the card of an object, None if there is no such object."""
    found = state.objects.get(name)
    return None if found is None else bytes(found.card)


def names(decision: AnyDecision, hidden: set[ObjectId]) -> bool:
    """Whether a decision speaks of one of the objects, wherever in it."""
    return any(number in hidden for number in numbers_in(decision))


def numbers_in(value: object) -> list[int]:
    """Return the whole numbers in a record but for who decides."""
    if isinstance(value, PassPriority | Concede):
        return []
    if isinstance(value, msgspec.Struct):
        fields = [name for name in value.__struct_fields__ if name not in ("counter", "seat")]
        return [found for name in fields for found in numbers_in(getattr(value, name))]
    if isinstance(value, tuple):
        return [found for part in value for found in numbers_in(part)]
    return [value] if isinstance(value, int) else []
