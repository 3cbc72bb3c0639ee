from collections.abc import Callable

import pytest

from apnap.events import combat, game, life, mana, stack, turn, zones
from apnap.events.catalog import AnyEvent
from apnap.events.decisions import StandingMode
from apnap.events.ids import (
    NOBODY,
    NOTHING,
    UNKNOWN_CARD,
    DefinitionId,
    ObjectId,
    PlayerId,
    Step,
    ZoneKind,
)
from apnap.projections.evolve import count_decision, evolve
from apnap.projections.redaction import redact_state
from apnap.projections.state import State
from apnap.projections.trail import Trail
from apnap.projections.view import new_view

ALICE, BOB, CAROL = PlayerId(0), PlayerId(1), PlayerId(2)
CARD = DefinitionId(b"c" * 16)


class Table:
    """A state with a trail, and a short way to let events happen."""

    def __init__(self, trail: Trail | None = None) -> None:
        self.trail = trail or Trail(State())
        self.state = self.trail.state

    def happen(self, kind: Callable[..., AnyEvent], *fields: object) -> None:
        evolve(self.trail, kind("1", 0, *fields))

    def arrange(self, *objects: game.PlacedObject, players: int = 3) -> None:
        """Set up a position in the first main phase of turn 5, the first player's."""
        placed = tuple(game.PlacedPlayer(name, 20, "", (), False) for name in "abc"[:players])
        edition = ("2025-02", "duel")
        self.happen(game.PositionArranged, *edition, placed, objects, ALICE, Step.MAIN1, 5, False)

    def pass_priority(self, *players: PlayerId) -> None:
        for player in players:
            self.happen(turn.PriorityPassed, player, turn.StandingPass(0))

    def move(self, name: int, origin: ZoneKind, to: ZoneKind, player: PlayerId = ALICE) -> None:
        """Move an object between public zones."""
        fields = (ObjectId(name), origin, player, to, player, self.state.next_id, CARD, player)
        self.happen(zones.ObjectMoved, *fields, -1, False, False, (), None, None)


def placed(
    zone: ZoneKind, owner: PlayerId = ALICE, *, sick: bool = False, attached: int = 0
) -> game.PlacedObject:
    return game.PlacedObject(
        zone, owner, owner, CARD, False, sick, False, (), attached, NOBODY, False
    )


BATTLEFIELD = placed(ZoneKind.BATTLEFIELD)


@pytest.fixture
def table() -> Table:
    return Table()


def test_arranged_objects_take_ids_and_timestamps_in_order(table: Table) -> None:
    table.arrange(BATTLEFIELD, placed(ZoneKind.HAND), placed(ZoneKind.BATTLEFIELD, attached=1))
    state = table.state
    assert state.battlefield == [1, 3]
    assert [state.objects[name].timestamp for name in state.battlefield] == [1, 2]
    assert state.objects[ObjectId(3)].attached_to == 1
    assert (state.next_id, state.next_timestamp) == (4, 3)
    assert (state.turn.holder, state.players[ALICE].last_turn) == (ALICE, 5)


@pytest.mark.rule("302.6")
def test_arranged_creature_is_sick_only_if_it_came_this_turn(table: Table) -> None:
    table.arrange(BATTLEFIELD, placed(ZoneKind.BATTLEFIELD, sick=True))
    assert [table.state.objects[ObjectId(name)].since_turn for name in (1, 2)] == [-1, 5]


@pytest.mark.rule("400.2")
def test_view_of_an_arranged_position_is_the_whole_redacted(table: Table) -> None:
    seats = (ALICE, BOB)
    hidden = [placed(zone, seat) for zone in (ZoneKind.LIBRARY, ZoneKind.HAND) for seat in seats]
    table.arrange(BATTLEFIELD, *hidden)
    for seat in (ALICE, BOB, CAROL):
        view = Table(new_view(seat))
        view.arrange(BATTLEFIELD, *hidden)
        assert view.state.to_bytes() == redact_state(table.state, seat).to_bytes()
        assert view.state.players[ALICE].hand == ([4] if seat == ALICE else [NOTHING])
        assert view.state.objects[ObjectId(2)].card == UNKNOWN_CARD


