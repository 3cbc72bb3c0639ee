"""Declaring blockers: who can block whom, together with whom, and who must (CR 509.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from typing import TYPE_CHECKING

from ..cards.model import (
    BlockersAtLeast,
    BlockersAtMost,
    CanBlockAdditional,
    MustBeBlocked,
    MustBlock,
)
from ..events.base import Decision
from ..events.decisions import DeclareBlockers
from ..events.ids import ObjectId, PlayerId
from ..events.refused import Code, Refused
from .combat_evasion import why_cannot_block, why_cannot_block_at_all
from .combat_requirements import MANY, Block, BlockProblem, best_blocks
from .prompts import taken_as
from .protocol import Prompt

if TYPE_CHECKING:
    from ..projections.position import Position

OPTIONS_TRIED_MAX = 256
"""How many combinations of blocks `options` looks at where requirements refuse most of them."""


class BlockPrompt(Prompt, frozen=True, kw_only=True):
    """A defending player declares blockers (CR 509.1)."""

    kind: str = "blockers"

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None for a legal declaration, else the first rule that refuses it."""
        taken = taken_as(self, decision, DeclareBlockers)
        if isinstance(taken, Refused):
            return taken
        return why_blocks_illegal(game, self.player, taken.blocks)

    def suggest(self, game: Position) -> Decision:
        """Return as few blocks as requirements allow (CR 509.1c)."""
        if not _may_have_requirements(game, self.player):
            return self._answer(())
        return self._answer(best_blocks(block_problem(game, self.player)))

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield legal blocks: the fewest, then one attacker blocked, then combinations."""
        for blocks in block_choices(game, self.player):
            yield self._answer(blocks)

    def only_option(self, game: Position) -> Decision | None:
        """Return None: who has a creature that can block is asked, though it may have to."""
        return None

    def _answer(self, blocks: tuple[Block, ...]) -> DeclareBlockers:
        return DeclareBlockers(self.seat, self.player, self.counter, blocks)


def attackers_of(game: Position, player: PlayerId) -> tuple[ObjectId, ...]:
    """Return the creatures attacking a player or their planeswalkers (CR 509.1a, 802.4a)."""
    return tuple(
        attacker
        for attacker, (defender, _) in game.state.combat.attackers.items()
        if defender == player
    )


def able_blockers(game: Position, player: PlayerId) -> tuple[ObjectId, ...]:
    """Return the creatures with which a player can block something, oldest first (CR 509.1a)."""
    return tuple(
        item
        for item in game.permanents_of(player)
        if game.characteristics(item).is_creature
        and why_cannot_block_at_all(game, item, player) is None
    )


def can_block_something(game: Position, player: PlayerId) -> bool:
    """Say whether a creature of the player can block an attacker, each pair by itself (509.1b)."""
    blockers = able_blockers(game, player)
    return any(
        why_cannot_block(game, blocker, attacker) is None
        for attacker in attackers_of(game, player)
        for blocker in blockers
    )


def attackers_at_most(game: Position, blocker: ObjectId) -> int:
    """Return how many attackers a creature can block: one, and what lets it block more (509.1a)."""
    found = 1
    for rule in game.characteristics(blocker).rules:
        if isinstance(rule, CanBlockAdditional):
            found = MANY if rule.extra < 0 else min(found + rule.extra, MANY)
    return found


def blockers_at_least(game: Position, attacker: ObjectId) -> int:
    """Return how many creatures must block an attacker if any does (CR 509.1b, 702.111b)."""
    traits = game.characteristics(attacker)
    counts = [rule.minimum for rule in traits.rules if isinstance(rule, BlockersAtLeast)]
    return max(1, 2 if "menace" in traits.keywords else 1, *counts)


def blockers_at_most(game: Position, attacker: ObjectId) -> int:
    """Return how many creatures can block an attacker together (CR 509.1b)."""
    rules = game.characteristics(attacker).rules
    return min((rule.maximum for rule in rules if isinstance(rule, BlockersAtMost)), default=MANY)


def block_problem(game: Position, player: PlayerId) -> BlockProblem:
    """Return what a player's blocks are bound by, those of other players ignored (CR 802.4b)."""
    attackers = attackers_of(game, player)
    blockers = able_blockers(game, player)
    pairs = tuple(
        (blocker, attacker)
        for blocker in blockers
        for attacker in attackers
        if why_cannot_block(game, blocker, attacker) is None
    )
    must_be_blocked: dict[ObjectId, int] = {}
    must_pair: dict[Block, int] = {}
    for attacker in attackers:
        for rule in game.characteristics(attacker).rules:
            if isinstance(rule, MustBeBlocked) and rule.by_all:
                for pair in pairs:
                    if pair[1] == attacker:
                        must_pair[pair] = must_pair.get(pair, 0) + 1
            elif isinstance(rule, MustBeBlocked):
                must_be_blocked[attacker] = must_be_blocked.get(attacker, 0) + 1
    return BlockProblem(
        pairs=pairs,
        caps={item: attackers_at_most(game, item) for item in blockers},
        least={item: blockers_at_least(game, item) for item in attackers},
        most={item: blockers_at_most(game, item) for item in attackers},
        must_block=_must_block(game, blockers),
        must_be_blocked=must_be_blocked,
        must_pair=must_pair,
    )


