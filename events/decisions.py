"""What a seat can decide (the imperative of the events): the answers to prompts, and more.

A decision never holds the index of an option, since how many options there were may be a secret.
It records the completed answer, also what was filled in for the seat.
"""

from __future__ import annotations

from enum import IntEnum

import msgspec

from .base import Decision
from .ids import CommitNumber, ObjectId, PlayerId
from .stack import ChosenTarget
from .taking_back import Remedy


class StandingMode(IntEnum):
    """How long a seat passes by itself."""

    NONE = 0
    UNTIL_END_OF_TURN = 1
    UNTIL_STACK_GROWS = 2
    UNTIL_MY_TURN = 3


class Payment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How a cost was paid: which mana abilities first, which mana, which objects.

    `sources` are (object, number of its activated ability, mana it adds) in order of activation;
    `mana` is what is spent from the pool, a string of W U B R G C; `life` what is paid for
    Phyrexian symbols; the rest are the objects of the further parts of the cost.
    """

    sources: tuple[tuple[ObjectId, int, str], ...] = ()
    mana: str = ""
    life: int = 0
    sacrificed: tuple[ObjectId, ...] = ()
    discarded: tuple[ObjectId, ...] = ()
    tapped: tuple[ObjectId, ...] = ()
    exiled: tuple[ObjectId, ...] = ()
    returned: tuple[ObjectId, ...] = ()


class KeepHand(Decision, frozen=True, tag=200):
    """Keep the opening hand (CR 103.5)."""


class TakeMulligan(Decision, frozen=True, tag=201):
    """Take a mulligan (CR 103.5)."""


class PassPriority(Decision, frozen=True, tag=202):
    """Pass priority (CR 117.3d), perhaps for a while: `standing` is a `StandingMode`."""

    standing: int = 0


class PlayLand(Decision, frozen=True, tag=203):
    """Play a land (CR 305.1)."""

    object: ObjectId


class CastSpell(Decision, frozen=True, tag=204):
    """Cast a spell (CR 601): a proposal complete with modes, targets, X and payment."""

    object: ObjectId
    targets: tuple[ChosenTarget, ...] = ()
    modes: tuple[int, ...] = ()
    x: int = 0
    payment: Payment = Payment()
    options: tuple[str, ...] = ()


class ActivateAbility(Decision, frozen=True, tag=205):
    """Activate an activated ability (CR 602), by its place among the source's, from 0."""

    object: ObjectId
    number: int
    targets: tuple[ChosenTarget, ...] = ()
    modes: tuple[int, ...] = ()
    x: int = 0
    payment: Payment = Payment()
    mana: str = ""


class TurnFaceUp(Decision, frozen=True, tag=219):
    """Turn a face-down permanent face up, a special action (CR 116.2b, 702.37e)."""

    object: ObjectId
    payment: Payment = Payment()


class DeclareAttackers(Decision, frozen=True, tag=206):
    """Declare attackers (CR 508.1): (attacker, defending player, attacked permanent or 0)."""

    attackers: tuple[tuple[ObjectId, PlayerId, ObjectId], ...]


class DeclareBlockers(Decision, frozen=True, tag=207):
    """Declare blockers (CR 509.1): pairs of blocker and attacker."""

    blocks: tuple[tuple[ObjectId, ObjectId], ...]


class ChooseObjects(Decision, frozen=True, tag=208):
    """Choose objects: to discard, to put on the bottom, to sacrifice, to keep, in order."""

    objects: tuple[ObjectId, ...]


class ChoosePlayers(Decision, frozen=True, tag=209):
    """Choose players."""

    players: tuple[PlayerId, ...]


class Answer(Decision, frozen=True, tag=210):
    """Answer yes or no to "you may"."""

    yes: bool
    payment: Payment = Payment()


class ChooseNumber(Decision, frozen=True, tag=211):
    """Choose a number, or the number of an option, from 1."""

    number: int


class ChooseTargets(Decision, frozen=True, tag=212):
    """Choose modes and targets of a triggered ability as it goes on the stack (CR 603.3d)."""

    targets: tuple[ChosenTarget, ...]
    modes: tuple[int, ...] = ()


class OrderObjects(Decision, frozen=True, tag=213):
    """Put things in an order: the first goes on the stack first, or is on top.

    `order` are numbers of waiting triggers, or ids of objects.
    """

    order: tuple[int, ...]


class DivideDamage(Decision, frozen=True, tag=214):
    """Divide an attacker's or blocker's combat damage (CR 510.1c): (object, player, amount).

    `object` is 0 for damage to a player, `player` is -1 for damage to an object.
    """

    shares: tuple[tuple[ObjectId, PlayerId, int], ...]


class Concede(Decision, frozen=True, tag=215):
    """Concede the game, at any time (CR 104.3a); out of turn."""


class RevokeStandingPass(Decision, frozen=True, tag=216):
    """End a standing pass; out of turn."""


class BeginGame(Decision, frozen=True, tag=217):
    """The host begins the game: the decision of commit 0."""


class SetUp(Decision, frozen=True, tag=218):
    """The host goes on where the rules ask nobody: a scenario's set-up in mid-game."""

    objects: tuple[tuple[bytes, int, PlayerId], ...]


class OfferTakeBack(Decision, frozen=True, tag=230):
    """Offer to go back to the moment after a commit; out of turn."""

    to: CommitNumber


class GiveConsent(Decision, frozen=True, tag=231):
    """Agree to the take-back or repair that is offered; out of turn."""


class RefuseConsent(Decision, frozen=True, tag=232):
    """Refuse the take-back or repair that is offered, or withdraw it; out of turn."""


class Repair(Decision, frozen=True, tag=233):
    """Mend the game: the judge's decision, open to all; out of turn."""

    remedy: Remedy


class ReportTailLost(Decision, frozen=True, tag=234):
    """The host finds that the log lacks commits that seats were told of; out of turn."""

    kept: CommitNumber
    last: CommitNumber
    head: bytes


AnyDecision = (
    KeepHand
    | TakeMulligan
    | PassPriority
    | PlayLand
    | CastSpell
    | ActivateAbility
    | TurnFaceUp
    | DeclareAttackers
    | DeclareBlockers
    | ChooseObjects
    | ChoosePlayers
    | Answer
    | ChooseNumber
    | ChooseTargets
    | OrderObjects
    | DivideDamage
    | Concede
    | RevokeStandingPass
    | BeginGame
    | SetUp
    | OfferTakeBack
    | GiveConsent
    | RefuseConsent
    | Repair
    | ReportTailLost
)
CONSENTING = (OfferTakeBack, GiveConsent, RefuseConsent)
"""Decisions of seats about going back or a repair."""

OUT_OF_TURN = (Concede, RevokeStandingPass, *CONSENTING, Repair, ReportTailLost)
"""Decisions that answer no prompt and are applied between two yields."""
