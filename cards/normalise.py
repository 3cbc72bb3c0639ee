"""The first step of the compiler: a card's text as lines in one spelling, reminders set aside.

The card's own name becomes `~` (CR 201.5): "this creature" and the name mean the same, so both
wordings of a card have one model. Quotes and dashes are brought to one form.
"""

import re

import msgspec

from .card_text import CardText
from .vocabulary import ABILITY_WORDS

SELF = "~"
"""What stands for the card's own name."""

_SPELLING = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "–": "-", "\xa0": " "})
_LOYALTY = re.compile(r"^\[([+-]?(?:\d+|X))\]:")
_REMINDER = re.compile(r"\s*\([^()]*\)")
_ABILITY_WORD = re.compile(r"^([A-Z][a-z]+(?: [a-z]+| \d)*(?:'s [a-z]+)?) — ")
_SHORT_NAME = re.compile(r",|\s(?:the|of|from|and)\s")


class NormalText(msgspec.Struct, frozen=True):
    """The lines of a card's text, one ability each, and the text that has no effect on play."""

    lines: tuple[str, ...]
    reminder: tuple[str, ...]


def normalised(card: CardText) -> NormalText:
    """Return the text of a card in lines, its name replaced and its reminders set aside."""
    lines: list[str] = []
    reminder: list[str] = []
    names = _names_of(card)
    for line in card.oracle_text.translate(_SPELLING).split("\n"):
        reminder += [found.strip() for found in _REMINDER.findall(line)]
        rest = _REMINDER.sub("", line).strip()
        rest = _LOYALTY.sub(r"\1:", rest)
        rest = rest.replace(SELF, "≈")  # a sign of ours is no word of theirs
        for name in names:
            rest = name.sub(SELF, rest)
        word = _ABILITY_WORD.match(rest)
        if word and word[1].lower() in ABILITY_WORDS:
            reminder.append(word[1])
            rest = rest[word.end() :]
        if rest:
            lines.append(rest)
    return NormalText(lines=_with_modes_joined(lines), reminder=tuple(reminder))


def _names_of(card: CardText) -> tuple[re.Pattern[str], ...]:
    """Return patterns for the card's name, then for the short name of a legend (CR 201.5c)."""
    name = card.name.translate(_SPELLING)
    names = [name]
    if "Legendary" in card.type_line or "Planeswalker" in card.type_line:
        short = _SHORT_NAME.split(name, maxsplit=1)[0]
        names += [short] if short != name else []
    return tuple(re.compile(rf"(?<![\w'-]){re.escape(each)}(?![\w-])") for each in names if each)


def _with_modes_joined(lines: list[str]) -> tuple[str, ...]:
    """Put the options of a modal ability, each on a line of its own, behind its first line."""
    joined: list[str] = []
    for line in lines:
        if line.startswith("•") and joined:
            joined[-1] += " " + line
        else:
            joined.append(line)
    return tuple(joined)
