"""What templated English becomes in the ability model, and what is refused."""

import pytest

from apnap.cards.check import EMITTED_KEYWORDS, keywords_of
from apnap.cards.compiler import Unsupported, compile_card
from apnap.cards.model import (
    Ability,
    ActivatedAbility,
    AddMana,
    AttachedTo,
    Attacks,
    BlockersAtMost,
    CannotAttack,
    CannotBeBlocked,
    CannotBlock,
    ChangeControl,
    ChangeTypes,
    Chosen,
    Continuously,
    ControllerOf,
    Cost,
    CounterSpell,
    CountOf,
    CreateTokens,
    DealDamage,
    DefendingPlayer,
    Delayed,
    Destroy,
    Dies,
    DoesNotUntap,
    DrawCards,
    EachPlayer,
    Earlier,
    Enters,
    EntersWith,
    EventObject,
    EventPlayer,
    Every,
    Exists,
    Filter,
    GainLife,
    GrantAbility,
    KeywordAbility,
    LoseLife,
    Matches,
    May,
    ModifyPowerToughness,
    MoveObjects,
    MustBeBlocked,
    Number,
    PowerOf,
    Sacrifice,
    SpellAbility,
    StaticAbility,
    StepBegins,
    TapObjects,
    Target,
    TargetSpec,
    This,
    TriggeredAbility,
    VariableX,
    You,
    YourTurn,
)
from apnap.events.ids import Step, ZoneKind

from ..english import card_of, compiled

CREATURE = Filter(types=("creature",))
THIS = Filter(identity="this")


def abilities(text: str, type_line: str = "Creature — Bear") -> tuple[Ability, ...]:
    return compiled(text, type_line).abilities


def effect(text: str) -> tuple[tuple[TargetSpec, ...], tuple[object, ...]]:
    (ability,) = abilities(text, "Instant")
    assert isinstance(ability, SpellAbility)
    return ability.body.targets, ability.body.instructions


@pytest.mark.rule("201.5")
def test_name_and_this_creature_mean_the_same() -> None:
    by_name = abilities("When Grove Warden enters the battlefield, draw a card.")
    by_kind = abilities("When this creature enters, draw a card.")
    assert by_name == by_kind
    (ability,) = by_kind
    assert isinstance(ability, TriggeredAbility)
    assert ability.trigger == Enters(THIS)
    assert ability.body.instructions == (DrawCards(You(), Number(1)),)


def test_this_is_only_said_of_what_the_card_is() -> None:
    found = compile_card(card_of("When this artifact enters, draw a card."))
    assert found == Unsupported("Grove Warden", "When this artifact enters")


@pytest.mark.rule("207.2")
def test_reminder_text_is_kept_aside_word_by_word() -> None:
    found = compiled("Flying (It can't be blocked except by creatures with flying or reach.)")
    assert found.abilities == (KeywordAbility("flying"),)
    assert found.reminder == ("(It can't be blocked except by creatures with flying or reach.)",)


@pytest.mark.rule("207.2c")
def test_ability_words_change_no_ability() -> None:
    plain = compiled("Whenever a land you control enters, you gain 1 life.")
    worded = compiled("Landfall — Whenever a land you control enters, you gain 1 life.")
    assert worded.abilities == plain.abilities
    assert worded.reminder == ("Landfall",)


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("Flying, first strike", ("first strike", "flying")),
        ("Double strike\nTrample", ("double strike", "trample")),
        ("Protection from red and from white", ("protection",)),
        ("Islandwalk", ("landwalk",)),
        ("Cycling {2}", ("cycling",)),
        ("Ward {2}", ("ward",)),
        ("Bushido 1", ("bushido",)),
        ("Basic landcycling {1}", ("typecycling",)),
        ("Nonbasic landwalk", ("landwalk",)),
        ("Cycling—Discard a card.", ("cycling",)),
    ],
)
@pytest.mark.rule("702.1")
def test_keyword_lines(text: str, keywords: tuple[str, ...]) -> None:
    found = compiled(text)
    assert keywords_of(found) == keywords
    assert set(keywords) <= set(EMITTED_KEYWORDS)


@pytest.mark.rule("702.16")
def test_protection_from_two_colours_is_two_abilities() -> None:
    assert abilities("Protection from red and from white") == (
        KeywordAbility("protection", filter=Filter(colors=("red",))),
        KeywordAbility("protection", filter=Filter(colors=("white",))),
    )


