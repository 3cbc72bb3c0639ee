"""The Table: it owns turn, combat, effects and outcomes, and runs the one stack of procedures.

The trampoline drives generators until one asks a seat. Then it unwinds: the dispatcher is idle and
a table that waits for a person holds no thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from ..events.catalog import AnyEvent
from ..events.luck import Luck
from ..events.ownership import TABLE, Owner
from ..projections.position import Position
from ..rules.actions import Action
from ..rules.control import noticed_changes
from ..rules.equal_cards import with_known_first
from ..rules.leaving import (
    SETTLING_KINDS,
    abandoned,
    answered_otherwise,
    needs_other_answer,
)
from ..rules.loops import draw_by_loop, is_looked_at
from ..rules.possible import possible
from ..rules.protocol import Perform, Procedure, Prompt
from ..rules.replacement import needs_replacement, replaced
from ..rules.stages import next_stage
from ..rules.triggers import look_back, of_players_present, triggered
from .dispatcher import DispatchedRef
from .emission import owner_of_action
from .owners import Emit, OwnerActor
from .recorder import Recorder

Refs = dict[Owner, DispatchedRef[Any]]
Stage = Callable[[Position], Procedure[None] | None]

STAGES_MAX = 100_000
"""More stages than this without a prompt is a bug: every turn asks somebody."""


class Frame:
    """A procedure on the stack; `replaces` marks one whose result is to be performed."""

    __slots__ = ("procedure", "replaces")

    def __init__(self, procedure: Procedure[Any], *, replaces: bool) -> None:
        self.procedure = procedure
        self.replaces = replaces


class TableActor(OwnerActor):
    """One game's table: procedures run here and nowhere else."""

    def __init__(self, game: Position, recorder: Recorder, luck: Luck) -> None:
        super().__init__(TABLE, game, recorder, luck)
        self.refs: Refs = {}
        self.frames: list[Frame] = []
        self.prompt: Prompt | None = None
        self.stage: Stage = next_stage
        self.is_endless: Callable[[], bool] = lambda: False
        self.is_over = False

    def begin_with(self, procedure: Procedure[None]) -> None:
        """Put a procedure on the empty stack, to be run before the stages."""
        assert not self.frames, "a procedure starts on an empty stack"
        self.frames.append(Frame(procedure, replaces=False))

    def run(self, answer: object = None) -> Prompt | None:
        """Run procedures until one asks, and return the prompt; None when the game is over."""
        value: Any = answer
        self.prompt = None
        for _ in range(STAGES_MAX):
            if not self.frames and not self._next_stage():
                self.is_over = True
                return None
            asked = self._drive(value)
            if asked is not None:
                self.prompt = asked
                return asked
            value = None
        msg = f"{STAGES_MAX} procedures ran without asking anybody"
        raise AssertionError(msg)

    def drop_procedures(self) -> None:
        """Close all procedures: they are made anew from the state."""
        while self.frames:
            self.frames.pop().procedure.close()
        self.prompt = None

    def interrupt(self, procedure: Procedure[None]) -> None:
        """Run a procedure that asks nobody between two yields of those on the stack, and go on."""
        self.happen(procedure)
        self.after_interruption()

    def happen(self, procedure: Procedure[None]) -> None:
        """Run a procedure that asks nobody, beside those on the stack."""
        value: Any = None
        while True:
            try:
                yielded = procedure.send(value)
            except StopIteration:
                break
            assert isinstance(yielded, Perform), "what happens out of turn asks nobody"
            value = self.perform(yielded.actions)

    def after_interruption(self) -> None:
        """Go on after somebody left: drop what is void, ask others what they were asked.

        What is asked between two resolutions is made anew from the state. What resolves, or is
        done by a step, goes on: its question is put again unless it can't be as it stands.
        """
        prompt = self.prompt
        is_over = self.game.state.winners is not None
        if is_over or prompt is None or prompt.quiescent or prompt.kind in SETTLING_KINDS:
            self.drop_procedures()
            self.run()
        elif needs_other_answer(self.game, prompt):
            self.frames.append(Frame(answered_otherwise(self.game, prompt), replaces=False))
            self.run()
        else:
            self.ask_again()

    def ask_again(self) -> None:
        """Put the open prompt again, with the seat's present count of decisions."""
        prompt = self.prompt
        if prompt is not None:
            counter = self.game.state.decision_counters[prompt.seat]
            self.prompt = msgspec.structs.replace(prompt, counter=counter)

    def perform(self, actions: tuple[Action, ...]) -> tuple[AnyEvent, ...]:
        """Let actions that nothing replaces any more happen as one group, then judge triggers."""
        actions = with_known_first(self.game.state, possible(self.game.state, actions))
        if not actions:
            return ()
        first = self.game.state.next_sequence
        events = self._emit(actions)
        before = look_back(self.game, events, first)
        self.recorder.close_batch(events)
        triggers = (*before, *triggered(self.game, events, first))
        waiting = of_players_present(self.game.state, triggers)
        if waiting:
            self.recorder.close_batch(self._emit(waiting))
        noticed = noticed_changes(self.game)
        if noticed:
            self.recorder.close_batch(self._emit(noticed))
        exiled = abandoned(self.game)
        if exiled:
            self.perform(exiled)
        return events

    def _emit(self, actions: tuple[Action, ...]) -> tuple[AnyEvent, ...]:
        """Tell each action to its owner and gather what they emit, ordered by the batch."""
        slots = self.recorder.open_batch(actions)
        state = self.game.state
        mails = []
        for place, action in enumerate(actions):
            owner = owner_of_action(state, action)
            message = Emit(action, place, slots[place])
            if owner == TABLE:
                self.on_receive(message)
            else:
                mails.append((self.refs[owner], message))
        if len(mails) == 1:
            mails[0][0].ask(mails[0][1])
        elif mails:
            self.dispatcher.gather(mails)
        return self.recorder.gathered()

    def _next_stage(self) -> bool:
        if is_looked_at(self.game.state) and self.is_endless():
            procedure: Procedure[None] | None = draw_by_loop()
        else:
            procedure = self.stage(self.game)
        if procedure is None:
            return False
        self.frames.append(Frame(procedure, replaces=False))
        return True

    def _drive(self, value: Any) -> Prompt | None:
        """Run the innermost procedure until the stack is empty or somebody is asked."""
        frames = self.frames
        while frames:
            frame = frames[-1]
            try:
                yielded = frame.procedure.send(value)
            except StopIteration as stop:
                frames.pop()
                value = self.perform(stop.value) if frame.replaces else stop.value
                continue
            value = None
            if isinstance(yielded, Prompt):
                if not needs_other_answer(self.game, yielded):
                    return yielded
                other = answered_otherwise(self.game, yielded)
                frames.append(Frame(other, replaces=False))
                continue
            if needs_replacement(yielded.actions):
                frames.append(Frame(replaced(self.game, yielded.actions), replaces=True))
            else:
                value = self.perform(yielded.actions)
        return None
