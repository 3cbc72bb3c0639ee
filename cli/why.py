"""Why something happened, and why something may not be done or did not happen."""

from __future__ import annotations

import click
import msgspec

from ..replay.opened import recorded_game
from ..replay.questions import whynot as answer
from ..replay.why import place_of, why_event
from .options import ADDRESS, Address, opened, with_json, with_store
from .output import Output
from .show import as_seat


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.argument("event", metavar="N.I", required=False)
@click.option("--seat", metavar="NAME", help="What this player could know; default: everything.")
@with_store
@with_json
def why(
    address: Address, event: str | None, seat: str | None, store_url: str | None, as_json: bool
) -> int:
    """Follow the causes of event I of commit N back to the decisions.

    The nearest cause comes first; each has its address, its rule and the transcript's words.
    """
    output = Output(as_json=as_json)
    commit, place = _place(address, event)
    with opened(store_url) as store:
        recorded = recorded_game(store, address.game)
    if seat is not None:
        recorded = as_seat(recorded, seat)
    found = why_event(recorded, commit, place)
    output.record(**msgspec.to_builtins(found))
    first, *others = str(found).splitlines()
    output.say(first, style="bold")
    for line in others:
        output.say(line)
    return 0


def _place(address: Address, event: str | None) -> tuple[int, int]:
    """Return the commit and event that `GAME N.I`, `GAME@N I` or `GAME@N.I` names."""
    if event is not None:
        if event.isdigit() and address.commit is not None:
            return address.commit, int(event)
        return place_of(event)
    if address.commit is None or address.event is None:
        msg = "name an event: `apnap why GAME N.I`, event I of commit N"
        raise click.UsageError(msg)
    return address.commit, address.event


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.argument("question", metavar="ACTION")
@click.option("--by", metavar="SEAT", help="Who would do it; default: who is asked then.")
@click.option("--at", metavar="N", help="After commit N, default the last; for a trigger N.I.")
@with_store
@with_json
def whynot(
    address: Address,
    question: str,
    by: str | None,
    at: str | None,
    store_url: str | None,
    as_json: bool,
) -> int:
    """Say why an action is refused, by which rule, and what would have to change.

    ACTION is written as in the transcript ("cast Shock targeting bob"), or is `trigger OBJECT`
    (why did it not trigger on event I of commit N?) or `ask` (why was the seat not asked?).
    """
    output = Output(as_json=as_json)
    commit, event = _moment(address, at)
    with opened(store_url) as store:
        recorded = recorded_game(store, address.game)
    found = answer(recorded, question, by, commit, event)
    output.record(**msgspec.to_builtins(found))
    output.say(str(found))
    return 0


def _moment(address: Address, at: str | None) -> tuple[int | None, int | None]:
    """Return commit and event of `GAME@N.I` or of `--at N`, `--at N.I`; the option counts."""
    if at is None:
        return address.commit, address.event
    if at.isdecimal():
        return int(at), None
    return place_of(at)