@pytest.mark.rule("400.7")
def test_moved_object_is_a_new_one_that_the_old_one_leads_to(table: Table) -> None:
    table.arrange(BATTLEFIELD)
    table.move(1, ZoneKind.BATTLEFIELD, ZoneKind.GRAVEYARD)
    assert table.state.players[ALICE].graveyard == [2]
    assert table.state.became == {1: 2}
    assert ObjectId(1) not in table.state.objects


@pytest.mark.rule("400.7")
def test_what_was_is_forgotten_as_a_turn_begins_unless_something_speaks_of_it(
    table: Table,
) -> None:
    table.arrange(BATTLEFIELD, BATTLEFIELD)
    table.happen(stack.DelayedTriggerCreated, 1, ObjectId(1), ALICE, b"d", (ObjectId(1),))
    table.move(1, ZoneKind.BATTLEFIELD, ZoneKind.EXILE)
    table.move(3, ZoneKind.EXILE, ZoneKind.BATTLEFIELD)
    table.move(2, ZoneKind.BATTLEFIELD, ZoneKind.EXILE)
    table.happen(turn.TurnBegan, 6, BOB)
    assert table.state.became == {1: 3, 3: 4}


@pytest.mark.rule("401.7")
def test_library_position_counts_from_the_top(table: Table) -> None:
    table.arrange(BATTLEFIELD, placed(ZoneKind.LIBRARY), placed(ZoneKind.LIBRARY))
    for position in (0, 1, -1):
        fields = (NOTHING, ZoneKind.OUTSIDE, ALICE, ZoneKind.LIBRARY, ALICE)
        rest = (CARD, ALICE, position, False, False, (), None, None)
        table.happen(zones.ObjectMoved, *fields, table.state.next_id, *rest)
    assert table.state.players[ALICE].library == [4, 5, 2, 3, 6]


@pytest.mark.rule("500.4")
def test_step_empties_pools_and_gives_the_active_player_priority(table: Table) -> None:
    table.arrange()
    table.happen(mana.ManaAdded, BOB, NOTHING, "GWC")
    table.happen(mana.ManaSpent, BOB, "G")
    assert table.state.players[BOB].pool == "WC"
    table.pass_priority(ALICE)
    table.happen(turn.StepBegan, Step.END)
    assert table.state.players[BOB].pool == ""
    assert (table.state.turn.holder, table.state.turn.passes) == (ALICE, 0)


@pytest.mark.rule("117.3a")
@pytest.mark.parametrize("step", [Step.UNTAP, Step.CLEANUP])
def test_nobody_has_priority_as_untap_and_cleanup_begin(table: Table, step: Step) -> None:
    table.arrange()
    table.happen(turn.StepBegan, step)
    assert table.state.turn.holder == NOBODY


@pytest.mark.rule("514.3a")
def test_cleanup_that_needs_priority_gives_it_to_the_active_player(table: Table) -> None:
    table.arrange()
    table.happen(turn.StepBegan, Step.CLEANUP)
    table.happen(turn.TurnActionsDone)
    assert (table.state.turn.holder, table.state.turn.actions_done) == (ALICE, True)


@pytest.mark.rule("117.3d")
def test_passed_priority_goes_to_the_next_player_in_turn_order(table: Table) -> None:
    table.arrange()
    table.pass_priority(ALICE, BOB)
    assert (table.state.turn.holder, table.state.turn.passes) == (CAROL, 2)
    table.pass_priority(CAROL)
    assert (table.state.turn.holder, table.state.turn.passes) == (ALICE, 3)


@pytest.mark.rule("117.3c")
def test_player_who_acted_has_priority_again_and_nobody_has_passed(table: Table) -> None:
    table.arrange(placed(ZoneKind.GRAVEYARD, BOB))
    table.pass_priority(ALICE)
    table.move(1, ZoneKind.GRAVEYARD, ZoneKind.STACK, BOB)
    table.happen(stack.SpellCast, ObjectId(2), BOB, (), (), 0)
    assert (table.state.turn.holder, table.state.turn.passes) == (BOB, 0)
    assert table.state.items[ObjectId(2)].is_cast


@pytest.mark.rule("605.3b")
def test_mana_ability_takes_no_id_and_is_an_action_between_passes(table: Table) -> None:
    table.arrange(BATTLEFIELD)
    table.pass_priority(ALICE)
    fields = (NOTHING, ObjectId(1), BOB, b"m", 0, (), (), 0)
    table.happen(stack.AbilityActivated, *fields)
    assert (table.state.turn.passes, table.state.next_id, table.state.stack) == (0, 2, [])
    assert table.state.turn.activations == [(1, b"m")]


