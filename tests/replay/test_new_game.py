"""Games begin as they were asked for, or are refused with a sentence; a seed fixes all of one."""

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cards.deck_rules import DeckRefused
from apnap.cards.pool import CardPool
from apnap.events.edition import EditionNotBuilt, VariantNotBuilt
from apnap.events.errors import LeaseHeld
from apnap.events.game import GameBegan
from apnap.events.luck import commitments_hold
from apnap.events.memory_store import MemoryStore
from apnap.events.seals import GameSecrets
from apnap.events.store import Store
from apnap.replay.host import GameResult, host_new_game
from apnap.replay.new_game import ENGINE_VERSION, GameSetup, SetupRefused, prepare
from apnap.replay.opened import first_event, recorded_game
from apnap.replay.resume import resume_game

Play = Callable[..., GameResult]
POOL = CardPool.load()


def test_version_in_commit_0_is_the_packages() -> None:
    assert version("apnap") == ENGINE_VERSION


def test_seeded_games_in_two_stores_have_the_same_head(play: Play, embedded_store: Store) -> None:
    memory = MemoryStore()
    play(memory, seed=1)
    assert play(memory, seed=5).head == play(embedded_store, seed=5).head


def test_games_without_a_seed_differ(play: Play) -> None:
    store = MemoryStore()
    assert play(store, seed=None).head != play(store, seed=None).head


@pytest.mark.rule("103.1")
@pytest.mark.rule("103.4")
def test_commit_0_holds_what_the_game_depends_on(
    played: tuple[MemoryStore, GameResult],
) -> None:
    store, result = played
    recorded = recorded_game(store, result.game)
    began = first_event(next(recorded.commits()), result.game)
    assert isinstance(began, GameBegan)
    assert (began.edition, began.variant, began.format) == ("2025-02", "duel", "casual")
    assert [(seat.name, seat.life, seat.deck_size) for seat in began.players] == [
        ("alice", 20, 60),
        ("bob", 20, 60),
    ]
    assert began.engine == ENGINE_VERSION
    assert began.seed_given
    assert commitments_hold(began, GameSecrets.from_bytes(store.secret(result.game)))


def test_meta_tells_how_a_game_went(played: tuple[MemoryStore, GameResult]) -> None:
    store, result = played
    [record] = [one for one in store.games() if one.game == result.game]
    assert record.meta["status"] == "finished"
    assert record.meta["players"] == "alice,bob"
    assert record.commits == result.commits


def test_running_game_is_held_by_its_host() -> None:
    store = MemoryStore()
    with host_new_game(store, GameSetup(decks=BUILTIN_DECKS, seed=1)) as hosted:
        assert store.meta(hosted.game)["status"] == "running"
        with pytest.raises(LeaseHeld, match="is being run by"):
            resume_game(store, hosted.game)


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (GameSetup(decks=()), "needs decks"),
        (GameSetup(decks=BUILTIN_DECKS[:1]), "for 2 decks or more, not for 1"),
        (GameSetup(decks=BUILTIN_DECKS * 2, variant="duel"), "duel is for 2 decks, not for 4"),
        (GameSetup(decks=BUILTIN_DECKS, format="vintage"), "'vintage' is not a format"),
        (GameSetup(decks=BUILTIN_DECKS, names=("a", "A")), "Two seats have one name"),
        (GameSetup(decks=BUILTIN_DECKS, names=("a", "b", "c")), "3 names for 2 seats"),
        (GameSetup(decks=BUILTIN_DECKS, names=("judge",)), "'judge' cannot name a seat"),
        (GameSetup(decks=BUILTIN_DECKS, names=("a b",)), "'a b' cannot name a seat"),
        (GameSetup(decks=BUILTIN_DECKS, agents=("clever",)), "'clever' is not an agent"),
        (GameSetup(decks=BUILTIN_DECKS, agents=("random",) * 3), "3 agents for 2 seats"),
    ],
)
def test_setup_that_cannot_be_played_is_refused(setup: GameSetup, words: str) -> None:
    with pytest.raises(SetupRefused, match=words):
        prepare(setup, POOL)


def test_edition_and_variant_that_are_not_built_say_so() -> None:
    with pytest.raises(EditionNotBuilt, match="'2008-10' is not built yet"):
        prepare(GameSetup(decks=BUILTIN_DECKS, edition="2008-10"), POOL)
    with pytest.raises(VariantNotBuilt, match="'emperor' is not built yet"):
        prepare(GameSetup(decks=BUILTIN_DECKS, variant="emperor"), POOL)


@pytest.mark.rule("100.2b")
def test_deck_of_39_cards_is_refused_before_anything_is_kept(tmp_path: Path) -> None:
    small = tmp_path / "small.dck"
    small.write_text("39 Forest\n", encoding="utf-8")
    store = MemoryStore()
    with pytest.raises(DeckRefused, match="39 cards"):
        host_new_game(store, GameSetup(decks=(str(small), BUILTIN_DECKS[0])))
    assert store.games() == []


def test_names_are_filled_up_beside_those_given() -> None:
    setup = GameSetup(decks=(BUILTIN_DECKS * 2)[:3], names=("bob",))
    assert prepare(setup, POOL).names == ("bob", "alice", "carol")
