"""Each rule that the program cites has a gist, in a few words of our own."""

import re
from pathlib import Path

import pytest

from apnap.replay.gists import gist_lines, gist_of, gists

CITATION = re.compile(r'"(\d{3}\.\d+[a-z]?)"')
FOLDERS = ("events", "cards", "projections", "rules", "actors", "replay")
WORDS_MAX = 45


def test_every_rule_that_the_code_cites_has_a_gist(root: Path) -> None:
    cited = {
        rule
        for folder in FOLDERS
        for path in (root / folder).glob("*.py")
        for rule in CITATION.findall(path.read_text("utf-8"))
    }
    assert cited, "rules are cited as words in quotes"
    assert sorted(cited - set(gists())) == []


@pytest.mark.parametrize("rule", sorted(gists()))
def test_a_gist_is_short_and_begins_in_the_middle_of_a_sentence(rule: str) -> None:
    gist = gist_of(rule)
    assert 0 < len(gist.split()) <= WORDS_MAX
    assert not gist.endswith(".")
    assert gist == gist.strip()


def test_rules_are_told_once_and_by_number() -> None:
    told = gist_lines(["b (CR 704.5g)", "a (CR 117.3d)", "c (CR 704.5g; CR 117.3d)"])
    assert [line.partition(":")[0] for line in told] == ["CR 117.3d", "CR 704.5g"]


def test_a_rule_without_a_gist_is_passed_over() -> None:
    assert gist_lines(["something (CR 999.9z)"]) == []
