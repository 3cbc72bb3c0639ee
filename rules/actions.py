"""Proposed game actions: what a procedure tries to make happen, before replacement (CR 614).

Each has the rule that makes it happen and its cause (as in `Event.cause`). The owner of the thing
turns it into an event; what is replaced or prevented never gets there.
"""

from __future__ import annotations

import msgspec

from ..events.catalog import AnyEvent
from ..events.ids import NOBODY, NOTHING, DefinitionId, ObjectId, PlayerId, ZoneKind

TO_BE_NAMED = ObjectId(-1)
"""Stands in an event for the id that its owner will give to an ability on the stack."""

TO_BE_NUMBERED = -1
"""Stands in an event for the number that its owner will give to an effect or a trigger."""


class Proposed(msgspec.Struct, frozen=True):
    """A game action that is tried."""

    rule: str
    cause: int


class Move(Proposed, frozen=True):
    """Put an object into a zone. `player` is whose zone; NOBODY means the object's owner's.

    On the battlefield and the stack `controller` is who will control it (NOBODY: the owner). What
    was public stays known to all, what was hidden is known to who knew it.
    """

    object: ObjectId
    to: ZoneKind
    manner: str = ""
    controller: PlayerId = NOBODY
    tapped: bool = False
    position: int = -1
    face_down: bool = False
    counters: tuple[tuple[str, int], ...] = ()
    attach_to: ObjectId = NOTHING
    attach_to_player: PlayerId = NOBODY


class Draw(Proposed, frozen=True):
    """Draw one card (CR 121.2)."""

    player: PlayerId


class Shuffle(Proposed, frozen=True):
    """Shuffle a library (CR 701.20)."""

    player: PlayerId


class Rename(Proposed, frozen=True):
    """Give the objects of a hidden zone fresh ids, known to their owner only."""

    player: PlayerId
    zone: ZoneKind


class Arrange(Proposed, frozen=True):
    """Put the top cards of a library on its top and bottom, in an order; their player follows."""

    player: PlayerId
    top: tuple[ObjectId, ...]
    bottom: tuple[ObjectId, ...]


class Reveal(Proposed, frozen=True):
    """Show cards of a hidden zone to seats."""

    player: PlayerId
    zone: ZoneKind
    objects: tuple[ObjectId, ...]
    readers: tuple[PlayerId, ...]


class MakeToken(Proposed, frozen=True):
    """Create a token (CR 701.6)."""

    player: PlayerId
    card: DefinitionId
    tapped: bool = False
    counters: tuple[tuple[str, int], ...] = ()


class Cease(Proposed, frozen=True):
    """Let a token or an ability cease to exist."""

    object: ObjectId


class Tap(Proposed, frozen=True):
    """Tap a permanent (CR 701.21a)."""

    object: ObjectId


class Untap(Proposed, frozen=True):
    """Untap a permanent (CR 701.21b)."""

    object: ObjectId


class TurnUp(Proposed, frozen=True):
    """Turn a permanent face up (CR 708.7)."""

    object: ObjectId


class TurnDown(Proposed, frozen=True):
    """Turn a permanent face down (CR 708.2a)."""

    object: ObjectId


class AddCounters(Proposed, frozen=True):
    """Put counters on an object (CR 122.6)."""

    object: ObjectId
    kind: str
    amount: int


class TakeCounters(Proposed, frozen=True):
    """Remove counters from an object."""

    object: ObjectId
    kind: str
    amount: int


class Attach(Proposed, frozen=True):
    """Attach a permanent to an object or a player (CR 701.3)."""

    object: ObjectId
    to: ObjectId
    to_player: PlayerId = NOBODY


class Unattach(Proposed, frozen=True):
    """Unattach a permanent (CR 701.3d)."""

    object: ObjectId


class DestroyPermanent(Proposed, frozen=True):
    """Destroy a permanent (CR 701.7): put it into its owner's graveyard, unless it can't be."""

    object: ObjectId


class DealDamageTo(Proposed, frozen=True):
    """Deal damage to an object or, where `to` is 0, to a player (CR 120)."""

    source: ObjectId
    to: ObjectId
    to_player: PlayerId
    amount: int
    is_combat: bool = False


class Gain(Proposed, frozen=True):
    """Gain life (CR 119.3)."""

    player: PlayerId
    amount: int


class Lose(Proposed, frozen=True):
    """Lose life (CR 119.3)."""

    player: PlayerId
    amount: int


class Produce(Proposed, frozen=True):
    """Add mana to a pool (CR 106.4)."""

    player: PlayerId
    source: ObjectId
    mana: str


class Occur(Proposed, frozen=True):
    """Let a fact of bookkeeping occur that nothing replaces: its owner stamps and emits it.

    Ids and numbers that the event takes are filled in by the owner.
    """

    event: AnyEvent


Action = (
    Move
    | Draw
    | Shuffle
    | Rename
    | Arrange
    | Reveal
    | MakeToken
    | Cease
    | Tap
    | Untap
    | TurnUp
    | TurnDown
    | AddCounters
    | TakeCounters
    | Attach
    | Unattach
    | DestroyPermanent
    | DealDamageTo
    | Gain
    | Lose
    | Produce
    | Occur
)


def occur(event: AnyEvent) -> Occur:
    """Return the action that lets a ready fact occur, with its own rule and cause."""
    return Occur(event.rule, event.cause, event)
