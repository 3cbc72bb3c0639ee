"""Setting cards up in mid-game: what a scenario's script may do to an arranged position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.decisions import SetUp
from ..events.ids import (
    HIDDEN_ZONES,
    NOBODY,
    NOTHING,
    UNKNOWN_CARD,
    DefinitionId,
    ObjectId,
    ZoneKind,
)
from ..events.refused import Code, Refused
from ..events.zones import MovedCard, ObjectMoved
from .actions import occur
from .protocol import Procedure, perform

if TYPE_CHECKING:
    from ..projections.position import Position

SETTABLE = (
    ZoneKind.LIBRARY,
    ZoneKind.HAND,
    ZoneKind.GRAVEYARD,
    ZoneKind.EXILE,
    ZoneKind.COMMAND,
)
"""Where a card may be put: nothing triggers as it comes there from outside the game."""


def check_set_up(game: Position, decision: SetUp) -> Refused | None:
    """Return None if cards may be set up so: only in a position that was arranged (CR 400.11)."""
    if not game.state.is_arranged:
        detail = "cards are set up in scenarios only"
        return Refused(Code.WRONG_TIME, "400.11", detail, "write the moment as a scenario")
    for card, zone, player in decision.objects:
        if DefinitionId(card) not in game.definitions:
            detail = "the card is not among the game's"
            return Refused(Code.NO_SUCH_OBJECT, "400.11", detail, "name a card of the game")
        if zone not in SETTABLE or not 0 <= player < len(game.state.players):
            detail = "no card can be set up there"
            return Refused(Code.WRONG_ZONE, "400.1", detail, "name another zone of a player")
    return None


def set_up(game: Position, decision: SetUp) -> Procedure[None]:
    """Put cards from outside the game into zones, one after another; on top of a library."""
    for card, kind, player in decision.objects:
        zone, name = ZoneKind(kind), ObjectId(game.state.next_id)
        is_hidden = zone in HIDDEN_ZONES
        in_hand = zone == ZoneKind.HAND
        event = ObjectMoved(
            "400.11",
            0,
            object=NOTHING,
            origin=ZoneKind.OUTSIDE,
            origin_player=NOBODY,
            destination=zone,
            player=player,
            becomes=NOTHING if in_hand else name,
            card=UNKNOWN_CARD if is_hidden else DefinitionId(card),
            controller=player,
            position=0 if zone == ZoneKind.LIBRARY else -1,
            tapped=False,
            face_down=False,
            readers=(player,) if in_hand else (),
            secret=MovedCard(NOTHING, name, DefinitionId(card)) if is_hidden else None,
            last_known=None,
        )
        yield from perform(occur(event))
