"""Going back: folding a log, beginning a branch of a game, and where two games part."""

from __future__ import annotations

import time

import click
import msgspec

from ..replay.branch import branch_game, parting_of
from ..replay.opened import recorded_game
from ..replay.timeline import replay_game
from ..replay.transcript import transcript
from .main import ALL_WELL, CHECK_FAILED
from .options import ADDRESS, Address, moment_of, opened, shell_options, with_json, with_store
from .output import Output
from .show import said_by

LINES_SHOWN = 3
"""How many lines of a commit in which two games part are told of each."""


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.option("--to", "to", metavar="N", type=click.IntRange(min=0), help="Stop after commit N.")
@with_store
@with_json
def replay(address: Address, to: int | None, store_url: str | None, as_json: bool) -> int:
    """Fold a game's log to its state, checking each commit; no rule is run."""
    output = Output(as_json=as_json)
    with opened(store_url) as store:
        recorded = recorded_game(store, address.game)
    at = moment_of(address, to)
    if at is not None and at >= len(recorded.entries):
        msg = f"there is no commit {at}, the last one is {address.game}@{len(recorded.entries) - 1}"
        raise click.UsageError(msg)
    began = time.perf_counter()
    found = replay_game(recorded, at)
    seconds = time.perf_counter() - began
    rate = round(found.events / seconds) if seconds else 0
    output.record(
        **msgspec.structs.asdict(found), seconds=round(seconds, 6), events_per_second=rate
    )
    output.say(
        f"Folded {found.game}: {found.commits} commits, {found.events} events in {seconds:.3f} s "
        f"({rate} a second); head {found.head}, state {found.state}"
    )
    return ALL_WELL


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.option("--at", "at", metavar="N", type=click.IntRange(min=0), help="The last shared commit.")
@click.option(
    "--luck",
    type=click.Choice(["same", "fresh"]),
    default="same",
    help="Whether later shuffles, coins and dice come out the same (default) or afresh. A library "
    "keeps its order until it is shuffled.",
)
@with_store
@with_json
def branch(
    address: Address, at: int | None, luck: str, store_url: str | None, as_json: bool
) -> int:
    """Begin a game that shares the commits up to N with another; `resume` plays it."""
    output = Output(as_json=as_json)
    moment = moment_of(address, at)
    if moment is None:
        msg = f"where does it branch off? Write --at N or {address.game}@N"
        raise click.UsageError(msg)
    with opened(store_url) as store:
        game = branch_game(store, address.game, moment, fresh_luck=luck == "fresh")
    output.record(game=game, parent=address.game, at=moment)
    output.say(
        f"{game} branches off {address.game}@{moment}; play it by: "
        f"apnap resume {game}{shell_options(store_url)}"
    )
    return ALL_WELL


@click.command()
@click.argument("left", metavar="GAME", type=ADDRESS)
@click.argument("right", metavar="GAME", type=ADDRESS)
@with_store
@with_json
def diff(left: Address, right: Address, store_url: str | None, as_json: bool) -> int:
    """Say at which commit two games part and what happened there; exit code 1 if they do.

    Seals differ between games that are alike, so it is decisions and events that are compared.
    """
    output = Output(as_json=as_json)
    with opened(store_url) as store:
        games = (recorded_game(store, left.game), recorded_game(store, right.game))
    parting = parting_of(*games)
    if parting is None:
        output.record(at=None, left=None, right=None)
        output.say(f"{left.game} and {right.game} are the same game so far.")
        return ALL_WELL
    output.record(**msgspec.structs.asdict(parting))
    output.say(f"The games part at {left.game}@{parting.at} and {right.game}@{parting.at}.")
    if output.as_json:
        return CHECK_FAILED
    told = [[said_by(line) for line in transcript(game, parting.at, parting.at)] for game in games]
    shared = next((n for n, (one, other) in enumerate(zip(*told, strict=False)) if one != other), 0)
    for game, lines, difference in zip(games, told, (parting.left, parting.right), strict=True):
        output.say(f"{game.game}: {_from(lines, shared) or difference}")
    return CHECK_FAILED


def _from(lines: list[str], first: int) -> str:
    """Return what two games tell differently: a few lines of one, from the first that differs."""
    shown = lines[first : first + LINES_SHOWN]
    return "; ".join(shown) + ("; …" if len(lines) > first + LINES_SHOWN else "")
