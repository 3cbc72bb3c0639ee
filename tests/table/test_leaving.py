"""Players concede and leave, also between two yields of a procedure (CR 104.3a, 800.4)."""

from __future__ import annotations

import pytest

from apnap.events.decisions import (
    ChooseTargets,
    Concede,
    RevokeStandingPass,
)
from apnap.events.game import GameEnded, PlayerLeft, PlayerLost
from apnap.events.ids import NOTHING, Step, ZoneKind
from apnap.events.refused import Code
from apnap.events.stack import ChosenTarget, ObjectResolved
from apnap.events.turn import TurnBegan
from apnap.events.zones import ObjectMoved

from .conftest import ALICE, BOB, CAROL, DAVE, Scene

BEAR, LION = "Grizzly Bears", "Silvercoat Lion"


def _asked_to_discard(scene: Scene) -> None:
    """Let Alice's Mind Rot ask Bob, who has three cards, which two he discards."""
    rot = scene.hand("Mind Rot")
    for _ in range(3):
        scene.hand(BEAR, BOB)
    scene.begin()
    scene.cast(rot, players=(BOB,))
    scene.resolve()
    assert (scene.prompt.kind, scene.prompt.seat) == ("discard", BOB)


@pytest.mark.rule("104.3a")
@pytest.mark.rule("104.2a")
@pytest.mark.parametrize("leaver", [ALICE, BOB])
def test_the_other_of_two_players_wins_though_something_resolves(duel: Scene, leaver: int) -> None:
    _asked_to_discard(duel)
    duel.concede(ALICE if leaver == ALICE else BOB)
    assert duel.table.is_over
    assert duel.state.winners == (1 - leaver,)
    (ended,) = duel.events(GameEnded)
    assert (ended.rule, ended.reason) == ("104.2a", "concession")
    assert duel.table.prompt is None
    duel.check()


@pytest.mark.rule("800.4a")
def test_who_is_asked_leaves_and_the_spell_resolves_without_the_answer(trio: Scene) -> None:
    _asked_to_discard(trio)
    trio.concede(BOB)
    assert trio.names_in(trio.state.players[ALICE].graveyard) == ["Mind Rot"]
    assert not trio.state.players[BOB].hand
    assert not [item for item in trio.state.objects.values() if item.owner == BOB]
    assert (trio.prompt.kind, trio.prompt.seat) == ("priority", ALICE)
    trio.ends_well()


@pytest.mark.rule("608.2m")
def test_a_spell_whose_controller_leaves_goes_on_resolving(trio: Scene) -> None:
    _asked_to_discard(trio)
    trio.concede(ALICE)
    assert (trio.prompt.kind, trio.prompt.seat) == ("discard", BOB)
    assert not trio.state.stack
    trio.suggest()
    assert len(trio.state.players[BOB].hand) == 1
    assert trio.events(ObjectResolved)[-1].rule == "608.2m"
    assert (trio.prompt.kind, trio.prompt.seat) == ("priority", BOB)
    trio.ends_well()


@pytest.mark.rule("104.3a")
def test_who_is_not_concerned_leaves_and_the_question_stays(trio: Scene) -> None:
    _asked_to_discard(trio)
    before = trio.prompt
    trio.concede(CAROL)
    assert trio.prompt == before
    trio.suggest()
    assert trio.names_in(trio.state.players[BOB].graveyard) == [BEAR, BEAR]
    assert len(trio.events(PlayerLost)) == len(trio.events(PlayerLeft)) == 1
    trio.ends_well()


@pytest.mark.rule("104.3a")
def test_all_but_one_leave_one_after_the_other_in_mid_resolution(quartet: Scene) -> None:
    _asked_to_discard(quartet)
    quartet.concede(DAVE)
    quartet.concede(ALICE)
    assert quartet.prompt.seat == BOB
    quartet.check()
    quartet.concede(BOB)
    assert quartet.state.winners == (CAROL,)
    quartet.check()


@pytest.mark.rule("104.3a")
def test_nobody_leaves_twice_and_nobody_leaves_a_game_that_is_over(trio: Scene) -> None:
    _asked_to_discard(trio)
    trio.concede(BOB)
    again = Concede(BOB, BOB, trio.state.decision_counters[BOB])
    refused = trio.table.decide(again)
    assert refused is not None
    assert refused.code == Code.NOT_ASKED
    trio.concede(CAROL)
    last = Concede(ALICE, ALICE, trio.state.decision_counters[ALICE])
    refused = trio.table.decide(last)
    assert refused is not None
    assert refused.code == Code.GAME_OVER


