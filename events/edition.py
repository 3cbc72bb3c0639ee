"""Editions of the rules: what projections and procedures need of one, as plain data."""

from __future__ import annotations

from enum import IntEnum

import msgspec

from .errors import EngineError


class Layer(IntEnum):
    """The layers and sublayers of CR 613.1-613.4, and the changes of rules of 613.11."""

    COPY = 10
    FACE_DOWN = 11
    CONTROL = 20
    TEXT = 30
    TYPE = 40
    COLOR = 50
    ABILITY = 60
    DEFINE_POWER_TOUGHNESS = 70
    SET_POWER_TOUGHNESS = 71
    MODIFY_POWER_TOUGHNESS = 72
    SWITCH_POWER_TOUGHNESS = 73
    RULES = 80


class Edition(msgspec.Struct, frozen=True):
    """The rules a game is played under, pinned in commit 0.

    `layers` is the order of CR 613.1; `starting_hand` the size of CR 103.5; `poison_to_lose` that
    of 704.5c. `mulligan` names the procedure in `rules/`.
    """

    name: str
    layers: tuple[Layer, ...]
    mulligan: str
    starting_hand: int = 7
    poison_to_lose: int = 10
    has_mana_burn: bool = False


EDITION_2025_02 = Edition(name="2025-02", layers=tuple(Layer), mulligan="london")

EDITIONS = {EDITION_2025_02.name: EDITION_2025_02}
"""The editions that are built."""

NAMED_EDITIONS = ("2025-02", "2014-07", "2008-10")
"""The editions that a game may name; `current` stands for the first when a game is made."""


class EditionNotBuilt(EngineError):
    """The game names an edition of the rules that is not built."""


def edition_named(name: str) -> Edition:
    """Return the edition of that name; raise EditionNotBuilt with a sentence if there is none."""
    found = EDITIONS.get("2025-02" if name == "current" else name)
    if found is None:
        known = "is not built yet" if name in NAMED_EDITIONS else "is not an edition of the rules"
        msg = f"the edition {name!r} {known}; --edition takes current or 2025-02"
        raise EditionNotBuilt(msg)
    return found


class Variant(msgspec.Struct, frozen=True):
    """A variant of play: starting life, how many players, and how many are a team.

    Of one that is for set-up only the rules are built up to the end of the mulligans.
    """

    name: str
    life: int
    players_minimum: int
    players_maximum: int
    team_size: int = 1
    is_setup_only: bool = False

    def team_mates(self, seat: int) -> tuple[int, ...]:
        """Return the other seats of a player's team, who sit side by side (CR 810.2, 805)."""
        first = seat - seat % self.team_size
        return tuple(mate for mate in range(first, first + self.team_size) if mate != seat)


SETUP_VARIANTS = {
    "commander": Variant("commander", 40, 2, 16, is_setup_only=True),
    "two-headed-giant": Variant("two-headed-giant", 30, 4, 4, team_size=2, is_setup_only=True),
}
"""The variants of which set-up and mulligans are built (CR 903.6-903.7, 810.3-810.5, 103.5c)."""

VARIANTS = {
    "duel": Variant("duel", 20, 2, 2),
    "free-for-all": Variant("free-for-all", 20, 3, 16),
}
"""The variants that are built (CR 100.1a, 806)."""

NAMED_VARIANTS = (
    "duel",
    "free-for-all",
    "two-headed-giant",
    "commander",
    "archenemy",
    "planechase",
    "vanguard",
    "emperor",
    "conspiracy",
    "limited-range",
)
"""The variants that a game or scenario may name."""


class VariantNotBuilt(EngineError):
    """The game names a variant that is not built."""


def variant_of(name: str) -> Variant:
    """Return the variant of that name, also one that is for set-up only."""
    return SETUP_VARIANTS.get(name) or variant_named(name)


def variant_named(name: str) -> Variant:
    """Return the variant of that name; raise VariantNotBuilt with a sentence if there is none."""
    found = VARIANTS.get(name)
    if found is None:
        known = "is not built yet" if name in NAMED_VARIANTS else "is not a variant"
        msg = f"the variant {name!r} {known}; --variant takes {' or '.join(VARIANTS)}"
        raise VariantNotBuilt(msg)
    return found
