"""The causes of one event: what it says itself, and what the log shows where it says nothing.

What state-based and turn-based actions and the course of the turn came of is not logged: it is
read off the events before, on the position as it was.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..events.combat import AttackersDeclared, BlockersDeclared
from ..events.decisions import (
    Answer,
    ChooseNumber,
    ChooseObjects,
    ChoosePlayers,
    ChooseTargets,
    OrderObjects,
)
from ..events.game import ChoiceMade, GameEnded, OpeningHandsDone, PlayerLeft, PlayerLost
from ..events.life import DamageDealt, DrawFailed, LifeGained, LifeLost
from ..events.stack import (
    AbilityTriggered,
    DelayedTriggerCreated,
    EffectBegan,
    EffectEnded,
    ObjectCountered,
)
from ..events.turn import PriorityPassed, StepBegan, TurnBegan, TurnEffectsEnded
from ..events.zones import CountersPut, CountersRemoved, ObjectMoved
from .due import made_due
from .history import Entry, History

TURN_RULES = ("500.", "501.", "502.", "503.", "504.", "505.", "506.", "507.", "508.", "509.")
LATE_TURN_RULES = ("510.", "511.", "512.", "513.", "514.")
"""The rules of turn-based actions: their events come of the step."""


CHOICES = (Answer, ChooseNumber, ChooseObjects, ChoosePlayers, ChooseTargets, OrderObjects)
"""Decisions by which a seat has a part in what another's spell or ability does."""


class Node(msgspec.Struct, frozen=True):
    """A cause: an event, or the decision of a commit where `place` is None."""

    commit: int
    place: int | None = None


def causes_of(history: History, entry: Entry) -> tuple[Node, ...]:
    """Return what brought an event about, one step back; never nothing."""
    event = entry.event
    found: list[Node] = []
    if event.cause:
        cause = history.of_sequence(event.cause - 1, entry)
        found += _events(cause)
    found += _besides(history, entry)
    if not found:
        found += _derived(history, entry)
    return tuple(dict.fromkeys(found)) or (Node(entry.commit),)


def _events(*entries: Entry | None) -> list[Node]:
    return [Node(one.commit, one.place) for one in entries if one is not None]


def _besides(history: History, entry: Entry) -> list[Node]:
    """Return further causes that an event has beside the one it names."""
    event = entry.event
    match event:
        case LifeLost() | LifeGained() | CountersPut() | CountersRemoved() if _is_result(
            event.rule
        ):
            return _events(*_damage_beside(history, entry))
        case AbilityTriggered(delayed=delayed) if delayed:
            return _events(_latest(history, entry, lambda one: _creates(one.event, delayed)))
        case ObjectCountered(rule="608.2b"):
            return _events(*_lost_targets(history, entry))
        case AbilityTriggered():
            return []
        case _ if event.cause and _is_chosen(history, entry.commit):
            return [Node(entry.commit)]
        case _:
            return []


def _is_chosen(history: History, commit: int) -> bool:
    """Say whether the decision of a commit was a choice while something went on (CR 608.2d).

    One that is sealed was, where what came of it first has a cause of its own.
    """
    decision = history.decision(commit)
    if decision is None:
        first = history.of_commit(commit)[0].event
        return bool(first.cause) or isinstance(first, ChoiceMade)
    return isinstance(decision, CHOICES)


def _is_result(rule: str) -> bool:
    return rule.startswith("120.3")


def _damage_beside(history: History, entry: Entry) -> list[Entry]:
    """Return the damage that an event is a result of (CR 120.3).

    Each damage to a player comes with its own loss of life, in the same order.
    """
    event = entry.event
    group = history.group_of(entry)
    found: list[Entry] = []
    for one in group:
        damage = one.event
        if not isinstance(damage, DamageDealt) or damage.cause != event.cause:
            continue
        if isinstance(event, LifeLost):
            is_of = not damage.to and damage.to_player == event.player
        elif isinstance(event, LifeGained):
            source = history.before_group(entry).characteristics(damage.source)
            is_of = "lifelink" in source.keywords and source.controller == event.player
            is_of = is_of and _dealt_by(group, damage) == event.amount
        else:
            is_of = damage.to == getattr(event, "object", 0)
        if is_of:
            found.append(one)
    if isinstance(event, LifeLost):
        losses = [one.index for one in group if _is_loss_of(one.event, event)]
        if len(losses) == len(found):
            return [found[losses.index(entry.index)]]
    return found


def _dealt_by(group: tuple[Entry, ...], damage: DamageDealt) -> int:
    """Return all that a source dealt at that time: lifelink gains it at once (CR 702.15e)."""
    return sum(
        one.event.amount
        for one in group
        if isinstance(one.event, DamageDealt) and one.event.source == damage.source
    )


def _is_loss_of(event: object, other: LifeLost) -> bool:
    return isinstance(event, LifeLost) and (event.rule, event.player) == (other.rule, other.player)


def _creates(event: object, number: int) -> bool:
    return isinstance(event, DelayedTriggerCreated) and event.number == number


