"""Going back: folding a log, beginning a branch of a game, and where two games part."""

from __future__ import annotations

import time
from itertools import zip_longest

import click

from ..events.commit import Commit
from ..replay.opened import RecordedGame
from ..replay.sinks import first_difference
from .moments import checked_moment, position_at, read_game
from .options import ADDRESS, Address, moment_of, opened, with_json, with_store
from .output import Output


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.option("--to", "to", metavar="N", type=click.IntRange(min=0), help="Stop after commit N.")
@with_store
@with_json
def replay(address: Address, to: int | None, store_url: str | None, as_json: bool) -> int:
    """Fold a game's log to its state, checking each commit; no rule is run."""
    output = Output(as_json=as_json)
    with opened(store_url) as store:
        recorded = read_game(store, address)
    at = checked_moment(recorded, moment_of(address, to))
    began = time.perf_counter()
    game = position_at(recorded, at)
    seconds = time.perf_counter() - began
    events = game.state.next_sequence
    rate = round(events / seconds) if seconds else 0
    head = _head(recorded, at)
    output.record(
        game=recorded.game,
        commits=at + 1,
        events=events,
        head=head,
        state=game.state.digest().hex(),
        seconds=round(seconds, 6),
        events_per_second=rate,
    )
    output.say(
        f"Folded {recorded.game}: {at + 1} commits, {events} events in {seconds:.3f} s "
        f"({rate} a second); head {head}, state {game.state.digest().hex()}"
    )
    return 0


def _head(recorded: RecordedGame, at: int) -> str:
    from ..events.codec import read_entry

    return read_entry(recorded.entries[at]).digest.hex()


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.option("--at", "at", metavar="N", type=click.IntRange(min=0), help="The last shared commit.")
@click.option(
    "--luck",
    type=click.Choice(["same", "fresh"]),
    default="same",
    help="Whether the same cards are drawn after it (a seat of an unfinished game: only fresh).",
)
@with_store
@with_json
def branch(
    address: Address, at: int | None, luck: str, store_url: str | None, as_json: bool
) -> int:
    """Begin a game that shares the commits up to N with another; `resume` plays it."""
    from ..replay.branch import branch_game

    output = Output(as_json=as_json)
    moment = moment_of(address, at)
    if moment is None:
        msg = f"where does it branch off? Write --at N or {address.game}@N"
        raise click.UsageError(msg)
    with opened(store_url) as store:
        checked_moment(read_game(store, address), moment)
        game = branch_game(store, address.game, moment, fresh_luck=luck == "fresh")
    output.record(game=game, parent=address.game, at=moment)
    where = f" --store {store_url}" if store_url else ""
    output.say(
        f"{game} branches off {address.game}@{moment}; play it by: apnap resume {game}{where}"
    )
    return 0


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
        games = (read_game(store, left), read_game(store, right))
    for number, (one, other) in enumerate(zip_longest(*(game.commits() for game in games))):
        if _are_same(one, other):
            continue
        words = _sides(one, other)
        output.record(at=number, left=words[0], right=words[1])
        output.say(f"The games part at {left.game}@{number} and {right.game}@{number}.")
        output.say(f"{left.game}: {words[0]}")
        output.say(f"{right.game}: {words[1]}")
        return 1
    output.record(at=None, left=None, right=None)
    output.say(f"{left.game} and {right.game} are the same game so far.")
    return 0


def _are_same(one: Commit | None, other: Commit | None) -> bool:
    if one is None or other is None:
        return False
    return one.groups == other.groups and one.decision == other.decision


def _sides(one: Commit | None, other: Commit | None) -> tuple[str, str]:
    if one is None or other is None:
        words = tuple("the log ends" if c is None else _first_words(c) for c in (one, other))
        return words[0], words[1]
    found = first_difference(one, other)
    return found.recorded, found.recomputed


def _first_words(commit: Commit) -> str:
    from ..replay.sinks import in_words

    event = next(commit.events(), None)
    return in_words(event) if event is not None else "a decision without events"
