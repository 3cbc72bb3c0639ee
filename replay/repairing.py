"""A judge's remedies in a hosted game: read, decided, and consented to where that is due."""

from __future__ import annotations

from ..events.errors import EngineError
from ..events.ids import JUDGE
from ..events.refused import Refused
from ..rules.taking_back import waiting_for
from .host import HostedGame
from .notation import NotationError, parse_decision
from .taking_back import consent_of_all


class RepairUnclear(EngineError):
    """The words of a repair mean nothing, or several things."""


def make_repair(hosted: HostedGame, words: str, *, consents: bool = True) -> Refused | None:
    """Mend a game; where no judge was named, with the consent of all seats if that is given.

    Without it agents consent all the same, and the repair waits for the people.
    """
    decision = parse_decision(hosted.position, hosted.prompt, words, seat=JUDGE)
    if isinstance(decision, NotationError):
        forms = f"; write one of: {', '.join(decision.candidates)}" if decision.candidates else ""
        raise RepairUnclear(f"{decision.message}{forms}")
    refused = hosted.decide(decision)
    if refused is not None:
        return refused
    people = [seat for seat in waiting_for(hosted.state) if hosted.agents[seat] is None]
    return consent_of_all(hosted) if consents or not people else None
