"""Going back by agreement: a player offers it, and every other player has to consent.

No rule of the game lets a player take a decision back (CR 730 reverses illegal ones only), so it is
the players' to allow. What happened since is undone, not forgotten: chance and knowledge stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.base import Decision
from ..events.decisions import (
    GiveConsent,
    OfferTakeBack,
    RefuseConsent,
    Repair,
    ReportTailLost,
)
from ..events.ids import JUDGE, NOBODY, CommitNumber, PlayerId
from ..events.refused import Code, Refused
from ..events.taking_back import (
    ConsentGiven,
    ConsentRefused,
    TailLost,
    TakeBackOffered,
    TakenBack,
)
from ..projections.state import players_in_turn_order
from ..projections.taking_back import is_on_the_line
from .actions import occur
from .protocol import Procedure, perform
from .repairs import check_remedy, mend, offer_repair

if TYPE_CHECKING:
    from ..projections.position import Position
    from ..projections.state import State

DIGEST_SIZE = 16
RULE = "730.1"
"""What the game does about actions that should not have been taken, at the players' wish here."""


def check_consenting(
    game: Position, decision: Decision, number: int, *, midway: bool
) -> Refused | None:
    """Say why a player may not offer, consent or refuse now.

    `number` is of the next commit; `midway`: something is half-way.
    """
    state = game.state
    match decision:
        case OfferTakeBack(to=to):
            if state.offer is not None:
                detail = "something is offered already"
                return Refused(Code.WRONG_TIME, RULE, detail, "answer what is offered first")
            return check_moment(state, to, number)
        case GiveConsent(seat=seat):
            if state.offer is None:
                detail = "nothing is offered that needs consent"
                return Refused(Code.WRONG_TIME, RULE, detail, "wait until something is offered")
            if seat in state.offer.consents:
                detail = "the player has consented already"
                return Refused(Code.WRONG_ANSWER, RULE, detail, "wait for the other players")
            remedy = state.offer.remedy
            return None if remedy is None else check_remedy(game, remedy, midway=midway)
        case RefuseConsent() if state.offer is None:
            detail = "nothing is offered that could be refused"
            return Refused(Code.WRONG_TIME, RULE, detail, "wait until something is offered")
        case _:
            return None


def check_moment(state: State, to: int, number: int) -> Refused | None:
    """Say why the game cannot go back to after a commit: it is not there, or itself undone."""
    if not 0 <= to < number - 1:
        detail = f"there is nothing to take back after commit {to}"
        return Refused(Code.CHOICE_ILLEGAL, RULE, detail, "name a commit before the last one")
    if not is_on_the_line(state, to):
        detail = f"commit {to} has been taken back itself"
        return Refused(Code.CHOICE_ILLEGAL, RULE, detail, "name a commit that still counts")
    return None


def consenting(game: Position, decision: Decision, number: int) -> Procedure[None]:
    """Let a player offer, consent or refuse, and do what all have consented to."""
    match decision:
        case OfferTakeBack(seat=seat, to=to):
            yield from perform(occur(TakeBackOffered(RULE, 0, seat, to)))
        case GiveConsent(seat=seat):
            yield from perform(occur(ConsentGiven(RULE, 0, seat)))
        case RefuseConsent(seat=seat):
            yield from perform(occur(ConsentRefused(RULE, 0, seat)))
            return
        case _:
            msg = f"{type(decision).__name__} is about no consent"
            raise AssertionError(msg)
    yield from _do_what_all_want(game, number)


def check_repair(game: Position, decision: Repair, number: int, *, midway: bool) -> Refused | None:
    """Say why a judge may not mend the game so; `midway`: something is half-way."""
    if decision.seat != JUDGE:
        detail = "repairs are the judge's to make"
        return Refused(Code.NOT_ASKED, "100.6", detail, "let the judge decide it")
    if game.state.offer is not None and not game.state.has_judge:
        detail = "something is offered already"
        return Refused(Code.WRONG_TIME, RULE, detail, "answer what is offered first")
    moment = getattr(decision.remedy, "to", None)
    refused = check_moment(game.state, moment, number) if moment is not None else None
    return refused or check_remedy(game, decision.remedy, midway=midway)


def check_report(decision: ReportTailLost, number: int) -> Refused | None:
    """Say why a host may not report that commits are lost: `number` is of the next commit."""
    if decision.seat != NOBODY or len(decision.head) != DIGEST_SIZE:
        detail = "what the store has lost is the host's to report"
        return Refused(Code.NOT_ASKED, "100.6", detail, "let the host report it")
    if not -1 <= decision.kept < min(number, decision.last):
        detail = f"after commit {decision.kept} no commit up to {decision.last} can be missing"
        return Refused(Code.CHOICE_ILLEGAL, "100.6", detail, "name the last commit that is kept")
    return None


def report(decision: ReportTailLost) -> Procedure[None]:
    """Say in the log itself which commits it lacks."""
    kept, last, head = decision.kept, decision.last, decision.head
    yield from perform(occur(TailLost("100.6", 0, kept, last, head)))


def repair(game: Position, decision: Repair, number: int) -> Procedure[None]:
    """Let the judge mend the game, at once where one was named, else with everybody's consent."""
    if game.state.has_judge:
        yield from mend(game, decision.remedy, number)
    else:
        yield from offer_repair(decision.remedy)


def waiting_for(state: State) -> tuple[PlayerId, ...]:
    """Return the players whose consent is missing to what is offered, in turn order."""
    if state.offer is None:
        return ()
    order = players_in_turn_order(state, state.turn.active)
    return tuple(player for player in order if player not in state.offer.consents)


def _do_what_all_want(game: Position, number: int) -> Procedure[None]:
    offer = game.state.offer
    if offer is None or waiting_for(game.state):
        return
    if offer.remedy is not None:
        yield from mend(game, offer.remedy, number)
        return
    yield from perform(occur(TakenBack(RULE, 0, offer.to, CommitNumber(number - 1))))
