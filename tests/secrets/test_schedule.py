"""How many questions there are, and to whom, depends on public things alone (CR 117, 101.4)."""

from collections.abc import Iterator
from typing import cast

import pytest

from apnap.events.codec import decode_entry
from apnap.events.decisions import (
    AnyDecision,
    CastSpell,
    ChooseObjects,
    PassPriority,
    StandingMode,
)
from apnap.events.ids import PlayerId
from apnap.events.redaction import blanked, redact_entry
from apnap.events.turn import PriorityPassed
from apnap.projections.view import seat_view

from .arranging import ALICE, BOB, sit_at
from .playing import Played, Sitting, play_on, seats_of

GOBLIN = "Raging Goblin"
HANDS = (
    ("Lightning Bolt", "Unsummon", "Opt"),  # instants
    ("Craw Wurm", "Serra Angel", "Overrun"),  # nothing for another's turn
    ("Island", "Island", "Mountain"),  # nothing to cast at all
)


def first_options(sitting: Sitting, commits: int) -> Iterator[AnyDecision]:
    """Let each question be answered by its first option, and yield the answers."""
    while sitting.table.commits < commits and sitting.prompt is not None:
        option = next(sitting.prompt.options(sitting.table.game))
        answer = sitting.table.automatic() or option
        assert sitting.decide(cast("AnyDecision", answer))
        yield cast("AnyDecision", answer)


def test_questions_do_not_depend_on_what_is_in_a_hand() -> None:
    asked, told = [], []
    for hand in HANDS:
        sitting = sit_at(5, (hand, hand[:2]))
        answers = list(first_options(sitting, 90))
        assert len(answers) == 89
        asked.append(sitting.played.asked)
        told.append([blanked(redact_entry(entry, BOB)) for entry in sitting.played.entries])
    assert asked[0] == asked[1] == asked[2]
    kinds = {kind for _, _, kind, _, _ in asked[0]}
    assert kinds == {"priority", "attackers"}


def test_each_question_is_a_commit_of_its_own(recorded: list[Played]) -> None:
    for played in recorded:
        assert len(played.asked) == len(played.entries) - 1
        for commit in played.commits()[1:]:
            assert not isinstance(commit.decision, bytes)
            assert commit.decision.seat >= 0


def test_decisions_of_others_are_seals_in_every_commit(recorded: list[Played]) -> None:
    for played in recorded:
        for entry in played.entries:
            decision = decode_entry(entry).decision
            assert not isinstance(decision, bytes)
            for seat in seats_of(played):
                cut = decode_entry(redact_entry(entry, seat)).decision
                assert isinstance(cut, bytes) is (seat != decision.seat)
                assert not isinstance(cut, bytes) or len(cut) == 16


@pytest.mark.rule("101.4")
def test_choice_without_a_choice_is_a_commit_like_any_other() -> None:
    """Who discards the only card of a hand is asked, and the engine answers."""
    sitting = sit_at(2, (("Mind Wipe", "Opt"), ("Craw Wurm",)))
    game = sitting.table.game
    assert sitting.prompt is not None
    spell = next(
        option
        for option in sitting.prompt.options(game)
        if isinstance(option, CastSpell) and game.name_of(option.object) == "Mind Wipe"
    )
    assert sitting.decide(spell)
    for seat in (ALICE, BOB):
        assert sitting.decide(PassPriority(seat, seat, game.state.decision_counters[seat]))
    for seat in (ALICE, BOB):
        prompt = sitting.prompt
        assert prompt is not None
        assert (prompt.seat, prompt.kind) == (seat, "discard")
        answer = sitting.table.automatic()
        assert isinstance(answer, ChooseObjects)
        assert sitting.decide(answer)
    assert [kind for _, _, kind, _, _ in sitting.played.asked][-2:] == ["discard", "discard"]
    assert len(sitting.played.entries) == 6
    # Alice's choice is known only once Bob has made his.
    assert b"discarded" not in sitting.played.entries[-2]
    assert b"discarded" in sitting.played.entries[-1]


@pytest.mark.parametrize("hand", [("Bitter End", GOBLIN), ("Bitter End", "Opt")])
def test_choice_among_hidden_cards_is_asked_for_though_there_be_none(hand: tuple[str, ...]) -> None:
    """Nobody may learn by silence that there is no creature card in a hand."""
    sitting = sit_at(4, (hand, ()))
    game = sitting.table.game
    assert sitting.prompt is not None
    spell = next(option for option in sitting.prompt.options(game) if isinstance(option, CastSpell))
    assert sitting.decide(spell)
    for seat in (ALICE, BOB):
        assert sitting.decide(PassPriority(seat, seat, game.state.decision_counters[seat]))
    assert sitting.prompt is not None
    assert sitting.prompt.kind == "choose"
    answer = sitting.table.automatic()
    assert isinstance(answer, ChooseObjects)
    assert len(answer.objects) == hand.count(GOBLIN)


@pytest.mark.rule("117.3d")
@pytest.mark.parametrize("mode", list(StandingMode)[1:])
def test_standing_pass_is_a_secret_while_it_lasts(mode: StandingMode) -> None:
    told, kept = [], []
    for standing in (StandingMode.NONE, mode):
        sitting = sit_at(7, (("Opt",), ("Opt",)))
        assert sitting.decide(PassPriority(ALICE, ALICE, 0, standing))
        for number, _ in enumerate(first_options(sitting, 30)):
            assert number < 30
        told.append([blanked(redact_entry(entry, BOB)) for entry in sitting.played.entries])
        kept.append([blanked(redact_entry(entry, ALICE)) for entry in sitting.played.entries])
        log = [decode_entry(redact_entry(entry, BOB)) for entry in sitting.played.entries]
        assert seat_view(log, BOB).players[ALICE].standing == 0
    assert told[0] == told[1]
    assert kept[0] != kept[1]


def test_standing_passes_are_sealed_to_their_players(recorded: list[Played]) -> None:
    for played in recorded:
        for entry in played.entries:
            for seat in seats_of(played):
                for event in decode_entry(redact_entry(entry, seat)).events():
                    if isinstance(event, PriorityPassed):
                        assert isinstance(event.secret, bytes) is (event.player != seat)


def test_view_counts_no_decisions_of_others(recorded: list[Played]) -> None:
    played = recorded[0]
    for seat in seats_of(played):
        log = [decode_entry(redact_entry(entry, seat)) for entry in played.entries]
        counters = seat_view(log, seat).decision_counters
        assert [number for number, count in enumerate(counters) if count] == [seat]


def test_random_play_from_a_position_asks_in_public_too() -> None:
    sitting = sit_at(9, HANDS[:2])
    for commit in play_on(sitting, 9, 40):
        assert commit.number == sitting.table.commits - 1
    assert {seat for seat, *_ in sitting.played.asked} == {PlayerId(0), PlayerId(1)}