@pytest.mark.rule("115.4")
def test_any_target_is_creatures_planeswalkers_battles_and_players() -> None:
    targets, done = effect("Grove Warden deals 3 damage to any target.")
    what = Filter(any_type=("creature", "planeswalker", "battle"))
    assert targets == (TargetSpec(what, players="any"),)
    assert done == (DealDamage(Number(3), Target(0)),)


def test_paragraphs_of_a_spell_are_one_effect() -> None:
    targets, done = effect("Destroy target creature with flying.\nDraw a card.")
    assert targets == (TargetSpec(Filter(types=("creature",), keywords=("flying",))),)
    assert done == (Destroy(Target(0)), DrawCards(You(), Number(1)))


def test_its_power_is_that_of_the_target_before() -> None:
    targets, done = effect(
        "Target creature you control deals damage equal to its power to target creature you don't "
        "control."
    )
    assert [spec.what.controller for spec in targets if spec.what] == ["you", "not-you"]
    assert done == (DealDamage(PowerOf(Target(0)), Target(1), source=Target(0)),)


def test_those_creatures_are_what_the_instruction_before_tapped() -> None:
    targets, done = effect(
        "Tap all creatures target player controls. Those creatures don't untap during that "
        "player's next untap step."
    )
    assert targets == (TargetSpec(players="any"),)
    every = Every(Filter(types=("creature",), controller=Target(0)))
    stay = Continuously(Earlier(0), (DoesNotUntap(),), "next-untap-step")
    assert done == (TapObjects(every), stay)


@pytest.mark.rule("608.2h")
def test_controller_of_an_exiled_creature_is_who_controlled_the_target() -> None:
    _, done = effect("Exile target creature. Its controller gains life equal to its power.")
    life = GainLife(ControllerOf(Target(0)), PowerOf(Target(0)))
    assert done == (MoveObjects(Target(0), ZoneKind.EXILE), life)


@pytest.mark.rule("603.7")
def test_exiled_card_returns_at_the_next_end_step() -> None:
    _, done = effect(
        "Exile target creature. Return that card to the battlefield under its owner's control at "
        "the beginning of the next end step."
    )
    assert isinstance(done[1], Delayed)
    assert done[1].trigger == StepBegins(Step.END, EachPlayer())
    back = MoveObjects(Earlier(0), ZoneKind.BATTLEFIELD)
    assert done[1].body.instructions == (back,)


@pytest.mark.rule("603.12")
def test_when_you_do_has_targets_of_its_own() -> None:
    (ability,) = abilities(
        "When this creature enters, you may pay {2}{R}. When you do, it deals 3 damage to any "
        "target."
    )
    assert isinstance(ability, TriggeredAbility)
    (may,) = ability.body.instructions
    assert isinstance(may, May)
    assert ability.body.targets == ()
    assert may.cost == Cost(mana="{2}{R}")
    assert may.when_done is not None
    assert may.when_done.instructions == (DealDamage(Number(3), Target(0), source=This()),)


def test_unless_offers_a_payment() -> None:
    _, done = effect("Counter target spell unless its controller pays {3}.")
    pays = May(ControllerOf(Target(0)), cost=Cost(mana="{3}"), otherwise=(CounterSpell(Target(0)),))
    assert done == (pays,)


@pytest.mark.rule("603.4")
def test_if_behind_a_trigger_is_an_intervening_condition() -> None:
    (ability,) = abilities(
        "At the beginning of your upkeep, if you control no artifacts, sacrifice this creature."
    )
    assert isinstance(ability, TriggeredAbility)
    assert ability.condition is not None
    assert ability.body.instructions == (Sacrifice(You(), This()),)


def test_that_player_is_whom_the_event_was_about() -> None:
    (ability,) = abilities("At the beginning of each player's upkeep, that player loses 1 life.")
    assert isinstance(ability, TriggeredAbility)
    assert ability.body.instructions == (LoseLife(EventPlayer(), Number(1)),)


def test_another_object_of_an_event_is_that_creature() -> None:
    (ability,) = abilities(
        "Whenever another creature you control enters, it gains haste until end of turn."
    )
    assert isinstance(ability, TriggeredAbility)
    other = Filter(types=("creature",), identity="other", controller="you")
    assert ability.trigger == Enters(other)
    haste = GrantAbility((KeywordAbility("haste"),))
    assert ability.body.instructions == (Continuously(EventObject(), (haste,), "end-of-turn"),)


