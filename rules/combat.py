"""The combat phase: its steps and their turn-based actions (CR 506-511).

Attackers and blockers are declared at quiescent prompts: each procedure here asks one player and
is made anew from the state for the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..events.combat import (
    AttackersDeclared,
    BlockersDeclared,
    FirstStrikersDetermined,
    RemovedFromCombat,
)
from ..events.decisions import DeclareAttackers, DeclareBlockers, DivideDamage
from ..events.ids import ObjectId, PlayerId, Step, ZoneKind
from ..events.turn import TurnActionsDone
from ..projections.state import players_in_turn_order
from .actions import Action, DealDamageTo, Tap, occur
from .combat_attack import Attack, AttackPrompt, able_attackers, attackable
from .combat_block import BlockPrompt, attackers_of, can_block_something
from .combat_damage import (
    Assigned,
    Assigner,
    DividePrompt,
    attacking_assigners,
    blocking_assigners,
    bound_shares,
    fast_creatures,
)
from .prompts import prompt_fields
from .protocol import Procedure, ask, ask_for, perform

if TYPE_CHECKING:
    from ..projections.position import Position


def next_combat_step(game: Position) -> Step:
    """Return the step that follows the present one of the combat phase (CR 506.1, 508.8, 510.4)."""
    match game.state.turn.step:
        case Step.BEGIN_COMBAT:
            return Step.DECLARE_ATTACKERS
        case Step.DECLARE_ATTACKERS:
            is_attacked = game.state.combat.had_attackers
            return Step.DECLARE_BLOCKERS if is_attacked else Step.END_COMBAT
        case Step.DECLARE_BLOCKERS:
            is_first = bool(fast_creatures(game))
            return Step.FIRST_STRIKE_DAMAGE if is_first else Step.COMBAT_DAMAGE
        case Step.FIRST_STRIKE_DAMAGE:
            return Step.COMBAT_DAMAGE
        case Step.COMBAT_DAMAGE:
            return Step.END_COMBAT
        case Step.END_COMBAT:
            return Step.MAIN2
        case step:
            msg = f"{step.name} is no step of the combat phase (CR 506.1)"
            raise AssertionError(msg)


def declare_attackers(game: Position) -> Procedure[None]:
    """Let the active player declare attackers, which become tapped (CR 508.1).

    Who can attack whom is public: where nothing can, nobody is asked.
    """
    player = game.state.turn.active
    attack: tuple[Attack, ...] = ()
    if attackable(game, player) and able_attackers(game, player):
        prompt = AttackPrompt(
            **prompt_fields(game, player, "508.1"),
            text="Declare attackers",
            quiescent=True,
        )
        attack = (yield from ask_for(DeclareAttackers, prompt)).attackers
    yield from perform(
        *_taps(game, attack),
        occur(AttackersDeclared("508.1k", 0, player, attack)),
        occur(TurnActionsDone("508.1", 0)),
    )


def _taps(game: Position, attack: tuple[Attack, ...]) -> list[Action]:
    """Attackers without vigilance become tapped (CR 508.1f, 702.20b)."""
    return [
        Tap("508.1f", 0, attacker)
        for attacker, *_ in attack
        if "vigilance" not in game.characteristics(attacker).keywords
    ]


def declare_blockers(game: Position) -> Procedure[None]:
    """Let the next defending player in APNAP order declare blockers (CR 509.1, 802.4).

    The turn-based action is done once all have who could block.
    """
    player = next_to_block(game)
    if player is not None:
        prompt = BlockPrompt(
            **prompt_fields(game, player, "509.1"),
            text="Declare blockers",
            quiescent=True,
        )
        decision = yield from ask_for(DeclareBlockers, prompt)
        yield from perform(occur(BlockersDeclared("509.1g", 0, player, decision.blocks)))
    if next_to_block(game) is None:
        unable = (
            occur(BlockersDeclared("509.1", 0, defender, ())) for defender in _still_to_block(game)
        )
        yield from perform(*unable, occur(TurnActionsDone("509.1", 0)))


def next_to_block(game: Position) -> PlayerId | None:
    """Return the next defending player who can block something, or None (CR 509.1, 802.4)."""
    waiting = _still_to_block(game)
    return next((player for player in waiting if can_block_something(game, player)), None)


def _still_to_block(game: Position) -> list[PlayerId]:
    state = game.state
    return [
        player
        for player in players_in_turn_order(state, state.turn.active)
        if player not in state.combat.has_declared_blocks and attackers_of(game, player)
    ]


def combat_damage(game: Position, *, first: bool) -> Procedure[None]:
    """Let players assign combat damage in APNAP order, then deal it at once (CR 510.1, 510.2)."""
    determined: list[Action] = []
    if first:
        fast = fast_creatures(game)
        determined.append(occur(FirstStrikersDetermined("510.4", 0, fast)))
    assigned: list[Assigned] = []
    state = game.state
    for player in players_in_turn_order(state, state.turn.active):
        assigned += yield from _assign(game, player, first=first)
    damage = [
        DealDamageTo("510.2", 0, plan.source, item, whom, amount, is_combat=True)
        for plan in assigned
        if game.is_in(plan.source, ZoneKind.BATTLEFIELD)
        for item, whom, amount in plan.shares
        if amount > 0
    ]
    yield from perform(*determined, *damage)


def _assign(game: Position, player: PlayerId, *, first: bool) -> Procedure[list[Assigned]]:
    """Let a player assign the damage of their creatures, asked where there is a choice (CR 510.1).

    What has but one recipient is assigned first, so that it counts for those with trample. A
    player may leave between two answers, and leave a division void: who assigns what is read again
    each time.
    """
    assigned = [
        Assigned(item.source, bound_shares(item))
        for item in _assigners(game, player, first=first)
        if item.is_bound
    ]
    while True:
        done = [plan.source for plan in assigned]
        waiting = [
            item for item in _assigners(game, player, first=first) if item.source not in done
        ]
        if not waiting:
            return assigned
        source = waiting[0].source
        rule = "510.1c" if source in game.state.combat.attackers else "510.1d"
        prompt = DividePrompt(
            **prompt_fields(game, player, rule, source),
            text=f"Divide the combat damage of {game.name_of(source)}",
            assigner=waiting[0],
            assigned=tuple(assigned),
            waiting=tuple(waiting[1:]),
        )
        decision = prompt.only_option(game)
        if decision is None:
            decision = yield from ask(prompt)
        if isinstance(decision, DivideDamage):
            assigned.append(Assigned(source, decision.shares))


def _assigners(game: Position, player: PlayerId, *, first: bool) -> list[Assigner]:
    """Return the player's creatures that assign damage in this step, attackers first."""
    both = (*attacking_assigners(game, first=first), *blocking_assigners(game, first=first))
    return [item for item in both if game.controller_of(item.source) == player]


def removals_from_combat(game: Position) -> tuple[Action, ...]:
    """Return the removal of what can't go on attacking or blocking, though it is there (CR 506.4).

    Whose controller changed, and what is no creature any more or became a battle. What left the
    battlefield is out of combat with that.
    """
    combat = game.state.combat
    if not combat.attackers:
        return ()
    gone = [item for item in combat.attackers if _stopped_attacking(game, item)]
    gone += [item for item in combat.blocks if _stopped_blocking(game, item)]
    return tuple(occur(RemovedFromCombat("506.4", 0, item)) for item in gone)


def _stopped_attacking(game: Position, attacker: ObjectId) -> bool:
    traits = game.characteristics(attacker)
    is_other = traits.controller != game.state.turn.active
    return is_other or not traits.is_creature or "battle" in traits.types


def _stopped_blocking(game: Position, blocker: ObjectId) -> bool:
    combat = game.state.combat
    traits = game.characteristics(blocker)
    defended = [combat.attackers[item][0] for item in combat.blocks[blocker]]
    is_other = traits.controller == game.state.turn.active or (
        bool(defended) and traits.controller not in defended
    )
    return is_other or not traits.is_creature or "battle" in traits.types
