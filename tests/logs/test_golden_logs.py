"""Logs of every released format stay readable: they fold and resume, whatever came since.

They need not verify: a corrected rule gives other events, and changes no old game. The record
files beside this module are never written again; a new format adds new ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from apnap.events.memory_store import MemoryStore
from apnap.replay.opened import recorded_game
from apnap.replay.record_file import import_game
from apnap.replay.resume import resume_game
from apnap.replay.timeline import replay_game

HERE = Path(__file__).parent
HEADS = {
    "duel-format-1": (297, "a3e9e4f3f6619cb0809e13c9452879e3"),
    "duel-cut-in-mid-resolution-format-1": (160, "f0b2a448b9dea79df1aaa011a890fdc2"),
    "three-players-format-1": (951, "a0c139190bb0a2a3ed3865fc1b9179ae"),
}
"""How many commits each record has, and the digest of the last one."""


def imported(name: str) -> tuple[MemoryStore, str]:
    """Keep the game of a record file in a new store."""
    store = MemoryStore()
    with (HERE / f"{name}.apnap").open("rb") as file:
        header = import_game(store, file, name, "host")
    return store, header.game


def test_every_record_here_is_tested() -> None:
    assert sorted(HEADS) == sorted(file.stem for file in HERE.glob("*.apnap"))


@pytest.mark.parametrize("name", HEADS)
def test_golden_log_folds_to_its_head(name: str) -> None:
    store, game = imported(name)
    folded = replay_game(recorded_game(store, game))
    assert (folded.commits, folded.head) == HEADS[name]


def test_golden_log_cut_in_mid_resolution_is_resumed_and_ends() -> None:
    store, game = imported("duel-cut-in-mid-resolution-format-1")
    with resume_game(store, game) as hosted:
        assert hosted.prompt is not None
        assert not hosted.prompt.quiescent
        hosted.play()
        assert hosted.is_over
