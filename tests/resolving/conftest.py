"""A game made by hand whose stack resolves: texts in English, procedures driven step by step."""

from __future__ import annotations

from typing import Any

import pytest

from apnap.actors.emission import Slot, events_of, ids_taken, numbers_taken
from apnap.cards.model import CardDefinition
from apnap.events.base import Decision
from apnap.events.edition import EDITION_2025_02
from apnap.events.ids import (
    NOBODY,
    NOTHING,
    UNKNOWN_CARD,
    ObjectId,
    PlayerId,
    Step,
    Timestamp,
    ZoneKind,
)
from apnap.events.luck import Luck
from apnap.events.stack import ChosenTarget
from apnap.events.zones import ObjectMoved
from apnap.projections.definitions import Definitions
from apnap.projections.position import Position
from apnap.projections.state import EVERYBODY, GameObject, Player, StackItem, State, zone_of
from apnap.rules.actions import Action
from apnap.rules.possible import possible
from apnap.rules.protocol import Perform, Procedure, Prompt
from apnap.rules.replacement import replaced
from apnap.rules.resolving import resolve_top

from ..english import compiled

ME, THEY = PlayerId(0), PlayerId(1)
SPELL = "{1}"


class Bench:
    """Two players at 20 life in a main phase, and whatever a test puts where it wants it."""

    def __init__(self) -> None:
        self.state = State(
            players=[Player(name="alice", life=20), Player(name="bob", life=20)],
            decision_counters=[0, 0],
        )
        self.state.turn.number = 3
        self.state.turn.step = Step.MAIN1
        self.game = Position(self.state, Definitions(), EDITION_2025_02)
        self.events: list[Any] = []
        self.prompts: list[Prompt] = []
        self.answers: list[Any] = []
        self.luck = Luck(b"test", ())

    def card(
        self,
        text: str = "",
        type_line: str = "Creature — Bear",
        power: int | None = 2,
        toughness: int | None = 2,
        name: str = "Thing",
    ) -> CardDefinition:
        """Compile a card from its English."""
        sizes: dict[str, str] = {}
        if "Creature" in type_line:
            sizes = {"power": str(power), "toughness": str(toughness)}
        return compiled(text, type_line, name=name, mana_cost=SPELL, **sizes)

    def put(
        self,
        definition: CardDefinition,
        zone: ZoneKind = ZoneKind.BATTLEFIELD,
        player: PlayerId = ME,
        *,
        tapped: bool = False,
        counters: dict[str, int] | None = None,
    ) -> ObjectId:
        """Put a card somewhere."""
        item = ObjectId(self.state.next_id)
        self.state.next_id += 1
        is_hidden = zone in (ZoneKind.LIBRARY, ZoneKind.HAND)
        known = 1 << player if zone == ZoneKind.HAND else 0
        self.state.objects[item] = GameObject(
            id=item,
            card=self.game.definitions.add(definition),
            owner=player,
            controller=player,
            zone=zone,
            timestamp=Timestamp(item),
            tapped=tapped,
            counters=counters or {},
            known_to=known if is_hidden else EVERYBODY,
        )
        zone_of(self.state, zone, player).append(item)
        self.game.undo_to(self.game.trail.mark())
        return item

    def creature(
        self, player: PlayerId = ME, power: int = 2, toughness: int = 2, text: str = ""
    ) -> ObjectId:
        """Put a creature onto the battlefield."""
        return self.put(self.card(text, power=power, toughness=toughness), player=player)

    def cast(
        self,
        text: str,
        *targets: ObjectId | PlayerId | tuple[str, int],
        type_line: str = "Instant",
        player: PlayerId = ME,
        x: int = 0,
        modes: tuple[int, ...] = (),
    ) -> ObjectId:
        """Let a spell lie on the stack as if it had been cast; a target a phrase, in order."""
        spell = self.put(self.card(text, type_line), ZoneKind.STACK, player)
        self.state.items[spell] = StackItem(
            source=spell, targets=chosen(targets), x=x, modes=modes, is_cast=True
        )
        return spell

    def trigger(
        self,
        source: ObjectId,
        place: int = 0,
        about: ObjectId = NOTHING,
        about_player: PlayerId = NOBODY,
    ) -> ObjectId:
        """Let a triggered ability of an object lie on the stack."""
        ability = self.game.characteristics(source).triggers[place]
        digest = self.game.definitions.digest_of_ability(ability)
        return self.ability(source, digest, about=about, about_player=about_player)

    def ability(
        self,
        source: ObjectId,
        digest: bytes,
        *targets: ObjectId,
        about: ObjectId = NOTHING,
        about_player: PlayerId = NOBODY,
    ) -> ObjectId:
        """Let an ability of an object lie on the stack."""
        item = ObjectId(self.state.next_id)
        self.state.next_id += 1
        player = self.game.controller_of(source)
        self.state.objects[item] = GameObject(item, UNKNOWN_CARD, player, player, ZoneKind.STACK)
        self.state.items[item] = StackItem(
            source=source,
            ability=digest,
            about=about,
            about_player=about_player,
            targets=chosen(targets),
        )
        self.state.stack.append(item)
        return item

    def resolve(self, *answers: Any) -> list[Any]:
        """Resolve the top of the stack with these answers, and return the events."""
        return self.run(resolve_top(self.game), *answers)

    def run(self, procedure: Procedure[Any], *answers: Any) -> list[Any]:
        """Drive a procedure; each answer is a function of the prompt or a tuple of objects."""
        first = len(self.events)
        self.answers = list(answers)
        self._drive(procedure)
        assert not self.answers, "an answer was not asked for"
        return self.events[first:]

    def _drive(self, procedure: Procedure[Any]) -> Any:
        reply: Any = None
        while True:
            try:
                yielded = procedure.send(reply)
            except StopIteration as stop:
                return stop.value
            if isinstance(yielded, Perform):
                reply = self._perform(self._drive(replaced(self.game, yielded.actions)))
            else:
                reply = self._answer(yielded)

    def _perform(self, actions: tuple[Action, ...]) -> tuple[Any, ...]:
        found: list[Any] = []
        first, number, drawn = self.state.next_id, self.state.next_number, 0
        for action in possible(self.state, actions):
            found += events_of(self.game, action, Slot(first, number, drawn), self.luck)
            first += ids_taken(self.state, action)
            number += numbers_taken(action)
        for event in found:
            self.game.apply(event)
            self.state.next_sequence += 1
        self.events += found
        return tuple(found)

    def _answer(self, prompt: Prompt) -> Decision:
        self.prompts.append(prompt)
        assert self.answers, f"nobody answers {prompt.kind}: {prompt.text}"
        decision = self.answers.pop(0)(prompt)
        assert prompt.is_legal(self.game, decision) is None, prompt.is_legal(self.game, decision)
        assert isinstance(decision, Decision)
        return decision

    def moves(self) -> list[tuple[ObjectId, ZoneKind, str]]:
        """Return what moved where and how, so far."""
        return [
            (event.object, event.destination, event.manner)
            for event in self.events
            if isinstance(event, ObjectMoved)
        ]

    def life(self) -> tuple[int, ...]:
        """Return the life totals."""
        return tuple(player.life for player in self.state.players)

    def size(self, item: ObjectId) -> tuple[int | None, int | None]:
        """Return an object's power and toughness."""
        traits = self.game.characteristics(item)
        return traits.power, traits.toughness


def chosen(targets: tuple[Any, ...]) -> tuple[ChosenTarget, ...]:
    """Return one target for each phrase; ("player", 1) is a player."""
    return tuple(
        ChosenTarget(phrase, NOTHING, PlayerId(target[1]))
        if isinstance(target, tuple)
        else ChosenTarget(phrase, target, NOBODY)
        for phrase, target in enumerate(targets)
    )


@pytest.fixture
def bench() -> Bench:
    """Return an empty board."""
    return Bench()
