"""Why something happened, and why something may not be done or did not happen."""

from __future__ import annotations

import click
import msgspec

from ..replay.opened import recorded_game
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
    output.say(f"{found.address}  {found.text} (CR {found.rule})", style="bold")
    for cause in found.causes:
        output.say(f"  because {cause.address}  {cause.text} (CR {cause.rule})")
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
