"""Mana costs and payments (CR 106, 107.4, 118, 605), found, checked and paid."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apnap.events.decisions import ActivateAbility, CastSpell, Payment
from apnap.events.ids import NOTHING, ObjectId, PlayerId, ZoneKind
from apnap.events.refused import Code, Refused
from apnap.events.stack import ChosenTarget
from apnap.rules.legal import complete
from apnap.rules.mana_costs import Bill, bills_of, find_uses, mana_cost_of, pays_exactly
from apnap.rules.prompts import prompt_for

if TYPE_CHECKING:
    Scene = Any

ME, THEY = PlayerId(0), PlayerId(1)
OPTIONS = ("W", "U", "C", "WU", "GG", "CC", "RRR")


def code(refused: Refused | None) -> tuple[Code, str]:
    assert refused is not None, "it should have been refused"
    return refused.code, refused.rule


def face(player: PlayerId) -> ChosenTarget:
    return ChosenTarget(0, NOTHING, player)


def payable_by_trying(bill: Bill, offers: tuple[tuple[str, ...], ...]) -> bool:
    """Say whether a bill can be paid, by trying each option and each way to give mana out."""
    for options in product(*(("", *offer) for offer in offers)):
        mana = "".join(options)
        if len(mana) >= bill.mana and _covers(bill.pips, mana):
            return True
    return False


def _covers(pips: tuple[str, ...], mana: str) -> bool:
    if not pips:
        return True
    return any(
        letter in pips[0] and _covers(pips[1:], mana[:place] + mana[place + 1 :])
        for place, letter in enumerate(mana)
    )


@pytest.mark.rule("118.3")
@settings(max_examples=150, deadline=None)
@given(
    pips=st.lists(st.sampled_from(("W", "U", "G", "WU", "UR", "C")), max_size=3),
    generic=st.integers(0, 4),
    offers=st.lists(st.lists(st.sampled_from(OPTIONS), min_size=1, max_size=2), max_size=4),
)
def test_payment_is_found_wherever_there_is_one(
    pips: list[str], generic: int, offers: list[list[str]]
) -> None:
    bill = Bill(tuple(pips), generic, 0)
    given_offers = tuple(tuple(offer) for offer in offers)
    uses = find_uses(bill, given_offers)
    assert (uses is not None) == payable_by_trying(bill, given_offers)
    if uses is not None:
        assert pays_exactly(bill, "".join(use.spent for use in uses))
        assert all(use.option in given_offers[use.place] for use in uses)


@pytest.mark.rule("107.4e")
def test_monocoloured_hybrid_is_paid_by_its_colour_or_by_two_of_any() -> None:
    bills = bills_of(mana_cost_of("{2/W}{2/W}"))
    assert [(bill.pips, bill.generic) for bill in bills] == [
        (("W", "W"), 0),
        (("W",), 2),
        (("W",), 2),
        ((), 4),
    ]


@pytest.mark.rule("107.4f")
def test_phyrexian_mana_is_paid_with_life_where_there_is_no_mana(scene: Scene) -> None:
    cut = scene.hand("Cut", "This spell deals 2 damage to any target.", cost="{R/P}")
    scene.play()
    assert scene.cast(cut, face(THEY)) is None
    assert scene.game.state.players[ME].life == 18


@pytest.mark.rule("119.4")
def test_more_life_than_one_has_cannot_be_paid(scene: Scene) -> None:
    scene.life = 1
    cut = scene.hand("Cut", "This spell deals 2 damage to any target.", cost="{R/P}")
    scene.play()
    assert code(scene.cast(cut, face(THEY)))[0] == Code.COST_UNPAYABLE


@pytest.mark.rule("107.4h")
def test_snow_mana_is_refused_by_name(scene: Scene) -> None:
    scene.lands("Mountain")
    card = scene.hand("Cold", "Draw a card.", cost="{S}")
    scene.play()
    assert code(scene.cast(card)) == (Code.NOT_BUILT, "107.4h")


@pytest.mark.rule("601.2g")
def test_pool_is_spent_first_then_lands_then_creatures(scene: Scene) -> None:
    elf = scene.put("Elf", text="{T}: Add {G}.")
    dual = scene.put("Dual", type_line="Land", cost="", text="{T}: Add {R} or {G}.")
    (forest,) = scene.lands("Forest")
    scene.pool = "R"
    card = scene.hand("Plan", "Draw a card.", cost="{2}{G}")
    scene.play()
    asked = CastSpell(**prompt_for(scene.game, ME), object=card)
    completed = complete(scene.game, asked)
    assert isinstance(completed, CastSpell)
    assert completed.payment.sources == ((forest, 0, "G"), (elf, 0, "G"))
    assert completed.payment.mana == "RGG"
    assert scene.decide(completed) is None
    assert scene.tapped(elf, dual, forest) == [True, False, True]


@pytest.mark.rule("602.5a")
def test_summoning_sick_creature_gives_no_mana(scene: Scene) -> None:
    elf = scene.put("Elf", text="{T}: Add {G}.", sick=True)
    card = scene.hand("Growth", "Draw a card.", cost="{G}")
    scene.play()
    assert code(scene.cast(card)) == (Code.COST_UNPAYABLE, "118.3")
    by_hand = Payment(sources=((elf, 0, "G"),), mana="G")
    assert code(scene.cast(card, payment=by_hand)) == (Code.SUMMONING_SICK, "602.5a")
    assert code(scene.activate(elf)) == (Code.SUMMONING_SICK, "602.5a")


@pytest.mark.rule("601.2h")
def test_payment_by_hand_must_pay_exactly(scene: Scene) -> None:
    first, second = scene.lands("Mountain", "Forest")
    card = scene.hand("Growth", "Draw a card.", cost="{1}{G}")
    scene.play()
    short = Payment(sources=((first, 0, "R"),), mana="R")
    assert code(scene.cast(card, payment=short)) == (Code.PAYMENT_WRONG, "601.2h")
    absent = Payment(sources=((first, 0, "R"),), mana="RG")
    assert code(scene.cast(card, payment=absent)) == (Code.PAYMENT_WRONG, "118.3a")
    twice = Payment(sources=((second, 0, "G"), (second, 0, "G")), mana="GG")
    assert code(scene.cast(card, payment=twice))[0] == Code.ALREADY_TAPPED
    wrong = Payment(sources=((first, 0, "G"), (second, 0, "G")), mana="GG")
    assert code(scene.cast(card, payment=wrong)) == (Code.PAYMENT_WRONG, "106.4")
    right = Payment(sources=((second, 0, "G"), (first, 0, "R")), mana="RG")
    assert scene.cast(card, payment=right) is None


@pytest.mark.rule("605.3b")
def test_mana_ability_adds_mana_at_once_and_uses_no_stack(scene: Scene) -> None:
    dual = scene.put("Dual", type_line="Land", cost="", text="{T}: Add {R} or {G}.")
    scene.play()
    assert code(scene.activate(dual)) == (Code.CHOICE_ILLEGAL, "106.4")
    assert scene.activate(dual, mana="G") is None
    assert scene.game.state.players[ME].pool == "G"
    assert not scene.game.state.stack
    assert scene.game.state.turn.holder == ME
    assert code(scene.activate(dual, mana="R")) == (Code.ALREADY_TAPPED, "107.5")


@pytest.mark.rule("602.2b")
def test_activated_ability_goes_on_the_stack_paid(scene: Scene) -> None:
    mountain, forest = scene.lands("Mountain", "Forest")
    whelp = scene.put("Whelp", text="{R}: This creature gets +1/+0 until end of turn.", sick=True)
    scene.play()
    assert scene.activate(whelp) is None
    (ability,) = scene.game.state.stack
    assert scene.game.state.items[ability].source == whelp
    assert scene.tapped(mountain, forest) == [True, False]
    assert code(scene.activate(whelp)) == (Code.COST_UNPAYABLE, "118.3")


@pytest.mark.rule("602.5b")
def test_ability_of_once_each_turn_is_refused_the_second_time(scene: Scene) -> None:
    scene.lands("Mountain", "Mountain")
    text = "{R}: This creature gets +1/+0 until end of turn. Activate only once each turn."
    whelp = scene.put("Whelp", text=text)
    scene.play()
    assert scene.activate(whelp) is None
    assert code(scene.activate(whelp)) == (Code.ACTIVATION_LIMIT, "602.5b")


@pytest.mark.rule("602.5b")
def test_ability_is_refused_while_what_it_asks_for_does_not_hold(scene: Scene) -> None:
    scene.lands("Mountain", "Mountain")
    text = "{R}: This creature gets +1/+0 until end of turn. Activate only if you control a Forest."
    whelp = scene.put("Whelp", text=text)
    drake = scene.put("Drake", text=text.replace("Forest", "Mountain"))
    scene.play()
    assert code(scene.activate(whelp)) == (Code.ACTIVATION_LIMIT, "602.5b")
    assert scene.activate(drake) is None


@pytest.mark.rule("118.3")
def test_sacrifice_as_a_cost_moves_the_source_before_the_ability_resolves(scene: Scene) -> None:
    text = "Sacrifice this creature: This creature deals 1 damage to any target."
    fanatic = scene.put("Fanatic", text=text)
    scene.play()
    assert scene.activate(fanatic, 0, face(THEY)) is None
    assert not scene.game.is_in(fanatic, ZoneKind.BATTLEFIELD)
    assert len(scene.game.state.players[ME].graveyard) == 1
    assert len(scene.game.state.stack) == 1


@pytest.mark.rule("701.17a")
def test_what_is_sacrificed_is_said_where_there_is_a_choice(scene: Scene) -> None:
    altar = scene.put(
        "Altar", type_line="Artifact", cost="{1}", text="Sacrifice a creature: You gain 1 life."
    )
    bears = [scene.put("Bear"), scene.put("Bear")]
    theirs = scene.put("Bear", player=THEY)
    scene.play()
    assert code(scene.activate(altar)) == (Code.PAYMENT_WRONG, "701.17a")
    stolen = Payment(sacrificed=(theirs,))
    assert code(scene.activate(altar, payment=stolen)) == (Code.PAYMENT_WRONG, "701.17a")
    listed = [o.payment.sacrificed for o in scene.options() if isinstance(o, ActivateAbility)]
    assert listed == [(bears[0],), (bears[1],)]
    assert scene.activate(altar, payment=Payment(sacrificed=(bears[1],))) is None
    assert scene.game.is_in(bears[0], ZoneKind.BATTLEFIELD)
    assert not scene.game.is_in(bears[1], ZoneKind.BATTLEFIELD)


@pytest.mark.rule("118.10")
def test_source_that_taps_for_a_cost_does_not_pay_its_mana_too(scene: Scene) -> None:
    text = "{T}: Add {G}.\n{G}, {T}: You gain 1 life."
    elf = scene.put("Elf", text=text)
    scene.play()
    assert code(scene.activate(elf, 1)) == (Code.COST_UNPAYABLE, "118.3")
    assert [o.number for o in scene.options() if isinstance(o, ActivateAbility)] == [0]


def test_player_with_any_mana_pays_without_tapping(scene: Scene) -> None:
    (land,) = scene.lands("Plains")
    scene.any_mana = True
    card = scene.hand("Plan", "Draw a card.", cost="{5}{U}{U}")
    scene.play()
    assert scene.cast(card) is None
    assert scene.tapped(land) == [False]


@pytest.mark.rule("602.2")
def test_ability_of_an_opponents_permanent_is_not_ones_own(scene: Scene) -> None:
    theirs = scene.put("Elf", text="{T}: Add {G}.", player=THEY)
    mine = scene.put("Bear")
    scene.play()
    assert code(scene.activate(theirs)) == (Code.NOT_YOURS, "602.2")
    assert code(scene.activate(mine)) == (Code.NO_SUCH_ABILITY, "602.1")
    assert code(scene.activate(ObjectId(500))) == (Code.NO_SUCH_OBJECT, "602.2")
