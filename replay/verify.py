"""Verifying: is the log whole, was the luck what the secrets give, and do the rules agree?

The chain and every opening are checked, the commitments of commit 0, each shuffle against the
stream of chance, and then the procedures run again on the recorded decisions from the beginning.
Signatures tell a changed log from changed rules, and show a tail that is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, Literal

import msgspec

from ..actors.emission import SHUFFLE_STRIDE
from ..actors.live_table import LiveTable, TableHalted
from ..cards.definitions import DefinitionsDamaged, DefinitionUnknown
from ..events.codec import check_older, read_body, read_entry
from ..events.commit import Commit
from ..events.errors import EngineError, LogDamaged, RecordDamaged, UnknownTag
from ..events.game import GameBegan
from ..events.ids import NOBODY
from ..events.luck import Luck, commitments_hold
from ..events.seals import GameSecrets, salter
from ..events.signing import Signature
from ..events.store import Store
from ..events.taking_back import TailLost
from ..events.zones import LibraryShuffled, SlotCard
from ..projections.definitions import AbilityUnknown
from ..projections.position import Position
from .evidence import EvidenceDamaged, Findings, Loss, SignedBy, checked, evidence_of, name_of
from .opened import (
    RecordedGame,
    first_event,
    judge_in,
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
    sentence for people; `signed` says who vouches for it, and up to which commit.
    """

    game: str
    ok: bool
    commits: int
    kind: Kind | None = None
    first_difference: Difference | None = None
    detail: str = ""
    signed: tuple[SignedBy, ...] = ()


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
        evidence = evidence_of(store, game)
    except LogDamaged as error:
        return _damaged(game, error.number, str(error))
    except EvidenceDamaged as error:
        return _damaged(game, 0, str(error))
    return verify_recorded(msgspec.structs.replace(recorded, evidence=evidence))


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
    found = _by_the_rules(recorded)
    if found.kind == "damaged":
        return found
    heads = [read_entry(entry).digest for entry in recorded.entries]
    names = _players_in(recorded)
    secrets = recorded.keys() if recorded.secrets else None
    findings = checked(recorded.evidence, heads, names, secrets, _losses_in(recorded))
    return _judged(recorded, found, findings, names)


def _by_the_rules(recorded: RecordedGame) -> Verification:
    progress = _Progress()
    try:
        if recorded.seat == NOBODY:
            _verify_all(recorded, progress)
        else:
            _fold_only(recorded, progress)
    except _Found as found:
        return _answer(recorded, progress, found.kind, found.difference, str(found))
    except ReplayDiverged as error:
        number = error.difference.commit
        is_same = error.difference.recomputed == SAME_EVENTS
        is_forged = is_same or not _has_own_salts(recorded, number)
        kind: Kind = "forged" if is_forged else "diverged"
        detail = f"Recorded by version {_engine_of(recorded)}. {error}"
        return _answer(recorded, progress, kind, error.difference, detail)
    except _DAMAGE as error:
        number = error.number if isinstance(error, LogDamaged) else progress.commits
        return _damaged(recorded.game, number, str(error))
    detail = "" if recorded.seat == NOBODY else OF_A_SEAT
    return Verification(recorded.game, ok=True, commits=progress.commits, detail=detail)


def _losses_in(recorded: RecordedGame) -> tuple[Loss, ...]:
    """Return what the log says that it has lost; only where a signature may stand for it."""
    if not recorded.evidence.signatures:
        return ()
    found: list[Loss] = []
    for number, entry in enumerate(recorded.entries):
        for group in read_body(read_entry(entry)).groups:
            losses = (event for event in group if isinstance(event, TailLost))
            found += [Loss(number, event.kept, event.last) for event in losses]
    return tuple(found)


OF_A_SEAT = "one seat's record: chain and openings; running the rules takes all secrets"
"""How far a record of one seat can be verified."""

SAME_EVENTS = "the same events"
"""What `first_difference` says where only the seals or the end of a commit differ."""


_IMPOSSIBLE = (LookupError, ValueError, TypeError, AttributeError, AssertionError)
"""What a fold of events that cannot have happened may raise: what left was never there."""


def _judged(
    recorded: RecordedGame, found: Verification, findings: Findings, names: list[str]
) -> Verification:
    """Return what a verification found in the light of the signatures."""
    game, commits = recorded.game, len(recorded.entries)
    found = msgspec.structs.replace(found, signed=findings.signed)
    other, wrong = findings.other_head, findings.invalid or findings.other_branch
    if other is not None:
        where = f"between commits {findings.fitting + 1} and {other.commit}: {game}@{other.commit}"
        said = f"{name_of(other.signer, names)} signed another head, something was changed {where}"
        return _forged(found, other, findings.fitting, said)
    if findings.after_end is not None and found.kind in {None, "cut"}:
        signed = f"{name_of(findings.after_end.signer, names)} signed commit"
        reason = f"{signed} {findings.after_end.commit}, which is missing"
        return _unlike(found, "cut", _cut(recorded, commits, reason))
    if wrong is not None and found.kind != "shuffle":
        said = f"a signature of {name_of(wrong.signer, names)} is not one of theirs for this game"
        return _forged(found, wrong, wrong.commit - 1, f"{said}: {game}@{wrong.commit}")
    if found.kind == "diverged" and found.first_difference is not None:
        is_signed = found.first_difference.commit <= findings.fitting
        if findings.after_end is not None and not is_signed:
            said = f"{name_of(findings.after_end.signer, names)} signed another log"
            return _forged(found, findings.after_end, findings.fitting, said)
        return msgspec.structs.replace(found, detail=f"{SIGNED[is_signed]}. {found.detail}")
    return found


