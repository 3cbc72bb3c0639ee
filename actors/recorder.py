"""The Recorder: stamps and checks what owners emit, applies it, and closes it into commits.

It is an actor, but owners call it without mail. A batch is opened with the allocation of its ids,
filled by the owners, and closed: then its events take effect together, as one group.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..events.catalog import AnyEvent
from ..events.chain import GENESIS
from ..events.codec import encode_commit
from ..events.commit import Commit
from ..events.decisions import AnyDecision
from ..events.errors import EngineError
from ..events.ids import CommitNumber
from ..events.ownership import Owner, owner_of
from ..events.seals import GameSecrets
from ..events.store import NewCommit
from ..projections.evolve import count_decision
from ..projections.position import Position
from ..projections.slot_seals import SlotSeals
from ..rules.actions import Action, Draw, Shuffle
from .dispatcher import DispatchedActor
from .emission import Slot, ids_taken, numbers_taken


class NotTheOwner(EngineError):
    """An actor emitted an event about a thing that it does not own."""


class CommitSink(Protocol):
    """Where a finished commit goes: the log, or a comparison with what was recorded."""

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Take a commit; on return it is acknowledged. An exception means it is not."""


AfterGroup = Callable[[tuple[AnyEvent, ...]], None]
"""Called after each group took effect, for checks."""


class Recorder(DispatchedActor):
    """Keeps the running commit of one game: its groups so far, and the head of the chain."""

    def __init__(self, game: Position, secrets: GameSecrets, sink: CommitSink) -> None:
        super().__init__()
        self.game = game
        self.secrets = secrets
        self.sink = sink
        self.number = 0
        self.head = GENESIS
        self.slot_seals = SlotSeals()
        self.groups: list[tuple[AnyEvent, ...]] = []
        self.after_group: AfterGroup | None = None
        self._open: list[tuple[AnyEvent, ...] | None] = []

    def take(self, decision: AnyDecision) -> None:
        """Count a decision before it is carried out: prompts that follow name the next count."""
        count_decision(self.game.trail, decision.seat)

    def open_batch(self, actions: tuple[Action, ...]) -> tuple[Slot, ...]:
        """Begin a batch and return what each action is given: ids and numbers, in its order."""
        state = self.game.state
        next_id, number = state.next_id, state.next_number
        earlier: dict[tuple[type, int], int] = {}
        slots: list[Slot] = []
        for action in actions:
            ordinal = 0
            if isinstance(action, Draw):
                ordinal = earlier.get((Draw, action.player), 0)
                earlier[Draw, action.player] = ordinal + 1
            elif isinstance(action, Shuffle):
                ordinal = earlier.get((Shuffle, 0), 0)
                earlier[Shuffle, 0] = ordinal + 1
            slots.append(Slot(next_id, number, ordinal))
            next_id += ids_taken(state, action)
            number += numbers_taken(action)
        self._open = [None] * len(actions)
        return tuple(slots)

    def record(self, owner: Owner, place: int, events: tuple[AnyEvent, ...]) -> None:
        """Take what an owner emits for the action at a place of the open batch.

        Raises NotTheOwner if one of the events is not the owner's to emit.
        """
        for event in events:
            if owner_of(event) != owner:
                msg = (
                    f"{owner[0].name.lower()} emitted {type(event).__name__}, "
                    f"which belongs to {owner_of(event)[0].name.lower()}"
                )
                raise NotTheOwner(msg)
        self._open[place] = events

    def gathered(self) -> tuple[AnyEvent, ...]:
        """Return the events of the open batch in its order, whatever order they came in."""
        found: list[AnyEvent] = []
        for events in self._open:
            assert events is not None, "every owner answers for its action before a batch closes"
            found.extend(events)
        return tuple(found)

    def close_batch(self, events: tuple[AnyEvent, ...]) -> None:
        """Let the events of the batch take effect together, as one group."""
        apply = self.game.apply
        for event in events:
            apply(event)
        self.groups.append(events)
        self._open = []
        if self.after_group is not None:
            self.after_group(events)

    def commit(self, decision: AnyDecision, *, quiescent: bool) -> Commit:
        """Close the running commit, append it, and return it once it is acknowledged."""
        happened = tuple(event for group in self.groups for event in group)
        seats = len(self.game.state.players)
        commit = Commit(
            number=CommitNumber(self.number),
            decision=decision,
            groups=tuple(self.groups),
            quiescent=quiescent,
            prev=self.head,
            older=self.slot_seals.openings(self.number, happened, self.secrets, seats),
        )
        entry, digest = encode_commit(commit, self.secrets)
        self.sink.append(self.number, self.head, NewCommit(entry, digest))
        self.slot_seals.follow(self.number, happened)
        self.number += 1
        self.head = digest
        self.groups = []
        self.game.trail.forget()
        return commit

    def roll_back(self) -> None:
        """Take back the running commit: the state is as after the last one."""
        self.game.undo_to(0)
        self.groups = []
        self._open = []
