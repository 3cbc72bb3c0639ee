"""Commands of a later version: each says in one sentence that it is not built yet."""

from __future__ import annotations

import click

from .main import complain


def _not_built(name: str, what: str) -> click.Command:
    @click.command(
        name,
        help=f"{what} Not built yet.",
        context_settings={"ignore_unknown_options": True},
    )
    @click.argument("words", nargs=-1)
    def command(words: tuple[str, ...]) -> int:
        return complain(f"`apnap {name}` is not built yet")

    assert isinstance(command, click.Command), "click makes a command of the function"
    return command


explain = _not_built("explain", "Derive an object's characteristics, layer by layer.")
