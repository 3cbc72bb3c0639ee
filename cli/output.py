"""What commands print: JSON lines for scripts, Rich for people, on standard output alone."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import msgspec
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from .main import OutputClosed

WIDTH_ELSEWHERE = 110
"""How wide a table may be where there is no terminal."""


class _Console(Console):
    """A console that says in our own words that nobody reads any more."""

    def on_broken_pipe(self) -> None:
        """Let the command end in good order."""
        raise OutputClosed


class Output:
    """Standard output, for a script or for people."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.is_terminal = sys.stdout.isatty()
        self.console = _Console(
            file=sys.stdout,
            force_terminal=self.is_terminal,
            no_color=not self.is_terminal or None,
            width=None if self.is_terminal else WIDTH_ELSEWHERE,
            highlight=False,
            markup=False,
            emoji=False,
        )

    def record(self, **keys: object) -> None:
        """Print one JSON object on a line, for a script; nothing for people."""
        if self.as_json:
            try:
                sys.stdout.write(msgspec.json.encode(keys).decode() + "\n")
                sys.stdout.flush()
            except BrokenPipeError as error:
                raise OutputClosed from error

    def say(self, *parts: RenderableType, style: str | None = None) -> None:
        """Print for people, lines unbroken; nothing for a script."""
        if not self.as_json:
            self.console.print(*parts, style=style, soft_wrap=True)

    def draw(self, part: RenderableType) -> None:
        """Print something that fits itself to the width, as a table does; nothing for a script."""
        if not self.as_json:
            self.console.print(part)

    def table(
        self, columns: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[str] = ()
    ) -> None:
        """Print a table for people; columns named in `right` hold numbers."""
        if self.as_json:
            return
        table = Table(box=None, pad_edge=False, header_style="bold")
        for column in columns:
            table.add_column(
                column, justify="right" if column in right else "left", overflow="fold"
            )
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        self.console.print(table)
