"""Evolve: the one way in which State changes; a table by event type, then the family's fold.

It applies what has happened and nothing else: it has no rules in it, reads no card text, and never
refuses. So no later correction of a rule can change an old game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from ..events.base import Event
from ..events.catalog import AnyEvent
from ..events.combat import CombatEvent
from ..events.commit import Commit
from ..events.game import GameEvent
from ..events.ids import PlayerId
from ..events.life import LifeEvent
from ..events.mana import ManaEvent
from ..events.stack import StackEvent
from ..events.taking_back import TakingBackEvent
from ..events.turn import TurnEvent
from ..events.zones import ZoneEvent
from .combat import fold_combat
from .game import fold_game
from .life import fold_life
from .mana import fold_mana
from .stack import fold_stack
from .taking_back import fold_taking_back
from .trail import Trail
from .turn import fold_turn
from .zones import fold_zones

Fold = Callable[[Trail, Any], None]

_FAMILIES: tuple[tuple[object, Fold], ...] = (
    (CombatEvent, fold_combat),
    (GameEvent, fold_game),
    (LifeEvent, fold_life),
    (ManaEvent, fold_mana),
    (StackEvent, fold_stack),
    (TakingBackEvent, fold_taking_back),
    (TurnEvent, fold_turn),
    (ZoneEvent, fold_zones),
)

FOLDS: dict[type[Event], Fold] = {
    kind: fold for family, fold in _FAMILIES for kind in get_args(family)
}
"""The fold of each event type's family."""


def evolve(trail: Trail, event: AnyEvent) -> None:
    """Apply one event to a state, through its trail.

    The state may be whole, with every Secret filled in, or a seat's view, where what the seat may
    not know is bytes.
    """
    FOLDS[type(event)](trail, event)
    state = trail.state
    trail.set(state, "next_sequence", state.next_sequence + 1)


def count_decision(trail: Trail, seat: PlayerId) -> None:
    """Count a decision of a seat: at the end of its commit, since commit 0 builds the counters.

    The host and a judge decide without a seat; theirs are not counted.
    """
    counters = trail.state.decision_counters
    if 0 <= seat < len(counters):
        trail.replace(counters, seat, counters[seat] + 1)


def count_decision_of(trail: Trail, commit: Commit) -> None:
    """Count the decision of a commit that has been applied, where it can be read."""
    if not isinstance(commit.decision, bytes):
        count_decision(trail, commit.decision.seat)
