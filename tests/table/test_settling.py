"""Before a player gets priority: state-based actions, then triggers (CR 117.5, 704)."""

from __future__ import annotations

import pytest

from apnap.cards.model import CardDefinition
from apnap.events.base import Event
from apnap.events.decisions import (
    ChooseObjects,
    DeclareBlockers,
)
from apnap.events.game import GameEnded, PlayerLost
from apnap.events.ids import NOBODY, NOTHING, ObjectId, Step
from apnap.events.life import DrawFailed
from apnap.events.zones import (
    CountersRemoved,
    ObjectCeased,
    ObjectMoved,
    ObjectUnattached,
    TokenCreated,
)
from apnap.rules.prompts import SelectObjects

from .conftest import ALICE, BOB, CAROL, DAVE, Scene

BEAR, LION, LEGEND = "Grizzly Bears", "Silvercoat Lion", "Isamaru, Hound of Konda"
WEAR = "Equipped creature gets +1/+1.\nEquip {1}"


def _rules(scene: Scene, kind: type[Event]) -> list[str]:
    return [event.rule for event in scene.events(kind)]


def _watcher(scene: Scene, text: str, name: str = "Watcher") -> CardDefinition:
    return scene.card(text, "Creature", name, (1, 1))


# Losing, winning, drawing


@pytest.mark.rule("704.5a")
@pytest.mark.rule("104.3b")
@pytest.mark.parametrize("life", [0, -3])
def test_a_player_at_no_life_loses(duel: Scene, life: int) -> None:
    duel.set_player(BOB, life=life)
    duel.begin()
    assert duel.state.winners == (ALICE,)
    assert _rules(duel, PlayerLost) == ["704.5a"]
    assert _rules(duel, GameEnded) == ["104.2a"]
    assert duel.table.prompt is None


@pytest.mark.rule("704.5b")
@pytest.mark.rule("104.3c")
@pytest.mark.rule("121.4")
def test_who_draws_from_an_empty_library_loses_at_the_next_priority(duel: Scene) -> None:
    """All of the spell is done first: its player gains life though the library is empty."""
    spell = duel.hand(duel.card("Draw two cards. You gain 3 life.", "Sorcery"))
    duel.begin(library=1)
    duel.cast(spell)
    duel.resolve()
    assert len(duel.events(DrawFailed)) == 1
    assert duel.life()[ALICE] == 23
    assert duel.state.winners == (BOB,)
    assert _rules(duel, PlayerLost) == ["704.5b"]


@pytest.mark.rule("704.5c")
@pytest.mark.rule("104.3d")
@pytest.mark.parametrize(("poison", "is_over"), [(9, False), (10, True)])
def test_ten_poison_counters_lose_the_game(duel: Scene, poison: int, is_over: bool) -> None:
    duel.set_player(ALICE, counters=(("poison", poison),))
    duel.begin()
    assert duel.table.is_over == is_over
    if is_over:
        assert duel.state.end_reason == "poison"


@pytest.mark.rule("104.4a")
def test_all_who_lose_at_the_same_time_draw(duel: Scene) -> None:
    spell = duel.hand(duel.card("Each player loses 20 life.", "Sorcery"))
    duel.begin()
    duel.cast(spell)
    duel.resolve()
    assert duel.state.winners == ()
    assert (duel.state.end_reason, _rules(duel, GameEnded)) == ("simultaneous", ["104.4a"])
    duel.check()


@pytest.mark.rule("104.2a")
def test_of_four_two_lose_together_and_the_game_goes_on(quartet: Scene) -> None:
    spell = quartet.hand(quartet.card("Each player loses 5 life.", "Sorcery"))
    for player in (BOB, DAVE):
        quartet.set_player(player, life=5)
        quartet.put(BEAR, player)
    quartet.begin()
    quartet.cast(spell)
    quartet.resolve()
    assert [player.has_left for player in quartet.state.players] == [False, True, False, True]
    assert not quartet.state.battlefield
    assert quartet.prompt.seat == ALICE
    quartet.check()
    quartet.concede(CAROL)
    assert quartet.state.winners == (ALICE,)


@pytest.mark.rule("104.2a")
def test_of_four_three_lose_together_and_the_last_wins(quartet: Scene) -> None:
    spell = quartet.hand(quartet.card("Each opponent loses 20 life.", "Sorcery"))
    quartet.begin()
    quartet.cast(spell)
    quartet.resolve()
    assert quartet.state.winners == (ALICE,)
    assert len(quartet.events(PlayerLost)) == 3


@pytest.mark.rule("104.2b")
def test_an_effect_wins_the_game_at_once(trio: Scene) -> None:
    spell = trio.hand(trio.card("You win the game.", "Sorcery"), BOB)
    trio.begin(active=BOB)
    trio.cast(spell)
    trio.resolve()
    assert trio.state.winners == (BOB,)
    assert _rules(trio, GameEnded) == ["104.2b"]


