"""What refusals and prompts may say: names that the player knows, and no others; numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.ids import HIDDEN_ZONES, ObjectId, PlayerId
from ..projections.redaction import is_known

if TYPE_CHECKING:
    from ..projections.position import Position


def is_there(game: Position, player: PlayerId, object_id: ObjectId) -> bool:
    """Say whether a player can tell that there is such an object.

    An object of a hidden zone whose card they do not know is to them as if it were not: a refusal
    must not tell one id from another (CR 400.2).
    """
    found = game.state.objects.get(object_id)
    return found is not None and (
        found.zone not in HIDDEN_ZONES or is_known(found.known_to, player)
    )


def range_in_words(minimum: int, maximum: int) -> str:
    """Return how many things are asked for: "2", or "1 to 3"."""
    return f"{minimum}" if minimum == maximum else f"{minimum} to {maximum}"


def name_for(game: Position, player: PlayerId, object_id: ObjectId) -> str:
    """Return an object's name as the player knows it, else its number."""
    found = game.state.objects.get(object_id)
    if found is not None and not is_known(found.known_to, player):
        return f"#{object_id}"
    return game.name_of(object_id) or f"#{object_id}"
