"""Verifying: is the log whole, was the luck what the secrets give, and do the rules agree?

The chain and every opening are checked, the commitments of commit 0, each shuffle against the
stream of chance, and then the procedures run again on the recorded decisions from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Literal

import msgspec

from ..actors.emission import SHUFFLE_STRIDE
from ..actors.live_table import LiveTable, TableHalted
from ..cards.definitions import DefinitionsDamaged, DefinitionUnknown
from ..events.codec import check_older
from ..events.commit import Commit
from ..events.errors import EngineError, LogDamaged, RecordDamaged, UnknownTag
from ..events.game import GameBegan
from ..events.ids import NOBODY
from ..events.luck import Luck, commitments_hold
from ..events.seals import GameSecrets
from ..events.store import Store
from ..events.zones import LibraryShuffled, SlotCard
from ..projections.definitions import AbilityUnknown
from ..projections.position import Position
from .opened import (
    RecordedGame,
    edition_of,
    first_event,
    new_position,
    recorded_game,
    recorded_in_file,
)
from .record_file import read_record
from .resume import redo
from .sinks import CheckingSink, Difference, ReplayDiverged

Kind = Literal["damaged", "forged", "cut", "shuffle", "diverged"]

_DAMAGE = (
    LogDamaged,
    UnknownTag,
    DefinitionsDamaged,
    DefinitionUnknown,
    AbilityUnknown,
)


class Verification(msgspec.Struct, frozen=True):
    """What a verification found: `kind` and `first_difference` are None where all is well.

    `commits` counts those that were checked before the first difference, or all; `detail` is a
    sentence for people.
    """

    game: str
    ok: bool
    commits: int
    kind: Kind | None = None
    first_difference: Difference | None = None
    detail: str = ""


class _Found(EngineError):
    """A check failed: what kind, and where."""

    def __init__(self, kind: Kind, difference: Difference, detail: str) -> None:
        super().__init__(detail)
        self.kind: Kind = kind
        self.difference = difference


def verify_game(store: Store, game: str) -> Verification:
    """Verify a game of a store: damage is an answer, an unknown game or newer format raised."""
    try:
        recorded = recorded_game(store, game)
    except LogDamaged as error:
        return _damaged(game, error.number, str(error))
    return verify_recorded(recorded)


def verify_file(file: BinaryIO, name: str) -> Verification:
    """Verify a record file; `name` is the file's, for messages."""
    try:
        record = read_record(file, name)
    except RecordDamaged as error:
        kind: Kind = "cut" if error.is_cut else "damaged"
        difference = Difference(0, None, error.section, error.reason, "")
        return Verification(
            name, ok=False, commits=0, kind=kind, first_difference=difference, detail=str(error)
        )
    except LogDamaged as error:
        return _damaged(error.game, error.number, str(error))
    return verify_recorded(recorded_in_file(record))


def verify_recorded(recorded: RecordedGame) -> Verification:
    """Verify a game that was read: with secrets all of it, a seat's log as far as it goes."""
    progress = _Progress()
    try:
        if recorded.seat == NOBODY:
            _verify_all(recorded, progress)
        else:
            _fold_only(recorded, progress)
    except _Found as found:
        return _answer(recorded, progress, found.kind, found.difference, str(found))
    except ReplayDiverged as error:
        kind: Kind = "forged" if error.difference.recomputed == SAME_EVENTS else "diverged"
        detail = f"Recorded by version {_engine_of(recorded)}. {error}"
        return _answer(recorded, progress, kind, error.difference, detail)
    except _DAMAGE as error:
        number = error.number if isinstance(error, LogDamaged) else progress.commits
        return _damaged(recorded.game, number, str(error))
    detail = "" if recorded.seat == NOBODY else OF_A_SEAT
    return Verification(recorded.game, ok=True, commits=progress.commits, detail=detail)


OF_A_SEAT = "one seat's record: chain and openings; running the rules takes all secrets"
"""How far a record of one seat can be verified."""

SAME_EVENTS = "the same events"
"""What `first_difference` says where only the seals or the end of a commit differ."""


class _Progress:
    """How many commits were checked so far by the check that is running."""

    def __init__(self) -> None:
        self.commits = 0


def _verify_all(recorded: RecordedGame, progress: _Progress) -> None:
    secrets = recorded.keys()
    commits = tuple(_checked(recorded, progress))
    if not commits:
        raise _cut(recorded, 0, "the game has no commit")
    began = first_event(commits[0], recorded.game)
    if isinstance(began, GameBegan):
        _check_commitments(recorded, began, secrets)
    position = _folded(recorded, commits, secrets, progress)
    if recorded.meta.get("status") == "finished" and position.state.winners is None:
        raise _cut(recorded, len(commits), "the game was finished, its last commits are missing")
    again = _run_again(recorded, commits, secrets, progress)
    if again.state.digest() != position.state.digest():
        last = commits[-1]
        difference = Difference(last.number, None, "another state", "this state", "")
        raise _Found("diverged", difference, f"The folded state differs: {recorded.game}")


