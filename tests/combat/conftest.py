"""A board made by hand, and a hand that drives procedures over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apnap.cards.model import Ability, CardDefinition, KeywordAbility, RuleChange, StaticAbility
from apnap.cards.model import This as ThisObject
from apnap.events.base import Decision
from apnap.events.combat import AttackersDeclared, BlockersDeclared
from apnap.events.edition import EDITION_2025_02
from apnap.events.ids import ObjectId, PlayerId, Step, Timestamp, ZoneKind
from apnap.events.life import LifeGained, LifeLost
from apnap.events.turn import StepBegan
from apnap.events.zones import CountersPut, CountersRemoved, PermanentTapped
from apnap.projections.definitions import Definitions
from apnap.projections.position import Position
from apnap.projections.state import GameObject, Player, State
from apnap.rules.actions import (
    Action,
    AddCounters,
    DealDamageTo,
    Gain,
    Lose,
    Occur,
    TakeCounters,
    Tap,
)
from apnap.rules.damage import damage_results
from apnap.rules.protocol import Perform, Procedure, Prompt

NAMES = ("alice", "bob", "carol")
Answers = Callable[[Prompt], Decision]


class Board:
    """Permanents of a few players in combat; `run` drives a procedure and applies what happens."""

    def __init__(self, players: int = 2) -> None:
        self.state = State(
            players=[Player(name=name, life=20) for name in NAMES[:players]],
            decision_counters=[0] * players,
        )
        self.state.turn.number = 5
        self.state.turn.step = Step.DECLARE_ATTACKERS
        for player in self.state.players:
            player.last_turn = 4
        self.state.players[0].last_turn = 5
        self.definitions = Definitions()
        self.game = Position(self.state, self.definitions, EDITION_2025_02)
        self.prompts: list[Prompt] = []

    def put(
        self,
        name: str,
        power: int | None = 2,
        toughness: int | None = 2,
        *abilities: str | Ability | RuleChange,
        player: int = 0,
        types: tuple[str, ...] = ("creature",),
        colors: tuple[str, ...] = (),
        subtypes: tuple[str, ...] = (),
        tapped: bool = False,
        sick: bool = False,
        counters: dict[str, int] | None = None,
    ) -> ObjectId:
        """Put a permanent with keywords, abilities and changed rules onto the battlefield."""
        definition = CardDefinition(
            name=name,
            power=power,
            toughness=toughness,
            types=types,
            colors=colors,
            subtypes=subtypes,
            abilities=tuple(_ability(item) for item in abilities),
        )
        item = ObjectId(self.state.next_id)
        self.state.next_id += 1
        self.state.objects[item] = GameObject(
            id=item,
            card=self.definitions.add(definition),
            owner=PlayerId(player),
            controller=PlayerId(player),
            zone=ZoneKind.BATTLEFIELD,
            timestamp=Timestamp(item),
            tapped=tapped,
            counters=counters or {},
            since_turn=self.state.turn.number if sick else -1,
        )
        self.state.battlefield.append(item)
        self.game.undo_to(self.game.trail.mark())
        return item

    def attack(self, *attackers: ObjectId, defender: int = 1, permanent: int = 0) -> None:
        """Let creatures have been declared as attackers."""
        attack = tuple((item, PlayerId(defender), ObjectId(permanent)) for item in attackers)
        self.game.apply(AttackersDeclared("508.1k", 0, PlayerId(0), attack))
        self.state.turn.step = Step.DECLARE_BLOCKERS

    def block(self, *blocks: tuple[ObjectId, ObjectId], player: int = 1) -> None:
        """Let blockers have been declared."""
        self.game.apply(BlockersDeclared("509.1g", 0, PlayerId(player), blocks))

    def step(self, step: Step) -> None:
        """Let a step begin."""
        self.game.apply(StepBegan("500.1", 0, step))

    def run(self, procedure: Procedure[Any], answers: Answers | None = None) -> list[Any]:
        """Drive a procedure to its end; each answer must be legal. Return the events."""
        events: list[Any] = []
        reply: Any = None
        while True:
            try:
                yielded = procedure.send(reply)
            except StopIteration:
                return events
            if isinstance(yielded, Perform):
                happened = list(self._events(yielded.actions))
                for event in happened:
                    self.game.apply(event)
                events += happened
                reply = tuple(happened)
            else:
                self.prompts.append(yielded)
                reply = answers(yielded) if answers else yielded.suggest(self.game)
                assert yielded.is_legal(self.game, reply) is None
                self.state.decision_counters[reply.seat] += 1

    def _events(self, actions: tuple[Action, ...]) -> Iterator[Any]:
        damage = tuple(action for action in actions if isinstance(action, DealDamageTo))
        others = tuple(action for action in actions if not isinstance(action, DealDamageTo))
        for action in (*others, *damage_results(self.game, damage)):
            yield _event(action)


def _ability(item: str | Ability | RuleChange) -> Ability:
    if isinstance(item, str):
        return KeywordAbility(item)
    if isinstance(item, Ability):
        return item
    return StaticAbility(affects=ThisObject(), modifications=(item,))


def _event(action: Action) -> Any:
    rule, cause = action.rule, action.cause
    match action:
        case Occur(event=event):
            return event
        case Tap(object=item):
            return PermanentTapped(rule, cause, item)
        case Lose(player=player, amount=amount):
            return LifeLost(rule, cause, player, amount)
        case Gain(player=player, amount=amount):
            return LifeGained(rule, cause, player, amount)
        case AddCounters(object=item, kind=kind, amount=amount):
            return CountersPut(rule, cause, item, kind, amount)
        case TakeCounters(object=item, kind=kind, amount=amount):
            return CountersRemoved(rule, cause, item, kind, amount)
        case _:
            raise AssertionError(action)


@pytest.fixture
def board() -> Board:
    """Return an empty board of two players, in the first one's turn."""
    return Board()


@pytest.fixture
def trio() -> Board:
    """Return an empty board of three players, in the first one's turn."""
    return Board(3)
