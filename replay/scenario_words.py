"""The words of a scenario's steps: lists of items, options of mana, names that are known."""

from __future__ import annotations

from collections.abc import Sequence

from ..cards.names import folded_name
from .names import player_named
from .scenario_table import ScenarioTable


def item_list(value: object) -> tuple[str | int, ...]:
    """Return an answer or a list of targets as items, nested lists flattened."""
    if value is None:
        return ()
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    if isinstance(value, list):
        return tuple(item for one in value for item in item_list(one))
    return (value,) if isinstance(value, int) else (str(value),)


def mana_option(options: tuple[str, ...], answer: Sequence[str | int]) -> str:
    """Return the mana of the option that an answer means: its number, or its letters."""
    if len(answer) != 1:
        return ""
    word = str(answer[0])
    if word.isdigit() and 1 <= int(word) <= len(options):
        return options[int(word) - 1]
    letters = word.replace("{", "").replace("}", "").upper()
    names = {"WHITE": "W", "BLUE": "U", "BLACK": "B", "RED": "R", "GREEN": "G"}
    return names.get(letters, letters) if names.get(letters, letters) in options else ""


def names_something(table: ScenarioTable, text: str) -> bool:
    """Say whether a name is that of anything that is or was in the game."""
    wanted = folded_name(text.rpartition(": ")[2].partition("#")[0])
    definitions = table.game.definitions
    names = {folded_name(definitions.get(digest).name) for digest in definitions}
    is_player = player_named(table.game, text) is not None
    return wanted in names or text in table.aliases or is_player