def test_this_or_another_is_one_trigger() -> None:
    (ability,) = abilities(
        "Whenever this creature or another creature you control dies, each opponent loses 1 life."
    )
    assert isinstance(ability, TriggeredAbility)
    other = Filter(types=("creature",), identity="other", controller="you")
    assert ability.trigger == Dies(Filter(any_of=(THIS, other)))


def test_attacks_or_blocks_is_two_triggers_with_one_effect() -> None:
    first, second = abilities("Whenever this creature attacks or blocks, you gain 1 life.")
    assert isinstance(first, TriggeredAbility)
    assert isinstance(second, TriggeredAbility)
    assert first.trigger == Attacks(THIS)
    assert first.body == second.body


@pytest.mark.rule("508.5")
def test_defending_player_is_asked_of_the_attacker() -> None:
    (ability,) = abilities(
        "Whenever this creature attacks, tap target creature defending player controls."
    )
    assert isinstance(ability, TriggeredAbility)
    (spec,) = ability.body.targets
    assert spec.what == Filter(types=("creature",), controller=DefendingPlayer())


@pytest.mark.rule("303.4")
def test_aura_gives_bonus_and_a_quoted_ability() -> None:
    enchant, static = abilities(
        'Enchant creature\nEnchanted creature gets +2/+0 and has "When this creature dies, draw a '
        'card."',
        "Enchantment — Aura",
    )
    assert enchant == KeywordAbility("enchant", filter=CREATURE)
    assert isinstance(static, StaticAbility)
    assert static.affects == AttachedTo()
    bonus, granted = static.modifications
    assert bonus == ModifyPowerToughness(Number(2), Number(0))
    assert isinstance(granted, GrantAbility)
    assert isinstance(granted.abilities[0], TriggeredAbility)
    assert granted.abilities[0].trigger == Dies(THIS)


def test_control_aura() -> None:
    _, static = abilities("Enchant creature\nYou control enchanted creature.", "Enchantment — Aura")
    assert static == StaticAbility(AttachedTo(), (ChangeControl(You()),))


def test_anthem_leaves_itself_out_when_it_says_other() -> None:
    (ability,) = abilities("Other creatures you control get +1/+1.")
    others = Every(Filter(types=("creature",), identity="other", controller="you"))
    assert ability == StaticAbility(others, (ModifyPowerToughness(Number(1), Number(1)),))


def test_as_long_as_may_stand_before_or_behind() -> None:
    before = abilities("As long as you control a Dragon, this creature has flying.")
    behind = abilities("This creature has flying as long as you control a Dragon.")
    assert before == behind
    (ability,) = before
    assert isinstance(ability, StaticAbility)
    assert ability.condition == Exists(Filter(subtypes=("Dragon",), controller="you"))


def test_condition_on_its_own_state() -> None:
    (ability,) = abilities("This creature gets +1/+0 as long as it's attacking.")
    assert isinstance(ability, StaticAbility)
    assert ability.condition == Matches(This(), Filter(attacking=True))


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("This creature can't be blocked.", (CannotBeBlocked(),)),
        ("This creature can't attack or block.", (CannotAttack(), CannotBlock())),
        ("This creature can't be blocked by more than one creature.", (BlockersAtMost(1),)),
        ("All creatures able to block this creature do so.", (MustBeBlocked(by_all=True),)),
        (
            "This creature can't be blocked except by Walls.",
            (CannotBeBlocked(except_by=Filter(subtypes=("Wall",))),),
        ),
        ("This creature doesn't untap during your untap step.", (DoesNotUntap(),)),
    ],
)
def test_changes_of_the_rules_for_a_creature(text: str, change: tuple[object, ...]) -> None:
    (ability,) = abilities(text)
    assert isinstance(ability, StaticAbility)
    assert ability.modifications == change


@pytest.mark.rule("605.1a")
def test_mana_ability_offers_its_options() -> None:
    (ability,) = abilities("{T}: Add {G} or {U}.")
    assert isinstance(ability, ActivatedAbility)
    assert ability.cost == Cost(tap=True)
    assert ability.body.instructions == (AddMana(("{G}", "{U}")),)


@pytest.mark.rule("602.5")
def test_limits_of_activated_abilities_in_both_wordings() -> None:
    (old,) = abilities("{2}: Draw a card. Activate this ability only once each turn.")
    (new,) = abilities("{2}: Draw a card. Activate only once each turn.")
    assert isinstance(old, ActivatedAbility)
    assert old.once_each_turn
    assert old == new
    (slow,) = abilities("{2}: Draw a card. Activate only as a sorcery.")
    assert isinstance(slow, ActivatedAbility)
    assert slow.sorcery_speed


