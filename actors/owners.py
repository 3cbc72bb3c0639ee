"""The owners: Player, Zone, Stack. Each emits events about its own things and keeps no state.

The proposals of a batch come as `Emit` messages. An owner decides against the state before the
batch and hands what it emits to the Recorder, which checks that it is its own.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from ..events.ids import PlayerId, ZoneKind
from ..events.luck import Luck
from ..events.ownership import STACK, Owner, player_owner, zone_owner
from ..projections.position import Position
from ..rules.actions import Action
from .dispatcher import DispatchedActor
from .emission import Slot, events_of
from .recorder import Recorder


class Emit(msgspec.Struct, frozen=True, gc=False):
    """Turn an action into events: its place in the open batch and what it was given."""

    action: Action
    place: int
    slot: Slot


Message = Emit


class OwnerActor(DispatchedActor):
    """An actor that owns things of one game."""

    def __init__(self, owner: Owner, game: Position, recorder: Recorder, luck: Luck) -> None:
        super().__init__()
        self.owner = owner
        self.game = game
        self.recorder = recorder
        self.luck = luck

    def on_receive(self, message: Message) -> None:
        """Emit what the action becomes."""
        match message:
            case Emit(action=action, place=place, slot=slot):
                events = events_of(self.game, action, slot, self.luck)
                self.recorder.record(self.owner, place, events)
            case _:
                assert_never(message)


class PlayerActor(OwnerActor):
    """Owns a player's life, counters, mana pool and land plays."""

    def __init__(self, player: PlayerId, game: Position, recorder: Recorder, luck: Luck) -> None:
        super().__init__(player_owner(player), game, recorder, luck)
        self.player = player


class ZoneActor(OwnerActor):
    """Owns which objects are in a zone, in which order, their status, ids and who knows them."""

    def __init__(
        self, kind: ZoneKind, player: PlayerId, game: Position, recorder: Recorder, luck: Luck
    ) -> None:
        super().__init__(zone_owner(kind, player), game, recorder, luck)
        self.kind = kind
        self.player = player


class StackActor(OwnerActor):
    """Owns spells and abilities that wait, and their choices and targets (CR 405)."""

    def __init__(self, game: Position, recorder: Recorder, luck: Luck) -> None:
        super().__init__(STACK, game, recorder, luck)
