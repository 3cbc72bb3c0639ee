"""The ability model's conditions, costs and durations; re-exported by `cards/model.py`."""

from __future__ import annotations

from typing import Literal

from .model_objects import Amount, Chosen, Filter, Node, Objects, This


class Exists(Node, frozen=True):
    """At least so many such objects exist ("as long as you control a Dragon")."""

    what: Filter
    at_least: int = 1


class Matches(Node, frozen=True):
    """The objects named are as the filter says ("as long as it's attacking")."""

    of: Objects
    what: Filter


class Compare(Node, frozen=True):
    """One number stands in a relation to another ("if you have 40 or more life")."""

    left: Amount
    right: Amount
    relation: Literal["=", "<=", ">=", "<", ">"]


class YourTurn(Node, frozen=True):
    """It is the controller's turn."""


class NotSo(Node, frozen=True):
    """The condition does not hold."""

    condition: Condition


class AllOf(Node, frozen=True):
    """All the conditions hold."""

    conditions: tuple[Condition, ...]


Condition = Exists | Matches | Compare | YourTurn | NotSo | AllOf


class Cost(Node, frozen=True):
    """What is paid: mana in symbols ("{2}{R}", CR 107.4) and further parts (CR 118)."""

    mana: str = ""
    tap: bool = False
    untap: bool = False
    life: int = 0
    loyalty: int | None = None
    sacrifice: Chosen | This | None = None
    discard: Chosen | This | None = None
    exile: Chosen | This | None = None
    return_to_hand: Chosen | This | None = None
    tap_others: Chosen | None = None
    remove_counters: tuple[str, int] | None = None


Duration = Literal[
    "end-of-turn",
    "this-turn",
    "static",
    "for-ever",
    "until-your-next-turn",
    "end-of-combat",
    "next-untap-step",
    "while-source-remains",
]
""""next-untap-step" lasts through the affected permanents' controller's next untap step."""
