"""Objects come, go, move between zones and are seen (CR 400, 111)."""

from __future__ import annotations

from typing import ClassVar

from .base import Event, Secret
from .ids import DefinitionId, ObjectId, PlayerId, ZoneKind


class MovedCard(Secret, frozen=True, tag=1):
    """Which object moved, as what, where the zones' cards are not for everybody's eyes."""

    object: ObjectId
    becomes: ObjectId
    card: DefinitionId


class SlotCard(Secret, frozen=True, tag=2):
    """The card in one slot of a library."""

    card: DefinitionId


class SeenCards(Secret, frozen=True, tag=3):
    """Objects of a hidden zone with the cards they are."""

    cards: tuple[tuple[ObjectId, DefinitionId], ...]


class NewNames(Secret, frozen=True, tag=4):
    """Pairs of an object's id before and after all in a zone were given fresh ids."""

    names: tuple[tuple[ObjectId, ObjectId], ...]


class LastKnown(Secret, frozen=True, tag=5):
    """What an object was as it left the battlefield or the stack (CR 113.7a, 608.2h).

    `power` and `toughness` are None where it had none. `keywords` are the names of its keyword
    abilities; `counters` pairs of kind and number. Never hidden by itself: a plain record.
    """

    card: DefinitionId
    name: str
    controller: PlayerId
    owner: PlayerId
    types: tuple[str, ...]
    subtypes: tuple[str, ...]
    supertypes: tuple[str, ...]
    colors: tuple[str, ...]
    power: int | None
    toughness: int | None
    keywords: tuple[str, ...]
    counters: tuple[tuple[str, int], ...]
    attached_to: ObjectId
    tapped: bool
    is_token: bool
    mana_value: int
    defender: int


class ObjectMoved(Event, frozen=True, tag=1):
    """An object went from one zone to another and is a new object there (CR 400.7).

    `object` and `becomes` are 0, and `card` is empty, where the id or the card stands in `secret`:
    `object` when it came from a hand, `becomes` and `card` when it went to a hidden zone or face
    down. `position` counts from the top of a library (0), -1 is its bottom; elsewhere it is -1.
    Every move takes one id; one to the battlefield takes one timestamp as well. `manner` is a word
    for what the move was in the rules' terms: drawn, discarded, destroyed, sacrificed, cast,
    played, resolved, countered, milled, returned, exiled, shuffled-in, put-on-bottom, died.
    """

    object: ObjectId
    origin: ZoneKind
    origin_player: PlayerId
    destination: ZoneKind
    player: PlayerId
    becomes: ObjectId
    card: DefinitionId
    controller: PlayerId
    position: int
    tapped: bool
    face_down: bool
    readers: tuple[PlayerId, ...]
    secret: MovedCard | bytes | None
    last_known: LastKnown | None
    manner: str = ""

    sealed_fields: ClassVar[tuple[str, ...]] = ("secret",)

    def sealed_readers(self) -> tuple[PlayerId, ...]:
        """Return who knows the object where it was or where it is."""
        return self.readers


class LibraryShuffled(Event, frozen=True, tag=2):
    """A library was shuffled (CR 701.20); its slots have fresh ids from the top, in order."""

    player: PlayerId
    first_id: ObjectId
    slots: tuple[SlotCard | bytes, ...]

    sealed_fields: ClassVar[tuple[str, ...]] = ("slots",)


class ObjectsRenamed(Event, frozen=True, tag=3):
    """All objects of a hidden zone were given fresh ids, so that none can be followed.

    It goes before a card chosen in secret leaves a hand, or goes into one unseen: who knew some
    cards of it and not the choice knows none of them afterwards. It takes as many ids as the zone
    has objects.
    """

    player: PlayerId
    zone: ZoneKind
    readers: tuple[PlayerId, ...]
    secret: NewNames | bytes

    sealed_fields: ClassVar[tuple[str, ...]] = ("secret",)

    def sealed_readers(self) -> tuple[PlayerId, ...]:
        """Return who can still tell the objects apart."""
        return self.readers


class CardsRevealed(Event, frozen=True, tag=4):
    """Cards of a hidden zone were shown to some players, or to all (CR 701.16)."""

    player: PlayerId
    zone: ZoneKind
    readers: tuple[PlayerId, ...]
    secret: SeenCards | bytes

    sealed_fields: ClassVar[tuple[str, ...]] = ("secret",)

    def sealed_readers(self) -> tuple[PlayerId, ...]:
        """Return who saw the cards."""
        return self.readers


class TokenCreated(Event, frozen=True, tag=5):
    """A token entered the battlefield (CR 111.2); it takes one id and one timestamp."""

    object: ObjectId
    owner: PlayerId
    card: DefinitionId
    tapped: bool


class ObjectCeased(Event, frozen=True, tag=6):
    """A token or a copy outside its zone, or an ability, ceased to exist (CR 704.5d, 704.5e)."""

    object: ObjectId


class PermanentTapped(Event, frozen=True, tag=7):
    """A permanent became tapped (CR 701.21a)."""

    object: ObjectId


class PermanentUntapped(Event, frozen=True, tag=8):
    """A permanent became untapped (CR 701.21b)."""

    object: ObjectId


class CountersPut(Event, frozen=True, tag=9):
    """Counters were put on an object (CR 122.6)."""

    object: ObjectId
    kind: str
    amount: int


class CountersRemoved(Event, frozen=True, tag=10):
    """Counters left an object (CR 122)."""

    object: ObjectId
    kind: str
    amount: int


class ObjectAttached(Event, frozen=True, tag=11):
    """A permanent became attached to an object or a player (CR 701.3).

    Attached to a player, `to` is 0 and `to_player` the player; else `to_player` is -1. It takes
    one timestamp (CR 613.7e).
    """

    object: ObjectId
    to: ObjectId
    to_player: PlayerId


class ObjectUnattached(Event, frozen=True, tag=12):
    """An Equipment came off what it was attached to (CR 701.3d)."""

    object: ObjectId


class ControlGained(Event, frozen=True, tag=13):
    """A player gained control of a permanent: it was not continuously theirs before (CR 302.6)."""

    object: ObjectId
    player: PlayerId


class LibraryArranged(Event, frozen=True, tag=14):
    """A player put each of the top cards of a library on its top or its bottom (CR 701.18a).

    `count` cards were looked at, `bottom` of them went to the bottom. All of them have fresh ids,
    in the order of the slots they lie in now, those on top first: only the reader knows which was
    which.
    """

    player: PlayerId
    count: int
    bottom: int
    readers: tuple[PlayerId, ...]
    secret: NewNames | bytes

    sealed_fields: ClassVar[tuple[str, ...]] = ("secret",)

    def sealed_readers(self) -> tuple[PlayerId, ...]:
        """Return who knows where each card went."""
        return self.readers


class PermanentTurnedFaceUp(Event, frozen=True, tag=15):
    """A permanent was turned face up: all see its card (CR 708.8); it takes one timestamp."""

    object: ObjectId
    card: DefinitionId


class PermanentTurnedFaceDown(Event, frozen=True, tag=16):
    """A permanent was turned face down in everybody's sight (CR 708.2a); it takes one timestamp."""

    object: ObjectId


ZoneEvent = (
    ObjectMoved
    | LibraryShuffled
    | ObjectsRenamed
    | CardsRevealed
    | TokenCreated
    | ObjectCeased
    | PermanentTapped
    | PermanentUntapped
    | CountersPut
    | CountersRemoved
    | ObjectAttached
    | ObjectUnattached
    | ControlGained
    | LibraryArranged
    | PermanentTurnedFaceUp
    | PermanentTurnedFaceDown
)
