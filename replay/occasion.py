"""Why an event of the right type is no occasion for a trigger: whose, what, how (CR 603.2)."""

from __future__ import annotations

from ..cards.model import (
    Attacks,
    BecomesTarget,
    Blocks,
    CastsSpell,
    DealsDamage,
    Dies,
    DrawsCard,
    Enters,
    Filter,
    GainsLife,
    LeavesBattlefield,
    Players,
    StepBegins,
    Trigger,
)
from ..events.catalog import AnyEvent
from ..events.combat import AttackersDeclared, BlockersDeclared
from ..events.game import PlayerLeft
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.life import DamageDealt
from ..events.stack import AbilityActivated, SpellCast, TriggerPutOnStack
from ..events.turn import StepBegan
from ..events.zones import ObjectMoved, PermanentTapped, TokenCreated
from ..projections.context import Context
from ..projections.filters import players_of
from ..projections.position import Position
from .answered import Reason
from .mismatch import mismatch

Why = tuple[Reason, str]


def why_no_occasion(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> Why:
    """Return what about an event is not as a trigger's words ask, on the position that counts."""
    why = _kind(game, trigger, event, context) or _player(game, trigger, event, context)
    return why or _object(game, trigger, event, context)


def _kind(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> Why | None:
    """Judge how it happened: where a card went, what kind of damage, which step."""
    words = ""
    match trigger, event:
        case Enters(), ObjectMoved(destination=to) if to != ZoneKind.BATTLEFIELD:
            words = "nothing entered the battlefield"
        case Dies() | LeavesBattlefield(), ObjectMoved(origin=origin) if (
            origin != ZoneKind.BATTLEFIELD
        ):
            words = "it was not on the battlefield before"
        case Dies(), ObjectMoved(destination=to) if to != ZoneKind.GRAVEYARD:
            words = f"it went to the zone {to.name.lower()}, not to a graveyard"
        case Dies(), PlayerLeft():
            words = "what leaves with its owner does not go to a graveyard"
        case Attacks(alone=True), AttackersDeclared(attackers=attackers) if len(attackers) != 1:
            words = f"{len(attackers)} creatures attacked, not one alone"
        case DealsDamage(combat_only=True), DamageDealt(is_combat=False):
            words = "it was no combat damage"
        case DealsDamage(to=wanted), DamageDealt() if _is_other_recipient(
            game, wanted, event, context
        ):
            words = f"the damage was not dealt to {wanted.replace('opponent', 'an opponent')}"
        case StepBegins(step=step), StepBegan(step=began) if step != began:
            words = f"it is about the step {step.name.lower()}, not {began.name.lower()}"
        case _:
            return None
    return Reason.OTHER_KIND, words


def _is_other_recipient(game: Position, wanted: str, event: DamageDealt, context: Context) -> bool:
    match wanted:
        case "player":
            return bool(event.to)
        case "opponent":
            return bool(event.to) or event.to_player == context.you
        case "creature":
            return not event.to or not game.characteristics(event.to).is_creature
        case _:
            return False


def _player(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> Why | None:
    """Judge who did it, or whose turn it is."""
    match trigger:
        case StepBegins(whose=whose):
            return _of_others(game, whose, game.state.turn.active, context, "the turn is {}'s")
        case CastsSpell(player=whose) if isinstance(event, SpellCast):
            return _of_others(game, whose, event.player, context, "{} cast it")
        case GainsLife(player=whose) | DrawsCard(player=whose):
            player = PlayerId(getattr(event, "player", -1))
            if isinstance(event, ObjectMoved) and event.manner != "drawn":
                return Reason.OTHER_KIND, "no card was drawn"
            return _of_others(game, whose, player, context, "the player was {}")
        case BecomesTarget(by_opponent=True):
            player = game.controller_of(ObjectId(getattr(event, "object", 0)))
            if player == context.you:
                return Reason.OTHER_PLAYER, "its own controller chose the target, no opponent"
            return None
        case _:
            return None


def _of_others(
    game: Position, whose: Players, player: PlayerId, context: Context, words: str
) -> Why | None:
    if player in players_of(game, whose, context):
        return None
    players = game.state.players
    name = players[player].name if 0 <= player < len(players) else "nobody"
    return Reason.OTHER_PLAYER, f"{words.format(name)}, which is not whom it speaks of"


def _object(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> Why:
    """Judge what it happened to, property by property."""
    what: Filter = getattr(trigger, "what", Filter())
    items = _objects(trigger, event)
    for item in items:
        why = mismatch(game, what, item, context)
        if why:
            return Reason.OTHER_OBJECT, why
    return Reason.OTHER_OBJECT, "it did not happen to anything that it speaks of"


def _objects(trigger: Trigger, event: AnyEvent) -> tuple[ObjectId, ...]:
    match event:
        case TokenCreated(object=item) | PermanentTapped(object=item):
            return (item,)
        case ObjectMoved():
            return (event.becomes if isinstance(trigger, Enters) else event.object,)
        case AttackersDeclared(attackers=attackers):
            return tuple(item for item, *_ in attackers)
        case BlockersDeclared(blocks=blocks):
            side = 0 if isinstance(trigger, Blocks) else 1
            return tuple(dict.fromkeys(pair[side] for pair in blocks))
        case DamageDealt(source=source):
            return (source,)
        case SpellCast(object=item) if isinstance(trigger, CastsSpell):
            return (item,)
        case SpellCast() | AbilityActivated() | TriggerPutOnStack():
            return tuple(dict.fromkeys(one.object for one in event.targets if one.object))
        case _:
            return ()
