"""Effects on damage, life, mana and who wins (CR 104, 106, 119, 120, 701.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cards.model import (
    AddMana,
    ControllerOf,
    DealDamage,
    DefendingPlayer,
    EachPlayer,
    EventPlayer,
    Fight,
    GainLife,
    LoseGame,
    LoseLife,
    Objects,
    OwnerOf,
    Recipient,
    Target,
    WinGame,
    You,
)
from ..events.decisions import ChooseNumber
from ..events.game import GameEnded, PlayerLost
from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId
from ..projections.context import Context
from .actions import DealDamageTo, Gain, Lose, Produce, occur
from .damage import DAMAGED_TYPES
from .effects_base import existing, number_of, objects_meant, on_battlefield, players_meant
from .effects_hidden import everybody, reveal_face_down
from .endings import decide_endings
from .mana import letters_of
from .prompts import SelectOption, prompt_fields
from .protocol import Procedure, ask_for, perform

if TYPE_CHECKING:
    from ..projections.position import Position

_PLAYER_WORDS = (You, EachPlayer, EventPlayer, DefendingPlayer, ControllerOf, OwnerOf)

Struck = tuple[ObjectId, PlayerId, int]
"""What damage is dealt to: an object or, where that is 0, a player; and how much."""


def deal_damage(
    game: Position, effect: DealDamage, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Deal damage to all recipients at once (CR 120.1, 608.2f); a divided one as announced.

    A source that is gone deals it as it last existed (608.2h); nothing deals 0 damage (120.8).
    """
    sources = yield from objects_meant(game, effect.source, context)
    struck = yield from _recipients(game, effect, context)
    if not sources:
        return ()
    yield from perform(
        *(
            DealDamageTo("120.2b", context.cause, sources[0], item, player, amount)
            for item, player, amount in struck
            if amount > 0
        )
    )
    return tuple(item for item, _, _ in struck if item)


def _recipients(
    game: Position, effect: DealDamage, context: Context
) -> Procedure[tuple[Struck, ...]]:
    amount = number_of(game, effect.amount, context)
    to = effect.to
    if isinstance(to, Target):
        return tuple(
            (target.object, target.player, target.share or amount)
            for target in context.targets
            if target.phrase == to.index and _can_be_dealt(game, target.object, target.player)
        )
    if isinstance(to, _PLAYER_WORDS):
        return tuple((NOTHING, player, amount) for player in players_meant(game, to, context))
    found = yield from objects_meant(game, _as_objects(to), context)
    return tuple(
        (item, NOBODY, amount)
        for item in existing(game, to, found, context)
        if _can_be_dealt(game, item, NOBODY)
    )


def _can_be_dealt(game: Position, item: ObjectId, player: PlayerId) -> bool:
    """Say whether damage can be dealt to it (CR 120.1): a player or such a permanent."""
    if not item:
        return player >= 0 and not game.state.players[player].has_left
    if not on_battlefield(game, (item,)):
        return False
    types = game.characteristics(item).types
    return any(kind in types for kind in DAMAGED_TYPES)


def fight(game: Position, effect: Fight, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Let two creatures deal damage to each other, if both are there (CR 701.12)."""
    first = yield from objects_meant(game, effect.first, context)
    second = yield from objects_meant(game, effect.second, context)
    pair = tuple(
        item
        for item in on_battlefield(game, (*first[:1], *second[:1]))
        if game.characteristics(item).is_creature
    )
    expected = 2
    if len(pair) != expected:
        return ()
    one, other = pair
    blows = [(one, other), (other, one)]
    yield from perform(
        *(
            DealDamageTo("701.12a", context.cause, source, to, NOBODY, power)
            for source, to in blows
            if (power := game.characteristics(source).power or 0) > 0
        )
    )
    return pair


def gain_life(
    game: Position, effect: GainLife, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Let players gain life (CR 119.3); 0 is no gain (119.9)."""
    amount = number_of(game, effect.amount, context)
    if amount:
        players = players_meant(game, effect.player, context)
        yield from perform(*(Gain("119.3", context.cause, one, amount) for one in players))
    return ()


def lose_life(
    game: Position, effect: LoseLife, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Let players lose life (CR 119.3)."""
    amount = number_of(game, effect.amount, context)
    if amount:
        players = players_meant(game, effect.player, context)
        yield from perform(*(Lose("119.3", context.cause, one, amount) for one in players))
    return ()


def add_mana(game: Position, effect: AddMana, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Add mana to a player's pool; of several options the player chooses one (CR 106.4, 605.3)."""
    amount = number_of(game, effect.amount, context)
    for player in players_meant(game, effect.player, context):
        choice = 1
        if len(effect.options) > 1 and amount:
            prompt = SelectOption(
                **prompt_fields(game, player, "106.4", context.source),
                text="Choose the mana to add",
                labels=effect.options,
            )
            choice = (yield from ask_for(ChooseNumber, prompt)).number
        mana = letters_of(effect.options[choice - 1]) * amount
        if mana:
            yield from perform(Produce("106.4", context.cause, player, context.source, mana))
    return ()


def win_game(game: Position, effect: WinGame, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Let a player win the game, which ends it (CR 104.2b)."""
    players = players_meant(game, effect.player, context)
    if players:
        yield from reveal_face_down(game, everybody(game))
        yield from perform(occur(GameEnded("104.2b", context.cause, players, "effect")))
    return ()


def lose_game(
    game: Position, effect: LoseGame, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Let players lose the game, and leave it at once (CR 104.3e, 104.5)."""
    players = players_meant(game, effect.player, context)
    yield from perform(
        *(occur(PlayerLost("104.3e", context.cause, player, "effect")) for player in players)
    )
    yield from decide_endings(game)
    return ()


def _as_objects(to: Recipient) -> Objects:
    """Return a recipient that speaks of objects."""
    assert not isinstance(to, _PLAYER_WORDS), "players are no objects"
    return to
