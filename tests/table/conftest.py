"""A live table at a position made by hand: real actors, a real log, and cards in plain English."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from apnap.actors.live_table import LiveTable
from apnap.cards.builtin import builtin_cards
from apnap.cards.model import CardDefinition
from apnap.cards.pool import CardPool
from apnap.events.base import Decision, Event
from apnap.events.codec import decode_entry
from apnap.events.commit import Commit
from apnap.events.decisions import CastSpell, Concede, DeclareAttackers, PassPriority
from apnap.events.edition import EDITION_2025_02
from apnap.events.game import PlacedObject, PlacedPlayer, PositionArranged
from apnap.events.ids import NOBODY, ObjectId, PlayerId, Step, ZoneKind
from apnap.events.redaction import redact_entry
from apnap.events.seals import GameSecrets
from apnap.events.stack import ChosenTarget
from apnap.events.store import NewCommit
from apnap.projections.definitions import Definitions
from apnap.projections.position import Position
from apnap.projections.redaction import redact_state
from apnap.projections.slot_seals import SlotSeals
from apnap.projections.state import State
from apnap.projections.trail import Trail
from apnap.projections.view import apply_commit, new_view
from apnap.rules.protocol import Prompt

from ..english import compiled
from ..kept import KeptLog

NAMES = ("alice", "bob", "carol", "dave")
ALICE, BOB, CAROL, DAVE = (PlayerId(number) for number in range(4))
GAME = "scene"
LAND = "Plains"


class Scene:
    """Players at 20 life who can pay for everything, and what a test puts where it wants it."""

    def __init__(self, players: int = 2) -> None:
        self.pool = CardPool(builtin_cards())
        self.definitions = Definitions()
        self.players = [
            PlacedPlayer(name=name, life=20, pool="", counters=(), any_mana=True)
            for name in NAMES[:players]
        ]
        self.objects: list[PlacedObject] = []
        self.log = KeptLog()
        self.secrets = GameSecrets.from_seed(7, players)
        self.game = Position(State(), self.definitions, EDITION_2025_02)
        self.table = LiveTable(self.game, self.secrets, self.log)

    # Setting up

    def card(
        self,
        text: str,
        type_line: str = "Instant",
        name: str = "Thing",
        size: tuple[int, int] | None = None,
    ) -> CardDefinition:
        """Compile a card from its English; a creature has a size."""
        power, toughness = (str(number) for number in size) if size else (None, None)
        return compiled(
            text, type_line, name=name, mana_cost="{1}", power=power, toughness=toughness
        )

    def put(
        self,
        card: str | CardDefinition,
        player: PlayerId = ALICE,
        zone: ZoneKind = ZoneKind.BATTLEFIELD,
        **changes: Any,
    ) -> ObjectId:
        """Place a card before the game begins, and return its id."""
        definition = self.pool.definition(card) if isinstance(card, str) else card
        placed = PlacedObject(
            zone=zone,
            owner=player,
            controller=player,
            card=self.definitions.add(definition),
            tapped=False,
            sick=False,
            face_down=False,
            counters=(),
            attached=0,
            attached_player=NOBODY,
            is_token=False,
        )
        self.objects.append(msgspec.structs.replace(placed, **changes))
        return ObjectId(len(self.objects))

    def hand(self, card: str | CardDefinition, player: PlayerId = ALICE) -> ObjectId:
        """Place a card in a player's hand."""
        return self.put(card, player, ZoneKind.HAND)

    def set_player(self, player: PlayerId, **changes: Any) -> None:
        """Change a player's life, counters or pool before the game begins."""
        self.players[player] = msgspec.structs.replace(self.players[player], **changes)

    def begin(
        self, step: Step = Step.MAIN1, active: PlayerId = ALICE, turn: int = 5, library: int = 10
    ) -> Scene:
        """Begin at the position, with some lands in each library."""
        for number in range(len(self.players)):
            for _ in range(library):
                self.put(LAND, PlayerId(number), ZoneKind.LIBRARY)
        self.table.arrange(
            PositionArranged(
                rule="100.1",
                cause=0,
                edition="2025-02",
                variant="duel" if len(self.players) == 2 else "free-for-all",
                players=tuple(self.players),
                objects=tuple(self.objects),
                active=active,
                step=step,
                turn=turn,
                keep_order=True,
            )
        )
        return self

    # Playing

    @property
    def state(self) -> State:
        """The state as it is now."""
        return self.game.state

    @property
    def prompt(self) -> Prompt:
        """The open prompt; there must be one."""
        assert self.table.prompt is not None, "somebody is asked"
        return self.table.prompt

    def decide(self, decision: Decision) -> None:
        """Take a decision, which must be accepted."""
        refused = self.table.decide(decision)
        assert refused is None, refused

    def answer(self, kind: type[Decision], *values: Any, **named: Any) -> None:
        """Answer the open prompt."""
        asked = self.prompt
        self.decide(kind(asked.seat, asked.player, asked.counter, *values, **named))

    def suggest(self) -> None:
        """Answer the open prompt as the engine suggests."""
        self.decide(self.prompt.suggest(self.game))

    def concede(self, player: PlayerId) -> None:
        """Let a player concede, whoever is asked."""
        self.decide(Concede(player, player, self.state.decision_counters[player]))

    def cast(self, spell: ObjectId, *targets: ObjectId, players: tuple[PlayerId, ...] = ()) -> None:
        """Let the player who has priority cast a spell from hand at targets, in order."""
        chosen = [(item, NOBODY) for item in targets]
        chosen += [(ObjectId(0), player) for player in players]
        self.answer(
            CastSpell,
            spell,
            tuple(ChosenTarget(phrase, *one) for phrase, one in enumerate(chosen)),
        )

    def passes(self, count: int = 1) -> None:
        """Let the players who have priority pass, one after the other."""
        for _ in range(count):
            assert self.prompt.kind == "priority", self.prompt
            self.answer(PassPriority)

    def resolve(self) -> None:
        """Let all players pass, so that the top of the stack resolves or the step ends."""
        self.passes(sum(not player.has_left for player in self.state.players))

    def go_to(self, step: Step, *, active: PlayerId | None = None) -> None:
        """Answer by suggestions until a step has begun."""
        for _ in range(200):
            turn = self.state.turn
            if turn.step == step and active in (None, turn.active):
                return
            self.suggest()
        raise AssertionError(f"{step.name} never came")

    def attack(self, *attacks: tuple[ObjectId, PlayerId]) -> None:
        """Go to the declaration of attackers and declare these."""
        self.go_to(Step.DECLARE_ATTACKERS)
        assert self.prompt.kind == "attackers", self.prompt
        self.answer(DeclareAttackers, tuple((one, whom, ObjectId(0)) for one, whom in attacks))

    def finish(self) -> None:
        """Let the game go on by suggestions to its end."""
        for _ in range(20_000):
            if self.table.is_over:
                return
            self.suggest()
        raise AssertionError("the game never ended")

    # Looking

    def commits(self) -> Iterator[Commit]:
        """Yield the commits, read from their bytes."""
        for number, entry in enumerate(self.log.entries):
            yield decode_entry(entry, GAME, number)

    def events(self, kind: type[Event], since: int = 0) -> list[Any]:
        """Return the events of a type, from a commit on."""
        return [
            event
            for commit in list(self.commits())[since:]
            for event in commit.events()
            if isinstance(event, kind)
        ]

    def names_in(self, zone: list[ObjectId]) -> list[str]:
        """Return the names of what is in a zone, in order."""
        return [self.game.name_of(item) for item in zone]

    def life(self) -> tuple[int, ...]:
        """Return the players' life totals."""
        return tuple(player.life for player in self.state.players)

    def check(self) -> None:
        """Require that the log folds to the live state, for every seat too, and resumes."""
        live = self.state.to_bytes()
        assert self._folded(len(self.log.entries)).to_bytes() == live
        for seat in range(len(self.players)):
            view = new_view(PlayerId(seat))
            for number, entry in enumerate(self.log.entries):
                cut = redact_entry(entry, PlayerId(seat))
                apply_commit(view, decode_entry(cut, GAME, number))
            assert view.state.to_bytes() == redact_state(self.state, PlayerId(seat)).to_bytes()
        resumed = self.resumed()
        assert resumed.game.state.to_bytes() == live
        assert resumed.head == self.table.head
        assert resumed.prompt == self.table.prompt
        resumed.park()

    def ends_well(self) -> None:
        """Require that the log holds what is true, now and when the game is over."""
        self.check()
        self.finish()
        self.check()

    def resumed(self) -> LiveTable:
        """Return a table made anew from the log: folded as far as it is quiescent, then run."""
        commits = list(self.commits())
        quiet = max(n for n, commit in enumerate(commits) if commit.quiescent)
        seals = SlotSeals()
        for commit in commits[: quiet + 1]:
            seals.follow(commit.number, commit.events())
        state = State.from_bytes(self._folded(quiet + 1).to_bytes())
        position = Position(state, self.definitions, EDITION_2025_02)
        table = LiveTable(position, self.secrets, KeptTail(quiet + 1))
        table.go_on(quiet + 1, commits[quiet].digest, seals)
        for commit in commits[quiet + 1 :]:
            assert not isinstance(commit.decision, bytes)
            assert table.decide_as_recorded(commit.decision) is None
        return table

    def _folded(self, count: int) -> State:
        trail = Trail(State())
        for commit in list(self.commits())[:count]:
            apply_commit(trail, commit)
        return trail.state


class KeptTail(KeptLog):
    """Keeps what comes after so many commits."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self.first = first

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Keep a commit's entry."""
        super().append(number - self.first, prev, commit)


@pytest.fixture
def scene_of() -> Iterator[Callable[[int], Scene]]:
    """Return what makes an empty scene of so many players; its actors are stopped at the end."""
    made: list[Scene] = []

    def make(players: int) -> Scene:
        made.append(Scene(players))
        return made[-1]

    yield make
    for scene in made:
        scene.table.park()


@pytest.fixture
def duel(scene_of: Callable[[int], Scene]) -> Scene:
    """Return an empty scene of two players."""
    return scene_of(2)


@pytest.fixture
def trio(scene_of: Callable[[int], Scene]) -> Scene:
    """Return an empty scene of three players."""
    return scene_of(3)


@pytest.fixture
def quartet(scene_of: Callable[[int], Scene]) -> Scene:
    """Return an empty scene of four players."""
    return scene_of(4)
