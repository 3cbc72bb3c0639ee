"""Casting spells (CR 601) and playing lands (CR 305) on a live table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from apnap.events.decisions import CastSpell, Payment
from apnap.events.ids import NOBODY, NOTHING, ObjectId, PlayerId, Step, ZoneKind
from apnap.events.refused import Code, Refused
from apnap.events.stack import ChosenTarget
from apnap.rules.legal import complete
from apnap.rules.prompts import prompt_for
from apnap.rules.spell_costs import reduced

if TYPE_CHECKING:
    Scene = Any

ME, THEY = PlayerId(0), PlayerId(1)
ZAP = "This spell deals 2 damage to any target."


def at(item: ObjectId, phrase: int = 0) -> ChosenTarget:
    return ChosenTarget(phrase, item, NOBODY)


def face(player: PlayerId) -> ChosenTarget:
    return ChosenTarget(0, NOTHING, player)


def code(refused: Refused | None) -> tuple[Code, str]:
    assert refused is not None, "it should have been refused"
    assert refused.detail
    return refused.code, refused.rule


@pytest.mark.rule("601.2a")
def test_cast_spell_goes_on_the_stack_paid_and_with_its_targets(scene: Scene) -> None:
    forest, mountain = scene.lands("Forest", "Mountain")
    zap = scene.hand("Zap", ZAP)
    scene.play()
    assert scene.cast(zap, face(THEY)) is None
    (spell,) = scene.game.state.stack
    assert scene.game.state.items[spell].targets == (face(THEY),)
    assert scene.tapped(forest, mountain) == [False, True]
    assert scene.game.state.players[ME].pool == ""
    assert scene.game.state.turn.holder == ME


@pytest.mark.rule("601.2g")
def test_decision_is_completed_with_its_payment_before_it_is_recorded(scene: Scene) -> None:
    (mountain,) = scene.lands("Mountain")
    zap = scene.hand("Zap", ZAP)
    scene.play()
    asked = CastSpell(**prompt_for(scene.game, ME), object=zap, targets=(face(THEY),))
    completed = complete(scene.game, asked)
    assert isinstance(completed, CastSpell)
    assert completed.payment == Payment(sources=((mountain, 0, "R"),), mana="R")
    assert complete(scene.game, completed) == completed


@pytest.mark.rule("601.2c")
def test_only_legal_target_is_filled_in(scene: Scene) -> None:
    scene.lands("Mountain")
    bear = scene.put("Bear", player=THEY)
    burn = scene.hand("Burn", "This spell deals 4 damage to target creature.")
    scene.play()
    assert scene.cast(burn) is None
    (spell,) = scene.game.state.stack
    assert scene.game.state.items[spell].targets == (at(bear),)


@pytest.mark.rule("601.2c")
def test_spell_without_a_legal_target_is_refused(scene: Scene) -> None:
    scene.lands("Mountain")
    burn = scene.hand("Burn", "This spell deals 4 damage to target creature.")
    scene.play()
    assert code(scene.cast(burn)) == (Code.TARGET_COUNT, "601.2c")


@pytest.mark.rule("307.1")
@pytest.mark.parametrize(
    ("type_line", "rule"),
    [("Sorcery", "307.1"), ("Creature — Bear", "302.1"), ("Enchantment", "303.1")],
)
def test_spell_of_sorcery_speed_waits_for_a_main_phase(
    scene: Scene, type_line: str, rule: str
) -> None:
    scene.lands("Mountain")
    text = "Draw two cards." if type_line == "Sorcery" else ""
    card = scene.put("Slow", ZoneKind.HAND, type_line=type_line, cost="{R}", text=text)
    scene.step = Step.UPKEEP
    scene.play()
    refused = scene.cast(card)
    assert code(refused) == (Code.WRONG_TIME, rule)
    assert "Slow" in refused.detail


@pytest.mark.rule("117.1a")
def test_instant_and_flash_may_be_cast_with_priority_in_an_upkeep(scene: Scene) -> None:
    scene.lands("Mountain", "Mountain")
    zap = scene.hand("Zap", ZAP)
    snake = scene.put("Snake", ZoneKind.HAND, text="Flash", cost="{R}")
    scene.step = Step.UPKEEP
    scene.play()
    assert scene.cast(zap, face(THEY)) is None
    assert scene.cast(snake) is None


@pytest.mark.rule("117.1")
def test_player_without_priority_casts_nothing(scene: Scene) -> None:
    scene.put("Mountain", player=THEY)
    zap = scene.put("Zap", ZoneKind.HAND, THEY, text=ZAP, type_line="Instant", cost="{R}")
    scene.play()
    refused = scene.cast(zap, face(ME), player=THEY)
    assert code(refused)[0] in {Code.NO_PRIORITY, Code.NOT_ASKED}


@pytest.mark.rule("305.9")
def test_land_is_not_cast(scene: Scene) -> None:
    land = scene.hand("Forest")
    scene.play()
    assert code(scene.cast(land)) == (Code.NOT_CASTABLE, "305.9")


@pytest.mark.rule("400.2")
def test_refusal_does_not_tell_one_hidden_card_from_nothing(scene: Scene) -> None:
    theirs = scene.put("Secret", ZoneKind.HAND, THEY)
    scene.play()
    refused, absent = scene.cast(theirs), scene.cast(ObjectId(999))
    assert refused is not None
    assert absent is not None
    assert "Secret" not in refused.detail
    assert (refused.code, refused.rule) == (absent.code, absent.rule)


@pytest.mark.rule("303.4a")
def test_aura_spell_targets_what_it_enchants(scene: Scene) -> None:
    scene.lands("Forest", "Forest", "Forest")
    bear = scene.put("Bear")
    aura = scene.put(
        "Oaken",
        ZoneKind.HAND,
        type_line="Enchantment — Aura",
        text="Enchant creature\nEnchanted creature gets +3/+3.",
    )
    scene.play()
    assert code(scene.cast(aura, face(ME))) == (Code.TARGET_ILLEGAL, "115.1")
    assert scene.cast(aura, at(bear)) is None


@pytest.mark.rule("700.2a")
def test_modes_are_chosen_and_one_without_targets_is_refused(scene: Scene) -> None:
    scene.lands("Mountain", "Mountain")
    text = "Choose one —\n• Destroy target creature.\n• Draw a card."
    modal = scene.hand("Modal", text)
    scene.play()
    assert code(scene.cast(modal, modes=(1,))) == (Code.MODE_ILLEGAL, "700.2a")
    assert code(scene.cast(modal, modes=(3,))) == (Code.MODE_ILLEGAL, "700.2a")
    assert scene.cast(modal) is None, "the only legal mode is filled in"
    (spell,) = scene.game.state.stack
    assert scene.game.state.items[spell].modes == (2,)


@pytest.mark.rule("702.11b")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Hexproof", "702.11b"),
        ("Shroud", "702.18a"),
        ("Protection from red", "702.16b"),
    ],
)
def test_shielded_creature_is_no_legal_target(scene: Scene, text: str, rule: str) -> None:
    scene.lands("Mountain")
    bear = scene.put("Bear", player=THEY, text=text)
    zap = scene.hand("Zap", ZAP)
    scene.play()
    assert code(scene.cast(zap, at(bear))) == (Code.TARGET_ILLEGAL, rule)
    targets = [o.targets[0].object for o in scene.options() if isinstance(o, CastSpell)]
    assert bear not in targets


@pytest.mark.rule("115.3")
def test_one_thing_is_not_chosen_twice_for_one_target_word(scene: Scene) -> None:
    scene.lands("Plains", "Plains")
    one, other = scene.put("Bear"), scene.put("Bear", player=THEY)
    tap = scene.hand("Sleepy", "Tap two target creatures.", cost="{W}")
    scene.play()
    assert code(scene.cast(tap, at(one), at(one))) == (Code.TARGET_ILLEGAL, "115.3")
    assert scene.cast(tap, at(one), at(other)) is None


@pytest.mark.rule("107.3a")
def test_x_is_announced_and_paid(scene: Scene) -> None:
    lands = scene.lands("Mountain", "Mountain", "Mountain")
    blaze = scene.hand("Blaze", "This spell deals X damage to any target.", "Sorcery", "{X}{R}")
    zap = scene.hand("Zap", ZAP)
    scene.play()
    assert code(scene.cast(zap, face(THEY), x=1)) == (Code.X_ILLEGAL, "107.3a")
    assert code(scene.cast(blaze, face(THEY), x=3)) == (Code.COST_UNPAYABLE, "118.3")
    listed = {o.x for o in scene.options() if isinstance(o, CastSpell) and o.object == blaze}
    assert listed == {0, 1, 2}
    assert scene.cast(blaze, face(THEY), x=2) is None
    assert scene.tapped(*lands) == [True, True, True]


@pytest.mark.rule("305.2b")
def test_one_land_is_played_in_a_turn(scene: Scene) -> None:
    first, second = scene.hand("Forest"), scene.hand("Plains")
    scene.play()
    assert scene.land(first) is None
    assert scene.game.state.players[ME].lands_played == 1
    assert scene.game.state.turn.holder == ME
    assert not scene.game.state.stack
    assert code(scene.land(second)) == (Code.LAND_ALREADY_PLAYED, "305.2b")


@pytest.mark.rule("305.3")
def test_land_is_played_only_in_ones_own_turn(scene: Scene) -> None:
    land = scene.hand("Forest")
    scene.active = THEY
    scene.play()
    assert scene.pass_(THEY) is None
    assert code(scene.land(land)) == (Code.WRONG_TIME, "305.3")


@pytest.mark.rule("117.3d")
def test_standing_pass_is_kept_until_it_ends(scene: Scene) -> None:
    scene.play()
    assert scene.pass_(ME, standing=1) is None
    assert scene.game.state.players[ME].standing == 1
    assert code(scene.pass_(THEY, standing=9)) == (Code.CHOICE_ILLEGAL, "117.3d")


def test_every_listed_action_is_accepted(scene: Scene) -> None:
    scene.lands("Mountain", "Forest", "Plains")
    scene.put("Bear", player=THEY)
    scene.put("Elf", text="{T}: Add {G}.")
    scene.put("Pinger", text="{T}: This creature deals 1 damage to any target.")
    scene.hand("Zap", ZAP)
    scene.hand("Forest")
    scene.hand("Growth", "Target creature gets +3/+3 until end of turn.", cost="{1}{G}")
    scene.play()
    prompt = scene.live.prompt
    for option in scene.options():
        assert prompt.is_legal(scene.game, option) is None, option


@pytest.mark.rule("702.41a")
def test_affinity_reduces_generic_mana_by_what_one_controls(scene: Scene) -> None:
    frog = scene.hand("Frog", "Affinity for artifacts", "Artifact Creature — Frog", "{3}")
    for player in (ME, ME, THEY):
        scene.put("Trinket", player=player, type_line="Artifact", cost="{1}")
    (land,) = scene.lands("Forest")
    scene.play()
    assert any(isinstance(o, CastSpell) and o.object == frog for o in scene.options())
    assert scene.cast(frog) is None
    assert scene.tapped(land) == [True]


@pytest.mark.rule("118.7a")
def test_reductions_touch_only_generic_mana() -> None:
    assert reduced("{4}{U}", 3) == "{1}{U}"
    assert reduced("{2}{U}", 5) == "{U}"
    assert reduced("{2}", 5) == "{0}"
