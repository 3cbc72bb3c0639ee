"""The transcript of a game: each decision in the notation, each event as a sentence.

Sentences are written against the position before the event. What a seat may not know is sealed in
its log, and reads as unknown here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ..events.base import Event
from ..events.catalog import AnyEvent
from ..events.commit import Commit
from ..events.ids import JUDGE, PlayerId
from ..projections.evolve import count_decision_of
from ..projections.position import Position
from .notation import format_decision
from .opened import RecordedGame
from .sentences import SENTENCES


class TranscriptLine(msgspec.Struct, frozen=True):
    """A line of the transcript: a decision where `i` is None, else an event.

    `text` is the notation of a decision (None where it is sealed) or the sentence of an event;
    `fields` are an event's own, `group` counts the groups of its commit.
    """

    n: int
    i: int | None
    type: str
    text: str | None
    seat: str | None = None
    fields: dict[str, Any] | None = None
    rule: str | None = None
    cause: int | None = None
    group: int | None = None

    def to_record(self) -> dict[str, Any]:
        """Return what `apnap log --json` prints of it."""
        if self.i is None:
            return {"n": self.n, "i": None, "type": self.type, "seat": self.seat, "text": self.text}
        return {
            "n": self.n,
            "i": self.i,
            "type": self.type,
            "fields": self.fields,
            "rule": self.rule,
            "cause": self.cause,
            "group": self.group,
            "text": self.text,
        }


def describe_event(game: Position, event: AnyEvent) -> str:
    """Return an event as a sentence, against the position before it."""
    return SENTENCES[type(event)](game, event)


def fields_of(event: Event) -> dict[str, Any]:
    """Return an event's fields as plain values: bytes in hexadecimal, sealed parts as None."""
    found: dict[str, Any] = {}
    for name in event.__struct_fields__:
        if name in {"rule", "cause"}:
            continue
        value = getattr(event, name)
        is_sealed = name in event.sealed_fields and isinstance(value, bytes)
        found[name] = None if is_sealed else _plain(value, in_seal=name in event.sealed_fields)
    return found


def _plain(value: object, *, in_seal: bool = False) -> Any:  # noqa: ANN401 - as JSON has it
    match value:
        case bytes():
            return None if in_seal else value.hex()
        case msgspec.Struct():
            return {name: _plain(getattr(value, name)) for name in value.__struct_fields__}
        case tuple() | list():
            return [_plain(item, in_seal=in_seal) for item in value]
        case _:
            return value


def transcript(
    recorded: RecordedGame, first: int = 0, last: int | None = None
) -> Iterator[TranscriptLine]:
    """Yield the lines of a recorded game from one commit to another, both ends inclusive.

    A seat's record gives that seat's transcript: what is sealed there is unknown here.
    """
    position: Position | None = None
    for commit in recorded.commits():
        if last is not None and commit.number > last:
            return
        if position is None:
            position = recorded.begin(commit)
        lines = lines_of(position, commit)
        if commit.number < first:
            position.apply_commit(commit)
        else:
            yield from lines
        position.trail.forget()


def lines_of(position: Position, commit: Commit) -> Iterator[TranscriptLine]:
    """Yield the lines of a commit, and let it change the position as they are read."""
    yield _decision_line(position, commit)
    place = 0
    for number, group in enumerate(commit.groups):
        texts = [describe_event(position, event) for event in group]
        for text, event in zip(texts, group, strict=True):
            position.apply(event)
            yield TranscriptLine(
                n=commit.number,
                i=place,
                type=type(event).__name__,
                text=text,
                fields=fields_of(event),
                rule=event.rule,
                cause=event.cause,
                group=number,
            )
            place += 1
    count_decision_of(position.trail, commit)


def _decision_line(position: Position, commit: Commit) -> TranscriptLine:
    decision = commit.decision
    if isinstance(decision, bytes):
        return TranscriptLine(n=commit.number, i=None, type="decision", text=None)
    seat = seat_name(position, decision.seat)
    text = format_decision(position, decision)
    return TranscriptLine(n=commit.number, i=None, type="decision", text=text, seat=seat)


def seat_name(position: Position, seat: PlayerId) -> str | None:
    """Return a seat's name, "judge" for a judge; None for the host."""
    if seat == JUDGE:
        return "judge"
    players = position.state.players
    return players[seat].name if 0 <= seat < len(players) else None