@pytest.mark.rule("117.3b")
@pytest.mark.parametrize("kind", [stack.ObjectResolved, stack.ObjectCountered])
def test_ability_ceases_and_the_active_player_has_priority(
    table: Table, kind: Callable[..., AnyEvent]
) -> None:
    table.arrange(BATTLEFIELD)
    fields = (ObjectId(2), ObjectId(1), BOB, b"a", 0, (), (), 4)
    table.happen(stack.AbilityActivated, *fields)
    assert (table.state.turn.holder, table.state.items[ObjectId(2)].x) == (BOB, 4)
    table.happen(kind, ObjectId(2))
    assert (table.state.stack, table.state.items, table.state.turn.holder) == ([], {}, ALICE)


@pytest.mark.rule("603.3")
def test_trigger_put_on_the_stack_says_which_event_it_comes_from(table: Table) -> None:
    table.arrange(BATTLEFIELD)
    table.happen(stack.DelayedTriggerCreated, 1, ObjectId(1), BOB, b"d", ())
    table.happen(stack.AbilityTriggered, 2, ObjectId(1), BOB, b"d", ObjectId(1), ALICE, 7, 1)
    assert (table.state.delayed, table.state.pending[0].sequence) == ([], 2)
    table.happen(stack.TriggerPutOnStack, ObjectId(2), 2, (), (1,))
    item = table.state.items[ObjectId(2)]
    assert (item.caused_by, item.amount, item.modes, item.source) == (3, 7, (1,), 1)
    assert table.state.objects[ObjectId(2)].controller == BOB
    assert (table.state.pending, table.state.next_number) == ([], 3)


@pytest.mark.rule("514.2")
def test_cleanup_ends_damage_and_effects_of_the_turn(table: Table) -> None:
    table.arrange(BATTLEFIELD)
    for number, duration in enumerate(("end-of-turn", "permanent", "this-turn"), 1):
        fields = (ObjectId(1), ALICE, (ObjectId(1),), b"", duration)
        table.happen(stack.EffectBegan, number, *fields)
    table.happen(life.DamageDealt, ObjectId(1), ObjectId(1), NOBODY, 2, False, True)
    assert table.state.deathtouched == [ObjectId(1)]
    table.happen(turn.TurnEffectsEnded)
    struck = table.state.objects[ObjectId(1)]
    assert (struck.damage, table.state.deathtouched) == (0, [])
    assert [effect.number for effect in table.state.effects] == [2]


@pytest.mark.rule("509.1h")
def test_attacker_stays_blocked_when_its_blocker_is_gone(table: Table) -> None:
    table.arrange(BATTLEFIELD, BATTLEFIELD, placed(ZoneKind.BATTLEFIELD, BOB))
    attacks = tuple((ObjectId(name), BOB, NOTHING) for name in (1, 2))
    table.happen(combat.AttackersDeclared, ALICE, attacks)
    table.happen(combat.BlockersDeclared, BOB, ((ObjectId(3), ObjectId(1)),))
    table.move(3, ZoneKind.BATTLEFIELD, ZoneKind.GRAVEYARD, BOB)
    fight = table.state.combat
    assert (sorted(fight.attackers), fight.blocks, fight.blocked) == ([1, 2], {}, [1])


@pytest.mark.rule("509.1g")
def test_blocker_of_a_removed_attacker_goes_on_blocking(table: Table) -> None:
    table.arrange(BATTLEFIELD, placed(ZoneKind.BATTLEFIELD, BOB))
    table.happen(combat.AttackersDeclared, ALICE, ((ObjectId(1), BOB, NOTHING),))
    table.happen(combat.BlockersDeclared, BOB, ((ObjectId(2), ObjectId(1)),))
    table.happen(combat.RemovedFromCombat, ObjectId(1))
    fight = table.state.combat
    assert (fight.attackers, fight.blocks, fight.blocked) == ({}, {2: ()}, [])


