"""Which rules the tests cite: an index of rules held against marks and scenario files.

A test cites a rule by `@pytest.mark.rule("704.5g")`, a current number, or by
`@pytest.mark.rule("2014-07:704.5g")` in the numbering of another edition. A scenario cites by its
`rules:`, if a test runs it: if a test module names the file or the folder of scenarios that it
lies in. Tests are read, not run; skipped ones and those expected to fail show nothing and do not
count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import yaml

from ..events.errors import FileUnreadable

CURRENT = "2025-02"
"""The edition whose numbers stand without a prefix."""

_SAME_AS_CURRENT = ("", "current", CURRENT)
_SHOW_NOTHING = ("skip", "skipif", "xfail")
_INDEX_COLUMNS = ("edition", "number", "system", "current")
_MAP_COLUMNS = ("edition", "number", "current_number")


class CoverageInputBroken(FileUnreadable):
    """An index, a map or a test cannot be read."""

    def __init__(self, path: Path, line: int | None, reason: str) -> None:
        """Name the file, the line and what is wrong."""
        super().__init__(str(path), line, reason)


class Rule(msgspec.Struct, frozen=True):
    """A row of an index: a rule of an edition, and whether today's rules still say so."""

    edition: str
    number: str
    system: str
    current: str


class Citation(msgspec.Struct, frozen=True, order=True):
    """A test or a scenario file that shows a rule."""

    edition: str
    number: str
    by: str


class Coverage(msgspec.Struct, frozen=True):
    """A rule of the index and what cites it."""

    edition: str
    number: str
    system: str
    current: str
    cited_by: tuple[str, ...]

    @property
    def is_missed(self) -> bool:
        """Whether today's rules say the same and nothing shows it."""
        return self.current == "same" and not self.cited_by


Numbers = dict[tuple[str, str], tuple[str, ...]]
"""Current numbers by edition and number."""


def coverage_of(
    rules: Iterable[Rule],
    current_numbers: Numbers,
    citations: Iterable[Citation],
    systems: tuple[str, ...] = (),
    excepted: tuple[str, ...] = (),
) -> tuple[Coverage, ...]:
    """Return the rules of the index with what cites each, in the order of the index.

    A rule is cited by its own edition and number, or by any of its current numbers; an example
    (`-exN`) only by its own, for another test of the same rule may show another case.
    """
    cited: dict[tuple[str, str], list[str]] = {}
    for citation in sorted(citations):
        cited.setdefault((citation.edition, citation.number), []).append(citation.by)

    def cited_by(rule: Rule) -> tuple[str, ...]:
        keys = [(rule.edition, rule.number)]
        if "-ex" not in rule.number:
            numbers = current_numbers.get((rule.edition, rule.number), ())
            keys.extend((CURRENT, number) for number in numbers)
        return tuple(dict.fromkeys(by for key in keys for by in cited.get(key, ())))

    return tuple(
        Coverage(rule.edition, rule.number, rule.system, rule.current, cited_by(rule))
        for rule in rules
        if (not systems or rule.system in systems)
        and not {rule.number, f"{rule.edition}:{rule.number}"} & set(excepted)
    )


# Index and map


def read_index(path: Path) -> tuple[Rule, ...]:
    """Return the rules of an index: tab-separated, with a line of column names."""
    return tuple(Rule(**row) for row in _rows(path, _INDEX_COLUMNS))


def read_map(path: Path) -> Numbers:
    """Return the current numbers of a map: tab-separated, several numbers with semicolons."""
    return {
        (row["edition"], row["number"]): tuple(
            number.strip() for number in row["current_number"].split(";") if number.strip()
        )
        for row in _rows(path, _MAP_COLUMNS)
    }


