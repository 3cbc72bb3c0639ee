"""Running scenario files: each is played at a table of its own, and says what was not so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ..actors.recorder import CommitSink
from ..cards.pool import CardPool
from ..events.edition import edition_named
from ..events.errors import EngineError
from ..events.ids import NOBODY, PlayerId
from ..events.refused import Refused
from ..events.store import NewCommit
from ..projections.definitions import Definitions
from .names import Misread
from .opened import RecordedGame
from .scenario_expect import Expectations
from .scenario_file import Scenario, Step, load_scenario
from .scenario_setup import Unbuilt, arrange
from .scenario_steps import Steps
from .scenario_table import Answers, ScenarioTable, StepFailed, Waiting, told
from .scenario_words import item_list, names_something
from .transcript import transcript


class ScenarioResult(msgspec.Struct, frozen=True):
    """How a scenario went: `step` counts from 1, the closing `expect` is one more.

    `error` is a sentence where a step could not be done or read; `expected` and `found` say what
    was not so; `explanation` says why, where the rules can tell. `rules` are those it cites.
    """

    scenario: str
    ok: bool
    step: int | None = None
    expected: str | None = None
    found: str | None = None
    error: str | None = None
    explanation: str | None = None
    rules: tuple[str, ...] = ()


class KeptCommits:
    """A sink that keeps commits in memory, and passes them on if there is one to pass them to."""

    def __init__(self, to: CommitSink | None = None) -> None:
        """Begin with none."""
        self.commits: list[NewCommit] = []
        self.to = to

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Keep a commit."""
        assert number == len(self.commits), "commits come in order"
        if self.to is not None:
            self.to.append(number, prev, commit)
        self.commits.append(commit)


def run_scenario(path: Path, pool: CardPool, edition: str | None = None) -> ScenarioResult:
    """Run one scenario file; whatever is wrong with it is in the result, nothing is raised."""
    try:
        scenario = load_scenario(path)
    except EngineError as error:
        return ScenarioResult(path.stem, ok=False, error=str(error))
    return play_scenario(scenario, pool, KeptCommits(), edition)


def run_paths(
    paths: Iterable[Path], pool: CardPool, edition: str | None = None
) -> Iterator[ScenarioResult]:
    """Run scenario files, and those in folders, in the order of their names."""
    for path in scenario_files(paths):
        yield run_scenario(path, pool, edition)


def scenario_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the scenario files that paths mean: a file itself, a folder's *.yaml below it."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.yaml"))
            yield from sorted(path.rglob("*.yml"))
        else:
            yield path


def play_scenario(
    scenario: Scenario, pool: CardPool, sink: CommitSink, edition: str | None = None
) -> ScenarioResult:
    """Play a scenario, its commits going to the sink, and return how it went."""
    player = ScenarioRun(scenario)
    kept = KeptCommits(sink)
    definitions: Definitions | None = None
    try:
        arranged = arrange(scenario, pool, edition)
        definitions = arranged.definitions
        table = ScenarioTable(arranged, edition_named(edition or scenario.edition), kept)
        try:
            player.play(table)
        finally:
            table.close()
    except StepFailed as failed:
        assert definitions is not None, "steps are done in an arranged position"
        return player.failed(
            expected=failed.expected,
            found=failed.found,
            explanation=explained(failed, scenario, kept, definitions),
        )
    except (EngineError, Misread) as error:
        return player.failed(error=str(error))
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError) as error:
        return player.failed(error=f"{type(error).__name__}: {error}")
    return ScenarioResult(scenario.name, ok=True, rules=scenario.rules)


EXPLAINED_MAX = 5
"""So many of the last events that speak of what was not as expected are told."""

_UNTOLD = ("PriorityPassed", "StepBegan", "TurnBegan", "TurnActionsDone")


def explained(
    failed: StepFailed, scenario: Scenario, kept: KeptCommits, definitions: Definitions
) -> str | None:
    """Return why it came out as it did: the last events about it, each with its rule."""
    recorded = RecordedGame(
        scenario.name,
        tuple(commit.entry for commit in kept.commits),
        definitions.to_records(),
        b"",
        NOBODY,
        {},
    )
    lines = [line for line in transcript(recorded) if line.i is not None]
    told_lines = [line for line in lines if line.type not in _UNTOLD and line.n > 0]
    words = _subjects(failed.expected, scenario)
    about = [line for line in told_lines if any(word in (line.text or "") for word in words)]
    happened = "; ".join(
        f"{line.text} ({line.rule})" for line in (about or told_lines)[-EXPLAINED_MAX:]
    )
    found = [part for part in (failed.explanation, happened) if part]
    return " — ".join(found) or None


def _subjects(expected: str, scenario: Scenario) -> tuple[str, ...]:
    """Return the players and cards that an expectation speaks of."""
    names = [seat.name for seat in scenario.players]
    cards = {
        entry.card or entry.token
        for seat in scenario.players
        for entries in seat.zones.values()
        for entry in entries
    }
    mentioned = [name for name in sorted(cards) if name and name in expected]
    return tuple(mentioned or [name for name in names if name in expected])


