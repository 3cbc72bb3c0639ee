"""The simulation catches each bug that is planted in one of its parts, and names the law."""

from __future__ import annotations

import pytest

from apnap.replay.simulation import Makers, simulate
from apnap.replay.simulation_witness import (
    FOLD,
    HEADS,
    NO_FORK,
    NOTHING_LOST,
    ONCE,
    ONE_WRITER,
    REPEATS,
)

from .doubles import (
    WITH_ANOTHER_HEAD,
    WITH_CHANGES_BESIDE,
    WITH_NUMBERS_ANEW,
    WITH_OTHER_DICE,
    WITHOUT_HEARING,
    GivesATokenTwice,
    LetsTwoWrite,
    LosesACommit,
    WritesACommitTwice,
    with_store,
)

SEEDS_MAX = 400
"""A bug that so many seeds do not show is not caught."""

PLANTED = {
    "a lost acknowledged commit": (with_store(LosesACommit), NOTHING_LOST),
    "a commit written twice": (with_store(WritesACommitTwice), ONCE),
    "two writers": (with_store(LetsTwoWrite), ONE_WRITER),
    "two writers of one token": (with_store(GivesATokenTwice), ONE_WRITER),
    "a fork after a failover": (WITHOUT_HEARING, NO_FORK),
    "a seat with another head": (WITH_ANOTHER_HEAD, HEADS),
    "a fold unlike the live state": (WITH_CHANGES_BESIDE, FOLD),
    "an out-of-turn answer applied twice": (WITH_NUMBERS_ANEW, ONCE),
    "a seed that does not reproduce": (WITH_OTHER_DICE, REPEATS),
}


@pytest.mark.parametrize("bug", PLANTED)
def test_a_planted_bug_is_caught_by_its_law_and_again_by_the_same_seed(bug: str) -> None:
    makers, law = PLANTED[bug]
    seed = first_seed_that_breaks(law, makers)
    assert seed is not None, f"{SEEDS_MAX} seeds did not show {bug}"
    if law == REPEATS:
        return
    one, other = simulate(seed, "short", makers), simulate(seed, "short", makers)
    assert one == other
    assert one.law == law
    assert one.trace[-1] == one.error


def test_the_same_seeds_break_no_law_without_a_bug() -> None:
    for seed in range(40):
        outcome = simulate(seed, "short")
        assert not outcome.law, outcome.error


def first_seed_that_breaks(law: str, makers: Makers) -> int | None:
    """Return the first seed that finds the law broken, or None."""
    for seed in range(SEEDS_MAX):
        if simulate(seed, "short", makers).law == law:
            return seed
    return None
