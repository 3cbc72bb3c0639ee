"""The causes of an event lead back to a decision (CR 603, 608, 704)."""

from collections.abc import Iterator

import pytest

import apnap
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.redaction import redact_entry
from apnap.replay.history import Entry, History
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import RecordedGame, recorded_game
from apnap.replay.why import Why, why_event

from .conftest import Scene, SetUp

DECKS = ("red-green-stompers", "white-black-wardens")

BOLTED = """
players:
  - {name: alice, mana: any, hand: [Lightning Bolt]}
  - {name: bob, battlefield: [Grizzly Bears]}
script: [{cast: Lightning Bolt, by: alice, targets: ["bob: Grizzly Bears"]}, resolve]
"""


def _why(scene: Scene, kind: str, number: int = -1) -> Why:
    """Return the causes of the last event of a type."""
    history = History(scene.recorded)
    found = [entry for entry in history.entries if type(entry.event).__name__ == kind]
    return _of(scene.recorded, found[number])


def _of(recorded: RecordedGame, entry: Entry) -> Why:
    return why_event(recorded, entry.commit, entry.place)


def _destroyed(scene: Scene, rule: str) -> Why:
    history = History(scene.recorded)
    return _of(scene.recorded, next(one for one in history.entries if one.event.rule == rule))


@pytest.mark.rule("704.5g")
def test_a_creature_is_destroyed_because_of_the_damage_and_that_because_of_a_spell(
    scene: SetUp,
) -> None:
    found = _destroyed(scene(BOLTED), "704.5g")
    assert found.text == "bob's Grizzly Bears is destroyed"
    assert [one.text for one in found.causes] == [
        "Lightning Bolt deals 3 damage to bob's Grizzly Bears",
        "alice casts Lightning Bolt targeting bob's Grizzly Bears",
        "alice: cast Lightning Bolt targeting Grizzly Bears",
    ]
    assert [one.rule for one in found.causes] == ["120.2b", "601.2i", "601.2"]


@pytest.mark.rule("120.6")
def test_damage_marked_earlier_in_the_turn_is_a_cause_too(scene: SetUp) -> None:
    twice = """
players:
  - {name: alice, mana: any, hand: [Shock, Volcanic Hammer]}
  - {name: bob, battlefield: [Leatherback Baloth]}
script: [{cast: Shock, by: alice, targets: [Leatherback Baloth]}, resolve,
         {cast: Volcanic Hammer, by: alice, targets: [Leatherback Baloth]}, resolve]
"""
    texts = [one.text for one in _destroyed(scene(twice), "704.5g").causes]
    assert "Volcanic Hammer deals 3 damage to bob's Leatherback Baloth" in texts
    assert "Shock deals 2 damage to bob's Leatherback Baloth" in texts
    assert texts[-1].startswith("alice: cast Shock")


@pytest.mark.rule("704.5f")
def test_a_creature_dies_because_what_raised_its_toughness_is_gone(scene: SetUp) -> None:
    shrunk = """
players: [{name: alice, mana: any, hand: [Last Gasp]}, {name: bob, battlefield: [Hill Giant]}]
script: [{cast: Last Gasp, by: alice, targets: [Hill Giant]}, resolve]
"""
    texts = [one.text for one in _destroyed(scene(shrunk), "704.5f").causes]
    assert texts[0].startswith("an effect of Last Gasp begins on bob's Hill Giant")


@pytest.mark.rule("704.5m")
def test_an_aura_goes_because_what_it_enchanted_left(scene: SetUp) -> None:
    enchanted = """
players:
  - {name: alice, mana: any, hand: [Murder]}
  - name: bob
    battlefield: [{card: Hill Giant, as: giant}, {card: Holy Strength, attached_to: giant}]
script: [{cast: Murder, by: alice, targets: [Hill Giant]}, resolve]
"""
    texts = [one.text for one in _destroyed(scene(enchanted), "704.5m").causes]
    assert texts[0] == "bob's Hill Giant is destroyed"
    assert texts[-1].startswith("alice: cast Murder")


