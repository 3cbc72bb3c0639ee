"""Resuming: a game goes on from its log, at whatever moment it was cut off.

The log is folded to its last quiescent commit. The procedures run again only on the decisions
recorded after it, and must give the same bytes; then the game goes on as if nothing had been.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..actors.live_table import LiveTable, TableHalted
from ..events.chain import GENESIS
from ..events.codec import decode_log
from ..events.commit import Commit
from ..events.edition import edition_named
from ..events.errors import EngineError, LogDamaged
from ..events.game import GameBegan
from ..events.ids import NOBODY
from ..events.refused import Refused
from ..events.seals import GameSecrets
from ..events.store import Fence, Store
from ..projections.definitions import Definitions
from ..projections.position import Position
from ..projections.slot_seals import SlotSeals
from ..projections.state import State
from .host import HostedGame, agents_of, begun
from .new_game import DEFAULT_AGENT, GENESIS_BLOB, agents_for, this_host
from .opened import SecretsMissing, edition_of, past_of, seat_of
from .sinks import CheckingSink, Difference, ReplayDiverged
from .snapshots import last_snapshot, state_in


class GameNeverBegan(EngineError):
    """A game was created and cut off before anything of it was kept that could be begun."""

    def __init__(self, game: str) -> None:
        """Name the game."""
        super().__init__(f"The game {game!r} was cut off before it began; remove it.")
        self.game = game


class Folded(msgspec.Struct, frozen=True):
    """A game folded to its last quiescent commit, and what was recorded after it."""

    position: Position
    number: int
    head: bytes
    slot_seals: SlotSeals
    tail: tuple[Commit, ...]
    tail_entries: tuple[bytes, ...]


def resume_game(store: Store, game: str, agents: Sequence[str] | None = None) -> HostedGame:
    """Take over a game that nobody runs and return it at its open prompt.

    `agents` are those recorded unless others are named. `ReplayDiverged` where the rules as they
    are now do not give what was recorded: the table stays halted, and its meta says so.
    """
    meta = store.meta(game)
    if seat_of(meta) != NOBODY:
        raise SecretsMissing(game)
    fence = store.acquire(game, this_host())
    try:
        return _resumed(store, game, meta, agents, fence)
    except BaseException:
        store.release(fence)
        raise


def _resumed(
    store: Store, game: str, meta: dict[str, str], names: Sequence[str] | None, fence: Fence
) -> HostedGame:
    secrets = GameSecrets.from_bytes(store.secret(game))
    folded = folded_game(store, game)
    if folded is None:
        table = _begun_again(store, game, secrets, fence)
    else:
        table = LiveTable(folded.position, secrets, CheckingSink(game, 0, ()))
        try:
            run_again(table, game, folded)
        except ReplayDiverged as error:
            store.set_meta(game, {"status": "halted", "error": str(error)})
            raise
    recorded = tuple(name for name in meta.get("agents", "").split(",") if name)
    seats = len(table.game.state.players)
    kept = agents_for(tuple(names or recorded or (DEFAULT_AGENT,)), seats)
    hosted = HostedGame(store, game, table, fence, agents_of(kept, secrets))
    if meta.get("status") != "finished":
        store.set_meta(game, {"status": "running", "error": ""})
    return hosted


def folded_game(store: Store, game: str) -> Folded | None:
    """Fold a game to its last quiescent commit; None if it has no commits.

    A snapshot that fits the log spares folding what came before it.
    """
    snapshot = last_snapshot(store, game)
    state = state_in(snapshot) if snapshot is not None else None
    first, head = 0, GENESIS
    if snapshot is not None and state is not None:
        first, head = snapshot.commit + 1, snapshot.head
    entries = tuple(entry for _, entry in store.read(game, first))
    commits = tuple(decode_log(game, enumerate(entries, first), head))
    if not commits and state is None:
        return None
    definitions = Definitions.from_records(store.get_definitions(game))
    begin = commits[0] if first == 0 else next(decode_log(game, store.read(game, 0, 1)))
    position = Position(state or State(), definitions, edition_of(begin, game))
    position.trail.past = past_of(store, game)
    quiet = max((place for place, commit in enumerate(commits) if commit.quiescent), default=-1)
    if quiet < 0 and first == 0:
        raise LogDamaged(game, 0, "its first commit ends in the middle of something")
    seals = SlotSeals.from_bytes(snapshot.slot_seals) if first and snapshot else SlotSeals()
    for commit in commits[: quiet + 1]:
        position.apply_commit(commit)
        seals.follow(commit.number, commit.events())
    if quiet >= 0:
        head = commits[quiet].digest
    number = first + quiet + 1
    return Folded(position, number, head, seals, commits[quiet + 1 :], entries[quiet + 1 :])


def run_again(table: LiveTable, game: str, folded: Folded) -> None:
    """Run the procedures on the decisions after the last quiescent commit, comparing bytes."""
    table.recorder.sink = CheckingSink(game, folded.number, folded.tail_entries)
    table.go_on(folded.number, folded.head, folded.slot_seals)
    for commit in folded.tail:
        redo(table, game, commit)


def redo(table: LiveTable, game: str, commit: Commit) -> None:
    """Take a recorded decision again; raise ReplayDiverged if it comes to anything else."""
    decision = commit.decision
    assert not isinstance(decision, bytes), "whoever holds the secrets can read each decision"
    try:
        refused = table.decide_as_recorded(decision)
    except TableHalted as error:
        raise ReplayDiverged(game, _failed(commit, str(error))) from error
    if refused is not None:
        raise ReplayDiverged(game, _refused(commit, refused))


def _failed(commit: Commit, reason: str) -> Difference:
    first = next(commit.events(), None)
    rule = first.rule if first is not None else ""
    return Difference(commit.number, None, "what the log holds", f"a failure: {reason}", rule)


def _refused(commit: Commit, refused: Refused) -> Difference:
    words = f"a refusal: {refused.detail}"
    return Difference(commit.number, None, "an accepted decision", words, refused.rule)


def _begun_again(store: Store, game: str, secrets: GameSecrets, fence: Fence) -> LiveTable:
    """Begin a game that was cut off before its first commit was written."""
    blob = store.get_blob(game, GENESIS_BLOB)
    if blob is None:
        raise GameNeverBegan(game)
    began = msgspec.msgpack.decode(blob, type=GameBegan)
    definitions = Definitions.from_records(store.get_definitions(game))
    position = Position(State(), definitions, edition_named(began.edition))
    return begun(store, game, position, secrets, began, fence)