class ScenarioRun:
    """One playing of a scenario: where in the script it is."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.place = 0

    def failed(
        self,
        expected: str | None = None,
        found: str | None = None,
        error: str | None = None,
        explanation: str | None = None,
    ) -> ScenarioResult:
        """Return the result of a scenario that failed at the step where it is."""
        return ScenarioResult(
            self.scenario.name,
            ok=False,
            step=self.place or None,
            expected=expected,
            found=found,
            error=error,
            explanation=explanation,
            rules=self.scenario.rules,
        )

    def play(self, table: ScenarioTable) -> None:
        """Do all steps, then check the closing expectations."""
        steps = self.play_script(table)
        self.place = len(self.scenario.script) + 1
        if self.scenario.expect:
            self._expect(table, steps, self.scenario.expect)
        self._check_finished(table, steps)

    def play_script(self, table: ScenarioTable) -> Steps:
        """Do all steps, and return what did them: it can go on."""
        steps = Steps(table)
        table.coming = self._coming(table)
        table.settle()
        for place, step in enumerate(self.scenario.script, start=1):
            self.place = place
            self._step(table, steps, step)
        return steps

    def _coming(self, table: ScenarioTable) -> Callable[[PlayerId], list[Answers]]:
        """Return what tells the answers that the next steps of the script give a player."""

        def coming(player: PlayerId) -> list[Answers]:
            found: list[Answers] = []
            for step in self.scenario.script[self.place :]:
                if not isinstance(step, dict):
                    break
                if "expect" in step or "illegal" in step:
                    continue
                if "choose" not in step:
                    break
                if str(step.get("by")) == table.player_name(player):
                    found.append(item_list(step["choose"]))
            return found

        return coming

    def _step(self, table: ScenarioTable, steps: Steps, step: Step) -> None:
        is_check = isinstance(step, dict) and ("expect" in step or "illegal" in step)
        if not is_check and table.game.state.winners is not None:
            raise StepFailed("a game that goes on", "the game is over")
        try:
            if isinstance(step, str):
                self._check_not_waiting(table)
                steps.word(step)
            elif "expect" in step:
                self._expect(table, steps, step["expect"])
            elif "illegal" in step:
                self._illegal(table, steps, step["illegal"])
            else:
                if not {"choose", "concede"} & set(step):
                    self._check_not_waiting(table)
                steps.do(step)
        except Misread as error:
            raise StepFailed("words that mean one thing", str(error)) from error

    def _check_not_waiting(self, table: ScenarioTable) -> None:
        prompt = table.prompt
        if prompt is not None and table.waits_for_choice():
            raise Waiting(prompt.text or prompt.kind, table.player_name(prompt.player))

    def _expect(self, table: ScenarioTable, steps: Steps, expected: dict[str, Any]) -> None:
        def accepted(step: dict[str, Any]) -> str:
            return _why_refused(table, steps, step)

        Expectations(table, accepted).check(expected)

    def _illegal(self, table: ScenarioTable, steps: Steps, step: Step) -> None:
        """Require that a step is refused and leaves the game as it was after any moving on."""
        if not isinstance(step, dict):
            raise Unbuilt(f"illegal: {step} is not built yet")
        if "choose" in step:
            self._illegal_choice(table, steps, step)
            return
        if "step" in step or "turn" in step:
            raise Unbuilt("illegal: step is not built yet")
        if "attack" in step or "block" in step:
            try:
                steps.prepare(step)
            except Waiting:
                raise
            except StepFailed:
                return  # nobody is asked for such a declaration
        before = table.game.state.to_bytes()
        why = _why_refused(table, steps, step, decide=True)
        if not why:
            raise StepFailed(f"{step} to be refused", "it was accepted")
        if table.game.state.to_bytes() != before:
            raise StepFailed("a refusal without a trace", "the game is not as it was")

    def _illegal_choice(self, table: ScenarioTable, steps: Steps, step: dict[str, Any]) -> None:
        prompt = table.prompt
        player = steps.player(step["by"]) if "by" in step else None
        if prompt is None or not table.waits_for_choice():
            raise StepFailed("a choice to be refused", "nobody is asked for a choice")
        if player is not None and prompt.player != player:
            return
        if not table.why_not(item_list(step["choose"])):
            raise StepFailed(f"{step['choose']} to be refused", "it is a legal answer")

    def _check_finished(self, table: ScenarioTable, steps: Steps) -> None:
        """Fail if an answer was left over, or a choice that a step needed was never made."""
        for player, queue in table.queues.items():
            if queue:
                raise StepFailed(
                    "every choice of the script to be asked for",
                    f"{list(queue[0])} of {table.player_name(player)} was left over",
                )
        prompt = table.prompt
        if prompt is not None and table.waits_for_choice() and steps.goal is not None:
            last = self.scenario.expect or _last_expectation(self.scenario.script)
            if not {"asked", "choices", "view"} & set(last):
                raise Waiting(prompt.text or prompt.kind, table.player_name(prompt.player))


def _last_expectation(script: tuple[Step, ...]) -> dict[str, Any]:
    last = script[-1] if script else {}
    found = last.get("expect") if isinstance(last, dict) else None
    return found or {}


def _why_refused(
    table: ScenarioTable, steps: Steps, step: dict[str, Any], *, decide: bool = False
) -> str:
    """Return why a step would be refused now; empty if it would be accepted."""
    try:
        decision = steps.proposal(step)
    except Misread as error:
        if error.error.kind == "unknown" and all(
            names_something(table, name) for name in _names_in(step)
        ):
            return str(error)
        raise
    if decision is None:
        raise Unbuilt(f"a step {sorted(step)} is not built yet")
    if decide:
        outcome = table.table.decide(decision)
        return told(outcome) if outcome is not None else ""
    completed = table.table.complete(decision)
    if isinstance(completed, Refused):
        return told(completed)
    refused = table.table.check(completed)
    return told(refused) if refused is not None else ""


def _names_in(step: dict[str, Any]) -> Iterator[str]:
    """Yield the names that a step mentions, so that a mistyped one is not taken for illegal."""
    for key in ("cast", "activate", "play"):
        if key in step:
            yield str(step[key])
    for item in item_list(step.get("targets")):
        yield str(item)
    for key in ("attack", "block"):
        for name, whom in (step.get(key) or {}).items():
            yield str(name)
            yield from (str(one) for one in item_list(whom))
