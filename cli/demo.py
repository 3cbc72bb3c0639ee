"""What `make demo` runs: a game is played, shown, replayed, verified, cut in half and resumed.

Two servers of our own are started in temporary folders, and are gone when it ends.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from ..cards.builtin import BUILTIN_DECKS
from ..events.codec import read_entry
from ..events.store import NewCommit, Store
from ..events.store_url import open_store
from ..replay.host import HostedGame, host_created
from ..replay.new_game import GameSetup, create_game, prepare, this_host
from ..replay.opened import recorded_game
from ..replay.resume import resume_game
from ..replay.timeline import replay_game
from ..replay.verify import verify_game
from .board import board_of, drawn
from .main import ALL_WELL, CHECK_FAILED, guarded
from .output import Output
from .play import Progress, in_words

SEED = 7


def demo() -> int:
    """Play and show it all; 0 if the head digests are equal in the end."""
    output = Output(as_json=False)
    with (
        tempfile.TemporaryDirectory(prefix="apnap-") as folder,
        open_store(None, Path(folder) / "first") as store,
    ):
        output.say(f"A store of our own: {store.info().server} in {store.address}")
        game, head = _played(output, store)
        _replayed(output, store, game)
        if not verify_game(store, game).ok:
            output.say("The verification failed.")
            return CHECK_FAILED
        output.say("Verified: the rules, run again on the decisions, give the same events.")
        with open_store(None, Path(folder) / "second") as other:
            resumed = _half_resumed(output, store, other, game)
    output.say(f"head of the game played at once:   {head}")
    output.say(f"head of the half that was resumed: {resumed}")
    if head != resumed:
        output.say("They differ.")
        return CHECK_FAILED
    output.say("They are equal.", style="bold green")
    return ALL_WELL


def _played(output: Output, store: Store) -> tuple[str, str]:
    """Play the two built-in decks and return the game's name and head."""
    output.say(f"{' against '.join(BUILTIN_DECKS)}, greedy agents, seed {SEED}")
    prepared = prepare(GameSetup(decks=BUILTIN_DECKS, seed=SEED))
    began = time.perf_counter()
    with host_created(store, create_game(store, prepared, SEED)) as hosted:
        hosted.play(Progress(output, quiet=False))
        output.draw(drawn(board_of(hosted.position), "the last board"))
        output.say(in_words(hosted.result(), time.perf_counter() - began))
        return hosted.game, hosted.result().head


def _replayed(output: Output, store: Store, game: str) -> None:
    recorded = recorded_game(store, game)
    began = time.perf_counter()
    found = replay_game(recorded)
    milliseconds = (time.perf_counter() - began) * 1000
    output.say(
        f"Replayed: {found.commits} commits folded in {milliseconds:.0f} ms "
        f"to the state {found.state}"
    )


def _half_resumed(output: Output, store: Store, other: Store, game: str) -> str:
    """Copy the first half of a game into another store, play it on there, and return its head."""
    recorded = recorded_game(store, game)
    half = recorded.entries[: len(recorded.entries) // 2]
    commits = [NewCommit(entry, read_entry(entry).digest) for entry in half]
    other.create(game, recorded.secrets, recorded.meta | {"status": "running"})
    other.put_definitions(game, recorded.definitions)
    fence = other.acquire(game, this_host())
    other.append_many(game, 0, b"", commits, fence)
    other.release(fence)
    output.say(f"Copied commits 0 to {len(half) - 1} into a second store and resumed it there:")
    with resume_game(other, game) as hosted:
        _go_on(output, hosted)
        return hosted.result().head


def _go_on(output: Output, hosted: HostedGame) -> None:
    began = time.perf_counter()
    hosted.play()
    output.say(in_words(hosted.result(), time.perf_counter() - began))


if __name__ == "__main__":
    sys.exit(guarded(demo))
