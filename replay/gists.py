"""The gists of rules: what a rule says, in a few plain words of our own, for who has no rule book.

`rule_gists.tsv` has one line a rule that events, refusals and prompts carry; its numbers are those
of the current edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_CITED = re.compile(r"CR (\d{3}\.\d+[a-z]?)")


@cache
def gists() -> dict[str, str]:
    """Return the gist of each rule by its number."""
    text = Path(__file__).with_name("rule_gists.tsv").read_text("utf-8")
    return dict(line.split("\t", 1) for line in text.splitlines())


def gist_of(rule: str) -> str:
    """Return what a rule says in a few words; empty where nobody has written them.

    >>> gist_of("704.5a")
    'state-based action: a player with 0 or less life loses the game'
    """
    return gists().get(rule, "")


def gist_lines(texts: Iterable[str]) -> list[str]:
    """Return a line for each rule that texts cite as `CR 704.5a`, in the order of their numbers.

    >>> gist_lines(["alice passes (CR 117.3d)", "bob passes (CR 117.3d)"])
    ['CR 117.3d: a player with priority who does nothing passes']
    """
    cited = {rule: None for text in texts for rule in _CITED.findall(text)}
    return [f"CR {rule}: {gist_of(rule)}" for rule in sorted(cited, key=_place) if gist_of(rule)]


def _place(rule: str) -> tuple[int, int, str]:
    section, _, rest = rule.partition(".")
    number = rest.rstrip("abcdefghijklmnopqrstuvwxyz")
    return int(section), int(number), rest