@pytest.mark.rule("602.5b")
def test_activation_may_ask_for_a_condition() -> None:
    (ability,) = abilities("{2}: Draw a card. Activate only if you control a Dragon.")
    assert isinstance(ability, ActivatedAbility)
    assert ability.only_if == Exists(Filter(subtypes=("Dragon",), controller="you"))
    (mine,) = abilities("{2}: Draw a card. Activate this ability only during your turn.")
    assert isinstance(mine, ActivatedAbility)
    assert mine.only_if == YourTurn()


@pytest.mark.rule("111.10a")
def test_treasure_tokens_have_their_ability() -> None:
    by_name = effect("Create a Treasure token.")
    in_full = effect(
        'Create a colorless Treasure artifact token with "{T}, Sacrifice this artifact: Add one '
        'mana of any color."'
    )
    assert by_name == in_full


@pytest.mark.rule("118.12")
def test_costs_beyond_mana() -> None:
    (ability,) = abilities("{1}, {T}, Pay 2 life, Sacrifice another creature: Draw a card.")
    assert isinstance(ability, ActivatedAbility)
    picked = Chosen(You(), Filter(types=("creature",), identity="other"), Number(1))
    assert ability.cost == Cost(mana="{1}", tap=True, life=2, sacrifice=picked)


@pytest.mark.rule("113.6k")
def test_ability_that_returns_its_card_functions_in_the_graveyard() -> None:
    (ability,) = abilities(
        "{1}{B}: Return this card from your graveyard to the battlefield tapped."
    )
    assert isinstance(ability, ActivatedAbility)
    assert ability.zone is ZoneKind.GRAVEYARD
    assert ability.body.instructions == (MoveObjects(This(), ZoneKind.BATTLEFIELD, tapped=True),)


@pytest.mark.rule("614.1c")
def test_enters_tapped_and_with_counters() -> None:
    assert abilities("This creature enters tapped.") == (EntersWith(THIS, tapped=True),)
    assert abilities("This creature enters with two +1/+1 counters on it.") == (
        EntersWith(THIS, counters=(("+1/+1", Number(2)),)),
    )


@pytest.mark.rule("606.4")
def test_loyalty_costs_with_and_without_brackets() -> None:
    plain = abilities("+1: Draw a card.\n-3: Destroy target creature.", "Planeswalker — Jace")
    bracketed = abilities(
        "[+1]: Draw a card.\n[−3]: Destroy target creature.", "Planeswalker — Jace"
    )
    assert plain == bracketed
    assert [ability.cost.loyalty for ability in plain if isinstance(ability, ActivatedAbility)] == [
        1,
        -3,
    ]


@pytest.mark.rule("111.4")
def test_token_with_keywords() -> None:
    _, done = effect("Create two 1/1 white and blue Bird creature tokens with flying.")
    (create,) = done
    assert isinstance(create, CreateTokens)
    assert create.amount == Number(2)
    assert create.token.colors == ("white", "blue")
    assert create.token.abilities == (KeywordAbility("flying"),)


@pytest.mark.rule("700.2")
def test_modes_have_targets_of_their_own() -> None:
    (ability,) = abilities(
        "Choose one —\n• Destroy target artifact.\n• Target player draws two cards.", "Instant"
    )
    assert isinstance(ability, SpellAbility)
    first, second = ability.body.modes
    assert first.targets == (TargetSpec(Filter(types=("artifact",))),)
    assert second.instructions == (DrawCards(Target(0), Number(2)),)


def test_where_x_is_put_in_place_of_x() -> None:
    _, done = effect(
        "Target creature gets +X/+X until end of turn, where X is the number of lands you control."
    )
    count = CountOf(Filter(types=("land",), controller="you"))
    pump = ModifyPowerToughness(count, count)
    assert done == (Continuously(Target(0), (pump,), "end-of-turn"),)


def test_x_of_a_spell_stays_x() -> None:
    _, done = effect("Grove Warden deals X damage to any target.")
    assert done == (DealDamage(VariableX(), Target(0)),)


@pytest.mark.rule("205.1b")
def test_animated_land_is_still_a_land() -> None:
    (ability,) = abilities(
        "{2}: This land becomes a 2/2 Elemental creature until end of turn. It's still a land.",
        "Land",
    )
    assert isinstance(ability, ActivatedAbility)
    (change,) = ability.body.instructions
    assert isinstance(change, Continuously)
    types = ChangeTypes(types=("creature",), subtypes=("Elemental",), in_addition=True)
    assert change.modifications[0] == types