@pytest.mark.rule("704.5d")
def test_a_token_ceases_because_it_moved(scene: SetUp) -> None:
    unsummoned = """
players:
  - {name: alice, mana: any, hand: [Unsummon]}
  - {name: bob, battlefield: [{token: "1/1 green Saproling creature", as: sap}]}
script: [{cast: Unsummon, by: alice, targets: [sap]}, resolve]
"""
    texts = [one.text for one in _destroyed(scene(unsummoned), "704.5d").causes]
    assert "Saproling Token goes from the battlefield to bob's hand" in texts[0]


@pytest.mark.rule("704.5a")
def test_a_player_loses_because_of_the_life_lost_and_the_game_ends_because_of_that(
    scene: SetUp,
) -> None:
    burnt = """
players: [{name: alice, mana: any, hand: [Lightning Bolt]}, {name: bob, life: 3}]
script: [{cast: Lightning Bolt, by: alice, targets: [bob]}, resolve]
"""
    found = _why(scene(burnt), "GameEnded")
    assert [one.rule for one in found.causes] == ["704.5a", "120.3a", "120.2b", "601.2i", "601.2"]


@pytest.mark.rule("603.2")
def test_what_a_trigger_does_leads_back_to_the_event_it_triggered_on(scene: SetUp) -> None:
    triggered = """
players:
  - {name: alice, mana: any, hand: [Angel of Mercy], battlefield: ["Ajani's Pridemate"]}
  - {name: bob}
script: [{cast: Angel of Mercy, by: alice}, resolve_all]
"""
    found = _why(scene(triggered), "CountersPut")
    words = "Whenever you gain life, put a +1/+1 counter on Ajani's Pridemate."
    assert found.causes[0].text.endswith(f"triggers: “{words}”")
    texts = [one.text.partition(": “")[0] for one in found.causes]
    assert texts == [
        "an ability of alice's Ajani's Pridemate triggers",
        "alice gains 3 life",
        "an ability of alice's Angel of Mercy triggers",
        "Angel of Mercy goes from the stack to the battlefield",
        "alice casts Angel of Mercy",
        "alice: cast Angel of Mercy",
    ]


@pytest.mark.rule("500.2")
def test_a_step_begins_because_all_players_passed_in_succession(scene: SetUp) -> None:
    passed = """
players: [{name: alice}, {name: bob}]
script: [{pass: alice}, {pass: bob}]
"""
    texts = [one.text for one in _why(scene(passed), "StepBegan").causes]
    assert texts == ["bob passes", "bob: pass", "alice passes", "alice: pass"]


@pytest.mark.rule("510.1")
def test_combat_damage_leads_back_to_the_attack_and_the_block(scene: SetUp) -> None:
    fought = """
players: [{name: alice, battlefield: [Hill Giant]}, {name: bob, battlefield: [Grizzly Bears]}]
script:
  - {attack: {Hill Giant: bob}, by: alice}
  - {block: {Grizzly Bears: Hill Giant}, by: bob}
  - {step: main2}
"""
    texts = [one.text for one in _destroyed(scene(fought), "704.5g").causes]
    assert texts == [
        "alice's Hill Giant deals 3 combat damage to bob's Grizzly Bears",
        "bob's Grizzly Bears blocks alice's Hill Giant",
        "bob: block Hill Giant with Grizzly Bears",
        "alice's Hill Giant attacks bob",
        "alice: attack bob with Hill Giant",
    ]


@pytest.mark.rule("614.1c")
def test_a_land_that_enters_tapped_says_which_ability_did_that(scene: SetUp) -> None:
    tapped = """
players: [{name: alice, hand: [Rugged Highlands]}, {name: bob}]
script: [{play: Rugged Highlands, by: alice}]
"""
    found = _why(scene(tapped), "ObjectMoved")
    assert found.causes[0].rule == "614.1c"
    assert found.causes[0].text == "“Rugged Highlands enters tapped.” applies as it enters"
    assert found.causes[-1].text == "alice: play Rugged Highlands"


