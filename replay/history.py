"""A recorded game as one row of events with their addresses, and the position before each.

It is what `why` and `whynot` read: a judge's log holds everything, a seat's what the seat may know.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..events.base import Decision
from ..events.catalog import AnyEvent
from ..events.commit import Commit
from ..projections.position import Position
from .notation import format_decision
from .opened import RecordedGame
from .timeline import NoSuchMoment, Timeline
from .transcript import describe_event, seat_name


class Entry(msgspec.Struct, frozen=True):
    """An event with its address: event `place` of a commit, in a group; `sequence` is its count."""

    commit: int
    place: int
    group: int
    sequence: int
    index: int
    event: AnyEvent


class History:
    """The events of a game up to a commit, and a cursor that goes to the moment before each."""

    def __init__(self, recorded: RecordedGame, last: int | None = None) -> None:
        """Read the log up to a commit, all of it where None."""
        self.recorded = recorded
        self.timeline = Timeline(recorded)
        self.last = self.timeline.last if last is None else last
        if not 0 <= self.last <= self.timeline.last:
            address = f"{recorded.game}@{self.timeline.last}"
            raise NoSuchMoment(f"There is no commit {self.last}; the last one is {address}")
        self.entries: tuple[Entry, ...] = tuple(self._read())
        self._firsts: dict[int, int] = {}
        for entry in self.entries:
            self._firsts.setdefault(entry.commit, entry.index)

    @property
    def game(self) -> str:
        """The game's name."""
        return self.recorded.game

    def commit(self, number: int) -> Commit:
        """Return a commit."""
        return self.timeline.commits[number]

    def decision(self, number: int) -> Decision | None:
        """Return the decision of a commit; None where it is sealed."""
        decision = self.commit(number).decision
        return None if isinstance(decision, bytes) else decision

    def entry(self, commit: int, place: int) -> Entry:
        """Return the event at an address, or say that there is none."""
        first = self._firsts.get(commit)
        count = sum(1 for _ in self.commit(commit).events()) if first is not None else 0
        if first is None or not 0 <= place < count:
            address = f"{self.game}@{commit}" + (f".{count - 1}" if count else "")
            raise NoSuchMoment(f"There is no event {commit}.{place}; the last one is {address}")
        return self.entries[first + place]

    def of_commit(self, number: int) -> tuple[Entry, ...]:
        """Return the events of a commit."""
        first = self._firsts.get(number)
        if first is None:
            return ()
        count = sum(1 for _ in self.commit(number).events())
        return self.entries[first : first + count]

    def group_of(self, entry: Entry) -> tuple[Entry, ...]:
        """Return the events that happened together with one."""
        return tuple(one for one in self.of_commit(entry.commit) if one.group == entry.group)

    def of_sequence(self, sequence: int, before: Entry) -> Entry | None:
        """Return the event of that count before another: the last one, where some were undone."""
        for entry in self.backwards(before):
            if entry.sequence == sequence:
                return entry
        return None

    def backwards(self, entry: Entry) -> Iterator[Entry]:
        """Yield the events before one, the latest first."""
        for index in range(entry.index - 1, -1, -1):
            yield self.entries[index]

    def before(self, entry: Entry) -> Position:
        """Return the position before an event; the cursor moves on with the next question."""
        position = self.timeline.go_to(entry.commit, entry.place)
        self.timeline.back()
        return position

    def before_group(self, entry: Entry) -> Position:
        """Return the position before the group of an event."""
        return self.before(self.group_of(entry)[0])

    def after_group(self, entry: Entry) -> Position:
        """Return the position after the group of an event."""
        last = self.group_of(entry)[-1]
        return self.timeline.go_to(last.commit, last.place)

    def sentence(self, entry: Entry) -> str:
        """Return an event as the transcript has it."""
        return describe_event(self.before_group(entry), entry.event)

    def decided(self, number: int) -> str:
        """Return the decision of a commit in the notation, behind the seat's name."""
        decision = self.decision(number)
        if decision is None:
            return "a decision that is sealed to another seat"
        timeline = self.timeline
        position = timeline.go_to(number - 1) if number else timeline.go_to(0, 0)
        text = format_decision(position, decision)
        return f"{seat_name(position, decision.seat) or 'host'}: {text}"

    def address(self, commit: int, place: int | None = None) -> str:
        """Return an address as people paste it."""
        return f"{self.game}@{commit}" + ("" if place is None else f".{place}")

    def _read(self) -> Iterator[Entry]:
        index = 0
        state = self.timeline.position.state
        for commit in self.timeline.commits[: self.last + 1]:
            place = 0
            for number, group in enumerate(commit.groups):
                for event in group:
                    yield Entry(commit.number, place, number, state.next_sequence, index, event)
                    self.timeline.go_to(commit.number, place)
                    place += 1
                    index += 1
