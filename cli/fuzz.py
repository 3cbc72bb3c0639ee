"""Random play with all invariants checked, and how often what occurred."""

from __future__ import annotations

import time
from collections import Counter

import click

from ..actors.live_table import TableHalted
from ..cards.builtin import BUILTIN_DECKS
from ..cards.pool import CardPool
from ..events.catalog import DECISION_TYPES, EVENT_TYPES
from ..events.errors import EngineError
from ..events.memory_store import MemoryStore
from ..replay.invariants import LAWS, CheckedTable, InvariantBroken, RandomPlay, Tally
from ..replay.new_game import GameSetup, PreparedGame, create_game, prepare
from .main import CHECK_FAILED, complain
from .options import many_values, with_cards, with_json
from .output import Output

COMMITS_MAX = 4000
"""A game that is longer ends by concessions, which are checked too."""

CONCEDE_ONE_IN = 400
"""How often a player concedes, in games of even seeds."""


@click.command(cls=many_values("--deck", "--cards"))
@click.option("--deck", "decks", metavar="FILE...", multiple=True, help="The decks to play with.")
@click.option(
    "--games", "count", type=click.IntRange(min=1), default=10, metavar="M", help="How many games."
)
@click.option("--seed", type=int, default=1, metavar="N", help="The seed of the first game.")
@click.option(
    "--players",
    type=click.IntRange(min=2),
    default=2,
    metavar="P",
    help="How many decks play one game; more decks take turns.",
)
@with_cards
@with_json
def fuzz(
    *,
    decks: tuple[str, ...],
    count: int,
    seed: int,
    players: int,
    cards: tuple[str, ...],
    as_json: bool,
) -> int:
    """Play at random and check the laws after each group, commit, prompt and refusal.

    Prints how often each type of event and kind of prompt occurred. When a law breaks, the exit
    code is 1, and the law and the command that repeats it are named.
    """
    output = Output(as_json=as_json)
    chosen = decks or BUILTIN_DECKS
    if len(chosen) < players:
        msg = f"--players: a game of {players} needs {players} decks, there are {len(chosen)}"
        raise click.UsageError(msg)
    pool = CardPool.load(cards)
    tables = _Tables(chosen, players, cards, pool)
    output.say("Checked at each step:")
    for law in LAWS:
        output.say(f"  {law}")
    tally, began = Tally(), time.perf_counter()
    for number in range(seed, seed + count):
        try:
            tally.add(checked_game(tables.of(number), number))
        except (InvariantBroken, TableHalted, EngineError, AssertionError) as error:
            return _broken(output, error, number, tables)
    _report(output, tally, time.perf_counter() - began)
    return 0


def checked_game(prepared: PreparedGame, seed: int) -> Tally:
    """Play one random game to its end, checked; what breaks is raised."""
    table = CheckedTable(create_game(MemoryStore(), prepared, seed))
    one_in = CONCEDE_ONE_IN if seed % 2 == 0 else 0
    try:
        RandomPlay(b"fuzz:%d" % seed, concede_one_in=one_in).play(table, COMMITS_MAX)
    finally:
        table.table.park()
    return table.tally


class _Tables:
    """Which decks play the game of a seed: the pairs (or more) of the decks, one after another."""

    def __init__(
        self, decks: tuple[str, ...], players: int, cards: tuple[str, ...], pool: CardPool
    ) -> None:
        self.cards = cards
        self._pool = pool
        self._choices = [
            tuple(decks[(first + step * place) % len(decks)] for place in range(players))
            for step in range(1, max(2, len(decks)))
            for first in range(len(decks))
            if len({(first + step * place) % len(decks) for place in range(players)}) == players
        ]
        self._prepared: dict[tuple[str, ...], PreparedGame] = {}

    def decks_of(self, seed: int) -> tuple[str, ...]:
        """Return the decks of the game of a seed; where there are just enough, as they came."""
        if len(self._choices[0]) == len({deck for choice in self._choices for deck in choice}):
            return self._choices[0]
        return self._choices[seed % len(self._choices)]

    def of(self, seed: int) -> PreparedGame:
        """Return the set-up of the game of a seed."""
        decks = self.decks_of(seed)
        if decks not in self._prepared:
            setup = GameSetup(decks=decks, cards=self.cards)
            self._prepared[decks] = prepare(setup, self._pool)
        return self._prepared[decks]


def _broken(output: Output, error: Exception, seed: int, tables: _Tables) -> int:
    decks = tables.decks_of(seed)
    words = ["apnap fuzz", *(f"--deck {deck}" for deck in decks)]
    words += [f"--cards {file}" for file in tables.cards]
    if len(decks) > 2:
        words.append(f"--players {len(decks)}")
    repeat = " ".join((*words, "--games 1", f"--seed {seed}"))
    law = (
        error.law
        if isinstance(error, InvariantBroken)
        else f"no exception ({type(error).__name__})"
    )
    output.record(broken=law, seed=seed, error=str(error), repeat=repeat)
    complain(f"{error}", CHECK_FAILED)
    return complain(f"Repeat it by: {repeat}", CHECK_FAILED)


def _report(output: Output, tally: Tally, seconds: float) -> None:
    events = Counter({kind.__name__: 0 for kind in EVENT_TYPES})
    events.update(tally.events)
    decisions = Counter({kind.__name__: 0 for kind in DECISION_TYPES})
    decisions.update(tally.decisions)
    for what, counts in (
        ("event", events),
        ("prompt", tally.prompts),
        ("decision", decisions),
    ):
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        for name, occurred in ordered:
            output.record(kind=what, name=name, occurred=occurred)
        output.table((what, "occurred"), [(n, str(c)) for n, c in ordered], right=("occurred",))
        output.say("")
    output.record(games=tally.games, commits=tally.commits, seconds=round(seconds, 3))
    output.say(
        f"{tally.games} games, {tally.commits} commits, {events.total()} events in "
        f"{seconds:.0f} s: every law held."
    )
