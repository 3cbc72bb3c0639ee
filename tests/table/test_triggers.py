"""Triggered abilities go on the stack before a player gets priority (CR 603)."""

from __future__ import annotations

import pytest

from apnap.cards.model import CardDefinition
from apnap.events.base import Event
from apnap.events.decisions import (
    ChooseTargets,
    OrderObjects,
    TakeMulligan,
)
from apnap.events.ids import NOBODY, PlayerId, ZoneKind
from apnap.events.life import LifeGained
from apnap.events.stack import (
    AbilityTriggered,
    ChosenTarget,
    ObjectCountered,
    TriggerPutOnStack,
    TriggerRemoved,
)
from apnap.rules.prompts import OrderTriggers

from .conftest import ALICE, BOB, CAROL, Scene

BEAR, LION, LEGEND = "Grizzly Bears", "Silvercoat Lion", "Isamaru, Hound of Konda"
WEAR = "Equipped creature gets +1/+1.\nEquip {1}"


def _rules(scene: Scene, kind: type[Event]) -> list[str]:
    return [event.rule for event in scene.events(kind)]


def _gained(scene: Scene) -> list[int]:
    return [event.player for event in scene.events(LifeGained)]


def _watcher(scene: Scene, text: str, name: str = "Watcher") -> CardDefinition:
    return scene.card(text, "Creature", name, (1, 1))


@pytest.mark.rule("603.3b")
@pytest.mark.rule("101.4")
def test_triggers_go_on_the_stack_in_turn_order_from_the_active_player(trio: Scene) -> None:
    warden = _watcher(trio, "Whenever another creature enters, you gain 1 life.")
    for player in (ALICE, BOB, CAROL):
        trio.put(warden, player)
    item = trio.hand("Memnite", BOB)
    trio.begin(active=BOB)
    trio.cast(item)
    trio.resolve()
    assert [trio.state.objects[item].controller for item in trio.state.stack] == [1, 2, 0]
    for _ in range(3):
        trio.resolve()
    assert _gained(trio) == [ALICE, CAROL, BOB]


@pytest.mark.rule("603.3b")
def test_a_player_orders_their_own_triggers(duel: Scene) -> None:
    gain = _watcher(duel, "Whenever another creature enters, you gain 1 life.", "Gain")
    lose = _watcher(duel, "Whenever another creature enters, you lose 1 life.", "Lose")
    duel.put(gain)
    duel.put(lose)
    item = duel.hand("Memnite")
    duel.begin()
    duel.cast(item)
    duel.resolve()
    asked = duel.prompt
    assert isinstance(asked, OrderTriggers)
    duel.answer(OrderObjects, tuple(reversed(asked.items)))
    assert duel.names_in(duel.state.stack) == ["Lose", "Gain"]
    duel.check()


@pytest.mark.rule("603.3d")
def test_a_trigger_without_a_legal_target_is_removed(duel: Scene) -> None:
    item = duel.hand("Kor Hookmaster")
    duel.begin()
    duel.cast(item)
    duel.resolve()
    assert _rules(duel, TriggerRemoved) == ["603.3d"]
    assert not duel.state.stack
    assert duel.prompt.kind == "priority"


@pytest.mark.rule("117.5")
@pytest.mark.rule("704.3")
def test_state_based_actions_come_before_the_triggers_that_wait(duel: Scene) -> None:
    """What a trigger could target is dead before its controller chooses targets."""
    item = duel.hand("Festering Goblin")
    duel.put("Looming Shade", BOB)
    bear = duel.put(BEAR, BOB)
    sweep = duel.hand("Pyroclasm")
    duel.begin()
    duel.cast(item)
    duel.resolve()
    duel.cast(sweep)
    duel.resolve()
    assert bear not in duel.state.battlefield
    assert _rules(duel, TriggerRemoved) == ["603.3d"]


