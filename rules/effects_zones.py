"""Effects that move objects: draw, discard, mill, destroy, sacrifice, return, exile, counter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..cards.model import (
    CannotBeCountered,
    Chosen,
    CounterSpell,
    CreateTokens,
    Destroy,
    Discard,
    DrawCards,
    Mill,
    MoveObjects,
    Sacrifice,
    Scry,
    ShuffleLibrary,
    StaticAbility,
    This,
)
from ..events.decisions import ChooseObjects
from ..events.ids import HIDDEN_ZONES, NOBODY, NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.stack import ObjectCountered
from ..events.zones import NewNames, ObjectsRenamed
from ..projections.context import Context
from ..projections.filters import every, fits, objects_of
from .actions import (
    Arrange,
    DestroyPermanent,
    Draw,
    MakeToken,
    Move,
    Rename,
    Reveal,
    Shuffle,
    occur,
)
from .effects_base import (
    became,
    choose_objects,
    existing,
    number_of,
    objects_meant,
    on_battlefield,
    players_meant,
)
from .effects_hidden import shuffle_around
from .prompts import SelectObjects, prompt_fields
from .protection import has_protection_from
from .protocol import Procedure, ask_for, perform

if TYPE_CHECKING:
    from ..projections.position import Position


def draw_cards(
    game: Position, effect: DrawCards, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Let players draw one card after another, each player all of theirs (CR 121.2, 121.2c)."""
    amount = number_of(game, effect.amount, context)
    drawn: list[ObjectId] = []
    for player in players_meant(game, effect.player, context):
        for _ in range(amount):
            happened = yield from perform(Draw("121.2", context.cause, player))
            drawn += became(happened)
    return tuple(drawn)


