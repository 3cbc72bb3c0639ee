"""A timeline: a recorded game at any commit or event, forward and back by what each changed."""

from __future__ import annotations

from bisect import bisect_right

import msgspec

from ..events.catalog import AnyEvent
from ..events.commit import Commit
from ..events.errors import EngineError
from ..events.store import Store
from ..projections.evolve import count_decision_of
from ..projections.position import Position
from ..projections.state import State
from ..projections.trail import OneWayTrail
from ..projections.view import apply_commit
from .moments import MOMENT_EVERY, Moments
from .opened import RecordedGame, recorded_game

STEPS_TAKEN = 600
"""How many events are gone through one by one; to go farther, a kept state is taken."""


class NoSuchMoment(EngineError):
    """A log has no such commit, or the commit no such event."""


class Replayed(msgspec.Struct, frozen=True):
    """What a fold of a log came to, in the words of `apnap replay --json`."""

    game: str
    commits: int
    events: int
    head: str
    state: str


class Timeline:
    """A cursor over a recorded game; the position it stands at is `position`.

    It begins before commit 0. Going back a little costs what the steps had changed, going far
    costs what lies behind the nearest kept state.
    """

    def __init__(self, recorded: RecordedGame) -> None:
        self.recorded = recorded
        self.commits: tuple[Commit, ...] = tuple(recorded.commits())
        if not self.commits:
            raise NoSuchMoment(f"The game has no commit yet: {recorded.game}@0")
        self.position: Position = recorded.begin(self.commits[0])
        self.moments = Moments()
        self._events: list[tuple[AnyEvent, ...]] = [
            tuple(commit.events()) for commit in self.commits
        ]
        self._base = 0  # the step that the trail goes back to
        self._marks: list[int] = []  # the trail's length before each step that was taken since
        self._starts: list[int] = [0]  # how many steps lie before each commit
        for events in self._events:
            self._starts.append(self._starts[-1] + len(events) + 1)

    @property
    def last(self) -> int:
        """The number of the last commit."""
        return len(self.commits) - 1

    @property
    def commit(self) -> int:
        """The commit that the cursor stands in or after; -1 before the first."""
        taken = self._step
        return self._commit_of_step(taken - 1) if taken else -1

    @property
    def is_between_commits(self) -> bool:
        """Whether the cursor stands after a whole commit."""
        return self._step in (0, self._starts[self.commit + 1])

    def go_to(self, commit: int, event: int | None = None) -> Position:
        """Go to the moment after a commit, or after an event of it, and return the position."""
        self._go_to_step(self._step_after(commit, event))
        return self.position

    def forward(self) -> bool:
        """Go on by one event; False at the end. The count of a decision ends its commit."""
        if self._step == self._starts[-1]:
            return False
        self._take_step()
        self._pass_counts()
        return True

    def back(self) -> bool:
        """Go back by one event; False at the beginning."""
        step = self._step
        if not step:
            return False
        number = self._commit_of_step(step - 1)
        if step == self._starts[number + 1]:
            step -= 1
        if step > self._starts[number]:
            step -= 1
        self._go_to_step(step)
        return True

    def next_commit(self) -> bool:
        """Go on to the end of the next commit, or of the one the cursor stands in."""
        number = self.commit if not self.is_between_commits else self.commit + 1
        if number > self.last:
            return False
        self._go_to_step(self._starts[number + 1])
        return True

    def previous_commit(self) -> bool:
        """Go back to before the commit that the cursor stands in or after."""
        if not self._step:
            return False
        self._go_to_step(self._starts[self.commit])
        return True

    @property
    def _step(self) -> int:
        return self._base + len(self._marks)

    def _step_after(self, commit: int, event: int | None) -> int:
        if not 0 <= commit <= self.last:
            game = self.recorded.game
            raise NoSuchMoment(f"There is no commit {commit}; the last one is {game}@{self.last}")
        if event is None:
            return self._starts[commit + 1]
        if not 0 <= event < len(self._events[commit]):
            last = len(self._events[commit]) - 1
            address = f"{self.recorded.game}@{commit}.{last}"
            raise NoSuchMoment(f"There is no event {event}; the last one is {address}")
        return self._starts[commit] + event + 1

    def _go_to_step(self, step: int) -> None:
        if step < self._base or abs(step - self._step) > STEPS_TAKEN:
            self._load_before(step)
        elif step < self._step:
            mark = self._marks[step - self._base]
            del self._marks[step - self._base :]
            self.position.undo_to(mark)
        while self._step < step:
            self._take_step()

    def _load_before(self, step: int) -> None:
        """Go to the nearest kept state before a step, unless the cursor stands nearer already."""
        number = self._commit_of_step(step) if step < self._starts[-1] else len(self.commits)
        self._keep_moments(number - 1)
        nearest = self.moments.nearest(number - 1)
        base = self._starts[nearest + 1]
        if base <= self._step <= step:
            return
        state = self.moments.state(nearest) if nearest >= 0 else State(viewer=self.recorded.seat)
        for name in State.__struct_fields__:
            setattr(self.position.state, name, getattr(state, name))
        self.position.trail.forget()
        self.position.forget_derived()
        self._base = base
        self._marks.clear()

    def _keep_moments(self, last: int) -> None:
        """Keep the states up to a commit that are not kept yet."""
        first = self.moments.last + 1
        if last + 1 - first < MOMENT_EVERY:
            return
        state = self.moments.state(first - 1) if first else State(viewer=self.recorded.seat)
        trail = OneWayTrail(state)
        trail.past = self.position.trail.past
        for commit in self.commits[first : last + 1]:
            apply_commit(trail, commit)
            self.moments.add(commit.number, state)

    def _take_step(self) -> None:
        """Apply the next event, or count the decision after the last event of a commit."""
        step = self._step
        self._marks.append(self.position.trail.mark())
        number = self._commit_of_step(step)
        place = step - self._starts[number]
        if place < len(self._events[number]):
            self.position.apply(self._events[number][place])
        else:
            count_decision_of(self.position.trail, self.commits[number])

    def _pass_counts(self) -> None:
        """Take the step that counts a decision together with the event before it."""
        step = self._step
        number = self._commit_of_step(step - 1)
        if step == self._starts[number + 1] - 1:
            self._take_step()

    def _commit_of_step(self, step: int) -> int:
        """Return the commit that a step belongs to."""
        return bisect_right(self._starts, step, hi=len(self.commits)) - 1


