"""Going back and repairs, folded: the State of an earlier commit, with what does not go back.

Chance, ids, timestamps, numbers and the seats' counts of decisions go on as they are, and so does
what the seats know: who saw which card a library's slot is knows it when it lies there again.
"""

from __future__ import annotations

from typing import assert_never

import msgspec

from ..events.catalog import AnyEvent
from ..events.errors import EngineError
from ..events.ids import (
    JUDGE,
    NOTHING,
    CommitNumber,
    DefinitionId,
    ObjectId,
    PlayerId,
    ZoneKind,
)
from ..events.taking_back import (
    ConsentGiven,
    ConsentRefused,
    JudgeNamed,
    LifeCorrected,
    RepairMade,
    RepairOffered,
    TailLost,
    TakeBackOffered,
    TakenBack,
    TakingBackEvent,
)
from ..events.zones import CardsRevealed, MovedCard, ObjectMoved, SeenCards
from .redaction import as_seen, mask_of
from .state import EVERYBODY, GameObject, Offer, State
from .trail import Trail

GOES_ON = (
    *("next_id", "next_timestamp", "next_number", "next_sequence", "shuffles"),
    *("decision_counters", "viewer", "taken_back", "has_judge"),
)
"""The fields of State that do not go back."""

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(State)


class PastUnknown(EngineError):
    """A log goes back to a commit that the fold has not been given."""


def fold_taking_back(trail: Trail, event: TakingBackEvent) -> None:
    """Apply offers, consents, and what became of them."""
    state = trail.state
    match event:
        case JudgeNamed():
            trail.set(state, "has_judge", True)
        case TakeBackOffered():
            trail.set(state, "offer", Offer(event.player, event.to, (event.player,)))
        case RepairOffered():
            trail.set(state, "offer", Offer(JUDGE, CommitNumber(-1), (), event.remedy))
        case ConsentGiven():
            offer = state.offer
            assert offer is not None, "consent is given to what is offered"
            consents = (*offer.consents, event.player)
            trail.set(state, "offer", msgspec.structs.replace(offer, consents=consents))
        case ConsentRefused() | RepairMade():
            trail.set(state, "offer", None)
        case TakenBack():
            _taken_back(trail, event)
        case LifeCorrected():
            trail.set(state.players[event.player], "life", event.life)
        case TailLost():
            pass  # the state is as the log has it; seats learn what of theirs is void
        case _:
            assert_never(event)


def is_on_the_line(state: State, commit: int) -> bool:
    """Say whether a commit has not been undone."""
    return not any(first <= commit <= last for first, last in state.taken_back)


def copied(state: State) -> State:
    """Return a copy in which tables and hands keep their order: procedures go on from it."""
    return from_kept(kept(state))


def kept(state: State) -> bytes:
    """Return a state's bytes in the order in which its tables are, not the canonical one."""
    return _ENCODER.encode(state)


def from_kept(data: bytes) -> State:
    """Return the state that `kept` wrote."""
    return _DECODER.decode(data)


def load(trail: Trail, state: State) -> None:
    """Let a state be another one, through its trail."""
    for name in State.__struct_fields__:
        trail.set(trail.state, name, getattr(state, name))


def carry_over(trail: Trail, onto: State) -> None:
    """Give a state that was gone through again what does not go back, as `onto` has it."""
    state = trail.state
    for field in (*GOES_ON, "offer"):
        trail.set(state, field, getattr(onto, field))
    for name, item in onto.objects.items():
        again = state.objects.get(name)
        if again is not None and again.known_to != item.known_to:
            trail.set(again, "known_to", item.known_to)


class Learned(msgspec.Struct, frozen=True):
    """What some seats came to know: which card an object of a zone is."""

    object: ObjectId
    card: DefinitionId
    known_to: int
    zone: ZoneKind
    player: PlayerId


def learned_by(event: AnyEvent) -> tuple[Learned, ...]:
    """Return what an event told of objects as they were before it."""
    match event:
        case ObjectMoved(secret=MovedCard(object=name, card=card)):
            known_to = mask_of(event.readers)
            return (Learned(name, card, known_to, event.origin, event.origin_player),)
        case ObjectMoved(object=name, card=card) if name and card:
            return (Learned(name, card, EVERYBODY, event.origin, event.origin_player),)
        case CardsRevealed(secret=SeenCards(cards=cards)):
            known_to = mask_of(event.readers)
            return tuple(
                Learned(name, card, known_to, event.zone, event.player) for name, card in cards
            )
        case _:
            return ()


def _taken_back(trail: Trail, event: TakenBack) -> None:
    """Go back to the state after a commit; what is known and counted stays."""
    state = trail.state
    if trail.past is None:
        raise PastUnknown(f"Nothing is kept to go back to commit {event.to} from here.")
    before = trail.past.state_at(event.to)
    first_unknown = before.next_id
    for learned in _known_now(state):
        _know(before, learned, first_unknown)
    for learned in trail.past.learned(event.to + 1, event.last):
        _know(before, learned, first_unknown)
    for name in GOES_ON:
        setattr(before, name, getattr(state, name))
    undone = (CommitNumber(event.to + 1), event.last)
    spans = [span for span in state.taken_back if span[0] < undone[0]]
    before.taken_back = [*spans, undone]
    before.offer = None
    load(trail, before)


def _known_now(state: State) -> list[Learned]:
    """Return what is known of the objects as they are."""
    return [
        Learned(item.id, item.card, item.known_to, item.zone, item.owner)
        for item in state.objects.values()
        if item.known_to
    ]


def _know(before: State, learned: Learned, first_unknown: int) -> None:
    """Let those who have learned it know which card an object of an earlier state is.

    An object that has an id from before and is there later was there before, in the same zone: so a
    seat can tell which card of a hand it is, though it could not then.
    """
    known_to = as_seen(before, learned.known_to)
    if not known_to or not learned.card or learned.object >= first_unknown:
        return
    item = before.objects.get(learned.object)
    if item is not None:
        item.card = learned.card
        item.known_to |= known_to
        return
    if learned.zone != ZoneKind.HAND:
        return
    hand = before.players[learned.player].hand
    if NOTHING in hand:
        hand[hand.index(NOTHING)] = learned.object
        before.objects[learned.object] = GameObject(
            learned.object,
            learned.card,
            learned.player,
            learned.player,
            ZoneKind.HAND,
            known_to=known_to,
        )
