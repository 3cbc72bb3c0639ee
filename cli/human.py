"""A person at a terminal: sees what their seat may know, and decides by number, word or notation.

Nothing is committed before an answer is complete and legal; until then `take back` goes a step
back. Between two people at one terminal the screen is cleared and waits for a key.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial

from rich.console import Console
from rich.text import Text

from ..events.base import Decision
from ..events.codec import decode_entry
from ..events.commit import Commit
from ..events.decisions import OUT_OF_TURN
from ..events.ids import NOBODY, PlayerId
from ..events.redaction import redact_entry
from ..events.refused import Refused
from ..projections.past import FoldedPast
from ..projections.position import Position
from ..projections.redaction import redact_state
from ..replay.host import HostedGame
from ..replay.notation import NotationError, parse_decision
from ..replay.remedies import remedy_text
from ..replay.sentences import STEP_NAMES
from ..replay.taking_back import TakeBacks, consent_of_all
from ..replay.transcript import lines_of
from ..rules.protocol import Prompt
from .board import board_of, drawn
from .human_menu import Entry, Picking, entries_of, impossible, picking_of, ways_of, why_not
from .output import Output

QUIET_EVENTS = (
    *("PriorityPassed", "TurnActionsDone", "StepBegan", "TurnEffectsEnded", "ManaAdded"),
    *("ManaSpent", "PermanentTapped", "PermanentUntapped", "StandingPassRevoked"),
    *("FirstStrikersDetermined", "MulliganDeclared", "OpeningHandsDone", "EffectEnded"),
)
"""Events that are not told while a person plays: `apnap log` has them."""

HELP = """\
a number       that option; Enter takes the first (or what is marked), but none of several ways
?              the board            help           these words
take back      a step back, as long as nothing is decided
undo · redo    take back the last decision a person made, if all agree · decide it again
pass until end of turn · pass until the stack grows · pass until my turn
               standing passes; any other answer ends them when you are asked again
