"""Why an action is refused, and what would have to change for it to be accepted.

An action is judged by the same checks that take it. Where its seat is not asked, that refuses it
first; then it is judged as if the seat were, so that the answer does not stop at "not now".
"""

from __future__ import annotations

import msgspec

from ..cards.model import Filter
from ..events.base import Decision
from ..events.decisions import (
    OUT_OF_TURN,
    ActivateAbility,
    CastSpell,
    DeclareAttackers,
    DeclareBlockers,
    PassPriority,
    PlayLand,
    Repair,
    SetUp,
    TurnFaceUp,
)
from ..events.errors import EngineError
from ..events.ids import JUDGE, ObjectId, PlayerId, Step
from ..events.refused import Code, Refused
from ..projections.context import Context
from ..projections.position import Position
from ..projections.redaction import redact_state
from ..rules.arranging import check_set_up
from ..rules.combat_attack import why_attack_illegal
from ..rules.combat_block import attackers_of, why_blocks_illegal
from ..rules.legal import complete
from ..rules.priority import check_action, standing_answer
from ..rules.protocol import Prompt
from ..rules.taking_back import check_consenting, check_repair
from ..rules.timing import GO_BACK
from .answered import WhyNot, not_refused, of_refusal
from .asked import asked_words
from .mismatch import mismatch
from .notation import NotationError, format_decision, parse_decision
from .phrases import activation_phrases, spell_phrases

PRIORITY_ACTIONS = (PassPriority, PlayLand, CastSpell, ActivateAbility, TurnFaceUp)
"""What a player does who has priority."""

CANDIDATES_TOLD_MAX = 8
"""How many things that words may mean are listed."""

RULE_OF_NAMING = {
    "cast": "601.2a",
    "activate": "602.2",
    "play": "305.1",
    "attack": "508.1a",
    "block": "509.1a",
}
"""The rule by which the object of an action must be there, by the action's verb."""


class NotUnderstood(EngineError):
    """The words of an action mean nothing, or several things."""


def whynot_action(
    game: Position, prompt: Prompt | None, action: str | Decision, by: PlayerId, number: int = 0
) -> WhyNot:
    """Return why a seat's action is refused in a position where `prompt` is open.

    `number` is that of the commit that it would be, for what goes back to an earlier one.

    Names are read as the seat knows them: what it may not know it cannot name.
    """
    decision = _read(game, prompt, action, by) if isinstance(action, str) else action
    if isinstance(decision, WhyNot):
        return decision
    refused = why_refused(game, prompt, decision, by, number)
    if refused is not None:
        return of_refusal(_with_property(game, decision, refused))
    detail = f"It is accepted: {_completed(game, prompt, decision)}"
    if prompt is not None and standing_answer(game, prompt) is not None:
        detail += f" (but a standing pass of {_name(game, by)} answers first, CR 117.3d)"
    return not_refused(detail)


def _read(game: Position, prompt: Prompt | None, text: str, by: PlayerId) -> Decision | WhyNot:
    known = game
    if by != JUDGE:
        known = Position(redact_state(game.state, by), game.definitions, game.edition)
    asked = prompt if prompt is not None and prompt.seat == by else None
    if asked is not None and asked.kind == "mulligan":
        asked = None  # else whatever is said means to keep the hand
    found = parse_decision(known, asked, text, seat=by)
    if not isinstance(found, NotationError):
        return found
    if found.kind != "unknown":
        many = len(found.candidates)
        is_told = many <= CANDIDATES_TOLD_MAX
        raise NotUnderstood(found.message if is_told else f"{text!r} may mean {many} things")
    verb = text.split(maxsplit=1)[0].lower() if text.split() else ""
    rule = RULE_OF_NAMING.get(verb, "608.2d")
    detail = f"{found.message}, as far as {_name(game, by)} can know"
    change = "name something that is there then"
    refused = Refused(Code.NO_SUCH_OBJECT, rule, detail, change)
    return of_refusal(refused)