def required(found: Verification, keys: Sequence[str]) -> Verification:
    """Return what was found where signatures by some keys are asked for, up to the last commit.

    A key is given whole, or by its first figures. So a log is not believed from which all
    signatures were taken, or which another host has signed.
    """
    if not found.ok:
        return found
    last = found.commits - 1
    for key in keys:
        if not any(one.key.startswith(key) and one.commit == last for one in found.signed):
            difference = Difference(last, None, "other signatures", f"one by {key}", "")
            detail = f"Its last commit is not signed by the key {key}: {found.game}@{last}"
            return _unlike(found, "forged", _Found("forged", difference, detail))
    return found


SIGNED = {
    True: "It is signed as it was recorded, so the rules have changed, or its host broke them",
    False: "Nobody has signed it: a changed log and changed rules cannot be told apart",
}
"""What a difference means where the commit is signed, and where it is not."""


def _forged(found: Verification, signature: Signature, fitting: int, said: str) -> Verification:
    """Name a forgery: by the place where re-execution parts from it, else by the signed head."""
    difference = found.first_difference
    detail = f"{said[0].upper()}{said[1:]}"
    if difference is not None and difference.commit > fitting and found.kind != "cut":
        kind: Kind = "shuffle" if found.kind == "shuffle" else "forged"
        return msgspec.structs.replace(found, kind=kind, detail=f"{detail}. {found.detail}")
    difference = Difference(signature.commit, None, "another head", "the head that was signed", "")
    return _unlike(found, "forged", _Found("forged", difference, detail))


def _unlike(found: Verification, kind: Kind, what: _Found) -> Verification:
    return msgspec.structs.replace(
        found, ok=False, kind=kind, first_difference=what.difference, detail=str(what)
    )


def _has_own_salts(recorded: RecordedGame, number: int) -> bool:
    """Say whether a commit's seals are salted by the game's secrets: who lacks them cannot."""
    if not 0 <= number < len(recorded.entries):
        return True
    salt = salter(recorded.keys(), number)
    openings = read_entry(recorded.entries[number]).openings
    return all(one.salt == salt(one.event, one.field, one.item) for one in openings)


def _players_in(recorded: RecordedGame) -> list[str]:
    return [name for name in recorded.meta.get("players", "").split(",") if name]


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
    try:
        position = _folded(recorded, commits, secrets, progress)
    except (_Found, *_IMPOSSIBLE) as error:
        _require_no_earlier_difference(recorded, commits, secrets, progress, error)
        raise
    if recorded.meta.get("status") == "finished" and position.state.winners is None:
        raise _cut(recorded, len(commits), "the game was finished, its last commits are missing")
    again = _run_again(recorded, commits, secrets, progress)
    if again.state.digest() != position.state.digest():
        last = commits[-1]
        difference = Difference(last.number, None, "another state", "this state", "")
        raise _Found("diverged", difference, f"The folded state differs: {recorded.game}")


def _require_no_earlier_difference(
    recorded: RecordedGame,
    commits: tuple[Commit, ...],
    secrets: GameSecrets,
    progress: _Progress,
    error: Exception,
) -> None:
    """Raise ReplayDiverged if re-execution parts before the place where the fold went wrong.

    A changed move makes a later shuffle look wrong, and a later move impossible.
    """
    place = (progress.commits, len(recorded.entries[progress.commits]))
    if isinstance(error, _Found):
        place = (error.difference.commit, error.difference.event or 0)
    try:
        _run_again(recorded, commits[: place[0] + 1], secrets, progress)
    except ReplayDiverged as found:
        if (found.difference.commit, found.difference.event or 0) < place:
            raise
    progress.commits = place[0]


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
            position = recorded.begin(commit)
        try:
            position.apply_commit(commit)
        except _IMPOSSIBLE as error:
            difference = Difference(commit.number, None, "these events", "others, as it was", "")
            detail = f"Events of a commit cannot have happened: {recorded.game}@{commit.number}"
            raise _Found("forged", difference, detail) from error


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
    position = recorded.begin(commits[0])
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
    position = recorded.begin(commits[0])
    table = LiveTable(position, secrets, CheckingSink(recorded.game, 0, recorded.entries))
    began = first_event(commits[0], recorded.game)
    progress.commits = 0
    try:
        if isinstance(began, GameBegan):
            table.begin(began, *judge_in(commits[0]))
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
