"""What each seat has seen of a game, told from the whole state alone: no redaction is asked."""

from collections.abc import Iterator

from apnap.events.catalog import AnyEvent
from apnap.events.game import GameBegan, PositionArranged
from apnap.events.ids import HIDDEN_ZONES, DefinitionId, ObjectId, PlayerId, ZoneKind
from apnap.events.zones import CardsRevealed, SeenCards
from apnap.projections.evolve import evolve
from apnap.projections.state import GameObject, State
from apnap.projections.trail import Trail


class Witness:
    """Folds a whole log and notes after each event what each seat can see (CR 400.2, 402.3)."""

    def __init__(self, seats: int) -> None:
        self.trail = Trail(State())
        self.seen: list[set[DefinitionId]] = [set() for _ in range(seats)]
        self._looked_at: dict[ObjectId, None] = {}

    @property
    def state(self) -> State:
        """The whole state now."""
        return self.trail.state

    def take(self, event: AnyEvent) -> None:
        """Let an event happen before all seats' eyes."""
        evolve(self.trail, event)
        self.trail.forget()
        if isinstance(event, GameBegan):
            for item in self.state.objects.values():
                self.seen[item.owner].add(item.card)  # everybody knows their own deck
            return
        if isinstance(event, CardsRevealed):
            assert isinstance(event.secret, SeenCards)
            for seat in event.readers:
                self.seen[seat].update(card for _, card in event.secret.cards)
        is_new = isinstance(event, PositionArranged)
        for item in self.state.objects.values():
            if is_new or item.id not in self._looked_at:
                self._looked_at[item.id] = None
                for seat in seers(item, len(self.seen)) if item.card else ():
                    self.seen[seat].add(item.card)


def seers(item: GameObject, seats: int) -> Iterator[PlayerId]:
    """Yield who sees an object where it lies, whatever was shown before."""
    for seat in range(seats):
        if item.zone == ZoneKind.HAND:
            sees = seat == item.owner
        elif item.zone in HIDDEN_ZONES:
            sees = False
        else:
            sees = seat == item.controller if item.face_down else True
        if sees:
            yield PlayerId(seat)
