"""Playing: new games to their end, and unfinished ones from where they stopped."""

from __future__ import annotations

import time
from contextlib import suppress

import click
import msgspec

from ..actors.live_table import TableHalted
from ..cards.builtin import BUILTIN_DECKS
from ..cards.deck_rules import FORMATS
from ..events.edition import NAMED_EDITIONS
from ..replay.host import GameResult, HostedGame, host_created
from ..replay.new_game import GameSetup, create_game, prepare
from .board import board_of, drawn
from .main import CHECK_FAILED, INTERRUPTED, complain
from .options import (
    ADDRESS,
    Address,
    many_values,
    opened,
    shell_options,
    with_cards,
    with_json,
    with_store,
)
from .output import Output

AGENTS_HELP = "random, greedy or human: once for all seats, else one a seat (default greedy)."


@click.command(cls=many_values("--deck", "--agent", "--name", "--cards"))
@click.option(
    "--deck",
    "decks",
    metavar="FILE",
    multiple=True,
    help=f"One a seat: a deck file, or a built-in deck ({', '.join(BUILTIN_DECKS)}).",
)
@click.option("--agent", "agents", metavar="AGENT", multiple=True, help=AGENTS_HELP)
@click.option(
    "--name", "names", metavar="NAME", multiple=True, help="One a seat (else alice, bob, carol …)."
)
@click.option("--seed", type=int, help="Let everything follow from this number.")
@click.option(
    "--format", "rules", default="casual", metavar="|".join(FORMATS), help="The rules for decks."
)
@click.option(
    "--edition",
    default="current",
    metavar="|".join(("current", *NAMED_EDITIONS)),
    help="The rules to play by.",
)
@click.option(
    "--variant",
    default="",
    metavar="duel|free-for-all|…",
    help="The variant of play (default: by the number of decks).",
)
@click.option(
    "--games",
    "count",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="How many games; game k has the seed N+k-1.",
)
@click.option("--judge", is_flag=True, help="Name a judge, whose repairs need no consent.")
@click.option("--quiet", is_flag=True, help="Print the outcome only.")
@with_cards
@with_store
@with_json
def play(
    *,
    decks: tuple[str, ...],
    agents: tuple[str, ...],
    names: tuple[str, ...],
    seed: int | None,
    rules: str,
    edition: str,
    variant: str,
    count: int,
    judge: bool,
    quiet: bool,
    cards: tuple[str, ...],
    store_url: str | None,
    as_json: bool,
) -> int:
    """Play a game to its end and print who won, with the digests of the log and of the state.

    Without --deck the two built-in decks play. What is left unfinished can be resumed.
    """
    output = Output(as_json=as_json)
    setup = GameSetup(
        decks=decks or BUILTIN_DECKS,
        names=names,
        agents=agents,
        edition=edition,
        variant=variant,
        format=rules,
        seed=seed,
        cards=cards,
        judge=judge,
    )
    prepared = prepare(setup)
    code = 0
    with opened(store_url) as store:
        for number in range(count):
            new = create_game(store, prepared, None if seed is None else seed + number)
            try:
                with host_created(store, new) as hosted:
                    one = play_on(hosted, output, store_url, quiet=quiet)
            except TableHalted as error:
                one = complain(f"The game {new.game} is halted: {error}", CHECK_FAILED)
            if one == INTERRUPTED:
                return one
            code = max(code, one)
    return code


@click.command(cls=many_values("--agent"))
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.option(
    "--agent", "agents", metavar="AGENT", multiple=True, help="Other agents than were recorded."
)
@click.option("--quiet", is_flag=True, help="Print the outcome only.")
@with_store
@with_json
def resume(
    address: Address, agents: tuple[str, ...], quiet: bool, store_url: str | None, as_json: bool
) -> int:
    """Go on with an unfinished game, by the agents it was begun with unless others are named."""
    from ..replay.resume import resume_game

    output = Output(as_json=as_json)
    if address.commit is not None:
        msg = (
            f"{address.game}@{address.commit} is a moment: a game is resumed at its end; "
            "`apnap branch` begins another at a moment"
        )
        raise click.UsageError(msg)
    with (
        opened(store_url) as store,
        resume_game(store, address.game, agents or None) as hosted,
    ):
        if hosted.is_over:
            output.say(f"{address.game} is over; `apnap branch` plays on from a moment of it.")
        return play_on(hosted, output, store_url, quiet=quiet)


def play_on(hosted: HostedGame, output: Output, store_url: str | None, *, quiet: bool) -> int:
    """Play a hosted game to its end, or until somebody leaves it; return the exit code."""
    began = time.perf_counter()
    progress = Progress(output, quiet=quiet)
    try:
        if None in hosted.agents:
            from .human import Terminal

            is_left = not Terminal(output, quiet=quiet).play(hosted)
        else:
            hosted.play(progress)
            is_left = False
    except (KeyboardInterrupt, EOFError):
        _say_how_to_resume(hosted, output, store_url)
        return INTERRUPTED
    except SystemExit:
        _say_how_to_resume(hosted, output, store_url)
        raise
    if is_left:
        _say_how_to_resume(hosted, output, store_url)
        return 0
    report(hosted, output, time.perf_counter() - began, quiet=quiet)
    return 0


class Progress:
    """Prints a line a turn while agents play."""

    def __init__(self, output: Output, *, quiet: bool) -> None:
        self._output = output
        self._is_quiet = quiet or output.as_json
        self._turn = 0

    def __call__(self, hosted: HostedGame) -> None:
        """Print a line if another turn has begun."""
        turn = hosted.state.turn
        if self._is_quiet or turn.number == self._turn:
            return
        self._turn = turn.number
        lives = ", ".join(f"{player.name} {player.life}" for player in hosted.state.players)
        active = hosted.state.players[turn.active].name
        self._output.say(f"turn {turn.number:>2} ({active}): {lives}")


def report(hosted: HostedGame, output: Output, seconds: float, *, quiet: bool) -> None:
    """Print how a game ended."""
    result = hosted.result()
    output.record(**msgspec.structs.asdict(result), seconds=round(seconds, 3))
    if not quiet:
        output.draw(drawn(board_of(hosted.position)))
    output.say(in_words(result, seconds))


def in_words(result: GameResult, seconds: float) -> str:
    """Return an outcome as people read it."""
    outcome = f"{result.winner} wins" if result.winner is not None else "nobody wins"
    why = f"{result.reason}, CR {result.rule}" if result.reason else "not over"
    return (
        f"Game {result.game}: {outcome} ({why}) after {result.turns} turns, "
        f"{result.commits} commits, {result.events} events in {seconds:.1f} s; head {result.head}"
    )


def _say_how_to_resume(hosted: HostedGame, output: Output, store_url: str | None) -> None:
    """Print the command that goes on with a game that was left."""
    command = f"apnap resume {hosted.game}{shell_options(store_url)}"
    if store_url is not None and store_url.startswith("memory:"):
        words = "The game is gone with its store, which was in memory."
    elif output.as_json:
        words = f"The game is kept; `{command}` goes on with it"
    else:
        words = f"The game is kept; go on with it by: {command}"
    if output.as_json:
        complain(words)
        return
    with suppress(OSError):  # the terminal may be gone
        output.say("")
        output.say(words)
