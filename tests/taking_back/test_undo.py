"""Undo and redo in Python, at the terminal, and consent between people who sit apart."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import apnap
from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.decisions import (
    Concede,
    GiveConsent,
    OfferTakeBack,
    PlayLand,
    RefuseConsent,
)
from apnap.events.ids import CommitNumber, PlayerId, Step
from apnap.events.memory_store import MemoryStore
from apnap.events.refused import Code
from apnap.events.taking_back import TakenBack
from apnap.replay.opened import recorded_game
from apnap.replay.session import Game
from apnap.replay.transcript import transcript

ALICE, BOB = PlayerId(0), PlayerId(1)


@pytest.fixture
def store() -> MemoryStore:
    """Return a store of the test's own."""
    return MemoryStore()


@pytest.fixture
def game(store: MemoryStore) -> Iterator[Game]:
    """Return a game in which each seat is the test's to decide for, some decisions in."""
    with apnap.new_game(BUILTIN_DECKS, seed=7, store=store) as game:
        _go_on(game, 12)
        yield game


def _go_on(game: Game, decisions: int) -> None:
    for number in range(decisions):
        limit = 1 if game.prompt.kind == "mulligan" else 4
        options = game.prompt.options(limit=limit)
        assert game.decide(options[number % len(options)]) is None


def _counter(game: Game, seat: PlayerId) -> int:
    return game.state.decision_counters[seat]


def _events(game: Game) -> list[object]:
    recorded = recorded_game(game.store, game.id)
    return [event for commit in recorded.commits() for event in commit.events()]


def test_undo_takes_back_the_last_decision_and_redo_decides_it_again(game: Game) -> None:
    before, prompt = game.state.to_bytes(), game.prompt
    commits = game.commits
    decision = prompt.options(limit=3)[-1]
    assert game.decide(decision) is None
    after = game.state.turn.step, [player.life for player in game.state.players]
    assert game.undo() is None
    assert isinstance(_events(game)[-1], TakenBack)
    assert game.at(game.commits - 1).state.to_bytes() == game.state.to_bytes()
    assert (game.prompt.kind, game.prompt.seat) == (prompt.kind, prompt.seat)
    assert game.state.taken_back == [(commits, commits)] or game.state.taken_back[0][0] == commits
    assert game.redo() is None
    assert (game.state.turn.step, [player.life for player in game.state.players]) == after
    assert game.state.to_bytes() != before
    assert game.verify().ok


def test_all_decisions_can_be_undone_one_after_the_other_and_done_again(game: Game) -> None:
    turn = game.state.turn.number, game.state.turn.step
    undone = 0
    while game.undo() is None:
        undone += 1
    assert undone == 12
    assert game.prompt.kind == "mulligan"
    for _ in range(undone):
        assert game.redo() is None
    assert (game.state.turn.number, game.state.turn.step) == turn
    refused = game.redo()
    assert refused is not None
    assert refused.code == Code.CHOICE_ILLEGAL
    assert game.verify().ok


def test_other_decision_after_an_undo_leaves_nothing_to_redo(game: Game) -> None:
    assert game.undo() is None
    assert game.decide(game.prompt.suggest()) is None
    refused = game.redo()
    assert refused is not None
    assert refused.code == Code.CHOICE_ILLEGAL


def test_undo_in_a_resumed_game_finds_what_a_person_decided(game: Game, store: MemoryStore) -> None:
    name, prompt = game.id, game.prompt
    assert game.decide(prompt.options(limit=3)[-1]) is None
    game.close()
    with apnap.resumed_game(name, store=store) as again:
        assert again.undo() is None
        assert (again.prompt.kind, again.prompt.seat) == (prompt.kind, prompt.seat)
        assert again.verify().ok


def test_undo_against_an_agent_goes_back_to_the_persons_own_decision(store: MemoryStore) -> None:
    agents = ("human", "greedy")
    with apnap.new_game(BUILTIN_DECKS, seed=3, store=store, agents=agents) as game:
        for _ in range(9):
            assert game.decide(game.prompt.suggest()) is None
        before = game.state.turn.number, game.state.turn.step
        assert game.decide(game.prompt.suggest()) is None
        assert game.undo() is None
        assert game.prompt.seat == "alice"
        assert (game.state.turn.number, game.state.turn.step) == before
        while not game.over:
            assert game.decide(game.prompt.suggest()) is None
        assert game.verify().ok
        refused = game.undo()
        assert refused is not None
        assert refused.code == Code.GAME_OVER


def test_on_a_replay_undo_and_redo_move_the_cursor_only(game: Game) -> None:
    commits = game.commits
    replay = game.at(5)
    state = replay.state.to_bytes()
    assert replay.undo() is None
    assert replay.commit == 4
    assert replay.state.to_bytes() == game.at(4).state.to_bytes()
    assert replay.redo() is None
    assert replay.state.to_bytes() == state
    assert game.commits == commits
    assert game.at(0).undo() is not None
    assert game.at(commits - 1).redo() is not None


