"""A game's log opened for reading: its entries, definitions and secrets, from a store or a file."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..events.codec import decode_entry, decode_log
from ..events.commit import Commit
from ..events.edition import Edition, edition_named
from ..events.errors import EngineError, LogDamaged
from ..events.game import GameBegan, PositionArranged
from ..events.ids import NOBODY, PlayerId
from ..events.seals import GameSecrets
from ..events.signing import Evidence
from ..events.store import Store
from ..events.taking_back import JudgeNamed
from ..projections.definitions import Definitions
from ..projections.past import FoldedPast
from ..projections.position import Position
from ..projections.state import State
from .record_file import Record


class SecretsMissing(EngineError):
    """The log is what one seat may know: nobody can go on with the game from it."""

    def __init__(self, game: str) -> None:
        """Name the game."""
        super().__init__(
            f"The record of {game!r} is one seat's: it has no secrets, so its rules cannot be run."
        )
        self.game = game


class RecordedGame(msgspec.Struct, frozen=True):
    """What is kept of a game: `seat` is NOBODY where the log holds everything.

    `evidence` is read where a game is verified or exported.
    """

    game: str
    entries: tuple[bytes, ...]
    definitions: dict[bytes, bytes]
    secrets: bytes
    seat: PlayerId
    meta: dict[str, str]
    evidence: Evidence = Evidence()

    def commits(self) -> Iterator[Commit]:
        """Yield the commits in order, each checked against the one before it."""
        return decode_log(self.game, enumerate(self.entries))

    def past(self) -> FoldedPast:
        """Return the states after commits, for a fold of a log that goes back to some."""
        return FoldedPast(self._commits_between, self.seat)

    def begin(self, commit: Commit) -> Position:
        """Return the position before commit 0, to fold the log into."""
        position = new_position(self.definitions, edition_of(commit, self.game), self.seat)
        position.trail.past = self.past()
        return position

    def _commits_between(self, first: int, stop: int) -> Iterator[Commit]:
        for number, entry in enumerate(self.entries[first:stop], first):
            yield decode_entry(entry, self.game, number)

    def keys(self) -> GameSecrets:
        """Return the secrets, or raise SecretsMissing where it is a seat's log."""
        if not self.secrets:
            raise SecretsMissing(self.game)
        return GameSecrets.from_bytes(self.secrets)


def recorded_game(store: Store, game: str) -> RecordedGame:
    """Read all that a store keeps of a game."""
    meta = store.meta(game)
    return RecordedGame(
        game,
        tuple(entry for _, entry in store.read(game)),
        store.get_definitions(game),
        store.secret(game),
        seat_of(meta),
        meta,
    )


def past_of(store: Store, game: str) -> FoldedPast:
    """Return the states after commits of a game that goes on, read when they are asked for."""

    def commits(first: int, stop: int) -> Iterator[Commit]:
        for number, entry in store.read(game, first, stop):
            yield decode_entry(entry, game, number)

    return FoldedPast(commits)


def recorded_in_file(record: Record) -> RecordedGame:
    """Return the game of a record file that has been read."""
    header = record.header
    seat = NOBODY if header.seat is None else PlayerId(header.seat)
    return RecordedGame(
        header.game,
        record.entries,
        record.definitions,
        header.secrets or b"",
        seat,
        header.meta,
        Evidence.from_bytes(header.evidence) if header.evidence else Evidence(),
    )


def seat_of(meta: dict[str, str]) -> PlayerId:
    """Return whose record a game is by what is kept beside it; NOBODY: it holds everything."""
    seat = meta.get("seat", "")
    return PlayerId(int(seat)) if seat.isdigit() else NOBODY


def first_event(commit: Commit, game: str) -> GameBegan | PositionArranged:
    """Return the event of commit 0 that all of the game depends on."""
    for event in commit.events():
        if isinstance(event, GameBegan | PositionArranged):
            return event
        break
    raise LogDamaged(game, commit.number, "its first event begins no game")


def judge_in(commit: Commit) -> tuple[JudgeNamed, ...]:
    """Return the judge's naming in commit 0, where there is one."""
    return tuple(event for event in commit.events() if isinstance(event, JudgeNamed))


def edition_of(commit: Commit, game: str) -> Edition:
    """Return the edition that commit 0 pins."""
    return edition_named(first_event(commit, game).edition)


def new_position(
    recorded_definitions: dict[bytes, bytes], edition: Edition, viewer: PlayerId = NOBODY
) -> Position:
    """Return the position before commit 0, to fold a log into."""
    definitions = Definitions.from_records(recorded_definitions)
    return Position(State(viewer=viewer), definitions, edition)
