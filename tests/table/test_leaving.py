"""Players concede and leave, also between two yields of a procedure (CR 104.3a, 800.4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apnap.events.decisions import (
    Answer,
    ChooseObjects,
    ChooseTargets,
    Concede,
    DeclareBlockers,
    DivideDamage,
    RevokeStandingPass,
)
from apnap.events.game import GameEnded, PlayerLeft, PlayerLost
from apnap.events.ids import NOBODY, NOTHING, Step, ZoneKind
from apnap.events.life import DamageDealt
from apnap.events.refused import Code
from apnap.events.stack import ChosenTarget, ObjectResolved
from apnap.events.turn import TurnBegan
from apnap.events.zones import ObjectMoved
from apnap.rules.prompts import SelectObjects, SelectPlayers

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


def _ends_well(scene: Scene) -> None:
    """Require that the log holds what is true, now and when the game is over."""
    scene.check()
    scene.finish()
    scene.check()


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
    _ends_well(trio)


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
    _ends_well(trio)


@pytest.mark.rule("104.3a")
def test_who_is_not_concerned_leaves_and_the_question_stays(trio: Scene) -> None:
    _asked_to_discard(trio)
    before = trio.prompt
    trio.concede(CAROL)
    assert trio.prompt == before
    trio.suggest()
    assert trio.names_in(trio.state.players[BOB].graveyard) == [BEAR, BEAR]
    assert len(trio.events(PlayerLost)) == len(trio.events(PlayerLeft)) == 1
    _ends_well(trio)


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
    _ends_well(trio)


@pytest.mark.rule("800.4k")
def test_who_has_left_begins_no_turn(trio: Scene) -> None:
    trio.begin()
    trio.concede(BOB)
    trio.go_to(Step.MAIN1, active=CAROL)
    trio.go_to(Step.MAIN1, active=ALICE)
    assert [event.active for event in trio.events(TurnBegan)] == [CAROL, ALICE]
    _ends_well(trio)


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
    _ends_well(trio)


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
    _ends_well(quartet)


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
    _ends_well(trio)


# Permanents that others own or control


@pytest.mark.rule("800.4a")
def test_what_a_leaver_owns_leaves_whoever_controls_it(trio: Scene) -> None:
    stolen = trio.put(BEAR, CAROL, controller=BOB)
    trio.begin()
    trio.concede(CAROL)
    assert stolen not in trio.state.objects
    _ends_well(trio)


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
    _ends_well(trio)


@pytest.mark.rule("800.4a")
def test_what_a_leaver_still_controls_is_exiled(trio: Scene) -> None:
    trio.put(BEAR, CAROL, controller=BOB)
    trio.begin()
    trio.concede(BOB)
    assert not trio.state.battlefield
    assert trio.names_in(trio.state.exile) == [BEAR]
    _ends_well(trio)


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
    _ends_well(trio)


@pytest.mark.rule("704.5m")
def test_an_aura_of_another_goes_with_what_it_enchanted(trio: Scene) -> None:
    trio.put(BEAR, BOB)
    trio.put("Pacifism", attached=1)
    trio.begin()
    trio.concede(BOB)
    assert trio.names_in(trio.state.players[ALICE].graveyard) == ["Pacifism"]
    _ends_well(trio)


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
    _ends_well(trio)


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
    _ends_well(trio)


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
    _ends_well(trio)


# What is asked as players leave


@pytest.mark.rule("603.3d")
def test_targets_are_asked_for_anew_if_those_of_a_leaver_are_gone(trio: Scene) -> None:
    murderer = trio.card(
        "When this creature enters, destroy target creature.", "Creature", size=(1, 1)
    )
    item = trio.hand(murderer)
    bears = [trio.put(BEAR, BOB), trio.put(LION, BOB)]
    trio.begin()
    trio.cast(item)
    trio.resolve()
    assert trio.prompt.kind == "targets"
    trio.concede(BOB)
    assert not any(bear in trio.state.objects for bear in bears)
    assert trio.prompt.kind == "priority"
    assert len(trio.state.stack) == 1
    trio.resolve()
    assert trio.names_in(trio.state.players[ALICE].graveyard) == ["Thing"]
    _ends_well(trio)


@pytest.mark.rule("603.3b")
@pytest.mark.parametrize("leaver", [BOB, CAROL])
def test_who_orders_triggers_may_leave_meanwhile(trio: Scene, leaver: int) -> None:
    warden = trio.card(
        "Whenever another creature enters, you gain 1 life.", "Creature", size=(1, 1)
    )
    drummer = trio.card(
        "Whenever another creature enters, draw a card.", "Creature", "Other", (1, 1)
    )
    for card in (warden, drummer):
        trio.put(card, BOB)
    item = trio.hand("Memnite")
    trio.begin()
    trio.cast(item)
    trio.resolve()
    assert (trio.prompt.kind, trio.prompt.seat) == ("order-triggers", BOB)
    trio.concede(BOB if leaver == BOB else CAROL)
    assert trio.prompt.kind == ("priority" if leaver == BOB else "order-triggers")
    _ends_well(trio)


@pytest.mark.rule("704.5j")
def test_who_chooses_a_legend_may_leave_meanwhile(trio: Scene) -> None:
    for _ in range(2):
        trio.put("Isamaru, Hound of Konda", BOB)
    trio.begin()
    assert (trio.prompt.kind, trio.prompt.seat) == ("legend", BOB)
    trio.concede(BOB)
    assert not trio.state.battlefield
    _ends_well(trio)


@pytest.mark.rule("514.1")
def test_who_discards_to_hand_size_may_leave_meanwhile(trio: Scene) -> None:
    for _ in range(9):
        trio.hand(BEAR)
    trio.begin(step=Step.END)
    trio.resolve()
    assert (trio.prompt.kind, trio.prompt.seat) == ("discard", ALICE)
    trio.concede(ALICE)
    assert trio.prompt.kind == "priority"
    assert trio.state.turn.active == BOB
    _ends_well(trio)


@pytest.mark.rule("800.4f")
def test_who_has_left_pays_nothing(trio: Scene) -> None:
    scout = trio.put("Thousand Moons Crackshot")
    trio.begin()
    trio.attack((scout, BOB))
    trio.resolve()
    assert (trio.prompt.kind, trio.prompt.seat) == ("may", ALICE)
    trio.concede(ALICE)
    assert trio.prompt.kind == "priority"
    assert not trio.state.stack
    _ends_well(trio)


@pytest.mark.rule("800.4g")
def test_another_opponent_answers_for_who_has_left(quartet: Scene) -> None:
    gift = quartet.hand(quartet.card("Target player may draw a card.", "Sorcery"))
    quartet.begin()
    quartet.cast(gift, players=(CAROL,))
    quartet.resolve()
    assert (quartet.prompt.kind, quartet.prompt.seat) == ("may", CAROL)
    quartet.concede(CAROL)
    chosen = quartet.prompt
    assert isinstance(chosen, SelectPlayers)
    assert (chosen.seat, chosen.candidates) == (ALICE, (DAVE, BOB))
    quartet.check()
    quartet.suggest()
    assert (quartet.prompt.kind, quartet.prompt.seat, quartet.prompt.player) == ("may", DAVE, CAROL)
    quartet.answer(Answer, yes=True)
    assert quartet.names_in(quartet.state.players[ALICE].graveyard) == ["Thing"]
    _ends_well(quartet)


@pytest.mark.rule("800.4a")
def test_a_choice_narrows_to_what_is_left(trio: Scene) -> None:
    edict = trio.hand("Diabolic Edict")
    mine, stolen = trio.put(BEAR, BOB), trio.put(LION, CAROL, controller=BOB)
    kept = trio.put("Craw Wurm", BOB)
    trio.begin()
    trio.cast(edict, players=(BOB,))
    trio.resolve()
    trio.concede(CAROL)
    narrowed = trio.prompt
    assert isinstance(narrowed, SelectObjects)
    assert narrowed.candidates == (mine, kept)
    assert stolen not in trio.state.objects
    trio.answer(ChooseObjects, (mine,))
    assert trio.state.battlefield == [kept]
    _ends_well(trio)


# Combat


@pytest.mark.rule("800.4e")
def test_what_attacks_who_has_left_deals_no_damage(trio: Scene) -> None:
    first, second = trio.put(BEAR), trio.put(LION)
    trio.put("Wall of Omens", BOB)
    trio.begin()
    trio.attack((first, BOB), (second, CAROL))
    trio.resolve()
    assert (trio.prompt.kind, trio.prompt.seat) == ("blockers", BOB)
    trio.concede(BOB)
    trio.go_to(Step.END_COMBAT)
    assert trio.life() == (20, 20, 18)
    assert [event.source for event in trio.events(DamageDealt)] == [second]
    _ends_well(trio)


@pytest.mark.rule("802.4")
def test_the_next_defending_player_blocks_after_one_has_left(quartet: Scene) -> None:
    first, second = quartet.put(BEAR), quartet.put(LION)
    for player in (BOB, CAROL):
        quartet.put("Wall of Omens", player)
    quartet.begin()
    quartet.attack((first, BOB), (second, CAROL))
    quartet.resolve()
    quartet.concede(BOB)
    assert (quartet.prompt.kind, quartet.prompt.seat) == ("blockers", CAROL)
    _ends_well(quartet)


@pytest.mark.rule("800.4j")
@pytest.mark.parametrize("step", [Step.DECLARE_ATTACKERS, Step.DECLARE_BLOCKERS])
def test_the_attacking_player_leaves_and_combat_comes_to_nothing(trio: Scene, step: Step) -> None:
    bear = trio.put(BEAR)
    trio.put("Wall of Omens", BOB)
    trio.begin()
    if step == Step.DECLARE_ATTACKERS:
        trio.go_to(step)
    else:
        trio.attack((bear, BOB))
        trio.resolve()
    trio.concede(ALICE)
    assert trio.prompt.kind == "priority"
    assert trio.state.turn.step == step
    trio.go_to(Step.MAIN2)
    assert trio.life() == (20, 20, 20)
    _ends_well(trio)


def _divides(scene: Scene) -> None:
    """Let Alice be asked how a Craw Wurm divides its damage between Bob's blocker and another."""
    wurm = scene.put("Craw Wurm")
    mine = scene.put(BEAR, BOB)
    other = scene.put(LION, CAROL, controller=BOB)
    third = scene.put("Wall of Omens", BOB)
    scene.begin()
    scene.attack((wurm, BOB))
    scene.resolve()
    scene.answer(DeclareBlockers, ((mine, wurm), (other, wurm), (third, wurm)))
    scene.resolve()
    assert (scene.prompt.kind, scene.prompt.seat) == ("damage-division", ALICE)


