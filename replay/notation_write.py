"""Decisions written in the notation, exactly: what is written reads back to the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from ..actors.live_table import recordable
from ..cards.model import TargetSpec
from ..events.base import Decision
from ..events.decisions import (
    ActivateAbility,
    Answer,
    AnyDecision,
    BeginGame,
    CastSpell,
    ChooseNumber,
    ChooseObjects,
    ChoosePlayers,
    ChooseTargets,
    Concede,
    DeclareAttackers,
    DeclareBlockers,
    DivideDamage,
    GiveConsent,
    KeepHand,
    OfferTakeBack,
    OrderObjects,
    PassPriority,
    Payment,
    PlayLand,
    RefuseConsent,
    Repair,
    ReportTailLost,
    RevokeStandingPass,
    SetUp,
    StandingMode,
    TakeMulligan,
    TurnFaceUp,
)
from ..events.ids import NOTHING, ObjectId, PlayerId
from ..events.stack import ChosenTarget
from ..projections.context import Context
from ..projections.position import Position
from .answers import assigned_targets
from .names import exact_name
from .phrases import activation_phrases, spell_phrases, trigger_phrases
from .remedies import remedy_text

PASSES = {
    StandingMode.NONE: "pass",
    StandingMode.UNTIL_END_OF_TURN: "pass until end of turn",
    StandingMode.UNTIL_STACK_GROWS: "pass until the stack grows",
    StandingMode.UNTIL_MY_TURN: "pass until my turn",
}
"""How passing is written, by how long it lasts."""

GIVEN_UP = {
    "sacrificed": "sacrifice",
    "discarded": "discard",
    "tapped": "tap",
    "exiled": "exile",
    "returned": "return",
}
"""How the objects of a payment are written."""

JOINT = " + "
"""Stands between the items of a list: no card has it in its name."""


def format_decision(game: Position, decision: Decision) -> str:
    """Return a decision in the notation, against the position before it.

    Seat and counter are not written: the seat is known where the text stands, the counter follows
    from the position. Another player's decision (CR 720) begins with `(for NAME)`.
    """
    text = _written(game, recordable(decision))
    if decision.player != decision.seat:
        return f"(for {game.state.players[decision.player].name}) {text}"
    return text


def _written(game: Position, decision: AnyDecision) -> str:
    match decision:
        case KeepHand():
            return "keep"
        case TakeMulligan():
            return "mulligan"
        case PassPriority(standing=standing):
            return PASSES[StandingMode(standing)]
        case PlayLand(object=item):
            return f"play {exact_name(game, item)}"
        case CastSpell():
            return _cast(game, decision)
        case ActivateAbility():
            return _activate(game, decision)
        case TurnFaceUp(object=item, payment=payment):
            paid = payment_text(game, payment)
            return " ".join(_parts(f"unmorph {exact_name(game, item)}", paid))
        case DeclareAttackers(attackers=attackers):
            return _attack(game, attackers)
        case DeclareBlockers(blocks=blocks):
            return _block(game, blocks)
        case ChooseObjects(objects=objects):
            return f"choose {_list(exact_name(game, item) for item in objects) or 'none'}"
        case ChoosePlayers(players=players):
            return f"choose {_list(_player(game, one) for one in players) or 'none'}"
        case Answer(yes=yes, payment=payment):
            return " ".join(_parts("yes" if yes else "no", payment_text(game, payment)))
        case ChooseNumber(number=number):
            return f"choose {number}"
        case ChooseTargets(targets=targets, modes=modes):
            phrases, context = trigger_phrases(game, decision.player, modes)
            aimed = _targets(game, targets, phrases, context)
            return " ".join(_parts("target", aimed or "nothing", _modes(modes)))
        case OrderObjects(order=order):
            return f"order {_list(str(number) for number in order)}"
        case DivideDamage(shares=shares):
            return f"divide {_list(_share(game, share) for share in shares)}"
        case Concede():
            return "concede"
        case RevokeStandingPass():
            return "stop passing"
        case OfferTakeBack(to=to):
            return f"take back to {to}"
        case GiveConsent():
            return "agree"
        case RefuseConsent():
            return "refuse"
        case Repair(remedy=remedy):
            return remedy_text(game, remedy)
        case ReportTailLost(kept=kept, last=last, head=head):
            return f"lost {kept + 1} to {last} {head.hex()}"
        case BeginGame():
            return "begin"
        case SetUp(objects=objects):
            return f"set up {_list(f'{c.hex()}/{zone}/{who}' for c, zone, who in objects)}"


def _parts(*parts: str) -> list[str]:
    return [part for part in parts if part]


def _list(items: Iterable[str]) -> str:
    return JOINT.join(items)


def _player(game: Position, player: PlayerId) -> str:
    return game.state.players[player].name


def _thing(game: Position, item: ObjectId, player: PlayerId) -> str:
    return exact_name(game, item) if item else _player(game, player)


def _modes(modes: tuple[int, ...]) -> str:
    return f"modes {_list(str(mode) for mode in modes)}" if modes else ""


def _cast(game: Position, decision: CastSpell) -> str:
    phrases, context = spell_phrases(
        game, decision.object, decision.player, decision.modes, decision.x
    )
    aimed = _targets(game, decision.targets, phrases, context)
    return " ".join(
        _parts(
            f"cast {exact_name(game, decision.object)}",
            f"using {_list(decision.options)}" if decision.options else "",
            f"x={decision.x}" if decision.x else "",
            _modes(decision.modes),
            f"targeting {aimed}" if aimed else "",
            payment_text(game, decision.payment),
        )
    )


def _activate(game: Position, decision: ActivateAbility) -> str:
    phrases, context = activation_phrases(
        game, decision.object, decision.player, decision.number, decision.modes, decision.x
    )
    aimed = _targets(game, decision.targets, phrases, context)
    return " ".join(
        _parts(
            f"activate {exact_name(game, decision.object)}",
            f"ability {decision.number + 1}",
            f"x={decision.x}" if decision.x else "",
            _modes(decision.modes),
            f"for {decision.mana}" if decision.mana else "",
            f"targeting {aimed}" if aimed else "",
            payment_text(game, decision.payment),
        )
    )


def _targets(
    game: Position,
    targets: Sequence[ChosenTarget],
    phrases: tuple[TargetSpec, ...],
    context: Context,
) -> str:
    """Return targets in order; each with the number of its phrase unless that is clear."""
    found = [(target.object, target.player) for target in targets]
    shares = [target.share for target in targets]
    is_clear = assigned_targets(game, phrases, found, context, shares) == tuple(targets)
    written = []
    for target in targets:
        mark = "" if is_clear else f"({target.phrase + 1}) "
        share = f"{target.share} to " if target.share else ""
        written.append(f"{mark}{share}{_thing(game, target.object, target.player)}")
    return _list(written)


def _attack(game: Position, attackers: Sequence[tuple[ObjectId, PlayerId, ObjectId]]) -> str:
    if not attackers:
        return "attack with nothing"
    parts = []
    for (player, permanent), group in groupby(attackers, key=lambda one: one[1:]):
        names = _list(exact_name(game, one[0]) for one in group)
        parts.append(f"{_thing(game, permanent, player)} with {names}")
    return "attack " + "; ".join(parts)


def _block(game: Position, blocks: Sequence[tuple[ObjectId, ObjectId]]) -> str:
    if not blocks:
        return "no blocks"
    parts = []
    for attacker, group in groupby(blocks, key=lambda one: one[1]):
        names = _list(exact_name(game, one[0]) for one in group)
        parts.append(f"{exact_name(game, attacker)} with {names}")
    return "block " + "; ".join(parts)


def _share(game: Position, share: tuple[ObjectId, PlayerId, int]) -> str:
    item, player, amount = share
    return f"{amount} to {_thing(game, item, player)}"


def payment_text(game: Position, payment: Payment) -> str:
    """Return how a cost was paid, in brackets; empty where nothing was said.

    Mana abilities as `Forest: G` (with the ability's number if it is not the first), then the mana
    spent, life, and the objects given up.
    """
    parts: list[str] = []
    for source, number, mana in payment.sources:
        ability = f" ability {number + 1}" if number else ""
        parts.append(f"{exact_name(game, source)}{ability}: {mana or '-'}")
    if payment.mana:
        parts.append(f"spend {payment.mana}")
    if payment.life:
        parts.append(f"life {payment.life}")
    for field, verb in GIVEN_UP.items():
        objects: tuple[ObjectId, ...] = getattr(payment, field)
        if objects:
            parts.append(f"{verb} {_list(exact_name(game, item) for item in objects)}")
    return f"[{'; '.join(parts)}]" if parts else ""


__all__ = ["GIVEN_UP", "JOINT", "NOTHING", "PASSES", "format_decision", "payment_text"]
