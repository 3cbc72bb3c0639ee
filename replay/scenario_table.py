"""The table a scenario is played at: it answers what the script leaves open, and moves on.

Choices given in the script wait in a queue for each player until the game asks. A choice with one
legal answer is made by itself; triggers of one controller go on the stack oldest first unless the
script chooses; declarations left out declare nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..actors.live_table import LiveTable
from ..actors.recorder import CommitSink
from ..events.base import Decision
from ..events.catalog import AnyEvent
from ..events.decisions import DeclareAttackers, DeclareBlockers, PassPriority
from ..events.edition import Edition
from ..events.errors import EngineError
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.refused import Refused
from ..events.seals import GameSecrets
from ..events.zones import LibraryArranged, MovedCard, NewNames, ObjectMoved, ObjectsRenamed
from ..projections.position import Position
from ..projections.state import State
from ..rules.prompts import OrderTriggers, SelectObjects, YesNo
from ..rules.protocol import Prompt
from .answers import NONE, Item, answer_of
from .names import Misread, Naming
from .scenario_setup import Arranged

ANSWERS_MAX = 20_000
"""More answers than this in one step of a script is a scenario that does not end."""

DECLARATIONS = ("attackers", "blockers")
STANDING = (*DECLARATIONS, "priority", "mulligan")
"""Kinds of prompts that steps of the script answer, not choices."""

SCENARIO_SEED = 0
"""What luck there is in a scenario follows from this seed."""

Answers = tuple[Item, ...]


class StepFailed(EngineError):
    """A step of a scenario did not go as the script says."""

    def __init__(self, expected: str, found: str, explanation: str = "") -> None:
        """Say what was expected and what was found, and perhaps why."""
        super().__init__(f"expected {expected}, found {found}")
        self.expected = expected
        self.found = found
        self.explanation = explanation


class ScenarioTable:
    """A live table with the queue of answers that a script gave."""

    def __init__(self, arranged: Arranged, edition: Edition, sink: CommitSink) -> None:
        """Set the position up: commit 0."""
        seats = len(arranged.event.players)
        position = Position(State(), arranged.definitions, edition)
        secrets = GameSecrets.from_seed(SCENARIO_SEED, seats)
        self.aliases = dict(arranged.aliases)
        self.left_battlefield: list[ObjectId] = []
        self.queues: dict[PlayerId, list[Answers]] = {PlayerId(seat): [] for seat in range(seats)}
        self.coming: Callable[[PlayerId], Sequence[Answers]] = lambda _: ()
        self.steps_seen: list[tuple[int, int]] = []
        self.table = LiveTable(position, secrets, sink)
        self.table.recorder.after_group = self._follow
        self.table.arrange(arranged.event)

    @property
    def game(self) -> Position:
        """The position now."""
        return self.table.game

    @property
    def prompt(self) -> Prompt | None:
        """The open prompt."""
        return self.table.prompt

    @property
    def naming(self) -> Naming:
        """The names of the position now, as the file has them."""
        return Naming(self.game, self.aliases)

    def close(self) -> None:
        """Stop the table's actors."""
        self.table.park()

    def decide(self, decision: Decision) -> Refused | None:
        """Decide, and let the game go on to the next thing the script must say."""
        refused = self.table.decide(decision)
        if refused is None:
            self.settle()
        return refused

    def settle(self) -> None:
        """Answer choices from the queues, and those with one answer, as far as that goes."""
        for _ in range(ANSWERS_MAX):
            prompt = self.table.prompt
            if prompt is None or prompt.kind in STANDING:
                return
            decision = self._answer(prompt)
            if decision is None:
                return
            refused = self.table.decide(decision)
            if refused is not None:
                raise StepFailed(f"a legal answer to “{_question(prompt)}”", told(refused))
        raise StepFailed("a game that goes on", "choices without end")

    def waits_for_choice(self) -> bool:
        """Say whether a player is asked what the script has not answered yet."""
        prompt = self.table.prompt
        return prompt is not None and prompt.kind not in STANDING

    def give(self, player: PlayerId, answer: Answers) -> None:
        """Take an answer of the script, for now or for later."""
        self.queues[player].append(answer)
        self.settle()

    def why_not(self, answer: Answers) -> str:
        """Return why an answer to the open prompt is refused; empty if it is legal."""
        prompt = self.table.prompt
        assert prompt is not None, "somebody is asked"
        decision, _, why = self._from_queue(prompt, (answer,))
        return "" if decision is not None else why

    def _answer(self, prompt: Prompt) -> Decision | None:
        """Return the answer of the queue, else the only or the usual one; None if there is none."""
        queue = self.queues[prompt.player]
        only = prompt.only_option(self.game)
        if queue:
            decision, taken, why = self._from_queue(prompt, queue)
            if decision is not None:
                del queue[:taken]
                return decision
            if only is None and not _has_usual_answer(prompt):
                raise StepFailed(f"an answer to “{_question(prompt)}”", why)
        if only is not None:
            if not queue and self._is_answered_soon(prompt, only):
                return None
            return only
        if not queue and _has_usual_answer(prompt) and not self._is_answered_soon(prompt, None):
            return prompt.suggest(self.game)
        if queue and _has_usual_answer(prompt):
            return prompt.suggest(self.game)
        return None

    def _is_answered_soon(self, prompt: Prompt, only: Decision | None) -> bool:
        """Say whether the next steps of the script answer this prompt: then it stays open."""
        coming = list(self.coming(prompt.player))
        if not coming:
            return False
        decision, _, _ = self._from_queue(prompt, coming)
        return decision is not None and (only is None or decision == only)

    def _from_queue(
        self, prompt: Prompt, queue: Sequence[Answers]
    ) -> tuple[Decision | None, int, str]:
        """Return a legal decision that the first answer means, and how many answers it took."""
        first = queue[0]
        word = str(first[0]).lower() if len(first) == 1 else ""
        if isinstance(prompt, YesNo) and word not in ("yes", "no", *NONE):
            # "You may" and pick: the object is named at once, and picked as it is asked for.
            return self._checked(prompt, ("yes",), 0, f"{list(first)}")
        if isinstance(prompt, SelectObjects) and word == "yes" and len(prompt.candidates) > 1:
            if len(queue) < 2:
                return None, 0, "“yes” where one of several is to be picked"
            return self._checked(prompt, queue[1], 2, f"{list(queue[1])}")
        return self._checked(prompt, first, 1, f"{list(first)}")

    def _checked(
        self, prompt: Prompt, items: Answers, taken: int, said: str
    ) -> tuple[Decision | None, int, str]:
        try:
            decision = answer_of(self.naming, prompt, items)
        except Misread as error:
            return None, 0, str(error)
        completed = self.table.complete(decision)
        if isinstance(completed, Refused):
            return None, 0, f"{said}: {told(completed)}"
        refused = prompt.is_legal(self.game, completed)
        if refused is not None:
            return None, 0, f"{said}: {told(refused)}"
        return completed, taken, ""

    def declare_nothing(self) -> None:
        """Answer open declarations with nothing, as a step that moves on does."""
        for _ in range(ANSWERS_MAX):
            prompt = self.table.prompt
            if prompt is None or prompt.kind not in DECLARATIONS:
                return
            self.declare_nothing_once()

    def declare_nothing_once(self) -> None:
        """Answer the open declaration with nothing."""
        prompt = self.table.prompt
        assert prompt is not None, "a declaration is open"
        fields = (prompt.seat, prompt.player, prompt.counter)
        nothing = (
            DeclareAttackers(*fields, ())
            if prompt.kind == "attackers"
            else DeclareBlockers(*fields, ())
        )
        refused = self.decide(nothing)
        if refused is not None:
            raise StepFailed(f"a declaration of {prompt.kind}", told(refused))

    def pass_once(self) -> None:
        """Let the player who has priority pass; fail where a choice of the script is missing."""
        self.declare_nothing()
        prompt = self.table.prompt
        if prompt is None:
            raise StepFailed("a game that goes on", "the game is over")
        if prompt.kind != "priority":
            raise Waiting(_question(prompt), self.player_name(prompt.player))
        refused = self.decide(PassPriority(prompt.seat, prompt.player, prompt.counter))
        assert refused is None, f"who has priority may pass: {refused}"

    def player_name(self, player: PlayerId) -> str:
        """Return a player's name."""
        return self.game.state.players[player].name

    def _follow(self, events: tuple[AnyEvent, ...]) -> None:
        """Let aliases follow what they name: to the battlefield and off it, once."""
        for event in events:
            if isinstance(event, ObjectMoved):
                secret = event.secret
                before, after = event.object, event.becomes
                if isinstance(secret, MovedCard):
                    before, after = before or secret.object, after or secret.becomes
                self._follow_move(before, after, event.origin)
            elif isinstance(event, ObjectsRenamed | LibraryArranged) and isinstance(
                event.secret, NewNames
            ):
                renamed = dict(event.secret.names)
                for alias, item in self.aliases.items():
                    self.aliases[alias] = renamed.get(item, item)
        turn = self.game.state.turn
        moment = (turn.number, int(turn.step))
        if not self.steps_seen or self.steps_seen[-1] != moment:
            self.steps_seen.append(moment)

    def _follow_move(self, before: ObjectId, after: ObjectId, origin: ZoneKind) -> None:
        for alias, item in self.aliases.items():
            if item != before or item in self.left_battlefield:
                continue
            self.aliases[alias] = after
            if origin == ZoneKind.BATTLEFIELD:
                # From there on it is another object each time it moves (CR 400.7).
                self.left_battlefield.append(after)


class Waiting(StepFailed):
    """The game waits for a choice that the script has not made."""

    def __init__(self, question: str, player: str) -> None:
        """Name the question and who is asked."""
        super().__init__("a choice in the script", f"{player} is asked: {question}")


def _has_usual_answer(prompt: Prompt) -> bool:
    """Say whether a choice that the script leaves out is made as the format says.

    Triggers go on the stack oldest first; cards that stay on top stay in their order.
    """
    return isinstance(prompt, OrderTriggers) or (
        isinstance(prompt, SelectObjects) and prompt.kind == "top"
    )


def _question(prompt: Prompt) -> str:
    return prompt.text or prompt.kind


def told(refused: Refused) -> str:
    """Return a refusal as a sentence with its rule."""
    return f"{refused.detail} ({refused.rule})"
