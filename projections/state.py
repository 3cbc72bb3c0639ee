"""State: all that is true in a game, as plain records that only `evolve` writes.

Nothing here needs the rules to compute, and nothing here is derived: characteristics, controllers
and legal actions are read through `Position`. A seat's view is the same record with unknown parts
blank: a card of a hand that the seat cannot tell is a 0 in the list, a card of a library has an
empty `card`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from operator import attrgetter

import msgspec

from ..events.ids import (
    NOBODY,
    NOTHING,
    CommitNumber,
    DefinitionId,
    ObjectId,
    PlayerId,
    Step,
    Timestamp,
    ZoneKind,
)
from ..events.stack import ChosenTarget
from ..events.taking_back import Remedy
from ..events.zones import LastKnown

EVERYBODY = -1
"""The mask of `known_to` in which every seat's bit is set."""


class GameObject(msgspec.Struct):
    """An object in a zone (CR 109.1). `controller` is as it entered: layer 2 may say otherwise.

    `since_turn` is the number of the turn in which its controller came to control it, -1 if
    before the game; `held_by` is who was last noticed to control it by an effect, NOBODY if it was
    never somebody else. `known_to` has the bit 1 << seat of each seat that knows which card it is.
    """

    id: ObjectId
    card: DefinitionId
    owner: PlayerId
    controller: PlayerId
    zone: ZoneKind
    timestamp: Timestamp = Timestamp(0)
    tapped: bool = False
    face_down: bool = False
    is_token: bool = False
    damage: int = 0
    counters: dict[str, int] = {}
    attached_to: ObjectId = NOTHING
    attached_player: PlayerId = NOBODY
    since_turn: int = -1
    held_by: PlayerId = NOBODY
    known_to: int = EVERYBODY


class StackItem(msgspec.Struct):
    """What was chosen for a spell or ability on the stack (CR 601.2b-d, 603.3d).

    `ability` is the digest of the ability or reflexive body, empty for a spell; `is_cast` is set
    once the spell became cast (601.2i).
    """

    source: ObjectId
    ability: bytes = b""
    targets: tuple[ChosenTarget, ...] = ()
    modes: tuple[int, ...] = ()
    x: int = 0
    about: ObjectId = NOTHING
    about_player: PlayerId = NOBODY
    amount: int = 0
    is_cast: bool = False
    caused_by: int = 0


class PendingTrigger(msgspec.Struct, frozen=True):
    """A triggered ability that waits to be put on the stack (CR 603.3)."""

    number: int
    source: ObjectId
    player: PlayerId
    ability: bytes
    about: ObjectId
    about_player: PlayerId
    amount: int
    sequence: int


class ContinuousEffect(msgspec.Struct, frozen=True):
    """A continuous effect from a resolution (CR 611.2): what it changes, and for how long."""

    number: int
    source: ObjectId
    player: PlayerId
    timestamp: Timestamp
    objects: tuple[ObjectId, ...]
    modifications: bytes
    duration: str
    began_turn: int


class DelayedTrigger(msgspec.Struct, frozen=True):
    """A delayed triggered ability that waits for its event (CR 603.7)."""

    number: int
    source: ObjectId
    player: PlayerId
    ability: bytes
    objects: tuple[ObjectId, ...]


class Player(msgspec.Struct):
    """A player: life, pool, counters, and what happened to them this turn or before the game."""

    name: str
    life: int
    library: list[ObjectId] = []
    hand: list[ObjectId] = []
    graveyard: list[ObjectId] = []
    pool: str = ""
    counters: dict[str, int] = {}
    lands_played: int = 0
    mulligans: int = 0
    has_kept: bool = False
    has_declared_mulligan: bool = False
    has_failed_draw: bool = False
    has_lost: bool = False
    has_left: bool = False
    lost_reason: str = ""
    standing: int = 0
    last_turn: int = 0
    any_mana: bool = False
    max_hand_size: int = 7


class Turn(msgspec.Struct):
    """Where in the turn the game is.

    `holder` has priority (CR 117); `passes` counts players in succession who passed. In the steps
    with declarations `actions_done` is set once attackers or blockers are declared. `resolved`
    counts what has resolved this turn since a player last cast, activated or played anything.
    """

    number: int = 0
    active: PlayerId = PlayerId(0)
    step: Step = Step.NONE
    holder: PlayerId = NOBODY
    passes: int = 0
    actions_done: bool = False
    activations: list[tuple[ObjectId, bytes]] = []
    resolved: int = 0


class Combat(msgspec.Struct):
    """Who attacks whom and who blocks what (CR 506-511); empty outside combat.

    `attackers` maps to (defending player, attacked permanent or 0); `blocks` maps a blocker to the
    attackers it blocks; `blocked` lists attackers that were blocked, also after the blocker is
    gone (509.1h); `dealt_first` those that had first or double strike as the first of two combat
    damage steps began (510.4); `had_attackers` is set once something attacked, also if it is gone
    (508.8).
    """

    attackers: dict[ObjectId, tuple[PlayerId, ObjectId]] = {}
    blocks: dict[ObjectId, tuple[ObjectId, ...]] = {}
    blocked: list[ObjectId] = []
    has_declared_blocks: list[PlayerId] = []
    dealt_first: list[ObjectId] = []
    had_attackers: bool = False


