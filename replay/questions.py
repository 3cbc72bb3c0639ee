"""The questions that `apnap whynot` answers: about an action, a trigger, or being asked."""

from __future__ import annotations

from ..events.base import Decision
from ..events.errors import EngineError
from ..events.ids import JUDGE, NOBODY, PlayerId
from ..projections.state import State
from .answered import WhyNot
from .asked import asked_at
from .history import History
from .opened import RecordedGame
from .unasked import whynot_asked
from .untriggered import whynot_triggered
from .whynot import whynot_action

ASK = "ask"
TRIGGER = "trigger "


class NoSuchSeat(EngineError):
    """A seat is named that the game does not have, or one whose knowledge is not in the record."""


def whynot(
    recorded: RecordedGame,
    question: str | Decision,
    by: str | None = None,
    commit: int | None = None,
    event: int | None = None,
) -> WhyNot:
    """Answer why a seat may not do something after a commit (the last one where None).

    The question is an action in the notation, `trigger OBJECT` (why did it not trigger on that
    event, or on any of that commit), or `ask` (why was the seat not asked). Without `by` it is
    about who is asked.
    """
    if isinstance(question, str) and question.lower().startswith(TRIGGER):
        name = question[len(TRIGGER) :].strip()
        return whynot_triggered(recorded, name, commit, event, by)
    asked = asked_at(recorded, commit)
    state = asked.position.state
    if by is not None:
        seat = _seat(recorded, state, by)
    elif asked.prompt is not None:
        seat = asked.prompt.seat
    else:
        seat = PlayerId(max(state.turn.active, 0))
    if isinstance(question, str) and question.strip().lower() == ASK:
        return whynot_asked(asked, seat, History(recorded, asked.commit))
    return whynot_action(asked.position, asked.prompt, question, seat, asked.commit + 1)


def _seat(recorded: RecordedGame, state: State, name: str) -> PlayerId:
    """Return the seat of a name, also of the judge; a seat's own record answers for that alone."""
    if name.lower() == "judge" and recorded.seat == NOBODY:
        return JUDGE
    names = [player.name for player in state.players]
    lowered = [one.lower() for one in names]
    if name.lower() not in lowered:
        raise NoSuchSeat(f"No seat is named {name!r}; there are {', '.join(names)}.")
    seat = PlayerId(lowered.index(name.lower()))
    if recorded.seat not in {NOBODY, seat}:
        own = names[recorded.seat]
        raise NoSuchSeat(f"{recorded.game!r} is {own}'s record: what {name} knew is not in it.")
    return seat
