from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apnap.events.ids import ObjectId
from apnap.rules.combat_requirements import MANY, Block, BlockProblem, best_blocks

BLOCKERS = tuple(ObjectId(number) for number in range(1, 4))
ATTACKERS = tuple(ObjectId(number) for number in range(11, 14))
PAIRS = tuple((blocker, attacker) for blocker in BLOCKERS for attacker in ATTACKERS)


@st.composite
def problems(draw: st.DrawFn) -> BlockProblem:
    pairs = tuple(pair for pair in PAIRS if draw(st.booleans()))

    def some(items: tuple[ObjectId, ...]) -> dict[ObjectId, int]:
        counts = {item: draw(st.integers(0, 2)) for item in items}
        return {item: count for item, count in counts.items() if count}

    return BlockProblem(
        pairs=pairs,
        caps={item: draw(st.sampled_from((1, 1, 2, MANY))) for item in BLOCKERS},
        least={item: draw(st.sampled_from((1, 1, 2, 3))) for item in ATTACKERS},
        most={item: draw(st.sampled_from((1, 2, MANY, MANY))) for item in ATTACKERS},
        must_block=some(BLOCKERS),
        must_be_blocked=some(ATTACKERS),
        must_pair={pair: 1 for pair in pairs if draw(st.integers(0, 3)) == 0},
    )


def _is_possible(problem: BlockProblem, blocks: tuple[Block, ...]) -> bool:
    for blocker in BLOCKERS:
        if sum(item == blocker for item, _ in blocks) > problem.caps[blocker]:
            return False
    for attacker in ATTACKERS:
        count = sum(item == attacker for _, item in blocks)
        if count and not problem.least[attacker] <= count <= problem.most[attacker]:
            return False
    return True


@pytest.mark.rule("509.1c")
@settings(max_examples=150, deadline=None)
@given(problems())
def test_best_blocks_obey_as_many_requirements_as_any_blocks(problem: BlockProblem) -> None:
    best = best_blocks(problem)
    assert _is_possible(problem, best)
    pairs = problem.pairs
    every = chain.from_iterable(combinations(pairs, size) for size in range(len(pairs) + 1))
    most = max(problem.obeyed(blocks) for blocks in every if _is_possible(problem, blocks))
    assert problem.obeyed(best) == most


@pytest.mark.rule("509.1c")
def test_best_blocks_are_none_where_nothing_must() -> None:
    ones = dict.fromkeys(ATTACKERS, 1)
    problem = BlockProblem(PAIRS, dict.fromkeys(BLOCKERS, 1), ones, ones, {}, {}, {})
    assert best_blocks(problem) == ()
