"""apnap: a Magic: The Gathering rules engine that keeps every game as a log of events.

>>> import apnap
>>> decks = ["red-green-stompers", "white-black-wardens"]
>>> with apnap.new_game(decks, seed=7, store="memory:") as game:
...     while not game.over:
...         refused = game.decide(game.prompt.options(limit=100)[0])
...     print(game.result.reason, game.verify().ok)
library True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .events.errors import EngineError
    from .events.refused import Code, Refused
    from .events.store_url import open_store
    from .replay.session import Game, Moment, OpenPrompt, new_game, resumed_game

__all__ = [
    "Code",
    "EngineError",
    "Game",
    "Moment",
    "OpenPrompt",
    "Refused",
    "new_game",
    "open_store",
    "resumed_game",
]

_HOMES = {
    "Code": "events.refused",
    "EngineError": "events.errors",
    "Game": "replay.session",
    "Moment": "replay.session",
    "OpenPrompt": "replay.session",
    "Refused": "events.refused",
    "new_game": "replay.session",
    "open_store": "events.store_url",
    "resumed_game": "replay.session",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for: the command need not load the rules."""
    home = _HOMES.get(name)
    if home is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f".{home}", __name__), name)
