"""What a permanent can be attached to, and stay attached to (CR 301.5, 303.4, 701.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.ids import NOTHING, ObjectId, ZoneKind
from ..projections.context import Context
from ..projections.filters import matches
from .protection import has_protection_from

if TYPE_CHECKING:
    from ..projections.characteristics import Characteristics
    from ..projections.position import Position


def can_be_attached(game: Position, permanent: ObjectId, host: ObjectId) -> bool:
    """Say whether a permanent can be attached to another one.

    An Equipment to a creature (CR 301.5), an Aura to what it can enchant (303.4a); no creature or
    battle to anything (704.5p), and nothing to itself or to what has protection from it
    (702.16c, 702.16d).
    """
    if permanent == host:
        return False
    traits = game.characteristics(permanent)
    if traits.is_creature or "battle" in traits.types:
        return False
    enchant = traits.keyword("enchant")
    if enchant is not None and enchant.filter is not None:
        context = Context(source=permanent, you=traits.controller)
        can_be_there = matches(game, enchant.filter, host, context)
    else:
        can_be_there = can_equip(traits) and game.characteristics(host).is_creature
    return can_be_there and not has_protection_from(game, host, permanent)


def can_equip(traits: Characteristics) -> bool:
    """Say whether a permanent is an Equipment that can equip, being no creature (CR 301.5c)."""
    return "Equipment" in traits.subtypes and not traits.is_creature


def is_attached_illegally(game: Position, permanent: ObjectId) -> bool:
    """Say whether an Aura, Equipment or other attached permanent may not be where it is.

    CR 303.4c, 301.5c, 704.5m, 704.5n: what it is attached to is gone, or it can't be attached to
    that any more.
    """
    found = game.state.objects[permanent]
    if found.attached_player >= 0:
        is_aura = "Aura" in game.characteristics(permanent).subtypes
        return not is_aura or game.state.players[found.attached_player].has_left
    if found.attached_to == NOTHING:
        return True
    if not game.is_in(found.attached_to, ZoneKind.BATTLEFIELD):
        return True
    return not can_be_attached(game, permanent, found.attached_to)
