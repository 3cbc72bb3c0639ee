"""Turns, steps and priority, folded (CR 500, 117)."""

from __future__ import annotations

from typing import assert_never

from ..events.decisions import StandingMode
from ..events.ids import COMBAT_STEPS, NOBODY, ObjectId, PlayerId, Step
from ..events.turn import (
    PriorityPassed,
    StandingPass,
    StandingPassRevoked,
    StepBegan,
    TurnActionsDone,
    TurnBegan,
    TurnEffectsEnded,
    TurnEvent,
)
from .combat import clear_combat
from .life import forget_deathtouch
from .state import State, next_in_turn_order
from .trail import Trail

ENDS_AT_CLEANUP = ("end-of-turn", "this-turn")
"""Durations of effects that end as damage wears off (CR 514.2)."""

WITHOUT_PRIORITY = (Step.UNTAP, Step.CLEANUP)
"""The steps in which nobody has priority, unless something happens in them (CR 117.3a)."""

WITHIN_COMBAT = COMBAT_STEPS[1:]
"""The steps that go on with a combat; all others begin without one (CR 511.3)."""


def fold_turn(trail: Trail, event: TurnEvent) -> None:
    """Apply the progress of turns, steps and priority."""
    match event:
        case PriorityPassed():
            _priority_passed(trail, event)
        case StepBegan():
            _step_began(trail, event)
        case TurnActionsDone():
            trail.set(trail.state.turn, "actions_done", True)
            give_priority(trail, trail.state.turn.active)
        case TurnBegan():
            _turn_began(trail, event)
        case TurnEffectsEnded():
            _turn_effects_ended(trail)
        case StandingPassRevoked():
            trail.set(trail.state.players[event.player], "standing", 0)
        case _:
            assert_never(event)


def give_priority(trail: Trail, player: PlayerId) -> None:
    """Give a player priority, or the next one in turn order who is still there (CR 117.3, 800.4j).

    Nobody has passed in succession then.
    """
    turn = trail.state.turn
    holder = next_in_turn_order(trail.state, player)
    if turn.holder != holder:
        trail.set(turn, "holder", holder)
    if turn.passes:
        trail.set(turn, "passes", 0)


def restart_passes(trail: Trail) -> None:
    """Let all players have to pass in succession from here on (CR 117.4)."""
    if trail.state.turn.passes:
        trail.set(trail.state.turn, "passes", 0)


def somebody_acted(trail: Trail) -> None:
    """Count from here on what resolves while nobody does anything (CR 104.4b)."""
    if trail.state.turn.resolved:
        trail.set(trail.state.turn, "resolved", 0)


def stack_grew(trail: Trail) -> None:
    """End the standing passes that last until something is put on the stack."""
    for player in trail.state.players:
        if player.standing == StandingMode.UNTIL_STACK_GROWS:
            trail.set(player, "standing", 0)


def _priority_passed(trail: Trail, event: PriorityPassed) -> None:
    state, turn = trail.state, trail.state.turn
    forget_deathtouch(trail)
    trail.set(turn, "passes", turn.passes + 1)
    trail.set(turn, "holder", next_in_turn_order(state, event.player + 1))
    mode = event.secret.mode if isinstance(event.secret, StandingPass) else 0
    player = state.players[event.player]
    if player.standing != mode:
        trail.set(player, "standing", mode)


def _step_began(trail: Trail, event: StepBegan) -> None:
    """Begin a step; the last one ends, and with it unused mana (CR 500.4) and combat (511.3)."""
    state, turn, step = trail.state, trail.state.turn, event.step
    trail.set(turn, "step", step)
    for player in state.players:
        if player.pool:
            trail.set(player, "pool", "")
    if turn.actions_done:
        trail.set(turn, "actions_done", False)
    if step in WITHOUT_PRIORITY:
        _nobody_has_priority(trail)
    else:
        give_priority(trail, turn.active)
    if step not in WITHIN_COMBAT:
        clear_combat(trail)


def _nobody_has_priority(trail: Trail) -> None:
    if trail.state.turn.holder != NOBODY:
        trail.set(trail.state.turn, "holder", NOBODY)
    restart_passes(trail)


def _turn_began(trail: Trail, event: TurnBegan) -> None:
    state, turn = trail.state, trail.state.turn
    trail.set(turn, "number", event.number)
    trail.set(turn, "active", event.active)
    trail.set(turn, "step", Step.NONE)
    if turn.actions_done:
        trail.set(turn, "actions_done", False)
    _nobody_has_priority(trail)
    somebody_acted(trail)
    if turn.activations:
        trail.refill(turn.activations, [])
    clear_combat(trail)
    for number, player in enumerate(state.players):
        if player.lands_played:
            trail.set(player, "lands_played", 0)
        is_over = player.standing == StandingMode.UNTIL_END_OF_TURN or (
            player.standing == StandingMode.UNTIL_MY_TURN and number == event.active
        )
        if is_over:
            trail.set(player, "standing", 0)
    trail.set(state.players[event.active], "last_turn", event.number)
    _forget_what_was(trail)


def _turn_effects_ended(trail: Trail) -> None:
    state = trail.state
    for name in state.battlefield:
        item = state.objects[name]
        if item.damage:
            trail.set(item, "damage", 0)
    forget_deathtouch(trail)
    lasting = [effect for effect in state.effects if effect.duration not in ENDS_AT_CLEANUP]
    if len(lasting) != len(state.effects):
        trail.refill(state.effects, lasting)


def _forget_what_was(trail: Trail) -> None:
    """Drop last known information that nothing can ask for any more, so that State stays small."""
    state = trail.state
    if not state.last_known and not state.became:
        return
    kept = _spoken_of(state)
    for name in sorted(state.last_known):
        if name not in kept:
            trail.drop(state.last_known, name)
    for name in sorted(state.became):
        if name not in kept:
            trail.drop(state.became, name)


def _spoken_of(state: State) -> dict[ObjectId, None]:
    """Return the objects that something waiting speaks of, and what these have become."""
    waiting: list[ObjectId] = []
    for item in state.items.values():
        waiting += (item.source, item.about, *(target.object for target in item.targets))
    for trigger in state.pending:
        waiting += (trigger.source, trigger.about)
    for delayed in state.delayed:
        waiting += (delayed.source, *delayed.objects)
    for effect in state.effects:
        waiting += (effect.source, *effect.objects)
    spoken_of: dict[ObjectId, None] = {}
    while waiting:
        name = waiting.pop()
        if name not in spoken_of:
            spoken_of[name] = None
            if name in state.became:
                waiting.append(state.became[name])
    return spoken_of
