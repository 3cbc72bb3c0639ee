"""What instructions do as a spell or ability resolves."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest

from apnap.cards.model import ActivatedAbility, CannotBlock, Instruction, TriggeredAbility
from apnap.events.decisions import Answer, ChooseNumber, ChooseObjects
from apnap.events.game import GameEnded
from apnap.events.ids import ObjectId, ZoneKind
from apnap.events.life import DamageDealt
from apnap.events.stack import (
    AbilityTriggered,
    DelayedTriggerCreated,
    EffectEnded,
    ObjectCountered,
    ObjectResolved,
)
from apnap.events.turn import TurnEffectsEnded
from apnap.events.zones import LibraryArranged, TokenCreated
from apnap.rules.actions import Action, Occur
from apnap.rules.control import noticed_changes
from apnap.rules.durations import ending_with_turn_of
from apnap.rules.effects import EFFECTS
from apnap.rules.protocol import Prompt

from .conftest import ME, THEY, Bench

HAND, LIBRARY, GRAVEYARD = ZoneKind.HAND, ZoneKind.LIBRARY, ZoneKind.GRAVEYARD
EXILE, BATTLEFIELD, STACK = ZoneKind.EXILE, ZoneKind.BATTLEFIELD, ZoneKind.STACK


def yes(prompt: Prompt) -> Answer:
    return Answer(prompt.seat, prompt.player, prompt.counter, yes=True)


def no(prompt: Prompt) -> Answer:
    return Answer(prompt.seat, prompt.player, prompt.counter, yes=False)


def pick(*objects: ObjectId) -> Callable[[Prompt], ChooseObjects]:
    return lambda prompt: ChooseObjects(prompt.seat, prompt.player, prompt.counter, objects)


def option(number: int) -> Callable[[Prompt], ChooseNumber]:
    return lambda prompt: ChooseNumber(prompt.seat, prompt.player, prompt.counter, number)


@pytest.mark.rule("608.2c")
def test_every_instruction_of_the_model_has_an_effect() -> None:
    assert set(EFFECTS) == set(get_args(Instruction))


@pytest.mark.rule("608.2n")
def test_instant_goes_to_its_owners_graveyard_as_the_last_part_of_resolving(bench: Bench) -> None:
    victim = bench.creature(THEY)
    spell = bench.cast("This spell deals 2 damage to any target.", victim)
    events = bench.resolve()
    assert [type(e).__name__ for e in events] == ["DamageDealt", "ObjectResolved", "ObjectMoved"]
    assert bench.moves() == [(spell, GRAVEYARD, "resolved")]
    assert bench.state.objects[victim].damage == 2
    assert bench.state.stack == []


@pytest.mark.rule("608.2b")
def test_spell_with_only_illegal_targets_does_not_resolve(bench: Bench) -> None:
    victim = bench.creature(THEY, text="Hexproof")
    spell = bench.cast("Destroy target creature.", victim)
    events = bench.resolve()
    assert isinstance(events[0], ObjectCountered)
    assert bench.moves() == [(spell, GRAVEYARD, "countered")]


@pytest.mark.rule("608.2b")
def test_partly_illegal_targets_are_left_out(bench: Bench) -> None:
    gone, there = bench.creature(THEY, text="Shroud"), bench.creature(THEY)
    bench.cast("Destroy target creature. Tap target creature.", gone, there)
    bench.resolve()
    assert bench.game.is_in(gone, BATTLEFIELD)
    assert bench.state.objects[there].tapped


@pytest.mark.rule("608.3a")
def test_permanent_spell_enters_under_its_controllers_control(bench: Bench) -> None:
    bench.cast("", type_line="Creature — Bear")
    events = bench.resolve()
    assert isinstance(events[0], ObjectResolved)
    assert bench.game.permanents_of(ME) == (events[1].becomes,)


@pytest.mark.rule("608.3c")
def test_aura_spell_enters_attached_to_its_target(bench: Bench) -> None:
    bear = bench.creature()
    bench.cast(
        "Enchant creature\nEnchanted creature gets +2/+2.", bear, type_line="Enchantment — Aura"
    )
    bench.resolve()
    assert bench.size(bear) == (4, 4)


@pytest.mark.rule("608.3b")
def test_aura_spell_with_an_illegal_target_goes_to_the_graveyard(bench: Bench) -> None:
    bear = bench.creature(THEY, text="Hexproof")
    aura = bench.cast(
        "Enchant creature\nEnchanted creature gets +2/+2.", bear, type_line="Enchantment — Aura"
    )
    bench.resolve()
    assert bench.moves() == [(aura, GRAVEYARD, "countered")]


@pytest.mark.rule("603.4")
def test_intervening_if_is_checked_as_the_ability_resolves(bench: Bench) -> None:
    text = "When this creature enters, if you control a Dragon, draw a card."
    bear = bench.creature(text=text)
    bench.put(bench.card(), LIBRARY)
    bench.trigger(bear)
    bench.resolve()
    assert bench.moves() == []
    assert bench.state.stack == []


@pytest.mark.rule("121.2")
def test_cards_are_drawn_one_at_a_time_the_active_player_first(bench: Bench) -> None:
    for player in (ME, ME, THEY, THEY):
        bench.put(bench.card(), LIBRARY, player)
    bench.cast("Each player draws two cards.", player=THEY)
    events = bench.resolve()
    assert [event.player for event in events[:4]] == [ME, ME, THEY, THEY]
    assert [len(player.hand) for player in bench.state.players] == [2, 2]


@pytest.mark.rule("701.8b")
def test_player_chooses_what_to_discard(bench: Bench) -> None:
    bench.put(bench.card(), HAND, THEY)
    chosen = bench.put(bench.card(name="Other"), HAND, THEY)
    bench.cast("Target player discards a card.", ("player", 1))
    bench.resolve(pick(chosen))
    assert chosen not in bench.state.players[THEY].hand
    assert len(bench.state.players[THEY].graveyard) == 1


@pytest.mark.rule("701.8b")
def test_forced_discard_is_asked_all_the_same(bench: Bench) -> None:
    only = bench.put(bench.card(), HAND, THEY)
    bench.cast("Target player discards two cards.", ("player", 1))
    bench.resolve(pick(only))
    assert bench.prompts[0].kind == "discard"


@pytest.mark.rule("701.13b")
def test_mill_takes_as_many_as_there_are(bench: Bench) -> None:
    bench.put(bench.card(), LIBRARY, THEY)
    bench.cast("Target player mills three cards.", ("player", 1))
    bench.resolve()
    assert len(bench.state.players[THEY].graveyard) == 1


@pytest.mark.rule("701.17a")
def test_player_sacrifices_only_what_they_control(bench: Bench) -> None:
    mine, theirs = bench.creature(), bench.creature(THEY)
    other = bench.creature(THEY)
    bench.cast("Target player sacrifices a creature.", ("player", 1))
    bench.resolve(pick(other))
    assert bench.game.is_in(mine, BATTLEFIELD)
    assert bench.game.is_in(theirs, BATTLEFIELD)
    assert not bench.game.is_in(other, BATTLEFIELD)
    assert getattr(bench.prompts[0], "candidates", ()) == (theirs, other)


@pytest.mark.rule("611.2c")
def test_objects_of_a_lasting_effect_are_locked_as_it_begins(bench: Bench) -> None:
    early = bench.creature()
    bench.cast("Creatures you control get +1/+1 until end of turn.")
    bench.resolve()
    late = bench.creature()
    assert bench.size(early) == (3, 3)
    assert bench.size(late) == (2, 2)


@pytest.mark.rule("611.2d")
def test_numbers_of_a_lasting_effect_are_locked_as_it_begins(bench: Bench) -> None:
    bear = bench.creature()
    text = (
        "Target creature gets +X/+0 until end of turn, where X is the number of creatures you"
        " control."
    )
    bench.cast(text, bear)
    bench.resolve()
    bench.creature()
    assert bench.size(bear) == (3, 2)


@pytest.mark.rule("701.12a")
def test_creatures_that_fight_deal_damage_at_the_same_time(bench: Bench) -> None:
    mine, theirs = bench.creature(power=3), bench.creature(THEY, power=1)
    bench.cast(
        "Target creature you control fights target creature you don't control.", mine, theirs
    )
    events = bench.resolve()
    dealt = [(e.source, e.to, e.amount) for e in events if isinstance(e, DamageDealt)]
    assert dealt == [(mine, theirs, 3), (theirs, mine, 1)]


@pytest.mark.rule("701.12b")
def test_nobody_fights_if_one_is_an_illegal_target(bench: Bench) -> None:
    mine, theirs = bench.creature(power=3), bench.creature(THEY, text="Hexproof")
    bench.cast(
        "Target creature you control fights target creature you don't control.", mine, theirs
    )
    events = bench.resolve()
    assert not any(isinstance(event, DamageDealt) for event in events)


@pytest.mark.rule("701.5a")
def test_countered_spell_goes_to_its_owners_graveyard(bench: Bench) -> None:
    victim = bench.cast("Draw a card.", player=THEY)
    bench.cast("Counter target spell.", victim)
    bench.resolve()
    assert bench.moves()[0] == (victim, GRAVEYARD, "countered")
    assert bench.state.stack == []


@pytest.mark.rule("101.2")
def test_spell_that_cannot_be_countered_stays(bench: Bench) -> None:
    victim = bench.cast("This spell can't be countered.", type_line="Creature — Bear", player=THEY)
    bench.cast("Counter target spell.", victim)
    bench.resolve()
    assert bench.state.stack == [victim]


@pytest.mark.rule("400.7j")
def test_effect_finds_what_it_exiled_itself(bench: Bench) -> None:
    bear = bench.creature()
    text = (
        "Exile target creature you control, then return it to the battlefield under its owner's"
        " control."
    )
    bench.cast(text, bear)
    bench.resolve()
    assert len(bench.game.permanents_of(ME)) == 1
    assert not bench.game.is_in(bear, BATTLEFIELD)


@pytest.mark.rule("400.7e")
def test_dies_trigger_finds_the_card_in_the_graveyard(bench: Bench) -> None:
    phoenix = bench.creature(text="When this creature dies, return it to its owner's hand.")
    bench.trigger(phoenix)
    kill = bench.cast("Destroy target creature.", phoenix)
    bench.resolve()
    assert bench.state.stack[-1] != kill
    bench.resolve()
    assert len(bench.state.players[ME].hand) == 1


@pytest.mark.rule("608.2d")
def test_may_that_is_declined_does_nothing(bench: Bench) -> None:
    bench.put(bench.card(), LIBRARY)
    bench.cast("You may draw a card.")
    bench.resolve(no)
    assert bench.state.players[ME].hand == []


@pytest.mark.rule("118.12")
def test_if_you_do_follows_only_on_what_was_done(bench: Bench) -> None:
    bench.put(bench.card(), LIBRARY)
    bench.cast("You may sacrifice a creature. If you do, draw a card.")
    bench.resolve(yes)
    assert bench.state.players[ME].hand == []


@pytest.mark.rule("118.12a")
def test_unless_somebody_pays_the_spell_is_countered(bench: Bench) -> None:
    victim = bench.cast("Draw a card.", player=THEY)
    bench.cast("Counter target spell unless its controller pays {3}.", victim)
    bench.resolve(no)
    assert bench.moves()[0] == (victim, GRAVEYARD, "countered")


@pytest.mark.rule("118.12a")
def test_spell_is_not_countered_if_its_controller_pays(bench: Bench) -> None:
    victim = bench.cast("Draw a card.", player=THEY)
    bench.state.players[THEY].pool = "CCC"
    bench.cast("Counter target spell unless its controller pays {3}.", victim)
    bench.resolve(yes)
    assert bench.state.stack == [victim]
    assert bench.state.players[THEY].pool == ""


@pytest.mark.rule("603.12")
def test_when_you_do_triggers_at_once(bench: Bench) -> None:
    bench.state.players[ME].pool = "R"
    text = "You may pay {R}. When you do, this spell deals 3 damage to any target."
    bench.cast(text)
    events = bench.resolve(yes)
    assert any(isinstance(event, AbilityTriggered) for event in events)
    assert len(bench.state.pending) == 1


@pytest.mark.rule("603.7")
def test_delayed_trigger_remembers_what_it_speaks_of(bench: Bench) -> None:
    text = (
        "Create a 1/1 red Elemental creature token. Sacrifice it at the beginning of the next end"
        " step."
    )
    bench.cast(text)
    events = bench.resolve()
    token = next(event.object for event in events if isinstance(event, TokenCreated))
    created = next(event for event in events if isinstance(event, DelayedTriggerCreated))
    assert created.objects == (token,)
    assert isinstance(bench.game.definitions.ability(created.ability), TriggeredAbility)


@pytest.mark.rule("106.4")
def test_player_chooses_among_kinds_of_mana(bench: Bench) -> None:
    bench.cast("Add {R} or {G}.")
    bench.resolve(option(2))
    assert bench.state.players[ME].pool == "G"


@pytest.mark.rule("104.2b")
def test_effect_that_says_so_wins_the_game(bench: Bench) -> None:
    bench.cast("You win the game.")
    events = bench.resolve()
    assert isinstance(events[-1], GameEnded)
    assert bench.state.winners == (ME,)


@pytest.mark.rule("119.3")
def test_each_opponent_loses_life_and_you_gain_it(bench: Bench) -> None:
    bench.cast("Each opponent loses 2 life and you gain 2 life.")
    bench.resolve()
    assert bench.life() == (22, 18)


@pytest.mark.rule("107.1b")
def test_negative_power_deals_no_damage_in_a_fight(bench: Bench) -> None:
    mine, theirs = bench.creature(power=3), bench.creature(THEY, power=1)
    bench.cast("Target creature gets -3/-0 until end of turn.", theirs)
    bench.resolve()
    bench.cast(
        "Target creature you control fights target creature you don't control.", mine, theirs
    )
    events = bench.resolve()
    dealt = [(e.source, e.amount) for e in events if isinstance(e, DamageDealt)]
    assert dealt == [(mine, 3)]


@pytest.mark.rule("702.108a")
def test_prowess_stands_for_a_trigger(bench: Bench) -> None:
    monk = bench.creature(text="Prowess")
    bench.trigger(monk)
    bench.resolve()
    assert bench.size(monk) == (3, 3)


@pytest.mark.rule("702.6a")
def test_equip_attaches_to_a_creature(bench: Bench) -> None:
    bear = bench.creature()
    text = "Equipped creature gets +2/+0.\nEquip {1}"
    sword = bench.put(bench.card(text, "Artifact — Equipment"))
    ability = bench.game.characteristics(sword).abilities[-1]
    assert isinstance(ability, ActivatedAbility)
    item = bench.ability(sword, bench.game.definitions.digest_of_ability(ability), bear)
    assert bench.state.stack == [item]
    bench.resolve()
    assert bench.size(bear) == (4, 2)


@pytest.mark.rule("611.2a")
def test_control_goes_back_when_the_effect_ends(bench: Bench) -> None:
    bear = bench.creature(THEY)
    bench.cast("Gain control of target creature until end of turn.", bear)
    bench.resolve()
    bench.game.apply(TurnEffectsEnded("514.2", 0))
    assert bench.game.controller_of(bear) == THEY


@pytest.mark.rule("611.2c")
def test_effect_that_changes_only_rules_reaches_what_comes_later(bench: Bench) -> None:
    bench.creature(THEY)
    bench.cast("Creatures your opponents control can't block this turn.")
    bench.resolve()
    late = bench.creature(THEY)
    assert bench.game.characteristics(late).rules == (CannotBlock(),)
    bench.game.apply(TurnEffectsEnded("514.2", 0))
    assert bench.game.characteristics(late).rules == ()


@pytest.mark.rule("701.18a")
def test_scry_puts_cards_on_the_bottom_and_orders_the_rest(bench: Bench) -> None:
    one, two, three, four = (bench.put(bench.card(name=n), LIBRARY) for n in ("A", "B", "C", "D"))
    bench.cast("Scry 3.")
    events = bench.resolve(pick(two), pick(three, one))
    arranged = next(event for event in events if isinstance(event, LibraryArranged))
    assert (arranged.count, arranged.bottom) == (3, 1)
    library = bench.state.players[ME].library
    assert [bench.game.name_of(item) for item in library] == ["C", "A", "D", "B"]
    assert library[2] == four
    assert bench.state.objects[library[3]].known_to == 1


@pytest.mark.rule("611.2b")
def test_effect_ends_when_its_player_loses_the_source(bench: Bench) -> None:
    text = "{T}: Gain control of target creature for as long as you control this creature."
    thief, prey = bench.creature(text=text), bench.creature(THEY)
    ability = bench.game.characteristics(thief).abilities[0]
    assert isinstance(ability, ActivatedAbility)
    bench.ability(thief, bench.game.definitions.digest_of_ability(ability), prey)
    bench.resolve()
    assert bench.game.controller_of(prey) == ME
    bench.cast("Destroy target creature.", thief)
    bench.resolve()
    (ended,) = [one for one in noticed_changes(bench.game) if is_end(one)]
    assert isinstance(ended, Occur)
    bench.game.apply(ended.event)
    assert bench.game.controller_of(prey) == THEY


def is_end(action: Action) -> bool:
    """Say whether an action is the end of an effect."""
    return isinstance(action, Occur) and isinstance(action.event, EffectEnded)


@pytest.mark.rule("500.5")
def test_effect_until_your_next_turn_ends_as_it_begins(bench: Bench) -> None:
    bear = bench.creature()
    bench.cast("Target creature gets +1/+1 until your next turn.", bear)
    bench.resolve()
    assert ending_with_turn_of(bench.game, THEY) == ()
    (ended,) = ending_with_turn_of(bench.game, ME)
    assert is_end(ended)
