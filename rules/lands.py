"""Playing lands (CR 305, 116.2a)."""

from __future__ import annotations

from ..events.catalog import AnyEvent
from ..events.decisions import PlayLand
from ..events.ids import MAIN_PHASES, NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..events.stack import LandPlayed
from ..events.zones import ObjectMoved
from ..projections.position import Position
from .actions import Move, occur
from .naming import is_there, name_for
from .protocol import Procedure, perform
from .timing import check_priority, check_sorcery_time

LANDS_EACH_TURN = 1
"""How many lands a player may play in each of their turns (CR 305.2)."""


def check_play_land(game: Position, player: PlayerId, decision: PlayLand) -> Refused | None:
    """Return None if the player may play the land now (CR 305.1-305.3)."""
    refused = check_priority(game, player) or check_in_hand(game, player, decision.object, "305.1")
    if refused is not None:
        return refused
    name = game.name_of(decision.object)
    if not game.characteristics(decision.object).is_land:
        detail = f"{name or 'that card'} is not a land"
        return Refused(Code.NOT_A_LAND, "305.1", detail, "cast it instead")
    if game.state.turn.active != player:
        detail = f"{name} is a land: it is not your turn"
        return Refused(Code.WRONG_TIME, "305.3", detail, "play it in your own turn")
    return check_sorcery_time(game, player, f"{name} is a land", "305.1") or _check_count(
        game, player, name
    )


def _check_count(game: Position, player: PlayerId, name: str) -> Refused | None:
    if game.state.players[player].lands_played < LANDS_EACH_TURN:
        return None
    detail = f"you have played a land this turn, so {name} has to wait"
    return Refused(Code.LAND_ALREADY_PLAYED, "305.2b", detail, "play it in your next turn")


def check_in_hand(
    game: Position, player: PlayerId, object_id: ObjectId, rule: str
) -> Refused | None:
    """Return None if the object is a card in the player's own hand."""
    if not is_there(game, player, object_id):
        detail = f"there is no object #{object_id}"
        return Refused(Code.NO_SUCH_OBJECT, rule, detail, "name a card that is in your hand")
    found = game.state.objects[object_id]
    if found.zone == ZoneKind.HAND and found.owner == player:
        return None
    name = name_for(game, player, object_id)
    return Refused(
        Code.WRONG_ZONE, rule, f"{name} is not in your hand", f"have {name} in your hand"
    )


def may_play_lands(game: Position, player: PlayerId) -> bool:
    """Say whether the player with priority may play a land now, if they have one (CR 305.3)."""
    turn = game.state.turn
    return (
        turn.active == player
        and turn.step in MAIN_PHASES
        and not game.state.stack
        and game.state.players[player].lands_played < LANDS_EACH_TURN
    )


def play_land(game: Position, decision: PlayLand) -> Procedure[None]:
    """Put the land onto the battlefield: a special action, which uses no stack (CR 116.2a)."""
    player = decision.player
    happened = yield from perform(
        Move(
            "305.1",
            0,
            decision.object,
            ZoneKind.BATTLEFIELD,
            manner="played",
            controller=player,
        )
    )
    yield from perform(occur(LandPlayed("116.2a", 0, moved_to(happened), player)))


def moved_to(happened: tuple[AnyEvent, ...]) -> ObjectId:
    """Return what the object that moved has become (CR 400.7)."""
    for event in reversed(happened):
        if isinstance(event, ObjectMoved):
            return event.becomes
    return NOTHING