concede        lose the game        q              leave; `apnap resume` goes on
or the decision in words: play Forest · cast Shock targeting bob · attack bob with Bears · no blocks
"""


class Left(Exception):
    """The person leaves the game as it is."""


class _Back(Exception):
    """The person takes back what was chosen and not yet decided."""


class _Undo(Exception):
    """The person wants to take back the last decision."""


class _Redo(Exception):
    """The person wants to decide again what was taken back last."""


class _Feed:
    """What one seat has seen so far: its own log, folded and told as it grows."""

    def __init__(self, hosted: HostedGame, seat: PlayerId) -> None:
        self.seat = seat
        self.seen = hosted.table.commits
        state = redact_state(hosted.state, seat)
        self.position = Position(state, hosted.position.definitions, hosted.position.edition)
        self.position.trail.past = FoldedPast(partial(self._own_log, hosted), seat)

    def _own_log(self, hosted: HostedGame, first: int, stop: int) -> Iterator[Commit]:
        for number, entry in hosted.store.read(hosted.game, first, stop):
            yield decode_entry(redact_entry(entry, self.seat), hosted.game, number)

    def news(self, hosted: HostedGame) -> list[str]:
        """Return what has happened since, as sentences, and know it from now on."""
        told: list[str] = []
        for number, entry in hosted.store.read(hosted.game, self.seen):
            commit = decode_entry(redact_entry(entry, self.seat), hosted.game, number)
            told += self._sentences(commit)
            self.seen = number + 1
        self.position.trail.forget()
        return told

    def _sentences(self, commit: Commit) -> list[str]:
        return [
            line.text
            for line in lines_of(self.position, commit)
            if line.i is not None and line.text and line.type not in QUIET_EVENTS
        ]


class Terminal:
    """The terminal at which one or more people play a game."""

    def __init__(self, output: Output, *, quiet: bool) -> None:
        self._console = Console(stderr=True) if output.as_json else output.console
        self._is_quiet = quiet
        self._feeds: dict[PlayerId, _Feed] = {}
        self._last_seat: PlayerId = NOBODY

    def play(self, hosted: HostedGame) -> bool:
        """Play until the game is over, True, or a person leaves it, False."""
        people = [PlayerId(n) for n, agent in enumerate(hosted.agents) if agent is None]
        self._feeds = {seat: _Feed(hosted, seat) for seat in people}
        took_back = TakeBacks(hosted)
        self._say(Text("Type help for what you can type, ? for the board, q to leave.", "dim"))
        hosted.play()
        try:
            while not hosted.is_over:
                self._turn_of(hosted, took_back)
                hosted.play()
        except Left:
            return False
        return True

    def _turn_of(self, hosted: HostedGame, took_back: TakeBacks) -> None:
        """Let the person who is asked decide; a refusal is told and they are asked again."""
        if hosted.state.offer is not None:
            consent_of_all(hosted, lambda seat: self._agrees(hosted, seat))
        prompt = hosted.prompt
        assert prompt is not None, "a game that goes on asks somebody"
        feed = self._feeds[prompt.seat]
        self._hand_over(hosted, prompt.seat)
        for sentence in feed.news(hosted):
            self._say(Text(f"  {sentence}", "cyan"))
        while True:
            try:
                refused = self._taken(hosted, took_back, self._decided(feed, prompt))
            except _Undo:
                refused = took_back.undo(prompt.seat, lambda seat: self._agrees(hosted, seat))
            except _Redo:
                refused = took_back.redo()
            if refused is None:
                return
            self._say(Text(f"Not possible: {refused.detail} (CR {refused.rule}).", "red"))
            if refused.change:
                self._say(Text(f"  {refused.change}", "dim"))
            if hosted.prompt != prompt:
                return

    def _taken(
        self, hosted: HostedGame, took_back: TakeBacks, decision: Decision
    ) -> Refused | None:
        """Take a decision, or say why it is refused: for what its seat cannot know only then."""
        prompt = hosted.prompt
        assert prompt is not None, "somebody was asked"
        feed = self._feeds[prompt.seat]
        refused = why_not(feed.position, prompt, decision) if _answers(decision) else None
        if refused is None:
            refused = hosted.decide(decision)
        if refused is None:
            took_back.forget()
        return refused

    def _agrees(self, hosted: HostedGame, seat: PlayerId) -> bool:
        """Ask a person for their consent to what is offered."""
        offer, names = hosted.state.offer, hosted.names()
        assert offer is not None, "consent is asked for to what is offered"
        what = f"go back to after commit {offer.to}"
        if offer.remedy is not None:
            what = f"let the judge: {remedy_text(hosted.position, offer.remedy)}"
        self._say(Text(f"{names[seat]}, do you agree to {what}? (y/n)", "bold"))
        self._console.print("> ", end="")
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.strip().lower() in {"y", "yes"}

    def _hand_over(self, hosted: HostedGame, seat: PlayerId) -> None:
        """Clear the screen and wait for a key where another person sits down."""
        if self._last_seat == NOBODY and hosted.state.turn.number and not self._is_quiet:
            feed = self._feeds[seat]  # a game that goes on: its player has not seen it for a while
            self._console.print(drawn(board_of(feed.position, seat)))
        if self._last_seat not in {NOBODY, seat}:
            self._console.clear()
            name = hosted.names()[seat]
            self._say(Text(f"{name} decides now. Press a key, {name}, when only you look.", "bold"))
            _wait_for_key()
            self._console.clear()
        self._last_seat = seat

    # One decision

    def _decided(self, feed: _Feed, prompt: Prompt) -> Decision:
        """Return what the person decides; `take back` begins anew."""
        while True:
            try:
                picking = picking_of(feed.position, prompt)
                self._header(feed.position, prompt)
                if picking is not None:
                    return self._picked(feed, prompt, picking)
                return self._chosen(feed, prompt)
            except _Back:
                self._say(Text("Back at the question: nothing is decided.", "dim"))

    def _header(self, game: Position, prompt: Prompt) -> None:
        turn = game.state.turn
        lives = ", ".join(f"{player.name} {player.life}" for player in game.state.players)
        active = game.state.players[turn.active].name
        where = f"turn {turn.number}, {active}'s {STEP_NAMES[turn.step]}"
        if not turn.number:
            where = STEP_NAMES[turn.step]
            hand = [game.name_of(card) for card in game.state.players[prompt.player].hand if card]
            self._say(Text(f"your hand: {', '.join(sorted(hand))}"))
        name = game.state.players[prompt.seat].name
        question = f"{name}: {prompt.text or prompt.kind} (CR {prompt.rule})"
        source = game.name_of(prompt.source) if prompt.source else ""
        self._say(
            Text(f"— {where} — {lives} — {question}{f', {source}' if source else ''}", "bold")
        )
        if game.state.stack:
            names = ", ".join(game.name_of(item) for item in reversed(game.state.stack))
            self._say(Text(f"  the stack, top first: {names}"))

    def _chosen(self, feed: _Feed, prompt: Prompt) -> Decision:
        """Let one of numbered options be chosen, in one of its ways."""
        entries = entries_of(feed.position, prompt)
        for number, entry in enumerate(entries, start=1):
            self._say(Text(f"  {number:>2}  {entry.label}"))
        self._say_impossible(feed.position, prompt, entries)
        while True:
            line = self._read(feed)
            if not line:
                return entries[0].ways[0]
            if line.isdigit():
                if 1 <= int(line) <= len(entries):
                    return self._way(feed, entries[int(line) - 1])
                self._say(Text(f"There is no option {line}.", "red"))
                continue
            decision = self._in_words(feed, prompt, line)
            if decision is not None:
                return decision

    def _way(self, feed: _Feed, entry: Entry) -> Decision:
        """Let one way of an action be chosen where it has several that differ."""
        labels = ways_of(feed.position, entry)
        if len(entry.ways) == 1 or entry.label.startswith("play "):
            return entry.ways[0]
        for number, label in enumerate(labels, start=1):
            self._say(Text(f"  {number:>2}  {label}"))
        while True:
            line = self._read(feed)
            if line.isdigit() and 1 <= int(line) <= len(labels):
                return entry.ways[int(line) - 1]
            self._say(Text("Type the number of a way, or take back.", "red"))

    def _picked(self, feed: _Feed, prompt: Prompt, picking: Picking) -> Decision:
        """Let several items be picked: a number picks one or lets it go, Enter decides."""
        picked = list(picking.picked)
        steps: list[list[int]] = []
        self._say_impossible(feed.position, prompt, ())
        while True:
            for number, item in enumerate(picking.items):
                place = f"[{picked.index(number) + 1}]" if number in picked else "[ ]"
                self._say(Text(f"  {number + 1:>2}  {place} {item}"))
            self._say(Text(f"Pick {picking.what} by numbers; Enter when done.", "dim"))
            line = self._read(feed, may_go_back=not steps)
            if line == "take back":
                picked = steps.pop()
            elif line in {"", "done"}:
                return picking.build(tuple(picked))
            elif line in {"none", "all"}:
                steps.append(list(picked))
                picked = [] if line == "none" else list(range(len(picking.items)))
            elif (numbers := _numbers(line, len(picking.items))) is not None:
                steps.append(list(picked))
                for number in numbers:
                    if number in picked:
                        picked.remove(number)
                    else:
                        picked.append(number)
            else:
                decision = self._in_words(feed, prompt, line)
                if decision is not None:
                    return decision

    def _say_impossible(self, game: Position, prompt: Prompt, entries: tuple[Entry, ...]) -> None:
        if self._is_quiet:
            return
        for reason in impossible(game, prompt, entries):
            self._say(Text(f"   -  {reason}", "dim"))

    def _in_words(self, feed: _Feed, prompt: Prompt, line: str) -> Decision | None:
        """Return the decision that words mean; None, told why, where they mean none."""
        found = parse_decision(feed.position, prompt, line)
        if not isinstance(found, NotationError):
            return found
        self._say(Text(f"{found.message}.", "red"))
        for candidate in found.candidates[:20]:
            self._say(Text(f"   -  {candidate}", "dim"))
        return None

    def _read(self, feed: _Feed, *, may_go_back: bool = True) -> str:
        """Read a line; words that decide nothing are done here."""
        while True:
            self._console.print("> ", end="")
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            words = " ".join(line.split())
            match words.lower():
                case "?" | "board":
                    self._console.print(drawn(board_of(feed.position, feed.seat)))
                case "help" | "h" | "??":
                    self._say(Text(HELP))
                case "q" | "quit" | "exit":
                    raise Left
                case "undo":
                    raise _Undo
                case "redo":
                    raise _Redo
                case "take back" | "back":
                    if may_go_back:
                        raise _Back
                    return "take back"
                case _:
                    return words

    def _say(self, text: Text) -> None:
        self._console.print(text, soft_wrap=not self._console.is_terminal)


def _wait_for_key() -> None:
    """Wait for any key, also one that was typed a moment too early; without a terminal not at all.

    `click.getchar` forgets what was typed before it.
    """
    if not sys.stdin.isatty() or sys.platform == "win32":
        return
    import termios

    terminal = sys.stdin.fileno()
    kept = termios.tcgetattr(terminal)
    by_key = termios.tcgetattr(terminal)
    by_key[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(terminal, termios.TCSANOW, by_key)
    try:
        if not os.read(terminal, 1):
            raise EOFError
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, kept)


def _answers(decision: Decision) -> bool:
    """Whether a decision answers a prompt, rather than coming out of turn."""
    return not isinstance(decision, OUT_OF_TURN)


def _numbers(line: str, count: int) -> list[int] | None:
    """Return the places that numbers from 1 mean; None where the line is something else.

    >>> _numbers("1 3", 3), _numbers("4", 3), _numbers("attack bob", 3)
    ([0, 2], None, None)
    """
    words = line.replace(",", " ").split()
    if not words or not all(word.isdigit() and 1 <= int(word) <= count for word in words):
        return None
    return [int(word) - 1 for word in words]
