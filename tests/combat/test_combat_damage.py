from typing import Any

import pytest

from apnap.cards.model import KeywordAbility
from apnap.events.combat import FirstStrikersDetermined
from apnap.events.decisions import DivideDamage
from apnap.events.ids import NOBODY, NOTHING, ObjectId, PlayerId, Step
from apnap.events.life import DamageDealt
from apnap.events.refused import Code
from apnap.rules.combat import combat_damage, next_combat_step
from apnap.rules.combat_damage import DividePrompt

ALICE, BOB = PlayerId(0), PlayerId(1)


def _dealt(events: list[Any]) -> list[tuple[int, int, int]]:
    """Return source, recipient (an object, or minus 1 for a player), amount."""
    return [
        (event.source, event.to or -1, event.amount)
        for event in events
        if isinstance(event, DamageDealt)
    ]


def _damage(board: Any, answers: Any = None, *, first: bool = False) -> list[Any]:
    board.state.turn.step = Step.FIRST_STRIKE_DAMAGE if first else Step.COMBAT_DAMAGE
    events: list[Any] = board.run(combat_damage(board.game, first=first), answers)
    return events


def _divide(prompt: DividePrompt, *shares: tuple[int, int]) -> DivideDamage:
    """Return a division: pairs of object, or minus 1 for Bob, and amount."""
    parts = tuple(
        (ObjectId(item), NOBODY, amount) if item >= 0 else (NOTHING, BOB, amount)
        for item, amount in shares
    )
    return DivideDamage(prompt.seat, prompt.player, prompt.counter, parts)


@pytest.mark.rule("510.2")
def test_all_combat_damage_is_dealt_at_once(board: Any) -> None:
    bear, ox, giant = board.put("Bear"), board.put("Ox", 3, 3), board.put("Giant", 3, 3, player=1)
    board.attack(bear, ox)
    board.block((giant, bear))
    assert _dealt(_damage(board)) == [(bear, giant, 2), (ox, -1, 3), (giant, bear, 3)]
    assert board.prompts == []
    assert board.state.players[1].life == 17
    assert board.state.objects[giant].damage == 2


@pytest.mark.rule("510.1a")
def test_creature_without_power_assigns_no_damage(board: Any) -> None:
    wall = board.put("Wall", 0, 4)
    board.attack(wall)
    board.block()
    assert _damage(board) == []


@pytest.mark.rule("510.1c")
def test_blocked_creature_with_no_blocker_left_assigns_none_unless_it_tramples(board: Any) -> None:
    bear, mammoth = board.put("Bear"), board.put("Mammoth", 3, 3, "trample")
    one, two = board.put("Ox", player=1), board.put("Cow", player=1)
    board.attack(bear, mammoth)
    board.block((one, bear), (two, mammoth))
    board.state.combat.blocks.clear()
    assert _dealt(_damage(board)) == [(mammoth, -1, 3)]


@pytest.mark.rule("510.1c")
def test_damage_is_divided_freely_among_blockers(board: Any) -> None:
    wurm = board.put("Wurm", 6, 4)
    one, two = board.put("Bear", player=1), board.put("Ox", 2, 3, player=1)
    board.attack(wurm)
    board.block((one, wurm), (two, wurm))
    events = _damage(board, lambda prompt: _divide(prompt, (one, 1), (two, 5)))
    assert _dealt(events)[:2] == [(wurm, one, 1), (wurm, two, 5)]
    prompt = board.prompts[0]
    board.state.objects[one].damage = 0
    assert prompt.suggest(board.game) == _divide(prompt, (one, 2), (two, 4))
    assert prompt.source == wurm
    wrong = prompt.is_legal(board.game, _divide(prompt, (one, 1), (two, 4)))
    assert (wrong.code, wrong.rule) == (Code.DIVISION_ILLEGAL, "510.1a")
    beyond = prompt.is_legal(board.game, _divide(prompt, (one, 1), (-1, 5)))
    assert beyond.rule == "510.1c"
    assert len(list(prompt.options(board.game))) == 7


@pytest.mark.rule("510.1d")
def test_blocker_of_several_divides_its_damage(board: Any) -> None:
    one, two = board.put("Bear"), board.put("Ox")
    guard = board.put("Guard", 3, 3, player=1)
    board.attack(one, two)
    board.block((guard, one), (guard, two))
    events = _damage(board, lambda prompt: _divide(prompt, (one, 0), (two, 3)))
    assert [prompt.player for prompt in board.prompts] == [BOB]
    assert (guard, two, 3) in _dealt(events)
    assert all(amount for *_, amount in _dealt(events))


@pytest.mark.rule("702.19b")
def test_trampler_goes_beyond_after_lethal_damage_and_marked_damage_counts(board: Any) -> None:
    mammoth = board.put("Mammoth", 5, 5, "trample")
    giant = board.put("Giant", 3, 3, player=1)
    board.state.objects[giant].damage = 1
    board.attack(mammoth)
    board.block((giant, mammoth))
    events = _damage(board)
    assert _dealt(events)[:2] == [(mammoth, giant, 2), (mammoth, -1, 3)]
    prompt = board.prompts[0]
    board.state.objects[giant].damage = 1
    refused = prompt.is_legal(board.game, _divide(prompt, (giant, 1), (-1, 4)))
    assert refused.rule == "702.19b"
    assert prompt.is_legal(board.game, _divide(prompt, (giant, 5), (-1, 0))) is None


