"""Undo and redo where all seats are at one place: whoever plays them all gives their consent.

Each consent is a decision in the log, as between people who sit apart. What was taken back is done
again by deciding the same anew: chance went on, so it may come out differently.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..events.base import Decision
from ..events.commit import Commit
from ..events.decisions import (
    CONSENTING,
    AnyDecision,
    BeginGame,
    GiveConsent,
    OfferTakeBack,
    OrderObjects,
    RefuseConsent,
    Repair,
)
from ..events.ids import NOBODY, CommitNumber, PlayerId
from ..events.refused import Code, Refused
from ..events.taking_back import TakenBack
from ..projections.past import Past
from ..projections.position import Position
from ..projections.state import players_in_turn_order
from ..projections.taking_back import is_on_the_line
from ..rules.priority import standing_answer
from ..rules.taking_back import waiting_for
from .asked import asked_at
from .host import HostedGame
from .notation import NotationError, format_decision, parse_decision
from .opened import recorded_game

RULE = "730.1"

Agrees = Callable[[PlayerId], bool]
"""Asks a person whether they consent to what is offered."""


def everybody_agrees(_seat: PlayerId) -> bool:
    """Say yes for a seat that the caller plays."""
    return True


class Undone(msgspec.Struct, frozen=True):
    """A decision that was taken back: as it was, in words, and which triggers waited."""

    decision: AnyDecision
    text: str
    waiting: tuple[int, ...]


class TakeBacks:
    """Takes back decisions of a hosted game, the last one first, and does them again."""

    def __init__(self, hosted: HostedGame) -> None:
        self.hosted = hosted
        self._undone: list[Undone] = []

    def undo(self, by: PlayerId = NOBODY, agrees: Agrees = everybody_agrees) -> Refused | None:
        """Go back to before the last decision that somebody made who is not an agent.

        What the engine and agents answered after it goes with it. `by` offers it, whose decision
        it was where nobody is named.
        """
        found = last_decision(self.hosted)
        if found is None:
            detail = "nobody has decided anything that could be taken back"
            return Refused(Code.CHOICE_ILLEGAL, RULE, detail, "decide something first")
        commit, before = found
        undone = self._remembered(commit, before)
        seat = PlayerId(undone.decision.seat) if by == NOBODY else by
        refused = take_back(self.hosted, before, seat, agrees)
        if refused is None:
            self._undone.append(undone)
        return refused

    def redo(self) -> Refused | None:
        """Decide again what was taken back last."""
        if not self._undone:
            detail = "nothing was taken back that could be done again"
            return Refused(Code.CHOICE_ILLEGAL, RULE, detail, "take something back first")
        again = self._anew(self._undone[-1])
        if isinstance(again, NotationError):
            detail = f"it means nothing any more: {again.message}"
            return Refused(Code.WRONG_ANSWER, RULE, detail, "decide something else")
        refused = self.hosted.decide(again)
        if refused is None:
            self._undone.pop()
        return refused

    def forget(self) -> None:
        """Forget what was taken back: something else was decided."""
        self._undone.clear()

    def _remembered(self, commit: Commit, before: int) -> Undone:
        decision = commit.decision
        assert not isinstance(decision, bytes), "a host reads each decision of its log"
        game = self.hosted.position
        past = Position(past_of(self.hosted).state_at(before), game.definitions, game.edition)
        waiting = tuple(trigger.number for trigger in past.state.pending)
        return Undone(decision, format_decision(past, decision), waiting)

    def _anew(self, undone: Undone) -> Decision | NotationError:
        """Return a decision with the ids and numbers that things have now."""
        state, seat = self.hosted.state, undone.decision.seat
        decision = msgspec.structs.replace(undone.decision, counter=state.decision_counters[seat])
        if self.hosted.table.check(decision) is None:
            return decision
        if isinstance(decision, OrderObjects) and len(undone.waiting) == len(state.pending):
            now = [trigger.number for trigger in state.pending]
            numbers = dict(zip(undone.waiting, now, strict=True))
            order = tuple(numbers.get(one, one) for one in decision.order)
            return msgspec.structs.replace(decision, order=order)
        return parse_decision(self.hosted.position, self.hosted.prompt, undone.text, seat=seat)


def take_back(
    hosted: HostedGame, to: int, by: PlayerId, agrees: Agrees = everybody_agrees
) -> Refused | None:
    """Go back to the moment after a commit, offered by a seat, with all other seats' consent."""
    state = hosted.state
    present = players_in_turn_order(state, state.turn.active)
    seat = by if by in present else present[0]
    counter = state.decision_counters[seat]
    refused = hosted.decide(OfferTakeBack(seat, seat, counter, CommitNumber(to)))
    return refused if refused is not None else consent_of_all(hosted, agrees)


def consent_of_all(hosted: HostedGame, agrees: Agrees = everybody_agrees) -> Refused | None:
    """Give every seat's consent to what is offered, as long as each agrees; agents always do."""
    for seat in waiting_for(hosted.state):
        counter = hosted.state.decision_counters[seat]
        if hosted.agents[seat] is None and not agrees(seat):
            hosted.decide(RefuseConsent(seat, seat, counter))
            detail = f"{hosted.names()[seat]} does not agree"
            return Refused(Code.WRONG_ANSWER, RULE, detail, "let all players agree")
        refused = hosted.decide(GiveConsent(seat, seat, counter))
        if refused is not None:
            return refused
    return None


def last_decision(hosted: HostedGame) -> tuple[Commit, int] | None:
    """Return the last commit of which a person decided, and the one before that still counts."""
    past = past_of(hosted)
    for number in range(hosted.table.commits - 1, 0, -1):
        if not is_on_the_line(hosted.state, number):
            continue
        (commit,) = past.commits(number, number + 1)
        if not _is_a_persons(hosted, commit):
            continue
        before = number - 1
        while not is_on_the_line(hosted.state, before):
            before -= 1
        if number in hosted.decided or not _was_automatic(hosted, number, before):
            return commit, before
    return None


def past_of(hosted: HostedGame) -> Past:
    """Return the past of a hosted game."""
    past = hosted.position.trail.past
    assert past is not None, "a hosted game has a past"
    return past


def _is_a_persons(hosted: HostedGame, commit: Commit) -> bool:
    """Whether a seat decided that no agent plays; where agents play all, whether a seat did."""
    decision = commit.decision
    if isinstance(decision, bytes | BeginGame | Repair) or decision.seat < 0:
        return False
    if isinstance(decision, CONSENTING) or _goes_back(commit):
        return False
    people = [seat for seat, agent in enumerate(hosted.agents) if agent is None]
    return not people or decision.seat in people


def _goes_back(commit: Commit) -> bool:
    return any(isinstance(event, TakenBack) for event in commit.events())


def _was_automatic(hosted: HostedGame, number: int, before: int) -> bool:
    """Say whether the engine gave the answer of a commit, in a game from before this host."""
    if number >= hosted.hosted_since:
        return True
    hosted.sink.flush()
    asked = asked_at(recorded_game(hosted.store, hosted.game), before)
    prompt = asked.prompt
    if prompt is None:
        return False
    if prompt.kind == "priority":
        return standing_answer(asked.position, prompt) is not None
    return prompt.only_option(asked.position) is not None