def _with_property(game: Position, decision: Decision, refused: Refused) -> Refused:
    """Return a refusal of a target that also says which property is not as the words ask."""
    if refused.code != Code.TARGET_ILLEGAL or refused.rule != "601.2c":
        return refused
    match decision:
        case CastSpell(object=item, player=player, modes=modes, x=x):
            phrases, context = spell_phrases(game, item, player, modes, x)
        case ActivateAbility(object=item, player=player, modes=modes, x=x, number=number):
            phrases, context = activation_phrases(game, item, player, number, modes, x)
        case _:
            return refused
    for target in decision.targets:
        what = phrases[target.phrase].what if target.phrase < len(phrases) else None
        why = _mismatch_of(game, what, target.object, context)
        if why:
            return msgspec.structs.replace(refused, detail=f"{refused.detail}: {why}")
    return refused


def _mismatch_of(game: Position, what: Filter | None, item: ObjectId, context: Context) -> str:
    if what is None or item not in game.state.objects:
        return ""
    if game.state.objects[item].zone != what.zone:
        return f"it is not in the zone {what.zone.name.lower()}"
    return mismatch(game, what, item, context)


def _completed(game: Position, prompt: Prompt | None, decision: Decision) -> str:
    completed = complete(game, decision, prompt)
    known = decision if isinstance(completed, Refused) else completed
    return format_decision(game, known)


def why_refused(
    game: Position, prompt: Prompt | None, decision: Decision, by: PlayerId, number: int = 0
) -> Refused | None:
    """Return why a decision would be refused; None if it would be accepted."""
    state = game.state
    if state.winners is not None:
        return Refused(Code.GAME_OVER, "104.1", "the game has ended", GO_BACK)
    if isinstance(decision, OUT_OF_TURN):
        midway = prompt is not None and not prompt.quiescent
        return _why_not_out_of_turn(game, decision, number, midway=midway)
    if isinstance(decision, SetUp):
        return check_set_up(game, decision)
    if prompt is None:
        detail = "nobody is asked anything now"
        return Refused(Code.NOT_ASKED, "117.3", detail, "wait until somebody is asked")
    if prompt.seat != by or decision.seat != by:
        return _why_not_asked(game, prompt, decision, by)
    if _is_other_kind(prompt, decision):
        return _why_other_kind(game, prompt, decision, by)
    completed = complete(game, decision, prompt)
    return completed if isinstance(completed, Refused) else prompt.is_legal(game, completed)


def _why_not_out_of_turn(
    game: Position, decision: Decision, number: int, *, midway: bool
) -> Refused | None:
    if isinstance(decision, Repair):
        return check_repair(game, decision, number, midway=midway)
    seat = decision.seat
    players = game.state.players
    if not 0 <= seat < len(players):
        detail = "no player of the game has that seat"
        return Refused(Code.NOT_ASKED, "104.3a", detail, "let a player of the game decide")
    if players[seat].has_left:
        detail = f"{players[seat].name} has left the game"
        return Refused(Code.NOT_ASKED, "104.3a", detail, "go back to before they left")
    if decision.counter != game.state.decision_counters[seat]:
        detail = "the decision was counted before"
        return Refused(Code.WRONG_COUNTER, "104.3a", detail, "number it by the present count")
    return check_consenting(game, decision, number, midway=midway)


def _is_other_kind(prompt: Prompt, decision: Decision) -> bool:
    """Say whether a decision takes an action while the seat is asked for something else."""
    if isinstance(decision, PRIORITY_ACTIONS):
        return prompt.kind != "priority"
    if isinstance(decision, DeclareAttackers):
        return prompt.kind != "attackers"
    if isinstance(decision, DeclareBlockers):
        return prompt.kind != "blockers"
    return False


