"""The product's own syntax trees: what makes a replay differ, and what makes code hard to read.

Missing docstrings, prints and unused names are ruff's business; here is what ruff cannot know.
"""

import ast
import gzip
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("events", "cards", "projections", "rules", "actors", "replay", "cli")
# These must do the same in every run. The stores and their launcher are the edge of `events`.
DETERMINISTIC = ("events", "cards", "projections", "rules")
EDGE = re.compile(r"events/(\w*_)?(store|launcher)(_\w*)?\.py")

MODULES = {
    "random": "chance is drawn by events that record their outcome (events/chance)",
    "secrets": "the seed source is an edge: take the secret as a parameter",
    "uuid": "ids come from the allocator's counter",
    "time": "wall-clock times stand beside commits; take them as a parameter",
    "datetime": "wall-clock times stand beside commits; take them as a parameter",
    "threading": "no threads: actors run on the dispatcher",
    "multiprocessing": "no processes: bulk work is replay's business",
    "concurrent": "no threads: bulk work is replay's business",
    "asyncio": "no event loop: a Prompt unwinds to the trampoline",
}
CALLS = {
    "hash": "hashlib.blake2b over canonical bytes: hash() of text differs in every run",
    "id": "the object's ObjectId: an address differs in every run",
    "float": "int: numbers of the rules are whole",
    "set": "sorted(set(…)), or dict.fromkeys to keep the order",
    "input": "a Prompt",
}
ITERATES = frozenset({"list", "tuple", "iter", "enumerate", "map", "filter", "zip", "next", "join"})

Finding = tuple[int, str]
Check = Callable[[ast.Module], Iterator[Finding]]


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and name of each absolute import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module


def forbidden_imports(tree: ast.Module) -> Iterator[Finding]:
    """Find modules whose answers differ from run to run."""
    for line, name in imported(tree):
        if (instead := MODULES.get(name.split(".")[0])) is not None:
            yield line, f"import of {name}: {instead}"


def forbidden_calls(tree: ast.Module) -> Iterator[Finding]:
    """Find calls of builtins whose answers differ from run to run, and the environment."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id != "set":
            if (instead := CALLS.get(node.func.id)) is not None:
                yield node.lineno, f"{node.func.id}(): {instead}"
        elif isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "urandom"}:
            yield node.lineno, f"os.{node.attr}: the cli reads it and passes the value"


def floats(tree: ast.Module) -> Iterator[Finding]:
    """Find float literals."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield node.lineno, f"{node.value}: whole numbers, or a numerator and a denominator"


def true_divisions(tree: ast.Module) -> Iterator[Finding]:
    """Find divisions that make floats (CR 107.1: numbers of the game are whole)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield node.lineno, "/: use // and say which way is rounded (CR 107.1a)"


def catching_everything(tree: ast.Module) -> Iterator[Finding]:
    """Find handlers that also catch what nobody thought of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            for kind in kinds:
                if kind is None or _name(kind) in {"Exception", "BaseException"}:
                    yield node.lineno, "catches everything: name what can be mended here"


def iterated_sets(tree: ast.Module) -> Iterator[Finding]:
    """Find loops over a set, whose order is that of hash()."""
    scopes = [tree, *(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.Lambda))]
    for scope in scopes:
        own = list(_own_nodes(scope))
        sets = {
            target.id
            for node in own
            for target, value in _assignments(node)
            if isinstance(target, ast.Name) and _is_set(value, frozenset())
        }
        for node in own:
            for iterated in _iterated(node):
                if _is_set(iterated, frozenset(sets)):
                    yield iterated.lineno, f"iterates a set: {CALLS['set']}"


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Walk a scope without the functions in it, which are scopes of their own."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node.target, node.value


def _iterated(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.For | ast.comprehension):
        yield node.iter
    elif isinstance(node, ast.Starred | ast.YieldFrom):
        yield node.value
    elif isinstance(node, ast.Call) and _name(node.func) in ITERATES:
        yield from node.args


def _is_set(node: ast.expr, known: frozenset[str]) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.Call):
        return _name(node.func) in {"set", "frozenset"}
    if isinstance(node, ast.BinOp) and isinstance(
        node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor
    ):
        return _is_set(node.left, known) or _is_set(node.right, known)
    return isinstance(node, ast.Name) and node.id in known


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def long_functions(tree: ast.Module) -> Iterator[Finding]:
    """Find functions that no longer fit on a page."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > 60:
                yield node.lineno, f"{node.name} has {length} lines: split it before 60"


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the text literals of a module that are no docstrings."""
    docstrings = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node not in docstrings
        ):
            yield node.lineno, node.value


def _files(folders: tuple[str, ...]) -> list[Path]:
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


def _path(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), _path(file))


def _deterministic_files() -> list[Path]:
    return [file for file in _files(DETERMINISTIC) if not EDGE.fullmatch(_path(file))]


def _found(check: Check, files: list[Path]) -> list[str]:
    return [f"{_path(file)}:{line}: {what}" for file in files for line, what in check(_tree(file))]


@pytest.mark.parametrize(
    "check",
    [forbidden_imports, forbidden_calls, floats, catching_everything, iterated_sets],
    ids=lambda check: check.__name__,
)
def test_rules_and_folds_do_the_same_in_every_run(check: Check) -> None:
    assert _found(check, _deterministic_files()) == []


@pytest.mark.rule("107.1")
def test_rules_compute_with_whole_numbers() -> None:
    assert _found(true_divisions, _files(("projections", "rules"))) == []


