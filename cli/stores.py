"""Commands about the store: which games it holds, where it is, and removing games."""

from __future__ import annotations

import click

from ..events.store import GameRecord
from ..replay.finished import keep_all_as_records
from ..replay.new_game import this_host
from ..replay.opened import seat_of
from .options import ADDRESS, Address, opened, with_json, with_store
from .output import Output


@click.command()
@with_store
@with_json
def games(store_url: str | None, as_json: bool) -> int:
    """List the stored games, oldest first: running, finished, or halted with the error."""
    output = Output(as_json=as_json)
    with opened(store_url) as store:
        found = [_described(record) for record in store.games()]
        address = store.address
    for row in found:
        output.record(**{key: value for key, value in row.items() if key != "seat"})
    if not found:
        output.say(f"The store at {address} holds no games.")
    else:
        columns = ("game", "status", "players", "edition", "commits", "parent", "error")
        rows = [[_cell(row[column]) for column in columns] for row in found]
        for row, cells in zip(found, rows, strict=True):
            cells[1] += f" (as {row['seat']} saw it)" if row["seat"] else ""
        output.table(columns, rows, right=("commits",))
    return 0


def _described(record: GameRecord) -> dict[str, object]:
    meta = record.meta
    players, seat = players_in(meta), seat_of(meta)
    return {
        "game": record.game,
        "status": meta.get("status", "running"),
        "seat": players[seat] if 0 <= seat < len(players) else None,
        "players": players,
        "edition": meta.get("edition", ""),
        "commits": record.commits,
        "parent": meta.get("parent") or None,
        "error": meta.get("error") or None,
    }


def players_in(meta: dict[str, str]) -> list[str]:
    """Return the players' names as they are kept beside a log, in seat order."""
    return [name.strip() for name in meta.get("players", "").split(",") if name.strip()]


def _cell(value: object) -> str:
    if value is None:
        return ""
    return ", ".join(value) if isinstance(value, list) else str(value)


@click.command()
@click.argument("names", metavar="GAME...", nargs=-1, required=True, type=ADDRESS)
@with_store
@with_json
def remove(names: tuple[Address, ...], store_url: str | None, as_json: bool) -> int:
    """Remove games from the store, with all that is kept for them."""
    output = Output(as_json=as_json)
    for address in names:
        if address.commit is not None:
            msg = f"{address.game}@{address.commit} is a moment: only a whole game can be removed"
            raise click.UsageError(msg)
    with opened(store_url) as store:
        for address in names:
            store.head(address.game)  # unknown games are named before any is removed
        for address in names:
            store.remove(address.game)
            output.record(game=address.game)
            output.say(f"Removed {address.game}.")
    return 0


@click.command()
@click.option("--pack", is_flag=True, help="Compress finished games whose host could not.")
@with_store
@with_json
def store(pack: bool, store_url: str | None, as_json: bool) -> int:
    """Say where the store is, what serves it, and whether what it acknowledges is on disk.

    A host keeps its finished game as one compressed record when it gives the game up; with --pack
    those are that had no time for it, or that an older version left.
    """
    output = Output(as_json=as_json)
    with opened(store_url) as place:
        info = place.info()
        count = len(place.games())
        packed = keep_all_as_records(place, this_host()) if pack else ()
    output.record(
        address=info.address,
        server=info.server,
        durable=info.durable,
        reason=info.reason,
        games=count,
        **({"packed": list(packed)} if pack else {}),
    )
    durable = "durable" if info.durable else "not durable"
    output.say(f"{info.address}: {info.server}, {durable} ({info.reason}), {count} games")
    if pack:
        output.say(
            f"Finished games that are one record each now: {', '.join(packed) or 'none new'}"
        )
    return 0
