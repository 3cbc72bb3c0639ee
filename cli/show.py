"""Looking at a stored game: the board after a commit, and the transcript."""

from __future__ import annotations

import click
import msgspec

from ..events.errors import EngineError
from ..events.ids import NOBODY, PlayerId
from ..events.redaction import redact_entry
from ..replay.gists import gist_lines
from ..replay.opened import RecordedGame, recorded_game
from ..replay.record_file import definitions_seen
from ..replay.timeline import position_at
from ..replay.transcript import TranscriptLine, transcript
from .board import board_of, drawn
from .files import seat_number
from .options import ADDRESS, MOMENT, Address, opened, with_json, with_store
from .output import Output
from .stores import players_in


class OtherSeat(EngineError):
    """A seat's own log is asked for what another seat knew."""


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.option("--at", metavar="N[.I]", type=MOMENT, help="After commit N, or its event I.")
@click.option("--seat", metavar="NAME", help="As this player sees it; default: everything.")
@with_store
@with_json
def show(
    address: Address,
    at: tuple[int, int | None] | None,
    seat: str | None,
    store_url: str | None,
    as_json: bool,
) -> int:
    """Show the board after a commit (default: the last), as a judge or as one seat sees it.

    With N.I it is shown after event I of commit N, in the midst of what came of the decision.
    """
    output = Output(as_json=as_json)
    with opened(store_url) as store:
        recorded = recorded_game(store, address.game)
    moment, event = (address.commit, address.event) if at is None else at
    number = seat_of_view(recorded, seat)
    board = board_of(position_at(recorded, moment, event), number)
    if moment is None:
        moment = len(recorded.entries) - 1
    output.record(
        game=recorded.game, at=moment, event=event, seat=seat, **msgspec.to_builtins(board)
    )
    viewed = f" as {seat} sees it" if seat else ""
    inside = "" if event is None else f".{event}"
    output.draw(drawn(board, f"{recorded.game}@{moment}{inside}{viewed}"))
    return 0


def seat_of_view(recorded: RecordedGame, seat: str | None) -> PlayerId | None:
    """Return the seat by whose eyes a game is seen, None for a judge's."""
    if seat is None:
        return recorded.seat if recorded.seat != NOBODY else None
    number = seat_number(players_in(recorded.meta), seat)
    if recorded.seat not in {NOBODY, number}:
        own = players_in(recorded.meta)[recorded.seat]
        msg = f"{recorded.game!r} was imported from {own}'s record: what {seat} knew is not in it."
        raise OtherSeat(msg)
    return number


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.option("--from", "first", metavar="N", type=click.IntRange(min=0), help="From commit N on.")
@click.option("--to", "last", metavar="N", type=click.IntRange(min=0), help="Up to commit N.")
@click.option("--seat", metavar="NAME", help="What this player could know; default: everything.")
@click.option("--rules", is_flag=True, help="Say below in a few words what each rule asks.")
@with_store
@with_json
def log(
    address: Address,
    *,
    first: int | None,
    last: int | None,
    seat: str | None,
    rules: bool,
    store_url: str | None,
    as_json: bool,
) -> int:
    """Print the transcript from one commit to another: each decision, and what came of it.

    Both ends are printed; GAME@N is that commit alone.
    """
    output = Output(as_json=as_json)
    with opened(store_url) as store:
        recorded = recorded_game(store, address.game)
    if address.commit is not None:
        first, last = (address.commit if end is None else end for end in (first, last))
    if first is not None and first >= len(recorded.entries):
        msg = f"there is no commit {first}, the last one is {address.game}@{_last(recorded)}"
        raise click.UsageError(msg)
    if seat is not None:
        recorded = as_seat(recorded, seat)
    if first is not None and last is not None and last < first:
        msg = f"--to {last} is before --from {first}"
        raise click.UsageError(msg)
    cited: list[str] = []
    for line in transcript(recorded, first or 0, last):
        if address.event is not None and line.i != address.event:
            continue
        if as_json:
            output.record(**line.to_record())
        else:
            _say(output, line)
            cited.append(said_by(line))
    for gist in gist_lines(cited) if rules else ():
        output.say(gist)
    return 0


def as_seat(recorded: RecordedGame, seat: str) -> RecordedGame:
    """Return the game as one seat has it: its own log, cut from the whole."""
    number = seat_of_view(recorded, seat)
    assert number is not None, "a seat that is named has a number"
    if recorded.seat != NOBODY:
        return recorded
    entries = tuple(redact_entry(entry, number) for entry in recorded.entries)
    definitions = definitions_seen(entries, recorded.definitions)
    return msgspec.structs.replace(
        recorded, entries=entries, definitions=definitions, secrets=b"", seat=number
    )


def _last(recorded: RecordedGame) -> int:
    return len(recorded.entries) - 1


def _say(output: Output, line: TranscriptLine) -> None:
    if line.i is None:
        output.say(f"{line.n:>5}  {said_by(line)}", style="bold")
        return
    output.say(f"{f'.{line.i}':>9}  {said_by(line)}")


def said_by(line: TranscriptLine) -> str:
    """Return a line of a transcript without its address."""
    if line.i is not None:
        return f"{line.text} (CR {line.rule})"
    return f"{line.seat or 'host'}: {line.text}" if line.text is not None else "(sealed)"
