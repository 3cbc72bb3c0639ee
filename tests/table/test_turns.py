"""The structure of a turn, as a live table goes through it (CR 103, 500-514)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apnap.events.decisions import ChooseObjects, PassPriority, PlayLand
from apnap.events.ids import NOBODY, Step, ZoneKind
from apnap.events.life import DamageDealt
from apnap.events.stack import AbilityTriggered
from apnap.events.turn import StepBegan, TurnBegan, TurnEffectsEnded
from apnap.events.zones import ObjectMoved, PermanentUntapped
from apnap.rules.prompts import SelectObjects
from apnap.rules.turn import following_step

from .conftest import ALICE, BOB, CAROL, Scene

BEAR = "Grizzly Bears"


@pytest.mark.rule("500.1")
def test_a_turn_has_its_phases_and_steps_in_order(duel: Scene) -> None:
    duel.put(BEAR, BOB)
    duel.begin(step=Step.END)
    duel.go_to(Step.UPKEEP, active=ALICE)
    steps = [event.step for event in duel.events(StepBegan)]
    assert steps == [
        Step.CLEANUP,
        Step.UNTAP,
        Step.UPKEEP,
        Step.DRAW,
        Step.MAIN1,
        Step.BEGIN_COMBAT,
        Step.DECLARE_ATTACKERS,
        Step.END_COMBAT,
        Step.MAIN2,
        Step.END,
        Step.CLEANUP,
        Step.UNTAP,
        Step.UPKEEP,
    ]
    duel.check()


@pytest.mark.rule("508.8")
def test_without_attackers_the_blockers_and_damage_steps_are_skipped(duel: Scene) -> None:
    duel.put(BEAR)
    duel.begin()
    duel.go_to(Step.MAIN2)
    steps = [event.step for event in duel.events(StepBegan)]
    assert Step.DECLARE_BLOCKERS not in steps
    assert Step.COMBAT_DAMAGE not in steps


@pytest.mark.rule("510.4")
def test_first_strike_makes_a_second_damage_step(duel: Scene) -> None:
    knight, bear = duel.put("Youthful Knight"), duel.put(BEAR)
    duel.begin()
    duel.attack((knight, BOB), (bear, BOB))
    duel.go_to(Step.END_COMBAT)
    assert [event.source for event in duel.events(DamageDealt)] == [knight, bear]
    steps = [event.step for event in duel.events(StepBegan)]
    assert steps.index(Step.FIRST_STRIKE_DAMAGE) == steps.index(Step.COMBAT_DAMAGE) - 1
    assert duel.life() == (20, 16)


@pytest.mark.rule("117.4")
@pytest.mark.rule("500.2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_step_ends_once_all_players_passed_in_succession(
    scene_of: Callable[[int], Scene], players: int
) -> None:
    scene = scene_of(players).begin()
    for _ in range(players):
        assert scene.state.turn.step == Step.MAIN1
        scene.passes()
    assert scene.state.turn.step == Step.BEGIN_COMBAT


@pytest.mark.rule("117.3b")
@pytest.mark.rule("117.3c")
def test_who_casts_has_priority_next_and_after_the_resolution_the_active_player(
    trio: Scene,
) -> None:
    shock = trio.hand("Shock", CAROL)
    trio.begin()
    trio.passes(2)
    trio.cast(shock, players=(ALICE,))
    assert trio.prompt.seat == CAROL
    trio.resolve()
    assert trio.life() == (18, 20, 20)
    assert (trio.prompt.seat, trio.state.turn.step) == (ALICE, Step.MAIN1)


@pytest.mark.rule("502.3")
def test_the_active_players_permanents_untap_together(duel: Scene) -> None:
    mine = [duel.put(BEAR, tapped=True), duel.put("Forest", tapped=True)]
    other = duel.put(BEAR, BOB, tapped=True)
    duel.begin(step=Step.END, active=BOB)
    duel.go_to(Step.UPKEEP, active=ALICE)
    assert [event.object for event in duel.events(PermanentUntapped)] == mine
    assert duel.state.objects[other].tapped
    groups = [group for commit in duel.commits() for group in commit.groups]
    assert [len(g) for g in groups if isinstance(g[0], PermanentUntapped)] == [2]


@pytest.mark.rule("502.4")
@pytest.mark.rule("514.3")
def test_nobody_has_priority_in_the_untap_and_cleanup_steps(duel: Scene) -> None:
    duel.begin(step=Step.END)
    duel.passes()
    duel.passes()
    assert (duel.state.turn.step, duel.state.turn.active) == (Step.UPKEEP, BOB)
    last = list(duel.commits())[-1]
    steps = [event.step for event in last.events() if isinstance(event, StepBegan)]
    assert steps == [Step.CLEANUP, Step.UNTAP, Step.UPKEEP]


@pytest.mark.rule("503.1a")
def test_what_triggers_at_the_beginning_of_upkeep_waits_for_priority(duel: Scene) -> None:
    clock = duel.card("At the beginning of your upkeep, you gain 1 life.", "Enchantment")
    duel.put(clock)
    duel.begin(step=Step.END, active=BOB)
    duel.go_to(Step.UPKEEP, active=ALICE)
    assert len(duel.state.stack) == 1
    assert duel.prompt.seat == ALICE
    duel.resolve()
    assert duel.life() == (21, 20)
    duel.go_to(Step.UPKEEP, active=BOB)
    assert not duel.state.stack


@pytest.mark.rule("504.1")
def test_the_active_player_draws_a_card_in_the_draw_step(duel: Scene) -> None:
    duel.begin(step=Step.UPKEEP)
    duel.resolve()
    assert duel.state.turn.step == Step.DRAW
    assert len(duel.state.players[ALICE].hand) == 1
    assert not duel.state.players[BOB].hand
    (drawn,) = [event for event in duel.events(ObjectMoved) if event.manner == "drawn"]
    assert drawn.rule == "504.1"


@pytest.mark.rule("103.8a")
def test_the_first_player_of_two_skips_the_first_draw_step(duel: Scene) -> None:
    duel.begin(step=Step.UPKEEP, turn=1)
    duel.resolve()
    assert duel.state.turn.step == Step.MAIN1
    assert not duel.state.players[ALICE].hand
    duel.go_to(Step.MAIN1, active=BOB)
    assert len(duel.state.players[BOB].hand) == 1


@pytest.mark.rule("103.8c")
def test_nobody_of_three_skips_a_draw_step(trio: Scene) -> None:
    trio.begin(step=Step.UPKEEP, turn=1)
    trio.resolve()
    assert trio.state.turn.step == Step.DRAW
    assert len(trio.state.players[ALICE].hand) == 1


@pytest.mark.rule("305.2")
def test_a_player_plays_one_land_each_turn(duel: Scene) -> None:
    first, second = duel.hand("Forest"), duel.hand("Mountain")
    duel.begin()
    duel.answer(PlayLand, first)
    asked = duel.prompt
    refused = duel.table.decide(PlayLand(asked.seat, asked.player, asked.counter, second))
    assert refused is not None
    assert refused.rule.startswith("305.2")
    duel.go_to(Step.MAIN1, active=BOB)
    duel.go_to(Step.MAIN1, active=ALICE)
    duel.answer(PlayLand, second)


@pytest.mark.rule("402.2")
@pytest.mark.rule("514.1")
def test_the_active_player_discards_to_seven(duel: Scene) -> None:
    cards = [duel.hand(BEAR) for _ in range(9)]
    for _ in range(9):
        duel.hand(BEAR, BOB)
    duel.begin(step=Step.END)
    duel.resolve()
    asked = duel.prompt
    assert isinstance(asked, SelectObjects)
    assert (asked.seat, asked.minimum, asked.maximum) == (ALICE, 2, 2)
    duel.answer(ChooseObjects, (cards[0], cards[8]))
    assert len(duel.state.players[ALICE].hand) == 7
    assert len(duel.state.players[BOB].hand) == 9
    assert duel.state.turn.active == BOB


@pytest.mark.rule("514.2")
def test_damage_wears_off_as_effects_until_end_of_turn_end(duel: Scene) -> None:
    """A 2/2 with 4 damage and +4/+4 until end of turn lives through the turn."""
    growth = duel.card("Target creature gets +4/+4 until end of turn.", name="Growth")
    burn = duel.card("This spell deals 4 damage to any target.", name="Burn")
    bear, grow, hit = duel.put(BEAR), duel.hand(growth), duel.hand(burn)
    duel.begin(step=Step.END)
    duel.cast(grow, bear)
    duel.resolve()
    duel.cast(hit, bear)
    duel.resolve()
    assert duel.state.objects[bear].damage == 4
    duel.resolve()
    assert duel.state.turn.active == BOB
    assert duel.state.battlefield == [bear]
    assert duel.state.objects[bear].damage == 0
    assert duel.game.characteristics(bear).power == 2


@pytest.mark.rule("514.3a")
def test_players_get_priority_in_a_cleanup_step_that_triggers(duel: Scene) -> None:
    """Death by the end of "until end of turn": 514.2 makes 704.5f due, the death a trigger."""
    watcher = duel.card("Whenever another creature dies, you gain 1 life.", "Creature", "W", (1, 1))
    growth = duel.card("Target creature gets +0/+4 until end of turn.", name="Growth")
    wither = duel.card("Put two -1/-1 counters on target creature.", name="Wither")
    bear = duel.put(BEAR)
    duel.put(watcher)
    grow, shrink = duel.hand(growth), duel.hand(wither)
    duel.begin(step=Step.END)
    for spell in (grow, shrink):
        duel.cast(spell, bear)
        duel.resolve()
    duel.resolve()
    turn = duel.state.turn
    assert (turn.step, turn.active, turn.holder) == (Step.CLEANUP, ALICE, ALICE)
    assert bear not in duel.state.battlefield
    assert len(duel.state.stack) == 1
    duel.check()
    duel.resolve()
    assert duel.life() == (21, 20)
    assert duel.state.turn.step == Step.CLEANUP
    duel.resolve()
    assert duel.state.turn.active == BOB
    steps = [event.step for event in duel.events(StepBegan)]
    assert steps[:3] == [Step.CLEANUP, Step.CLEANUP, Step.UNTAP]
    assert len(duel.events(TurnEffectsEnded)) == 2
    duel.check()


@pytest.mark.rule("500.4")
def test_unused_mana_is_gone_as_a_step_ends(duel: Scene) -> None:
    duel.set_player(ALICE, pool="GG", any_mana=False)
    duel.begin()
    assert duel.state.players[ALICE].pool == "GG"
    duel.resolve()
    assert duel.state.players[ALICE].pool == ""


@pytest.mark.rule("101.4")
def test_turns_go_around_the_table(quartet: Scene) -> None:
    quartet.begin(step=Step.END)
    quartet.go_to(Step.END, active=BOB)
    quartet.go_to(Step.UPKEEP, active=ALICE)
    assert [event.active for event in quartet.events(TurnBegan)] == [1, 2, 3, 0]


@pytest.mark.rule("117.3d")
def test_a_standing_pass_passes_until_the_turn_ends(duel: Scene) -> None:
    duel.begin()
    duel.answer(PassPriority, standing=1)
    duel.table.advance()
    assert duel.prompt.seat == BOB
    duel.passes()
    duel.table.advance()
    assert (duel.prompt.seat, duel.state.turn.step) == (BOB, Step.BEGIN_COMBAT)
    duel.check()


@pytest.mark.rule("506.1")
def test_the_step_after_each_is_told_by_the_state(duel: Scene) -> None:
    duel.begin(step=Step.MAIN2)
    assert following_step(duel.game) == Step.END


@pytest.mark.rule("511.2")
def test_what_triggers_in_combat_is_on_the_stack_before_anybody_acts(duel: Scene) -> None:
    griffin = duel.put("Charging Griffin")
    duel.begin()
    duel.attack((griffin, BOB))
    assert len(duel.events(AbilityTriggered)) == len(duel.state.stack) == 1
    assert duel.prompt.seat == ALICE
    assert duel.state.turn.holder != NOBODY
    assert duel.state.objects[griffin].zone == ZoneKind.BATTLEFIELD
