"""What is asked, and who fights whom, as players leave (CR 800.4e-j)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apnap.events.decisions import (
    Answer,
    ChooseObjects,
    DeclareBlockers,
    DivideDamage,
)
from apnap.events.ids import NOBODY, Step
from apnap.events.life import DamageDealt
from apnap.rules.prompts import SelectObjects, SelectPlayers

from .conftest import ALICE, BOB, CAROL, DAVE, Scene

BEAR, LION = "Grizzly Bears", "Silvercoat Lion"


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
    trio.ends_well()


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
    trio.ends_well()


@pytest.mark.rule("704.5j")
def test_who_chooses_a_legend_may_leave_meanwhile(trio: Scene) -> None:
    for _ in range(2):
        trio.put("Isamaru, Hound of Konda", BOB)
    trio.begin()
    assert (trio.prompt.kind, trio.prompt.seat) == ("legend", BOB)
    trio.concede(BOB)
    assert not trio.state.battlefield
    trio.ends_well()


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
    trio.ends_well()


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
    trio.ends_well()


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
    quartet.ends_well()


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
    trio.ends_well()


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
    trio.ends_well()


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
    quartet.ends_well()


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
    trio.ends_well()


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
    trio.ends_well()


@pytest.mark.rule("510.1c")
@pytest.mark.parametrize("leaver", [ALICE, BOB])
def test_a_division_is_void_once_either_side_left(trio: Scene, leaver: int) -> None:
    _divides(trio)
    trio.concede(ALICE if leaver == ALICE else BOB)
    assert trio.prompt.kind == "priority"
    assert not trio.events(DamageDealt)
    trio.ends_well()


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
