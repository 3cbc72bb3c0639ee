"""A loop of mandatory actions is a draw (CR 104.4b); what ends or may be ended is not."""

from __future__ import annotations

import pytest

from apnap.events.decisions import Answer
from apnap.events.game import GameEnded, PlayerLost
from apnap.events.ids import ZoneKind

from .conftest import ALICE, BOB, Scene

ROUNDS_MAX = 400
BACK = "When this creature dies, return it to the battlefield under its owner's control."
MORE_LIFE = "Whenever you gain life, you gain 1 life."
MORE_SOLDIERS = "Whenever another creature enters, create a 1/1 white Soldier creature token."


def _pass_on(scene: Scene, resolutions: int = ROUNDS_MAX) -> None:
    """Let all pass while something is on the stack, and answer yes where somebody may."""
    for _ in range(resolutions * len(scene.players)):
        if scene.table.prompt is None or not (scene.state.stack or scene.state.pending):
            return
        if scene.prompt.kind == "may":
            scene.answer(Answer, yes=True)
        else:
            scene.suggest()


def _is_drawn_by_loop(scene: Scene) -> bool:
    return scene.state.winners == () and scene.state.end_reason == "loop"


@pytest.mark.rule("104.4b")
@pytest.mark.rule("729.4")
def test_what_comes_back_to_die_for_ever_is_a_draw(duel: Scene) -> None:
    duel.put(duel.card(BACK, "Creature", "Revenant", (0, 0)))
    duel.begin()
    _pass_on(duel)
    assert _is_drawn_by_loop(duel)
    (ended,) = duel.events(GameEnded)
    assert (ended.rule, ended.reason) == ("104.4b", "loop")
    assert duel.state.turn.resolved == 32
    duel.check()


@pytest.mark.rule("104.4b")
def test_a_loop_of_several_steps_is_a_draw(trio: Scene) -> None:
    """Each of two creatures comes back as it dies, of different players."""
    for player in (ALICE, BOB):
        trio.put(trio.card(BACK, "Creature", "Revenant", (0, 0)), player)
    trio.begin()
    _pass_on(trio)
    assert _is_drawn_by_loop(trio)
    assert trio.table.prompt is None


@pytest.mark.rule("104.4b")
@pytest.mark.parametrize("text", [MORE_LIFE, MORE_SOLDIERS])
def test_a_loop_that_only_grows_is_a_draw(duel: Scene, text: str) -> None:
    duel.put(duel.card(text, "Creature", "Source", (2, 2)))
    spell = duel.hand("Angel of Mercy")
    duel.begin()
    duel.cast(spell)
    _pass_on(duel)
    assert _is_drawn_by_loop(duel)


@pytest.mark.rule("104.4b")
def test_a_loop_that_somebody_dies_of_is_no_draw(duel: Scene) -> None:
    """Each time around an opponent loses life: it has an end."""
    drain = "Whenever you gain life, each opponent loses 1 life. You gain 1 life."
    duel.put(duel.card(drain, "Creature", "Drain", (2, 2)))
    duel.set_player(BOB, life=150)
    spell = duel.hand("Angel of Mercy")
    duel.begin()
    duel.cast(spell)
    _pass_on(duel)
    assert duel.state.winners == (ALICE,)
    assert [event.rule for event in duel.events(PlayerLost)] == ["704.5a"]
    assert duel.state.turn.resolved == 152


@pytest.mark.rule("104.4b")
def test_a_loop_with_an_optional_action_is_no_draw(duel: Scene) -> None:
    text = "Whenever you gain life, you may gain 1 life."
    duel.put(duel.card(text, "Creature", "Choice", (2, 2)))
    spell = duel.hand("Angel of Mercy")
    duel.begin()
    duel.cast(spell)
    _pass_on(duel, 250)
    assert not duel.table.is_over
    assert duel.state.turn.resolved > 128
    while duel.state.stack or duel.state.pending:
        duel.suggest()
    assert duel.prompt.kind == "priority"


@pytest.mark.rule("104.4b")
def test_many_triggers_that_come_to_an_end_are_no_loop(duel: Scene) -> None:
    """Three hundred resolve one after the other, and each gives life: the stack only shrinks."""
    warden = duel.card(
        "Whenever another creature enters, you gain 1 life.", "Creature", "W", (1, 1)
    )
    for _ in range(300):
        duel.put(warden)
    spell = duel.hand("Memnite")
    duel.begin(library=3)
    duel.cast(spell)
    duel.resolve()
    duel.suggest()
    assert len(duel.state.stack) == 300
    for _ in range(270):
        duel.resolve()
    assert duel.life()[ALICE] == 290
    assert not duel.table.is_over


@pytest.mark.rule("104.4b")
def test_a_player_may_act_before_a_loop_is_a_draw(duel: Scene) -> None:
    duel.put(duel.card(BACK, "Creature", "Revenant", (0, 0)))
    shock = duel.hand("Shock")
    duel.begin()
    for _ in range(30):
        duel.resolve()
    assert duel.state.turn.resolved == 30
    duel.cast(shock, players=(BOB,))
    assert duel.state.turn.resolved == 0
    for _ in range(20):
        duel.resolve()
    assert not duel.table.is_over
    assert duel.life()[BOB] == 18


@pytest.mark.rule("104.4b")
def test_a_game_resumed_in_a_loop_ends_as_one_that_was_not(duel: Scene) -> None:
    duel.put(duel.card(BACK, "Creature", "Revenant", (0, 0)))
    duel.begin()
    for _ in range(31):
        duel.resolve()
    duel.check()
    resumed = duel.resumed()
    duel.resolve()
    duel.passes()
    assert _is_drawn_by_loop(duel)
    while resumed.prompt is not None:
        assert resumed.decide(resumed.prompt.suggest(resumed.game)) is None
    assert resumed.head == duel.table.head
    assert not duel.state.exile
    assert ZoneKind.STACK in {item.zone for item in duel.state.objects.values()}
    resumed.park()
