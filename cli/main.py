"""The `apnap` command: a group whose commands are imported when they are called.

Every command returns its exit code: 0 all well, 1 a check failed, 2 bad usage, bad input or a store
that cannot be used. What goes wrong is one sentence on standard error, never a traceback; with
`APNAP_TRACEBACK` set a bug shows where it is.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn

import click

from ..events.errors import EngineError

ALL_WELL, CHECK_FAILED, UNUSABLE = 0, 1, 2
"""The exit codes."""

STREAMS = ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w"))
"""The standard streams: their numbers, Python's names of them, and what they are opened for."""

INTERRUPTED = 130
"""What shells expect of a program that Ctrl-C has ended."""

COMMANDS = {
    "play": ("play", "play", "Play a game to its end."),
    "resume": ("play", "resume", "Go on with an unfinished game."),
    "games": ("stores", "games", "List the stored games, oldest first."),
    "remove": ("stores", "remove", "Remove games from the store."),
    "store": ("stores", "store", "Say where the store is and whether it is durable."),
    "show": ("show", "show", "Show the board after a commit."),
    "log": ("show", "log", "Print the transcript of a game."),
    "replay": ("replays", "replay", "Fold a game's log."),
    "verify": ("verifying", "verify", "Check logs and run the rules again on them."),
    "branch": ("replays", "branch", "Begin a game that shares a game's first commits."),
    "diff": ("replays", "diff", "Say where two games part."),
    "export": ("files", "export", "Write a game to one file."),
    "import": ("files", "import_", "Keep the game of a file in the store."),
    "scenario": ("scenarios", "scenario", "Run scenario files."),
    "cards": ("cards", "cards", "Say what cards are supported, and how a card is read."),
    "rules": ("rules", "rules", "Say which rules the tests show."),
    "bench": ("bench", "bench", "Measure the speed."),
    "fuzz": ("fuzz", "fuzz", "Play at random and check that all invariants hold."),
    "repair": ("repair", "repair", "Mend a game by a judge's decision."),
    "explain": ("later", "explain", "Not built yet."),
    "why": ("why", "why", "Follow the causes of an event back to decisions."),
    "whynot": ("why", "whynot", "Say why an action is refused, or did not happen."),
    "simulate": ("simulate", "simulate", "Play under faults and check that nothing is lost."),
}
"""Each command's module, its name in that, and its line in the list of commands."""


class OutputClosed(Exception):
    """Nobody reads standard output any more, as when `head` has what it wants."""


class LazyGroup(click.Group):
    """A group that lists its commands without importing any of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order in which they are taught."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        found = getattr(importlib.import_module(f".{module}", __package__), attribute)
        assert isinstance(found, click.Command), f"{cmd_name} is no command"
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from their lines above."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="apnap", message="%(prog)s %(version)s")
def apnap() -> None:
    """Play Magic: The Gathering by the rules; every game is a log that can be replayed."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command and leave with its exit code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code, whatever happens."""
    given = None if arguments is None else list(arguments)
    return guarded(lambda: apnap.main(given, prog_name="apnap", standalone_mode=False))


def guarded(command: Callable[[], object]) -> int:
    """Run what returns an exit code; whatever goes wrong is one sentence and the right code."""
    _prepare_streams()
    _end_in_good_order()
    try:
        code = command()
        sys.stdout.flush()
    except click.exceptions.Abort:
        return INTERRUPTED
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OutputClosed, BrokenPipeError):
        forget_output()
        return ALL_WELL
    except click.exceptions.NoArgsIsHelpError as error:
        print(f"{error.format_message()}\n", file=sys.stderr)
        return complain("no command was given")
    except click.ClickException as error:
        return complain(error.format_message())
    except EngineError as error:
        if os.environ.get("APNAP_TRACEBACK"):
            raise
        return complain(str(error), CHECK_FAILED if _is_halt(error) else UNUSABLE)
    except OSError as error:
        if error.filename is None:  # what is opened has a name, what is printed has none
            forget_output()
        return complain(f"{error.filename or 'standard output'}: {error.strerror or error}")
    except MemoryError:
        return complain("there is not enough memory for this")
    except AssertionError as error:
        if os.environ.get("APNAP_TRACEBACK"):
            raise
        return complain(f"A bug of apnap: {error}", CHECK_FAILED)
    except Exception as error:
        if os.environ.get("APNAP_TRACEBACK"):
            raise
        return complain(f"A bug of apnap: {type(error).__name__}: {error}")
    return code if isinstance(code, int) else ALL_WELL


def complain(sentence: str, code: int = UNUSABLE) -> int:
    """Say on standard error what is wrong, in one line, and return the exit code."""
    text = " ".join(sentence.split())
    ending = "" if text.endswith((".", "!", "?")) or "@" in text.rpartition(" ")[2] else "."
    with suppress(OSError):
        print(f"apnap: {text}{ending}", file=sys.stderr, flush=True)
    return code


def _is_halt(error: EngineError) -> bool:
    """Whether a table halted: the game is at fault, not what was asked for."""
    return type(error).__name__ in {"TableHalted", "ReplayDiverged"}


def _end_in_good_order() -> None:
    """Let SIGTERM and SIGHUP unwind the stack, so that the store is let go of."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            with suppress(ValueError):  # not in the main thread: its owner decides
                signal.signal(getattr(signal, name), leave)


def _prepare_streams() -> None:
    """Open the null device where a standard stream is closed, as by `>&-`.

    Else the next file or socket takes its number, and gets what is printed.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= STREAMS[-1][0]:
        pass
    os.close(number)
    for number, name, mode in STREAMS:
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal need not know every letter


def forget_output() -> None:
    """Let nothing more be written to where nobody reads, or nothing can be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