@pytest.mark.rule("603.10a")
def test_what_dies_together_sees_each_other_die(duel: Scene) -> None:
    watcher = _watcher(duel, "Whenever another creature dies, you gain 1 life.")
    duel.put(watcher)
    duel.put(watcher, BOB)
    duel.put(BEAR)
    sweep = duel.hand("Pyroclasm")
    duel.begin()
    duel.cast(sweep)
    duel.resolve()
    while duel.prompt.kind != "priority" or duel.state.stack:
        duel.suggest()
    assert duel.life() == (22, 22)


@pytest.mark.rule("603.6a")
def test_what_enters_together_sees_each_other_enter(duel: Scene) -> None:
    """An ability of a creature that enters triggers on those that enter with it."""
    duel.put("Soul Warden")
    make = duel.hand("Raise the Alarm")
    duel.begin()
    duel.cast(make)
    duel.resolve()
    assert len(duel.events(AbilityTriggered)) == 2


@pytest.mark.rule("603.4")
def test_an_intervening_if_that_does_not_hold_lets_nothing_trigger(duel: Scene) -> None:
    text = "When this creature enters, if you control another creature, you gain 1 life."
    item = duel.hand(_watcher(duel, text))
    duel.begin()
    duel.cast(item)
    duel.resolve()
    assert not duel.events(AbilityTriggered)


@pytest.mark.rule("603.4")
@pytest.mark.rule("608.2a")
def test_an_intervening_if_is_asked_again_as_it_resolves(duel: Scene) -> None:
    text = "When this creature enters, if you control another creature, you gain 1 life."
    bear, item = duel.put(BEAR), duel.hand(_watcher(duel, text))
    murder = duel.hand("Murder", BOB)
    duel.begin()
    duel.cast(item)
    duel.resolve()
    assert len(duel.state.stack) == 1
    duel.passes()
    duel.cast(murder, bear)
    duel.resolve()
    duel.resolve()
    assert duel.life() == (20, 20)
    assert _rules(duel, ObjectCountered) == ["608.2a"]


@pytest.mark.rule("608.2b")
def test_a_trigger_whose_target_is_gone_does_not_resolve(duel: Scene) -> None:
    slayer = _watcher(duel, "When this creature enters, destroy target creature.")
    item, bear = duel.hand(slayer), duel.put(BEAR, BOB)
    lion = duel.put(LION, BOB)
    save = duel.hand("Unsummon", BOB)
    duel.begin()
    duel.cast(item)
    duel.resolve()
    duel.answer(ChooseTargets, (ChosenTarget(0, bear, NOBODY),))
    assert len(duel.events(TriggerPutOnStack)) == 1
    duel.passes()
    duel.cast(save, bear)
    duel.resolve()
    duel.resolve()
    assert lion in duel.state.battlefield
    assert _rules(duel, ObjectCountered) == ["608.2b"]


@pytest.mark.rule("603.3")
def test_a_trigger_of_a_cost_waits_until_the_spell_is_cast(duel: Scene) -> None:
    """What dies as a cost is paid triggers, and its ability lies above what it paid for."""
    watcher = _watcher(duel, "Whenever another creature dies, you gain 1 life.")
    for card in ("Vampire Aristocrat", watcher, BEAR):
        duel.put(card)
    duel.begin()
    options = list(duel.prompt.options(duel.game))
    activation = next(one for one in options if type(one).__name__ == "ActivateAbility")
    duel.decide(activation)
    assert duel.names_in(duel.state.stack)[0] == "Vampire Aristocrat"
    assert len(duel.state.stack) == 2


def test_every_player_may_mulligan_only_before_the_game(duel: Scene) -> None:
    duel.begin()
    asked = duel.prompt
    refused = duel.table.decide(TakeMulligan(asked.seat, asked.player, asked.counter))
    assert refused is not None
    assert duel.state.players[PlayerId(0)].mulligans == 0
    assert not duel.state.players[ALICE].graveyard
    assert ZoneKind.HAND not in {item.zone for item in duel.state.objects.values()}
