"""Why an ability did not trigger, why a seat was not asked, and what stands behind "not now"."""

from itertools import islice

import msgspec
import pytest

from apnap.events.decisions import PassPriority
from apnap.events.ids import PlayerId, ZoneKind
from apnap.events.memory_store import MemoryStore
from apnap.events.redaction import redact_entry
from apnap.events.zones import ObjectMoved
from apnap.replay.answered import WhyNot
from apnap.replay.asked import asked_at
from apnap.replay.history import History
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import recorded_game
from apnap.replay.questions import NoSuchSeat, whynot
from apnap.replay.untriggered import ManyMeant
from apnap.replay.whynot import NotUnderstood, whynot_action

from .conftest import Scene, SetUp

DECKS = ("red-green-stompers", "white-black-wardens")


def _trigger(scene: Scene, name: str, kind: str, number: int = -1) -> WhyNot:
    """Return why an ability of an object did not trigger on the last event of a type."""
    history = History(scene.recorded)
    found = [entry for entry in history.entries if type(entry.event).__name__ == kind]
    entry = found[number]
    return whynot(scene.recorded, f"trigger {name}", None, entry.commit, entry.place)


LIFE = """
players:
  - name: alice
    mana: any
    hand: [Angel of Mercy, Shock]
    battlefield: ["Ajani's Pridemate", Soul Warden, Hill Giant, Borderland Marauder]
  - {name: bob, mana: any, battlefield: ["Ajani's Pridemate", Guttersnipe]}
script:
  - {cast: Angel of Mercy, by: alice}
  - resolve_all
  - {cast: Shock, by: alice, targets: [bob]}
  - resolve_all
"""


@pytest.mark.rule("603.2")
def test_what_did_trigger_says_where(scene: SetUp) -> None:
    found = _trigger(scene(LIFE), "alice: Ajani's Pridemate", "LifeGained")
    assert not found.refused
    assert "It did trigger, at scene@" in found.detail


@pytest.mark.rule("603.2")
@pytest.mark.parametrize(
    ("name", "kind", "code", "words"),
    [
        ("bob: Ajani's Pridemate", "LifeGained", "other-player", "the player was alice"),
        ("Guttersnipe", "SpellCast", "other-player", "alice cast it"),
        ("Borderland Marauder", "SpellCast", "other-event", "does not trigger on this"),
        ("Hill Giant", "SpellCast", "no-triggered-ability", "has no triggered ability"),
        ("Craw Wurm", "SpellCast", "not-on-battlefield", "no Craw Wurm was on the battlefield"),
    ],
)
def test_what_did_not_trigger_says_what_was_otherwise(
    scene: SetUp, name: str, kind: str, code: str, words: str
) -> None:
    found = _trigger(scene(LIFE), name, kind)
    assert found.code == code
    assert words in found.detail
    assert found.change


@pytest.mark.rule("603.2")
def test_a_spell_that_is_not_what_the_ability_speaks_of_is_told_by_its_property(
    scene: SetUp,
) -> None:
    cast = """
players: [{name: alice, mana: any, hand: [Hill Giant], battlefield: [Guttersnipe]}, {name: bob}]
script: [{cast: Hill Giant, by: alice}]
"""
    found = _trigger(scene(cast), "Guttersnipe", "SpellCast")
    assert found.code == "other-object"
    assert "Hill Giant is not an instant or sorcery" in found.detail


@pytest.mark.rule("603.2")
def test_its_own_entering_is_not_that_of_another(scene: SetUp) -> None:
    cast = """
players: [{name: alice, mana: any, hand: [Soul Warden]}, {name: bob}]
script: [{cast: Soul Warden, by: alice}, resolve]
"""
    found = _trigger(scene(cast), "Soul Warden", "ObjectMoved")
    assert "it speaks of other objects, and Soul Warden is its own source" in found.detail


@pytest.mark.rule("603.4")
def test_an_intervening_if_that_was_false_is_told(scene: SetUp) -> None:
    upkeep = """
players: [{name: alice, battlefield: [Wary Healer]}, {name: bob}]
script: [{turn: 3, step: upkeep}]
"""
    found = _trigger(scene(upkeep), "Wary Healer", "StepBegan")
    assert (found.code, found.rule) == ("condition-false", "603.4")
    assert "you control an artifact" in found.detail


@pytest.mark.rule("603.2")
def test_the_upkeep_of_another_player_is_told(scene: SetUp) -> None:
    upkeep = """
players: [{name: alice, battlefield: [Wary Healer]}, {name: bob}]
script: [{turn: 2, step: upkeep}]
"""
    found = _trigger(scene(upkeep), "Wary Healer", "StepBegan")
    assert found.code == "other-player"
    assert "the turn is bob's" in found.detail


