"""The notation: what the document says is what is read, and what is written reads back."""

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apnap.events.base import Decision
from apnap.events.catalog import DECISION_TYPES
from apnap.events.decisions import (
    ActivateAbility,
    Answer,
    BeginGame,
    CastSpell,
    ChooseNumber,
    ChooseObjects,
    ChoosePlayers,
    ChooseTargets,
    Concede,
    DeclareAttackers,
    DeclareBlockers,
    DivideDamage,
    GiveConsent,
    KeepHand,
    OfferTakeBack,
    OrderObjects,
    PassPriority,
    Payment,
    PlayLand,
    RefuseConsent,
    Repair,
    ReportTailLost,
    RevokeStandingPass,
    SetUp,
    TakeMulligan,
    TurnFaceUp,
)
from apnap.events.ids import JUDGE, NOBODY, NOTHING, CommitNumber, ObjectId, PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.stack import ChosenTarget
from apnap.events.taking_back import CorrectLife
from apnap.projections.position import Position
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.notation import NotationError, format_decision, parse_decision
from apnap.replay.scenario_table import ScenarioTable
from apnap.rules.prompts import OrderTriggers, SelectOption, SelectPlayers
from apnap.rules.protocol import Prompt

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "notation.md"
DECKS = ("red-green-stompers", "white-black-wardens")


def rows() -> list[tuple[str, str, str]]:
    text = DOCUMENT.read_text(encoding="utf-8").split("| position | typed | read as |", 1)[1]
    found = []
    for line in text.splitlines()[2:]:
        if line.startswith("|"):
            position, typed, read = (cell.strip() for cell in line.strip("|").split("|"))
            found.append((position, typed.strip("`"), read.strip("`")))
    return found


def test_the_table_has_a_hundred_spellings() -> None:
    assert len(rows()) >= 100


@pytest.mark.parametrize(("position", "typed", "read"), rows())
def test_spelling_of_the_document_is_read_as_it_says(
    tables: dict[str, ScenarioTable], position: str, typed: str, read: str
) -> None:
    table = tables[position]
    decision = parse_decision(table.game, table.prompt, typed)
    if read.startswith("refused"):
        assert isinstance(decision, NotationError)
        kind, _, candidates = read.removeprefix("refused, ").partition(": ")
        assert decision.kind == kind
        if candidates:
            assert " · ".join(decision.candidates) == candidates
    else:
        assert not isinstance(decision, NotationError), decision
        assert format_decision(table.game, decision) == read


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_text_is_read_or_refused_and_what_is_read_is_written(
    tables: dict[str, ScenarioTable], data: st.DataObject
) -> None:
    table = tables[data.draw(st.sampled_from(sorted(tables)))]
    words = [word for _, typed, _ in rows() for word in typed.split()] + ["(2)", "[", "]", "#3"]
    text = " ".join(data.draw(st.lists(st.sampled_from(words), max_size=6)))
    decision = parse_decision(table.game, table.prompt, text)
    if not isinstance(decision, NotationError):
        assert_reads_back(table.game, table.prompt, decision)


def test_candidates_of_an_ambiguous_text_are_each_read(tables: dict[str, ScenarioTable]) -> None:
    table = tables["main"]
    refused = parse_decision(table.game, table.prompt, "cast shock on bears")
    assert isinstance(refused, NotationError)
    for name in refused.candidates:
        read = parse_decision(table.game, table.prompt, f"cast shock on {name}")
        assert isinstance(read, CastSpell)


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_every_decision_of_a_random_game_reads_back(seed: int) -> None:
    setup = GameSetup(decks=DECKS, seed=seed, agents=("random", "random"))
    hosted = host_new_game(MemoryStore(), setup)
    table = hosted.table
    for step in range(400):
        prompt = table.prompt
        if prompt is None:
            break
        options = list(islice(prompt.options(table.game), 30))
        decision = table.automatic() or options[(step * 7919 + seed * 104_729) % len(options)]
        completed = table.complete(decision)
        for one in (decision, completed):
            assert isinstance(one, Decision)
            assert_reads_back(table.game, prompt, one)
        assert table.decide(decision) is None
    hosted.close()


def assert_reads_back(
    game: Position, prompt: Prompt | None, decision: Decision, seat: PlayerId | None = None
) -> None:
    text = format_decision(game, decision)
    assert parse_decision(game, prompt, text, seat=seat) == decision, text