@pytest.mark.rule("510.4")
def test_first_strikers_are_remembered_until_combat_ends(table: Table) -> None:
    table.arrange(BATTLEFIELD)
    table.happen(turn.StepBegan, Step.FIRST_STRIKE_DAMAGE)
    table.happen(combat.FirstStrikersDetermined, (ObjectId(1),))
    table.happen(turn.StepBegan, Step.COMBAT_DAMAGE)
    assert table.state.combat.dealt_first == [1]
    table.happen(turn.StepBegan, Step.MAIN2)
    assert table.state.combat.dealt_first == []


@pytest.mark.rule("508.8")
def test_combat_remembers_that_something_attacked_though_it_is_gone(table: Table) -> None:
    table.arrange(BATTLEFIELD)
    table.happen(combat.AttackersDeclared, ALICE, ((ObjectId(1), BOB, NOTHING),))
    table.move(1, ZoneKind.BATTLEFIELD, ZoneKind.EXILE)
    assert (table.state.combat.attackers, table.state.combat.had_attackers) == ({}, True)


@pytest.mark.parametrize(
    ("mode", "ends"),
    [
        (StandingMode.UNTIL_END_OF_TURN, (turn.TurnBegan, 6, ALICE)),
        (StandingMode.UNTIL_MY_TURN, (turn.TurnBegan, 6, BOB)),
        (
            StandingMode.UNTIL_STACK_GROWS,
            (stack.AbilityActivated, ObjectId(1), ObjectId(9), ALICE, b"a", 0, (), (), 0),
        ),
    ],
)
def test_standing_pass_ends_with_its_time(
    table: Table, mode: StandingMode, ends: tuple[Callable[..., AnyEvent], object]
) -> None:
    table.arrange()
    table.happen(turn.PriorityPassed, BOB, turn.StandingPass(mode))
    table.happen(turn.StepBegan, Step.MAIN2)
    assert table.state.players[BOB].standing == mode
    assert redact_state(table.state, BOB).players[BOB].standing == mode
    assert redact_state(table.state, ALICE).players[BOB].standing == 0
    table.happen(*ends)
    assert table.state.players[BOB].standing == 0


@pytest.mark.rule("800.4a")
def test_player_who_leaves_takes_objects_abilities_and_priority_along(table: Table) -> None:
    bobs = [placed(zone, BOB) for zone in (ZoneKind.LIBRARY, ZoneKind.HAND, ZoneKind.BATTLEFIELD)]
    table.arrange(BATTLEFIELD, *bobs)
    table.happen(stack.AbilityTriggered, 1, ObjectId(4), BOB, b"t", NOTHING, NOBODY, 0, 0)
    ability = (ObjectId(5), ObjectId(1), BOB, b"a", 0, (), (), 0)
    table.happen(stack.AbilityActivated, *ability)
    table.happen(game.PlayerLeft, BOB)
    state = table.state
    assert (sorted(state.objects), state.stack, state.items, state.pending) == ([1], [], {}, [])
    assert (state.turn.holder, state.players[BOB].hand) == (CAROL, [])


@pytest.mark.rule("117.4")
def test_player_who_passed_and_left_is_not_counted_among_those_who_passed(table: Table) -> None:
    table.arrange()
    table.pass_priority(ALICE)
    table.happen(game.PlayerLeft, ALICE)
    assert (table.state.turn.holder, table.state.turn.passes) == (BOB, 0)


@pytest.mark.rule("800.4j")
def test_priority_of_an_active_player_who_left_goes_to_the_next(table: Table) -> None:
    table.arrange()
    table.happen(game.PlayerLeft, ALICE)
    table.happen(turn.StepBegan, Step.END)
    assert table.state.turn.holder == BOB


def test_decisions_are_counted_for_seats_only(table: Table) -> None:
    table.arrange()
    count_decision(table.trail, BOB)
    count_decision(table.trail, NOBODY)
    assert table.state.decision_counters == [0, 1, 0]


@pytest.mark.rule("122.1")
def test_counters_come_and_go(table: Table) -> None:
    table.arrange(BATTLEFIELD)
    table.happen(zones.CountersPut, ObjectId(1), "+1/+1", 2)
    table.happen(zones.CountersRemoved, ObjectId(1), "+1/+1", 1)
    assert table.state.objects[ObjectId(1)].counters == {"+1/+1": 1}
    table.happen(zones.CountersRemoved, ObjectId(1), "+1/+1", 1)
    assert table.state.objects[ObjectId(1)].counters == {}
