"""Protection (CR 702.16): what an object is safe from, asked by damage, targets, blocks, Auras."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cards.model import KeywordAbility
from ..projections.context import Context
from ..projections.filters import fits

if TYPE_CHECKING:
    from ..events.ids import ObjectId
    from ..projections.position import Position


def has_protection_from(game: Position, holder: ObjectId, source: ObjectId) -> bool:
    """Say whether an object has protection from a source (CR 702.16)."""
    traits = game.characteristics(holder)
    if "protection" not in traits.keywords:
        return False
    return any(
        isinstance(ability, KeywordAbility)
        and ability.name == "protection"
        and is_protected(game, holder, ability, source)
        for ability in traits.abilities
    )


def is_protected(
    game: Position, holder: ObjectId, ability: KeywordAbility, source: ObjectId
) -> bool:
    """Say whether a protection ability is against a source (CR 702.16a); without quality, always.

    The source is judged as it is, or as it last was.
    """
    if ability.filter is None:
        return True
    context = Context(source=holder, you=game.controller_of(holder))
    return fits(game, ability.filter, source, context)
