"""Commands that write a game to one file and read it back."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ..events.ids import NOBODY, PlayerId
from ..replay.new_game import this_host
from ..replay.opened import seat_of
from ..replay.record_file import RecordHeader, export_game, import_game
from .options import ADDRESS, Address, opened, with_json, with_store
from .output import Output
from .stores import players_in


@click.command()
@click.argument("address", metavar="GAME", type=ADDRESS)
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--seat", metavar="NAME", help="Only what this player knew; default: everything.")
@with_store
@with_json
def export(
    address: Address, file: Path, seat: str | None, store_url: str | None, as_json: bool
) -> int:
    """Write a game to one file: header, card definitions, commits, trailer.

    A judge's file holds all secrets of the game; with --seat it holds what that player knew.
    """
    output = Output(as_json=as_json)
    if address.commit is not None:
        msg = f"{address.game}@{address.commit} is a moment: only a whole game can be exported"
        raise click.UsageError(msg)
    with opened(store_url) as store:
        number = None
        if seat is not None:
            number = seat_number(players_in(store.meta(address.game)), seat)
        header = _written(file, lambda out: export_game(store, address.game, out, number))
    _report(output, header, f"Wrote {header.game} to {file}")
    return 0


def seat_number(players: list[str], seat: str) -> PlayerId:
    """Return the number of the player of that name, or say who plays."""
    if seat in players:
        return PlayerId(players.index(seat))
    known = ", ".join(players) or "nobody"
    msg = f"--seat: no player is named {seat!r} in this game ({known})"
    raise click.UsageError(msg)


def _written(file: Path, write: object) -> RecordHeader:
    """Write a file whole or not at all: a cut-off export must not look like one.

    What is there and no file, as a pipe, is written to: it can't be replaced.
    """
    assert callable(write), "what writes the file is a function"
    is_replaced = file.is_file() or not file.exists()
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with (unfinished if is_replaced else file).open("wb") as out:
            header = write(out)
        if is_replaced:
            unfinished.replace(file)
    except OSError as error:
        msg = f"{file} cannot be written ({error.strerror})"
        raise click.UsageError(msg) from error
    finally:
        unfinished.unlink(missing_ok=True)
    assert isinstance(header, RecordHeader), "an export says what it has written"
    return header


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
@with_store
@with_json
def import_(file: Path, store_url: str | None, as_json: bool) -> int:
    """Check the record in a file and keep its game in the store, under its own name."""
    output = Output(as_json=as_json)
    try:
        source = file.open("rb")
    except OSError as error:
        msg = f"{file} cannot be read ({error.strerror})"
        raise click.UsageError(msg) from error
    with source, opened(store_url) as store:
        known = {record.game: seat_of(record.meta) for record in store.games()}
        header = import_game(store, source, str(file), this_host())
    said = f"Imported {header.game} from {file}"
    if header.game in known:
        said = f"The store has {header.game} already and keeps what it has"
        if header.seat is None and known[header.game] != NOBODY:
            said += f" (one seat's record; `apnap remove {header.game}` makes way for this one)"
    _report(output, header, said)
    return 0


def _report(output: Output, header: RecordHeader, said: str) -> None:
    output.record(game=header.game, commits=header.commits, head=header.head.hex())
    output.say(f"{said}: {header.commits} commits, head {header.head.hex()}.")
