"""A judge mends a game: each remedy, with consent and by a judge who was named, replays exactly."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

import apnap
from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.codec import decode_entry
from apnap.events.decisions import GiveConsent, RefuseConsent, Repair
from apnap.events.ids import JUDGE, PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.redaction import redact_entry
from apnap.events.refused import Code
from apnap.events.taking_back import CorrectLife, JudgeNamed, PutBackAtRandom, RepairMade
from apnap.projections.redaction import redact_state
from apnap.projections.view import seat_view
from apnap.replay.opened import recorded_game
from apnap.replay.record_file import export_game, import_game
from apnap.replay.repairing import RepairUnclear
from apnap.replay.session import Game
from apnap.replay.transcript import transcript
from apnap.rules.repairs import triggered_abilities

ALICE, BOB = PlayerId(0), PlayerId(1)
REMEDIES = (
    "back up to 9",
    "put back 2 of alice at random",
    "put back 1 of bob at random on the bottom",
    "life of bob is 17",
    "alice loses",
)

NewGame = Callable[..., Game]


def begun(*, judge: bool, decisions: int = 14) -> Game:
    """Return a game in a store of its own, some decisions in."""
    game = apnap.new_game(BUILTIN_DECKS, seed=5, store=MemoryStore(), judge=judge)
    for number in range(decisions):
        limit = 1 if game.prompt.kind == "mulligan" else 4
        options = game.prompt.options(limit=limit)
        assert game.decide(options[number % len(options)]) is None
    return game


@pytest.mark.parametrize("judge", [True, False])
@pytest.mark.parametrize("remedy", REMEDIES)
def test_remedy_is_logged_told_and_replays_exactly(remedy: str, judge: bool) -> None:
    with begun(judge=judge) as game:
        assert game.repair(remedy) is None
        lines = list(transcript(recorded_game(game.store, game.id)))
        decided = [line for line in lines if line.seat == "judge"]
        assert [line.text for line in decided] == [remedy]
        assert any(line.text == f"the judge mends the game: {remedy}" for line in lines)
        assert game.verify().ok
        while not game.over:
            assert game.decide(game.prompt.suggest()) is None
        found = game.verify()
        assert found.ok, found


def test_life_total_is_set_right_without_gain_or_loss() -> None:
    with begun(judge=True) as game:
        assert game.repair("life of bob is 3") is None
        assert game.state.players[BOB].life == 3
        assert game.repair("life of bob is 0") is None
        assert game.over
        assert game.result.reason == "life"


@pytest.mark.rule("104.3k")
def test_player_loses_by_a_judges_penalty() -> None:
    with begun(judge=True) as game:
        assert game.repair("bob loses the game") is None
        assert game.over
        assert game.result.winner == "alice"
        assert (game.result.reason, game.result.rule) == ("judge", "104.3k")


def test_cards_put_back_are_chosen_by_chance_and_seen_by_nobody_else() -> None:
    with begun(judge=True) as game:
        hand, library = (
            len(game.state.players[ALICE].hand),
            len(game.state.players[ALICE].library),
        )
        assert game.repair("put back 2 of alice at random") is None
        mine = game.state.players[ALICE]
        assert (len(mine.hand), len(mine.library)) == (hand - 2, library + 2)
        on_top = [game.state.objects[item] for item in mine.library[:2]]
        assert [item.known_to for item in on_top] == [1 << ALICE] * 2
        bobs = game.view("bob")
        assert not any(bobs.objects[item.id].card for item in on_top)


def test_each_card_of_a_hand_may_be_the_one_that_is_put_back() -> None:
    chosen = set()
    for seed in range(24):
        with apnap.new_game(BUILTIN_DECKS, seed=seed, store=MemoryStore(), judge=True) as game:
            for _ in range(3):
                assert game.decide(game.prompt.suggest()) is None
            cards = [game.state.objects[item].card for item in game.state.players[ALICE].hand]
            assert game.repair("put back 1 of alice at random") is None
            top = game.state.players[ALICE].library[0]
            chosen.add(cards.index(game.state.objects[top].card))
    assert len(chosen) >= 4


def test_missed_trigger_goes_on_the_stack() -> None:
    with begun(judge=True, decisions=0) as game:
        for _ in range(400):
            for item in game.state.battlefield:
                if triggered_abilities(game.position, item):
                    break
            else:
                options = game.prompt.options(limit=6)
                assert game.decide(options[-1]) is None
                continue
            break
        name = f"#{item}"
        waited = len(game.state.stack) + len(game.state.pending)
        assert game.repair(f"trigger {name} ability 1") is None
        assert len(game.state.stack) + len(game.state.pending) >= waited
        events = [
            type(event).__name__
            for commit in recorded_game(game.store, game.id).commits()
            for event in commit.events()
        ]
        assert "AbilityTriggered" in events[events.index("RepairMade") :]
        assert game.verify().ok


def test_repair_waits_for_the_seats_and_a_refusal_ends_it() -> None:
    with begun(judge=False) as game:
        repair = Repair(JUDGE, JUDGE, 0, CorrectLife(BOB, 11))
        assert game.decide(repair) is None
        assert game.state.players[BOB].life != 11
        refused = game.decide(repair)
        assert refused is not None
        assert refused.code == Code.WRONG_TIME
        counters = game.state.decision_counters
        assert game.decide(GiveConsent(ALICE, ALICE, counters[ALICE])) is None
        assert game.state.players[BOB].life != 11
        assert game.decide(RefuseConsent(BOB, BOB, counters[BOB])) is None
        assert game.state.offer is None
        assert game.decide(repair) is None
        for seat in (BOB, ALICE):
            assert game.decide(GiveConsent(seat, seat, counters[seat])) is None
        assert game.state.players[BOB].life == 11
        assert game.verify().ok


def test_repair_is_the_judges_alone_and_names_what_is_there() -> None:
    with begun(judge=True) as game:

        def code_of(repair: Repair) -> Code | None:
            state = game.state.to_bytes()
            refused = game.decide(repair)
            assert game.state.to_bytes() == state
            return None if refused is None else refused.code

        assert code_of(Repair(ALICE, ALICE, 0, CorrectLife(BOB, 11))) == Code.NOT_ASKED
        assert code_of(Repair(JUDGE, JUDGE, 0, CorrectLife(PlayerId(7), 11))) == (
            Code.CHOICE_ILLEGAL
        )
        assert code_of(Repair(JUDGE, JUDGE, 0, PutBackAtRandom(BOB, 99))) == Code.CHOICE_ILLEGAL
        with pytest.raises(RepairUnclear, match="nothing that a judge does"):
            game.repair("make it right")


def test_judges_decision_is_open_to_all_seats_and_each_seats_log_folds() -> None:
    with begun(judge=True) as game:
        for remedy in ("put back 1 of alice at random", "life of bob is 9", "life of alice is 8"):
            assert game.repair(remedy) is None
        entries = recorded_game(game.store, game.id).entries
        for seat in (ALICE, BOB):
            log = [decode_entry(redact_entry(entry, seat)) for entry in entries]
            assert sum(isinstance(one.decision, Repair) for one in log) == 3
            assert sum(type(e) is RepairMade for one in log for e in one.events()) == 3
            seen = redact_state(game.state, seat)
            assert seat_view(log, seat).to_bytes() == seen.to_bytes()


def test_game_with_a_judge_survives_a_resume_an_export_and_an_import() -> None:
    with begun(judge=True) as game:
        assert game.repair("back up to 6") is None
        name, store, state = game.id, game.store, game.state.to_bytes()
    first = next(recorded_game(store, name).commits())
    assert any(isinstance(event, JudgeNamed) for event in first.events())
    with apnap.resumed_game(name, store=store) as again:
        assert again.state.to_bytes() == state
        assert again.repair("life of bob is 2") is None
        assert again.verify().ok
    file = io.BytesIO()
    export_game(store, name, file)
    file.seek(0)
    other = MemoryStore()
    import_game(other, file, "file", "host")
    with apnap.resumed_game(name, store=other) as imported:
        assert imported.state.players[BOB].life == 2
        assert imported.verify().ok