@pytest.mark.rule("702.2c")
def test_one_damage_is_lethal_from_a_trampler_with_deathtouch(board: Any) -> None:
    snake = board.put("Snake", 4, 1, "trample", "deathtouch")
    giant = board.put("Giant", 3, 7, player=1)
    board.attack(snake)
    board.block((giant, snake))
    events = _damage(board)
    assert _dealt(events)[:2] == [(snake, giant, 1), (snake, -1, 3)]
    assert board.state.deathtouched == [giant]


@pytest.mark.rule("702.19b")
def test_trampler_of_little_power_has_no_choice(board: Any) -> None:
    mammoth, giant = board.put("Calf", 2, 2, "trample"), board.put("Giant", 3, 3, player=1)
    board.attack(mammoth)
    board.block((giant, mammoth))
    assert (mammoth, giant, 2) in _dealt(_damage(board))
    assert board.prompts == []


@pytest.mark.rule("510.1e")
def test_damage_of_another_attacker_counts_towards_lethal_for_a_trampler(board: Any) -> None:
    mammoth, cadet = board.put("Mammoth", 3, 3, "trample"), board.put("Cadet", 1, 1)
    bear = board.put("Bear", player=1)
    board.attack(mammoth, cadet)
    board.block((bear, cadet), (bear, mammoth))
    events = _damage(board)
    assert (mammoth, bear, 1) in _dealt(events)
    assert (mammoth, -1, 2) in _dealt(events)


@pytest.mark.rule("510.1e")
def test_two_tramplers_are_judged_together(board: Any) -> None:
    one, two = board.put("Mammoth", 3, 3, "trample"), board.put("Rhino", 2, 2, "trample")
    bear = board.put("Bear", player=1)
    board.attack(one, two)
    board.block((bear, one), (bear, two))

    def answers(prompt: DividePrompt) -> Any:
        if prompt.source == one:
            return _divide(prompt, (bear, 0), (-1, 3))
        return prompt.suggest(board.game)

    dealt = _dealt(_damage(board, answers))
    assert (one, -1, 3) in dealt
    assert (two, bear, 2) in dealt


@pytest.mark.rule("510.1b")
def test_attacker_of_a_planeswalker_that_is_gone_assigns_no_damage(board: Any) -> None:
    bear = board.put("Bear")
    facts: dict[str, Any] = {"types": ("planeswalker",), "player": 1}
    walker = board.put("Sage", None, None, counters={"loyalty": 3}, **facts)
    board.attack(bear, permanent=walker)
    board.block()
    assert _dealt(_damage(board)) == [(bear, walker, 2)]
    assert board.state.objects[walker].counters == {"loyalty": 1}
    assert board.state.objects[walker].damage == 0
    board.state.battlefield.remove(walker)
    del board.state.objects[walker]
    assert _damage(board) == []


@pytest.mark.rule("510.4")
def test_first_strike_makes_two_steps_and_double_strike_deals_in_both(board: Any) -> None:
    quick, twin, plain = (
        board.put("Quick", 2, 2, "first strike"),
        board.put("Twin", 1, 1, "double strike"),
        board.put("Plain", 3, 3),
    )
    board.attack(quick, twin, plain)
    board.block()
    assert next_combat_step(board.game) == Step.FIRST_STRIKE_DAMAGE
    first = _damage(board, first=True)
    assert isinstance(first[0], FirstStrikersDetermined)
    assert _dealt(first) == [(quick, -1, 2), (twin, -1, 1)]
    assert next_combat_step(board.game) == Step.COMBAT_DAMAGE
    assert _dealt(_damage(board)) == [(twin, -1, 1), (plain, -1, 3)]
    assert next_combat_step(board.game) == Step.END_COMBAT


@pytest.mark.rule("702.7c")
def test_first_striker_of_no_power_then_does_not_strike_in_the_second_step(board: Any) -> None:
    quick = board.put("Quick", 0, 2, "first strike")
    board.attack(quick)
    board.block()
    assert _dealt(_damage(board, first=True)) == []
    board.state.objects[quick].counters["+1/+1"] = 2
    board.game.undo_to(board.game.trail.mark())
    assert _dealt(_damage(board)) == []


@pytest.mark.rule("120.3f")
def test_lifelink_gains_for_each_source_by_itself(board: Any) -> None:
    one, two = board.put("Cleric", 2, 2, "lifelink"), board.put("Monk", 1, 1, "lifelink")
    board.attack(one, two)
    board.block()
    _damage(board)
    assert board.state.players[0].life == 23
    assert board.state.players[1].life == 17


@pytest.mark.rule("120.3d")
def test_wither_puts_counters_and_marks_no_damage(board: Any) -> None:
    thorn, giant = board.put("Thorn", 2, 2, "wither"), board.put("Giant", 3, 4, player=1)
    board.attack(thorn)
    board.block((giant, thorn))
    _damage(board)
    assert board.state.objects[giant].counters == {"-1/-1": 2}
    assert board.state.objects[giant].damage == 0
    assert board.state.objects[thorn].damage == 3


@pytest.mark.rule("702.16e")
def test_protection_prevents_the_damage_but_is_no_help_against_trample(board: Any) -> None:
    from apnap.cards.model import Filter

    ward = KeywordAbility("protection", filter=Filter(colors=("red",)))
    charger = board.put("Charger", 5, 5, "trample", colors=("red",))
    knight = board.put("Knight", 2, 2, ward, player=1)
    board.attack(charger)
    board.block((knight, charger))
    events = _damage(board)
    assert _dealt(events) == [(charger, -1, 3), (knight, charger, 2)]
    refused = board.prompts[0].is_legal(board.game, _divide(board.prompts[0], (knight, 1), (-1, 4)))
    assert refused.rule == "702.19b"
