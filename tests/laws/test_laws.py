"""The laws of every game, as properties over games that were reached by playing.

`pytest tests/laws --games 200 -s` tries them on as many, and prints how often each type of event
and kind of prompt occurred.
"""

from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apnap.actors.dispatcher import Dispatcher
from apnap.cards.pool import CardPool
from apnap.events.catalog import EVENT_TYPES
from apnap.events.memory_store import MemoryStore
from apnap.events.taking_back import TakingBackEvent
from apnap.projections.state import State
from apnap.projections.trail import Trail
from apnap.projections.view import fold
from apnap.replay.invariants import CheckedTable, RandomPlay, Tally
from apnap.replay.new_game import GameSetup, create_game, prepare

COMMITS_MAX = 2500
MANY = 200
"""From so many games on each type of event must have occurred."""

BEGIN_SCENARIOS = {"PositionArranged"}
"""Types of events by which no game between decks begins; `tests/scenarios` have them.

`tests/taking_back` has those of going back and of repairs.
"""

PROMPT_KINDS = {
    "attackers",
    "blockers",
    "bottom",
    "choose",
    "damage-division",
    "discard",
    "legend",
    "may",
    "mulligan",
    "option",
    "order-triggers",
    "priority",
    "sacrifice",
    "targets",
    "top",
}
"""Every kind of prompt that a game between decks may ask."""


def checked_game(
    decks: tuple[str, ...], pool: CardPool, seed: int, dispatcher: Dispatcher | None = None
) -> CheckedTable:
    """Play a random game of two to four decks to its end, all laws checked on the way."""
    seats = 2 if seed % 4 else 3 + seed // 4 % 2
    chosen = tuple(decks[(seed * 7 + place * 11) % len(decks)] for place in range(seats))
    prepared = prepare(GameSetup(decks=chosen), pool)
    table = CheckedTable(create_game(MemoryStore(), prepared, seed), dispatcher)
    one_in = 0 if seed % 2 else 150
    try:
        RandomPlay(b"laws:%d" % seed, concede_one_in=one_in).play(table, COMMITS_MAX)
    finally:
        table.table.park()
    return table


def test_laws_hold_in_reached_games(
    games: int, decks: tuple[str, ...], pool: CardPool, tally: Tally
) -> None:
    seeds = iter(range(games))

    @settings(
        max_examples=games,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def play(_data: Any) -> None:
        seed = next(seeds, None)  # hypothesis calls as often as it likes; each seed once
        if seed is not None:
            tally.add(checked_game(decks, pool, seed).tally)

    play()
    for seed in seeds:
        tally.add(checked_game(decks, pool, seed).tally)
    assert tally.games == games
    assert {"priority", "mulligan", "attackers"} <= set(tally.prompts)


def test_each_type_of_event_occurs_in_many_games(games: int, tally: Tally) -> None:
    if games < MANY:
        pytest.skip(f"asked for with --games {MANY} or more")
    elsewhere = BEGIN_SCENARIOS | {kind.__name__ for kind in get_args(TakingBackEvent)}
    kinds = {kind.__name__ for kind in EVENT_TYPES} - elsewhere
    assert kinds - set(tally.events) == set()
    assert PROMPT_KINDS - set(tally.prompts) == set()


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), share=st.integers(0, 100))
def test_fold_of_a_prefix_then_the_rest_is_the_fold_of_all(
    decks: tuple[str, ...], pool: CardPool, seed: int, share: int
) -> None:
    table = checked_game(decks, pool, seed)
    commits = tuple(table.commits())
    place = len(commits) * share // 100
    first = Trail(State())
    fold(first, commits[:place])
    rest = Trail(State.from_bytes(first.state.to_bytes()))
    fold(rest, commits[place:])
    whole = table.new.position.state
    assert rest.state.to_bytes() == whole.to_bytes()
    first.undo_to(0)
    assert first.state.to_bytes() == State().to_bytes()


def test_fold_needs_no_rules(
    decks: tuple[str, ...], pool: CardPool, folder: Path, root: Path
) -> None:
    import subprocess
    import sys

    import msgspec

    table = checked_game(decks, pool, 1)
    log = folder / "log"
    log.write_bytes(msgspec.msgpack.encode(table.entries))
    script = (
        "import sys, msgspec\n"
        "sys.modules['apnap.rules'] = None\n"  # importing it fails
        "from apnap.events.codec import decode_log\n"
        "from apnap.projections.state import State\n"
        "from apnap.projections.trail import Trail\n"
        "from apnap.projections.view import fold\n"
        "entries = msgspec.msgpack.decode(open(sys.argv[1], 'rb').read())\n"
        "trail = Trail(State())\n"
        "fold(trail, decode_log('x', enumerate(entries)))\n"
        "print(trail.state.digest().hex())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(log)],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    assert done.stdout.strip() == table.new.position.state.digest().hex()
