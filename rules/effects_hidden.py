"""Effects on hidden cards: look, reveal, search, choose among what is seen (CR 701.16-19, 401.5).

What everybody is shown stays known to them as long as they can follow it; what one player looks
at, to that one alone (701.16e).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..cards.model import (
    ChooseCards,
    DiscardCards,
    ExileTopFaceDown,
    LookAtHand,
    PlayRevealed,
    PutAndRest,
    RevealCards,
    RevealHand,
    RevealTop,
    SearchLibrary,
    ShuffleLibrary,
)
from ..events.edition import SETUP_VARIANTS
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.zones import LibraryArranged, NewNames
from ..projections.context import Context
from ..projections.filters import every, objects_of
from ..projections.redaction import is_known
from ..projections.state import players_in_turn_order
from .actions import Arrange, Move, Reveal, Shuffle
from .effects_base import became, choose_objects, follow, number_of, players_meant
from .protocol import Procedure, perform

if TYPE_CHECKING:
    from ..projections.position import Position

Dealt = Procedure[tuple[ObjectId, ...]]


def everybody(game: Position) -> tuple[PlayerId, ...]:
    """Return all seats: who sees what is revealed (CR 701.16a)."""
    return tuple(PlayerId(seat) for seat in range(len(game.state.players)))


def look_at_hand(game: Position, effect: LookAtHand, context: Context) -> Dealt:
    """Let the controller alone look at a hand (CR 701.16e)."""
    for player in players_meant(game, effect.player, context):
        hand = tuple(game.state.players[player].hand)
        yield from perform(
            Reveal("701.16e", context.cause, player, ZoneKind.HAND, hand, (context.you,))
        )
    return ()


def reveal_hand(game: Position, effect: RevealHand, context: Context) -> Dealt:
    """Show players' hands to everybody (CR 701.16a)."""
    yield from perform(
        *(
            Reveal(
                "701.16a",
                context.cause,
                player,
                ZoneKind.HAND,
                tuple(game.state.players[player].hand),
                everybody(game),
            )
            for player in players_meant(game, effect.player, context)
        )
    )
    return ()


def reveal_top(game: Position, effect: RevealTop, context: Context) -> Dealt:
    """Show the top cards of players' libraries to everybody (CR 701.16a)."""
    tops: tuple[ObjectId, ...] = ()
    for player in players_meant(game, effect.player, context):
        top = tuple(game.state.players[player].library[:1])
        if top:
            yield from perform(
                Reveal("701.16a", context.cause, player, ZoneKind.LIBRARY, top, everybody(game))
            )
        tops += top
    return tops


def reveal_cards(game: Position, effect: RevealCards, context: Context) -> Dealt:
    """Show cards that were chosen or found to everybody (CR 701.16a)."""
    found = tuple(
        item for item in objects_of(game, effect.what, context) if item in game.state.objects
    )
    yield from _show(game, found, everybody(game), context)
    return found


def _show(
    game: Position, found: tuple[ObjectId, ...], readers: tuple[PlayerId, ...], context: Context
) -> Procedure[None]:
    for item in found:
        there = game.state.objects[item]
        if there.zone in (ZoneKind.HAND, ZoneKind.LIBRARY):
            yield from perform(
                Reveal("701.16a", context.cause, there.owner, there.zone, (item,), readers)
            )


def choose_cards(game: Position, effect: ChooseCards, context: Context) -> Dealt:
    """Let a player choose a card among those they see; what follows if they have (608.2d)."""
    if effect.among is not None:
        candidates = tuple(objects_of(game, effect.among, context))
    else:
        assert effect.what is not None, "cards of a hand, or among cards that were found"
        candidates = every(game, effect.what, context)
    chosen: tuple[ObjectId, ...] = ()
    for player in players_meant(game, effect.by, context):
        chosen = yield from choose_objects(
            game,
            player,
            candidates,
            0 if effect.optional else 1,
            1,
            context=context,
            from_hidden=True,
        )
    if chosen and effect.then:
        yield from follow(game, effect.then, _with_earlier(context, chosen))
    return chosen


