"""How many requirements a declaration of blockers can obey (CR 509.1c), exactly.

Who blocks whom is a flow from blockers to attackers: each blocker takes part at most so often, each
attacker at most so many times, and what is obeyed is worth 1. The most valuable flow is found by
paths, each as good as can be. "Can't be blocked except by two or more" is the one restriction that
is no upper bound: where the best flow breaks it, the attacker is once blocked by enough and once
not at all, and the better of both counts.
"""

from __future__ import annotations

import msgspec

from ..events.ids import ObjectId

Block = tuple[ObjectId, ObjectId]
"""A blocker and the attacker it blocks."""

MANY = 1_000_000
"""A number of creatures or requirements that no board reaches."""

TRIALS_MAX = 512
"""How many flows are tried before the best one found counts as the best there is.

Each trial decides one attacker with menace that requirements pull at with too few creatures: 512
decides nine of them in every combination.
"""


class BlockProblem(msgspec.Struct, frozen=True):
    """What the blocks of one defending player are bound by.

    `pairs` are the blocks that no restriction on the pair forbids; `caps` how many attackers each
    blocker can block; `least` and `most` by how many creatures each attacker may be blocked if it
    is. Requirements: `must_block` and `must_be_blocked` count them for each blocker and attacker,
    `must_pair` for a blocker that must block one attacker.
    """

    pairs: tuple[Block, ...]
    caps: dict[ObjectId, int]
    least: dict[ObjectId, int]
    most: dict[ObjectId, int]
    must_block: dict[ObjectId, int]
    must_be_blocked: dict[ObjectId, int]
    must_pair: dict[Block, int]

    @property
    def has_requirements(self) -> bool:
        """Say whether anything must block or be blocked."""
        return bool(self.must_block or self.must_be_blocked or self.must_pair)

    def obeyed(self, blocks: tuple[Block, ...]) -> int:
        """Return how many requirements the blocks obey."""
        blockers = {blocker for blocker, _ in blocks}
        attackers = {attacker for _, attacker in blocks}
        return (
            sum(count for item, count in self.must_block.items() if item in blockers)
            + sum(count for item, count in self.must_be_blocked.items() if item in attackers)
            + sum(count for pair, count in self.must_pair.items() if pair in blocks)
        )


def best_blocks(problem: BlockProblem) -> tuple[Block, ...]:
    """Return blocks that obey as many requirements as possible, and no more blocks than that takes.

    CR 509.1c: no restriction is disobeyed.
    """
    if not problem.has_requirements:
        return ()
    search = _Search(problem)
    search.run({})
    return search.best


class _Search:
    """Branching on the attackers that must be blocked by several or not at all."""

    def __init__(self, problem: BlockProblem) -> None:
        self.problem = problem
        self.best: tuple[Block, ...] = ()
        self.value = 0
        self.trials = 0

    def run(self, decided: dict[ObjectId, bool]) -> None:
        """Try the attackers decided to be blocked by enough (True) or by none (False)."""
        self.trials += 1
        if self.trials > TRIALS_MAX:
            return
        blocks = _best_flow(self.problem, decided)
        if blocks is None or self.problem.obeyed(blocks) <= self.value:
            return
        short = _blocked_by_too_few(self.problem, blocks)
        if short is None:
            self.best, self.value = blocks, self.problem.obeyed(blocks)
            return
        self.run({**decided, short: True})
        self.run({**decided, short: False})


def _blocked_by_too_few(problem: BlockProblem, blocks: tuple[Block, ...]) -> ObjectId | None:
    counts: dict[ObjectId, int] = {}
    for _, attacker in blocks:
        counts[attacker] = counts.get(attacker, 0) + 1
    return next((item for item, n in counts.items() if n < problem.least[item]), None)


class _Edge:
    """An edge of the flow with its way back: how much more it takes, and what one more is worth."""

    __slots__ = ("back", "block", "left", "to", "worth")

    def __init__(self, to: int, left: int, worth: int) -> None:
        self.to = to
        self.left = left
        self.worth = worth
        self.back: _Edge
        self.block: Block | None = None


class _Network:
    """Source 0, sink 1, then blockers, then attackers."""

    def __init__(self, size: int) -> None:
        self.edges: list[list[_Edge]] = [[] for _ in range(size)]

    def add(self, start: int, to: int, capacity: int, worth: int) -> _Edge:
        """Add an edge and its way back."""
        edge, back = _Edge(to, capacity, worth), _Edge(start, 0, -worth)
        edge.back, back.back = back, edge
        self.edges[start].append(edge)
        self.edges[to].append(back)
        return edge

    def augment(self) -> bool:
        """Send one more along the most valuable path; say whether that was worth anything."""
        worth: list[int | None] = [None] * len(self.edges)
        came: list[_Edge | None] = [None] * len(self.edges)
        worth[0] = 0
        waiting = [0]
        while waiting:
            node = waiting.pop(0)
            for edge in self.edges[node]:
                gain = (worth[node] or 0) + edge.worth
                known = worth[edge.to]
                if edge.left and edge.to != 0 and (known is None or gain > known):
                    worth[edge.to], came[edge.to] = gain, edge
                    if edge.to not in waiting:
                        waiting.append(edge.to)
        if (worth[1] or 0) <= 0:
            return False
        step = came[1]
        while step is not None:
            step.left -= 1
            step.back.left += 1
            step = came[step.back.to]
        return True


def _best_flow(problem: BlockProblem, decided: dict[ObjectId, bool]) -> tuple[Block, ...] | None:
    """Return the most valuable blocks where lower bounds count only for decided attackers.

    None if a decided attacker cannot be blocked by enough.
    """
    least, most = problem.least, problem.most
    pairs = [
        pair
        for pair in problem.pairs
        if decided.get(pair[1], True) and least[pair[1]] <= most[pair[1]]
    ]
    blockers = list(dict.fromkeys(blocker for blocker, _ in pairs))
    attackers = list(dict.fromkeys(attacker for _, attacker in pairs))
    nodes = {item: place for place, item in enumerate((*blockers, *attackers), 2)}
    network = _Network(2 + len(nodes))
    for item in blockers:
        required = problem.must_block.get(item, 0)
        network.add(0, nodes[item], 1, required)
        network.add(0, nodes[item], problem.caps[item] - 1, 0)
    _add_attackers(network, problem, decided, {item: nodes[item] for item in attackers})
    crossing: list[_Edge] = []
    for pair in pairs:
        edge = network.add(nodes[pair[0]], nodes[pair[1]], 1, problem.must_pair.get(pair, 0))
        edge.block = pair
        crossing.append(edge)
    while network.augment():
        pass
    blocks = tuple(edge.block for edge in crossing if edge.block is not None and not edge.left)
    enough = all(
        sum(attacker == item for _, attacker in blocks) >= least[item]
        for item, is_blocked in decided.items()
        if is_blocked
    )
    return blocks if enough else None


def _add_attackers(
    network: _Network,
    problem: BlockProblem,
    decided: dict[ObjectId, bool],
    nodes: dict[ObjectId, int],
) -> None:
    """Let attackers take blockers; those decided to be blocked are worth more than all else."""
    for item, node in nodes.items():
        required = problem.must_be_blocked.get(item, 0)
        most = problem.most[item]
        if not decided.get(item, False):
            network.add(node, 1, 1, required)
            network.add(node, 1, most - 1, 0)
            continue
        least = problem.least[item]
        network.add(node, 1, 1, required + MANY)
        network.add(node, 1, least - 1, MANY)
        network.add(node, 1, most - least, 0)
