from itertools import islice
from typing import Any

import pytest

from apnap.cards.model import (
    BlockersAtMost,
    CanBlockAdditional,
    CannotBeBlocked,
    CannotBlock,
    Comparison,
    Filter,
    KeywordAbility,
    MustBeBlocked,
    MustBlock,
    Number,
)
from apnap.events.combat import BlockersDeclared
from apnap.events.decisions import DeclareBlockers
from apnap.events.ids import ObjectId, PlayerId
from apnap.events.refused import Code, Refused
from apnap.events.turn import TurnActionsDone
from apnap.rules.combat import declare_blockers
from apnap.rules.combat_block import BlockPrompt

ALICE, BOB, CAROL = PlayerId(0), PlayerId(1), PlayerId(2)


def _prompt(player: PlayerId = BOB) -> BlockPrompt:
    return BlockPrompt(seat=player, player=player, counter=0, rule="509.1", quiescent=True)


def _declare(*blocks: tuple[int, int], player: PlayerId = BOB) -> DeclareBlockers:
    pairs = tuple((ObjectId(blocker), ObjectId(attacker)) for blocker, attacker in blocks)
    return DeclareBlockers(player, player, 0, pairs)


def _judge(board: Any, *blocks: tuple[int, int]) -> Refused | None:
    return _prompt().is_legal(board.game, _declare(*blocks))


EVASION: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("702.9b", {"is": ("flying",)}, {}, {"is": ("reach",)}),
    ("702.28b", {"is": ("shadow",)}, {}, {"is": ("shadow",)}),
    ("702.28b", {}, {"is": ("shadow",)}, {}),
    ("702.31b", {"is": ("horsemanship",)}, {}, {"is": ("horsemanship",)}),
    ("702.36b", {"is": ("fear",)}, {"colors": ("red",)}, {"colors": ("black",)}),
    ("702.36b", {"is": ("fear",)}, {}, {"types": ("artifact", "creature")}),
    (
        "702.13b",
        {"is": ("intimidate",), "colors": ("red",)},
        {"colors": ("black",)},
        {"colors": ("red", "black")},
    ),
    ("702.118b", {"is": ("skulk",)}, {"power": 3}, {"power": 2}),
    (
        "702.16f",
        {"is": (KeywordAbility("protection", filter=Filter(colors=("red",))),)},
        {"colors": ("red",)},
        {"colors": ("white",)},
    ),
    ("509.1b", {"is": (CannotBeBlocked(),)}, {}, {}),
    (
        "509.1b",
        {"is": (CannotBeBlocked(except_by=Filter(keywords=("defender",))),)},
        {},
        {"is": ("defender",)},
    ),
    (
        "509.1b",
        {"is": (CannotBeBlocked(by=Filter(power=Comparison(Number(2), "<="))),)},
        {},
        {"power": 3},
    ),
    ("509.1b", {}, {"is": (CannotBlock(),)}, {}),
    ("509.1b", {}, {"is": (CannotBlock(Filter(not_keywords=("flying",))),)}, {}),
]


@pytest.mark.rule("509.1b")
@pytest.mark.parametrize(("rule", "attacker", "refused", "legal"), EVASION)
def test_restriction_on_a_pair_names_its_rule(
    board: Any, rule: str, attacker: Any, refused: Any, legal: Any
) -> None:
    def put(name: str, facts: dict[str, Any], player: int) -> ObjectId:
        rest = {key: value for key, value in facts.items() if key not in ("is", "power")}
        power = facts.get("power", 2)
        item: ObjectId = board.put(name, power, 2, *facts.get("is", ()), player=player, **rest)
        return item

    attacking = put("Raider", attacker, 0)
    bad = put("Bear", refused, 1)
    good = put("Guard", legal, 1)
    board.attack(attacking)
    found = _judge(board, (bad, attacking))
    assert found is not None
    assert found.rule == rule
    assert "Bear" in found.detail
    if legal:
        assert _judge(board, (good, attacking)) is None


@pytest.mark.rule("702.14c")
def test_landwalk_counts_while_the_defender_controls_such_a_land(board: Any) -> None:
    walk = KeywordAbility("landwalk", filter=Filter(types=("land",), subtypes=("Swamp",)))
    walker, bear = board.put("Walker", 2, 2, walk), board.put("Bear", player=1)
    board.put("Swamp", None, None, types=("land",), subtypes=("Swamp",))
    board.attack(walker)
    assert _judge(board, (bear, walker)) is None
    board.put("Swamp", None, None, types=("land",), subtypes=("Swamp",), player=1)
    found = _judge(board, (bear, walker))
    assert found is not None
    assert found.rule == "702.14c"


@pytest.mark.rule("509.1a")
def test_who_blocks_is_untapped_and_blocks_one_attacker_of_theirs(trio: Any) -> None:
    one, two = trio.put("Raider"), trio.put("Rider")
    other = trio.put("Rover")
    bear, tapped = trio.put("Bear", player=1), trio.put("Ox", player=1, tapped=True)
    trio.attack(one, two)
    trio.attack(other, defender=2)
    cases = {
        Code.ALREADY_TAPPED: ((tapped, one),),
        Code.NOT_YOURS: ((two, one),),
        Code.CANNOT_BLOCK: ((bear, other),),
    }
    for code, blocks in cases.items():
        refused = _judge(trio, *blocks)
        assert refused is not None
        assert refused.code == code
    twice = _judge(trio, (bear, one), (bear, two))
    assert twice is not None
    assert twice.rule == "509.1a"


