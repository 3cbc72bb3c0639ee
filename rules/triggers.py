"""Triggered abilities: which events they trigger on, and how they go on the stack (CR 603).

Triggers are judged once a group of events. Abilities that look back (603.10) are judged before the
group takes effect, the others after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cards.model import (
    Attacks,
    BecomesBlocked,
    BecomesTapped,
    BecomesTarget,
    Blocks,
    CastsSpell,
    DealsDamage,
    Dies,
    Discards,
    DrawsCard,
    Enters,
    Filter,
    GainsLife,
    LeavesBattlefield,
    StepBegins,
    Trigger,
    TriggeredAbility,
)
from ..events.base import Event
from ..events.catalog import AnyEvent
from ..events.combat import AttackersDeclared, BlockersDeclared
from ..events.decisions import ChooseTargets, OrderObjects
from ..events.game import PlayerLeft
from ..events.ids import NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.life import DamageDealt, LifeGained
from ..events.stack import (
    AbilityActivated,
    AbilityTriggered,
    ChosenTarget,
    SpellCast,
    TriggerPutOnStack,
    TriggerRemoved,
)
from ..events.turn import StepBegan
from ..events.zones import ObjectMoved, PermanentTapped, TokenCreated
from ..projections.context import Context
from ..projections.filters import fits, holds, players_of
from ..projections.state import PendingTrigger, players_in_turn_order
from .actions import TO_BE_NAMED, TO_BE_NUMBERED, Occur, occur
from .prompts import ChooseTriggerTargets, OrderTriggers, prompt_fields
from .protocol import Procedure, ask_for, perform
from .targets import body_of, choices

if TYPE_CHECKING:
    from ..projections.position import Position
    from ..projections.state import State

About = tuple[ObjectId, PlayerId, int]
"""What a trigger was about: an object, a player, a number."""

EVENTS_OF: dict[type[Trigger], tuple[type[Event], ...]] = {
    Enters: (ObjectMoved, TokenCreated),
    Dies: (ObjectMoved,),
    LeavesBattlefield: (ObjectMoved, PlayerLeft),
    Attacks: (AttackersDeclared,),
    Blocks: (BlockersDeclared,),
    BecomesBlocked: (BlockersDeclared,),
    CastsSpell: (SpellCast,),
    DealsDamage: (DamageDealt,),
    StepBegins: (StepBegan,),
    BecomesTapped: (PermanentTapped,),
    BecomesTarget: (SpellCast, AbilityActivated, TriggerPutOnStack),
    GainsLife: (LifeGained,),
    DrawsCard: (ObjectMoved,),
    Discards: (ObjectMoved,),
}
"""The event types on which each kind of trigger may trigger."""

LOOKING_BACK: tuple[type[Trigger], ...] = (Dies, LeavesBattlefield)
"""Triggers that are judged on the game before the event (CR 603.10a)."""

_TRIGGERING: frozenset[type[Event]] = frozenset(
    event for events in EVENTS_OF.values() for event in events
)


class Source:
    """An ability that may trigger, with the object that has it and its controller.

    `about` is the object that a delayed triggered ability was created for (CR 603.7c).
    """

    __slots__ = ("ability", "about", "controller", "delayed", "object")

    def __init__(
        self,
        object_id: ObjectId,
        ability: TriggeredAbility,
        controller: PlayerId,
        delayed: int,
        about: ObjectId = NOTHING,
    ) -> None:
        self.about = about
        self.object = object_id
        self.ability = ability
        self.controller = controller
        self.delayed = delayed


def sources_of(game: Position) -> list[Source]:
    """Return the abilities that may trigger now: permanents' first, then delayed ones (603.2)."""
    found: list[Source] = []
    for object_id in game.state.battlefield:
        traits = game.characteristics(object_id)
        found.extend(
            Source(object_id, ability, traits.controller, 0)
            for ability in traits.triggers
            if ability.zone == ZoneKind.BATTLEFIELD
        )
    for delayed in game.state.delayed:
        ability = game.definitions.ability(delayed.ability)
        assert isinstance(ability, TriggeredAbility), "a delayed trigger is a triggered ability"
        about = delayed.objects[0] if delayed.objects else NOTHING
        found.append(Source(delayed.source, ability, delayed.player, delayed.number, about))
    return found


