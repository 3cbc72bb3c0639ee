"""Why an event happened: its causes, back to decisions (CR 603.2, 608, 704).

An event says which event brought it about. Where it says only that it came of its commit
(state-based actions, turn-based actions, the course of the turn) the cause is read off the log:
what made the state-based action due, who passed, which creatures fought.
"""

from __future__ import annotations

import re

import msgspec

from ..events.base import Decision
from ..events.decisions import (
    ActivateAbility,
    BeginGame,
    CastSpell,
    Concede,
    DeclareAttackers,
    DeclareBlockers,
    DivideDamage,
    GiveConsent,
    KeepHand,
    OfferTakeBack,
    OrderObjects,
    PassPriority,
    PlayLand,
    RefuseConsent,
    Repair,
    ReportTailLost,
    RevokeStandingPass,
    SetUp,
    TakeMulligan,
    TurnFaceUp,
)
from ..events.errors import EngineError
from ..events.zones import CountersPut, ObjectMoved, TokenCreated
from .causes import Node, causes_of
from .entering import entering_text
from .gists import gist_lines
from .history import Entry, History
from .opened import RecordedGame

RULES_OF_DECISIONS: dict[type[Decision], str] = {
    BeginGame: "103.1",
    SetUp: "400.11",
    ReportTailLost: "100.6",
    KeepHand: "103.5",
    TakeMulligan: "103.5",
    PassPriority: "117.3d",
    PlayLand: "116.2a",
    CastSpell: "601.2",
    ActivateAbility: "602.2",
    TurnFaceUp: "116.2b",
    DeclareAttackers: "508.1",
    DeclareBlockers: "509.1",
    OrderObjects: "603.3b",
    DivideDamage: "510.1c",
    Concede: "104.3a",
    RevokeStandingPass: "117.3d",
    OfferTakeBack: "730.1",
    GiveConsent: "730.1",
    RefuseConsent: "730.1",
    Repair: "100.6",
}
"""The rule that lets a seat decide so; choices are made as 608.2d says."""

CHOICE_RULE = "608.2d"

_PLACE = re.compile(r"(?:[^@\s]*@)?(\d+)\.(\d+)")


class NoEvent(EngineError):
    """What was given names no event."""


class Cause(msgspec.Struct, frozen=True):
    """A cause: an event (`GAME@N.I`) or a decision (`GAME@N`), its rule, and what it was."""

    address: str
    rule: str
    text: str


class Why(msgspec.Struct, frozen=True):
    """An event and its causes, the nearest first; the last one is a decision."""

    game: str
    address: str
    rule: str
    text: str
    causes: tuple[Cause, ...]

    def __str__(self) -> str:
        """Return it as lines for people, with the gists of the rules below."""
        lines = [f"{self.address}  {self.text} (CR {self.rule})"]
        lines += [f"  because {one.address}  {one.text} (CR {one.rule})" for one in self.causes]
        return "\n".join((*lines, *gist_lines(lines)))


def place_of(text: str) -> tuple[int, int]:
    """Return commit and event of "N.I" (or "GAME@N.I").

    >>> place_of("12.3")
    (12, 3)
    """
    found = _PLACE.fullmatch(text.strip())
    if found is None:
        raise NoEvent(f"{text!r} names no event: write N.I, event I of commit N")
    return int(found[1]), int(found[2])


def why_event(recorded: RecordedGame, commit: int, place: int) -> Why:
    """Return the causes of an event, as whoever's log it is may know them."""
    history = History(recorded, commit)
    entry = history.entry(commit, place)
    notes = _entering_notes(history, entry)
    nodes = sorted(_closure(history, entry), key=_latest_first)
    causes = tuple(_told(history, node) for node in nodes)
    return Why(
        game=history.game,
        address=history.address(commit, place),
        rule=entry.event.rule,
        text=history.sentence(entry),
        causes=(*notes, *causes),
    )


def _closure(history: History, entry: Entry) -> list[Node]:
    """Return all causes of an event, theirs too, down to the decisions."""
    found: list[Node] = []
    waiting: list[Entry] = [entry]
    while waiting:
        for node in causes_of(history, waiting.pop(0)):
            if node in found:
                continue
            found.append(node)
            if node.place is not None:
                waiting.append(history.entry(node.commit, node.place))
    return found


def _latest_first(node: Node) -> tuple[int, int]:
    return -node.commit, 1 if node.place is None else -node.place


def _told(history: History, node: Node) -> Cause:
    address = history.address(node.commit, node.place)
    if node.place is not None:
        entry = history.entry(node.commit, node.place)
        return Cause(address, entry.event.rule, history.sentence(entry))
    decision = history.decision(node.commit)
    if decision is None:
        rule = next(history.commit(node.commit).events()).rule
    else:
        rule = RULES_OF_DECISIONS.get(type(decision), CHOICE_RULE)
    return Cause(address, rule, history.decided(node.commit))


def _entering_notes(history: History, entry: Entry) -> tuple[Cause, ...]:
    """Return what changed how a permanent entered: "enters tapped" and the like (CR 614.1c)."""
    if not isinstance(entry.event, ObjectMoved | TokenCreated | CountersPut):
        return ()
    group = tuple(one.event for one in history.group_of(entry))
    texts = entering_text(history.before_group(entry), group, entry.event)
    address = history.address(entry.commit, entry.place)
    return tuple(Cause(address, "614.1c", text) for text in texts)