@pytest.mark.rule("117.3d")
def test_a_standing_pass_may_be_revoked_while_something_resolves(duel: Scene) -> None:
    _asked_to_discard(duel)
    counter = duel.state.decision_counters[BOB]
    duel.decide(RevokeStandingPass(BOB, BOB, counter))
    assert duel.prompt.counter == counter + 1
    duel.suggest()
    duel.check()


@pytest.mark.rule("800.4j")
def test_the_turn_goes_on_without_its_active_player(trio: Scene) -> None:
    trio.put(BEAR, BOB)
    trio.begin(step=Step.UPKEEP)
    trio.concede(ALICE)
    turn = trio.state.turn
    assert (turn.active, turn.step, turn.holder) == (ALICE, Step.UPKEEP, BOB)
    trio.go_to(Step.MAIN1)
    assert trio.state.turn.active == ALICE
    trio.go_to(Step.END)
    assert (trio.state.turn.active, trio.prompt.seat) == (ALICE, BOB)
    trio.go_to(Step.UPKEEP, active=BOB)
    assert trio.state.turn.number == 6
    trio.ends_well()


@pytest.mark.rule("800.4k")
def test_who_has_left_begins_no_turn(trio: Scene) -> None:
    trio.begin()
    trio.concede(BOB)
    trio.go_to(Step.MAIN1, active=CAROL)
    trio.go_to(Step.MAIN1, active=ALICE)
    assert [event.active for event in trio.events(TurnBegan)] == [CAROL, ALICE]
    trio.ends_well()


@pytest.mark.rule("800.4a")
def test_priority_of_who_leaves_passes_to_the_next_player(trio: Scene) -> None:
    shock = trio.hand("Shock")
    trio.begin()
    trio.cast(shock, players=(CAROL,))
    trio.passes(2)
    assert trio.prompt.seat == CAROL
    trio.concede(CAROL)
    assert (trio.prompt.kind, trio.prompt.seat) == ("priority", ALICE)
    assert trio.names_in(trio.state.stack) == ["Shock"]
    trio.passes()
    assert not trio.state.stack
    trio.ends_well()


@pytest.mark.rule("800.4a")
def test_who_has_passed_leaves_and_the_others_still_have_to_pass(quartet: Scene) -> None:
    shock = quartet.hand("Shock")
    quartet.begin()
    quartet.cast(shock, players=(BOB,))
    quartet.passes(2)
    quartet.concede(BOB)
    assert quartet.prompt.seat == CAROL
    quartet.passes()
    assert quartet.names_in(quartet.state.stack) == ["Shock"]
    quartet.passes()
    assert not quartet.state.stack
    quartet.ends_well()


@pytest.mark.rule("800.4a")
def test_spells_and_abilities_of_who_leaves_are_gone(trio: Scene) -> None:
    warden = trio.card(
        "Whenever another creature enters, you gain 1 life.", "Creature", size=(1, 1)
    )
    bear = trio.hand("Memnite")
    for player in (ALICE, BOB):
        trio.put(warden, player)
    trio.begin()
    trio.cast(bear)
    trio.resolve()
    assert len(trio.state.stack) == 2
    trio.concede(BOB)
    assert len(trio.state.stack) == 1
    trio.resolve()
    assert trio.life() == (21, 20, 20)
    trio.ends_well()


# Permanents that others own or control


@pytest.mark.rule("800.4a")
def test_what_a_leaver_owns_leaves_whoever_controls_it(trio: Scene) -> None:
    stolen = trio.put(BEAR, CAROL, controller=BOB)
    trio.begin()
    trio.concede(CAROL)
    assert stolen not in trio.state.objects
    trio.ends_well()


@pytest.mark.rule("800.4a")
def test_what_gives_a_leaver_control_ends(trio: Scene) -> None:
    bear = trio.put(BEAR, CAROL)
    threaten = trio.hand("Threaten", BOB)
    trio.begin(active=BOB)
    trio.cast(threaten, bear)
    trio.resolve()
    assert trio.game.controller_of(bear) == BOB
    trio.concede(BOB)
    assert trio.game.controller_of(bear) == CAROL
    assert trio.state.battlefield == [bear]
    trio.ends_well()


