"""Logs made by chance: events that fit the state they happen in, though nobody plays by rules."""

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from apnap.events import combat, game, life, mana, stack, turn, zones
from apnap.events.base import Secret
from apnap.events.catalog import AnyEvent
from apnap.events.codec import SEALED
from apnap.events.commit import Commit
from apnap.events.decisions import PassPriority
from apnap.events.ids import (
    NOBODY,
    NOTHING,
    UNKNOWN_CARD,
    CommitNumber,
    DefinitionId,
    ObjectId,
    PlayerId,
    Step,
    ZoneKind,
)
from apnap.projections.evolve import evolve
from apnap.projections.state import EVERYBODY, GameObject, State
from apnap.projections.trail import Trail

SEATS = tuple(PlayerId(seat) for seat in range(3))
DECK = 12
HIDDEN = b"\0" * 16


def _card(number: int) -> DefinitionId:
    return DefinitionId(number.to_bytes(16, "big"))


class Chance:
    """Makes one log, event by event, and evolves the whole state as it goes."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  # not for secrets
        self.trail = Trail(State())
        self.state = self.trail.state
        self.groups: list[list[AnyEvent]] = []

    def emit(self, kind: Callable[..., AnyEvent], *fields: object) -> None:
        """Let an event happen."""
        event = kind("1", 0, *fields)
        evolve(self.trail, event)
        self.groups[-1].append(event)

    def pick(self, names: list[ObjectId]) -> GameObject | None:
        """Return one of some objects."""
        return self.state.objects[self.random.choice(names)] if names else None

    def living(self) -> list[PlayerId]:
        """Return the seats still in the game."""
        return [seat for seat in SEATS if not self.state.players[seat].has_left]

    def some_seats(self, *always: PlayerId) -> tuple[PlayerId, ...]:
        """Return some seats in order."""
        return tuple(s for s in SEATS if s in always or self.random.random() < 0.5)

    def who_knows(self, item: GameObject) -> tuple[PlayerId, ...]:
        """Return the seats that know an object."""
        return tuple(seat for seat in SEATS if item.known_to & (1 << seat))

    def move(
        self, item: GameObject, to: ZoneKind, *, position: int = -1, face_down: bool = False
    ) -> None:
        """Move an object, with what is public of it in the open."""
        new = ObjectId(self.state.next_id)
        to_hidden = to in (ZoneKind.HAND, ZoneKind.LIBRARY) or face_down
        was_public = item.known_to == EVERYBODY
        readers = SEATS if was_public else self.who_knows(item)
        if to == ZoneKind.HAND:
            readers = tuple(s for s in SEATS if s in readers or s == item.owner)
        from_hand = item.zone == ZoneKind.HAND
        open_card = not to_hidden or (was_public and to == ZoneKind.LIBRARY)
        needs_secret = to_hidden or from_hand
        self.emit(
            zones.ObjectMoved,
            NOTHING if from_hand else item.id,
            item.zone,
            item.owner,
            to,
            item.owner,
            NOTHING if to == ZoneKind.HAND else new,
            item.card if open_card else UNKNOWN_CARD,
            item.controller,
            position,
            False,
            face_down,
            readers if needs_secret else (),
            zones.MovedCard(item.id, new, item.card) if needs_secret else None,
            self.last_known(item) if item.zone == ZoneKind.BATTLEFIELD else None,
            "moved",
        )
        if item.is_token and to != ZoneKind.BATTLEFIELD:
            self.emit(zones.ObjectCeased, new)  # CR 704.5d

    def last_known(self, item: GameObject) -> zones.LastKnown:
        """Return something like last known information."""
        return zones.LastKnown(
            UNKNOWN_CARD, "", item.controller, item.owner, (), (), (), (), 1, 1, (), (),
            item.attached_to, item.tapped, item.is_token, 0, 0,
        )  # fmt: skip

    def rename(self, player: PlayerId, zone: ZoneKind) -> None:
        """Give a hidden zone's objects fresh ids that its owner can follow."""
        held = self.state.players[player]
        names = held.hand if zone == ZoneKind.HAND else held.library
        fresh = [ObjectId(self.state.next_id + place) for place in range(len(names))]
        if zone == ZoneKind.HAND:
            self.random.shuffle(fresh)
        pairs = tuple(zip(names, fresh, strict=True))
        self.emit(zones.ObjectsRenamed, player, zone, (player,), zones.NewNames(pairs))

    def arrange_top(self, player: PlayerId, count: int) -> None:
        """Put top cards of a library on its top and bottom; its owner can follow."""
        looked_at = self.state.players[player].library[:count]
        self.random.shuffle(looked_at)
        bottom = self.random.randint(0, len(looked_at))
        pairs = tuple(
            (name, ObjectId(self.state.next_id + place)) for place, name in enumerate(looked_at)
        )
        self.emit(
            zones.LibraryArranged, player, len(pairs), bottom, (player,), zones.NewNames(pairs)
        )

    def shuffle(self, player: PlayerId) -> None:
        """Shuffle a library."""
        library = self.state.players[player].library
        cards = [zones.SlotCard(self.state.objects[name].card) for name in library]
        self.random.shuffle(cards)
        self.emit(zones.LibraryShuffled, player, self.state.next_id, tuple(cards))

    def begin(self) -> None:
        """Begin a game of three."""
        self.groups.append([])
        seats = tuple(game.SeatInfo(name, 20, DECK, b"") for name in ("a", "b", "c"))
        slots = tuple(zones.SlotCard(_card(number + 1)) for number in range(DECK * len(seats)))
        self.emit(game.GameBegan, "2025-02", "free-for-all", seats, slots, b"", "1", "1", b"", True)
        for seat in SEATS:
            self.shuffle(seat)
        self.emit(game.StartingPlayerChosen, PlayerId(1))
        for seat in SEATS:
            for _ in range(4):
                self.draw(seat)
        self.emit(turn.TurnBegan, 1, PlayerId(1))

    def draw(self, player: PlayerId) -> None:
        """Draw a card, or fail to."""
        library = self.state.players[player].library
        if library:
            self.move(self.state.objects[library[0]], ZoneKind.HAND)
        else:
            self.emit(life.DrawFailed, player)

    def step(self) -> None:
        """Let something happen, as one commit."""
        self.groups.append([])
        living = self.living()
        acts = (self.zone_act, self.zone_act, self.board_act, self.stack_act, self.turn_act)
        if living:
            self.random.choice(acts)(self.random.choice(living))

    def zone_act(self, player: PlayerId) -> None:
        """Do something with hidden zones."""
        held = self.state.players[player]
        card, slot = self.pick(held.hand), self.pick(held.library)
        match self.random.randrange(12):
            case 0 | 1:
                self.draw(player)
            case 2:
                self.shuffle(player)
            case 3:
                self.rename(player, self.random.choice((ZoneKind.HAND, ZoneKind.LIBRARY)))
            case 4 if held.hand:
                self.reveal(player, ZoneKind.HAND, held.hand)
            case 5 if held.library:
                self.reveal(player, ZoneKind.LIBRARY, held.library)
            case 6 if card is not None:
                self.rename(player, ZoneKind.HAND)
                card = self.state.objects[self.random.choice(held.hand)]
                self.move(card, ZoneKind.LIBRARY, position=self.random.choice((0, 1, -1)))
            case 7 if slot is not None:
                self.move(slot, ZoneKind.LIBRARY, position=self.random.choice((0, -1)))
            case 8 if slot is not None:
                self.move(slot, self.random.choice((ZoneKind.GRAVEYARD, ZoneKind.EXILE)))
            case 9 if slot is not None:
                self.move(slot, ZoneKind.EXILE, face_down=True)
            case 11 if held.library:
                self.arrange_top(player, self.random.randint(1, 3))
            case 10 if card is not None:
                self.move(card, ZoneKind.GRAVEYARD)
            case _:
                self.emit(game.ChoiceMade, player, (), (), 1)

    def reveal(self, player: PlayerId, zone: ZoneKind, names: list[ObjectId]) -> None:
        """Show some cards of a hidden zone to some seats."""
        shown = tuple(
            (name, self.state.objects[name].card) for name in names if self.random.random() < 0.5
        )
        self.emit(zones.CardsRevealed, player, zone, self.some_seats(), zones.SeenCards(shown))

    def board_act(self, player: PlayerId) -> None:
        """Do something with permanents and public zones."""
        objects = self.state.objects
        item = self.pick(self.state.battlefield)
        other = self.pick(self.state.battlefield)
        if item is None or other is None or self.random.random() < 0.2:
            card = self.pick(self.state.players[player].hand)
            if card is not None:
                self.move(card, ZoneKind.BATTLEFIELD)
                self.emit(stack.LandPlayed, self.state.battlefield[-1], player)
            self.emit(zones.TokenCreated, self.state.next_id, player, _card(99), False)
            return
        match self.random.randrange(12):
            case 0:
                self.emit(zones.PermanentTapped, item.id)
            case 1:
                self.emit(zones.PermanentUntapped, item.id)
                self.emit(zones.PermanentTurnedFaceDown, item.id)
                self.emit(zones.PermanentTurnedFaceUp, item.id, item.card)
            case 2:
                self.emit(zones.CountersPut, item.id, "+1/+1", 2)
            case 3:
                self.emit(zones.CountersRemoved, item.id, "+1/+1", 1)
            case 4:
                self.emit(zones.ObjectAttached, item.id, other.id, NOBODY)
            case 5:
                self.emit(zones.ObjectUnattached, item.id)
            case 6:
                self.emit(zones.ControlGained, item.id, player)
            case 7:
                zone = self.random.choice((ZoneKind.HAND, ZoneKind.GRAVEYARD, ZoneKind.LIBRARY))
                self.move(item, zone)
            case 8:
                self.move(item, ZoneKind.BATTLEFIELD, face_down=not item.is_token)
            case 9 if item.is_token:
                self.emit(zones.ObjectCeased, item.id)
            case 10 if self.state.exile:
                exiled = objects[self.random.choice(self.state.exile)]
                self.move(exiled, self.random.choice((ZoneKind.HAND, ZoneKind.GRAVEYARD)))
            case _:
                amount = self.random.randrange(1, 4)
                to = self.random.choice((item.id, NOTHING))
                self.emit(life.DamageDealt, other.id, to, player, amount, True, amount == 1)
                self.emit(life.LifeLost, player, amount)
                self.emit(life.LifeGained, player, 1)

    def stack_act(self, player: PlayerId) -> None:
        """Do something with spells, abilities and effects."""
        state = self.state
        card, source = self.pick(state.players[player].hand), self.pick(state.battlefield)
        name = source.id if source is not None else NOTHING
        target = (stack.ChosenTarget(0, name, player),)
        match self.random.randrange(10):
            case 0 | 1 if card is not None:
                self.move(card, ZoneKind.STACK)
                self.emit(stack.SpellCast, state.stack[-1], player, target, (), 3)
            case 2:
                new = self.random.choice((NOTHING, ObjectId(state.next_id)))
                self.emit(stack.AbilityActivated, new, name, player, b"a", 0, target, (), 0)
                self.emit(mana.ManaAdded, player, name, "GW")
                self.emit(mana.ManaSpent, player, "G")
            case 3:
                waiting = state.delayed[0].number if state.delayed else 0
                trigger = (name, player, b"t", name, player, 1, waiting)
                self.emit(stack.AbilityTriggered, state.next_number, *trigger)
            case 4 if state.pending:
                self.emit(
                    stack.TriggerPutOnStack, state.next_id, state.pending[0].number, target, ()
                )
            case 5 if state.pending:
                self.emit(stack.TriggerRemoved, state.pending[-1].number)
            case 6 if state.stack:
                self.leave_stack(state.objects[state.stack[-1]])
            case 7:
                duration = self.random.choice(("end-of-turn", "permanent"))
                effect = (name, player, (name,), b"m", duration)
                self.emit(stack.EffectBegan, state.next_number, *effect)
            case 8 if state.effects:
                self.emit(stack.EffectEnded, state.effects[0].number)
            case _:
                self.emit(
                    stack.DelayedTriggerCreated, state.next_number, name, player, b"d", (name,)
                )

    def leave_stack(self, item: GameObject) -> None:
        """Let the top of the stack resolve or not."""
        kind = self.random.choice((stack.ObjectResolved, stack.ObjectCountered))
        if not self.state.items[item.id].ability:
            self.move(item, self.random.choice((ZoneKind.GRAVEYARD, ZoneKind.BATTLEFIELD)))
        self.emit(kind, item.id)

    def turn_act(self, player: PlayerId) -> None:
        """Go on with the turn."""
        state = self.state
        names = list(state.battlefield)
        match self.random.randrange(14):
            case 0:
                self.emit(turn.TurnBegan, state.turn.number + 1, player)
            case 1 | 2 | 3:
                self.emit(turn.StepBegan, self.random.choice(list(Step)[1:]))
            case 4 | 5 | 6:
                mode = turn.StandingPass(self.random.randrange(4))
                self.emit(turn.PriorityPassed, player, mode)
            case 7:
                self.emit(turn.StandingPassRevoked, player)
            case 8:
                self.emit(turn.TurnEffectsEnded)
                self.emit(turn.TurnActionsDone)
            case 9:
                attacks = tuple((name, player, NOTHING) for name in names[::2])
                self.emit(combat.AttackersDeclared, player, attacks)
            case 10 if state.combat.attackers:
                attacked = sorted(state.combat.attackers)
                blocks = tuple((name, self.random.choice(attacked)) for name in names[1::2])
                self.emit(combat.BlockersDeclared, player, blocks)
                self.emit(combat.FirstStrikersDetermined, tuple(names[::3]))
            case 11 if names:
                self.emit(combat.FirstStrikersDetermined, tuple(names))
                self.emit(combat.RemovedFromCombat, names[0])
            case 12:
                self.emit(game.MulliganDeclared, player)
                self.emit(self.random.choice((game.MulliganTaken, game.HandKept)), player)
                self.emit(game.OpeningHandsDone)
            case 13 if self.random.random() < 0.2:
                self.emit(game.PlayerLost, player, "life")
                self.emit(game.PlayerLeft, player)
                if len(self.living()) == 1:
                    self.emit(game.GameEnded, tuple(self.living()), "life")
            case _:
                self.emit(turn.TurnActionsDone)

    def commits(self) -> list[Commit]:
        """Return the log: each group as the commit of one seat's decision."""
        return [
            Commit(
                CommitNumber(number),
                PassPriority(seat := SEATS[number % len(SEATS)], seat, number),
                (tuple(group),),
                quiescent=True,
                prev=b"",
            )
            for number, group in enumerate(self.groups)
        ]