def look_back(game: Position, events: tuple[AnyEvent, ...], first: int) -> list[Occur]:
    """Return what triggers, on the game before the group, when objects leave (CR 603.10a).

    `first` is the sequence number that the group's first event will have.
    """
    if not any(_takes_from_battlefield(event) for event in events):
        return []
    return _judge(game, events, first, looks_back=True)


def _takes_from_battlefield(event: AnyEvent) -> bool:
    if type(event) is ObjectMoved:
        return event.origin == ZoneKind.BATTLEFIELD
    return type(event) is PlayerLeft


def triggered(game: Position, events: tuple[AnyEvent, ...], first: int) -> list[Occur]:
    """Return what triggers on a group of events that has just happened (CR 603.2)."""
    if not any(type(event) in _TRIGGERING for event in events):
        return []
    return _judge(game, events, first, looks_back=False)


def of_players_present(state: State, occurrences: tuple[Occur, ...]) -> tuple[Occur, ...]:
    """Return those whose ability a player controls who is in the game (CR 800.4d)."""
    return tuple(
        action
        for action in occurrences
        if isinstance(action.event, AbilityTriggered)
        and not state.players[action.event.player].has_left
    )


def _judge(
    game: Position, events: tuple[AnyEvent, ...], first: int, *, looks_back: bool
) -> list[Occur]:
    found: list[Occur] = []
    for source in sources_of(game):
        trigger = source.ability.trigger
        if isinstance(trigger, LOOKING_BACK) != looks_back:
            continue
        expected = EVENTS_OF[type(trigger)]
        for place, event in enumerate(events):
            if type(event) in expected:
                found += _occurrences(game, source, event, first + place + 1)
    return found


def _occurrences(game: Position, source: Source, event: AnyEvent, cause: int) -> list[Occur]:
    context = Context(source=source.object, you=source.controller)
    occurrences: list[Occur] = []
    for affected, player, amount in occasions(game, source.ability.trigger, event, context):
        about = source.about or affected
        told = Context(
            source=source.object,
            you=source.controller,
            about=about,
            about_player=player,
            amount=amount,
        )
        condition = source.ability.condition
        if condition is not None and not holds(game, condition, told):
            continue
        occurrences.append(
            occur(
                AbilityTriggered(
                    "603.2",
                    cause,
                    TO_BE_NUMBERED,
                    source.object,
                    source.controller,
                    game.definitions.digest_of_ability(source.ability),
                    about,
                    player,
                    amount,
                    source.delayed,
                )
            )
        )
    return occurrences