def _must_block(game: Position, blockers: tuple[ObjectId, ...]) -> dict[ObjectId, int]:
    found: dict[ObjectId, int] = {}
    for item in blockers:
        count = sum(isinstance(rule, MustBlock) for rule in game.characteristics(item).rules)
        if count:
            found[item] = count
    return found


def why_blocks_illegal(
    game: Position, player: PlayerId, blocks: tuple[Block, ...]
) -> Refused | None:
    """Return the first rule that refuses a declaration of blockers; None if legal (CR 509.1a-c)."""
    for blocker, attacker in blocks:
        refused = _why_pair_illegal(game, player, blocker, attacker)
        if refused is not None:
            return refused
    return (
        _why_counts_illegal(game, blocks)
        or _why_gang_illegal(game, blocks)
        or _why_requirements_broken(game, player, blocks)
    )


def _why_pair_illegal(
    game: Position, player: PlayerId, blocker: ObjectId, attacker: ObjectId
) -> Refused | None:
    refused = why_cannot_block_at_all(game, blocker, player)
    if refused is not None:
        return refused
    attack = game.state.combat.attackers.get(attacker)
    if attack is None or attack[0] != player:
        name = game.name_of(attacker) or "it"
        detail = f"{name} does not attack you or a planeswalker of yours"
        return Refused(Code.CANNOT_BLOCK, "509.1a", detail, "block a creature that does")
    return why_cannot_block(game, blocker, attacker)


def _why_counts_illegal(game: Position, blocks: tuple[Block, ...]) -> Refused | None:
    """Judge how many attackers each creature blocks (CR 509.1a)."""
    for blocker in dict.fromkeys(blocker for blocker, _ in blocks):
        attackers = [attacker for item, attacker in blocks if item == blocker]
        name = game.name_of(blocker)
        if len(set(attackers)) < len(attackers):
            detail = f"{name} can block the same attacker but once"
            return Refused(Code.CANNOT_BLOCK, "509.1a", detail, "name each block once")
        most = attackers_at_most(game, blocker)
        if len(attackers) > most:
            detail = f"{name} can block {_counted(most, 'attacker')}, not {len(attackers)}"
            change = f"block {_counted(most, 'attacker')} with it"
            return Refused(Code.CANNOT_BLOCK, "509.1a", detail, change)
    return None


def _why_gang_illegal(game: Position, blocks: tuple[Block, ...]) -> Refused | None:
    """Judge by how many creatures each attacker is blocked (CR 509.1b)."""
    for attacker in dict.fromkeys(attacker for _, attacker in blocks):
        count = sum(item == attacker for _, item in blocks)
        name = game.name_of(attacker)
        least, most = blockers_at_least(game, attacker), blockers_at_most(game, attacker)
        if count < least:
            has_menace = least == 2 and "menace" in game.characteristics(attacker).keywords
            detail = f"{name} can't be blocked except by {_counted(least, 'creature')} or more"
            rule = "702.111b" if has_menace else "509.1b"
            change = f"block it with {_counted(least, 'creature')} or with none"
            return Refused(Code.TOO_FEW_BLOCKERS, rule, detail, change)
        if count > most:
            detail = f"{name} can't be blocked by more than {_counted(most, 'creature')}"
            change = f"block it with {_counted(most, 'creature')} at most"
            return Refused(Code.TOO_MANY_BLOCKERS, "509.1b", detail, change)
    return None


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _why_requirements_broken(
    game: Position, player: PlayerId, blocks: tuple[Block, ...]
) -> Refused | None:
    """Judge whether as many requirements are obeyed as can be (CR 509.1c)."""
    if not _may_have_requirements(game, player):
        return None
    problem = block_problem(game, player)
    best = best_blocks(problem)
    if problem.obeyed(blocks) >= problem.obeyed(best):
        return None
    return Refused(
        Code.MUST_BLOCK,
        "509.1c",
        f"{_unmet(game, problem, blocks, best)}, if able, and more such requirements can be obeyed",
        f"for one, {_told(game, best)}",
    )


