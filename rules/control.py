"""What changes by itself when a permanent's controller or type changes (CR 302.6, 506.4).

Who controls a permanent is derived (613.1b). That it changed is a fact of its own: the permanent
was not continuously under its controller's control, and it is removed from combat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.ids import NOBODY
from ..events.zones import ControlGained
from .actions import Action, occur
from .combat import removals_from_combat
from .durations import ending_without_source

if TYPE_CHECKING:
    from ..projections.position import Position


def noticed_changes(game: Position) -> tuple[Action, ...]:
    """Return the facts that follow from what was derived after a group of events."""
    found: list[Action] = []
    if game.has_control_effects or any(
        game.state.objects[item].held_by != NOBODY for item in game.state.battlefield
    ):
        found += _control_changes(game)
    return (*found, *ending_without_source(game), *removals_from_combat(game))


def _control_changes(game: Position) -> list[Action]:
    found: list[Action] = []
    for item in game.state.battlefield:
        permanent = game.state.objects[item]
        before = permanent.held_by if permanent.held_by != NOBODY else permanent.controller
        now = game.characteristics(item).controller
        if now != before:
            found.append(occur(ControlGained("613.1b", 0, item, now)))
    return found
