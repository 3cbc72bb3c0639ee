"""The names of things: integers with types, and the closed vocabularies of zones and steps."""

from enum import IntEnum
from typing import NewType

ObjectId = NewType("ObjectId", int)
"""An object in a zone. A new one at each zone change (CR 400.7); 0 is an unknown object."""

PlayerId = NewType("PlayerId", int)
"""A seat's number in turn order, from 0. -1 stands for nobody, -2 for a judge."""

CommitNumber = NewType("CommitNumber", int)
"""A commit of a game, from 0."""

Timestamp = NewType("Timestamp", int)
"""A moment of CR 613.7: larger is later."""

DefinitionId = NewType("DefinitionId", bytes)
"""The digest (16 bytes) of what a card says; empty for an unknown card."""

NOBODY = PlayerId(-1)
JUDGE = PlayerId(-2)
NOTHING = ObjectId(0)
UNKNOWN_CARD = DefinitionId(b"")


class ZoneKind(IntEnum):
    """The zones of CR 400.1."""

    LIBRARY = 1
    HAND = 2
    BATTLEFIELD = 3
    GRAVEYARD = 4
    STACK = 5
    EXILE = 6
    COMMAND = 7
    OUTSIDE = 8


HIDDEN_ZONES = (ZoneKind.LIBRARY, ZoneKind.HAND)
"""The zones of CR 400.2 whose cards not every player may see."""

OWNED_ZONES = (ZoneKind.LIBRARY, ZoneKind.HAND, ZoneKind.GRAVEYARD)
"""The zones of which each player has one (CR 400.1)."""


class Step(IntEnum):
    """Steps in the order of a turn, with main phases as steps of their own (CR 500.1)."""

    NONE = 0
    UNTAP = 1
    UPKEEP = 2
    DRAW = 3
    MAIN1 = 4
    BEGIN_COMBAT = 5
    DECLARE_ATTACKERS = 6
    DECLARE_BLOCKERS = 7
    FIRST_STRIKE_DAMAGE = 8
    COMBAT_DAMAGE = 9
    END_COMBAT = 10
    MAIN2 = 11
    END = 12
    CLEANUP = 13


COMBAT_STEPS = (
    Step.BEGIN_COMBAT,
    Step.DECLARE_ATTACKERS,
    Step.DECLARE_BLOCKERS,
    Step.FIRST_STRIKE_DAMAGE,
    Step.COMBAT_DAMAGE,
    Step.END_COMBAT,
)
MAIN_PHASES = (Step.MAIN1, Step.MAIN2)