@pytest.fixture(scope="session")
def log_by_chance() -> Callable[[int, int], list[Commit]]:
    """Return the maker of a log of so many commits from a seed."""

    def make(seed: int, commits: int) -> list[Commit]:
        chance = Chance(seed)
        chance.begin()
        while len(chance.groups) < commits:
            chance.step()
        return chance.commits()

    return make


def _cut(event: AnyEvent, seat: PlayerId) -> AnyEvent:
    hidden: dict[str, object] = {}
    for field in SEALED.get(type(event), ()):
        held = getattr(event, field.name)
        if field.is_many:
            hidden[field.name] = tuple(
                value if seat in event.item_readers(item) else HIDDEN
                for item, value in enumerate(held)
            )
        elif isinstance(held, Secret) and seat not in event.item_readers(0):
            hidden[field.name] = HIDDEN
    return msgspec.structs.replace(event, **hidden)


@pytest.fixture(scope="session")
def cut_for() -> Callable[[Commit, PlayerId], Commit]:
    """Return what leaves of a commit what a seat may know."""

    def cut(commit: Commit, seat: PlayerId) -> Commit:
        decision = commit.decision
        own = isinstance(decision, bytes) or decision.seat == seat
        groups = tuple(tuple(_cut(event, seat) for event in group) for group in commit.groups)
        return msgspec.structs.replace(commit, decision=decision if own else HIDDEN, groups=groups)

    return cut
