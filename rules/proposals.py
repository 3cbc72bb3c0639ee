"""What casting and activating have in common: modes, targets and X are announced (CR 601.2b-d)."""

from __future__ import annotations

from ..cards.model import Body
from ..events.decisions import ActivateAbility, CastSpell
from ..events.refused import Code, Refused
from ..events.stack import ChosenTarget
from ..projections.context import Context
from ..projections.position import Position
from .targets import check_modes, check_targets, choices, mode_choices, phrases_of, target_choices

Proposal = CastSpell | ActivateAbility
"""A decision that announces modes, targets and X."""


def check_x(name: str, x: int, *, has_x: bool) -> Refused | None:
    """Return None if the number chosen for X may be chosen (CR 107.3a, 107.3g)."""
    if x < 0:
        return Refused(Code.X_ILLEGAL, "107.1b", f"X of {name} can't be less than 0", "choose 0")
    if x and not has_x:
        return Refused(Code.X_ILLEGAL, "107.3a", f"{name} has no X in its cost", "choose no X")
    return None


def check_choices(
    game: Position, body: Body, proposal: Proposal, context: Context
) -> Refused | None:
    """Return None if the announced modes and targets are legal (CR 601.2b, 601.2c)."""
    refused = check_modes(game, body, proposal.modes, context)
    if refused is not None:
        return refused
    phrases = phrases_of(body, proposal.modes)
    return check_targets(game, phrases, proposal.targets, context)


def with_forced_choices(
    game: Position, body: Body, proposal: Proposal, context: Context
) -> tuple[tuple[ChosenTarget, ...], tuple[int, ...]]:
    """Return the proposal's targets and modes, filled in where they are open and forced."""
    targets, modes = proposal.targets, proposal.modes
    if targets or not (body.targets or body.modes):
        return targets, modes
    if body.modes and not modes:
        found = choices(game, body, context)
        first = next(found, None)
        is_forced = first is not None and next(found, None) is None
        return first if first is not None and is_forced else (targets, modes)
    if body.modes and modes not in tuple(mode_choices(body)):
        return targets, modes
    sets = target_choices(game, phrases_of(body, modes), context)
    only = next(sets, None)
    if only is not None and next(sets, None) is None:
        return only, modes
    return targets, modes
