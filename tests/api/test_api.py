"""The Python API as documented: play, look back, branch, view, verify."""

import subprocess
import sys

import pytest

import apnap
from apnap.cards.builtin import BUILTIN_DECKS
from apnap.events.decisions import Concede, KeepHand, PassPriority
from apnap.events.errors import LeaseHeld
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.store import Store
from apnap.replay.session import Game, NoSuchName, NotBuilt


@pytest.fixture
def store() -> MemoryStore:
    """Return an empty store."""
    return MemoryStore()


@pytest.fixture
def game(store: MemoryStore) -> Game:
    """Return a new seeded game between the built-in decks."""
    return apnap.new_game(BUILTIN_DECKS, seed=7, store=store)


def test_always_taking_the_first_option_ends_the_game(game: Game) -> None:
    while not game.over:
        assert game.decide(game.prompt.options(limit=100)[0]) is None
    assert game.result.reason == "library"
    assert game.result.rule == "704.5b"
    assert game.verify().ok


def test_prompt_says_who_is_asked_what_and_by_which_rule(game: Game) -> None:
    prompt = game.prompt
    assert (prompt.kind, prompt.rule) == ("mulligan", "103.5")
    assert prompt.seat == prompt.player
    assert prompt.seat in game.seats
    assert prompt.source is None
    assert [type(option).__name__ for option in prompt.options()] == ["KeepHand", "TakeMulligan"]
    assert prompt.options(limit=1) == (prompt.suggest(),)


def test_wrong_answers_are_refused_and_change_nothing(game: Game) -> None:
    seat = game.prompt.prompt.seat
    before = (game.head, game.state.to_bytes())
    wrong = {
        "wrong-answer": PassPriority(seat, seat, 0),
        "not-asked": KeepHand(PlayerId(1 - seat), PlayerId(1 - seat), 0),
        "wrong-counter": KeepHand(seat, seat, 3),
    }
    for code, decision in wrong.items():
        refused = game.decide(decision)
        assert refused is not None
        assert (refused.code, refused.rule) == (code, "103.5")
    assert (game.head, game.state.to_bytes()) == before


@pytest.mark.rule("104.3a")
def test_conceding_needs_no_prompt_and_ends_the_game(game: Game) -> None:
    seat = PlayerId(1 - game.prompt.prompt.seat)
    assert game.decide(Concede(seat, seat, 0)) is None
    assert game.over
    assert (game.result.reason, game.result.winner) == ("concession", game.seats[1 - seat])
    refused = game.decide(Concede(seat, seat, 1))
    assert refused is not None
    assert refused.code == "game-over"


def test_moments_views_and_objects_are_read(game: Game) -> None:
    for _ in range(30):
        game.decide(game.prompt.suggest())
    before = game.at(2)
    assert before.state.turn.number == 1
    assert game.state.turn.number > 1
    view = game.view("alice")
    assert view.viewer == 0
    assert view.players[1].hand == [0] * len(game.state.players[1].hand)
    card = game.state.players[0].hand[0]
    found = before.object(int(card)) if card in before.state.objects else game.object(int(card))
    assert found.name
    assert found.controller == "alice"
    with pytest.raises(NoSuchName, match="No seat is named 'zoe'"):
        game.view("zoe")
    with pytest.raises(NoSuchName):
        game.object("No Such Card")


def test_branch_plays_on_by_itself(game: Game) -> None:
    for _ in range(40):
        game.decide(game.prompt.suggest())
    head = game.head
    with game.branch(at=20) as other:
        assert other.commits == 21
        assert other.id != game.id
        while not other.over:
            other.decide(other.prompt.options()[-1])
        assert other.verify().ok
    assert game.head == head
    with pytest.raises(apnap.EngineError, match="'same' or 'fresh'"):
        game.branch(at=20, luck="good")


def test_closed_game_is_resumed_by_its_name(game: Game, store: MemoryStore) -> None:
    game.decide(game.prompt.suggest())
    with pytest.raises(LeaseHeld):
        apnap.resumed_game(game.id, store=store)
    head = game.head
    game.close()
    with apnap.resumed_game(game.id, store=store) as again:
        assert again.head == head
        assert again.decide(again.prompt.suggest()) is None


def test_seats_with_agents_answer_by_themselves(store: MemoryStore) -> None:
    agents = ("human", "greedy")
    with apnap.new_game(BUILTIN_DECKS, seed=2, store=store, agents=agents) as game:
        while not game.over:
            assert game.prompt.seat == "alice"
            assert game.decide(game.prompt.suggest()) is None
        assert game.result.winner == "bob"


def test_what_comes_later_says_so(game: Game) -> None:
    with pytest.raises(NotBuilt, match="not built yet"):
        game.object(int(min(game.state.objects))).explain()


def test_game_lies_in_a_real_store_too(embedded_store: Store) -> None:
    with apnap.new_game(BUILTIN_DECKS, seed=7, store=embedded_store) as game:
        for _ in range(5):
            assert game.decide(game.prompt.suggest()) is None
        assert embedded_store.head(game.id).number == game.commits - 1
        assert game.verify().ok


def test_importing_the_package_loads_no_rules() -> None:
    code = "import apnap, sys; print([m for m in sys.modules if m.startswith('apnap.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = apnap.nothing
