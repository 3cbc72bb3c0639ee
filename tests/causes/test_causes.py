"""Every event says why: its rule is one of the rules, its causes lead back to a decision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from apnap.events.base import Event
from apnap.events.ids import ZoneKind
from apnap.events.life import DamageDealt, LifeGained, LifeLost
from apnap.events.memory_store import MemoryStore
from apnap.events.stack import (
    AbilityActivated,
    AbilityTriggered,
    EffectBegan,
    ObjectCountered,
    ObjectResolved,
    SpellCast,
    TriggerPutOnStack,
)
from apnap.events.zones import CountersPut, ObjectMoved, TokenCreated
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import recorded_game

DECKS = ("red-green-stompers", "white-black-wardens")
GAMES = 4
BEGINNINGS = (SpellCast, AbilityActivated, AbilityTriggered)
"""What puts something on the stack, whose resolution has effects."""


@pytest.fixture(scope="module")
def logs() -> tuple[tuple[Event, ...], ...]:
    """Return the events of random games of two to four players, in order."""
    return tuple(_events_of(seed) for seed in range(GAMES))


def _events_of(seed: int) -> tuple[Event, ...]:
    store = MemoryStore()
    decks = tuple(DECKS[seat % 2] for seat in range(2 + seed % 3))
    game = host_new_game(store, GameSetup(decks=decks, seed=seed, agents=("random",)))
    game.play()
    game.close()
    commits = recorded_game(store, game.game).commits()
    return tuple(event for commit in commits for group in commit.groups for event in group)


def _causes(log: tuple[Event, ...], event: Event) -> Iterator[Event]:
    """Yield what brought an event about, the nearest cause first."""
    while event.cause:
        event = log[event.cause - 1]
        yield event


def _is_of_a_resolution(event: Event) -> bool:
    """Say whether only a spell or ability that resolves makes such an event happen."""
    match event:
        case DamageDealt(is_combat=is_combat):
            return not is_combat
        case LifeGained(rule=rule) | LifeLost(rule=rule):
            return rule == "119.3"
        case ObjectMoved(manner="drawn", rule=rule):
            return rule == "121.2"
        case ObjectMoved(manner="destroyed" | "exiled" | "returned", rule=rule):
            return rule.startswith("701")
        case CountersPut(rule=rule):
            return rule == "122.6"
        case EffectBegan() | TokenCreated() | ObjectResolved() | ObjectCountered():
            return True
        case _:
            return False


def test_a_cause_is_a_decision_or_an_earlier_event(logs: tuple[tuple[Event, ...], ...]) -> None:
    for log in logs:
        for sequence, event in enumerate(log):
            assert 0 <= event.cause <= sequence, f"event {sequence}: {event}"


@pytest.mark.rule("608.2c")
def test_what_an_effect_does_is_caused_by_its_spell_or_ability(
    logs: tuple[tuple[Event, ...], ...],
) -> None:
    seen = 0
    for log in logs:
        for event in filter(_is_of_a_resolution, log):
            first = next(_causes(log, event), None)
            assert isinstance(first, BEGINNINGS), f"{event} is caused by {first}"
            seen += 1
    assert seen > 100


@pytest.mark.rule("603.2")
def test_a_trigger_is_caused_by_what_it_triggered_on(logs: tuple[tuple[Event, ...], ...]) -> None:
    kinds: dict[str, int] = {}
    for log in logs:
        for event in log:
            if isinstance(event, AbilityTriggered):
                cause = next(_causes(log, event), None)
                assert cause is not None, f"{event} triggered on nothing"
                kinds[type(cause).__name__] = kinds.get(type(cause).__name__, 0) + 1
            if isinstance(event, TriggerPutOnStack):
                cause = next(_causes(log, event))
                assert isinstance(cause, AbilityTriggered)
                assert cause.number == event.number
    assert len(kinds) > 2, kinds


@pytest.mark.rule("603.10a")
def test_a_dies_trigger_is_caused_by_the_move_to_the_graveyard(
    logs: tuple[tuple[Event, ...], ...],
) -> None:
    found = 0
    for log in logs:
        for event in log:
            cause = next(_causes(log, event), None)
            if isinstance(event, AbilityTriggered) and isinstance(cause, ObjectMoved):
                left = cause.origin == ZoneKind.BATTLEFIELD
                assert event.about == (cause.object if left else cause.becomes)
                found += left
    assert found


def test_every_event_carries_a_rule_that_exists(
    logs: tuple[tuple[Event, ...], ...], shared: Path
) -> None:
    text = (shared / "rules" / "comprehensive-rules-2025-02-07.txt").read_text("utf-8-sig")
    known = set(re.findall(r"^(\d{3}\.\d+[a-z]?)\b", text, re.MULTILINE))
    carried = {event.rule for log in logs for event in log}
    assert carried - known == set()
