"""Keywords that stand for other abilities, and what the rules cannot play."""

from __future__ import annotations

import pytest

from apnap.cards.keyword_abilities import EXPANDED_KEYWORDS, expanded
from apnap.cards.model import (
    ActivatedAbility,
    CardDefinition,
    Cost,
    KeywordAbility,
    StaticAbility,
    TriggeredAbility,
)
from apnap.cards.pool import UnsupportedCard
from apnap.events.combat import AttackersDeclared
from apnap.events.ids import NOTHING, Step, ZoneKind
from apnap.events.stack import AbilityTriggered
from apnap.events.turn import StepBegan
from apnap.projections.state import StackItem
from apnap.rules.supported import INTERPRETED_KEYWORDS, supported, unsupported_in
from apnap.rules.triggers import triggered

from .conftest import ME, THEY, Bench
from .test_effects import no

GRAVEYARD, BATTLEFIELD = ZoneKind.GRAVEYARD, ZoneKind.BATTLEFIELD


@pytest.mark.parametrize("name", EXPANDED_KEYWORDS)
def test_each_expanded_keyword_gives_abilities_of_the_model(name: str) -> None:
    abilities = expanded(KeywordAbility(name, amount=2, cost=Cost(mana="{1}")))
    assert abilities
    assert all(
        isinstance(one, ActivatedAbility | TriggeredAbility | StaticAbility) for one in abilities
    )


@pytest.mark.rule("702.29a")
def test_cycling_works_in_the_hand_and_discards_the_card() -> None:
    (ability,) = expanded(KeywordAbility("cycling", cost=Cost(mana="{2}")))
    assert isinstance(ability, ActivatedAbility)
    assert (ability.zone, ability.cost.mana) == (ZoneKind.HAND, "{2}")
    assert ability.cost.discard is not None


@pytest.mark.rule("702.79a")
def test_persist_returns_the_creature_with_a_counter(bench: Bench) -> None:
    sprite = bench.creature(text="Persist")
    bench.trigger(sprite)
    bench.cast("Destroy target creature.", sprite)
    bench.resolve()
    bench.resolve()
    (back,) = bench.game.permanents_of(ME)
    assert bench.size(back) == (1, 1)


@pytest.mark.rule("702.79a")
def test_persist_does_nothing_for_a_creature_that_had_a_counter(bench: Bench) -> None:
    sprite = bench.put(bench.card("Persist", toughness=3), counters={"-1/-1": 1})
    bench.trigger(sprite)
    bench.cast("Destroy target creature.", sprite)
    bench.resolve()
    bench.resolve()
    assert bench.game.permanents_of(ME) == ()


@pytest.mark.rule("702.83a")
@pytest.mark.parametrize(("attackers", "times"), [(1, 1), (2, 0)])
def test_exalted_triggers_for_a_creature_that_attacks_alone(
    bench: Bench, attackers: int, times: int
) -> None:
    bench.creature(text="Exalted")
    attacking = tuple((bench.creature(), THEY, NOTHING) for _ in range(attackers))
    declared = AttackersDeclared("508.1k", 0, ME, attacking)
    bench.game.apply(declared)
    assert len(triggered(bench.game, (declared,), 0)) == times


@pytest.mark.rule("702.21a")
def test_ward_counters_the_spell_unless_its_controller_pays(bench: Bench) -> None:
    warded = bench.creature(text="Ward {2}")
    spell = bench.cast("Destroy target creature.", warded, player=THEY)
    bench.trigger(warded, 0, spell, about_player=THEY)
    bench.resolve(no)
    assert bench.prompts[0].player == THEY
    assert bench.moves()[0] == (spell, GRAVEYARD, "countered")


@pytest.mark.rule("702.123a")
def test_fabricate_makes_tokens_instead_of_counters(bench: Bench) -> None:
    maker = bench.creature(text="Fabricate 2")
    bench.trigger(maker)
    bench.resolve(no)
    names = [bench.game.name_of(item) for item in bench.game.permanents_of(ME)]
    assert names == ["Thing", "Servo Token", "Servo Token"]


@pytest.mark.rule("702.86a")
def test_annihilator_makes_the_defending_player_sacrifice(bench: Bench) -> None:
    beast = bench.creature(text="Annihilator 2")
    for _ in range(2):
        bench.creature(THEY)
    bench.game.apply(AttackersDeclared("508.1k", 0, ME, ((beast, THEY, NOTHING),)))
    bench.trigger(beast)
    bench.resolve()
    assert bench.game.permanents_of(THEY) == ()


@pytest.mark.rule("702.92a")
def test_living_weapon_is_attached_to_its_germ(bench: Bench) -> None:
    text = "Living weapon\nEquipped creature gets +2/+2.\nEquip {2}"
    sword = bench.put(bench.card(text, "Artifact — Equipment"))
    bench.trigger(sword)
    bench.resolve()
    germ = bench.game.permanents_of(ME)[-1]
    assert bench.size(germ) == (2, 2)


@pytest.mark.rule("306.5b")
def test_planeswalker_enters_with_loyalty_counters(bench: Bench) -> None:
    walker = CardDefinition("Walker", types=("planeswalker",), loyalty=4)
    spell = bench.put(walker, ZoneKind.STACK)
    bench.state.items[spell] = StackItem(source=spell, is_cast=True)
    bench.resolve()
    (entered,) = bench.game.permanents_of(ME)
    assert bench.state.objects[entered].counters == {"loyalty": 4}


@pytest.mark.rule("603.7c")
def test_delayed_trigger_is_about_the_object_it_was_created_for(bench: Bench) -> None:
    text = (
        "Create a 1/1 red Elemental creature token. Sacrifice it at the beginning of the next end"
        " step."
    )
    bench.cast(text)
    bench.resolve()
    (token,) = bench.game.permanents_of(ME)
    began = StepBegan("500.1", 0, Step.END)
    bench.game.apply(began)
    (occurrence,) = triggered(bench.game, (began,), 0)
    found = occurrence.event
    assert isinstance(found, AbilityTriggered)
    assert found.about == token
    bench.ability(found.source, found.ability, about=found.about)
    bench.resolve()
    assert not bench.game.is_in(token, BATTLEFIELD)


@pytest.mark.rule("702.1")
def test_keyword_that_nothing_interprets_is_refused_by_name() -> None:
    storm = CardDefinition("Odd", types=("sorcery",), abilities=(KeywordAbility("storm"),))
    assert unsupported_in(storm) == "storm"
    with pytest.raises(UnsupportedCard, match="storm"):
        supported(storm)


def test_interpreted_keywords_are_written_once() -> None:
    assert len(set(INTERPRETED_KEYWORDS)) == len(INTERPRETED_KEYWORDS)
