"""The ability model's nouns: what an ability points at, filters and numbers.

Re-exported by `cards/model.py`, which is what the rest of the program imports.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ..events.ids import ZoneKind


class Node(msgspec.Struct, frozen=True, omit_defaults=True, tag=True):
    """A record of the model; the tag is the class's name."""


class This(Node, frozen=True):
    """The object that has the ability ("this creature", the card's own name, CR 201.5)."""


class AttachedTo(Node, frozen=True):
    """The object or player that this permanent is attached to ("enchanted creature")."""


class Target(Node, frozen=True):
    """The objects or players chosen for the n-th target phrase of the ability, from 0 (CR 115)."""

    index: int = 0


class Earlier(Node, frozen=True):
    """What the n-th earlier instruction of this ability dealt with ("those creatures", "it")."""

    index: int = 0


class EventObject(Node, frozen=True):
    """The object that the trigger event was about ("that creature", "that spell")."""


class Every(Node, frozen=True):
    """All objects that the filter describes."""

    what: Filter


class Chosen(Node, frozen=True):
    """Objects picked while resolving, without targeting ("a creature you control").

    `ordered` where the player chooses their order too ("in any order"): the first is on top; `own`
    where each of several players chooses among their own cards.
    """

    by: Players
    what: Filter
    amount: Amount
    up_to: bool = False
    at_random: bool = False
    ordered: bool = False
    own: bool = False


class You(Node, frozen=True):
    """The controller of the ability (CR 109.5)."""


class EachPlayer(Node, frozen=True):
    """Every player, or every opponent of the controller, in APNAP order."""

    opponents_only: bool = False


class EventPlayer(Node, frozen=True):
    """The player that the trigger event was about ("that player")."""


class DefendingPlayer(Node, frozen=True):
    """The player that the attacking source attacks (CR 508.5)."""


class ControllerOf(Node, frozen=True):
    """The controller of an object, as it last existed if need be (CR 608.2h)."""

    of: Objects


class OwnerOf(Node, frozen=True):
    """The owner of an object."""

    of: Objects


Objects = This | AttachedTo | Target | Earlier | EventObject | Every | Chosen


Players = You | EachPlayer | EventPlayer | DefendingPlayer | ControllerOf | OwnerOf | Target


Recipient = (
    This
    | AttachedTo
    | Target
    | Earlier
    | EventObject
    | Every
    | Chosen
    | You
    | EachPlayer
    | EventPlayer
    | DefendingPlayer
    | ControllerOf
    | OwnerOf
)
"""Objects or players: what damage is dealt to, what a spell may target."""


class Comparison(Node, frozen=True):
    """A test of a number: power, toughness, mana value, how many."""

    value: Amount
    relation: Literal["=", "<=", ">=", "<", ">"] = "="


class Filter(Node, frozen=True):
    """A description of objects ("other tapped creatures you control with flying").

    All that is said must hold. `any_type` is an "or" over card types and subtypes, `types` an
    "and". `identity` narrows to the source itself, to what it is attached to, or to others.
    `controller` is whose they are, on the stack and battlefield; `owner` elsewhere. With `any_of`
    at least one of these filters must hold too ("attacking or blocking"); their zone is not asked.

    Card types, supertypes, colours and keywords are written in lower case ("creature", "basic",
    "red", "first strike"), subtypes as printed ("Forest"); `not_types` may hold either kind of
    type. "Colorless" is none of the five colours. Zone STACK describes spells.
    """

    zone: ZoneKind = ZoneKind.BATTLEFIELD
    types: tuple[str, ...] = ()
    any_type: tuple[str, ...] = ()
    not_types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    not_supertypes: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    any_color: tuple[str, ...] = ()
    not_colors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    not_keywords: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    identity: Literal["any", "other", "this", "attached", "not-attached"] = "any"
    controller: Literal["any", "you", "opponent", "not-you"] | Players = "any"
    owner: Literal["any", "you", "opponent", "not-you"] | Players = "any"
    tapped: bool | None = None
    attacking: bool | None = None
    blocking: bool | None = None
    blocked: bool | None = None
    token: bool | None = None
    face_down: bool | None = None
    power: Comparison | None = None
    toughness: Comparison | None = None
    mana_value: Comparison | None = None
    counters: str = ""
    any_of: tuple[Filter, ...] = ()


class Number(Node, frozen=True):
    """A printed number."""

    value: int


class VariableX(Node, frozen=True):
    """The X of this spell or ability (CR 107.3)."""


class CountOf(Node, frozen=True):
    """How many objects the filter finds, times a factor ("1 life for each creature")."""

    what: Filter
    each: int = 1


class PowerOf(Node, frozen=True):
    """The power of an object, current or last known (CR 608.2h)."""

    of: Objects


class ToughnessOf(Node, frozen=True):
    """The toughness of an object, current or last known."""

    of: Objects


class ManaValueOf(Node, frozen=True):
    """The mana value of an object (CR 202.3)."""

    of: Objects


class CountersOn(Node, frozen=True):
    """The number of counters of a kind on an object."""

    of: Objects
    kind: str


class CardsInHand(Node, frozen=True):
    """The number of cards in a player's hand."""

    of: Players


class LifeTotal(Node, frozen=True):
    """A player's life total."""

    of: Players


class EventAmount(Node, frozen=True):
    """The number in the trigger event ("that much damage")."""


class Negative(Node, frozen=True):
    """The number with its sign turned ("-X/-X")."""

    of: Amount


Amount = (
    Number
    | VariableX
    | CountOf
    | PowerOf
    | ToughnessOf
    | ManaValueOf
    | CountersOn
    | CardsInHand
    | LifeTotal
    | EventAmount
    | Negative
)
