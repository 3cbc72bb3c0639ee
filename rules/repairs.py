"""What a judge may do to mend a game (CR 100.6, 104.3k): each remedy checked, then carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from ..cards.model import TriggeredAbility
from ..events.game import PlayerLost
from ..events.ids import HIDDEN_ZONES, NOBODY, NOTHING, CommitNumber, ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..events.stack import AbilityTriggered
from ..events.taking_back import (
    BackUp,
    CorrectLife,
    LifeCorrected,
    PutBackAtRandom,
    PutMissedTrigger,
    RecordLoss,
    Remedy,
    RepairMade,
    RepairOffered,
    TakenBack,
)
from .actions import TO_BE_NUMBERED, Move, Rename, occur
from .endings import decide_endings
from .protocol import Procedure, perform

if TYPE_CHECKING:
    from ..projections.position import Position

RULE = "100.6"
"""Tournaments have rules of their own for what went wrong; a judge applies them."""


def check_remedy(game: Position, remedy: Remedy, *, midway: bool) -> Refused | None:
    """Say why a remedy cannot be carried out now; `midway`: something is half-way."""
    match remedy:
        case BackUp():
            return None
        case PutBackAtRandom(player=player, count=count):
            return _check_player(game, player) or _check_put_back(
                game, player, count, midway=midway
            )
        case PutMissedTrigger():
            return _check_trigger(game, remedy)
        case CorrectLife(player=player) | RecordLoss(player=player):
            return _check_player(game, player)
        case _:
            assert_never(remedy)


def offer_repair(remedy: Remedy) -> Procedure[None]:
    """Put a repair to the players, whose consent it needs where no judge was named."""
    yield from perform(occur(RepairOffered(RULE, 0, remedy)))


def mend(game: Position, remedy: Remedy, number: int) -> Procedure[None]:
    """Carry a remedy out; `number` is of the commit that does."""
    yield from perform(occur(RepairMade(RULE, 0, remedy)))
    cause = game.state.next_sequence
    match remedy:
        case BackUp(to=to):
            yield from perform(occur(TakenBack(RULE, cause, to, CommitNumber(number - 1))))
        case PutBackAtRandom():
            yield from _put_back(game, remedy, cause)
        case PutMissedTrigger():
            yield from perform(occur(_missed(game, remedy, cause)))
        case CorrectLife(player=player, life=life):
            yield from perform(occur(LifeCorrected(RULE, cause, player, life)))
        case RecordLoss(player=player):
            yield from perform(occur(PlayerLost("104.3k", cause, player, "judge")))
            yield from decide_endings(game)
        case _:
            assert_never(remedy)


def triggered_abilities(game: Position, source: ObjectId) -> tuple[TriggeredAbility, ...]:
    """Return the triggered abilities of an object, in the order in which it has them."""
    return tuple(
        ability
        for ability in game.characteristics(source).abilities
        if isinstance(ability, TriggeredAbility)
    )


def _check_player(game: Position, player: PlayerId) -> Refused | None:
    players = game.state.players
    if 0 <= player < len(players) and not players[player].has_left:
        return None
    detail = "that is no player who is in the game"
    return Refused(Code.CHOICE_ILLEGAL, RULE, detail, "name a player who is in the game")


def _check_put_back(
    game: Position, player: PlayerId, count: int, *, midway: bool
) -> Refused | None:
    if midway:
        detail = "something is half-way that may ask for the hand as it is"
        return Refused(Code.WRONG_TIME, RULE, detail, "wait until it is done")
    held = len(game.state.players[player].hand)
    if not 1 <= count <= held:
        detail = f"{count} of {held} cards cannot be put back"
        return Refused(Code.CHOICE_ILLEGAL, RULE, detail, "name as many as the hand has, or fewer")
    return None


def _check_trigger(game: Position, remedy: PutMissedTrigger) -> Refused | None:
    found = game.state.objects.get(remedy.source)
    if found is None or found.zone in HIDDEN_ZONES:
        detail = "there is no such object that all can see"
        return Refused(Code.NO_SUCH_OBJECT, "603.2", detail, "name an object in a public zone")
    if not 0 <= remedy.number < len(triggered_abilities(game, remedy.source)):
        detail = f"{game.name_of(remedy.source)} has no such triggered ability"
        return Refused(Code.NO_SUCH_ABILITY, "603.1", detail, "name one of its triggered abilities")
    if remedy.about not in (NOTHING, *game.state.objects):
        detail = "what it should be about is not there"
        return Refused(Code.NO_SUCH_OBJECT, "603.2", detail, "name an object that is there")
    return None


def _put_back(game: Position, remedy: PutBackAtRandom, cause: int) -> Procedure[None]:
    """Put cards of a hand into the library, chosen by chance and seen by nobody else.

    The hand's cards get fresh ids by chance first, so that the lowest id is any of them, and who
    knew some of them does not know whether it was one of these.
    """
    player = remedy.player
    yield from perform(Rename(RULE, cause, player, ZoneKind.HAND))
    chosen = sorted(game.state.players[player].hand)[: remedy.count]
    position = -1 if remedy.on_bottom else 0
    for item in chosen:
        move = Move(RULE, cause, item, ZoneKind.LIBRARY, "put-back", position=position)
        yield from perform(move)


def _missed(game: Position, remedy: PutMissedTrigger, cause: int) -> AbilityTriggered:
    """Return the trigger that was missed: it waits, and goes on the stack as others do."""
    source = remedy.source
    controller = game.controller_of(source)
    ability = triggered_abilities(game, source)[remedy.number]
    about = remedy.about
    player = remedy.about_player
    if about == NOTHING and player == NOBODY:
        about, player = source, controller
    return AbilityTriggered(
        "603.2",
        cause,
        TO_BE_NUMBERED,
        source,
        controller,
        game.definitions.digest_of_ability(ability),
        about,
        player,
        0,
        0,
    )