@pytest.mark.rule("614.12")
def test_another_permanent_that_lets_it_enter_tapped_is_named(scene: SetUp) -> None:
    tapped = """
players:
  - {name: alice, mana: any, hand: [Hill Giant]}
  - {name: bob, battlefield: [Imposing Sovereign]}
script: [{cast: Hill Giant, by: alice}, resolve]
"""
    found = _why(scene(tapped), "ObjectMoved")
    assert found.causes[0].text.startswith("“Creatures your opponents control enter tapped.”")


@pytest.mark.rule("608.2b")
def test_what_does_not_resolve_says_how_its_target_went(scene: SetUp) -> None:
    gone = """
players:
  - {name: alice, mana: any, hand: [Shock]}
  - {name: bob, mana: any, hand: [Unsummon], battlefield: [Hill Giant]}
script: [{cast: Shock, by: alice, targets: [Hill Giant]}, {pass: alice},
         {cast: Unsummon, by: bob, targets: [Hill Giant]}, resolve_all]
"""
    texts = [one.text for one in _why(scene(gone), "ObjectCountered").causes]
    assert "bob's Hill Giant goes from the battlefield to bob's hand" in texts
    assert any(text.startswith("bob: cast Unsummon") for text in texts)


@pytest.mark.rule("608.2d")
def test_who_chose_while_it_resolved_has_a_part_in_it(scene: SetUp) -> None:
    discarded = """
players:
  - {name: alice, mana: any, hand: [Mind Rot]}
  - {name: bob, hand: [Forest, Shock, Hill Giant]}
script:
  - {cast: Mind Rot, by: alice, targets: [bob]}
  - resolve
  - {choose: [Forest, Shock], by: bob}
"""
    history = History(scene(discarded).recorded)
    moved = next(one for one in history.entries if _is_discard(one.event))
    texts = [one.text for one in _of(history.recorded, moved).causes]
    assert texts == [
        "bob: choose Forest + Shock",
        "alice casts Mind Rot targeting bob",
        "alice: cast Mind Rot targeting bob",
    ]


def _is_discard(event: object) -> bool:
    return getattr(event, "manner", "") == "discarded"


@pytest.fixture(scope="module")
def recorded() -> Iterator[RecordedGame]:
    """Return a whole game of the built-in decks."""
    store = MemoryStore()
    hosted = host_new_game(store, GameSetup(decks=DECKS, seed=3))
    hosted.play()
    hosted.close()
    yield recorded_game(store, hosted.game)
    store.close()


def test_every_event_of_a_game_leads_back_to_a_decision(recorded: RecordedGame) -> None:
    for entry in History(recorded).entries:
        found = _of(recorded, entry)
        assert found.causes, found
        assert "." not in found.causes[-1].address.partition("@")[2], found
        assert all(one.text and one.rule for one in found.causes), found


def test_a_seat_is_told_no_decision_of_another_and_no_card_it_does_not_know(
    recorded: RecordedGame,
) -> None:
    seat = PlayerId(0)
    mine = RecordedGame(
        recorded.game,
        tuple(redact_entry(entry, seat) for entry in recorded.entries),
        recorded.definitions,
        b"",
        seat,
        recorded.meta,
    )
    for entry in History(mine).entries:
        for cause in _of(mine, entry).causes:
            assert not cause.text.startswith("bob:"), cause
            assert "bob draws" not in cause.text or cause.text == "bob draws a card", cause


def test_the_api_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    with apnap.new_game(DECKS, seed=3, store="memory:") as game:
        game.decide(game.prompt.suggest())
        found = game.why("1.0")
        print(found)
        refused = game.whynot("pass", by="bob", at=0)
        assert refused.code == "wrong-answer"
    assert "because" in capsys.readouterr().out
    assert found.causes[-1].address.endswith("@1")
