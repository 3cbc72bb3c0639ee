"""What words stand for: which target, which "it", which "those creatures" (CR 608.2c).

The grammar recognises phrases; a `Scope` gives them their place in the model. It belongs to one
body (the text of one spell or ability), and goes back with the reader when a reading fails.
"""

from __future__ import annotations

from ..events.ids import ZoneKind
from .model import (
    ChooseCards,
    Continuously,
    CreateTokens,
    Earlier,
    Every,
    ExileTopFaceDown,
    Filter,
    Instruction,
    LookAtHand,
    MoveObjects,
    Number,
    Objects,
    Players,
    RevealHand,
    RevealTop,
    SearchLibrary,
    Target,
    TargetSpec,
    This,
)
from .vocabulary import subtypes_of

_HIDES_WHAT_IT_WAS = (ZoneKind.HAND, ZoneKind.LIBRARY, ZoneKind.EXILE, ZoneKind.GRAVEYARD)

Nouns = frozenset[str]

ScopeMark = tuple[
    int,
    Objects | None,
    Objects | None,
    Objects | None,
    Players | None,
    bool,
    ZoneKind | None,
    Nouns,
    Nouns,
    Nouns,
    Objects | None,
    Nouns,
    Objects | None,
    Objects | None,
    bool,
    Players | None,
]


class Scope:
    """The antecedents of one body's pronouns, and its targets in the order of the text."""

    __slots__ = (
        "at",
        "functions_in",
        "hand",
        "held",
        "held_plural",
        "held_rest",
        "holder",
        "it",
        "its",
        "its_before",
        "its_nouns",
        "nouns",
        "pending",
        "targets",
        "that",
        "that_nouns",
        "that_player",
        "them",
        "them_nouns",
    )

    def __init__(
        self,
        it: Objects | None = None,
        that_player: Players | None = None,
        nouns: Nouns = frozenset(),
    ) -> None:
        """Begin a body whose trigger, if any, spoke of `it` and of `that_player`."""
        self.targets: list[TargetSpec] = []
        self.it = it
        self.its = it  # whose controller, power, …: as it was before it changed zones (608.2h)
        self.them: Objects | None = None
        self.that_player = that_player
        self.pending = False
        self.at = 0  # how many instructions the body has so far
        self.holder: int | None = None  # the instruction that holds those being read
        self.its_before = it
        self.that: Objects | None = None if isinstance(it, This) else it
        self.its_nouns = nouns
        self.nouns = self.that_nouns = nouns  # what "that creature" may be called
        self.them_nouns: Nouns = frozenset()
        self.functions_in: ZoneKind | None = None  # said by "return this card from your graveyard"
        self.held: Objects | None = None  # cards found, revealed or chosen
        self.held_rest: Objects | None = None  # the cards among which they were chosen
        self.held_plural = False
        self.hand: Players | None = None  # whose hand is seen

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
            self.nouns,
            self.that_nouns,
            self.them_nouns,
            self.that,
            self.its_nouns,
            self.held,
            self.held_rest,
            self.held_plural,
            self.hand,
        )

    def reset(self, mark: ScopeMark) -> None:
        """Forget what was read since the mark."""
        (
            count,
            self.it,
            self.its,
            self.them,
            self.that_player,
            self.pending,
            self.functions_in,
            self.nouns,
            self.that_nouns,
            self.them_nouns,
            self.that,
            self.its_nouns,
            self.held,
            self.held_rest,
            self.held_plural,
            self.hand,
        ) = mark
        del self.targets[count:]

    def new_target(self, spec: TargetSpec, nouns: Nouns = frozenset()) -> Target:
        """Take the next target phrase of the body; later pronouns may mean what it chooses."""
        target = Target(len(self.targets))
        self.targets.append(spec)
        self.nouns = nouns
        if spec.what is not None:
            if spec.maximum == 1:
                self.it = self.its = self.that = target
                self.that_nouns = self.its_nouns = nouns
            else:
                self.them = target
                self.them_nouns = nouns
        if spec.players != "none":
            self.that_player = target
        return target

    def spoke_of(self, what: Objects, nouns: Nouns) -> None:
        """Remember objects that were named, for "it", "they" and "those creatures"."""
        self.nouns = nouns
        if isinstance(what, Every):
            self.pending = True
            self.them_nouns = nouns
        elif isinstance(what, This):
            # With another object about, "it" could be either: the text must say "that creature".
            self.it = self.its = what if self.that is None else None
        elif not isinstance(what, Target):
            self.it = self.its = self.that = what
            self.that_nouns = self.its_nouns = nouns

    def gave(self, instruction: Instruction) -> None:
        """Remember what the instruction that was read last dealt with.

        One that holds others ("you may …") has dealt with what they dealt with.
        """
        dealt = Earlier(self.at if self.holder is None else self.holder)
        self.its_before = self.its
        if self._held_by(instruction, dealt):
            return
        if isinstance(instruction, CreateTokens):
            one = instruction.amount == Number(1)
            self.it = self.its = self.that = dealt if one else None
            self.them = None if one else dealt
            self.that_nouns = self.them_nouns = self.its_nouns = frozenset({"token"})
        elif self.pending:
            self.them = dealt
            if isinstance(instruction, MoveObjects):
                self.them_nouns |= {"card"}
        elif isinstance(instruction, MoveObjects) and instruction.what == self.them:
            self.them = dealt
            self.them_nouns |= {"card"}
        elif isinstance(instruction, MoveObjects):
            self.it = self.that = dealt
            if instruction.to in _HIDES_WHAT_IT_WAS:
                self.that_nouns = frozenset({"card"})
            else:
                self.its = dealt
        self.pending = False

    def _held_by(self, instruction: Instruction, dealt: Earlier) -> bool:
        """Remember cards that were found, revealed or chosen, and the hand that was seen."""
        match instruction:
            case LookAtHand(player=who) | RevealHand(player=who):
                self.hand = who
                return True
            case SearchLibrary(amount=amount):
                self._hold(dealt, plural=amount != Number(1), rest=None)
            case RevealTop() | ExileTopFaceDown():
                self._hold(dealt, plural=False, rest=None)
            case ChooseCards(among=among):
                self._hold(dealt, plural=False, rest=among)
            case _:
                return False
        return True

    def _hold(self, dealt: Earlier, *, plural: bool, rest: Objects | None) -> None:
        self.held, self.held_plural, self.held_rest = dealt, plural, rest
        if not plural:
            self.it = self.its = self.that = dealt
            self.that_nouns = self.its_nouns = frozenset({"card"})


def nouns_of(what: Filter, noun: str) -> Nouns:
    """Return what described objects may be called afterwards ("that creature")."""
    if what.zone is ZoneKind.STACK:
        return frozenset({"spell"})
    kinds = {name for name in (*what.types, *what.any_type) if name.islower()}
    if len(what.types) > 0 and not what.any_type:
        return frozenset({what.types[-1], noun} if noun == "card" else {what.types[-1]})
    for kind in ("creature", "land", "artifact", "enchantment", "planeswalker"):
        if not kinds and what.subtypes and what.subtypes[0] in subtypes_of(kind):
            return frozenset({kind, "permanent"})
    return frozenset({noun, "permanent"} if noun in {"card", "token"} else {"permanent"})


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
