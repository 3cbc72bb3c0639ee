"""What a seat may know of a state: the whole with everything else blank.

`fold(redact(log)) == redact(fold(log))`: a seat that folds its own log comes to the same bytes. So
whatever one view can hold and another cannot is blank here in a form that the fold can make too: a
hand's card without its id is a 0, a library's slot keeps its id and loses its card, and of who
knows a card a seat keeps only whether it does itself.
"""

from __future__ import annotations

from ..events.ids import NOBODY, NOTHING, UNKNOWN_CARD, ObjectId, PlayerId, ZoneKind
from .state import EVERYBODY, GameObject, Player, State


def is_known(known_to: int, seat: PlayerId) -> bool:
    """Whether a seat is among those that know a card."""
    return bool(known_to & (1 << seat))


def mask_of(readers: tuple[PlayerId, ...]) -> int:
    """Return the bits of some seats, as `GameObject.known_to` has them."""
    mask = 0
    for seat in readers:
        mask |= 1 << seat
    return mask


def as_seen(state: State, known_to: int) -> int:
    """Return who knows a card as far as the state's viewer can tell: all of it without one."""
    if state.viewer == NOBODY or known_to == EVERYBODY:
        return known_to
    return known_to & (1 << state.viewer)


def redact_state(state: State, seat: PlayerId) -> State:
    """Return a copy of a state that holds only what a seat may know (CR 400.2, 402.3, 708.5).

    Others' standing passes and counts of decisions are theirs to know; so are the ids of cards in
    hands, and which card a library's slot or a face-down object is, unless it was shown.
    """
    view = State.from_bytes(state.to_bytes())
    view.viewer = seat
    for number, player in enumerate(view.players):
        if number != seat:
            player.standing = 0
        _redact_hand(view, player, seat)
    for item in view.objects.values():
        _redact_object(view, item, seat)
    view.decision_counters = [
        count if number == seat else 0 for number, count in enumerate(view.decision_counters)
    ]
    return view


def _redact_hand(view: State, player: Player, seat: PlayerId) -> None:
    """Leave a 0 for each card of a hand that the seat cannot tell, and no object."""
    known: list[ObjectId] = []
    for name in player.hand:
        held = view.objects.get(name)
        if held is not None and is_known(held.known_to, seat):
            known.append(name)
        else:
            known.append(NOTHING)
            view.objects.pop(name, None)
    player.hand = known


def _redact_object(view: State, item: GameObject, seat: PlayerId) -> None:
    if is_known(item.known_to, seat):
        item.known_to = as_seen(view, item.known_to)
    else:
        assert item.zone != ZoneKind.HAND, "an unknown card of a hand is no object of a view"
        item.card = UNKNOWN_CARD
        item.known_to = 0
