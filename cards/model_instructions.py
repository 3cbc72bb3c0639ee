"""The ability model's instructions that hold no others; re-exported by `cards/model.py`."""

from __future__ import annotations

from typing import Literal

from ..events.ids import ZoneKind
from .model_objects import Amount, Node, Number, Objects, Players, Recipient, This, You


class DealDamage(Node, frozen=True):
    """A source deals damage to recipients (CR 120)."""

    amount: Amount
    to: Recipient
    source: Objects = This()


class GainLife(Node, frozen=True):
    """Players gain life (CR 119)."""

    player: Players
    amount: Amount


class LoseLife(Node, frozen=True):
    """Players lose life (CR 119)."""

    player: Players
    amount: Amount


class DrawCards(Node, frozen=True):
    """Players draw cards, one at a time (CR 121.2)."""

    player: Players
    amount: Amount


class Discard(Node, frozen=True):
    """Players discard cards of their choice, or at random (CR 701.8)."""

    player: Players
    amount: Amount
    at_random: bool = False


class Mill(Node, frozen=True):
    """Players put the top cards of their libraries into their graveyards (CR 701.13)."""

    player: Players
    amount: Amount


class Scry(Node, frozen=True):
    """Players look at top cards and put any of them on the bottom (CR 701.18)."""

    player: Players
    amount: Amount


class Destroy(Node, frozen=True):
    """Permanents are destroyed (CR 701.7)."""

    what: Objects
    no_regeneration: bool = False


class Sacrifice(Node, frozen=True):
    """Players sacrifice permanents (CR 701.17)."""

    player: Players
    what: Objects


class TapObjects(Node, frozen=True):
    """Permanents are tapped (CR 701.21)."""

    what: Objects


class UntapObjects(Node, frozen=True):
    """Permanents are untapped (CR 701.21)."""

    what: Objects


class MoveObjects(Node, frozen=True):
    """Objects are put into a zone: returned to hand, exiled, put onto the battlefield.

    Into a hand, library or graveyard it is their owner's. Onto the battlefield they come under
    their owner's control, or the ability's controller's with `under_your_control`, and enter with
    the counters.
    """

    what: Objects
    to: ZoneKind
    tapped: bool = False
    under_your_control: bool = False
    library_position: Literal["top", "bottom"] = "top"
    counters: tuple[tuple[str, int], ...] = ()


class PutCounters(Node, frozen=True):
    """Counters are put on objects (CR 122)."""

    what: Objects
    kind: str
    amount: Amount


class RemoveCounters(Node, frozen=True):
    """Counters are removed from objects (CR 122)."""

    what: Objects
    kind: str
    amount: Amount


class Attach(Node, frozen=True):
    """A permanent becomes attached to another object (CR 701.3)."""

    to: Objects
    what: Objects = This()


class CounterSpell(Node, frozen=True):
    """Spells or abilities on the stack are countered (CR 701.5).

    A spell may go elsewhere than to its owner's graveyard: `instead` (on top, in a library).
    """

    what: Objects
    instead: ZoneKind = ZoneKind.GRAVEYARD


class Fight(Node, frozen=True):
    """Two creatures fight (CR 701.12)."""

    first: Objects
    second: Objects


class AddMana(Node, frozen=True):
    """Mana is added to a player's pool (CR 106.4): each option is a string of symbols.

    More than one option is a choice; `amount` repeats the chosen one.
    """

    options: tuple[str, ...]
    player: Players = You()
    amount: Amount = Number(1)


class ShuffleLibrary(Node, frozen=True):
    """Players shuffle their libraries (CR 701.20), perhaps around a card that then goes on top."""

    player: Players
    on_top: Objects | None = None


class WinGame(Node, frozen=True):
    """A player wins the game (CR 104.2b)."""

    player: Players


class LoseGame(Node, frozen=True):
    """Players lose the game (CR 104.3e)."""

    player: Players