def _with_earlier(context: Context, dealt: tuple[ObjectId, ...]) -> Context:
    return msgspec.structs.replace(context, earlier=(*context.earlier, dealt))


def discard_cards(game: Position, effect: DiscardCards, context: Context) -> Dealt:
    """Let particular cards be discarded from a hand (CR 701.8a)."""
    happened = yield from perform(
        *(
            Move("701.8a", context.cause, item, ZoneKind.GRAVEYARD, manner="discarded")
            for item in objects_of(game, effect.what, context)
            if game.is_in(item, ZoneKind.HAND)
        )
    )
    return became(happened)


def search_library(game: Position, effect: SearchLibrary, context: Context) -> Dealt:
    """Let the controller look through their library and find cards (CR 701.19).

    With a description they need not find any (701.19b). What is found goes on top until the library
    is shuffled, under fresh ids: who watches learns how many cards were found, not where they lay.
    """
    player = context.you
    library = tuple(game.state.players[player].library)
    amount = number_of(game, effect.amount, context)
    if not library:
        return ()
    cause = context.cause
    yield from perform(Reveal("701.19a", cause, player, ZoneKind.LIBRARY, library, (player,)))
    candidates = every(game, effect.what, context)
    found = yield from choose_objects(
        game,
        player,
        candidates,
        0 if effect.up_to or is_described(effect) else amount,
        amount,
        context=context,
        kind="search",
        rule="701.19a",
        from_hidden=True,
    )
    rest = tuple(item for item in library if item not in found)
    names = yield from _arranged(player, (*found, *rest), context)
    fresh = tuple(names[item] for item in found)
    if effect.reveal and fresh:
        readers = everybody(game)
        yield from perform(Reveal("701.16a", cause, player, ZoneKind.LIBRARY, fresh, readers))
    return fresh


def is_described(effect: SearchLibrary) -> bool:
    """Say whether what is searched for is more than "a card" (CR 701.19b, 701.19c)."""
    what = effect.what
    bare = type(what)(zone=what.zone, owner=what.owner)
    return what != bare


def _arranged(
    player: PlayerId, order: tuple[ObjectId, ...], context: Context
) -> Procedure[dict[ObjectId, ObjectId]]:
    """Put a whole library in an order; return the fresh ids by those before."""
    happened = yield from perform(Arrange("701.19a", context.cause, player, order, ()))
    for event in happened:
        if isinstance(event, LibraryArranged) and isinstance(event.secret, NewNames):
            return dict(event.secret.names)
    return {}


def shuffle_around(game: Position, effect: ShuffleLibrary, context: Context) -> Dealt:
    """Shuffle a library, then put the card that was found on top of it (CR 701.20b).

    After the shuffle any card alike stands for it: nobody can tell them apart. Those who knew the
    card know it on top.
    """
    assert effect.on_top is not None, "a card that was found"
    found = tuple(
        item
        for item in objects_of(game, effect.on_top, context)
        if game.is_in(item, ZoneKind.LIBRARY)
    )
    for player in players_meant(game, effect.player, context):
        card = game.state.objects[found[0]].card if found else None
        known_to = game.state.objects[found[0]].known_to if found else 0
        yield from perform(Shuffle("701.20a", context.cause, player))
        if card is None:
            continue
        library = tuple(game.state.players[player].library)
        top = next(item for item in library if game.state.objects[item].card == card)
        order = (top, *(item for item in library if item != top))
        names = yield from _arranged(player, order, context)
        readers = tuple(seat for seat in everybody(game) if is_known(known_to, seat))
        yield from perform(
            Reveal("701.20b", context.cause, player, ZoneKind.LIBRARY, (names[top],), readers)
        )
    return ()


def exile_top_face_down(game: Position, _effect: ExileTopFaceDown, context: Context) -> Dealt:
    """Exile the top card of the controller's library face down (CR 406.3)."""
    happened = yield from perform(
        *(
            Move("406.3", context.cause, item, ZoneKind.EXILE, manner="exiled", face_down=True)
            for item in game.state.players[context.you].library[:1]
        )
    )
    return became(happened)