def test_nothing_goes_back_without_everybodys_consent(game: Game) -> None:
    state = game.state
    offer = OfferTakeBack(ALICE, ALICE, _counter(game, ALICE), CommitNumber(4))
    assert game.decide(offer) is None
    assert not any(isinstance(event, TakenBack) for event in _events(game))
    assert state.offer is not None
    again = game.decide(OfferTakeBack(BOB, BOB, _counter(game, BOB), CommitNumber(3)))
    assert again is not None
    assert again.code == Code.WRONG_TIME
    own = game.decide(GiveConsent(ALICE, ALICE, _counter(game, ALICE)))
    assert own is not None
    assert own.code == Code.WRONG_ANSWER
    assert game.decide(RefuseConsent(BOB, BOB, _counter(game, BOB))) is None
    assert game.state.offer is None
    late = game.decide(GiveConsent(BOB, BOB, _counter(game, BOB)))
    assert late is not None
    assert late.code == Code.WRONG_TIME
    assert not any(isinstance(event, TakenBack) for event in _events(game))
    assert game.verify().ok


def test_game_goes_back_only_to_what_is_there_and_counts(game: Game) -> None:
    def offered(to: int) -> Code | None:
        counter = _counter(game, ALICE)
        refused = game.decide(OfferTakeBack(ALICE, ALICE, counter, CommitNumber(to)))
        return None if refused is None else refused.code

    state = game.state.to_bytes()
    assert offered(-1) == offered(game.commits - 1) == offered(10**6) == Code.CHOICE_ILLEGAL
    assert game.state.to_bytes() == state
    assert game.undo() is None
    undone = game.state.taken_back[0][0]
    assert offered(undone) == Code.CHOICE_ILLEGAL
    assert offered(undone - 1) is None


def test_offer_lapses_when_a_player_leaves(store: MemoryStore) -> None:
    decks = (*BUILTIN_DECKS, BUILTIN_DECKS[0])
    with apnap.new_game(decks, seed=1, store=store) as game:
        _go_on(game, 6)
        offer = OfferTakeBack(ALICE, ALICE, _counter(game, ALICE), CommitNumber(2))
        assert game.decide(offer) is None
        assert game.decide(Concede(BOB, BOB, _counter(game, BOB))) is None
        assert game.state.offer is None
        assert game.undo() is None
        assert not game.state.players[BOB].has_left
        assert game.verify().ok


def test_card_that_a_seat_drew_is_known_to_it_where_it_lies_again(game: Game) -> None:
    while not (game.state.turn.number == 3 and game.state.turn.step == Step.MAIN1):
        assert game.decide(game.prompt.suggest()) is None
    drawer = game.state.turn.active
    library = game.at(game.commits - 1).state.players[drawer].library
    cards = len(library)
    to = next(
        number
        for number in range(game.commits - 1, 0, -1)
        if len(game.at(number).state.players[drawer].library) > cards
    )
    top = game.at(to).state.players[drawer].library[0]
    assert not game.at(to).state.objects[top].known_to
    offer = OfferTakeBack(ALICE, ALICE, _counter(game, ALICE), CommitNumber(to))
    assert game.decide(offer) is None
    assert game.decide(GiveConsent(BOB, BOB, _counter(game, BOB))) is None
    assert game.state.objects[top].known_to == 1 << drawer
    name = game.state.players[drawer].name
    other = game.state.players[1 - drawer].name
    assert game.view(name).objects[top].card == game.state.objects[top].card
    assert not game.view(other).objects[top].card


def test_redo_decides_by_names_where_ids_are_others(game: Game) -> None:
    """Two lands in a row: the second is in the hand under an id that the first undo kept."""
    while not any(isinstance(option, PlayLand) for option in game.prompt.options(limit=50)):
        assert game.decide(game.prompt.suggest()) is None
    land = next(one for one in game.prompt.options(limit=50) if isinstance(one, PlayLand))
    assert game.decide(land) is None
    taps = [one for one in game.prompt.options(limit=50) if "Activate" in type(one).__name__]
    assert game.decide(taps[-1]) is None
    assert game.undo() is None
    assert game.undo() is None
    assert game.redo() is None
    assert game.redo() is None
    assert game.verify().ok


def test_transcript_of_an_undo_reads_as_what_people_said(game: Game) -> None:
    assert game.undo() is None
    lines = list(transcript(recorded_game(game.store, game.id)))
    texts = [line.text or "" for line in lines[-6:]]
    assert any("offers to go back" in text for text in texts)
    assert texts[-1].startswith("the game goes back to after commit")


def test_whynot_answers_about_going_back_too(game: Game) -> None:
    late = game.whynot("take back to 999", by="alice")
    assert late.refused
    assert late.code == "choice-illegal"
    assert not game.whynot("take back to 3", by="alice").refused
    assert game.whynot("agree", by="bob").code == "wrong-time"
