"""A judge mends a game: `apnap repair`."""

from __future__ import annotations

import click

from ..events.refused import Refused
from ..replay.remedies import FORMS
from ..replay.repairing import make_repair
from ..replay.resume import resume_game
from .main import ALL_WELL, CHECK_FAILED, complain
from .options import ADDRESS, Address, opened, with_json, with_store
from .output import Output

HELP = f"""Mend a game by the seat `judge`, in a decision that is logged and open to all.

At once where a judge was named (`apnap play --judge`), else with the consent of all seats. REMEDY
is one of: {"; ".join(FORMS)}.
"""


@click.command(help=HELP)
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.argument("remedy", metavar="REMEDY")
@click.option("--agreed", is_flag=True, help="All people at the table consent; agents always do.")
@with_store
@with_json
def repair(
    address: Address, remedy: str, agreed: bool, store_url: str | None, as_json: bool
) -> int:
    """Mend a game by the seat `judge`."""
    output = Output(as_json=as_json)
    with opened(store_url) as store, resume_game(store, address.game) as hosted:
        refused = make_repair(hosted, remedy, consents=agreed)
        table, is_waiting = hosted.table, hosted.state.offer is not None
    if isinstance(refused, Refused):
        change = f"; {refused.change}" if refused.change else ""
        words = f"refused: {refused.detail} (CR {refused.rule}){change}: {address.game}"
        return complain(words, CHECK_FAILED)
    last = table.commits - 1
    output.record(
        game=address.game,
        remedy=remedy,
        made=not is_waiting,
        commit=last,
        commits=table.commits,
        head=table.head.hex(),
    )
    if is_waiting:
        output.say(f"Proposed; it waits for the players' consent: {address.game}@{last}")
    else:
        output.say(f"Done: {address.game}@{last}")
    return ALL_WELL
