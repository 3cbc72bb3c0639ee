"""Which of several equal cards of a hand leaves it: the one that most players know of.

Who has seen one Shock of a hand and sees a Shock played cannot tell whether it was that one; so it
must be, or that it was another would tell them that there was another. Its player does not care:
cards of a hand are told apart by what they are alone (CR 402.3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..events.ids import HIDDEN_ZONES, DefinitionId, ObjectId, PlayerId, ZoneKind
from ..projections.state import EVERYBODY
from .actions import Action, Move

if TYPE_CHECKING:
    from ..projections.state import State

_Kind = tuple[PlayerId, DefinitionId]


def with_known_first(state: State, actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return the actions, with cards that leave a hand in sight exchanged for better known ones."""
    leaving: dict[_Kind, list[ObjectId]] = {}
    for action in actions:
        if isinstance(action, Move) and _is_shown(state, action):
            found = state.objects[action.object]
            leaving.setdefault((found.owner, found.card), []).append(action.object)
    instead: dict[ObjectId, ObjectId] = {}
    for (owner, card), items in leaving.items():
        hand = state.players[owner].hand
        equal = [name for name in hand if state.objects[name].card == card]
        if len(equal) > len(items):
            best = _best_known(state, equal, items)
            instead |= dict(zip(items, _least_changed(items, best), strict=True))
    if all(old == new for old, new in instead.items()):
        return actions
    return tuple(
        msgspec.structs.replace(action, object=instead[action.object])
        if isinstance(action, Move) and action.object in instead
        else action
        for action in actions
    )


def _is_shown(state: State, move: Move) -> bool:
    """Whether a card goes from a hand to where everybody sees it."""
    found = state.objects.get(move.object)
    return (
        found is not None
        and found.zone == ZoneKind.HAND
        and move.to not in HIDDEN_ZONES
        and not move.face_down
    )


def _best_known(state: State, equal: list[ObjectId], items: list[ObjectId]) -> list[ObjectId]:
    """Return as many of the equal cards as were chosen: those that most know, then the chosen."""

    def rank(name: ObjectId) -> tuple[int, bool, ObjectId]:
        known_to = state.objects[name].known_to
        known = len(state.players) if known_to == EVERYBODY else known_to.bit_count()
        return -known, name not in items, name

    return sorted(equal, key=rank)[: len(items)]


def _least_changed(items: list[ObjectId], best: list[ObjectId]) -> list[ObjectId]:
    """Return the best in an order that keeps those that were chosen in their places."""
    others = iter(name for name in best if name not in items)
    return [name if name in best else next(others) for name in items]
