"""Which objects a description means (CR 109, 608.2): filters, references, numbers, conditions.

The same code judges while the layers are derived, and before an object enters: it asks the
`Reader` it is given for characteristics, which may be half-derived then.
"""

from __future__ import annotations

from typing import Protocol, assert_never

from ..cards.model import (
    AllOf,
    Amount,
    AttachedTo,
    CardsInHand,
    Chosen,
    Compare,
    Comparison,
    Condition,
    ControllerOf,
    CountersOn,
    CountOf,
    DefendingPlayer,
    EachPlayer,
    Earlier,
    EventAmount,
    EventObject,
    EventPlayer,
    Every,
    Exists,
    Filter,
    LifeTotal,
    ManaValueOf,
    Matches,
    Negative,
    NotSo,
    Number,
    Objects,
    OwnerOf,
    Players,
    PowerOf,
    Target,
    This,
    ToughnessOf,
    VariableX,
    You,
    YourTurn,
)
from ..events.ids import NOTHING, OWNED_ZONES, ObjectId, PlayerId, ZoneKind
from .characteristics import Characteristics
from .context import Context
from .state import State, players_in_turn_order, zone_of


class Reader(Protocol):
    """Where judgement reads: the state, and characteristics as far as they are derived."""

    @property
    def state(self) -> State:
        """The state."""

    def characteristics(self, object_id: ObjectId) -> Characteristics:
        """Return an object's characteristics, last known ones if it is gone (CR 113.7a)."""


def matches(reader: Reader, what: Filter, object_id: ObjectId, context: Context) -> bool:
    """Say whether an existing object in the filter's zone is as the filter describes."""
    found = reader.state.objects.get(object_id)
    if found is None or found.zone != what.zone:
        return False
    return fits(reader, what, object_id, context)


def fits(reader: Reader, what: Filter, object_id: ObjectId, context: Context) -> bool:
    """Say whether an object, wherever it is or last was, is as the filter describes."""
    if not _identity_fits(reader, what, object_id, context):
        return False
    traits = reader.characteristics(object_id)
    return (
        _types_fit(what, traits)
        and _rest_fits(what, traits)
        and _player_fits(reader, what.controller, traits.controller, context)
        and (
            what.owner == "any"
            or _player_fits(reader, what.owner, owner_of(reader, object_id), context)
        )
        and _status_fits(reader.state, what, object_id)
        and _number_fits(reader, what.power, traits.power, context)
        and _number_fits(reader, what.toughness, traits.toughness, context)
        and _number_fits(reader, what.mana_value, traits.mana_value, context)
        and (not what.any_of or any(fits(reader, one, object_id, context) for one in what.any_of))
    )


def _identity_fits(reader: Reader, what: Filter, object_id: ObjectId, context: Context) -> bool:
    match what.identity:
        case "any":
            return True
        case "this":
            return object_id == context.source
        case "other":
            # What the source has just become is no other object to its own ability (CR 400.7e).
            state = reader.state
            return object_id not in (context.source, state.became.get(context.source))
        case "attached":
            return object_id == attached_object(reader.state, context.source)
        case "not-attached":
            return object_id != attached_object(reader.state, context.source)
        case _:
            assert_never(what.identity)


def _types_fit(what: Filter, traits: Characteristics) -> bool:
    return (
        all(name in traits.types for name in what.types)
        and (not what.any_type or any(traits.has_type(name) for name in what.any_type))
        and not any(traits.has_type(name) for name in what.not_types)
        and all(name in traits.subtypes for name in what.subtypes)
        and all(name in traits.supertypes for name in what.supertypes)
        and not any(name in traits.supertypes for name in what.not_supertypes)
    )


def _rest_fits(what: Filter, traits: Characteristics) -> bool:
    return (
        all(color in traits.colors for color in what.colors)
        and (not what.any_color or any(color in traits.colors for color in what.any_color))
        and not any(color in traits.colors for color in what.not_colors)
        and all(word in traits.keywords for word in what.keywords)
        and not any(word in traits.keywords for word in what.not_keywords)
        and (not what.names or traits.name in what.names)
    )