def discard(game: Position, effect: Discard, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Let players choose cards to discard, then discard them together (CR 701.8, 608.2e).

    Who has cards is always asked: that the choice is forced may not be told by silence.
    """
    assert not effect.at_random, "the deck loader refuses what is discarded at random"
    amount = number_of(game, effect.amount, context)
    chosen: list[ObjectId] = []
    for player in players_meant(game, effect.player, context):
        hand = tuple(game.state.players[player].hand)
        chosen += yield from choose_objects(
            game, player, hand, amount, amount, context=context, kind="discard", rule="701.8b"
        )
    happened = yield from perform(
        *(
            Move("701.8a", context.cause, item, ZoneKind.GRAVEYARD, manner="discarded")
            for item in chosen
        )
    )
    return became(happened)


def mill(game: Position, effect: Mill, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Put the top cards of libraries into graveyards, as many as there are (CR 701.13)."""
    amount = number_of(game, effect.amount, context)
    happened = yield from perform(
        *(
            Move("701.13a", context.cause, item, ZoneKind.GRAVEYARD, manner="milled")
            for player in players_meant(game, effect.player, context)
            for item in game.state.players[player].library[:amount]
        )
    )
    return became(happened)


def scry(game: Position, effect: Scry, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Let players look at top cards and put any of them on the bottom (CR 701.18).

    Scrying 0 is nothing (701.18b). The rest stays on top, in an order of the player's choice. Who
    watches learns how many cards went to the bottom, not which.
    """
    amount = number_of(game, effect.amount, context)
    for player in players_meant(game, effect.player, context):
        seen = tuple(game.state.players[player].library[:amount])
        if not seen:
            continue
        yield from perform(
            Reveal("701.18a", context.cause, player, ZoneKind.LIBRARY, seen, (player,))
        )
        bottom = yield from _in_order(game, player, seen, context, "bottom")
        rest = tuple(item for item in seen if item not in bottom)
        top = yield from _in_order(game, player, rest, context, "top")
        yield from perform(Arrange("701.18a", context.cause, player, top, bottom))
    return ()


def _in_order(
    game: Position, player: PlayerId, candidates: tuple[ObjectId, ...], context: Context, kind: str
) -> Procedure[tuple[ObjectId, ...]]:
    """Let a player choose any of the cards for the bottom, or the order of those on top."""
    minimum = len(candidates) if kind == "top" else 0
    if minimum == len(candidates) and minimum <= 1:
        return candidates
    prompt = SelectObjects(
        **prompt_fields(game, player, "701.18a", context.source),
        kind=kind,
        text=f"Choose what goes on the {kind} of your library, in order",
        candidates=candidates,
        minimum=minimum,
        maximum=len(candidates),
        ordered=True,
    )
    return (yield from ask_for(ChooseObjects, prompt)).objects


def rename(
    player: PlayerId, zone: ZoneKind, context: Context
) -> Procedure[dict[ObjectId, ObjectId]]:
    """Give a hidden zone's objects fresh ids and return those by the ids they had."""
    happened = yield from perform(Rename("400.2", context.cause, player, zone))
    for event in happened:
        if isinstance(event, ObjectsRenamed) and isinstance(event.secret, NewNames):
            return dict(event.secret.names)
    return {}


def destroy(game: Position, effect: Destroy, context: Context) -> Procedure[tuple[ObjectId, ...]]:
    """Destroy permanents at the same time (CR 701.7)."""
    found = yield from objects_meant(game, effect.what, context)
    permanents = on_battlefield(game, found)
    yield from perform(*(DestroyPermanent("701.7a", context.cause, item) for item in permanents))
    return permanents


def sacrifice(
    game: Position, effect: Sacrifice, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Let players sacrifice permanents they control (CR 701.17a); choices in APNAP order."""
    given: list[ObjectId] = []
    for player in players_meant(game, effect.player, context):
        given += yield from _sacrificed_by(game, player, effect, context)
    yield from perform(
        *(
            Move("701.17a", context.cause, item, ZoneKind.GRAVEYARD, manner="sacrificed")
            for item in given
        )
    )
    return tuple(given)


def _sacrificed_by(
    game: Position, player: PlayerId, effect: Sacrifice, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    mine = game.permanents_of(player)
    if isinstance(effect.what, Chosen):
        description = msgspec.structs.replace(effect.what.what, controller="any")
        candidates = tuple(item for item in mine if fits(game, description, item, context))
        amount = number_of(game, effect.what.amount, context)
        return (
            yield from choose_objects(
                game,
                player,
                candidates,
                0 if effect.what.up_to else amount,
                amount,
                context=context,
                kind="sacrifice",
                rule="701.17a",
            )
        )
    found = yield from objects_meant(game, effect.what, context)
    return tuple(item for item in found if item in mine)


def move_objects(
    game: Position, effect: MoveObjects, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Put objects into a zone at the same time: return, exile, put onto the battlefield.

    What chooses secretly from a hidden zone and puts it into another leaves no trail: the zone's
    objects get fresh ids first. Of several put on top of a library the first chosen is on top.
    """
    found = yield from objects_meant(game, effect.what, context)
    there = tuple(
        item
        for item in existing(game, effect.what, found, context)
        if _can_move(game, item, effect)
    )
    if isinstance(effect.what, Chosen) and effect.to in HIDDEN_ZONES:
        there = yield from _untraced(game, there, context)
    moves: list[Move] = []
    for item in reversed(there) if _position(effect) == 0 else there:
        moves += yield from _moves_of(game, item, effect, context)
    happened = yield from perform(*moves)
    return became(happened)


def _can_move(game: Position, item: ObjectId, effect: MoveObjects) -> bool:
    """Say whether it can go there: it is elsewhere, no ability, no token outside (CR 111.8)."""
    found = game.state.objects[item]
    stack_item = game.state.items.get(item)
    if stack_item is not None and stack_item.ability:
        return False
    if found.is_token and found.zone != ZoneKind.BATTLEFIELD:
        return False
    if effect.to == ZoneKind.BATTLEFIELD and game.characteristics(item).is_instant_or_sorcery:
        return False  # it can't enter the battlefield (CR 304.4, 307.4)
    return found.zone != effect.to or effect.to == ZoneKind.LIBRARY


def _untraced(
    game: Position, items: tuple[ObjectId, ...], context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Return the objects, with fresh ids where they lie in a hand."""
    owners = dict.fromkeys(
        game.state.objects[item].owner
        for item in items
        if game.state.objects[item].zone == ZoneKind.HAND
    )
    fresh: dict[ObjectId, ObjectId] = {}
    for owner in owners:
        fresh.update((yield from rename(owner, ZoneKind.HAND, context)))
    return tuple(fresh.get(item, item) for item in items)


_MANNERS = {
    ZoneKind.EXILE: "exiled",
    ZoneKind.HAND: "returned",
    ZoneKind.BATTLEFIELD: "put",
    ZoneKind.LIBRARY: "put",
    ZoneKind.GRAVEYARD: "put",
}
_RULES = {ZoneKind.EXILE: "701.11a", ZoneKind.BATTLEFIELD: "110.2a"}


def _moves_of(
    game: Position, item: ObjectId, effect: MoveObjects, context: Context
) -> Procedure[tuple[Move, ...]]:
    """Return the move of an object, none if it is an Aura that has nothing to enchant (303.4g)."""
    manner = _MANNERS.get(effect.to, "put")
    if effect.to == ZoneKind.LIBRARY and effect.library_position == "bottom":
        manner = "put-on-bottom"
    move = Move(
        _RULES.get(effect.to, "608.2c"),
        context.cause,
        item,
        effect.to,
        manner=manner,
        controller=context.you if effect.under_your_control else NOBODY,
        tapped=effect.tapped,
        position=_position(effect),
        counters=effect.counters,
    )
    if effect.to != ZoneKind.BATTLEFIELD or "Aura" not in game.characteristics(item).subtypes:
        return (move,)
    owner = game.state.objects[item].owner
    player = context.you if effect.under_your_control else owner
    host = yield from _enchanted_by(game, item, player, context)
    return (msgspec.structs.replace(move, attach_to=host),) if host else ()


def _position(effect: MoveObjects) -> int:
    is_on_top = effect.to == ZoneKind.LIBRARY and effect.library_position == "top"
    return 0 if is_on_top else -1


def _enchanted_by(
    game: Position, aura: ObjectId, player: PlayerId, context: Context
) -> Procedure[ObjectId]:
    """Let a player choose what an Aura that enters without being cast enchants (CR 303.4f).

    It targets nothing: only what it can enchant and protection from it matter (303.4i, 702.16c).
    """
    keyword = game.characteristics(aura).keyword("enchant")
    if keyword is None or keyword.filter is None:
        return NOTHING
    found = tuple(
        item
        for item in every(game, keyword.filter, Context(source=aura, you=player))
        if not has_protection_from(game, item, aura)
    )
    chosen = yield from choose_objects(
        game, player, found, 1, 1, context=context, kind="enchant", rule="303.4f"
    )
    return chosen[0] if chosen else NOTHING


def counter_spell(
    game: Position, effect: CounterSpell, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Counter spells and abilities: a spell goes to its owner's graveyard (CR 701.5a)."""
    found = yield from objects_meant(game, effect.what, context)
    countered = tuple(
        item
        for item in found
        if game.is_in(item, ZoneKind.STACK) and not cannot_be_countered(game, item)
    )
    for item in countered:
        yield from counter(game, item, "701.5a", context.cause, effect.instead)
    return countered


def counter(
    game: Position,
    item: ObjectId,
    rule: str,
    cause: int,
    to: ZoneKind = ZoneKind.GRAVEYARD,
) -> Procedure[None]:
    """Take a spell or ability off the stack, which does not resolve (CR 701.5a, 608.2b)."""
    stack_item = game.state.items[item]
    gone = occur(ObjectCountered(rule, cause, item))
    position = 0 if to == ZoneKind.LIBRARY else -1
    if stack_item.ability:
        yield from perform(gone)
    else:
        yield from perform(gone, Move(rule, cause, item, to, manner="countered", position=position))


def cannot_be_countered(game: Position, item: ObjectId) -> bool:
    """Say whether an ability of the spell or a permanent keeps it from being countered (101.2)."""
    if any(isinstance(rule, CannotBeCountered) for rule in game.characteristics(item).rules):
        return True
    for source in (item, *game.state.battlefield):
        for ability in game.characteristics(source).abilities:
            if isinstance(ability, StaticAbility) and any(
                isinstance(part, CannotBeCountered) for part in ability.modifications
            ):
                context = Context(source=source, you=game.controller_of(source))
                is_own = source == item and isinstance(ability.affects, This)
                if is_own or item in objects_of(game, ability.affects, context):
                    return True
    return False


def create_tokens(
    game: Position, effect: CreateTokens, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Create tokens under players' control at the same time (CR 111, 701.6)."""
    amount = number_of(game, effect.amount, context)
    card = game.definitions.token(effect.token)
    happened = yield from perform(
        *(
            MakeToken("701.6a", context.cause, player, card, tapped=effect.tapped)
            for player in players_meant(game, effect.player, context)
            for _ in range(amount)
        )
    )
    return became(happened)


def shuffle_library(
    game: Position, effect: ShuffleLibrary, context: Context
) -> Procedure[tuple[ObjectId, ...]]:
    """Shuffle players' libraries (CR 701.20)."""
    if effect.on_top is not None:
        return (yield from shuffle_around(game, effect, context))
    players = players_meant(game, effect.player, context)
    yield from perform(*(Shuffle("701.20a", context.cause, player) for player in players))
    return ()
