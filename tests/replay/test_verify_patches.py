"""A changed rule is found by verifying games that were recorded before the change.

Each patch changes one constant in one procedure, as an edit of its source would, and takes it back.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType

import pytest

from apnap.events.memory_store import MemoryStore
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.verify import verify_game

PATCHES = (
    ("state_based", "_players_who_lose", "mine.life <= 0", "mine.life <= 1"),
    ("state_based", "_creature_that_dies", "toughness <= 0", "toughness <= 1"),
    ("turn", "begin_turn", "number + 1", "number + 2"),
    ("turn", "is_first_draw_skipped", "number == 1", "number == 2"),
    ("turn", "_discard_to_hand_size", "excess <= 0", "excess <= 1"),
    ("turn", "_untap_step", '"502.3"', '"502.2"'),
    ("setup", "_draw_hand", "game.edition.starting_hand", "6"),
    ("endings", "decide_endings", "len(remaining) > 1", "len(remaining) > 0"),
    ("damage", "_gained_by_lifelink", '"lifelink"', '"reach"'),
    ("combat", "_taps", '"vigilance"', '"flying"'),
    ("casting", "cast", '"cast"', '"played"'),
    ("lands", "play_land", '"played"', '"cast"'),
    ("replacement", "_destroyed", '"destroyed"', '"died"'),
    ("triggers", "_if_fits", "controller_of(object_id), 0", "controller_of(object_id), 1"),
    ("priority", "pass_priority", '"117.3d"', '"117.3c"'),
    ("resolving", "_resolve_permanent_spell", 'manner="resolved"', 'manner="returned"'),
    ("resolving", "_resolve_instant_or_sorcery", 'manner="resolved"', 'manner="milled"'),
    ("effects_permanents", "_begin", '"611.2"', '"611.3"'),
    ("mana", "is_held_up", '"haste"', '"reach"'),
    ("settling", "settle", "not game.state.pending", "len(game.state.pending) < 2"),
)
"""Module of the rules, procedure, what its source says, and what it is made to say."""


@pytest.fixture(scope="module")
def recorded() -> tuple[MemoryStore, list[str]]:
    """A few whole games of random agents, recorded by the rules as they are."""
    store = MemoryStore()
    decks = ("red-green-stompers", "white-black-wardens")
    games = []
    for seed in range(1, 9):
        setup = GameSetup(decks=decks, seed=seed, agents=("random", "greedy"))
        with host_new_game(store, setup) as hosted:
            hosted.play()
            games.append(hosted.game)
    return store, games


@pytest.mark.parametrize(("module", "name", "said", "says"), PATCHES, ids=lambda part: part)
def test_changed_constant_is_found_with_its_commit_and_rule(
    recorded: tuple[MemoryStore, list[str]], module: str, name: str, said: str, says: str
) -> None:
    store, games = recorded
    with changed(module, name, said, says):
        found = [verify_game(store, game) for game in games]
    differing = [one for one in found if not one.ok]
    assert differing, f"none of {len(games)} games shows that {name} says {says}"
    for one in differing:
        assert one.kind == "diverged"
        assert one.first_difference is not None
        assert 0 <= one.first_difference.commit <= one.commits
        assert one.first_difference.rule[:1].isdigit()


def test_games_verify_with_the_rules_they_were_recorded_by(
    recorded: tuple[MemoryStore, list[str]],
) -> None:
    store, games = recorded
    assert all(verify_game(store, game).ok for game in games)


@contextmanager
def changed(module: str, name: str, said: str, says: str) -> Iterator[None]:
    """Let a function of the rules say something else, in place, for a while."""
    function = getattr(importlib.import_module(f"apnap.rules.{module}"), name)
    assert isinstance(function, FunctionType)
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(said) >= 1, f"{module}.{name} does not say {said}"
    tree = ast.parse("from __future__ import annotations\n" + source.replace(said, says, 1))
    scope = dict(function.__globals__)
    exec(compile(tree, function.__code__.co_filename, "exec"), scope)  # noqa: S102 -- a test's edit
    before = function.__code__
    function.__code__ = scope[name].__code__
    try:
        yield
    finally:
        function.__code__ = before
