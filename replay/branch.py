"""Branches: a game that shares its first commits with another and goes on differently."""

from __future__ import annotations

import os
from itertools import zip_longest

import msgspec

from ..events.commit import Commit
from ..events.errors import EngineError
from ..events.store import Store
from .evidence import copy_evidence
from .new_game import this_host
from .opened import RecordedGame, recorded_game
from .sinks import append_entries, first_difference, in_words
from .snapshots import last_snapshot, put_snapshot

COPIED_META = ("players", "agents", "edition", "variant", "format")


class BranchRefused(EngineError):
    """A branch cannot begin where it was asked for, or not for who asked."""


class Parting(msgspec.Struct, frozen=True):
    """Where two games part: the first commit that differs, and what each has there."""

    at: int
    left: str
    right: str


def branch_game(
    store: Store,
    game: str,
    at: int,
    *,
    fresh_luck: bool = False,
    by_seat: bool = False,
    entropy: bytes | None = None,
) -> str:
    """Begin a game that shares the commits up to `at` with another, and return its name.

    With the same luck the same cards are drawn; a seat of an unfinished game could so learn what
    lies in the libraries, and gets fresh luck only (`by_seat`). Nothing is run: `resume_game` does.
    """
    recorded = recorded_game(store, game)
    secrets = recorded.keys()
    _check_moment(recorded, at)
    if by_seat and not fresh_luck and recorded.meta.get("status") != "finished":
        raise BranchRefused(f"A seat branches an unfinished game with fresh luck only: {game}@{at}")
    since = at + 1
    if fresh_luck:
        branched = secrets.with_fresh_luck(since, entropy or os.urandom(32))
    else:
        branched = secrets.branched(since, b"%d" % _siblings(store, game, at))
    child = store.new_game_id()
    meta = {key: recorded.meta[key] for key in COPIED_META if key in recorded.meta}
    about = meta | {"status": "branching", "parent": f"{game}@{at}"}
    store.create(child, branched.to_bytes(), about, recorded.definitions)
    append_entries(store, child, recorded.entries[:since], this_host())
    copy_evidence(store, game, child, at)
    _copy_snapshot(store, game, child, since)
    store.set_meta(child, {"status": "running"})
    return child


def parting_of(left: RecordedGame, right: RecordedGame) -> Parting | None:
    """Return where two games part; None where they are the same so far.

    Seals differ between games that are alike, so decisions and events are compared.
    """
    for number, (one, other) in enumerate(zip_longest(left.commits(), right.commits())):
        if one is None or other is None:
            return Parting(number, _beginning(one), _beginning(other))
        if one.groups != other.groups or one.decision != other.decision:
            found = first_difference(one, other)
            return Parting(number, found.recorded, found.recomputed)
    return None


def diff_games(store: Store, left: str, right: str) -> Parting | None:
    """Return where two games of a store part."""
    return parting_of(recorded_game(store, left), recorded_game(store, right))


def _beginning(commit: Commit | None) -> str:
    if commit is None:
        return "the log ends"
    event = next(commit.events(), None)
    return in_words(event) if event is not None else "a decision without events"


def _check_moment(recorded: RecordedGame, at: int) -> None:
    last = len(recorded.entries) - 1
    if not 0 <= at <= last:
        raise BranchRefused(f"There is no commit {at}; the last one is {recorded.game}@{last}")


def _siblings(store: Store, game: str, at: int) -> int:
    """Return how many branches there are at this place: each has a nonce of its own."""
    parent = f"{game}@{at}"
    return sum(record.meta.get("parent") == parent for record in store.games())


def _copy_snapshot(store: Store, game: str, child: str, since: int) -> None:
    snapshot = last_snapshot(store, game, before=since)
    if snapshot is not None:
        put_snapshot(store, child, snapshot)
