"""The structure of a turn: turns and steps begin, turn-based actions are done (CR 500-514)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cards.model import DoesNotUntap, SkipStep
from ..events.decisions import ChooseObjects
from ..events.ids import COMBAT_STEPS, ObjectId, PlayerId, Step, ZoneKind
from ..events.stack import EffectEnded
from ..events.turn import StepBegan, TurnActionsDone, TurnBegan, TurnEffectsEnded
from ..projections.state import players_in_turn_order
from .actions import Action, Draw, Move, Untap, occur
from .combat import combat_damage, next_combat_step
from .durations import ending_with_combat, ending_with_turn_of
from .prompts import SelectObjects, prompt_fields
from .protocol import Procedure, ask_for, perform
from .settling import is_settled, settle

if TYPE_CHECKING:
    from ..projections.position import Position

TURN_ORDER = tuple(step for step in Step if step not in (Step.NONE, Step.FIRST_STRIKE_DAMAGE))


def begin_turn(game: Position, player: PlayerId) -> Procedure[None]:
    """Begin a player's turn with its untap step (CR 500.1).

    What lasts until the turn of a player who has left ends when it would have begun (800.4m).
    """
    number = game.state.turn.number + 1
    passed_over = _passed_over(game, player) if game.state.turn.number else ()
    yield from perform(occur(TurnBegan("500.1", 0, number, player)))
    ended = [end for one in (*passed_over, player) for end in ending_with_turn_of(game, one)]
    yield from perform(*ended)
    yield from begin_step(game, Step.UNTAP)


def _passed_over(game: Position, player: PlayerId) -> tuple[PlayerId, ...]:
    """Return the players who have left between the active player and the one who comes next."""
    active, count = game.state.turn.active, len(game.state.players)
    distance = (player - active) % count or count
    return tuple(PlayerId((active + offset) % count) for offset in range(1, distance))


def end_step(game: Position) -> Procedure[None]:
    """Go on from a step in which all players passed in succession (CR 500.2)."""
    following = following_step(game)
    if following is None:
        yield from begin_turn(game, next_active_player(game))
    else:
        yield from begin_step(game, following)


def following_step(game: Position) -> Step | None:
    """Return the step after the present one; None after the last of the turn.

    The first player skips the first draw step in a game of two (CR 103.8a). A cleanup step in
    which players had priority is followed by another (514.3a).
    """
    step = game.state.turn.step
    if step == Step.UPKEEP and (is_first_draw_skipped(game) or skips(game, Step.DRAW)):
        return Step.MAIN1
    if step in COMBAT_STEPS and step != Step.END_COMBAT:
        return next_combat_step(game)
    if step == Step.CLEANUP:
        return Step.CLEANUP
    return TURN_ORDER[TURN_ORDER.index(step) + 1]


def is_first_draw_skipped(game: Position) -> bool:
    """Say whether this turn has no draw step, being the first of a two-player game (CR 103.8a)."""
    return game.state.turn.number == 1 and len(game.state.players) == 2


def skips(game: Position, step: Step) -> bool:
    """Say whether an effect has the active player skip a step (CR 614.10)."""
    active = game.state.turn.active
    return any(
        isinstance(rule, SkipStep) and rule.step == step
        for item in game.permanents_of(active)
        for rule in game.characteristics(item).rules
    )


def next_active_player(game: Position) -> PlayerId:
    """Return whose turn comes after this one (CR 500.1, 103.1)."""
    state = game.state
    following = PlayerId((state.turn.active + 1) % len(state.players))
    return players_in_turn_order(state, following)[0]


def begin_step(game: Position, step: Step) -> Procedure[None]:
    """Begin a step and do its turn-based actions, which use no stack (CR 703).

    A player who has left takes none: the turn goes on without an active player (CR 800.4j).
    """
    if game.state.turn.step == Step.END_COMBAT:
        yield from perform(*ending_with_combat(game))
    yield from perform(occur(StepBegan("500.1", 0, step)))
    match step:
        case Step.UNTAP:
            yield from _untap_step(game)
            yield from begin_step(game, Step.UPKEEP)
        case Step.DRAW:
            yield from _draw_step(game)
        case Step.FIRST_STRIKE_DAMAGE:
            yield from combat_damage(game, first=True)
        case Step.COMBAT_DAMAGE:
            yield from combat_damage(game, first=False)
        case Step.CLEANUP:
            yield from _cleanup_step(game)
        case _:
            pass


def _draw_step(game: Position) -> Procedure[None]:
    """Let the active player draw a card (CR 504.1)."""
    active = game.state.turn.active
    if not game.state.players[active].has_left:
        yield from perform(Draw("504.1", 0, active))


def _untap_step(game: Position) -> Procedure[None]:
    """Untap the active player's permanents at the same time (CR 502.3)."""
    active = game.state.turn.active
    mine = game.permanents_of(active)
    untapped: list[Action] = [
        Untap("502.3", 0, item)
        for item in mine
        if game.state.objects[item].tapped and untaps(game, item)
    ]
    yield from perform(*untapped)
    ended = [
        occur(EffectEnded("611.2a", 0, effect.number))
        for effect in game.state.effects
        if effect.duration == "next-untap-step" and any(item in mine for item in effect.objects)
    ]
    yield from perform(*ended)


def untaps(game: Position, permanent: ObjectId) -> bool:
    """Say whether a permanent untaps in its controller's untap step: nothing forbids it (502.3)."""
    rules = game.characteristics(permanent).rules
    return not any(isinstance(rule, DoesNotUntap) for rule in rules)


def _cleanup_step(game: Position) -> Procedure[None]:
    """Discard to hand size, then damage wears off and effects end (CR 514.1, 514.2).

    If state-based actions or triggers then wait, players get priority and another cleanup step
    follows (514.3a); else the turn is over.
    """
    active = game.state.turn.active
    yield from _discard_to_hand_size(game, active)
    yield from perform(occur(TurnEffectsEnded("514.2", 0)))
    if not is_settled(game):
        yield from perform(occur(TurnActionsDone("514.3a", 0)))
        yield from settle(game)
    elif game.state.winners is None:
        yield from begin_turn(game, next_active_player(game))


def _discard_to_hand_size(game: Position, player: PlayerId) -> Procedure[None]:
    """Let a player discard down to their maximum hand size (CR 402.2, 514.1)."""
    mine = game.state.players[player]
    excess = len(mine.hand) - mine.max_hand_size
    if excess <= 0:
        return
    prompt = SelectObjects(
        **prompt_fields(game, player, "514.1"),
        kind="discard",
        text=f"Discard {excess} to your maximum hand size",
        candidates=tuple(mine.hand),
        minimum=excess,
        maximum=excess,
    )
    chosen = (yield from ask_for(ChooseObjects, prompt)).objects
    yield from perform(
        *(Move("514.1", 0, item, ZoneKind.GRAVEYARD, manner="discarded") for item in chosen)
    )
