"""Finished games: what a store keeps of each is one compressed record in the place of its commits.

Reading, replaying, verifying, branching and exporting are as before. The change is made where the
game is given up, under its lease, by one step of the store: a host that dies before it leaves the
commits, which are as good. Who goes on with the game, to take something back, gets commits again.
"""

from __future__ import annotations

from ..events.store import Fence, Packs, Store

FINISHED = "finished"
"""The status of a game that has ended."""


def keep_as_record(store: Store, fence: Fence) -> None:
    """Keep a finished game whose lease is held as one record, where the store has a form for it."""
    if isinstance(store, Packs):
        store.pack(fence)


def keep_all_as_records(store: Store, host: str) -> tuple[str, ...]:
    """Keep as one record each finished game that is not yet and that nobody runs; name them."""
    kept: list[str] = []
    if not isinstance(store, Packs):
        return ()
    for record in store.games():
        is_finished = record.meta.get("status") == FINISHED and record.commits
        if is_finished and not store.is_packed(record.game) and store.holder(record.game) is None:
            keep_finished(store, record.game, host)
            kept.append(record.game)
    return tuple(kept)


def keep_finished(store: Store, game: str, host: str) -> None:
    """Take the lease of a finished game, keep it as one record, and give the lease up."""
    if not isinstance(store, Packs):
        return
    fence = store.acquire(game, host)
    try:
        keep_as_record(store, fence)
    finally:
        store.release(fence)
