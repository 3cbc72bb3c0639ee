"""What made a state-based action due: the event after which it was, and the damage before it.

State-based actions happen because the game is in a state (CR 704.3), not because of an event. The
log is gone back until the action was not due yet: the event after that is what made it so.
"""

from __future__ import annotations

from ..events.catalog import AnyEvent
from ..events.game import PlayerLost
from ..events.ids import ObjectId
from ..events.life import DamageDealt, LifeLost
from ..events.turn import TurnBegan, TurnEffectsEnded
from ..events.zones import CountersRemoved, MovedCard, ObjectMoved
from ..projections.position import Position
from ..rules.actions import Action, Cease, DestroyPermanent, Move, Occur, TakeCounters, Unattach
from ..rules.state_based import same_legends, state_based_actions
from .history import Entry, History

LOOK_BACK_MAX = 2_000
"""How many events are gone back; what was due longer than that has no cause to be found."""

DAMAGE_RULES = ("704.5g", "704.5h")


def made_due(history: History, entry: Entry) -> tuple[Entry, ...]:
    """Return the events that made a state-based action due, the latest first."""
    made = _turning_point(history, entry)
    if made is None:
        return ()
    found = [one for one in history.group_of(made) if _is_alike(one.event, made.event)]
    if entry.event.rule in DAMAGE_RULES:
        found += _marked_before(history, made, _subject(entry.event))
    return tuple(sorted(dict.fromkeys((made, *found)), key=lambda one: -one.index))


def _turning_point(history: History, entry: Entry) -> Entry | None:
    first = history.group_of(entry)[0]
    game = history.before(first)
    if not is_due(game, entry.event):
        return None
    for tried, one in enumerate(history.backwards(first)):
        if tried > LOOK_BACK_MAX:
            return None
        history.timeline.back()
        if not game.state.players or not is_due(game, entry.event):
            return one
    return None


def is_due(game: Position, event: AnyEvent) -> bool:
    """Say whether the state-based action that an event was is due in a position."""
    subject = _subject(event)
    if event.rule == "704.5j":
        return any(subject in group for _, group in same_legends(game))
    return any(
        action.rule == event.rule and _matches(action, event, subject)
        for action in state_based_actions(game)
    )


def _matches(action: Action, event: AnyEvent, subject: ObjectId) -> bool:
    match action:
        case Occur(event=PlayerLost(player=player)):
            return isinstance(event, PlayerLost) and event.player == player
        case TakeCounters(object=item, kind=kind):
            return isinstance(event, CountersRemoved) and (item, kind) == (subject, event.kind)
        case Move() | DestroyPermanent() | Cease() | Unattach():
            return action.object == subject
        case _:
            return False


def _subject(event: AnyEvent) -> ObjectId:
    """Return the object that an event is about, 0 where it is about a player."""
    if isinstance(event, ObjectMoved) and isinstance(event.secret, MovedCard):
        return event.object or event.secret.object
    return ObjectId(getattr(event, "object", 0))


def _is_alike(event: AnyEvent, other: AnyEvent) -> bool:
    """Say whether two events of a group did the same to the same: damage from two sources."""
    if isinstance(event, DamageDealt) and isinstance(other, DamageDealt):
        return (event.to, event.to_player) == (other.to, other.to_player)
    if isinstance(event, LifeLost) and isinstance(other, LifeLost):
        return event.player == other.player
    return False


def _marked_before(history: History, made: Entry, creature: ObjectId) -> list[Entry]:
    """Return the damage of this turn that was marked on a creature before (CR 120.6)."""
    found: list[Entry] = []
    for one in history.backwards(made):
        match one.event:
            case TurnEffectsEnded() | TurnBegan():
                break
            case DamageDealt(to=to, is_marked=True) if to == creature:
                found.append(one)
            case _:
                continue
    return found
