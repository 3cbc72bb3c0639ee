"""How procedures speak with the trampoline: they yield what should happen and what to ask.

A procedure is a generator. It yields `Perform(actions)` and gets back the events that happened;
it yields a `Prompt` and gets back the decision that answers it. It reads `Position` and never
changes it. After a prompt it reads again: it keeps ids only.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from ..events.base import Decision
from ..events.catalog import AnyEvent
from ..events.ids import NOTHING, ObjectId, PlayerId
from ..events.refused import Refused

if TYPE_CHECKING:
    from ..projections.position import Position
    from .actions import Action

R = TypeVar("R")
D = TypeVar("D", bound=Decision)


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a seat, for a player (CR 720), with the rule that makes it asked.

    `counter` is the seat's count of decisions, which the answer carries. A prompt is `quiescent`
    when no procedure is half-way. Where there is but one legal answer the engine gives it, in a
    commit like any other.
    """

    seat: PlayerId
    player: PlayerId
    counter: int
    rule: str
    source: ObjectId = NOTHING
    text: str = ""
    quiescent: bool = False

    kind = "prompt"
    """The kind of prompt: a word that stays."""

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None if the decision answers this prompt legally, else why not."""
        raise AssertionError(type(self).__name__)

    def suggest(self, game: Position) -> Decision:
        """Return a legal answer; always taking it ends every game."""
        return next(self.options(game))

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield legal answers, the suggestion first; lazily, since there may be very many."""
        raise AssertionError(type(self).__name__)

    def only_option(self, game: Position) -> Decision | None:
        """Return the answer if there is just one legal answer."""
        found = self.options(game)
        first = next(found, None)
        return first if first is not None and next(found, None) is None else None


class Perform(msgspec.Struct, frozen=True):
    """Game actions tried together: replaced, prevented, or done as one group of events."""

    actions: tuple[Action, ...]


Yielded = Perform | Prompt
Procedure = Generator[Yielded, Any, R]


def perform(*actions: Action) -> Procedure[tuple[AnyEvent, ...]]:
    """Try the actions together and return the events that happened."""
    if not actions:
        return ()
    happened: tuple[AnyEvent, ...] = yield Perform(actions)
    return happened


def ask(prompt: Prompt) -> Procedure[Decision]:
    """Ask a seat and return its legal answer."""
    decision: Decision = yield prompt
    return decision


def ask_for(kind: type[D], prompt: Prompt) -> Procedure[D]:
    """Ask a seat and return its answer, a decision of the kind that the prompt takes."""
    decision = yield from ask(prompt)
    assert isinstance(decision, kind), f"a {prompt.kind} prompt is answered by {kind.__name__}"
    return decision