@pytest.mark.rule("510.1c")
def test_a_division_is_asked_for_anew_where_one_of_the_creatures_left(trio: Scene) -> None:
    _divides(trio)
    wurm, mine, _, third = trio.state.battlefield
    trio.concede(CAROL)
    assert trio.prompt.kind == "damage-division"
    trio.answer(DivideDamage, ((mine, NOBODY, 2), (third, NOBODY, 4)))
    assert trio.state.battlefield == [wurm]
    _ends_well(trio)


@pytest.mark.rule("510.1c")
@pytest.mark.parametrize("leaver", [ALICE, BOB])
def test_a_division_is_void_once_either_side_left(trio: Scene, leaver: int) -> None:
    _divides(trio)
    trio.concede(ALICE if leaver == ALICE else BOB)
    assert trio.prompt.kind == "priority"
    assert not trio.events(DamageDealt)
    _ends_well(trio)


@pytest.mark.rule("800.4a")
@pytest.mark.parametrize("players", [3, 4])
def test_each_player_may_leave_at_each_moment_of_a_turn(
    scene_of: Callable[[int], Scene], players: int
) -> None:
    """At every prompt of a turn in which much happens each of the players leaves once."""
    prompts = 0
    for leaver in range(players):
        at = 0
        while True:
            scene = scene_of(players)
            _busy(scene)
            left = at
            while left and scene.state.turn.number == 5:
                scene.suggest()
                left -= 1
            if scene.state.turn.number > 5:
                break
            prompts += 1
            scene.concede((ALICE, BOB, CAROL, DAVE)[leaver])
            for _ in range(30):
                if scene.table.is_over:
                    break
                scene.suggest()
            scene.check()
            at += 1
    print(f"{prompts} moments")
    assert prompts > 30


def _busy(scene: Scene) -> None:
    """Begin as a discard spell resolves, with triggers, attacks and a full hand to come."""
    rot = scene.hand("Mind Rot")
    for number in range(len(scene.players)):
        for _ in range(9 if number == 0 else 2):
            scene.hand(BEAR, (ALICE, BOB, CAROL, DAVE)[number])
    scene.put("Juggernaut")
    scene.put("Soul Warden")
    scene.put(BEAR, BOB, controller=ALICE)
    scene.put("Wall of Omens", BOB)
    scene.put(BEAR, CAROL, controller=BOB)
    scene.begin()
    scene.cast(rot, players=(BOB,))


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
    _ends_well(trio)


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
    _ends_well(trio)
