"""Looking at a stored game: the board after a commit, and the transcript."""

from __future__ import annotations

import click
import msgspec

from ..events.errors import EngineError
from ..events.ids import NOBODY, PlayerId
from ..replay.opened import RecordedGame, recorded_game
from ..replay.timeline import position_at
from .board import board_of, drawn
from .files import seat_number
from .options import ADDRESS, Address, moment_of, opened, with_json, with_store
from .output import Output
from .stores import players_in


class OtherSeat(EngineError):
    """A seat's own log is asked for what another seat knew."""


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.option("--at", "at", metavar="N", type=click.IntRange(min=0), help="After commit N.")
@click.option("--seat", metavar="NAME", help="As this player sees it; default: everything.")
@with_store
@with_json
def show(
    address: Address, at: int | None, seat: str | None, store_url: str | None, as_json: bool
) -> int:
    """Show the board after a commit (default: the last), as a judge or as one seat sees it."""
    output = Output(as_json=as_json)
    with opened(store_url) as store:
        recorded = recorded_game(store, address.game)
    moment = moment_of(address, at)
    event = address.event if at is None else None
    number = seat_of_view(recorded, seat)
    board = board_of(position_at(recorded, moment, event), number)
    if moment is None:
        moment = len(recorded.entries) - 1
    output.record(game=recorded.game, at=moment, seat=seat, **msgspec.to_builtins(board))
    viewed = f" as {seat} sees it" if seat else ""
    output.draw(drawn(board, f"{recorded.game}@{moment}{viewed}"))
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
