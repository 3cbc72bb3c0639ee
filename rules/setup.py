"""Starting a game: starting player, shuffles, opening hands, mulligans in rounds (CR 103)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..cards.model import MayBeginOnBattlefield, StaticAbility
from ..events.base import Decision
from ..events.decisions import ChooseObjects, KeepHand, TakeMulligan
from ..events.game import (
    HandKept,
    MulliganDeclared,
    MulliganTaken,
    OpeningHandsDone,
    StartingPlayerChosen,
)
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..projections.state import players_in_turn_order
from .actions import Draw, Move, Shuffle, occur
from .effects_hidden import show_played_revealed
from .prompts import SelectObjects, prompt_fields, taken_as
from .protocol import Procedure, Prompt, ask, ask_for, perform
from .turn import begin_turn

if TYPE_CHECKING:
    from ..projections.position import Position


class MulliganPrompt(Prompt, frozen=True, kw_only=True):
    """Keep the hand, or take a mulligan? Answered by `KeepHand` or `TakeMulligan` (CR 103.5)."""

    kind: str = "mulligan"

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None for keeping, and for a mulligan that may still be taken."""
        if isinstance(decision, TakeMulligan) and not may_mulligan(game, self.player):
            detail = "the next opening hand would have no cards"
            return Refused(Code.CHOICE_ILLEGAL, self.rule, detail, "keep this hand")
        kind = TakeMulligan if isinstance(decision, TakeMulligan) else KeepHand
        taken = taken_as(self, decision, kind)
        return taken if isinstance(taken, Refused) else None

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield keeping first."""
        yield KeepHand(self.seat, self.player, self.counter)
        if may_mulligan(game, self.player):
            yield TakeMulligan(self.seat, self.player, self.counter)


def begin_game(game: Position, starting_player: PlayerId) -> Procedure[None]:
    """Choose the starting player, shuffle the decks and draw opening hands (CR 103.1-103.5)."""
    yield from perform(occur(StartingPlayerChosen("103.1", 0, starting_player)))
    order = players_in_turn_order(game.state, starting_player)
    for player in order:
        yield from perform(Shuffle("103.3", 0, player))
    for player in order:
        yield from _draw_hand(game, player, "103.5")


def _draw_hand(game: Position, player: PlayerId, rule: str) -> Procedure[None]:
    size = min(game.edition.starting_hand, len(game.state.players[player].library))
    yield from perform(*(Draw(rule, 0, player) for _ in range(size)))


def mulligans(game: Position) -> Procedure[None]:
    """Ask the next player of this round; after the last one all mulligans are taken (CR 103.5).

    In a round each player who has not kept says in turn order whether to keep or to mulligan; then
    those who said so take it at the same time.
    """
    state = game.state
    order = players_in_turn_order(state, state.starting_player)
    yield from show_played_revealed(game)
    for player in order:
        if is_to_be_asked(game, player):
            prompt = MulliganPrompt(
                **prompt_fields(game, player, "103.5"),
                quiescent=True,
                text="Keep this hand?",
            )
            decision = yield from ask(prompt)
            declared = isinstance(decision, TakeMulligan)
            event = MulliganDeclared if declared else HandKept
            yield from perform(occur(event("103.5", 0, player)))
            break
    if any(is_to_be_asked(game, player) for player in order):
        return
    for player in order:
        mine = game.state.players[player]
        if mine.has_declared_mulligan and not mine.has_left:
            yield from _take_mulligan(game, player)
    present = players_in_turn_order(game.state, game.state.starting_player)
    if all(game.state.players[player].has_kept for player in present):
        yield from _opening_actions(game, present)
        yield from perform(occur(OpeningHandsDone("103.8", 0)))
        yield from begin_turn(game, present[0])


def _opening_actions(game: Position, order: tuple[PlayerId, ...]) -> Procedure[None]:
    """Let players begin the game with cards of their opening hands on the battlefield (103.6a).

    Where a card of the game may say so every player is asked in turn order, whatever they hold.
    """
    if not game.definitions.speaks_of(MayBeginOnBattlefield()):
        return
    for player in order:
        hand = tuple(game.state.players[player].hand)
        able = tuple(item for item in hand if _may_begin(game, item))
        prompt = SelectObjects(
            **prompt_fields(game, player, "103.6a"),
            kind="opening",
            text="Choose what begins the game on the battlefield",
            candidates=able,
            minimum=0,
            maximum=len(able),
        )
        decision = yield from ask_for(ChooseObjects, prompt)
        yield from perform(
            *(
                Move("103.6a", 0, item, ZoneKind.BATTLEFIELD, manner="put")
                for item in decision.objects
            )
        )


def _may_begin(game: Position, item: ObjectId) -> bool:
    return any(
        isinstance(ability, StaticAbility) and MayBeginOnBattlefield() in ability.modifications
        for ability in game.characteristics(item).abilities
    )


def is_to_be_asked(game: Position, player: PlayerId) -> bool:
    """Say whether a player has yet to decide in this round of mulligans (CR 103.5)."""
    mine = game.state.players[player]
    return not mine.has_left and not mine.has_kept and not mine.has_declared_mulligan


def cards_to_bottom(game: Position, player: PlayerId) -> int:
    """Return how many cards a player puts back after the mulligan just taken (CR 103.5, 103.5c).

    The first mulligan is free in a multiplayer game.
    """
    taken = game.state.players[player].mulligans
    is_multiplayer = len(game.state.players) > 2
    return max(0, taken - 1) if is_multiplayer else taken


def may_mulligan(game: Position, player: PlayerId) -> bool:
    """Say whether a player may still mulligan: not to an opening hand of no cards (CR 103.5)."""
    return cards_to_bottom(game, player) < game.edition.starting_hand


def _take_mulligan(game: Position, player: PlayerId) -> Procedure[None]:
    hand = tuple(game.state.players[player].hand)
    yield from perform(
        occur(MulliganTaken("103.5", 0, player)),
        *(Move("103.5", 0, item, ZoneKind.LIBRARY, manner="shuffled-in") for item in hand),
    )
    yield from perform(Shuffle("103.5", 0, player))
    yield from _draw_hand(game, player, "103.5")
    count = cards_to_bottom(game, player)
    hand = tuple(game.state.players[player].hand)
    if count <= 0:
        return
    prompt = SelectObjects(
        **prompt_fields(game, player, "103.5"),
        kind="bottom",
        text=f"Put {count} on the bottom of your library, the last one lowest",
        candidates=hand,
        minimum=min(count, len(hand)),
        maximum=min(count, len(hand)),
        ordered=True,
    )
    decision = yield from ask_for(ChooseObjects, prompt)
    yield from perform(
        *(
            Move("103.5", 0, item, ZoneKind.LIBRARY, manner="put-on-bottom", position=-1)
            for item in decision.objects
        )
    )