def _player_fits(reader: Reader, whose: str | Players, player: PlayerId, context: Context) -> bool:
    match whose:
        case "any":
            return True
        case "you":
            return player == context.you
        case "opponent" | "not-you":
            return player != context.you
        case str():
            msg = f"no player is meant by {whose!r}"
            raise AssertionError(msg)
        case _:
            return player in players_of(reader, whose, context)


def _status_fits(state: State, what: Filter, object_id: ObjectId) -> bool:
    found = state.objects.get(object_id)
    known = state.last_known.get(object_id)
    tapped = found.tapped if found is not None else known is not None and known.tapped
    token = found.is_token if found is not None else known is not None and known.is_token
    combat = state.combat
    attacking = object_id in combat.attackers or (
        found is None and known is not None and known.defender >= 0
    )
    return (
        (what.tapped is None or what.tapped == tapped)
        and (what.token is None or what.token == token)
        and (what.attacking is None or what.attacking == attacking)
        and (what.blocking is None or what.blocking == (object_id in combat.blocks))
        and (what.blocked is None or what.blocked == (object_id in combat.blocked))
        and (what.face_down is None or what.face_down == (found is not None and found.face_down))
        and (not what.counters or counters_on(state, object_id, what.counters) > 0)
    )


def _number_fits(
    reader: Reader, wanted: Comparison | None, value: int | None, context: Context
) -> bool:
    if wanted is None:
        return True
    return value is not None and compare(
        value, wanted.relation, amount_of(reader, wanted.value, context)
    )


def compare(left: int, relation: str, right: int) -> bool:
    """Say whether two numbers stand in the relation."""
    match relation:
        case "=":
            return left == right
        case "<=":
            return left <= right
        case ">=":
            return left >= right
        case "<":
            return left < right
        case ">":
            return left > right
        case _:
            msg = f"no relation is called {relation!r}"
            raise AssertionError(msg)


def counters_on(state: State, object_id: ObjectId, kind: str) -> int:
    """Return how many counters of a kind an object has, or last had."""
    found = state.objects.get(object_id)
    if found is not None:
        return found.counters.get(kind, 0)
    known = state.last_known.get(object_id)
    return dict(known.counters).get(kind, 0) if known is not None else 0


def owner_of(reader: Reader, object_id: ObjectId) -> PlayerId:
    """Return the owner of an object that exists or is remembered (CR 108.3)."""
    found = reader.state.objects.get(object_id)
    if found is not None:
        return found.owner
    known = reader.state.last_known.get(object_id)
    return known.owner if known is not None else PlayerId(-1)


def attached_object(state: State, source: ObjectId) -> ObjectId:
    """Return what a permanent is attached to, or last was (CR 301.5, 303.4)."""
    found = state.objects.get(source)
    if found is not None:
        return found.attached_to
    known = state.last_known.get(source)
    return known.attached_to if known is not None else NOTHING


def objects_in_zone(state: State, zone: ZoneKind) -> tuple[ObjectId, ...]:
    """Return all objects of a kind of zone, players' zones in seat order."""
    if zone in OWNED_ZONES:
        return tuple(
            item
            for player in range(len(state.players))
            for item in zone_of(state, zone, PlayerId(player))
        )
    return tuple(zone_of(state, zone, PlayerId(0)))


def every(reader: Reader, what: Filter, context: Context) -> tuple[ObjectId, ...]:
    """Return all objects that the filter describes, in the order of their zone."""
    return tuple(
        item
        for item in objects_in_zone(reader.state, what.zone)
        if fits(reader, what, item, context)
    )


def objects_of(reader: Reader, what: Objects, context: Context) -> tuple[ObjectId, ...]:
    """Return the objects that a reference means, oldest first; gone ones included.

    `Chosen` needs a player's choice and is the procedures' affair.
    """
    match what:
        case This():
            return (context.source,)
        case AttachedTo():
            found = attached_object(reader.state, context.source)
            return (found,) if found else ()
        case Target(index):
            return tuple(
                item.object for item in context.targets if item.phrase == index and item.object
            )
        case Earlier(index):
            return context.earlier[index] if index < len(context.earlier) else ()
        case EventObject():
            return (context.about,) if context.about else ()
        case Every(description):
            return every(reader, description, context)
        case Chosen():
            msg = "what a player is to choose cannot be read off the state"
            raise AssertionError(msg)
        case _:
            assert_never(what)