def _why_other_kind(game: Position, prompt: Prompt, decision: Decision, by: PlayerId) -> Refused:
    """Return the refusal of an action while the seat is asked something else (CR 608.2, 508.1)."""
    if isinstance(decision, DeclareAttackers | DeclareBlockers):
        return _why_not_declared(game, prompt, decision, by)
    example = format_decision(game, prompt.suggest(game))
    detail = f"{_name(game, by)} is asked {asked_words(prompt)}, and has to answer that first"
    refused = Refused(
        Code.WRONG_ANSWER,
        prompt.rule,
        detail,
        f"answer that first, as by “{example}”, and wait for priority",
    )
    return _with_the_rest(refused, _as_if_priority(game, decision, by))


def _why_not_asked(game: Position, prompt: Prompt, decision: Decision, by: PlayerId) -> Refused:
    """Return the refusal of what a seat decides while another is asked."""
    if decision.seat != by:
        detail = f"the decision is one of seat {decision.seat}, not of {_name(game, by)}"
        return Refused(Code.NOT_ASKED, prompt.rule, detail, "let that seat decide")
    if isinstance(decision, DeclareAttackers | DeclareBlockers):
        return _why_not_declared(game, prompt, decision, by)
    mine, other = _name(game, by), _name(game, prompt.seat)
    if not isinstance(decision, PRIORITY_ACTIONS):
        detail = f"{other} is asked {asked_words(prompt)}, not {mine}"
        change = f"let {other} answer, and wait until {mine} is asked"
        return Refused(Code.NOT_ASKED, prompt.rule, detail, change)
    detail = f"{mine} does not have priority: {other} is asked {asked_words(prompt)}"
    change = f"let {other} answer, and wait until {mine} has priority"
    refused = Refused(Code.NO_PRIORITY, "117.1", detail, change)
    return _with_the_rest(refused, _as_if_priority(game, decision, by))


def _as_if_priority(game: Position, decision: Decision, by: PlayerId) -> Refused | None:
    """Return what else refuses an action, judged as if its player had priority now."""
    mark = game.trail.mark()
    game.trail.set(game.state.turn, "holder", by)
    try:
        completed = complete(game, decision)
        if isinstance(completed, Refused):
            return completed
        return check_action(game, by, completed)
    finally:
        game.undo_to(mark)


def _with_the_rest(refused: Refused, other: Refused | None) -> Refused:
    """Return a refusal that also says what would refuse the action after it."""
    if other is None:
        return refused
    return msgspec.structs.replace(
        refused,
        detail=f"{refused.detail}; and besides, {other.detail} (CR {other.rule})",
        change=f"{refused.change}; also {other.change}" if other.change else refused.change,
    )


def _why_not_declared(
    game: Position, prompt: Prompt, decision: DeclareAttackers | DeclareBlockers, by: PlayerId
) -> Refused:
    """Return why a declaration cannot be made now, or what was wrong with it where it was time."""
    is_attack = isinstance(decision, DeclareAttackers)
    turn = game.state.turn
    if isinstance(decision, DeclareAttackers):
        illegal = why_attack_illegal(game, by, decision.attackers)
        is_its_time = turn.step == Step.DECLARE_ATTACKERS and turn.active == by
    else:
        illegal = why_blocks_illegal(game, by, decision.blocks)
        is_its_time = turn.step == Step.DECLARE_BLOCKERS and bool(attackers_of(game, by))
    if illegal is not None and is_its_time:
        return illegal
    mine, other = _name(game, by), _name(game, prompt.seat)
    rule = "508.1" if is_attack else "509.1"
    now = f"{other} is asked {asked_words(prompt)} now"
    if is_attack:
        detail = f"the active player declares attackers as that step begins; {now}"
        change = f"declare it as the declare attackers step of {mine}'s own turn begins"
    else:
        detail = f"a defending player declares blockers as that step begins; {now}"
        change = f"declare it as the declare blockers step begins, when {mine} is attacked"
    refused = Refused(Code.NOT_ASKED, rule, detail, change)
    return _with_the_rest(refused, illegal)


def _name(game: Position, player: PlayerId) -> str:
    players = game.state.players
    return players[player].name if 0 <= player < len(players) else f"seat {player}"
