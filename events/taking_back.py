"""The game goes back, or a judge mends it: offers, consents, and what came of them (CR 104.3k).

Taking back rewinds the game, not what people know: chance, ids, counters and knowledge stay.
"""

from __future__ import annotations

import msgspec

from .base import Event
from .ids import NOBODY, NOTHING, CommitNumber, ObjectId, PlayerId


class BackUp(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=1):
    """Back the game up to the moment after a commit."""

    to: CommitNumber


class PutBackAtRandom(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=2):
    """Put cards chosen at random from a player's hand on top of their library, or its bottom."""

    player: PlayerId
    count: int = 1
    on_bottom: bool = False


class PutMissedTrigger(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=3):
    """Let a triggered ability that was missed wait to be put on the stack.

    `number` is its place among the source's triggered abilities, from 0. `about` and
    `about_player` are what it is about; where neither is given, its source and that one's
    controller.
    """

    source: ObjectId
    number: int = 0
    about: ObjectId = NOTHING
    about_player: PlayerId = NOBODY


class CorrectLife(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=4):
    """Set a life total to what it should be: nobody gains or loses life by it."""

    player: PlayerId
    life: int


class RecordLoss(msgspec.Struct, frozen=True, array_like=True, gc=False, tag=5):
    """Let a player lose the game as a penalty (CR 104.3k)."""

    player: PlayerId


Remedy = BackUp | PutBackAtRandom | PutMissedTrigger | CorrectLife | RecordLoss
"""What a judge may do to mend a game."""


class JudgeNamed(Event, frozen=True, tag=100):
    """A judge was named as the game began, whose repairs need no consent (CR 100.6)."""


class TakeBackOffered(Event, frozen=True, tag=101):
    """A player offered to go back to the moment after a commit; all others have to consent."""

    player: PlayerId
    to: CommitNumber


class RepairOffered(Event, frozen=True, tag=102):
    """A judge whom nobody named proposed a repair; all players have to consent."""

    remedy: Remedy


class ConsentGiven(Event, frozen=True, tag=103):
    """A player consented to what is offered."""

    player: PlayerId


class ConsentRefused(Event, frozen=True, tag=104):
    """A player refused what is offered, or withdrew it: it is off the table."""

    player: PlayerId


class TakenBack(Event, frozen=True, tag=105):
    """The game went back to the moment after commit `to`: those up to `last` are undone.

    What does not go back: chance, ids, timestamps, numbers, the seats' counts of decisions, and
    what the seats came to know.
    """

    to: CommitNumber
    last: CommitNumber


class RepairMade(Event, frozen=True, tag=106):
    """A judge mended the game; what came of it are the events that follow."""

    remedy: Remedy


class LifeCorrected(Event, frozen=True, tag=107):
    """A player's life total was set right by a judge: life is neither gained nor lost."""

    player: PlayerId
    life: int


class TailLost(Event, frozen=True, tag=108):
    """Commits that seats had been told of are lost: a failover took those after `kept`.

    `head` is the digest of the last of them, commit `last`: who was told a head of that chain
    finds here why it is not in this log. What was decided in those commits is void. No rule of the
    game knows of it (CR 100.6 leaves the frame of a game to its organizers).
    """

    kept: CommitNumber
    last: CommitNumber
    head: bytes


TakingBackEvent = (
    JudgeNamed
    | TakeBackOffered
    | RepairOffered
    | ConsentGiven
    | ConsentRefused
    | TakenBack
    | RepairMade
    | LifeCorrected
    | TailLost
)
