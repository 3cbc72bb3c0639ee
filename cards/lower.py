"""What words stand for: which target, which "it", which "those creatures" (CR 608.2c).

The grammar recognises phrases; a `Scope` gives them their place in the model. It belongs to one
body (the text of one spell or ability), and goes back with the reader when a reading fails.
"""

from __future__ import annotations

from ..events.ids import ZoneKind
from .model import (
    Continuously,
    CreateTokens,
    Earlier,
    Every,
    Instruction,
    MoveObjects,
    Objects,
    Players,
    Target,
    TargetSpec,
)

_HIDES_WHAT_IT_WAS = (ZoneKind.HAND, ZoneKind.LIBRARY, ZoneKind.EXILE, ZoneKind.GRAVEYARD)

ScopeMark = tuple[
    int, Objects | None, Objects | None, Objects | None, Players | None, bool, ZoneKind | None
]


class Scope:
    """The antecedents of one body's pronouns, and its targets in the order of the text."""

    __slots__ = ("functions_in", "it", "its", "pending", "targets", "that_player", "them")

    def __init__(self, it: Objects | None = None, that_player: Players | None = None) -> None:
        """Begin a body whose trigger, if any, spoke of `it` and of `that_player`."""
        self.targets: list[TargetSpec] = []
        self.it = it
        self.its = it  # whose controller, power, …: as it was before it changed zones (608.2h)
        self.them: Objects | None = None
        self.that_player = that_player
        self.pending = False
        self.functions_in: ZoneKind | None = None  # said by "return this card from your graveyard"

    def mark(self) -> ScopeMark:
        """Return what `reset` needs to come back to this moment."""
        return (
            len(self.targets),
            self.it,
            self.its,
            self.them,
            self.that_player,
            self.pending,
            self.functions_in,
        )

    def reset(self, mark: ScopeMark) -> None:
        """Forget what was read since the mark."""
        count, self.it, self.its, self.them, self.that_player, self.pending, self.functions_in = (
            mark
        )
        del self.targets[count:]

    def new_target(self, spec: TargetSpec) -> Target:
        """Take the next target phrase of the body; later pronouns may mean what it chooses."""
        target = Target(len(self.targets))
        self.targets.append(spec)
        if spec.what is not None:
            if spec.maximum == 1:
                self.it = self.its = target
            else:
                self.them = target
        if spec.players != "none":
            self.that_player = target
        return target

    def spoke_of(self, what: Objects) -> None:
        """Remember objects that were named, for "it", "they" and "those creatures"."""
        if isinstance(what, Every):
            self.pending = True
        elif not isinstance(what, Target):
            self.it = self.its = what

    def gave(self, instruction: Instruction, index: int | None) -> None:
        """Remember what the index-th instruction of the body dealt with."""
        made = isinstance(instruction, CreateTokens)
        moved = isinstance(instruction, MoveObjects) and not isinstance(instruction.what, Every)
        if self.pending or made:
            self.them = Earlier(index) if index is not None else None
        if made or moved:
            self.it = Earlier(index) if index is not None else None
            if not (isinstance(instruction, MoveObjects) and instruction.to in _HIDES_WHAT_IT_WAS):
                self.its = self.it
        self.pending = False


def continued(instruction: Instruction, before: Instruction) -> Instruction | None:
    """Return one effect in place of two that change the same objects for the same time."""
    if (
        isinstance(instruction, Continuously)
        and isinstance(before, Continuously)
        and instruction.what == before.what
        and instruction.duration == before.duration
    ):
        return Continuously(
            what=before.what,
            modifications=before.modifications + instruction.modifications,
            duration=before.duration,
        )
    return None
