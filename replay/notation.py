"""The notation: one text form of every decision, for the log, for scenarios and for people.

`format_decision` writes the exact form, `parse_decision` reads it back, and reads what people
type. `docs/notation.md` says what it takes; a test reads the table of spellings there.
"""

from __future__ import annotations

from .names import NotationError
from .notation_read import parse_decision
from .notation_write import format_decision

__all__ = ["NotationError", "format_decision", "parse_decision"]