class Offer(msgspec.Struct, frozen=True):
    """A take-back or a repair that waits for consent: who offers what, and who has consented.

    `by` is a player or the judge. A take-back goes to the moment after commit `to`; a repair has a
    `remedy`.
    """

    by: PlayerId
    to: CommitNumber
    consents: tuple[PlayerId, ...]
    remedy: Remedy | None = None


class State(msgspec.Struct):
    """A whole game at a moment; `viewer` is the seat whose view it is, NOBODY if it holds all.

    `taken_back` are the stretches of commits, first and last, that were undone.
    """

    edition: str = ""
    variant: str = ""
    format: str = ""
    players: list[Player] = []
    objects: dict[ObjectId, GameObject] = {}
    battlefield: list[ObjectId] = []
    stack: list[ObjectId] = []
    exile: list[ObjectId] = []
    command: list[ObjectId] = []
    items: dict[ObjectId, StackItem] = {}
    pending: list[PendingTrigger] = []
    effects: list[ContinuousEffect] = []
    delayed: list[DelayedTrigger] = []
    turn: Turn = msgspec.field(default_factory=Turn)
    combat: Combat = msgspec.field(default_factory=Combat)
    last_known: dict[ObjectId, LastKnown] = {}
    became: dict[ObjectId, ObjectId] = {}
    starting_player: PlayerId = NOBODY
    is_arranged: bool = False
    keeps_order: bool = False
    opening_done: bool = False
    winners: tuple[PlayerId, ...] | None = None
    end_reason: str = ""
    deathtouched: list[ObjectId] = []
    next_id: int = 1
    next_timestamp: int = 1
    next_number: int = 1
    next_sequence: int = 0
    shuffles: int = 0
    decision_counters: list[int] = []
    viewer: PlayerId = NOBODY
    offer: Offer | None = None
    taken_back: list[tuple[CommitNumber, CommitNumber]] = []
    has_judge: bool = False

    def to_bytes(self) -> bytes:
        """Return the canonical bytes: equal for equal states, whatever led to them.

        A hand has no order: its ids are written sorted (CR 402.3), as are the keys of all tables.
        """
        return _ENCODER.encode(_in_order(self))

    def digest(self) -> bytes:
        """Return the BLAKE2b-16 digest of the canonical bytes."""
        return hashlib.blake2b(self.to_bytes(), digest_size=16).digest()

    @classmethod
    def from_bytes(cls, data: bytes) -> State:
        """Return the state that `to_bytes` wrote."""
        return _DECODER.decode(data)


def _in_order(state: State) -> State:
    """Return a copy with tables and hands sorted: `msgspec` itself sorts only keys of text."""
    combat = msgspec.structs.replace(
        state.combat,
        attackers=dict(sorted(state.combat.attackers.items())),
        blocks=dict(sorted(state.combat.blocks.items())),
    )
    players = [
        msgspec.structs.replace(
            player, hand=sorted(player.hand), counters=dict(sorted(player.counters.items()))
        )
        for player in state.players
    ]
    return msgspec.structs.replace(
        state,
        players=players,
        objects={name: _counters_in_order(item) for name, item in sorted(state.objects.items())},
        items=dict(sorted(state.items.items())),
        combat=combat,
        last_known=dict(sorted(state.last_known.items())),
        became=dict(sorted(state.became.items())),
    )


def _counters_in_order(item: GameObject) -> GameObject:
    if len(item.counters) < 2:
        return item
    return msgspec.structs.replace(item, counters=dict(sorted(item.counters.items())))


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(State)


def zone_of(state: State, kind: ZoneKind, player: PlayerId) -> list[ObjectId]:
    """Return the list of a zone's objects: for library, hand, graveyard a player's (CR 400.1)."""
    of_player = _ZONES_OF_PLAYERS.get(kind)
    if of_player is not None:
        return of_player(state.players[player])
    shared = _SHARED_ZONES.get(kind)
    assert shared is not None, "the outside of the game is no zone of it (CR 400.11)"
    return shared(state)


_ZONES_OF_PLAYERS: dict[ZoneKind, Callable[[Player], list[ObjectId]]] = {
    ZoneKind.LIBRARY: attrgetter("library"),
    ZoneKind.HAND: attrgetter("hand"),
    ZoneKind.GRAVEYARD: attrgetter("graveyard"),
}
_SHARED_ZONES: dict[ZoneKind, Callable[[State], list[ObjectId]]] = {
    ZoneKind.BATTLEFIELD: attrgetter("battlefield"),
    ZoneKind.STACK: attrgetter("stack"),
    ZoneKind.EXILE: attrgetter("exile"),
    ZoneKind.COMMAND: attrgetter("command"),
}


def players_in_turn_order(state: State, first: PlayerId) -> tuple[PlayerId, ...]:
    """Return the players still in the game in turn order from `first` (CR 101.4, 103.1)."""
    players = state.players
    first = PlayerId(first % len(players)) if players else first
    order = [*range(first, len(players)), *range(first)]
    return tuple([PlayerId(seat) for seat in order if not players[seat].has_left])


def next_in_turn_order(state: State, first: int) -> PlayerId:
    """Return the first player from `first` on who is still in the game, or NOBODY (CR 101.4)."""
    players = state.players
    for offset in range(len(players)):
        seat = (first + offset) % len(players)
        if not players[seat].has_left:
            return PlayerId(seat)
    return NOBODY
