"""All event types and decision types there are, and their union for the codec."""

from __future__ import annotations

from typing import get_args

from .base import Decision, Event
from .combat import CombatEvent
from .decisions import AnyDecision
from .game import GameEvent
from .life import LifeEvent
from .mana import ManaEvent
from .stack import StackEvent
from .taking_back import TakingBackEvent
from .turn import TurnEvent
from .zones import ZoneEvent

AnyEvent = (
    CombatEvent
    | GameEvent
    | LifeEvent
    | ManaEvent
    | StackEvent
    | TakingBackEvent
    | TurnEvent
    | ZoneEvent
)

EVENT_TYPES: tuple[type[Event], ...] = get_args(AnyEvent)
"""Every event type, families in order."""

DECISION_TYPES: tuple[type[Decision], ...] = get_args(AnyDecision)
"""Every decision type, in order of tag."""