@pytest.mark.rule("704.4")
def test_state_based_actions_wait_for_the_end_of_a_resolution(duel: Scene) -> None:
    """Life below 0 in the midst of a resolution is nothing if it is above again at the end."""
    spell = duel.hand(duel.card("You lose 25 life. You gain 10 life.", "Sorcery"))
    duel.begin()
    duel.cast(spell)
    duel.resolve()
    assert duel.life() == (5, 20)
    assert not duel.table.is_over


# Creatures


@pytest.mark.rule("704.5f")
def test_a_creature_of_no_toughness_is_put_into_the_graveyard(duel: Scene) -> None:
    duel.put("Darksteel Myr", counters=(("-1/-1", 1),))
    duel.begin()
    assert duel.names_in(duel.state.players[ALICE].graveyard) == ["Darksteel Myr"]
    assert _rules(duel, ObjectMoved) == ["704.5f"]


@pytest.mark.rule("704.5g")
def test_lethal_damage_destroys_but_what_is_indestructible(duel: Scene) -> None:
    bear, myr = duel.put(BEAR), duel.put("Darksteel Myr")
    spell = duel.hand("Pyroclasm")
    duel.begin()
    duel.cast(spell)
    duel.resolve()
    assert bear not in duel.state.battlefield
    assert duel.state.battlefield == [myr]
    assert duel.state.objects[myr].damage == 2
    assert "704.5g" in _rules(duel, ObjectMoved)


@pytest.mark.rule("704.5h")
def test_any_damage_from_deathtouch_destroys(duel: Scene) -> None:
    rats, wurm = duel.put("Typhoid Rats"), duel.put("Craw Wurm", BOB)
    duel.begin()
    duel.attack((rats, BOB))
    duel.resolve()
    duel.answer(DeclareBlockers, ((wurm, rats),))
    duel.go_to(Step.END_COMBAT)
    assert not duel.state.battlefield
    assert {"704.5g", "704.5h"} <= {*_rules(duel, ObjectMoved)}


@pytest.mark.rule("704.3")
def test_what_dies_together_dies_as_one_event(duel: Scene) -> None:
    for player in (ALICE, BOB):
        duel.put(BEAR, player)
    spell = duel.hand("Pyroclasm")
    duel.begin()
    duel.cast(spell)
    duel.resolve()
    groups = [group for commit in duel.commits() for group in commit.groups]
    deaths = [g for g in groups if any(getattr(e, "rule", "") == "704.5g" for e in g)]
    assert [len(group) for group in deaths] == [2]


@pytest.mark.rule("704.3")
def test_state_based_actions_are_checked_again_after_some_were_done(duel: Scene) -> None:
    """The lord dies of damage, and only then its soldiers are too weak for theirs."""
    duel.put("Field Marshal")
    duel.put("Eager Cadet")
    duel.put("Elite Vanguard", counters=(("-1/-1", 1),))
    shock = duel.hand("Shock", BOB)
    duel.begin(active=BOB)
    duel.cast(shock, ObjectId(1))
    duel.resolve()
    assert duel.names_in(duel.state.battlefield) == ["Eager Cadet"]
    moved = [event.last_known.name for event in duel.events(ObjectMoved) if event.manner != "cast"]
    assert moved.index("Field Marshal") < moved.index("Elite Vanguard")


@pytest.mark.rule("704.5q")
def test_counters_of_both_signs_go_in_pairs(duel: Scene) -> None:
    bear = duel.put(BEAR, counters=(("+1/+1", 3), ("-1/-1", 2)))
    duel.begin()
    assert duel.state.objects[bear].counters == {"+1/+1": 1}
    assert _rules(duel, CountersRemoved) == ["704.5q", "704.5q"]


# Attachments, tokens, legends


@pytest.mark.rule("704.5m")
def test_an_aura_on_nothing_or_on_what_it_cant_enchant_is_put_away(duel: Scene) -> None:
    duel.put("Forest")
    duel.put("Pacifism", attached=1)
    duel.put("Holy Strength")
    duel.begin()
    assert duel.names_in(duel.state.players[ALICE].graveyard) == ["Pacifism", "Holy Strength"]
    assert _rules(duel, ObjectMoved) == ["704.5m", "704.5m"]


@pytest.mark.rule("704.5m")
def test_an_aura_falls_off_as_its_creature_dies(duel: Scene) -> None:
    bear = duel.put(BEAR)
    duel.put("Holy Strength", attached=1)
    murder = duel.hand("Murder", BOB)
    duel.begin(active=BOB)
    duel.cast(murder, bear)
    duel.resolve()
    assert not duel.state.battlefield
    assert duel.names_in(duel.state.players[ALICE].graveyard) == [BEAR, "Holy Strength"]