def of_every_type(table: ScenarioTable) -> dict[type[Decision], tuple[Decision, Prompt | None]]:
    """Return a decision of each type with the prompt that it answers, none where there is none."""
    game, prompt = table.game, table.prompt
    assert prompt is not None
    asked = (prompt.seat, prompt.player, prompt.counter)
    fields = {"seat": prompt.seat, "player": prompt.player, "counter": prompt.counter, "rule": "1"}
    bears, bear = game.state.battlefield[5], game.state.battlefield[6]
    shock = game.state.players[0].hand[3]
    forest = game.state.players[0].hand[0]
    bob = PlayerId(1)
    players = SelectPlayers(**fields, candidates=(PlayerId(0), bob))  # type: ignore[arg-type]
    number = SelectOption(**fields, labels=tuple("abcdefghi"))  # type: ignore[arg-type]
    order = OrderTriggers(**fields, items=(3, 4))  # type: ignore[arg-type]
    paid = Payment(
        sources=((game.state.battlefield[0], 0, "R"),), mana="R", life=2, sacrificed=(bears,)
    )
    decisions: list[tuple[Decision, Prompt | None]] = [
        (KeepHand(*asked), None),
        (TakeMulligan(*asked), None),
        (PassPriority(*asked, 3), prompt),
        (PlayLand(*asked, forest), prompt),
        (CastSpell(*asked, shock, (ChosenTarget(0, NOTHING, bob),), (), 0, paid), prompt),
        (ActivateAbility(*asked, game.state.battlefield[4], 0, mana="G"), prompt),
        (TurnFaceUp(*asked, bears, paid), prompt),
        (DeclareAttackers(*asked, ((bears, bob, NOTHING), (bear, bob, NOTHING))), prompt),
        (DeclareBlockers(*asked, ()), prompt),
        (ChoosePlayers(*asked, (bob,)), players),
        (Answer(*asked, yes=True, payment=paid), prompt),
        (ChooseNumber(*asked, 7), number),
        (OrderObjects(*asked, (4, 3)), order),
        (DivideDamage(*asked, ((NOTHING, bob, 2),)), prompt),
        (Concede(*asked), prompt),
        (RevokeStandingPass(*asked), prompt),
        (OfferTakeBack(*asked, CommitNumber(12)), prompt),
        (GiveConsent(*asked), prompt),
        (RefuseConsent(*asked), prompt),
        (Repair(JUDGE, JUDGE, 0, CorrectLife(bob, 17)), None),
        (ReportTailLost(NOBODY, NOBODY, 0, CommitNumber(3), CommitNumber(5), b"d" * 16), None),
        (BeginGame(NOBODY, NOBODY, 0), None),
        (SetUp(NOBODY, NOBODY, 0, ((b"\x01\x02", 2, bob),)), None),
    ]
    return {type(one): (one, at) for one, at in decisions}


ELSEWHERE = {ChooseObjects: "discard", ChooseTargets: "targets"}
"""Types whose prompt is at a position of the document."""


@pytest.mark.parametrize("kind", DECISION_TYPES, ids=lambda kind: kind.__name__)
def test_every_type_of_decision_reads_back(
    tables: dict[str, ScenarioTable], kind: type[Decision]
) -> None:
    if kind in ELSEWHERE:
        table = tables[ELSEWHERE[kind]]
        assert table.prompt is not None
        for decision in islice(table.prompt.options(table.game), 20):
            assert type(decision) is kind
            assert_reads_back(table.game, table.prompt, decision)
        return
    table = tables["main"]
    decision, prompt = of_every_type(table)[kind]
    seat = PlayerId(0) if decision.seat == NOBODY else decision.seat
    assert_reads_back(table.game, prompt, decision, seat)


def test_a_target_says_which_use_of_the_word_it_is_for(tables: dict[str, ScenarioTable]) -> None:
    game, prompt = tables["main"].game, tables["main"].prompt
    assert prompt is not None
    prey = next(item for item in game.state.players[0].hand if game.name_of(item) == "Prey Upon")
    bear = ObjectId(game.state.battlefield[6])
    targets = (ChosenTarget(1, bear, NOBODY), ChosenTarget(0, bear, NOBODY))
    decision = CastSpell(prompt.seat, prompt.player, prompt.counter, prey, targets)
    assert "(2) Runeclaw Bear" in format_decision(game, decision)
    assert_reads_back(game, prompt, decision)


def test_conceding_out_of_turn_is_read_for_the_seat_that_says_so(
    tables: dict[str, ScenarioTable],
) -> None:
    table = tables["main"]
    bob = PlayerId(1)
    read = parse_decision(table.game, table.prompt, "concede", seat=bob)
    assert read == Concede(bob, bob, table.game.state.decision_counters[bob])
