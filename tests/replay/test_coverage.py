"""Coverage of rules: what a mark or a scenario cites, and what an index still misses."""

import ast
from pathlib import Path

import pytest

from apnap.replay.coverage import (
    Citation,
    CoverageInputBroken,
    Rule,
    citations_in,
    citations_of_module,
    citations_of_scenario,
    coverage_of,
    read_index,
    read_map,
)

MODULE = """
import pytest

@pytest.mark.rule("704.5g")
def test_one(): ...

@pytest.mark.rule("2014-07:101.2-ex1", "601.2")
async def test_two(): ...

@pytest.mark.skip
@pytest.mark.rule("1.1")
def test_skipped(): ...

@pytest.mark.xfail(reason="not yet")
@pytest.mark.rule("1.2")
def test_expected_to_fail(): ...

@pytest.mark.rule("1.3")
def helper(): ...

@pytest.mark.parametrize("x", [
    pytest.param(1, marks=pytest.mark.rule("500.1")),
    pytest.param(2, marks=[pytest.mark.rule("500.2"), pytest.mark.skip]),
])
def test_cases(x): ...

@pytest.mark.rule("119.3")
class TestLife:
    pytestmark = [pytest.mark.rule("119.4")]

    @pytest.mark.rule("2025-02:119.5")
    def test_inside(self): ...
"""


def cited(source: str) -> list[tuple[str, str, str]]:
    citations = citations_of_module(ast.parse(source), "tests/test_it.py")
    return [(c.edition, c.number, c.by.removeprefix("tests/test_it.py::")) for c in citations]


def test_marks_are_read_off_the_syntax_tree() -> None:
    assert cited(MODULE) == [
        ("2025-02", "704.5g", "test_one"),
        ("2014-07", "101.2-ex1", "test_two"),
        ("2025-02", "601.2", "test_two"),
        ("2025-02", "500.1", "test_cases"),
        ("2025-02", "119.3", "TestLife::test_inside"),
        ("2025-02", "119.4", "TestLife::test_inside"),
        ("2025-02", "119.5", "TestLife::test_inside"),
    ]


def test_module_that_is_skipped_cites_nothing() -> None:
    assert cited("pytestmark = pytest.mark.skipif(True, reason='')\n" + MODULE) == []


RULES = (
    Rule("2014-07", "101.2", "golden-rules", "same"),
    Rule("2014-07", "101.2-ex1", "golden-rules", "same"),
    Rule("2014-07", "108.2", "objects", "same"),
    Rule("2008-10", "502.2", "keywords", "changed"),
    Rule("2025-02", "704.5g", "state", "same"),
)
NUMBERS = {
    ("2014-07", "101.2"): ("101.2",),
    ("2014-07", "101.2-ex1"): ("101.2",),
    ("2014-07", "108.2"): ("108.2a", "108.2b"),
}


def covered(
    *citations: Citation, systems: tuple[str, ...] = (), excepted: tuple[str, ...] = ()
) -> dict[str, tuple[str, ...]]:
    rows = coverage_of(RULES, NUMBERS, citations, systems, excepted)
    return {row.number: row.cited_by for row in rows}


def test_rule_is_cited_by_any_of_its_current_numbers() -> None:
    found = covered(Citation("2025-02", "108.2b", "b"), Citation("2025-02", "108.2a", "a"))
    assert found["108.2"] == ("a", "b")


def test_example_is_cited_by_its_own_number_alone() -> None:
    assert covered(Citation("2025-02", "101.2", "t"))["101.2-ex1"] == ()
    assert covered(Citation("2014-07", "101.2-ex1", "t"))["101.2-ex1"] == ("t",)


def test_rule_is_cited_by_its_own_edition_and_number() -> None:
    assert covered(Citation("2014-07", "108.2", "t"))["108.2"] == ("t",)
    assert covered(Citation("2008-10", "108.2", "t"))["108.2"] == ()
    assert covered(Citation("2025-02", "704.5g", "t"))["704.5g"] == ("t",)


