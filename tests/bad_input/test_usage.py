"""Words on the command line that mean nothing, or too much."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

Complaint = Callable[..., str]

MEMORY = ("--store", "memory:")
REFUSED: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("nope",), ("nope",)),
    (("--nope",), ("--nope",)),
    (("play", "--nope"), ("--nope",)),
    (("play", "left", "over", *MEMORY), ("left",)),
    (("play", "--agent", "greedy", "greedy", "greedy", *MEMORY), ("3 agents", "2 seats")),
    (("play", "--agent", "oracle", *MEMORY), ("oracle", "--agent", "random")),
    (("play", "--name", "ann", "ann", *MEMORY), ("ann",)),
    (("play", "--name", "ann", "ANN", *MEMORY), ("ann",)),
    (("play", "--name", "bob", "alice", "carol", *MEMORY), ("3 names",)),
    (("play", "--name", "", *MEMORY), ("''",)),
    (("play", "--name", "two words", *MEMORY), ("two words",)),
    (("play", "--name", "a\nb", *MEMORY), ("a\\nb",)),
    (("play", "--name", "../../etc", *MEMORY), ("../../etc",)),
    (("play", "--name", "judge", *MEMORY), ("judge",)),
    (("play", "--name", "[bold]x", *MEMORY), ("[bold]x",)),
    (("play", "--name", "x\x00y", *MEMORY), ("\\x00",)),
    (("play", "--name", "n" * 33, *MEMORY), ("n" * 33,)),
    (("play", "--deck", *("red-green-stompers",) * 17, *MEMORY), ("17", "16")),
    (("play", "--deck", "red-green-stompers", *MEMORY), ("decks", "1")),
    (("play", "--games", "0", *MEMORY), ("--games",)),
    (("play", "--games", "-1", *MEMORY), ("--games",)),
    (("play", "--games", "many", *MEMORY), ("--games", "many")),
    (("play", "--seed", "seven", *MEMORY), ("--seed", "seven")),
    (("play", "--seed", "1.5", *MEMORY), ("--seed", "1.5")),
    (("play", "--seed", "", *MEMORY), ("--seed",)),
    (("play", "--edition", "2014-07", *MEMORY), ("2014-07", "not built")),
    (("play", "--edition", "1993-08", *MEMORY), ("1993-08", "--edition")),
    (("play", "--variant", "tag-team", *MEMORY), ("tag-team", "--variant")),
    (("play", "--variant", "emperor", *MEMORY), ("emperor", "not built")),
    (("play", "--variant", "free-for-all", *MEMORY), ("free-for-all", "3 to 16")),
    (("play", "--format", "kitchen-table", *MEMORY), ("kitchen-table", "--format")),
    (("remove", *MEMORY), ("GAME",)),
    (("show", *MEMORY), ("GAME",)),
    (("branch", "baba", *MEMORY), ("--at",)),
    (("branch", "baba", "--at", "3", "--luck", "good", *MEMORY), ("--luck", "good")),
    (("verify", *MEMORY), ("--all",)),
)


@pytest.mark.parametrize(("words", "said"), REFUSED, ids=[repr(words) for words, _ in REFUSED])
def test_bad_usage_is_refused_with_what_was_wrong(
    words: tuple[str, ...], said: tuple[str, ...], complaint: Complaint
) -> None:
    found = complaint(*words)
    for word in said:
        assert word in found


def test_no_arguments_show_the_help_and_say_that_none_was_given() -> None:
    for words in ((), ("cards",), ("scenario",), ("rules",)):
        done = subprocess.run(
            [sys.executable, "-m", "apnap.cli", *words], check=False, capture_output=True, text=True
        )
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith("Usage: apnap")
        assert done.stderr.splitlines()[-1].startswith("apnap: ")