def put_and_rest(game: Position, effect: PutAndRest, context: Context) -> Dealt:
    """Put the cards chosen into one zone and the rest of them into another, at once."""
    chosen = tuple(objects_of(game, effect.what, context))
    all_found = tuple(objects_of(game, effect.rest_of, context))
    rest = tuple(item for item in all_found if item not in chosen)
    moves = [
        Move("608.2c", context.cause, item, zone, manner="put")
        for items, zone in ((chosen, effect.to), (rest, effect.rest_to))
        for item in items
        if item in game.state.objects
    ]
    return became((yield from perform(*moves)))


def show_played_revealed(game: Position) -> Procedure[bool]:
    """Reveal what players play with revealed and somebody does not know yet (CR 401.5, 402.3)."""
    shown = tuple(
        action
        for item in game.state.battlefield
        for rule in game.characteristics(item).rules
        if isinstance(rule, PlayRevealed)
        for action in _to_be_shown(game, rule, game.controller_of(item))
    )
    mates = (*_shown_to_mates(game), *_shown_to_controllers(game))
    yield from perform(*dict.fromkeys((*shown, *mates)))
    return bool(shown or mates)


def _shown_to_mates(game: Position) -> tuple[Reveal, ...]:
    """Return the looks of team-mates at each other's hands (CR 810.5)."""
    variant = SETUP_VARIANTS.get(game.state.variant)
    if variant is None:
        return ()
    found = []
    for seat in everybody(game):
        readers = tuple(PlayerId(mate) for mate in variant.team_mates(seat))
        hand = tuple(
            item
            for item in game.state.players[seat].hand
            if not all(is_known(game.state.objects[item].known_to, mate) for mate in readers)
        )
        if hand:
            found.append(Reveal("810.5", 0, seat, ZoneKind.HAND, hand, readers))
    return tuple(found)


def _shown_to_controllers(game: Position) -> tuple[Reveal, ...]:
    """Return the looks of controllers at their face-down spells and permanents (CR 708.5)."""
    found = []
    for item in (*game.state.battlefield, *game.state.stack):
        there = game.state.objects[item]
        you = game.controller_of(item)
        if there.face_down and not is_known(there.known_to, you):
            found.append(Reveal("708.5", 0, there.owner, there.zone, (item,), (you,)))
    return tuple(found)


def reveal_face_down(game: Position, owners: tuple[PlayerId, ...]) -> Procedure[None]:
    """Reveal players' face-down permanents as they leave or the game ends (CR 708.9)."""
    found = tuple(
        item
        for item in (*game.state.battlefield, *game.state.stack)
        if game.state.objects[item].face_down and game.state.objects[item].owner in owners
    )
    readers = everybody(game)
    yield from perform(
        *(
            Reveal(
                "708.9",
                0,
                game.state.objects[item].owner,
                game.state.objects[item].zone,
                (item,),
                readers,
            )
            for item in found
        )
    )


def _to_be_shown(game: Position, rule: PlayRevealed, you: PlayerId) -> tuple[Reveal, ...]:
    """Return the reveals of what is not known to all: the number of cards in hands is public."""
    zone = ZoneKind.HAND if rule.what == "hand" else ZoneKind.LIBRARY
    found = []
    for player in players_in_turn_order(game.state, game.state.turn.active):
        if (rule.players == "opponents" and player == you) or (
            rule.players == "you" and player != you
        ):
            continue
        mine = game.state.players[player]
        cards = tuple(mine.hand) if rule.what == "hand" else tuple(mine.library[:1])
        seats = everybody(game)
        unknown = tuple(
            item
            for item in cards
            if not all(is_known(game.state.objects[item].known_to, seat) for seat in seats)
        )
        if unknown:
            found.append(Reveal("401.5", 0, player, zone, unknown, seats))
    return tuple(found)
