"""Deck files of lines: Forge's and XMage's `.dck`, `.dec`, and text as Arena, Moxfield, MTGO write.

One reader takes them all, for their lines differ and never contradict each other. Only one thing
depends on the kind: a blank line. In plain text without headings it ends the main deck (MTGO);
elsewhere it means nothing.
"""

from __future__ import annotations

import re

from .deck_piles import COMMANDER, MAIN, SIDEBOARD, Deck, DeckFileError, Piles, Refusal

_COMPANION = "companion"
_NOWHERE = ""

_SECTIONS = {
    "main": MAIN,
    "deck": MAIN,
    "maindeck": MAIN,
    "main deck": MAIN,
    "mainboard": MAIN,
    "sideboard": SIDEBOARD,
    "side": SIDEBOARD,
    "commander": COMMANDER,
    "commanders": COMMANDER,
    "command zone": COMMANDER,
    "companion": _COMPANION,
    "avatar": "avatar",
    "planes": "planes",
    "schemes": "schemes",
    "conspiracy": "conspiracy",
    "dungeon": "dungeon",
    "attractions": "attractions",
    "contraptions": "contraptions",
    "maybeboard": _NOWHERE,
    "considering": _NOWHERE,
    "about": _NOWHERE,
    "metadata": _NOWHERE,
    "general": _NOWHERE,
}
"""Headings, without brackets or colon, and the pile below each; below some stand no cards."""

_TYPE_HEADINGS = frozenset(
    (
        *("creature", "creatures", "land", "lands", "instant", "instants", "sorcery", "sorceries"),
        *("artifact", "artifacts", "enchantment", "enchantments", "planeswalker", "planeswalkers"),
        *("battle", "battles", "spell", "spells", "other", "other spells", "basic lands"),
    )
)
"""Headings that sort a pile by type; they begin no other pile."""

_BRACKETED = re.compile(r"\[\s*([^\]:]*?)\s*\]$")
_HEADING = re.compile(r"([A-Za-z ]+?)\s*(?::|\(\d+\))?$")
_NAME = re.compile(r"(?://\s*)?(?:name)\s*[:=]\s*(?P<name>.*)$", re.IGNORECASE)
_ARENA_NAME = re.compile(r"Name\s+(?P<name>\S.*)$")
_PROPERTY = re.compile(r"(?:[A-Za-z][\w ]*=|LAYOUT (?:MAIN|SIDEBOARD):|[A-Z]{4,}:(?!\s*\d))")
_COUNTED = re.compile(r"(?P<side>SB:\s*)?(?P<count>\d+)[xX]?(?:\s+(?P<rest>.*))?$")
_PRINTING_BEFORE = re.compile(r"\[[A-Za-z0-9_]{1,8}(?::[^\]\s]*)?\]\s*")
_MARKS = re.compile(r"\s+(?:\*[A-Z]+\*|\^[^^]*\^|\[[^\]]*\]|\(F\)|#(?=[A-Za-z!]).*)$")
_PRINTING_AFTER = re.compile(
    r"\s+\((?:[A-Z0-9]{2,7}|[a-z0-9]{2,7})\)(?:\s+[A-Za-z0-9]*[0-9][A-Za-z0-9★†-]*)?$"
)
_VERSION_AFTER = re.compile(r"\s+\(\d{1,2}\)$")


def read_text_deck(text: str, path: str, name: str, *, blank_line_ends_main: bool) -> Deck:
    """Read a deck of lines, called `name` unless the text names it, or raise DeckFileError."""
    reader = _Reader(path, name)
    lines = text.splitlines()
    by_blank_line = blank_line_ends_main and not any(_is_marked(line.strip()) for line in lines)
    for number, line in enumerate(lines, start=1):
        try:
            if by_blank_line and not line.strip():
                reader.read_blank()
            else:
                reader.read(line.strip())
        except Refusal as refusal:
            raise DeckFileError(path, number, str(refusal)) from None
    return reader.piles.deck(reader.name, path)