@pytest.mark.rule("613.1f")
def test_abilities_that_were_lost_are_told(scene: SetUp) -> None:
    lost = """
players:
  - {name: alice, mana: any, hand: [Angel of Mercy], battlefield: [Soul Warden, Humility]}
  - {name: bob}
script: [{cast: Angel of Mercy, by: alice}, resolve]
"""
    found = _trigger(scene(lost), "Soul Warden", "ObjectMoved")
    assert (found.code, found.rule) == ("no-triggered-ability", "613.1f")


@pytest.mark.rule("603.3d")
def test_a_trigger_without_a_legal_target_is_told(scene: SetUp) -> None:
    removed = """
players: [{name: alice, mana: any, hand: [Grudging Archer]}, {name: bob}]
script: [{cast: Grudging Archer, by: alice}, resolve]
"""
    found = _trigger(scene(removed), "Grudging Archer", "ObjectMoved")
    assert (found.code, found.rule) == ("no-legal-target", "603.3d")


@pytest.mark.rule("700.4")
def test_a_creature_that_was_exiled_did_not_die(scene: SetUp) -> None:
    exiled = """
players:
  - {name: alice, mana: any, hand: [Swords to Plowshares]}
  - {name: bob, battlefield: [Doomed Traveler]}
script: [{cast: Swords to Plowshares, by: alice, targets: [Doomed Traveler]}, resolve]
"""
    history = History(scene(exiled).recorded)
    moved = next(one for one in history.entries if _goes_to_exile(one.event))
    found = whynot(history.recorded, "trigger Doomed Traveler", None, moved.commit, moved.place)
    assert found.code == "other-kind"
    assert "not to a graveyard" in found.detail


def _goes_to_exile(event: object) -> bool:
    return isinstance(event, ObjectMoved) and event.destination == ZoneKind.EXILE


def test_a_name_of_several_objects_is_not_guessed_at(scene: SetUp) -> None:
    with pytest.raises(ManyMeant, match="Ajani's Pridemate"):
        _trigger(scene(LIFE), "Ajani's Pridemate", "SpellCast")


@pytest.mark.rule("117.1")
def test_who_has_no_priority_is_told_what_else_would_refuse_it(scene: SetUp) -> None:
    waiting = scene("players: [{name: alice}, {name: bob, mana: any, hand: [Hill Giant]}]")
    found = whynot(waiting.recorded, "cast Hill Giant", "bob")
    assert found.code == "no-priority"
    assert "alice is asked what to do with priority" in found.detail
    assert "it is not your turn (CR 302.1)" in found.detail
    assert "main phase of your own turn" in (found.change or "")


@pytest.mark.rule("509.1a")
def test_why_could_i_not_block_is_answered_after_the_step_was_passed_over(scene: SetUp) -> None:
    attacked = scene("""
players:
  - {name: alice, battlefield: [Wind Drake]}
  - {name: bob, battlefield: [Grizzly Bears, {card: Storm Crow, tapped: true}]}
script: [{attack: {Wind Drake: bob}, by: alice}, {pass: alice}, {pass: bob}]
""")
    found = whynot(attacked.recorded, "block Wind Drake with Grizzly Bears", "bob")
    assert (found.code, found.rule) == ("cannot-block", "702.9b")
    asked = whynot(attacked.recorded, "ask", "bob")
    assert asked.code == "nothing-can-block"
    assert "Storm Crow is tapped" in asked.detail
    assert "the attacker has flying" in asked.detail


@pytest.mark.rule("508.1a")
def test_why_was_i_not_asked_to_attack(scene: SetUp) -> None:
    idle = scene("""
players: [{name: alice, battlefield: [{card: Hill Giant, sick: true}, Wall of Omens]}, {name: bob}]
script: [{pass: alice}, {pass: bob}, {pass: alice}, {pass: bob}, {pass: alice}]
""")
    found = whynot(idle.recorded, "ask", "alice")
    assert found.code == "nothing-can-attack"
    assert "Wall of Omens has defender" in found.detail


@pytest.mark.rule("117.3")
def test_why_was_i_not_asked_names_who_is(scene: SetUp) -> None:
    board = scene("players: [{name: alice}, {name: bob}]")
    found = whynot(board.recorded, "ask", "bob")
    assert found.code == "other-asked"
    assert "alice is asked" in found.detail
    assert not whynot(board.recorded, "ask", "alice").refused


