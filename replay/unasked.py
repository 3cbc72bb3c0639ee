"""Why a seat was not asked at a moment (CR 117.3, 508.1, 509.1), or what it was asked."""

from __future__ import annotations

from ..events.combat import AttackersDeclared, BlockersDeclared
from ..events.decisions import DeclareAttackers, DeclareBlockers
from ..events.ids import PlayerId, Step
from ..events.refused import Code
from ..projections.position import Position
from ..rules.combat_attack import why_cannot_attack
from ..rules.combat_block import attackers_of
from ..rules.combat_evasion import why_cannot_block, why_cannot_block_at_all
from ..rules.priority import standing_answer
from ..rules.protocol import Prompt
from ..rules.timing import GO_BACK
from .answered import Reason, WhyNot, because, not_refused
from .asked import Asked, asked_words
from .history import History
from .notation import format_decision


def whynot_asked(asked: Asked, by: PlayerId, history: History | None = None) -> WhyNot:
    """Return why a seat is not asked after a commit; the log tells what was declared before."""
    game, prompt = asked.position, asked.prompt
    player = game.state.players[by]
    if game.state.winners is not None:
        return because(Code.GAME_OVER, "104.1", "the game has ended", GO_BACK)
    if player.has_left:
        detail = f"{player.name} has left the game"
        return because(Reason.LEFT_GAME, "800.4a", detail, "go back to before they left")
    if prompt is None:
        detail = "nobody is asked anything now"
        return because(Code.NOT_ASKED, "117.3", detail, "wait until somebody is asked")
    if prompt.seat == by:
        return _why_answered(game, prompt, player.name)
    return (
        _why_no_attack(game, by, history)
        or _why_no_block(game, by, history)
        or _why_other(game, prompt, by)
    )


def _why_answered(game: Position, prompt: Prompt, name: str) -> WhyNot:
    """Return what a seat is asked, or why the engine answers for it."""
    if standing_answer(game, prompt) is not None:
        detail = f"{name} has priority, and a standing pass of {name} answers"
        change = "“stop passing”, or pass only once the next time"
        return because(Reason.STANDING_PASS, "117.3d", detail, change)
    only = prompt.only_option(game) if prompt.kind != "priority" else None
    if only is not None:
        answer = format_decision(game, only)
        detail = f"{name} has one legal answer, “{answer}”, which is given without asking"
        return because(Reason.ONE_ANSWER, prompt.rule, detail, "have more than one legal answer")
    return not_refused(f"{name} is asked {asked_words(prompt)}")


def _why_no_attack(game: Position, by: PlayerId, history: History | None) -> WhyNot | None:
    """Return why the active player was not asked to attack: no creature can."""
    turn = game.state.turn
    if turn.step != Step.DECLARE_ATTACKERS or turn.active != by or not turn.actions_done:
        return None
    if game.state.combat.had_attackers or _declared(history, by, DeclareAttackers):
        return None
    name = game.state.players[by].name
    reasons = [
        refused.detail
        for item in game.permanents_of(by)
        if game.characteristics(item).is_creature
        if (refused := why_cannot_attack(game, by, item)) is not None
    ]
    told = "; ".join(reasons) or f"{name} controls no creature"
    detail = f"no creature of {name} can attack: {told}"
    change = f"{name} must control a creature that can attack as the step begins"
    return because(Reason.NOTHING_CAN_ATTACK, "508.1a", detail, change)


def _why_no_block(game: Position, by: PlayerId, history: History | None) -> WhyNot | None:
    """Return why a defending player was not asked to block: no creature can."""
    turn = game.state.turn
    attackers = attackers_of(game, by)
    if turn.step != Step.DECLARE_BLOCKERS or not attackers or not turn.actions_done:
        return None
    if _declared(history, by, DeclareBlockers):
        return None
    name = game.state.players[by].name
    reasons: list[str] = []
    for item in game.permanents_of(by):
        if not game.characteristics(item).is_creature:
            continue
        alone = why_cannot_block_at_all(game, item, by)
        if alone is not None:
            reasons.append(alone.detail)
            continue
        pairs = (why_cannot_block(game, item, attacker) for attacker in attackers)
        reasons += [refused.detail for refused in pairs if refused is not None]
    told = "; ".join(reasons) or f"{name} controls no creature"
    detail = f"no creature of {name} can block: {told}"
    change = f"{name} must control a creature that can block an attacker as the step begins"
    return because(Reason.NOTHING_CAN_BLOCK, "509.1a", detail, change)


def _declared(
    history: History | None, by: PlayerId, kind: type[DeclareAttackers | DeclareBlockers]
) -> bool:
    """Say whether the seat itself declared in this step, so that it was asked."""
    if history is None:
        return False
    events = AttackersDeclared if kind is DeclareAttackers else BlockersDeclared
    for entry in reversed(history.entries):
        if isinstance(entry.event, events) and entry.event.player == by:
            return isinstance(history.decision(entry.commit), kind)
    return False


def _why_other(game: Position, prompt: Prompt, by: PlayerId) -> WhyNot:
    mine, other = game.state.players[by].name, game.state.players[prompt.seat].name
    detail = f"{other} is asked {asked_words(prompt)}, not {mine}"
    if prompt.kind == "priority":
        change = f"let {other} pass or act: {mine} gets priority when {other} passes"
        return because(Reason.OTHER_ASKED, "117.3", detail, change)
    change = f"let {other} answer first"
    return because(Reason.OTHER_ASKED, prompt.rule, detail, change)
