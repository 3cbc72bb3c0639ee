"""The ability model's trigger conditions (CR 603); re-exported by `cards/model.py`."""

from __future__ import annotations

from typing import Literal

from ..events.ids import Step
from .model_objects import Filter, Node, Players


class Enters(Node, frozen=True):
    """Whenever such a permanent enters the battlefield (CR 603.6a)."""

    what: Filter


class Dies(Node, frozen=True):
    """Whenever such a permanent is put into a graveyard from the battlefield (CR 700.4)."""

    what: Filter


class LeavesBattlefield(Node, frozen=True):
    """Whenever such a permanent leaves the battlefield (CR 603.6c)."""

    what: Filter


class Attacks(Node, frozen=True):
    """Whenever such a creature is declared as an attacker (CR 508.3a), perhaps alone (506.5)."""

    what: Filter
    alone: bool = False


class Blocks(Node, frozen=True):
    """Whenever such a creature is declared as a blocker (CR 509.3a)."""

    what: Filter


class BecomesBlocked(Node, frozen=True):
    """Whenever such an attacking creature becomes blocked (CR 509.3c)."""

    what: Filter


class CastsSpell(Node, frozen=True):
    """Whenever a player casts such a spell (CR 601.2i)."""

    player: Players
    what: Filter


class DealsDamage(Node, frozen=True):
    """Whenever such a source deals damage (CR 120.3)."""

    what: Filter
    combat_only: bool = False
    to: Literal["any", "player", "opponent", "creature"] = "any"


class StepBegins(Node, frozen=True):
    """At the beginning of a step of those players' turns (CR 603.2b)."""

    step: Step
    whose: Players


class BecomesTapped(Node, frozen=True):
    """Whenever such a permanent becomes tapped."""

    what: Filter


class BecomesTarget(Node, frozen=True):
    """Whenever such an object becomes the target of a spell or ability."""

    what: Filter
    by_opponent: bool = False


class GainsLife(Node, frozen=True):
    """Whenever a player gains life."""

    player: Players


class Discards(Node, frozen=True):
    """Whenever a player discards a card (CR 701.8)."""

    player: Players


class DrawsCard(Node, frozen=True):
    """Whenever a player draws a card."""

    player: Players


Trigger = (
    Enters
    | Dies
    | LeavesBattlefield
    | Attacks
    | Blocks
    | BecomesBlocked
    | CastsSpell
    | DealsDamage
    | StepBegins
    | BecomesTapped
    | BecomesTarget
    | GainsLife
    | DrawsCard
    | Discards
)
