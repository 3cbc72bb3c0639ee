"""Options and arguments that several commands share."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import click
import msgspec

from ..events.store import Store
from ..replay.places import STORE_VARIABLE, default_store

C = TypeVar("C", bound=Callable[..., Any])

_ADDRESS = re.compile(r"(?P<game>[^@\s]+)(?:@(?P<commit>\d+)(?:\.(?P<event>\d+))?)?")


class Address(msgspec.Struct, frozen=True):
    """A game, or a moment of one: `GAME`, `GAME@N` (a commit), `GAME@N.I` (an event of it)."""

    game: str
    commit: int | None = None
    event: int | None = None


def address(text: str) -> Address:
    """Read an address, or say how one is written."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        msg = f"{text!r} is no game: write GAME, GAME@N or GAME@N.I"
        raise click.BadParameter(msg)
    commit, event = found["commit"], found["event"]
    return Address(
        found["game"],
        None if commit is None else int(commit),
        None if event is None else int(event),
    )


ADDRESS = address
"""The type of an argument that is an address: click takes a function for one."""


def moment_of(address: Address, at: int | None) -> int | None:
    """Return the commit that `GAME@N` or `--at N` names; the option is the later word."""
    return address.commit if at is None else at


def moment(text: str) -> tuple[int, int | None]:
    """Read the commit, or the commit and its event, that `--at N` or `--at N.I` names."""
    commit, dot, event = text.partition(".")
    if not commit.isdecimal() or (dot and not event.isdecimal()):
        msg = f"{text!r} is no moment: write N (after commit N) or N.I (after event I of it)"
        raise click.BadParameter(msg)
    return int(commit), int(event) if dot else None


MOMENT = moment
"""The type of an option that names a moment."""


def with_json(command: C) -> C:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON objects, one a line.")(
        command
    )


def with_store(command: C) -> C:
    """Add `--store`."""
    return click.option(
        "--store",
        "store_url",
        metavar="URL",
        envvar=STORE_VARIABLE,
        help="Where games are kept: redis://, rediss://, unix://, memory: (default: a server of "
        "our own on the user's data folder; APNAP_STORE names another).",
    )(command)


def with_cards(command: C) -> C:
    """Add `--cards`."""
    return click.option(
        "--cards",
        "cards",
        metavar="FILE",
        multiple=True,
        help="A card file (Scryfall's bulk data or MTGJSON's AtomicCards, plain or gzip); may be "
        "given several times, a later card replaces an earlier one.",
    )(command)


class ManyValues(click.Command):
    """A command whose `many` options take several values, after one flag or one each."""

    many: ClassVar[tuple[str, ...]] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write the flag before each of its values."""
        return super().parse_args(ctx, spread(args, self.many, self.is_value))

    def is_value(self, word: str) -> bool:
        """Whether a word that follows a value is one more."""
        return True


def many_values(*names: str) -> type[ManyValues]:
    """Return the class of a command whose options of these names take several values."""
    return type("ManyValuesCommand", (ManyValues,), {"many": names})


def spread(args: list[str], many: tuple[str, ...], is_value: Callable[[str], bool]) -> list[str]:
    """Return arguments with each value of an option behind its flag.

    >>> spread(["--deck", "a", "b", "--json"], ("--deck",), lambda word: True)
    ['--deck', 'a', '--deck', 'b', '--json']
    """
    found: list[str] = []
    flag, values = "", 0
    for word in args:
        if word.startswith("--") or not flag:
            flag, values = (word, 0) if word in many else ("", 0)
            found.append(word)
            continue
        if values and not is_value(word):
            found.append(word)
            continue
        if values:
            found.append(flag)
        found.append(word)
        values += 1
    return found


def opened(store_url: str | None) -> Store:
    """Open the store that a command was given, or the default one."""
    return default_store(store_url)


def shell_options(store_url: str | None) -> str:
    """Return what a command that is printed for people to type must say of the store."""
    given = os.environ.get(STORE_VARIABLE)
    return f" --store {shlex.quote(store_url)}" if store_url and store_url != given else ""