@pytest.mark.rule("800.4a")
def test_what_a_leaver_still_controls_is_exiled(trio: Scene) -> None:
    trio.put(BEAR, CAROL, controller=BOB)
    trio.begin()
    trio.concede(BOB)
    assert not trio.state.battlefield
    assert trio.names_in(trio.state.exile) == [BEAR]
    trio.ends_well()


@pytest.mark.rule("800.4c")
def test_what_would_go_back_to_who_has_left_is_exiled(trio: Scene) -> None:
    bear = trio.put(BEAR, CAROL, controller=BOB)
    threaten = trio.hand("Threaten")
    trio.begin()
    trio.cast(threaten, bear)
    trio.resolve()
    trio.concede(BOB)
    assert trio.game.controller_of(bear) == ALICE
    trio.go_to(Step.UPKEEP, active=CAROL)
    assert trio.names_in(trio.state.exile) == [BEAR]
    (moved,) = [e for e in trio.events(ObjectMoved) if e.destination == ZoneKind.EXILE]
    assert moved.rule == "800.4c"
    trio.ends_well()


@pytest.mark.rule("704.5m")
def test_an_aura_of_another_goes_with_what_it_enchanted(trio: Scene) -> None:
    trio.put(BEAR, BOB)
    trio.put("Pacifism", attached=1)
    trio.begin()
    trio.concede(BOB)
    assert trio.names_in(trio.state.players[ALICE].graveyard) == ["Pacifism"]
    trio.ends_well()


@pytest.mark.rule("603.10a")
def test_who_leaves_takes_creatures_off_the_battlefield(trio: Scene) -> None:
    watcher = trio.card(
        "Whenever another creature leaves the battlefield, you gain 1 life.",
        "Creature",
        size=(1, 1),
    )
    trio.put(watcher)
    trio.put(watcher, BOB)
    trio.put(BEAR, BOB)
    trio.begin()
    trio.concede(BOB)
    assert trio.prompt.kind == "order-triggers"
    trio.suggest()
    assert len(trio.state.stack) == 2
    trio.resolve()
    trio.resolve()
    assert trio.life() == (22, 20, 20)
    trio.ends_well()


@pytest.mark.rule("800.4d")
def test_no_ability_of_who_has_left_goes_on_the_stack(trio: Scene) -> None:
    leaving = trio.card(
        "When this creature leaves the battlefield, you gain 1 life.", "Creature", size=(1, 1)
    )
    trio.put(leaving, BOB)
    trio.begin()
    trio.concede(BOB)
    assert not trio.state.pending
    assert not trio.state.stack
    trio.ends_well()


@pytest.mark.rule("113.7a")
def test_an_ability_goes_on_with_a_source_that_left_with_its_owner(trio: Scene) -> None:
    drainer = trio.card(
        "When this creature enters, it deals 2 damage to target player.\nLifelink",
        "Creature",
        size=(2, 2),
    )
    item = trio.put(drainer, CAROL, ZoneKind.HAND)
    trio.begin(active=CAROL)
    trio.cast(item)
    trio.resolve()
    trio.answer(ChooseTargets, (ChosenTarget(0, NOTHING, BOB),))
    trio.concede(CAROL)
    assert not trio.state.stack
    trio.ends_well()


@pytest.mark.rule("800.4m")
def test_what_lasts_until_a_leavers_next_turn_ends_when_that_would_have_begun(trio: Scene) -> None:
    """An effect of Bob's on Carol's creature lasts into what would be his turn, and no longer."""
    weaken = trio.hand(
        trio.card("Until your next turn, target creature gets -1/-0.", "Sorcery"), BOB
    )
    bear = trio.put(BEAR, CAROL)
    trio.begin(active=BOB)
    trio.cast(weaken, bear)
    trio.resolve()
    trio.concede(BOB)
    trio.go_to(Step.END, active=ALICE)
    assert trio.game.characteristics(bear).power == 1
    trio.go_to(Step.UPKEEP, active=CAROL)
    assert trio.game.characteristics(bear).power == 2
    trio.ends_well()


@pytest.mark.rule("104.5")
def test_who_loses_by_an_effect_leaves_before_the_rest_of_it(trio: Scene) -> None:
    doom = trio.hand(trio.card("Target player loses the game.\nDraw a card.", "Sorcery"))
    trio.put(BEAR, BOB)
    trio.begin()
    trio.cast(doom, players=(BOB,))
    trio.resolve()
    assert not trio.state.battlefield
    assert len(trio.state.players[ALICE].hand) == 1
    assert trio.events(PlayerLost)[0].rule == "104.3e"
    trio.ends_well()
