"""What a judge does to mend a game, in the notation: one text for each remedy, written and read."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..events.ids import NOTHING, CommitNumber
from ..events.taking_back import (
    BackUp,
    CorrectLife,
    PutBackAtRandom,
    PutMissedTrigger,
    RecordLoss,
    Remedy,
)
from ..projections.position import Position
from .names import Misread, Naming, exact_name, player_named

FORMS = (
    "back up to 12",
    "put back 1 of alice at random",
    "trigger Grizzly Bears ability 1",
    "life of bob is 17",
    "bob loses",
)
"""One example of each form, for messages."""

_BACK_UP = re.compile(r"back (?:it |the game )?up to (?:commit )?(\d+)", re.IGNORECASE)
_PUT_BACK = re.compile(
    r"put back (\d+|a|one)(?: cards?)? (?:of|from) (\S+?)(?:['’]s hand)?"
    r"(?: at random)?( on (?:the )?bottom| on top)?(?: at random)?",
    re.IGNORECASE,
)
_TRIGGER = re.compile(
    r"(?:missed )?trigger(?: of)? (.+?)(?: ability (\d+))?(?: about (.+))?", re.IGNORECASE
)
_LIFE = re.compile(
    r"life of (\S+) (?:is|to|=) (-?\d+)|(\S+) is at (-?\d+)(?: life)?", re.IGNORECASE
)
_LOSS = re.compile(r"(\S+) loses(?: the game)?", re.IGNORECASE)


def remedy_text(game: Position, remedy: Remedy) -> str:
    """Return a remedy as the notation has it."""
    match remedy:
        case BackUp(to=to):
            return f"back up to {to}"
        case PutBackAtRandom(player=player, count=count, on_bottom=on_bottom):
            name = game.state.players[player].name
            return f"put back {count} of {name} at random{' on the bottom' if on_bottom else ''}"
        case PutMissedTrigger():
            return _trigger_text(game, remedy)
        case CorrectLife(player=player, life=life):
            return f"life of {game.state.players[player].name} is {life}"
        case RecordLoss(player=player):
            return f"{game.state.players[player].name} loses"


def read_remedy(naming: Naming, text: str) -> Remedy:
    """Return the remedy that a text means; raise Misread where it means none."""
    for pattern, read in _READERS:
        found = pattern.fullmatch(text)
        if found is not None:
            return read(naming, found)
    raise Misread("syntax", f"{text!r} is nothing that a judge does", FORMS)


def _trigger_text(game: Position, remedy: PutMissedTrigger) -> str:
    text = f"trigger {exact_name(game, remedy.source)} ability {remedy.number + 1}"
    if remedy.about != NOTHING:
        return f"{text} about {exact_name(game, remedy.about)}"
    if remedy.about_player >= 0:
        return f"{text} about {game.state.players[remedy.about_player].name}"
    return text


def _read_trigger(naming: Naming, found: re.Match[str]) -> Remedy:
    source = naming.object(found[1])
    number = int(found[2]) - 1 if found[2] else 0
    if not found[3]:
        return PutMissedTrigger(source, number)
    player = player_named(naming.game, found[3])
    if player is not None:
        return PutMissedTrigger(source, number, about_player=player)
    return PutMissedTrigger(source, number, naming.object(found[3]))


def _read_put_back(naming: Naming, found: re.Match[str]) -> Remedy:
    count = int(found[1]) if found[1].isdigit() else 1
    on_bottom = (found[3] or "").endswith("bottom")
    return PutBackAtRandom(naming.player(found[2]), count, on_bottom)


def _read_life(naming: Naming, found: re.Match[str]) -> Remedy:
    return CorrectLife(naming.player(found[1] or found[3]), int(found[2] or found[4]))


_READERS: tuple[tuple[re.Pattern[str], Callable[[Naming, re.Match[str]], Remedy]], ...] = (
    (_BACK_UP, lambda _, found: BackUp(CommitNumber(int(found[1])))),
    (_PUT_BACK, _read_put_back),
    (_TRIGGER, _read_trigger),
    (_LIFE, _read_life),
    (_LOSS, lambda naming, found: RecordLoss(naming.player(found[1]))),
)
