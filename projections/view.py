"""Folding commits to a state: the whole game's, or what one seat knows from its own log."""

from __future__ import annotations

from collections.abc import Iterable

from ..events.commit import Commit
from ..events.ids import PlayerId
from .evolve import count_decision_of, evolve
from .state import State
from .trail import Trail


def fold(trail: Trail, commits: Iterable[Commit]) -> None:
    """Apply commits in order. The trail keeps each one's old values: `forget` them for a replay."""
    for commit in commits:
        apply_commit(trail, commit)


def apply_commit(trail: Trail, commit: Commit) -> None:
    """Apply a commit's events in order, and count its decision where the state may know it."""
    for group in commit.groups:
        for event in group:
            evolve(trail, event)
    count_decision_of(trail, commit)


def new_view(seat: PlayerId) -> Trail:
    """Return the trail of an empty view, to fold a seat's log into."""
    return Trail(State(viewer=seat))


def seat_view(commits: Iterable[Commit], seat: PlayerId) -> State:
    """Return what a seat knows, folded from its own log (hidden parts are bytes in it).

    It is what `redact_state` makes of the whole state. From commits that hold everything, fold and
    redact instead: the fold believes what it can read.
    """
    trail = new_view(seat)
    for commit in commits:
        apply_commit(trail, commit)
        trail.forget()
    return trail.state