def players_of(reader: Reader, who: Players, context: Context) -> tuple[PlayerId, ...]:
    """Return the players that a reference means, in APNAP order (CR 101.4)."""
    state = reader.state
    match who:
        case You():
            return (context.you,)
        case EachPlayer(opponents_only):
            order = players_in_turn_order(state, state.turn.active)
            return tuple(p for p in order if not (opponents_only and p == context.you))
        case EventPlayer():
            return (context.about_player,) if context.about_player >= 0 else ()
        case DefendingPlayer():
            return defending_player(state, context)
        case ControllerOf(of):
            return tuple(
                reader.characteristics(item).controller for item in objects_of(reader, of, context)
            )
        case OwnerOf(of):
            return tuple(owner_of(reader, item) for item in objects_of(reader, of, context))
        case Target(index):
            return tuple(
                item.player for item in context.targets if item.phrase == index and not item.object
            )
        case _:
            assert_never(who)


def defending_player(state: State, context: Context) -> tuple[PlayerId, ...]:
    """Return the player whom the attacker attacks, or attacked as it left (CR 508.5, 508.5a).

    The attacker is the creature that the trigger is about if that attacks, else the source.
    """
    for creature in (context.about, context.source):
        attack = state.combat.attackers.get(creature)
        if attack is not None:
            return (attack[0],)
        known = state.last_known.get(creature)
        if known is not None and known.defender >= 0:
            return (PlayerId(known.defender),)
    return (context.about_player,) if context.about_player >= 0 else ()


def amount_of(reader: Reader, amount: Amount, context: Context) -> int:
    """Return a number of an ability now; negative results are the user's affair (CR 107.1b)."""
    match amount:
        case Number(value):
            return value
        case VariableX():
            return context.x
        case CountOf(what, each):
            return each * len(every(reader, what, context))
        case PowerOf(of):
            return sum(
                reader.characteristics(item).power or 0 for item in objects_of(reader, of, context)
            )
        case ToughnessOf(of):
            return sum(
                reader.characteristics(item).toughness or 0
                for item in objects_of(reader, of, context)
            )
        case ManaValueOf(of):
            return sum(
                reader.characteristics(item).mana_value for item in objects_of(reader, of, context)
            )
        case CountersOn(of, kind):
            return sum(
                counters_on(reader.state, item, kind) for item in objects_of(reader, of, context)
            )
        case CardsInHand(of):
            return sum(len(reader.state.players[p].hand) for p in players_of(reader, of, context))
        case LifeTotal(of):
            return sum(reader.state.players[p].life for p in players_of(reader, of, context))
        case EventAmount():
            return context.amount
        case Negative(of):
            return -amount_of(reader, of, context)
        case _:
            assert_never(amount)


def change_of(reader: Reader, amount: Amount, context: Context) -> int:
    """Return what a number adds to power or toughness: what is counted is never below 0 (107.1b).

    "-2/-0" takes 2 away; "+X/+0, where X is its power" adds nothing for a power of -2.
    """
    match amount:
        case Number(value):
            return value
        case Negative(of):
            return -max(0, amount_of(reader, of, context))
        case _:
            return max(0, amount_of(reader, amount, context))


def holds(reader: Reader, condition: Condition, context: Context) -> bool:
    """Say whether a condition holds now (CR 603.4, 604.2, 608.2c)."""
    match condition:
        case Exists(what, at_least):
            return len(every(reader, what, context)) >= at_least
        case Matches(of, what):
            found = objects_of(reader, of, context)
            return bool(found) and all(fits(reader, what, item, context) for item in found)
        case Compare(left, right, relation):
            return compare(
                amount_of(reader, left, context), relation, amount_of(reader, right, context)
            )
        case YourTurn():
            return reader.state.turn.active == context.you
        case NotSo(inner):
            return not holds(reader, inner, context)
        case AllOf(conditions):
            return all(holds(reader, item, context) for item in conditions)
        case _:
            assert_never(condition)