def _rows(path: Path, wanted: tuple[str, ...]) -> Iterator[dict[str, str]]:
    lines = _text_of(path).splitlines()
    columns = lines[0].split("\t") if lines else []
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise CoverageInputBroken(path, 1, f"the column {missing[0]!r} is missing")
    places = [columns.index(name) for name in wanted]
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) != len(columns):
            reason = f"{len(fields)} fields, the first line names {len(columns)} columns"
            raise CoverageInputBroken(path, number, reason)
        yield dict(zip(wanted, (fields[place].strip() for place in places), strict=True))


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CoverageInputBroken(path, None, f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise CoverageInputBroken(path, None, "holds bytes that are no text") from error


# Tests


def citations_in(tests: Path, scenario_roots: tuple[Path, ...] = ()) -> tuple[Citation, ...]:
    """Return what the test modules below a folder cite, and the scenarios that they run.

    Names of scenario files and folders in a test are looked for beside it, in `tests` and its
    parent, and in `scenario_roots`.
    """
    found: list[Citation] = []
    for path in sorted(tests.rglob("test_*.py")):
        name = path.relative_to(tests.parent).as_posix()
        module = _parsed(path)
        found.extend(citations_of_module(module, name))
        roots = (path.parent, tests, tests.parent, *scenario_roots)
        for scenario in _scenarios_run_by(module, roots):
            found.extend(citations_of_scenario(scenario, _shown(scenario, tests.parent)))
    return tuple(sorted(dict.fromkeys(found)))


def citations_of_module(module: ast.Module, name: str) -> tuple[Citation, ...]:
    """Return what the tests of a parsed module cite; `name` is how the module is called."""
    marks = _assigned_marks(module.body)
    if _shows_nothing(marks):
        return ()
    found: list[Citation] = []
    for node, path, outer in _tests_of(module.body, (), marks):
        own = (*outer, *node.decorator_list)
        if not _shows_nothing(own):
            by = "::".join((name, *path))
            found.extend(_citation(text, by) for mark in own for text in _rules_in(mark))
    return tuple(found)


_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Marks = tuple[ast.expr, ...]


def _tests_of(
    body: list[ast.stmt], path: tuple[str, ...], marks: _Marks
) -> Iterator[tuple[_Function, tuple[str, ...], _Marks]]:
    """Yield the test functions of a module or class with their path and the marks around them."""
    for node in body:
        if isinstance(node, _Function) and node.name.startswith("test"):
            yield node, (*path, node.name), marks
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            inner = (*marks, *node.decorator_list, *_assigned_marks(node.body))
            yield from _tests_of(node.body, (*path, node.name), inner)


def _assigned_marks(body: list[ast.stmt]) -> _Marks:
    """Return the marks that a module or class gives all its tests (`pytestmark = …`)."""
    for node in body:
        if isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
            if "pytestmark" in names:
                value = node.value
                return tuple(value.elts) if isinstance(value, ast.List | ast.Tuple) else (value,)
    return ()


def _mark_name(mark: ast.expr) -> str:
    """Return "rule" of `pytest.mark.rule("…")`, "" for what is no mark."""
    function = mark.func if isinstance(mark, ast.Call) else mark
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Attribute):
        return function.attr if function.value.attr == "mark" else ""
    return ""


def _shows_nothing(marks: Iterable[ast.expr]) -> bool:
    return any(_mark_name(mark) in _SHOW_NOTHING for mark in marks)


def _rules_in(mark: ast.expr) -> Iterator[str]:
    """Yield the numbers of a mark, and of the marks of single cases (`pytest.param`)."""
    if _mark_name(mark) == "rule" and isinstance(mark, ast.Call):
        for argument in mark.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value
    elif _mark_name(mark) == "parametrize" and isinstance(mark, ast.Call):
        for node in ast.walk(mark):
            if node is not mark and isinstance(node, ast.Call) and _is_case(node):
                yield from _rules_of_case(node)


def _is_case(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "param"


def _rules_of_case(case: ast.Call) -> Iterator[str]:
    marks = [
        mark
        for keyword in case.keywords
        if keyword.arg == "marks"
        for mark in ast.walk(keyword.value)
        if isinstance(mark, ast.expr)
    ]
    if not _shows_nothing(marks):
        for mark in marks:
            yield from _rules_in(mark)


def _citation(text: str, by: str) -> Citation:
    edition, _, number = text.strip().rpartition(":")
    return Citation(CURRENT if edition in _SAME_AS_CURRENT else edition, number, by)


def _parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(_text_of(path), filename=str(path))
    except SyntaxError as error:
        raise CoverageInputBroken(path, error.lineno, "is no Python that can be read") from error


# Scenarios


def _scenarios_run_by(module: ast.Module, roots: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the scenario files that a test module names, singly or by their folder."""
    if _shows_nothing(_assigned_marks(module.body)):
        return ()
    found: list[Path] = []
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.extend(_scenarios_named(node.value, roots))
    return tuple(dict.fromkeys(found))


def _scenarios_named(text: str, roots: tuple[Path, ...]) -> Iterator[Path]:
    is_file = text.endswith((".yaml", ".yml"))
    if "\n" in text or not (is_file or "scenarios" in text.split("/")):
        return
    for root in roots:
        place = root / text
        if is_file and place.is_file():
            yield place.resolve()
        elif not is_file and place.is_dir():
            yield from (path.resolve() for path in sorted(place.rglob("*.yaml")))


def citations_of_scenario(path: Path, by: str) -> tuple[Citation, ...]:
    """Return what a scenario file cites by its `rules:`, in the numbering of its `edition:`."""
    try:
        content = yaml.safe_load(_text_of(path))
    except yaml.YAMLError as error:
        raise CoverageInputBroken(path, None, "is no YAML that can be read") from error
    if not isinstance(content, dict) or not {"scenario", "players"} & content.keys():
        return ()  # another file that a test reads
    edition = str(content.get("edition") or CURRENT)
    rules = content.get("rules") or ()
    if not isinstance(rules, list):
        raise CoverageInputBroken(path, None, "`rules:` is no list of numbers")
    return tuple(_citation(f"{edition}:{number}", by) for number in rules)


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
