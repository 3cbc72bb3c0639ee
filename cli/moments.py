"""A stored game at a moment: its log read from the store and folded up to a commit."""

from __future__ import annotations

import click

from ..events.commit import Commit
from ..events.errors import LogDamaged
from ..events.ids import NOBODY
from ..events.store import Store
from ..projections.evolve import count_decision
from ..projections.position import Position
from ..replay.opened import RecordedGame, edition_of, new_position, recorded_game
from .options import Address


def read_game(store: Store, address: Address) -> RecordedGame:
    """Read a game that has begun; one that was created and no more is told in a sentence."""
    recorded = recorded_game(store, address.game)
    if not recorded.entries:
        raise LogDamaged(address.game, 0, "the game has no commit, it was cut off as it began")
    return recorded


def checked_moment(recorded: RecordedGame, at: int | None) -> int:
    """Return the commit that is meant, the last one by default; refuse one that is not there."""
    last = len(recorded.entries) - 1
    if at is None:
        return last
    if not 0 <= at <= last:
        msg = f"there is no commit {at}, the last one is {recorded.game}@{last}"
        raise click.UsageError(msg)
    return at


def position_at(recorded: RecordedGame, at: int) -> Position:
    """Return the position after a commit, folded from the beginning and checked on the way."""
    commits = recorded.commits()
    first = next(commits)
    game = new_position(recorded.definitions, edition_of(first, recorded.game), recorded.seat)
    apply(game, first)
    if at:
        for commit in commits:
            apply(game, commit)
            if commit.number == at:
                break
    return game


def apply(game: Position, commit: Commit) -> None:
    """Apply a commit to a position, and count its decision where it can be read."""
    for event in commit.events():
        game.apply(event)
    if not isinstance(commit.decision, bytes):
        count_decision(game.trail, commit.decision.seat)
    game.trail.forget()


def is_seats_own(recorded: RecordedGame) -> bool:
    """Whether the log is what one seat knew, not the whole game's."""
    return recorded.seat != NOBODY