@pytest.mark.rule("702.111b")
def test_menace_takes_two_blockers_and_one_that_blocks_several_is_still_one(board: Any) -> None:
    brute, bear = board.put("Brute", 2, 2, "menace"), board.put("Raider")
    guard = board.put("Guard", 2, 2, CanBlockAdditional(1), player=1)
    board.attack(brute, bear)
    for blocks in (((guard, brute),), ((guard, brute), (guard, bear))):
        refused = _judge(board, *blocks)
        assert refused is not None
        assert refused.code == Code.TOO_FEW_BLOCKERS
    assert _judge(board, (guard, bear)) is None
    second = board.put("Ox", player=1)
    assert _judge(board, (guard, brute), (second, brute), (guard, bear)) is None


@pytest.mark.rule("509.1b")
def test_blockers_at_most(board: Any) -> None:
    sly = board.put("Sly", 2, 2, BlockersAtMost(1))
    one, two = board.put("Bear", player=1), board.put("Ox", player=1)
    board.attack(sly)
    refused = _judge(board, (one, sly), (two, sly))
    assert refused is not None
    assert refused.code == Code.TOO_MANY_BLOCKERS


@pytest.mark.rule("509.1c")
def test_creature_that_must_block_brings_another_against_menace(board: Any) -> None:
    brute = board.put("Brute", 2, 2, "menace")
    eager, calm = board.put("Eager", 2, 2, MustBlock(), player=1), board.put("Calm", player=1)
    board.attack(brute)
    for blocks in ((), ((eager, brute),), ((calm, brute),)):
        assert _judge(board, *blocks) is not None
    both = _declare((eager, brute), (calm, brute))
    assert _prompt().suggest(board.game) == both
    assert list(_prompt().options(board.game)) == [both]


@pytest.mark.rule("509.1c")
def test_all_able_must_block_the_lure_and_a_restriction_excuses(board: Any) -> None:
    lure, wurm = board.put("Unicorn", 2, 2, MustBeBlocked(by_all=True)), board.put("Wurm", 6, 4)
    one, two = board.put("Bear", player=1), board.put("Ox", player=1)
    idle = board.put("Cow", player=1, tapped=True)
    board.attack(lure, wurm)
    for blocks in ((), ((one, lure),), ((one, lure), (two, wurm))):
        refused = _judge(board, *blocks)
        assert refused is not None
        assert refused.code == Code.MUST_BLOCK
    assert _judge(board, (one, lure), (two, lure)) is None
    assert board.state.objects[idle].tapped


@pytest.mark.rule("509.1c")
def test_two_lures_share_one_blocker_as_it_chooses(board: Any) -> None:
    one = board.put("Unicorn", 2, 2, MustBeBlocked(by_all=True))
    two = board.put("Siren", 2, 2, MustBeBlocked(by_all=True))
    bear = board.put("Bear", player=1)
    board.attack(one, two)
    assert _judge(board, (bear, one)) is None
    assert _judge(board, (bear, two)) is None
    assert _judge(board) is not None


@pytest.mark.rule("509.1c")
def test_must_be_blocked_asks_for_one_blocker(board: Any) -> None:
    bait, wurm = board.put("Bait", 2, 2, MustBeBlocked()), board.put("Wurm", 6, 4)
    one, two = board.put("Bear", player=1), board.put("Ox", player=1)
    board.attack(bait, wurm)
    assert _judge(board, (one, wurm)) is not None
    assert _judge(board, (one, wurm), (two, bait)) is None
    assert _judge(board, (two, bait)) is None


@pytest.mark.rule("802.4")
def test_defenders_declare_in_turn_order_each_at_a_quiescent_prompt(trio: Any) -> None:
    one, two = trio.put("Raider"), trio.put("Rider")
    bear, ox = trio.put("Bear", player=1), trio.put("Ox", player=2)
    trio.attack(one)
    trio.attack(two, defender=2)
    first = trio.run(declare_blockers(trio.game), lambda _: _declare((bear, one)))
    assert [type(event) for event in first] == [BlockersDeclared]
    assert not trio.state.turn.actions_done
    second = trio.run(declare_blockers(trio.game), lambda _: _declare((ox, two), player=CAROL))
    assert [type(event) for event in second] == [BlockersDeclared, TurnActionsDone]
    assert [prompt.player for prompt in trio.prompts] == [BOB, CAROL]
    assert trio.state.combat.blocks == {bear: (one,), ox: (two,)}


@pytest.mark.rule("509.1")
def test_who_can_block_nothing_is_not_asked(board: Any) -> None:
    bird = board.put("Bird", 1, 1, "flying")
    board.put("Bear", player=1)
    board.attack(bird)
    events = board.run(declare_blockers(board.game))
    assert board.prompts == []
    assert [type(event) for event in events] == [BlockersDeclared, TurnActionsDone]


@pytest.mark.rule("509.1")
def test_options_are_lazy_differ_and_are_legal(board: Any) -> None:
    raiders = [board.put("Raider") for _ in range(6)] + [board.put("Brute", 2, 2, "menace")]
    for _ in range(8):
        board.put("Bear", player=1)
    board.attack(*raiders)
    options = list(islice(_prompt().options(board.game), 300))
    assert options[0] == _declare()
    assert len(set(options)) == 300
    assert all(_prompt().is_legal(board.game, option) is None for option in options)