@pytest.mark.rule("704.5n")
def test_an_equipment_stays_as_its_creature_dies(duel: Scene) -> None:
    bear = duel.put(BEAR)
    sword = duel.put(duel.card(WEAR, "Artifact — Equipment", "Sword"), attached=1)
    murder = duel.hand("Murder", BOB)
    duel.begin(active=BOB)
    assert duel.game.characteristics(bear).power == 3
    duel.cast(murder, bear)
    duel.resolve()
    assert duel.state.battlefield == [sword]
    assert duel.state.objects[sword].attached_to == NOTHING
    assert _rules(duel, ObjectUnattached) == ["704.5n"]


@pytest.mark.rule("704.5p")
@pytest.mark.parametrize("type_line", ["Artifact Creature — Equipment", "Artifact", "Creature"])
def test_what_is_no_aura_and_cant_equip_comes_off(duel: Scene, type_line: str) -> None:
    size = (1, 1) if "Creature" in type_line else None
    duel.put(BEAR)
    thing = duel.put(duel.card("", type_line, "Odd", size), attached=1)
    duel.begin()
    assert duel.state.objects[thing].attached_to == NOTHING
    assert _rules(duel, ObjectUnattached) == ["704.5p"]


@pytest.mark.rule("704.5n")
def test_an_equipment_on_a_player_comes_off(duel: Scene) -> None:
    sword = duel.put(duel.card(WEAR, "Artifact — Equipment", "Sword"), attached_player=BOB)
    duel.begin()
    assert duel.state.objects[sword].attached_player == NOBODY


@pytest.mark.rule("704.5d")
@pytest.mark.rule("111.7")
def test_a_token_that_left_the_battlefield_ceases_to_exist(duel: Scene) -> None:
    make, bounce = duel.hand("Raise the Alarm"), duel.hand("Unsummon")
    duel.begin()
    duel.cast(make)
    duel.resolve()
    token = duel.events(TokenCreated)[0].object
    duel.cast(bounce, token)
    duel.resolve()
    assert len(duel.state.battlefield) == 1
    assert not duel.state.players[ALICE].hand
    assert _rules(duel, ObjectCeased) == ["704.5d"]
    duel.check()


@pytest.mark.rule("704.5d")
@pytest.mark.rule("700.4")
def test_a_token_dies_before_it_ceases_to_exist(duel: Scene) -> None:
    duel.put(_watcher(duel, "Whenever another creature dies, you gain 1 life."))
    make, murder = duel.hand("Raise the Alarm"), duel.hand("Murder")
    duel.begin()
    duel.cast(make)
    duel.resolve()
    duel.cast(murder, duel.events(TokenCreated)[0].object)
    duel.resolve()
    duel.resolve()
    assert duel.life() == (21, 20)
    assert len(duel.state.players[ALICE].graveyard) == 2


@pytest.mark.rule("704.5j")
def test_of_legends_of_one_name_their_controller_keeps_one(duel: Scene) -> None:
    first, second = duel.put(LEGEND), duel.put(LEGEND)
    other = duel.put(LEGEND, BOB)
    duel.begin()
    asked = duel.prompt
    assert isinstance(asked, SelectObjects)
    assert (asked.kind, asked.rule, asked.candidates) == ("legend", "704.5j", (first, second))
    duel.answer(ChooseObjects, (second,))
    assert duel.state.battlefield == [second, other]
    assert _rules(duel, ObjectMoved) == ["704.5j"]
    duel.check()


@pytest.mark.rule("704.5j")
@pytest.mark.rule("101.4")
def test_players_choose_legends_in_turn_order(trio: Scene) -> None:
    for player in (CAROL, BOB):
        for _ in range(2):
            trio.put(LEGEND, player)
    trio.begin(active=BOB)
    assert trio.prompt.seat == BOB
    trio.suggest()
    assert trio.prompt.seat == CAROL
    assert len(trio.state.battlefield) == 4
    trio.suggest()
    assert len(trio.state.battlefield) == 2


@pytest.mark.rule("704.5i")
def test_a_planeswalker_without_loyalty_is_put_into_the_graveyard(duel: Scene) -> None:
    walker = duel.card("", "Legendary Planeswalker — Ajani", "Walker")
    kept = duel.put(walker, counters=(("loyalty", 1),))
    duel.put(walker, BOB)
    duel.begin()
    assert duel.state.battlefield == [kept]
    assert _rules(duel, ObjectMoved) == ["704.5i"]


@pytest.mark.rule("704.5k")
def test_of_world_permanents_the_newest_stays(duel: Scene) -> None:
    for player, name in ((ALICE, "Old"), (BOB, "New")):
        duel.put(duel.card("", "World Enchantment", name), player)
    duel.begin()
    assert duel.names_in(duel.state.battlefield) == ["New"]
    assert _rules(duel, ObjectMoved) == ["704.5k"]
