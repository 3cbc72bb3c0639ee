"""Turns, steps and priority (CR 500, 117)."""

from __future__ import annotations

from typing import ClassVar

from .base import Event, Secret
from .ids import PlayerId, Step


class StandingPass(Secret, frozen=True, tag=6):
    """How long a seat goes on passing by itself: 0 not at all, else a `StandingMode`."""

    mode: int


class TurnBegan(Event, frozen=True, tag=20):
    """A player's turn began (CR 500.1)."""

    number: int
    active: PlayerId


class StepBegan(Event, frozen=True, tag=21):
    """A step or main phase began; the one before it ended and mana pools emptied (CR 500.4).

    Its first player will have priority after turn-based actions, unless the step has none.
    """

    step: Step


class PriorityPassed(Event, frozen=True, tag=22):
    """A player passed priority (CR 117.3d). How often they will again is theirs to know."""

    player: PlayerId
    secret: StandingPass | bytes

    sealed_fields: ClassVar[tuple[str, ...]] = ("secret",)

    def sealed_readers(self) -> tuple[PlayerId, ...]:
        """Return the player who passed."""
        return (self.player,)


class StandingPassRevoked(Event, frozen=True, tag=23):
    """A player's standing pass ended by their word."""

    player: PlayerId


class TurnEffectsEnded(Event, frozen=True, tag=24):
    """Damage wore off and effects "until end of turn" and "this turn" ended (CR 514.2)."""


class TurnActionsDone(Event, frozen=True, tag=25):
    """The turn-based actions of a step with a declaration are done (CR 508.1, 509.1).

    Where there is nothing to declare for any player this comes with the step.
    """


TurnEvent = (
    TurnBegan
    | StepBegan
    | PriorityPassed
    | StandingPassRevoked
    | TurnEffectsEnded
    | TurnActionsDone
)
