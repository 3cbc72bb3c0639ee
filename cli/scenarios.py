"""Running scenario files: rulings that say themselves whether they hold."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import click

from ..cards.pool import CardPool
from ..events.edition import edition_named
from ..events.errors import EngineError
from ..events.store import Store
from ..replay.scenario import ScenarioResult, run_scenario, scenario_files
from ..replay.scenario_file import load_scenario
from ..replay.scenario_kept import keep_scenario
from .main import ALL_WELL, CHECK_FAILED
from .options import opened, with_cards, with_json, with_store
from .output import Output


@click.group()
def scenario() -> None:
    """Run scenario files."""


@scenario.command(short_help="Run scenario files, and all in folders.")
@click.argument(
    "paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option("--explain", is_flag=True, help="Say of each failure what led to the value found.")
@click.option("--edition", metavar="E", help="The rules to run them under, instead of their own.")
@click.option("--keep", is_flag=True, help="Keep each as a game, for show, log, why and whynot.")
@with_cards
@with_store
@with_json
def run(
    paths: tuple[Path, ...],
    *,
    explain: bool,
    edition: str | None,
    keep: bool,
    cards: tuple[str, ...],
    store_url: str | None,
    as_json: bool,
) -> int:
    """Run scenario files, and all in folders; the exit code is 1 if one fails.

    A file holds a position, what the players do, and what must be true then: docs/scenarios.md.
    """
    output = Output(as_json=as_json)
    for path in paths:
        if not path.exists():
            msg = f"there is no file or folder {path}"
            raise click.UsageError(msg)
    if edition is not None:
        edition_named(edition)
    files = list(scenario_files(paths))
    if not files:
        msg = f"there is no scenario file (*.yaml) in {paths[0]}"
        raise click.UsageError(msg)
    pool = CardPool.load(cards)
    counts: Counter[bool] = Counter()
    with opened(store_url) if keep else nullcontext() as store:
        for file in files:
            result, game = _played(store, file, pool, edition)
            counts[result.ok] += 1
            _told(output, result, file, game, explain=explain)
    output.say(f"{counts[True]} passed, {counts[False]} failed")
    return CHECK_FAILED if counts[False] else ALL_WELL


def _played(
    store: Store | None, file: Path, pool: CardPool, edition: str | None
) -> tuple[ScenarioResult, str | None]:
    """Play a file, and with a store keep the game."""
    if store is None:
        return run_scenario(file, pool, edition), None
    try:
        scenario = load_scenario(file)
    except EngineError as error:
        return ScenarioResult(file.stem, ok=False, error=str(error)), None
    return keep_scenario(store, scenario, pool, edition)


def _told(
    output: Output, result: ScenarioResult, file: Path, game: str | None, *, explain: bool
) -> None:
    kept = {} if game is None else {"game": game}
    output.record(
        scenario=result.scenario,
        ok=result.ok,
        step=result.step,
        expected=result.expected,
        found=result.found,
        error=result.error,
        **kept,
    )
    kept_as = f", kept as {game}" if game is not None else ""
    if result.ok:
        output.say(f"ok      {result.scenario}{kept_as}", style="green")
        return
    where = f", step {result.step}" if result.step is not None else ""
    output.say(f"FAILED  {result.scenario}{where} ({file}){kept_as}", style="red")
    if result.error is not None:
        output.say(f"        {result.error}")
    else:
        output.say(f"        expected {result.expected}, found {result.found}")
    if explain and result.explanation:
        output.say(f"        {result.explanation}")