def test_only_rules_that_are_the_same_today_are_missed() -> None:
    rows = coverage_of(RULES, NUMBERS, (Citation("2025-02", "704.5g", "t"),))
    assert [row.number for row in rows if row.is_missed] == ["101.2", "101.2-ex1", "108.2"]


def test_systems_are_chosen_and_numbers_excepted() -> None:
    assert list(covered(systems=("golden-rules", "state"))) == ["101.2", "101.2-ex1", "704.5g"]
    excepted = ("101.2", "2008-10:502.2", "2014-07:704.5g")
    assert list(covered(excepted=excepted)) == ["101.2-ex1", "108.2", "704.5g"]


def test_index_and_map_are_read(tmp_path: Path) -> None:
    index = tmp_path / "index.tsv"
    index.write_text("edition\tnumber\tsystem\tkind\tcurrent\n2014-07\t100.1\tmatch\tdef\tsame\n")
    assert read_index(index) == (Rule("2014-07", "100.1", "match", "same"),)
    numbers = tmp_path / "map.tsv"
    numbers.write_text("edition\tnumber\tcurrent_number\n2014-07\t1\t108.2; 108.3\n2014-07\t2\t\n")
    assert read_map(numbers) == {("2014-07", "1"): ("108.2", "108.3"), ("2014-07", "2"): ()}


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), ("edition\tnumber\n", 1), (MODULE, 1), ("x", 1)]
)
def test_file_that_is_no_index_is_refused(tmp_path: Path, text: str, line: int) -> None:
    index = tmp_path / "index.tsv"
    index.write_text(text)
    with pytest.raises(CoverageInputBroken, match="column") as caught:
        read_index(index)
    assert caught.value.line == line


def test_short_line_of_an_index_is_refused(tmp_path: Path) -> None:
    index = tmp_path / "index.tsv"
    index.write_text("edition\tnumber\tsystem\tcurrent\n2014-07\t1\ts\tsame\n2014-07\t2\n")
    with pytest.raises(CoverageInputBroken, match="line 3"):
        read_index(index)


def test_scenarios_count_where_a_test_runs_them(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    for folder in ("scenarios/combat", "unused/scenarios"):
        (tests / folder).mkdir(parents=True)
    scenario = 'scenario: a\nedition: {}\nrules: ["510.4", "702.4b"]\n'
    (tests / "scenarios" / "combat" / "a.yaml").write_text(scenario.format("current"))
    (tests / "scenarios" / "old.yaml").write_text(scenario.format("2008-10"))
    (tests / "unused" / "scenarios" / "b.yaml").write_text(scenario.format("current"))
    (tests / "test_scenarios.py").write_text('FOLDER = "scenarios"\ndef test_run(): ...\n')
    assert [(c.edition, c.number, c.by) for c in citations_in(tests)] == [
        ("2008-10", "510.4", "tests/scenarios/old.yaml"),
        ("2008-10", "702.4b", "tests/scenarios/old.yaml"),
        ("2025-02", "510.4", "tests/scenarios/combat/a.yaml"),
        ("2025-02", "702.4b", "tests/scenarios/combat/a.yaml"),
    ]


def test_scenario_that_is_no_yaml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("rules: [")
    with pytest.raises(CoverageInputBroken, match="YAML"):
        citations_of_scenario(path, "a")


def test_yaml_that_is_no_scenario_cites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "cases.yaml"
    path.write_text("not-asked: {by: bob}\nrules: {all: yes}\n")
    assert citations_of_scenario(path, "cases") == ()


def test_own_tests_can_be_read(root: Path) -> None:
    citations = citations_in(root / "tests")
    assert Citation("2025-02", "111.4", _POOL_TEST) in citations


_POOL_TEST = "tests/cards/test_pool.py::test_token_is_named_for_its_subtypes_unless_it_is_named"


def test_shared_index_is_read(shared: Path) -> None:
    rules = read_index(shared / "rules" / "seed-rules.tsv")
    numbers = read_map(shared / "rules" / "number-map.tsv")
    rows = coverage_of(rules, numbers, (Citation("2025-02", "106.4b", "t"),))
    assert len(rows) == len(rules) > 600
    assert any(row.cited_by for row in rows)
