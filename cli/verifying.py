"""Verifying games of the store and record files: chain, shuffles, and the rules run again."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import msgspec

from ..events.errors import NewerFormat
from ..replay.verify import Verification, required, verify_file, verify_game
from .main import CHECK_FAILED, complain
from .options import address, opened, with_json, with_store
from .output import Output


@click.command()
@click.argument("names", metavar="GAME|FILE...", nargs=-1)
@click.option("--all", "all_games", is_flag=True, help="Verify every game of the store.")
@click.option("--key", "keys", metavar="HEX", multiple=True, help="Who must have signed the end.")
@with_store
@with_json
def verify(
    names: tuple[str, ...],
    all_games: bool,
    keys: tuple[str, ...],
    store_url: str | None,
    as_json: bool,
) -> int:
    """Check chain, shuffles and signatures, and run the rules again on the recorded decisions.

    With --key, the last commit must be signed by that public key (its first 16 figures or more).

    The first difference is shown, and the exit code is 1 if there is any.
    """
    output = Output(as_json=as_json)
    keys = tuple(_key(key) for key in keys)
    if not names and not all_games:
        msg = "what is to be verified? Name games or record files, or give --all"
        raise click.UsageError(msg)
    files = [name for name in names if _is_file(name)]
    games = [address(name).game for name in names if not _is_file(name)]
    code = 0
    for file in files:
        with Path(file).open("rb") as source:
            code = max(code, _verified(output, keys, partial(verify_file, source, file)))
    if games or all_games:
        with opened(store_url) as store:
            known = [record.game for record in store.games()] if all_games else []
            for game in dict.fromkeys((*games, *known)):
                code = max(code, _verified(output, keys, partial(verify_game, store, game)))
            if all_games and not known:
                output.say(f"The store at {store.address} holds no games.")
    return code


def _is_file(name: str) -> bool:
    """Whether a word names a record file; a path that leads nowhere is said to be one."""
    if Path(name).is_file():
        return True
    if "/" in name or "." in name.partition("@")[0]:
        msg = f"there is no file {name}"
        raise click.UsageError(msg)
    return False


def _key(text: str) -> str:
    """Return the figures of a public key, or say how one is written."""
    if not re.fullmatch("[0-9a-fA-F]{16,64}", text):
        msg = f"--key: {text!r} is no key: write its 64 hexadecimal figures, or the first 16"
        raise click.UsageError(msg)
    return text.lower()


def _verified(output: Output, keys: tuple[str, ...], verify: Callable[[], Verification]) -> int:
    """Verify one game, and return the exit code; a newer format hides no game after it."""
    try:
        return _told(output, required(verify(), keys))
    except NewerFormat as error:
        return complain(str(error))


def _signed(found: Verification) -> str:
    """Say who vouches for a game, and up to which commit."""
    if not found.signed:
        return "; nobody has signed it"
    commits = dict.fromkeys(one.commit for one in found.signed)
    told = [
        ", ".join(f"{one.by} ({one.key[:16]})" for one in found.signed if one.commit == commit)
        + f" up to commit {commit}"
        for commit in commits
    ]
    return f"; signed by {'; '.join(told)}"


def _told(output: Output, found: Verification) -> int:
    """Print what a verification found, and return the exit code."""
    difference = found.first_difference
    output.record(
        game=found.game,
        ok=found.ok,
        commits=found.commits,
        kind=found.kind,
        first_difference=None if difference is None else msgspec.structs.asdict(difference),
        signed=[msgspec.structs.asdict(one) for one in found.signed],
    )
    if found.ok:
        limits = f" ({found.detail})" if found.detail else ""
        output.say(f"{found.game}: {found.commits} commits verified{limits}{_signed(found)}")
        return 0
    output.say(f"{found.game}: {found.kind}. {found.detail}", style="red")
    if difference is not None and found.kind not in {"damaged", "cut"}:
        output.say(f"  recorded:   {difference.recorded}")
        output.say(f"  recomputed: {difference.recomputed}")
    return CHECK_FAILED
