"""What an agent gets to see: the game as its seat may know it, and nothing beyond.

For speed it reads the whole position, but every reading is bounded by what the seat knows; over a
seat's redacted view it says the same. A hidden card is no object here, and has no name.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import cast

from ..events.base import Decision
from ..events.decisions import AnyDecision
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.refused import Refused
from ..projections.characteristics import NO_CHARACTERISTICS, Characteristics
from ..projections.position import Position
from ..projections.redaction import is_known
from ..projections.state import Combat, GameObject, Player, StackItem, Turn
from ..projections.state import players_in_turn_order as in_turn_order
from ..rules.combat_attack import able_attackers, attackable
from ..rules.combat_block import able_blockers, attackers_of, blockers_at_least
from ..rules.combat_evasion import why_cannot_block
from ..rules.legal import complete
from ..rules.mana import activated_abilities
from ..rules.protocol import Prompt


class SeatKnowledge:
    """A seat's knowledge of a position, the questions that agents ask of it."""

    __slots__ = ("_game", "seat")

    def __init__(self, game: Position, seat: PlayerId) -> None:
        self._game = game
        self.seat = seat

    # Answers to a prompt

    def options(self, prompt: Prompt, limit: int) -> tuple[AnyDecision, ...]:
        """Return up to so many legal answers to the seat's own prompt, the suggestion first."""
        return tuple(islice(self.lazy_options(prompt), limit))

    def lazy_options(self, prompt: Prompt) -> Iterator[AnyDecision]:
        """Return legal answers to the seat's own prompt, one after the other."""
        assert prompt.seat == self.seat, "an agent answers for its own seat"
        return cast("Iterator[AnyDecision]", prompt.options(self._game))

    def suggestion(self, prompt: Prompt) -> AnyDecision:
        """Return the answer that the engine suggests."""
        return cast("AnyDecision", prompt.suggest(self._game))

    def is_accepted(self, prompt: Prompt, decision: Decision) -> bool:
        """Whether an answer would be accepted, what it leaves open filled in."""
        completed = complete(self._game, decision, prompt)
        if isinstance(completed, Refused):
            return False
        return prompt.is_legal(self._game, completed) is None

    # Players, turn and stack: public

    @property
    def turn(self) -> Turn:
        """Where in the turn the game is."""
        return self._game.state.turn

    @property
    def combat(self) -> Combat:
        """Who attacks and blocks."""
        return self._game.state.combat

    @property
    def stack(self) -> tuple[ObjectId, ...]:
        """What is on the stack, the top last."""
        return tuple(self._game.state.stack)

    def item(self, object_id: ObjectId) -> StackItem | None:
        """Return what was chosen for something on the stack."""
        return self._game.state.items.get(object_id)

    def player(self, player: PlayerId) -> Player:
        """Return a player's record; of its hidden zones only the sizes are to be read."""
        return self._game.state.players[player]

    def opponents(self) -> tuple[PlayerId, ...]:
        """Return the other players who are still in the game, in turn order from the seat."""
        order = in_turn_order(self._game.state, self.seat)
        return tuple(player for player in order if player != self.seat)

    def hand_size(self, player: PlayerId) -> int:
        """Return how many cards a player holds."""
        return len(self._game.state.players[player].hand)

    # Objects, as far as the seat knows them

    def seen(self, object_id: ObjectId) -> GameObject | None:
        """Return an object that the seat may see; None if there is none or it is hidden."""
        found = self._game.state.objects.get(object_id)
        if found is None:
            return None
        if found.zone == ZoneKind.HAND and not is_known(found.known_to, self.seat):
            return None
        return found

    def traits(self, object_id: ObjectId) -> Characteristics:
        """Return an object's characteristics; those of nothing for a card the seat can't see."""
        found = self._game.state.objects.get(object_id)
        if found is not None and not is_known(found.known_to, self.seat):
            return NO_CHARACTERISTICS
        return self._game.characteristics(object_id)

    def permanents_of(self, player: PlayerId) -> tuple[ObjectId, ...]:
        """Return the permanents a player controls, oldest first."""
        return self._game.permanents_of(player)

    def hand(self) -> tuple[ObjectId, ...]:
        """Return the seat's own hand, by id."""
        return tuple(sorted(self._game.state.players[self.seat].hand))

    def activated(self, object_id: ObjectId, number: int) -> object:
        """Return an activated ability of an object by its place."""
        abilities = activated_abilities(self.traits(object_id))
        return abilities[number] if 0 <= number < len(abilities) else None

    # Combat

    def attackable(self) -> tuple[tuple[PlayerId, ObjectId], ...]:
        """Return what the seat may attack."""
        return attackable(self._game, self.seat)

    def able_attackers(self) -> tuple[ObjectId, ...]:
        """Return the creatures with which the seat could attack now."""
        return able_attackers(self._game, self.seat)

    def attackers(self) -> tuple[ObjectId, ...]:
        """Return the creatures that attack the seat."""
        return attackers_of(self._game, self.seat)

    def able_blockers(self, player: PlayerId) -> tuple[ObjectId, ...]:
        """Return the creatures with which a player could block something now."""
        return able_blockers(self._game, player)

    def blockers_needed(self, attacker: ObjectId) -> int:
        """Return how many creatures must block an attacker if any does."""
        return blockers_at_least(self._game, attacker)

    def can_block(self, blocker: ObjectId, attacker: ObjectId) -> bool:
        """Whether a creature could block another, looking at that pair alone."""
        return why_cannot_block(self._game, blocker, attacker) is None
