"""Which proposed actions can happen: the possible part of an instruction is done (CR 101.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.ids import NOBODY, ObjectId, ZoneKind
from .actions import (
    Action,
    AddCounters,
    Attach,
    Cease,
    Draw,
    Gain,
    Lose,
    MakeToken,
    Move,
    Produce,
    Rename,
    Reveal,
    Shuffle,
    TakeCounters,
    Tap,
    Unattach,
    Untap,
)

if TYPE_CHECKING:
    from ..projections.state import State


def possible(state: State, actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return the actions whose objects exist and whose doing would change anything.

    An object moves once in a batch: the first move counts.
    """
    found: list[Action] = []
    moved: list[ObjectId] = []
    for action in actions:
        if isinstance(action, Move | Cease):
            if action.object in moved:
                continue
            moved.append(action.object)
        if is_possible(state, action):
            found.append(action)
    return tuple(found)


def is_possible(state: State, action: Action) -> bool:
    """Say whether an action can happen on this state."""
    match action:
        case Tap(object=item):
            return _on_battlefield(state, item) and not state.objects[item].tapped
        case Untap(object=item):
            return _on_battlefield(state, item) and state.objects[item].tapped
        case Move(object=item, controller=controller):
            if item not in state.objects:
                return False
            return controller == NOBODY or not state.players[controller].has_left
        case Cease(object=item):
            return item in state.objects
        case AddCounters(object=item, amount=amount) | TakeCounters(object=item, amount=amount):
            return item in state.objects and amount > 0
        case Attach(object=item, to=to):
            return _on_battlefield(state, item) and (not to or to in state.objects)
        case Unattach(object=item):
            return _on_battlefield(state, item)
        case Gain(player=player, amount=amount) | Lose(player=player, amount=amount):
            return amount > 0 and not state.players[player].has_left
        case (
            Draw(player=player)
            | MakeToken(player=player)
            | Produce(player=player)
            | Shuffle(player=player)
            | Rename(player=player)
            | Reveal(player=player)
        ):
            return not state.players[player].has_left
        case _:
            return True


def _on_battlefield(state: State, item: ObjectId) -> bool:
    found = state.objects.get(item)
    return found is not None and found.zone == ZoneKind.BATTLEFIELD
