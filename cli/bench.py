"""The benchmarks: a line that calibrates, then each against its baseline."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from ..cards.builtin import BUILTIN_DECKS
from .bench_cases import Bench, Measured, all_of
from .options import ManyValues, with_cards, with_json
from .output import Output

NAMES = ("append", "fold", "play", "resume", "tables", "compile", "seek", "back")


class _BenchCommand(ManyValues):
    """`--deck` and `--cards` take several files; a benchmark's name among them is one."""

    many = ("--deck", "--cards")

    def is_value(self, word: str) -> bool:
        """Whether a word is a file rather than a benchmark's name."""
        return word not in NAMES or Path(word).exists()


@click.command(cls=_BenchCommand)
@click.argument("names", metavar="[NAME...]", nargs=-1)
@click.option("--deck", "decks", metavar="FILE...", multiple=True, help="The decks to play with.")
@with_cards
@with_json
def bench(
    names: tuple[str, ...], decks: tuple[str, ...], cards: tuple[str, ...], as_json: bool
) -> int:
    """Measure append, fold, play, resume, tables, compile, seek, back: all, or those named.

    The first line calibrates: bare msgspec event decodings a second. Baselines that are absolute
    hold where that is 4,000,000 and are printed in proportion to it. The ratio is value by
    baseline: above 1 is better where the unit is something a second, below 1 elsewhere.
    """
    output = Output(as_json=as_json)
    for name in names:
        if name not in NAMES:
            msg = f"{name!r} is no benchmark; there are {', '.join(NAMES)}"
            raise click.UsageError(msg)
    if len(decks) == 1:
        msg = "--deck: a game needs two decks, one is given"
        raise click.UsageError(msg)
    made = Bench(decks or BUILTIN_DECKS, cards)
    output.say(
        f"{'name':<10} {'value':>12} {'unit':<13} {'baseline':>12} {'ratio':>8}", style="bold"
    )
    for found in all_of(made, names or NAMES):
        output.record(**msgspec.structs.asdict(found))
        output.say(_line(found))
    return 0


def _line(found: Measured) -> str:
    baseline = "" if found.baseline is None else f"{found.baseline:,.10g}"
    ratio = "" if found.ratio is None else f"{found.ratio:g}"
    return f"{found.name:<10} {found.value:>12,.10g} {found.unit:<13} {baseline:>12} {ratio:>8}"
