"""People at a terminal: a real one (pty) for a whole game, and lines from a pipe for the rest."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from apnap.events.decisions import BeginGame, PassPriority
from apnap.events.store_url import open_store
from apnap.replay.opened import recorded_game

Run = Callable[..., Any]


class Terminal:
    """A process at a terminal of its own."""

    def __init__(self, process: "subprocess.Popen[bytes]", master: int) -> None:
        self.process = process
        self.master = master
        self.seen = ""

    def read_until(self, text: str, patience_s: float = 60) -> str:
        """Read until a text appears and return what came before it and it."""
        deadline = time.monotonic() + patience_s
        while text not in self.seen:
            assert time.monotonic() < deadline, f"{text!r} did not appear in {self.seen[-2000:]!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    data = os.read(self.master, 65536)
                except OSError:  # how Linux tells that the other end is closed
                    data = b""
                if not data:
                    break
                self.seen += data.decode("utf-8", errors="replace")
        found, text, rest = self.seen.partition(text)
        assert text, f"the program ended and said {found[-2000:]!r}"
        self.seen = rest
        return found + text

    def rest(self) -> str:
        """Read until the program has closed the terminal, and wait for its end."""
        with_rest = self.seen
        while select.select([self.master], [], [], 60)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            if not data:
                break
            with_rest += data.decode("utf-8", errors="replace")
        self.process.wait(timeout=30)
        return with_rest

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self.master, line.encode() + b"\n")


@contextmanager
def at_terminal(folder: Path, *words: str) -> Iterator[Terminal]:
    """Run the command at a terminal."""
    master, slave = pty.openpty()
    known = {key: value for key, value in os.environ.items() if key != "APNAP_STORE"}
    # Tests that a shell runs in the background ignore SIGINT, and what they start would too.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [sys.executable, "-m", "apnap.cli", *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={**known, "XDG_DATA_HOME": str(folder), "TERM": "xterm", "COLUMNS": "200"},
    )
    signal.signal(signal.SIGINT, handler)
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(master)


def first_option(screen: str, wanted: str) -> str | None:
    """Return the number of the first option on the screen that begins with a word."""
    for line in screen.splitlines():
        found = re.match(rf"\s*(\d+)  {wanted}", re.sub(r"\x1b\[[0-9;]*m", "", line))
        if found:
            return found[1]
    return None


def answer_to(screen: str) -> str:
    """Return what a simple player types: a land, a spell, all attackers, else Enter."""
    if "attackers by numbers" in screen:
        return "all" if "[1]" not in screen else ""
    for wanted in ("play ", "cast "):
        number = first_option(screen, wanted)
        if number is not None:
            return number
    return ""


def recorded_decisions(folder: Path) -> list[Any]:
    """Return the decisions of the only game in a data folder."""
    with open_store(None, folder / "apnap") as store:
        [game] = store.games()
        return [commit.decision for commit in recorded_game(store, game.game).commits()]


@pytest.mark.rule("104.2a")
def test_scripted_terminal_plays_a_game_to_its_end_against_greedy(data_folder: Path) -> None:
    typed = 0
    words = ("play", "--agent", "human", "--agent", "greedy", "--seed", "11", "--quiet")
    with at_terminal(data_folder, *words) as terminal:
        while True:
            try:
                screen = terminal.read_until("> ")
            except AssertionError:
                break
            terminal.type(answer_to(screen))
            typed += 1
            assert typed < 3000
        assert "wins" in terminal.seen + terminal.rest()
        assert terminal.process.returncode == 0
    decisions = recorded_decisions(data_folder)
    by_hand = [one for one in decisions if one.seat == 0 and not isinstance(one, BeginGame)]
    kinds = {type(decision).__name__ for decision in by_hand}
    assert {"KeepHand", "PassPriority", "PlayLand", "CastSpell"} <= kinds
    assert typed >= len([one for one in by_hand if isinstance(one, PassPriority)])


def test_closed_terminal_leaves_a_game_that_can_be_resumed(data_folder: Path, command: Run) -> None:
    with at_terminal(data_folder, "play", "--agent", "human", "greedy", "--seed", "1") as terminal:
        terminal.read_until("> ")
        terminal.type("keep")
        terminal.read_until("> ")
        terminal.process.send_signal(signal.SIGHUP)
        terminal.process.wait(timeout=30)
    [game] = command("games", "--json").records
    assert game["status"] == "running"
    ran = command("resume", game["game"], "--agent", "greedy", "--json")
    assert ran.code == 0
    assert ran.records[0]["winner"] in {"alice", "bob"}


def test_interrupt_prints_the_command_that_resumes(data_folder: Path, command: Run) -> None:
    with at_terminal(data_folder, "play", "--agent", "human", "greedy", "--seed", "1") as terminal:
        terminal.read_until("> ")
        terminal.process.send_signal(signal.SIGINT)
        said = terminal.rest()
    [game] = command("games", "--json").records
    assert f"apnap resume {game['game']}" in said
    assert "Traceback" not in said


def test_screen_is_cleared_between_two_people(data_folder: Path) -> None:
    with at_terminal(data_folder, "play", "--agent", "human", "--seed", "1") as terminal:
        first = terminal.read_until("> ")
        terminal.type("keep")
        asked = terminal.read_until("Press a key")
        assert "\x1b[2J" in asked or "\x1b[H" in asked
        assert "your hand" in first
        assert "your hand" not in asked
        os.write(terminal.master, b" ")
        second = terminal.read_until("> ")
        assert "your hand" in second
        terminal.type("q")
        assert "apnap resume" in terminal.rest()


def lines(*words: str) -> str:
    """Return lines as they are typed."""
    return "".join(f"{word}\n" for word in words)


def human(command: Run, *typed: str, seed: str = "5") -> Any:
    """Play as alice against greedy by lines from a pipe."""
    words = ("play", "--agent", "human", "greedy", "--seed", seed)
    return command(*words, stdin=lines(*typed))


def test_q_leaves_a_game_that_resume_goes_on_with(command: Run) -> None:
    ran = human(command, "keep", "q")
    assert ran.code == 0
    [game] = command("games", "--json").records
    assert f"apnap resume {game['game']}" in ran.out
    assert game["status"] == "running"


def test_end_of_input_leaves_the_game(command: Run) -> None:
    ran = human(command, "keep")
    assert "apnap resume" in ran.out
    assert "Traceback" not in ran.err


@pytest.mark.rule("104.3a")
def test_conceding_by_word_ends_the_game(command: Run) -> None:
    ran = human(command, "keep", "concede")
    assert ran.code == 0
    assert "bob wins (concession, CR 104.3a)" in ran.out


def test_board_and_help_are_shown_and_decide_nothing(command: Run) -> None:
    ran = human(command, "?", "help", "q")
    assert "in library" in ran.out
    assert "take back" in ran.out
    [game] = command("games", "--json").records
    assert game["commits"] == 1


def test_take_back_before_the_commit_changes_nothing(command: Run) -> None:
    ran = human(command, "take back", "keep", "q")
    assert "nothing is decided" in ran.out
    [game] = command("games", "--json").records
    assert game["commits"] == 3  # the beginning, and both players' opening hands


def test_what_is_not_possible_is_listed_with_its_rule(command: Run) -> None:
    ran = human(command, "keep", "pass", "q")
    assert re.search(r"- +.*: .*\(CR \d+\.\w+\)", ran.out)


def test_words_that_mean_nothing_are_told_and_asked_again(command: Run) -> None:
    ran = human(command, "frobnicate", "keep", "99", "q")
    assert "not understood" in ran.out
    assert "no option 99" in ran.out


def test_standing_pass_is_taken_by_word(command: Run) -> None:
    ran = human(command, "keep", "pass until end of turn", "q")
    assert ran.code == 0
    assert ran.out.count("You have priority") == 2  # then in the next turn


def test_json_stays_clean_while_a_person_plays(command: Run) -> None:
    words = ("play", "--agent", "human", "greedy", "--seed", "5", "--json")
    ran = command(*words, stdin=lines("keep", "concede"))
    assert [row["reason"] for row in ran.records] == ["concession"]