def _is_marked(line: str) -> bool:
    """Whether a line says by itself where cards belong, so that blank lines need not."""
    return line.startswith("SB:") or bool(_section_of(line)) or _is_type_heading(line)


class _Reader:
    """One pass over the lines: which pile the next card goes to."""

    def __init__(self, path: str, name: str) -> None:
        self.path = path
        self.name = name
        self.piles = Piles()
        self._pile = MAIN
        self._has_cards = False
        self._blank_lines = 0

    def read_blank(self) -> None:
        """Remember a blank line; it counts when cards stand before and after it."""
        self._blank_lines += 1 if self._has_cards else 0

    def read(self, line: str) -> None:
        """Take one line: nothing, a comment, a name, a heading or cards."""
        if not line or self._is_about_the_deck(line):
            return
        if line.startswith(("//", "#")):
            return
        section = _section_of(line)
        if section is not None:
            self._pile = section
            return
        if _BRACKETED.match(line):
            raise Refusal(f"the section {line} is unknown")
        if _is_type_heading(line) or _PROPERTY.match(line):
            return
        if self._pile == _NOWHERE:
            self._skip_uncounted(line)
            return
        self._read_cards(line)

    def _is_about_the_deck(self, line: str) -> bool:
        found = _NAME.match(line)
        if found is None and self._pile == _NOWHERE:
            found = _ARENA_NAME.match(line)
        if found is None:
            return False
        self.name = found["name"].strip() or self.name
        return True

    def _skip_uncounted(self, line: str) -> None:
        """Pass over what stands below "About" or a maybeboard: it is in no deck."""
        if not line.isprintable():
            raise Refusal(_not_understood(line))

    def _read_cards(self, line: str) -> None:
        found = _COUNTED.match(line)
        if found is None:
            raise Refusal(_not_understood(line))
        name = card_name_of(found["rest"] or "")
        if not name:
            raise Refusal(f"{_shown(line)} names no card")
        self._turn_to_sideboard()
        self.piles.add(SIDEBOARD if found["side"] else self._pile, int(found["count"]), name)
        self._has_cards = True

    def _turn_to_sideboard(self) -> None:
        if not self._blank_lines:
            return
        if self._pile == SIDEBOARD:
            reason = (
                "a third group of cards after a blank line; headings must say which cards are "
                "the main deck and which the sideboard"
            )
            raise Refusal(reason)
        self._pile = SIDEBOARD
        self._blank_lines = 0


def card_name_of(text: str) -> str:
    """Return a card's name without the printing and the marks that programs put around it.

    >>> card_name_of("Shock (M19) 156 *F*"), card_name_of("[M19:156] Shock")
    ('Shock', 'Shock')
    >>> card_name_of("Shock|M19|2"), card_name_of("+2 Mace")
    ('Shock', '+2 Mace')
    """
    name = text.split("|", 1)[0].strip()
    before = _PRINTING_BEFORE.match(name)
    if before is not None:
        name = _VERSION_AFTER.sub("", name[before.end() :])
    unmarked = _MARKS.sub("", name)
    while unmarked != name:
        name, unmarked = unmarked, _MARKS.sub("", unmarked)
    return _PRINTING_AFTER.sub("", name).removesuffix("+").strip()


def _section_of(line: str) -> str | None:
    """Return the pile that a heading begins, "" for text that is no cards, None for no heading."""
    found = _BRACKETED.match(line) or _HEADING.match(line)
    return None if found is None else _SECTIONS.get(found[1].lower())


def _is_type_heading(line: str) -> bool:
    found = _HEADING.match(line)
    return found is not None and found[1].lower() in _TYPE_HEADINGS


def _not_understood(line: str) -> str:
    return f"{_shown(line)} is neither a number of cards with a name nor a heading"


def _shown(line: str) -> str:
    longest = 60
    return repr(line if len(line) <= longest else line[:longest] + "…")