def _lost_targets(history: History, entry: Entry) -> list[Entry]:
    """Return the moves by which the targets of what did not resolve went away (CR 608.2b)."""
    assert isinstance(entry.event, ObjectCountered), "a spell or ability that did not resolve"
    item = history.before_group(entry).state.items.get(entry.event.object)
    targets = tuple(one.object for one in item.targets if one.object) if item is not None else ()
    gone: list[Entry] = []
    for target in targets:
        moves = (one for one in history.backwards(entry) if _takes_away(one.event, target))
        gone += [moved for moved in (next(moves, None),) if moved is not None]
    return gone


def _takes_away(event: object, target: int) -> bool:
    return isinstance(event, ObjectMoved) and event.object == target


def _latest(history: History, entry: Entry, fits: Callable[[Entry], bool]) -> Entry | None:
    return next((one for one in history.backwards(entry) if fits(one)), None)


def _derived(history: History, entry: Entry) -> list[Node]:
    """Return the causes of an event that names none."""
    event = entry.event
    rule = event.rule
    if rule.startswith("704.5"):
        return _events(*made_due(history, entry)) or _just_before(history, entry)
    match event:
        case GameEnded() | PlayerLeft():
            return _events(*_losses(history, entry)) or _just_before(history, entry)
        case TurnBegan() | StepBegan():
            return _course(history, entry)
        case EffectEnded(number=number):
            return _events(_latest(history, entry, lambda one: _begins(one.event, number))) + (
                _just_before(history, entry)
            )
        case DamageDealt(is_combat=True):
            return _fight(history, entry, event) or _step(history, entry)
        case DrawFailed():
            return _step(history, entry)
        case _ if rule.startswith((*TURN_RULES, *LATE_TURN_RULES)):
            return _step(history, entry)
        case _ if rule.startswith(("800.4", "506.4")) or _follows_a_pass(history, entry):
            return _just_before(history, entry)
        case _:
            return [Node(entry.commit)]


def _follows_a_pass(history: History, entry: Entry) -> bool:
    """Say whether an event came of the passing of all, not of the decision itself."""
    first = history.of_commit(entry.commit)[0]
    return first.index != entry.index and isinstance(first.event, PriorityPassed)


def _just_before(history: History, entry: Entry) -> list[Node]:
    """Return the last event of the group before in the same commit, else the decision."""
    first = history.group_of(entry)[0]
    if first.place == 0:
        return [Node(entry.commit)]
    return _events(history.entry(entry.commit, first.place - 1))


def _losses(history: History, entry: Entry) -> list[Entry]:
    """Return the losses of players since the last time anything else happened to the game."""
    found: list[Entry] = []
    for one in history.backwards(entry):
        if isinstance(one.event, PlayerLost):
            found.append(one)
        elif found or one.commit != entry.commit:
            break
    return found


def _begins(event: object, number: int) -> bool:
    return isinstance(event, EffectBegan) and event.number == number


def _step(history: History, entry: Entry) -> list[Node]:
    """Return the step that a turn-based action belongs to, and what was decided for it."""
    began = _latest(history, entry, lambda one: isinstance(one.event, StepBegan))
    if began is None:
        return [Node(entry.commit)]
    if began.commit == entry.commit:
        return _events(began)
    decided = [Node(entry.commit)]
    is_declared = entry.event.rule.startswith(("508.", "509."))
    return decided if is_declared else [*decided, *_events(began)]


def _fight(history: History, entry: Entry, damage: DamageDealt) -> list[Node]:
    """Return the attack and the block that let a creature deal combat damage (CR 510.1)."""
    found: list[Entry] = []
    for one in history.backwards(entry):
        match one.event:
            case BlockersDeclared(blocks=blocks):
                pairs = ((damage.source, damage.to), (damage.to, damage.source))
                if any(block in pairs for block in blocks):
                    found.append(one)
            case AttackersDeclared(attackers=attackers):
                if any(item in (damage.source, damage.to) for item, *_ in attackers):
                    found.append(one)
                break
            case _:
                continue
    divided = entry.commit not in {one.commit for one in found} and entry.place == 0
    return [*([Node(entry.commit)] if divided else []), *_events(*found)]


def _course(history: History, entry: Entry) -> list[Node]:
    """Return why a step or turn began: what came before it, or all passed (CR 500.2)."""
    for one in history.backwards(entry):
        if one.commit != entry.commit:
            break
        if isinstance(one.event, TurnBegan | StepBegan | TurnEffectsEnded | OpeningHandsDone):
            return _events(one)
    passes = _passes(history, entry.commit)
    return _events(*passes) if passes else [Node(entry.commit)]


def _passes(history: History, last: int) -> list[Entry]:
    """Return the passes in succession that end with a commit, the latest first."""
    found: list[Entry] = []
    for number in range(last, -1, -1):
        events = history.of_commit(number)
        first = events[0] if events else None
        if first is None or not isinstance(first.event, PriorityPassed):
            break
        if number != last and len(events) > 1:
            break
        if any(getattr(one.event, "player", None) == first.event.player for one in found):
            break
        found.append(first)
    return found