@pytest.mark.rule("400.2")
def test_a_card_in_another_hand_is_answered_as_if_it_were_not_there(scene: SetUp) -> None:
    known = "players: [{name: alice, mana: any}, {name: bob, hand: [%s]}]"
    there = scene(known % "Counterspell")
    absent = scene(known % "Shock")
    question = "cast Counterspell targeting bob"
    assert whynot(there.recorded, question, "alice") == whynot(absent.recorded, question, "alice")


def test_a_moment_in_the_middle_of_a_resolution_is_gone_back_to(scene: SetUp) -> None:
    asked = scene("""
players:
  - {name: alice, mana: any, hand: [Mind Rot]}
  - {name: bob, hand: [Forest, Shock, Hill Giant]}
script: [{cast: Mind Rot, by: alice, targets: [bob]}, resolve]
""")
    found = asked_at(asked.recorded)
    assert found.prompt is not None
    assert (found.prompt.kind, found.prompt.seat) == ("discard", PlayerId(1))
    assert found.position.state.to_bytes() == asked.table.game.state.to_bytes()


def test_words_that_mean_nothing_or_nobody_are_an_error(scene: SetUp) -> None:
    board = scene("players: [{name: alice}, {name: bob}]")
    with pytest.raises(NotUnderstood):
        whynot(board.recorded, "", "alice")
    with pytest.raises(NoSuchSeat, match="carol"):
        whynot(board.recorded, "pass", "carol")


@pytest.mark.rule("601.2c")
def test_an_illegal_target_is_told_by_its_property(scene: SetUp) -> None:
    board = scene("""
players:
  - {name: alice, mana: any, hand: [Doom Blade]}
  - {name: bob, battlefield: [Scathe Zombies, Grizzly Bears]}
""")
    found = whynot(board.recorded, "cast Doom Blade targeting Scathe Zombies", "alice")
    assert found.detail.endswith("Scathe Zombies is not a nonblack permanent")


def test_what_is_offered_is_never_refused(scene: SetUp) -> None:
    board = scene("""
players:
  - {name: alice, hand: [Forest, Shock, Briarpack Alpha], battlefield: [Mountain, Jade Mage]}
  - {name: bob, battlefield: [Grizzly Bears]}
""")
    prompt = board.table.prompt
    assert prompt is not None
    for option in prompt.options(board.table.game):
        assert not whynot_action(board.table.game, prompt, option, prompt.seat).refused


def test_every_option_of_a_game_is_accepted_at_its_commit() -> None:
    store = MemoryStore()
    hosted = host_new_game(store, GameSetup(decks=DECKS, seed=5))
    hosted.play()
    hosted.close()
    recorded = recorded_game(store, hosted.game)
    for commit in range(0, len(recorded.entries) - 1, 25):
        asked = asked_at(recorded, commit)
        assert asked.prompt is not None
        for option in islice(asked.prompt.options(asked.position), 20):
            found = whynot(recorded, option, None, commit)
            assert not found.refused, found


def test_a_seats_own_record_answers_for_that_seat_alone(scene: SetUp) -> None:
    board = scene("""
players: [{name: alice, hand: [Forest]}, {name: bob, hand: [Shock]}]
script: [{pass: alice}]
""").recorded
    seat = PlayerId(0)
    entries = tuple(redact_entry(entry, seat) for entry in board.entries)
    mine = msgspec.structs.replace(board, entries=entries, secrets=b"", seat=seat)
    found = whynot(mine, "play Forest", "alice")
    assert found == whynot(board, "play Forest", "alice")
    assert found.code == "no-priority"
    with pytest.raises(NoSuchSeat, match="what bob knew is not in it"):
        whynot(mine, "pass", "bob")


@pytest.mark.rule("117.3d")
def test_a_standing_pass_is_told_to_the_seat_it_is_of(scene: SetUp) -> None:
    board = scene("players: [{name: alice, mana: any, hand: [Shock]}, {name: bob}]")
    prompt = board.table.prompt
    assert prompt is not None
    passing = PassPriority(prompt.seat, prompt.player, prompt.counter, 1)
    assert board.table.table.decide(passing) is None
    for seat in (1, 0):
        asked = board.table.prompt
        assert asked is not None
        assert asked.seat == seat
        if seat:
            decision = PassPriority(asked.seat, asked.player, asked.counter)
            assert board.table.table.decide(decision) is None
    found = whynot(board.recorded, "ask", "alice")
    assert (found.code, found.rule) == ("standing-pass", "117.3d")
    told = whynot(board.recorded, "cast Shock targeting bob", "alice")
    assert "a standing pass of alice answers first" in told.detail
    assert whynot(board.recorded, "ask", "bob").code == "other-asked"