def _engine_of(recorded: RecordedGame) -> str:
    """Return the version that recorded a game, as commit 0 says."""
    began = first_event(next(recorded.commits()), recorded.game)
    return began.engine if isinstance(began, GameBegan) else "unknown"


def _checked(recorded: RecordedGame, progress: _Progress) -> Iterator[Commit]:
    """Yield the commits with chain and openings checked."""
    for commit in recorded.commits():
        check_older(commit, recorded.entries.__getitem__, recorded.game)
        progress.commits = commit.number + 1
        yield commit


def _fold_only(recorded: RecordedGame, progress: _Progress) -> None:
    """Check what a seat's log can show: chain, openings, and that it folds."""
    position: Position | None = None
    for commit in _checked(recorded, progress):
        if position is None:
            edition = edition_of(commit, recorded.game)
            position = new_position(recorded.definitions, edition, recorded.seat)
        position.apply_commit(commit)


def _check_commitments(recorded: RecordedGame, began: GameBegan, secrets: GameSecrets) -> None:
    if not commitments_hold(began, secrets):
        difference = Difference(0, 0, "commitments to other secrets", "these secrets", "103.3")
        detail = f"The secrets are not those that were committed to: {recorded.game}@0.0"
        raise _Found("forged", difference, detail)


def _folded(
    recorded: RecordedGame,
    commits: tuple[Commit, ...],
    secrets: GameSecrets,
    progress: _Progress,
) -> Position:
    """Fold all commits and check each shuffle on the way."""
    edition = edition_of(commits[0], recorded.game)
    position = new_position(recorded.definitions, edition)
    under, luck = secrets.at(0), Luck.of(secrets.at(0))
    for commit in commits:
        progress.commits = commit.number
        if secrets.at(commit.number) is not under:
            under = secrets.at(commit.number)
            luck = Luck.of(under)
        for place, event in enumerate(commit.events()):
            if isinstance(event, LibraryShuffled):
                _check_shuffle(recorded, position, commit, place, event, luck)
            position.apply(event)
        position.end_commit(commit)
    progress.commits = len(commits)
    return position


def _check_shuffle(
    recorded: RecordedGame,
    position: Position,
    commit: Commit,
    place: int,
    event: LibraryShuffled,
    luck: Luck,
) -> None:
    """Raise unless a library is the permutation that the stream of chance gives."""
    state = position.state
    if state.keeps_order:
        return
    before = [state.objects[name].card for name in state.players[event.player].library]
    after = [slot.card if isinstance(slot, SlotCard) else b"" for slot in event.slots]
    order, _ = luck.permutation(len(before), state.shuffles * SHUFFLE_STRIDE)
    expected = [before[index] for index in order]
    if after != expected:
        slots = [
            number
            for number, pair in enumerate(zip(after, expected, strict=False))
            if pair[0] != pair[1]
        ]
        where = f"slot {slots[0]}" if slots else "the number of cards"
        difference = Difference(
            commit.number, place, f"{where} as recorded", f"{where} by the secrets", event.rule
        )
        address = f"{recorded.game}@{commit.number}.{place}"
        detail = f"A library was not shuffled by the agreed chance (CR 701.20): {address}"
        raise _Found("shuffle", difference, detail)


def _run_again(
    recorded: RecordedGame,
    commits: tuple[Commit, ...],
    secrets: GameSecrets,
    progress: _Progress,
) -> Position:
    """Run the procedures from the beginning on the recorded decisions, comparing bytes."""
    position = new_position(recorded.definitions, edition_of(commits[0], recorded.game))
    table = LiveTable(position, secrets, CheckingSink(recorded.game, 0, recorded.entries))
    began = first_event(commits[0], recorded.game)
    progress.commits = 0
    try:
        if isinstance(began, GameBegan):
            table.begin(began)
        else:
            table.arrange(began)
    except TableHalted as error:
        raise ReplayDiverged(
            recorded.game, Difference(0, None, "a beginning", f"a failure: {error}", began.rule)
        ) from error
    for commit in commits[1:]:
        progress.commits = commit.number
        redo(table, recorded.game, commit)
    progress.commits = len(commits)
    table.park()
    return position


def _cut(recorded: RecordedGame, commits: int, reason: str) -> _Found:
    difference = Difference(commits, None, "nothing", "a commit", "104.1")
    return _Found("cut", difference, f"The log is cut, {reason}: {recorded.game}@{commits}")


def _answer(
    recorded: RecordedGame, progress: _Progress, kind: Kind, difference: Difference, detail: str
) -> Verification:
    return Verification(
        recorded.game,
        ok=False,
        commits=progress.commits,
        kind=kind,
        first_difference=difference,
        detail=detail,
    )


def _damaged(game: str, number: int, detail: str) -> Verification:
    difference = Difference(number, None, "bytes that do not fit", "a sound log", "")
    return Verification(
        game, ok=False, commits=number, kind="damaged", first_difference=difference, detail=detail
    )
