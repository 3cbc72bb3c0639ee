"""Looking ahead: whether a game in which all go on passing comes to where it was (CR 104.4b)."""

from __future__ import annotations

from typing import Protocol

from ..events.base import Decision
from ..events.decisions import PassPriority
from ..events.refused import Refused
from ..events.store import NewCommit
from ..projections.position import Position
from ..rules.loops import GROWTH_FROM, is_same, seen
from ..rules.protocol import Prompt


class Imagined(Protocol):
    """A table that is played ahead and forgotten."""

    @property
    def game(self) -> Position:
        """The imagined position."""

    @property
    def prompt(self) -> Prompt | None:
        """Who is asked what."""

    def automatic(self) -> Decision | None:
        """Return the one answer that there is."""

    def decide(self, decision: Decision) -> Refused | None:
        """Go on."""


class Forgetting:
    """Takes the commits of what is only imagined."""

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Take a commit and forget it."""


def comes_again(table: Imagined) -> bool:
    """Say whether the game comes to where it was though nobody does anything but pass.

    It is followed for as many resolutions as there were. The state that the others are compared
    with is taken anew each time their number has doubled, so that what leads into a loop may be
    long. A choice, an empty stack or another turn: then it is no loop of mandatory actions.
    """
    state = table.game.state
    turn, first = state.turn.number, state.turn.resolved
    before, taken_at, last = seen(state), first, first
    while state.turn.resolved < 2 * first and _goes_on(table):
        if state.turn.number != turn or not state.stack or state.turn.resolved < last:
            return False
        if state.turn.passes != 1 or state.turn.resolved == last:
            continue
        last = state.turn.resolved
        now = seen(state)
        if is_same(before, now, grows=first >= GROWTH_FROM):
            return True
        if last - first >= 2 * (taken_at - first) + 1:
            before, taken_at = now, last
    return False


def _goes_on(table: Imagined) -> bool:
    """Let the player who is asked pass, or answer what has one answer; say whether that was so."""
    prompt = table.prompt
    if prompt is None:
        return False
    if prompt.kind == "priority":
        return table.decide(PassPriority(prompt.seat, prompt.player, prompt.counter)) is None
    only = table.automatic()
    return only is not None and table.decide(only) is None
