from itertools import islice
from typing import Any

import pytest

from apnap.cards.model import CannotAttack, MustAttack
from apnap.events.combat import AttackersDeclared
from apnap.events.decisions import DeclareAttackers
from apnap.events.ids import ObjectId, PlayerId, Step
from apnap.events.refused import Code, Refused
from apnap.events.turn import TurnActionsDone
from apnap.events.zones import PermanentTapped
from apnap.rules.combat import declare_attackers, next_combat_step
from apnap.rules.combat_attack import AttackPrompt

ALICE, BOB, CAROL = PlayerId(0), PlayerId(1), PlayerId(2)


def _prompt() -> AttackPrompt:
    return AttackPrompt(seat=ALICE, player=ALICE, counter=0, rule="508.1", quiescent=True)


def _declare(*attack: tuple[int, int, int]) -> DeclareAttackers:
    parts = tuple((ObjectId(a), PlayerId(d), ObjectId(p)) for a, d, p in attack)
    return DeclareAttackers(ALICE, ALICE, 0, parts)


def _refused(board: Any, *attack: tuple[int, int, int]) -> Refused:
    found = _prompt().is_legal(board.game, _declare(*attack))
    assert found is not None
    return found


@pytest.mark.rule("508.1f")
def test_attackers_become_tapped_unless_they_have_vigilance(board: Any) -> None:
    plain, vigilant = board.put("Bear"), board.put("Guard", 2, 2, "vigilance")
    attack = ((plain, BOB, 0), (vigilant, BOB, 0))
    events = board.run(declare_attackers(board.game), lambda _: _declare(*attack))
    assert [type(event) for event in events] == [
        PermanentTapped,
        AttackersDeclared,
        TurnActionsDone,
    ]
    assert events[0].object == plain
    assert board.prompts[0].quiescent
    assert board.state.combat.attackers == {plain: (BOB, 0), vigilant: (BOB, 0)}


@pytest.mark.rule("508.1a")
def test_nobody_is_asked_where_nothing_can_attack(board: Any) -> None:
    board.put("Bear", tapped=True)
    events = board.run(declare_attackers(board.game))
    assert board.prompts == []
    assert [type(event) for event in events] == [AttackersDeclared, TurnActionsDone]
    assert events[0].attackers == ()


@pytest.mark.rule("508.8")
def test_combat_without_attackers_goes_on_to_its_end(board: Any) -> None:
    board.run(declare_attackers(board.game))
    assert next_combat_step(board.game) == Step.END_COMBAT
    bear = board.put("Bear")
    board.attack(bear)
    board.state.turn.step = Step.DECLARE_ATTACKERS
    board.state.combat.attackers.clear()
    assert next_combat_step(board.game) == Step.DECLARE_BLOCKERS


@pytest.mark.rule("302.6")
def test_creature_that_is_new_attacks_only_with_haste(board: Any) -> None:
    new, hasty = board.put("Bear", sick=True), board.put("Hound", 2, 2, "haste", sick=True)
    assert _refused(board, (new, 1, 0)).code == Code.SUMMONING_SICK
    assert _prompt().is_legal(board.game, _declare((hasty, 1, 0))) is None


@pytest.mark.rule("508.1a")
@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"tapped": True}, Code.ALREADY_TAPPED),
        ({"player": 1}, Code.NOT_YOURS),
        ({"types": ("artifact",)}, Code.CANNOT_ATTACK),
    ],
)
def test_what_cannot_attack_is_refused_by_name(board: Any, facts: Any, code: Code) -> None:
    item = board.put("Bear", **facts)
    refused = _refused(board, (item, 1, 0))
    assert refused.code == code
    assert "Bear" in refused.detail


@pytest.mark.rule("508.1c")
def test_restriction_goes_before_requirement(board: Any) -> None:
    item = board.put("Bear", 2, 2, MustAttack(), CannotAttack())
    assert _refused(board, (item, 1, 0)).rule == "508.1c"
    assert _prompt().is_legal(board.game, _declare()) is None


@pytest.mark.rule("702.3b")
def test_defender_cannot_attack(board: Any) -> None:
    wall = board.put("Wall", 0, 4, "defender")
    assert _refused(board, (wall, 1, 0)).rule == "702.3b"


@pytest.mark.rule("508.1d")
def test_creature_that_must_attack_is_in_every_option(board: Any) -> None:
    board.put("Bear")
    wild = board.put("Berserker", 2, 2, MustAttack())
    assert _refused(board).code == Code.MUST_ATTACK
    options = list(_prompt().options(board.game))
    assert options[0] == _declare((wild, 1, 0)) == _prompt().suggest(board.game)
    assert len(options) == 2
    assert all(_prompt().is_legal(board.game, option) is None for option in options)


@pytest.mark.rule("508.1b")
def test_each_opponent_and_planeswalker_may_be_attacked(trio: Any) -> None:
    bear = trio.put("Bear")
    walker = trio.put("Sage", None, None, types=("planeswalker",), player=2)
    options = list(_prompt().options(trio.game))
    found = {option.attackers for option in options if isinstance(option, DeclareAttackers)}
    assert found == {
        (),
        ((bear, BOB, 0),),
        ((bear, CAROL, 0),),
        ((bear, CAROL, walker),),
    }
    assert len(options) == len(found)
    assert _refused(trio, (bear, 1, walker)).rule == "508.1b"
    assert _refused(trio, (bear, 0, 0)).rule == "508.1b"


@pytest.mark.rule("508.1b")
def test_creature_attacks_but_once(board: Any) -> None:
    bear = board.put("Bear")
    assert _refused(board, (bear, 1, 0), (bear, 1, 0)).rule == "508.1b"


@pytest.mark.rule("508.1")
def test_options_are_lazy_and_differ(board: Any) -> None:
    for _ in range(30):
        board.put("Bear")
    options = list(islice(_prompt().options(board.game), 200))
    assert len(set(options)) == 200
    assert len(options[1].attackers) == 30  # type: ignore[attr-defined]  # all attack