def state_at(
    store: Store, game: str, commit: int | None = None, event: int | None = None
) -> Position:
    """Return a stored game as it was after a commit (the last one where None), or an event."""
    return position_at(recorded_game(store, game), commit, event)


def position_at(
    recorded: RecordedGame, commit: int | None = None, event: int | None = None
) -> Position:
    """Return a recorded game as it was after a commit, or an event of one; free to keep."""
    timeline = Timeline(recorded)
    number = timeline.last if commit is None else commit
    position = timeline.go_to(number, event)
    position.trail.forget()
    return position


def event_at(recorded: RecordedGame, commit: int, event: int) -> AnyEvent:
    """Return an event by its address."""
    for found in recorded.commits():
        if found.number == commit:
            events = tuple(found.events())
            if 0 <= event < len(events):
                return events[event]
            break
    raise NoSuchMoment(f"There is no such event: {recorded.game}@{commit}.{event}")


def replay_game(recorded: RecordedGame, to: int | None = None) -> Replayed:
    """Fold a log, up to a commit, and return what it came to; no rule is run."""
    trail = OneWayTrail(State(viewer=recorded.seat))
    trail.past = recorded.past()
    state = trail.state
    head, count = b"", 0
    for commit in recorded.commits():
        if to is not None and commit.number > to:
            break
        apply_commit(trail, commit)
        head, count = commit.digest, commit.number + 1
    if not count:
        raise NoSuchMoment(f"The game has no commit yet: {recorded.game}@0")
    return Replayed(recorded.game, count, state.next_sequence, head.hex(), state.digest().hex())
