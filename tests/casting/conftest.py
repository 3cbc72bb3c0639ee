"""A live table at an arranged position: what a player with priority may do, and what it does."""

from __future__ import annotations

from typing import Any

import pytest

from apnap.actors.live_table import LiveTable
from apnap.actors.lookahead import Forgetting
from apnap.events.base import Decision
from apnap.events.decisions import ActivateAbility, CastSpell, PassPriority, PlayLand
from apnap.events.edition import EDITION_2025_02
from apnap.events.game import PlacedObject, PlacedPlayer, PositionArranged
from apnap.events.ids import NOBODY, ObjectId, PlayerId, Step, ZoneKind
from apnap.events.refused import Refused
from apnap.events.seals import GameSecrets
from apnap.events.stack import ChosenTarget
from apnap.projections.definitions import Definitions
from apnap.projections.position import Position
from apnap.projections.state import State
from apnap.rules.prompts import prompt_for

from ..english import compiled

ME, THEY = PlayerId(0), PlayerId(1)

BASICS = {
    "Plains": "Basic Land — Plains",
    "Island": "Basic Land — Island",
    "Swamp": "Basic Land — Swamp",
    "Mountain": "Basic Land — Mountain",
    "Forest": "Basic Land — Forest",
}


class Scene:
    """Two players; put things where they belong, then `play`."""

    def __init__(self) -> None:
        self.definitions = Definitions()
        self.placed: list[PlacedObject] = []
        self.names: list[str] = []
        self.any_mana = False
        self.pool = ""
        self.life = 20
        self.step = Step.MAIN1
        self.active = ME
        self.table: LiveTable | None = None

    def put(
        self,
        name: str,
        zone: ZoneKind = ZoneKind.BATTLEFIELD,
        player: PlayerId = ME,
        *,
        text: str = "",
        type_line: str = "Creature — Bear",
        cost: str = "{1}{G}",
        tapped: bool = False,
        sick: bool = False,
        counters: tuple[tuple[str, int], ...] = (),
    ) -> ObjectId:
        """Place a card and return the id that it will have."""
        if name in BASICS:
            type_line, cost = BASICS[name], ""
        card = compiled(text, type_line, name=name, mana_cost=cost)
        self.placed.append(
            PlacedObject(
                zone=zone,
                owner=player,
                controller=player,
                card=self.definitions.add(card),
                tapped=tapped,
                sick=sick,
                face_down=False,
                counters=counters,
                attached=0,
                attached_player=NOBODY,
                is_token=False,
            )
        )
        return ObjectId(len(self.placed))

    def hand(
        self, name: str, text: str = "", type_line: str = "Instant", cost: str = "{R}"
    ) -> ObjectId:
        """Put a card into my hand."""
        return self.put(name, ZoneKind.HAND, text=text, type_line=type_line, cost=cost)

    def lands(self, *names: str) -> list[ObjectId]:
        """Put basic lands of mine onto the battlefield."""
        return [self.put(name) for name in names]

    def play(self) -> Scene:
        """Begin at the arranged position."""
        for player in (ME, THEY):
            for _ in range(3):
                self.put("Plains", ZoneKind.LIBRARY, player)
        position = Position(State(), self.definitions, EDITION_2025_02)
        self.table = LiveTable(position, GameSecrets.from_seed(1, 2), Forgetting())
        self.table.arrange(
            PositionArranged(
                "104.1",
                0,
                edition="2025-02",
                variant="duel",
                players=(
                    PlacedPlayer("alice", self.life, self.pool, (), any_mana=self.any_mana),
                    PlacedPlayer("bob", 20, "", (), any_mana=False),
                ),
                objects=tuple(self.placed),
                active=self.active,
                step=self.step,
                turn=2,
                keep_order=True,
            )
        )
        return self

    @property
    def live(self) -> LiveTable:
        """The table."""
        assert self.table is not None, "play first"
        return self.table

    @property
    def game(self) -> Position:
        """The position."""
        return self.live.game

    def decide(self, decision: Decision) -> Refused | None:
        """Decide; a refusal leaves no trace."""
        before = self.game.state.to_bytes()
        refused = self.live.decide(decision)
        if refused is not None:
            assert self.game.state.to_bytes() == before
        return refused

    def cast(
        self, card: ObjectId, *targets: ChosenTarget, player: PlayerId = ME, **more: Any
    ) -> Refused | None:
        """Cast a spell."""
        asked = prompt_for(self.game, player)
        return self.decide(CastSpell(**asked, object=card, targets=targets, **more))

    def activate(
        self, source: ObjectId, number: int = 0, *targets: ChosenTarget, **more: Any
    ) -> Refused | None:
        """Activate an ability of mine."""
        asked = prompt_for(self.game, ME)
        return self.decide(
            ActivateAbility(**asked, object=source, number=number, targets=targets, **more)
        )

    def land(self, card: ObjectId, player: PlayerId = ME) -> Refused | None:
        """Play a land."""
        return self.decide(PlayLand(**prompt_for(self.game, player), object=card))

    def pass_(self, player: PlayerId, standing: int = 0) -> Refused | None:
        """Pass priority."""
        return self.decide(PassPriority(**prompt_for(self.game, player), standing=standing))

    def tapped(self, *objects: ObjectId) -> list[bool]:
        """Say of each whether it is tapped."""
        return [self.game.state.objects[item].tapped for item in objects]

    def options(self) -> list[Decision]:
        """Return all that may be decided now."""
        prompt = self.live.prompt
        assert prompt is not None, "somebody is asked"
        return list(prompt.options(self.game))


@pytest.fixture
def scene() -> Scene:
    """A position to fill."""
    return Scene()
