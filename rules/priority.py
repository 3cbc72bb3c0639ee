"""Priority (CR 117): what its holder may do, and passing, also for a while."""

from __future__ import annotations

from collections.abc import Iterator

from ..events.base import Decision
from ..events.decisions import (
    ActivateAbility,
    CastSpell,
    PassPriority,
    PlayLand,
    StandingMode,
    TurnFaceUp,
)
from ..events.ids import PlayerId
from ..events.refused import Code, Refused
from ..events.turn import PriorityPassed, StandingPass
from ..projections.position import Position
from .actions import occur
from .activating import activate, check_activate, complete_activation
from .casting import cast, check_cast, complete_cast
from .face_down import check_turn_up, complete_turn_up, turn_up
from .lands import check_play_land, play_land
from .legal import legal_actions
from .prompts import check_addressed, prompt_fields
from .protocol import Procedure, Prompt, ask, perform


class PriorityPrompt(Prompt, frozen=True, kw_only=True):
    """What does the player with priority do? Pass, play a land, cast, activate (CR 117.1)."""

    kind: str = "priority"
    quiescent: bool = True

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None if the player may do so now, what is left open filled in."""
        refused = check_addressed(self, decision)
        return refused if refused is not None else check_action(game, self.player, decision)

    def suggest(self, game: Position) -> Decision:
        """Return passing: always taking it ends every game."""
        return PassPriority(self.seat, self.player, self.counter)

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield passing, then lands, spells, abilities, and mana abilities last."""
        yield from legal_actions(game, self.player)


def check_action(game: Position, player: PlayerId, decision: Decision) -> Refused | None:
    """Return None if the player may take this action now, else what refuses it (CR 117.1)."""
    match decision:
        case PassPriority(standing=standing):
            if standing in tuple(StandingMode):
                return None
            detail = f"there is no standing pass {standing}"
            return Refused(Code.CHOICE_ILLEGAL, "117.3d", detail, "pass once")
        case PlayLand():
            return check_play_land(game, player, decision)
        case CastSpell():
            spell = complete_cast(game, player, decision)
            return spell if isinstance(spell, Refused) else check_cast(game, player, spell)
        case TurnFaceUp():
            turned = complete_turn_up(game, player, decision)
            return turned if isinstance(turned, Refused) else check_turn_up(game, player, turned)
        case ActivateAbility():
            ability = complete_activation(game, player, decision)
            if isinstance(ability, Refused):
                return ability
            return check_activate(game, player, ability)
        case _:
            kind = type(decision).__name__
            detail = f"{kind} is nothing that a player with priority decides"
            change = "pass, play a land, cast a spell or activate an ability"
            return Refused(Code.WRONG_ANSWER, "117.1", detail, change)


def priority(game: Position) -> Procedure[None]:
    """Ask the player who has priority, and let them do what they decide (CR 117.3)."""
    player = game.state.turn.holder
    prompt = PriorityPrompt(**prompt_fields(game, player, "117.1"), text="You have priority")
    decision = yield from ask(prompt)
    match decision:
        case PassPriority():
            yield from pass_priority(game, decision)
        case PlayLand():
            yield from play_land(game, decision)
        case CastSpell():
            yield from cast(game, decision)
        case ActivateAbility():
            yield from activate(game, decision)
        case TurnFaceUp():
            yield from turn_up(game, decision)
        case _:
            msg = f"{type(decision).__name__} was not checked: it answers no priority prompt"
            raise AssertionError(msg)


def pass_priority(game: Position, decision: PassPriority) -> Procedure[None]:
    """Pass priority; how often the player will again is theirs to know (CR 117.3d)."""
    secret = StandingPass(decision.standing)
    yield from perform(occur(PriorityPassed("117.3d", 0, decision.player, secret)))


def standing_answer(game: Position, prompt: Prompt) -> PassPriority | None:
    """Return the pass that a standing pass answers the prompt with, which keeps it standing.

    It ends with the turn, when something is put on the stack, or as its player's turn begins, by
    its mode; the fold of those events clears it.
    """
    standing = game.state.players[prompt.player].standing
    if standing == StandingMode.NONE or not isinstance(prompt, PriorityPrompt):
        return None
    return PassPriority(prompt.seat, prompt.player, prompt.counter, standing)
