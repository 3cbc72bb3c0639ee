"""Commands about the rules: which of them the tests show."""

from __future__ import annotations

from pathlib import Path

import click

from ..replay.coverage import Citation, Coverage, citations_in, coverage_of, read_index, read_map
from .options import many_values, with_json
from .output import Output

TESTS = Path(__file__).resolve().parents[1] / "tests"


@click.group()
def rules() -> None:
    """Say which rules the tests show."""


@rules.command(
    cls=many_values("--index", "--system", "--except"), short_help="Say which rules the tests cite."
)
@click.option(
    "--index",
    "indexes",
    metavar="FILE...",
    multiple=True,
    type=click.Path(path_type=Path),
    help="The rules to look for: tab-separated, columns edition, number, system, …, current.",
)
@click.option(
    "--map",
    "map_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Current numbers of old ones: columns edition, number, current_number.",
)
@click.option("--system", "systems", metavar="NAME...", multiple=True, help="Only these systems.")
@click.option(
    "--except", "excepted", metavar="NUMBER...", multiple=True, help="Leave these rules out."
)
@click.option(
    "--tests",
    "tests",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    default=TESTS,
    help="Where the tests are (default: the checkout's).",
)
@with_json
def coverage(
    indexes: tuple[Path, ...],
    map_file: Path | None,
    systems: tuple[str, ...],
    excepted: tuple[str, ...],
    tests: Path,
    as_json: bool,
) -> int:
    """Say which rows of an index the tests cite; without an index, which rules they cite.

    The exit code is 1 if a row marked `same` is cited by no test.
    """
    output = Output(as_json=as_json)
    if not tests.is_dir():
        msg = f"--tests: {tests} is no folder: only a checkout has tests"
        raise click.UsageError(msg)
    citations = citations_in(tests)
    if not indexes:
        return _cited(output, citations)
    index = [rule for path in indexes for rule in read_index(path)]
    numbers = read_map(map_file) if map_file is not None else {}
    found = coverage_of(index, numbers, citations, systems, excepted)
    for row in found:
        output.record(
            edition=row.edition, number=row.number, system=row.system, cited_by=row.cited_by
        )
    return _summarised(output, found)


def _cited(output: Output, citations: tuple[Citation, ...]) -> int:
    cited: dict[tuple[str, str], list[str]] = {}
    for citation in citations:
        cited.setdefault((citation.edition, citation.number), []).append(citation.by)
    for (edition, number), by in cited.items():
        output.record(edition=edition, number=number, system="", cited_by=by)
    rows = [(e, n, by[0], str(len(by))) for (e, n), by in cited.items()]
    output.table(("edition", "number", "cited first by", "times"), rows, right=("times",))
    output.say(f"{len(cited)} rules cited")
    return 0


def _summarised(output: Output, found: tuple[Coverage, ...]) -> int:
    missed = [row for row in found if row.is_missed]
    output.table(
        ("edition", "number", "system"), [(row.edition, row.number, row.system) for row in missed]
    )
    cited = sum(1 for row in found if row.cited_by)
    same = sum(1 for row in found if row.current == "same")
    output.say(
        f"{cited} of {len(found)} rules cited; of {same} that today's rules still have, "
        f"{len(missed)} are not"
    )
    return 1 if missed else 0
