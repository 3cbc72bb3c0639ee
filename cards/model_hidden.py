"""The ability model's instructions about hidden cards; re-exported by `cards/model.py`."""

from __future__ import annotations

from typing import Literal

from ..events.ids import Step, ZoneKind
from .model_objects import Amount, Filter, Node, Objects, Players


class LookAtHand(Node, frozen=True):
    """You look at a player's hand: nobody else sees it (CR 701.16e, 402.3)."""

    player: Players


class RevealHand(Node, frozen=True):
    """Players reveal their hands (CR 701.16a)."""

    player: Players


class RevealTop(Node, frozen=True):
    """Players reveal the top card of their libraries (CR 701.16a)."""

    player: Players


class RevealCards(Node, frozen=True):
    """A player reveals cards that were chosen or found (CR 701.16a)."""

    player: Players
    what: Objects


class DiscardCards(Node, frozen=True):
    """A player discards particular cards (CR 701.8)."""

    player: Players
    what: Objects


class SearchLibrary(Node, frozen=True):
    """You look through your library for cards and perhaps reveal what you find (CR 701.19).

    With a description one may fail to find (701.19b), up to the number that is there.
    """

    what: Filter
    amount: Amount
    up_to: bool = False
    reveal: bool = False


class ExileTopFaceDown(Node, frozen=True):
    """You exile the top card of your library face down: nobody may look at it (CR 406.3)."""


class PutAndRest(Node, frozen=True):
    """Some of the cards found go to one zone and the rest of them to another, at once."""

    what: Objects
    to: ZoneKind
    rest_of: Objects
    rest_to: ZoneKind


class PlayRevealed(Node, frozen=True):
    """Players play with their hands, or the top cards of their libraries, revealed (CR 401.5)."""

    players: Literal["all", "you", "opponents"]
    what: Literal["hand", "top"]


class SkipStep(Node, frozen=True):
    """You skip that step of your turns (CR 614.10)."""

    step: Step


class MayBeginOnBattlefield(Node, frozen=True):
    """In your opening hand you may begin the game with it on the battlefield (CR 103.6a)."""


class SpellsHaveFlash(Node, frozen=True):
    """You may cast spells as though they had flash (CR 702.8a)."""


class ExiledInsteadOfGraveyard(Node, frozen=True):
    """What would be put into an opponent's graveyard from anywhere is exiled (CR 614.1a)."""


HIDDEN_INSTRUCTIONS = (
    LookAtHand
    | RevealHand
    | RevealTop
    | RevealCards
    | DiscardCards
    | SearchLibrary
    | ExileTopFaceDown
    | PutAndRest
)
HIDDEN_RULES = (
    PlayRevealed | SkipStep | MayBeginOnBattlefield | SpellsHaveFlash | ExiledInsteadOfGraveyard
)
