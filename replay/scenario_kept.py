"""Keeping a played scenario: it becomes a game of a store, to be looked at, asked and branched.

Its commits are those of its playing, so a step that was refused (`illegal`) has left none. What
luck it had follows from the seed that every scenario has, which is in its secrets as in any game's.
"""

from __future__ import annotations

from ..cards.pool import CardPool
from ..events.codec import decode_entry
from ..events.edition import edition_named
from ..events.game import GameEnded
from ..events.seals import GameSecrets
from ..events.store import Store
from .evidence import blobs_of_new_game
from .new_game import DEFAULT_AGENT, packed_words, this_host
from .scenario import KeptCommits, ScenarioResult, play_scenario
from .scenario_file import Scenario
from .scenario_setup import arrange
from .scenario_table import SCENARIO_SEED
from .sinks import append_entries


def keep_scenario(
    store: Store, scenario: Scenario, pool: CardPool, edition: str | None = None
) -> tuple[ScenarioResult, str | None]:
    """Play a scenario, keep it as a game, and return how it went and the game's name.

    One that fails is kept up to its failure; one whose position cannot be set up is not kept.
    """
    kept = KeptCommits()
    result = play_scenario(scenario, pool, kept, edition)
    if not kept.commits:
        return result, None
    return result, _stored(store, scenario, pool, kept, edition or scenario.edition)


def _stored(
    store: Store, scenario: Scenario, pool: CardPool, kept: KeptCommits, edition: str
) -> str:
    arranged = arrange(scenario, pool, edition)
    names = [seat.name for seat in scenario.players]
    game = store.new_game_id()
    about = {
        "players": packed_words(names),
        "agents": packed_words([DEFAULT_AGENT] * len(names)),
        "edition": edition_named(edition).name,
        "variant": arranged.event.variant,
        "format": "casual",
    }
    store.create(
        game,
        GameSecrets.from_seed(SCENARIO_SEED, len(names)).to_bytes(),
        about | {"status": "running"},
        arranged.definitions.to_records(),
        blobs_of_new_game(store, names, SCENARIO_SEED),
    )
    append_entries(store, game, [commit.entry for commit in kept.commits], this_host())
    last = decode_entry(kept.commits[-1].entry, game, len(kept.commits) - 1)
    if any(isinstance(event, GameEnded) for event in last.events()):
        store.set_meta(game, {"status": "finished"})
    return game