def _may_have_requirements(game: Position, player: PlayerId) -> bool:
    """Say whether anything could require a block: much cheaper than the whole problem."""
    return any(
        isinstance(rule, MustBeBlocked)
        for attacker in attackers_of(game, player)
        for rule in game.characteristics(attacker).rules
    ) or any(
        isinstance(rule, MustBlock)
        for item in game.permanents_of(player)
        for rule in game.characteristics(item).rules
    )


def _unmet(
    game: Position, problem: BlockProblem, blocks: tuple[Block, ...], best: tuple[Block, ...]
) -> str:
    """Name a requirement that the blocks do not obey and the best ones do."""
    for pair in problem.must_pair:
        if pair in best and pair not in blocks:
            return f"{game.name_of(pair[0])} must block {game.name_of(pair[1])}"
    for item in problem.must_be_blocked:
        if _is_among(item, best, 1) and not _is_among(item, blocks, 1):
            return f"{game.name_of(item)} must be blocked"
    for item in problem.must_block:
        if _is_among(item, best, 0) and not _is_among(item, blocks, 0):
            return f"{game.name_of(item)} must block"
    return "creatures must block"


def _is_among(item: ObjectId, blocks: tuple[Block, ...], side: int) -> bool:
    return any(pair[side] == item for pair in blocks)


def _told(game: Position, blocks: tuple[Block, ...]) -> str:
    return ", ".join(f"{game.name_of(one)} blocks {game.name_of(other)}" for one, other in blocks)


def block_choices(game: Position, player: PlayerId) -> Iterator[tuple[Block, ...]]:
    """Yield different legal blocks, lazily, the fewest that requirements allow first (CR 509.1)."""
    problem = block_problem(game, player)
    best = best_blocks(problem)
    most = problem.obeyed(best)
    seen: set[tuple[Block, ...]] = set()
    for blocks in chain((best,), _kept_with(problem, best)):
        if blocks not in seen and _is_allowed(problem, blocks, most):
            seen.add(blocks)
            yield blocks
    every = _combinations(problem, [*problem.most], (), {})
    for tried, blocks in enumerate(every, 1):
        if tried > OPTIONS_TRIED_MAX and problem.has_requirements:
            return
        if blocks not in seen and problem.obeyed(blocks) >= most:
            yield blocks


def _is_allowed(problem: BlockProblem, blocks: tuple[Block, ...], most: int) -> bool:
    """Say whether blocks made of possible pairs break no restriction and obey enough."""
    for attacker in dict.fromkeys(attacker for _, attacker in blocks):
        count = sum(item == attacker for _, item in blocks)
        if not problem.least[attacker] <= count <= problem.most[attacker]:
            return False
    return problem.obeyed(blocks) >= most


def _gangs(problem: BlockProblem, attacker: ObjectId) -> Iterator[tuple[Block, ...]]:
    """Yield the groups that may block an attacker, the smallest first."""
    able = [pair for pair in problem.pairs if pair[1] == attacker]
    for size in range(problem.least[attacker], min(problem.most[attacker], len(able)) + 1):
        yield from combinations(able, size)


def _kept_with(problem: BlockProblem, best: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    """Yield what people do: what must be, and one attacker blocked by whom else is free."""
    for attacker in problem.most:
        base = tuple(pair for pair in best if pair[1] != attacker)
        used = _used(base)
        able = [
            pair
            for pair in problem.pairs
            if pair[1] == attacker and used.get(pair[0], 0) < problem.caps[pair[0]]
        ]
        least = problem.least[attacker]
        for gang in combinations(able, least):
            yield _in_order(problem, (*base, *gang))
        if least < len(able) <= problem.most[attacker]:
            yield _in_order(problem, (*base, *able))


def _used(blocks: tuple[Block, ...]) -> dict[ObjectId, int]:
    used: dict[ObjectId, int] = {}
    for blocker, _ in blocks:
        used[blocker] = used.get(blocker, 0) + 1
    return used


def _in_order(problem: BlockProblem, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return blocks in the order of their blockers, so that the same ones are found to be so."""
    return tuple(pair for pair in problem.pairs if pair in blocks)


def _combinations(
    problem: BlockProblem,
    attackers: list[ObjectId],
    blocks: tuple[Block, ...],
    used: dict[ObjectId, int],
) -> Iterator[tuple[Block, ...]]:
    """Yield all blocks that break no restriction, attacker by attacker, fewest at first."""
    if not attackers:
        yield _in_order(problem, blocks)
        return
    first, *rest = attackers
    yield from _combinations(problem, rest, blocks, used)
    for gang in _gangs(problem, first):
        if all(used.get(blocker, 0) < problem.caps[blocker] for blocker, _ in gang):
            more = dict(used)
            for blocker, _ in gang:
                more[blocker] = more.get(blocker, 0) + 1
            yield from _combinations(problem, rest, (*blocks, *gang), more)