def occasions(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> list[About]:
    """Return what a trigger is about, once for each time that it triggers on the event."""
    judge = _JUDGES[type(trigger)]
    return judge(game, trigger, event, context)


def _enters(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> list[About]:
    assert isinstance(trigger, Enters)
    if isinstance(event, TokenCreated):
        entered = event.object
    elif isinstance(event, ObjectMoved) and event.destination == ZoneKind.BATTLEFIELD:
        entered = event.becomes
    else:
        return []
    return _if_fits(game, trigger.what, entered, context)


def _leaves(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> list[About]:
    assert isinstance(trigger, Dies | LeavesBattlefield)
    if isinstance(event, PlayerLeft):
        return _gone_along(game, trigger.what, event, context)
    if not isinstance(event, ObjectMoved) or event.origin != ZoneKind.BATTLEFIELD:
        return []
    if isinstance(trigger, Dies) and event.destination != ZoneKind.GRAVEYARD:
        return []
    return _if_fits(game, trigger.what, event.object, context)


def _gone_along(game: Position, what: Filter, event: PlayerLeft, context: Context) -> list[About]:
    """Return what leaves the battlefield with its owner, who leaves the game (CR 800.4a)."""
    there = (item for item, _ in event.last_known if game.is_in(item, ZoneKind.BATTLEFIELD))
    return [about for item in there for about in _if_fits(game, what, item, context)]


def _if_fits(game: Position, what: Filter, object_id: ObjectId, context: Context) -> list[About]:
    if not fits(game, what, object_id, context):
        return []
    return [(object_id, game.controller_of(object_id), 0)]


def _attacks(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> list[About]:
    assert isinstance(trigger, Attacks)
    assert isinstance(event, AttackersDeclared)
    if trigger.alone and len(event.attackers) != 1:
        return []
    return [
        (attacker, defender, 0)
        for attacker, defender, _ in event.attackers
        if fits(game, trigger.what, attacker, context)
    ]


def _blocks(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> list[About]:
    assert isinstance(trigger, Blocks)
    assert isinstance(event, BlockersDeclared)
    blockers = dict.fromkeys(blocker for blocker, _ in event.blocks)
    return [
        (blocker, event.player, 0)
        for blocker in blockers
        if fits(game, trigger.what, blocker, context)
    ]


def _becomes_blocked(
    game: Position, trigger: Trigger, event: AnyEvent, context: Context
) -> list[About]:
    assert isinstance(trigger, BecomesBlocked)
    assert isinstance(event, BlockersDeclared)
    attackers = dict.fromkeys(attacker for _, attacker in event.blocks)
    return [
        (attacker, event.player, 0)
        for attacker in attackers
        if fits(game, trigger.what, attacker, context)
    ]


def _casts(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> list[About]:
    assert isinstance(trigger, CastsSpell)
    assert isinstance(event, SpellCast)
    if event.player not in players_of(game, trigger.player, context):
        return []
    if not fits(game, trigger.what, event.object, context):
        return []
    return [(event.object, event.player, 0)]


def _deals_damage(
    game: Position, trigger: Trigger, event: AnyEvent, context: Context
) -> list[About]:
    """It is about the creature that was damaged where it says so, else about what dealt damage."""
    assert isinstance(trigger, DealsDamage)
    assert isinstance(event, DamageDealt)
    if trigger.combat_only and not event.is_combat:
        return []
    match trigger.to:
        case "player" if event.to:
            return []
        case "opponent" if event.to or event.to_player == context.you:
            return []
        case "creature" if not event.to or not game.characteristics(event.to).is_creature:
            return []
        case _:
            pass
    if not fits(game, trigger.what, event.source, context):
        return []
    about = event.to if trigger.to == "creature" else event.source
    return [(about, event.to_player, event.amount)]


def _step_begins(
    game: Position, trigger: Trigger, event: AnyEvent, context: Context
) -> list[About]:
    assert isinstance(trigger, StepBegins)
    assert isinstance(event, StepBegan)
    active = game.state.turn.active
    if event.step != trigger.step or active not in players_of(game, trigger.whose, context):
        return []
    return [(NOTHING, active, 0)]


def _becomes_tapped(
    game: Position, trigger: Trigger, event: AnyEvent, context: Context
) -> list[About]:
    assert isinstance(trigger, BecomesTapped)
    assert isinstance(event, PermanentTapped)
    return _if_fits(game, trigger.what, event.object, context)


def _becomes_target(
    game: Position, trigger: Trigger, event: AnyEvent, context: Context
) -> list[About]:
    assert isinstance(trigger, BecomesTarget)
    assert isinstance(event, SpellCast | AbilityActivated | TriggerPutOnStack)
    player = game.controller_of(event.object)
    if trigger.by_opponent and player == context.you:
        return []
    targets = dict.fromkeys(target.object for target in event.targets if target.object)
    fitting = [target for target in targets if fits(game, trigger.what, target, context)]
    if trigger.what.identity == "this":
        # "That spell or ability" of ward (CR 702.21a): the permanent itself is the source.
        return [(event.object, player, 0) for _ in fitting]
    return [(target, player, 0) for target in fitting]


def _gains_life(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> list[About]:
    assert isinstance(trigger, GainsLife)
    assert isinstance(event, LifeGained)
    if event.player not in players_of(game, trigger.player, context):
        return []
    return [(NOTHING, event.player, event.amount)]


def _draws(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> list[About]:
    assert isinstance(trigger, DrawsCard)
    assert isinstance(event, ObjectMoved)
    if event.manner != "drawn" or event.player not in players_of(game, trigger.player, context):
        return []
    return [(NOTHING, event.player, 1)]


def _discards(game: Position, trigger: Trigger, event: AnyEvent, context: Context) -> list[About]:
    assert isinstance(trigger, Discards)
    assert isinstance(event, ObjectMoved)
    players = players_of(game, trigger.player, context)
    if event.manner != "discarded" or event.origin_player not in players:
        return []
    return [(event.becomes, event.origin_player, 1)]


_JUDGES = {
    Enters: _enters,
    Dies: _leaves,
    LeavesBattlefield: _leaves,
    Attacks: _attacks,
    Blocks: _blocks,
    BecomesBlocked: _becomes_blocked,
    CastsSpell: _casts,
    DealsDamage: _deals_damage,
    StepBegins: _step_begins,
    BecomesTapped: _becomes_tapped,
    BecomesTarget: _becomes_target,
    GainsLife: _gains_life,
    DrawsCard: _draws,
    Discards: _discards,
}


def put_triggers_on_stack(game: Position) -> Procedure[None]:
    """Put waiting triggered abilities on the stack in APNAP order (CR 603.3b).

    A player with several chooses their order; each chooses modes and targets as they go on. What
    triggers meanwhile ("becomes the target") waits for the next time, above these.
    """
    state = game.state
    waiting = tuple(state.pending)
    for player in players_in_turn_order(state, state.turn.active):
        order = [trigger.number for trigger in waiting if trigger.player == player]
        if len(order) > 1:
            prompt = OrderTriggers(
                **prompt_fields(game, player, "603.3b"),
                text="Order your triggered abilities: the first goes on the stack first",
                items=tuple(order),
            )
            order = list((yield from ask_for(OrderObjects, prompt)).order)
        for number in order:
            yield from _put_on_stack(game, number)


def _put_on_stack(game: Position, number: int) -> Procedure[None]:
    """Put one waiting ability on the stack, or remove it if it has no legal targets (603.3d)."""
    waiting = next((item for item in game.state.pending if item.number == number), None)
    if waiting is None:
        return
    context = context_of(waiting)
    body = body_of(game, waiting.ability)
    cause = waiting.sequence + 1
    targets: tuple[ChosenTarget, ...] = ()
    modes: tuple[int, ...] = ()
    if body.targets or body.modes:
        found = choices(game, body, context)
        first = next(found, None)
        if first is None:
            yield from perform(occur(TriggerRemoved("603.3d", cause, number)))
            return
        targets, modes = first
        if next(found, None) is not None:
            prompt = ChooseTriggerTargets(
                **prompt_fields(game, waiting.player, "603.3d", waiting.source),
                text=f"Choose targets for {game.name_of(waiting.source)}",
                trigger=number,
                body=body,
                context=context,
            )
            decision = yield from ask_for(ChooseTargets, prompt)
            targets, modes = decision.targets, decision.modes
    yield from perform(
        occur(TriggerPutOnStack("603.3", cause, TO_BE_NAMED, number, targets, modes))
    )


def context_of(waiting: PendingTrigger) -> Context:
    """Return what the words of a waiting ability point at."""
    return Context(
        source=waiting.source,
        you=waiting.player,
        about=waiting.about,
        about_player=waiting.about_player,
        amount=waiting.amount,
        cause=waiting.sequence + 1,
    )
