"""The past of a game: the state after any commit, folded from the log when it is asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from ..events.commit import Commit
from ..events.ids import NOBODY, PlayerId
from .state import State
from .taking_back import Learned, from_kept, kept, learned_by
from .trail import OneWayTrail
from .view import apply_commit

KEPT_EVERY = 64
"""How many commits may be folded to come to a state, once what lies before it was folded."""

ReadCommits = Callable[[int, int], Iterable[Commit]]
"""Gives the commits of a log from one number up to, not including, another."""


class Past(Protocol):
    """Where the state after an earlier commit is found."""

    def state_at(self, commit: int) -> State:
        """Return the state after a commit, to be kept and changed."""

    def learned(self, first: int, last: int) -> Iterator[Learned]:
        """Yield what the events of commits, both ends inclusive, told of hidden cards."""

    def commits(self, first: int, stop: int) -> Iterable[Commit]:
        """Return commits of the log from `first` up to, not including, `stop`."""


class FoldedPast:
    """The past of a log, whole or as one seat may know it.

    States are kept as bytes, one every so many commits and each that the game went back to: so a
    log that goes back often is folded once.
    """

    def __init__(self, commits: ReadCommits, viewer: PlayerId = NOBODY) -> None:
        """Read the log by a function, so that it may still grow."""
        self.commits = commits
        self.viewer = viewer
        self._kept: dict[int, bytes] = {}
        self._numbers: list[int] = []

    def state_at(self, commit: int) -> State:
        """Return the state after a commit; it is the caller's own."""
        if commit not in self._kept:
            self._keep(commit, self._folded(commit))
        return from_kept(self._kept[commit])

    def learned(self, first: int, last: int) -> Iterator[Learned]:
        """Yield what the events of commits, both ends inclusive, told of hidden cards."""
        for commit in self.commits(first, last + 1):
            for event in commit.events():
                yield from learned_by(event)

    def _folded(self, commit: int) -> State:
        place = bisect_right(self._numbers, commit)
        first, state = 0, State(viewer=self.viewer)
        if place:
            first = self._numbers[place - 1] + 1
            state = from_kept(self._kept[first - 1])
        trail = OneWayTrail(state)
        trail.past = self
        for one in self.commits(first, commit + 1):
            apply_commit(trail, one)
            if one.number % KEPT_EVERY == 0:
                self._keep(one.number, trail.state)
        return trail.state

    def _keep(self, commit: int, state: State) -> None:
        if commit not in self._kept:
            self._kept[commit] = kept(state)
            self._numbers.insert(bisect_right(self._numbers, commit), commit)
