"""How the greedy agent fights: attacks that cost it little, blocks that it can win."""

from __future__ import annotations

from ..events.base import Decision
from ..events.decisions import DeclareAttackers, DeclareBlockers
from ..events.ids import NOTHING, ObjectId, PlayerId
from ..rules.protocol import Prompt
from .agent_values import worth_of_permanent
from .knowledge import SeatKnowledge

RECKLESS_TURN = 60
"""From this turn on it attacks with all it has: games end."""


def attack(prompt: Prompt, game: SeatKnowledge) -> Decision:
    """Return an attack at one opponent: with what survives, trades well, or kills together."""
    able = game.able_attackers()
    victim = _victim(game)
    suggested = game.suggestion(prompt)
    if victim is None or not able:
        return suggested
    blockers = game.able_blockers(victim)
    chosen = tuple(item for item in able if _is_worth_attacking(game, item, blockers))
    if _is_lethal(game, able, blockers, victim) or game.turn.number >= RECKLESS_TURN:
        chosen = able
    assert isinstance(suggested, DeclareAttackers), "an attack is suggested where one is asked for"
    bound = tuple(attacker for attacker, _, _ in suggested.attackers)
    declared = tuple((item, victim, NOTHING) for item in able if item in chosen or item in bound)
    decision = DeclareAttackers(prompt.seat, prompt.player, prompt.counter, declared)
    return decision if game.is_accepted(prompt, decision) else suggested


def block(prompt: Prompt, game: SeatKnowledge) -> Decision:
    """Return blocks: first what wins or costs nothing, then what must be to stay alive."""
    attackers = sorted(game.attackers(), key=lambda item: (-_power(game, item), item))
    free = list(game.able_blockers(game.seat))
    life = game.player(game.seat).life
    damage = sum(_power(game, item) for item in attackers)
    blocks: list[tuple[ObjectId, ObjectId]] = []
    for attacker in attackers:
        is_deadly = damage >= life
        team = _blockers_for(game, attacker, free, is_deadly=is_deadly)
        if team:
            blocks += [(item, attacker) for item in team]
            free = [item for item in free if item not in team]
            damage -= _power(game, attacker)
    while blocks:
        decision = DeclareBlockers(prompt.seat, prompt.player, prompt.counter, tuple(blocks))
        if game.is_accepted(prompt, decision):
            return decision
        last = blocks[-1][1]
        blocks = [pair for pair in blocks if pair[1] != last]
    return game.suggestion(prompt)


def _victim(game: SeatKnowledge) -> PlayerId | None:
    """Return the opponent with the least life, the next one in turn order among equals."""
    opponents = {player for player, permanent in game.attackable() if permanent == NOTHING}
    order = [player for player in game.opponents() if player in opponents]
    return min(order, key=lambda player: game.player(player).life, default=None)


def _is_worth_attacking(
    game: SeatKnowledge, attacker: ObjectId, blockers: tuple[ObjectId, ...]
) -> bool:
    """Whether no blocker wins against the attacker, but for one that is worth more itself."""
    if _power(game, attacker) <= 0:
        return False
    worth = worth_of_permanent(game.traits(attacker))
    for blocker in blockers:
        if not game.can_block(blocker, attacker) or not _kills(game, blocker, attacker):
            continue
        if not _kills(game, attacker, blocker):
            return False
        if worth_of_permanent(game.traits(blocker)) < worth:
            return False
    return True


def _is_lethal(
    game: SeatKnowledge,
    able: tuple[ObjectId, ...],
    blockers: tuple[ObjectId, ...],
    victim: PlayerId,
) -> bool:
    """Whether an attack with everything kills though each blocker stops the best it can."""
    powers = sorted((_power(game, item) for item in able), reverse=True)
    return sum(powers[len(blockers) :]) >= game.player(victim).life


def _blockers_for(
    game: SeatKnowledge, attacker: ObjectId, free: list[ObjectId], *, is_deadly: bool
) -> tuple[ObjectId, ...]:
    """Return who blocks an attacker: one that wins or holds, a trade, several, or a sacrifice."""
    able = [item for item in free if game.can_block(item, attacker)]
    by_worth = sorted(able, key=lambda item: (worth_of_permanent(game.traits(item)), item))
    needed = game.blockers_needed(attacker)
    if needed > 1:
        team = tuple(by_worth[-needed:]) if len(by_worth) >= needed else ()
        total = sum(_power(game, item) for item in team)
        is_won = total >= _toughness_left(game, attacker)
        return team if team and (is_won or is_deadly) else ()
    price = worth_of_permanent(game.traits(attacker))
    for blocker in by_worth:
        survives = not _kills(game, attacker, blocker)
        kills = _kills(game, blocker, attacker)
        if survives and (kills or _power(game, attacker) > 0):
            return (blocker,)
        if kills and worth_of_permanent(game.traits(blocker)) <= price:
            return (blocker,)
    return (by_worth[0],) if is_deadly and by_worth else ()


def _power(game: SeatKnowledge, creature: ObjectId) -> int:
    return max(game.traits(creature).power or 0, 0)


def _toughness_left(game: SeatKnowledge, creature: ObjectId) -> int:
    found = game.seen(creature)
    return (game.traits(creature).toughness or 0) - (found.damage if found is not None else 0)


def _kills(game: SeatKnowledge, one: ObjectId, other: ObjectId) -> bool:
    """Whether a creature would kill another in a fight of the two."""
    mine, theirs = game.traits(one), game.traits(other)
    power = _power(game, one)
    if power <= 0 or "indestructible" in theirs.keywords:
        return False
    if "double strike" in mine.keywords:
        power *= 2
    is_slower = "first strike" in theirs.keywords and not (
        mine.keywords & {"first strike", "double strike"}
    )
    their_power = _power(game, other)
    if is_slower and (their_power >= _toughness_left(game, one) or "deathtouch" in theirs.keywords):
        return False
    return "deathtouch" in mine.keywords or power >= _toughness_left(game, other)
