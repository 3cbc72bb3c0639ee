"""The ability model's changes of characteristics and of rules; re-exported by `cards/model.py`.

`GrantAbility` stands in `model_core.py`: it holds abilities, which hold modifications.
"""

from __future__ import annotations

from .model_hidden import (
    ExiledInsteadOfGraveyard,
    MayBeginOnBattlefield,
    PlayRevealed,
    SkipStep,
    SpellsHaveFlash,
)
from .model_objects import Amount, Filter, Node, Players


class ModifyPowerToughness(Node, frozen=True):
    """+X/+Y (layer 7c)."""

    power: Amount
    toughness: Amount


class SetPowerToughness(Node, frozen=True):
    """Base power and toughness are set (layer 7b), or defined (7a) by a CDA."""

    power: Amount | None = None
    toughness: Amount | None = None
    defining: bool = False


class SwitchPowerToughness(Node, frozen=True):
    """Power and toughness are switched (layer 7d)."""


class LoseAbilities(Node, frozen=True):
    """The object loses the named keywords, or all abilities where none is named (layer 6)."""

    keywords: tuple[str, ...] = ()


class ChangeTypes(Node, frozen=True):
    """Types are set or added (layer 4).

    Without `in_addition`, given subtypes replace the subtypes of the same kind (CR 205.1a); given
    card types replace card types; `creature_types` or `land_types` say which kind subtypes are.
    """

    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    in_addition: bool = False


class ChangeColors(Node, frozen=True):
    """Colours are set, or added with `in_addition` (layer 5); none is colourless."""

    colors: tuple[str, ...] = ()
    in_addition: bool = False


class ChangeControl(Node, frozen=True):
    """The object's controller changes (layer 2)."""

    to: Players


class CannotAttack(Node, frozen=True):
    """The creature can't attack (CR 508.1c)."""


class CannotBlock(Node, frozen=True):
    """The creature can't block (CR 509.1b)."""

    attackers: Filter | None = None


class CannotBeBlocked(Node, frozen=True):
    """The creature can't be blocked, or only by what the filter describes, or not by that."""

    except_by: Filter | None = None
    by: Filter | None = None


class BlockersAtMost(Node, frozen=True):
    """The creature can't be blocked by more than so many creatures."""

    maximum: int


class BlockersAtLeast(Node, frozen=True):
    """The creature can't be blocked except by so many creatures or more."""

    minimum: int


class CanBlockAdditional(Node, frozen=True):
    """The creature can block so many more creatures each combat; -1 is any number."""

    extra: int


class DoesNotUntap(Node, frozen=True):
    """The permanent doesn't untap during its controller's untap step (CR 502.3)."""


class MustAttack(Node, frozen=True):
    """The creature attacks each combat if able (CR 508.1d)."""


class MustBlock(Node, frozen=True):
    """The creature blocks each combat if able (CR 509.1c)."""


class MustBeBlocked(Node, frozen=True):
    """The creature must be blocked if able; with `by_all`, by all able to block it."""

    by_all: bool = False


class CannotBeTargeted(Node, frozen=True):
    """The object can't be the target of spells or abilities (of opponents)."""

    opponents_only: bool = False


class CannotBeCountered(Node, frozen=True):
    """The spell can't be countered."""


RuleChange = (
    CannotAttack
    | CannotBlock
    | CannotBeBlocked
    | BlockersAtMost
    | BlockersAtLeast
    | CanBlockAdditional
    | DoesNotUntap
    | MustAttack
    | MustBlock
    | MustBeBlocked
    | CannotBeTargeted
    | CannotBeCountered
    | PlayRevealed
    | SkipStep
    | MayBeginOnBattlefield
    | SpellsHaveFlash
    | ExiledInsteadOfGraveyard
)
"""Changes of the rules for an object: after the layers, in timestamp order (CR 613.11)."""