@pytest.mark.parametrize(
    ("check", "code"),
    [
        (forbidden_imports, "import random"),
        (forbidden_imports, "from datetime import datetime"),
        (forbidden_imports, "def f():\n    import time"),
        (forbidden_imports, "from concurrent.futures import Executor"),
        (forbidden_calls, "x = hash('text')"),
        (forbidden_calls, "sorted(objects, key=lambda o: id(o))"),
        (forbidden_calls, "import os\nos.environ['HOME']"),
        (floats, "x = 0.5"),
        (true_divisions, "half = life / 2"),
        (true_divisions, "life /= 2"),
        (catching_everything, "try:\n    f()\nexcept:\n    pass"),
        (catching_everything, "try:\n    f()\nexcept Exception:\n    pass"),
        (catching_everything, "try:\n    f()\nexcept (ValueError, BaseException):\n    pass"),
        (iterated_sets, "for x in {1, 2}:\n    f(x)"),
        (iterated_sets, "[x for x in set(y)]"),
        (iterated_sets, "def f(a):\n    seen = {x for x in a}\n    return list(seen)"),
        (iterated_sets, "def f(a, b):\n    return tuple(set(a) - b)"),
        (iterated_sets, "', '.join({'a', 'b'})"),
        (iterated_sets, "f(*frozenset(a))"),
        (long_functions, "def f():\n" + "    x = 1\n" * 61),
    ],
)
def test_check_finds(check: Check, code: str) -> None:
    assert list(check(ast.parse(code)))


@pytest.mark.parametrize(
    ("check", "code"),
    [
        (forbidden_imports, "from .chance import draw\nfrom . import time"),
        (forbidden_calls, "object.id\ndef f(self):\n    return self.hash()"),
        (floats, "x = 1, True, '0.5'"),
        (catching_everything, "try:\n    f()\nexcept ValueError:\n    pass"),
        (iterated_sets, "for x in sorted({1, 2}):\n    f(x)"),
        (iterated_sets, "seen = set()\nif x in seen:\n    seen.add(x)"),
        (iterated_sets, "any(x in {1, 2} for x in y)"),
        (long_functions, "def f():\n" + "    x = 1\n" * 59),
    ],
)
def test_check_passes(check: Check, code: str) -> None:
    assert list(check(ast.parse(code))) == []


def test_modules_have_one_subject() -> None:
    files = [*_files(FOLDERS), *sorted((ROOT / "tests").rglob("*.py"))]
    lengths = {_path(file): file.read_text(encoding="utf-8").count("\n") for file in files}
    assert {path: length for path, length in lengths.items() if length > 500} == {}


def test_functions_fit_on_a_page() -> None:
    files = [*_files(FOLDERS), *sorted((ROOT / "tests").rglob("*.py"))]
    assert _found(long_functions, files) == []


@pytest.mark.parametrize(
    ("module", "place"),
    [("redis", "events/redis_store.py"), ("valkey", "nowhere"), ("pykka", "actors/")],
)
def test_module_is_imported_in_one_place(module: str, place: str) -> None:
    elsewhere = [
        f"{_path(file)}:{line}"
        for file in _files(FOLDERS)
        for line, name in imported(_tree(file))
        if name.split(".")[0] == module and not _path(file).startswith(place)
    ]
    assert elsewhere == []


def test_exemptions_give_their_code() -> None:
    bare = re.compile(r"#\s*type:\s*ignore(?!\[)|#\s*noqa(?!:)", re.IGNORECASE)
    lines = (
        (f"{_path(file)}:{number}", line)
        for file in _files((*FOLDERS, "tests"))
        if file != Path(__file__)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
    )
    assert [where for where, line in lines if bare.search(line)] == []


def test_product_knows_nothing_of_what_lies_beside_the_checkout() -> None:
    papers = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    knowing = [
        _path(file)
        for file in [*_files(FOLDERS), ROOT / "__init__.py", *papers]
        if "../shared" in (text := file.read_text(encoding="utf-8")) or "/work/" in text
    ]
    assert knowing == []


ENGINE = ("rules", "projections", "actors", "cards")


def _engine_texts() -> list[tuple[str, str]]:
    return [
        (f"{_path(file)}:{line}", text)
        for file in _files(ENGINE)
        for line, text in texts(_tree(file))
    ]


def _built_in_names() -> set[str]:
    names: set[str] = set()
    for file in sorted((ROOT / "cards").glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            names |= {json.loads(line)["name"] for line in lines if line.strip()}
    for file in sorted((ROOT / "cards").glob("*.toml")):
        names |= set(_names(tomllib.loads(file.read_text(encoding="utf-8"))))
    return names - {"Plains", "Island", "Swamp", "Mountain", "Forest"}  # land types too: CR 305.6


def _names(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(name := node.get("name"), str):
            yield name
        for value in node.values():
            yield from _names(value)
    elif isinstance(node, list):
        for value in node:
            yield from _names(value)


def test_engine_knows_no_built_in_card() -> None:
    names = _built_in_names()
    if not names:
        pytest.skip("the built-in card file is not there yet")
    # One word may be a word of the rules too ("Trample"): it must stand alone to be a name.
    phrases = re.compile(
        "|".join(rf"\b{re.escape(name)}\b" for name in sorted(names) if " " in name)
    )
    found = [
        where
        for where, text in _engine_texts()
        if text in names or (phrases.pattern and phrases.search(text))
    ]
    assert found == []


def test_engine_knows_no_printed_card(shared: Path) -> None:
    with gzip.open(shared / "cards" / "oracle-cards.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = (re.search(r'"name":\s*"((?:[^"\\]|\\.)+)"', line) for line in lines)
        names = {match[1] for match in found if match is not None and " " in match[1]}
    assert len(names) > 10_000
    assert [where for where, text in _engine_texts() if text in names] == []
