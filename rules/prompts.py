"""The shapes of questions: one of, k of n, an order, a number, yes or no.

Each checks an answer, suggests one, and yields the legal ones lazily. What a prompt may hold is
ids and words that its seat may know: a decision never holds an option's index.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import TypedDict, TypeVar

from ..cards.model import Body
from ..events.base import Decision
from ..events.decisions import (
    Answer,
    ChooseNumber,
    ChooseObjects,
    ChoosePlayers,
    ChooseTargets,
    OrderObjects,
)
from ..events.ids import NOTHING, ObjectId, PlayerId
from ..events.refused import Code, Refused
from ..projections.context import Context
from ..projections.position import Position
from .naming import name_for, range_in_words
from .protocol import Prompt
from .targets import check_modes, check_targets, choices, phrases_of

D = TypeVar("D", bound=Decision)


class Asked(TypedDict):
    """Who answers, for whom, and the seat's count of decisions."""

    seat: PlayerId
    player: PlayerId
    counter: int


class PromptFields(Asked):
    """The fields that every prompt has: with the rule that asks, and the source."""

    rule: str
    source: ObjectId


def prompt_for(game: Position, player: PlayerId) -> Asked:
    """Return whom a question for the player goes to: `Prompt(**prompt_for(game, player), …)`.

    CR 720: another player may control the player; until one can, the seat is the player's own.
    """
    return Asked(seat=player, player=player, counter=game.state.decision_counters[player])


def prompt_fields(
    game: Position, player: PlayerId, rule: str, source: ObjectId = NOTHING
) -> PromptFields:
    """Return the fields of a prompt: `YesNo(**prompt_fields(game, player, "608.2d"))`."""
    return PromptFields(**prompt_for(game, player), rule=rule, source=source)


def check_addressed(prompt: Prompt, decision: Decision) -> Refused | None:
    """Return None if it comes from the seat asked, for the player asked, with the right count."""
    if decision.seat != prompt.seat or decision.player != prompt.player:
        return Refused(
            Code.NOT_ASKED,
            prompt.rule,
            f"seat {prompt.seat} is asked for player {prompt.player}, not seat {decision.seat}",
            "wait until that seat is asked",
        )
    if decision.counter != prompt.counter:
        return Refused(
            Code.WRONG_COUNTER,
            prompt.rule,
            f"this is decision {prompt.counter} of the seat, the answer is numbered "
            f"{decision.counter}",
            "answer the prompt that is open",
        )
    return None


def taken_as(prompt: Prompt, decision: Decision, kind: type[D]) -> D | Refused:
    """Return the decision if it is of the kind that answers the prompt, else why it does not."""
    if not isinstance(decision, kind):
        return Refused(
            Code.WRONG_ANSWER,
            prompt.rule,
            f"a {prompt.kind} prompt is answered by {kind.__name__}, "
            f"not by {type(decision).__name__}",
            f"answer the {prompt.kind} prompt first",
        )
    return check_addressed(prompt, decision) or decision


class YesNo(Prompt, frozen=True, kw_only=True):
    """May the player do something? Answered by `Answer`; the suggestion is no."""

    kind: str = "may"

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None for a yes or a no."""
        taken = taken_as(self, decision, Answer)
        return taken if isinstance(taken, Refused) else None

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield no, then yes."""
        yield Answer(self.seat, self.player, self.counter, yes=False)
        yield Answer(self.seat, self.player, self.counter, yes=True)


class SelectObjects(Prompt, frozen=True, kw_only=True):
    """Choose between `minimum` and `maximum` of the candidates; in an order where `ordered`.

    Answered by `ChooseObjects`. `kind` says what for: discard, bottom, sacrifice, legend, choose.
    """

    kind: str = "choose"
    candidates: tuple[ObjectId, ...]
    minimum: int = 1
    maximum: int = 1
    ordered: bool = False

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None if so many different candidates are chosen."""
        taken = taken_as(self, decision, ChooseObjects)
        if isinstance(taken, Refused):
            return taken
        refused = _check_count(self, taken.objects, self.minimum, self.maximum)
        if refused is not None:
            return refused
        for item in taken.objects:
            if item not in self.candidates:
                named = name_for(game, self.player, item)
                detail = f"{named} is not among what may be chosen"
                change = "choose among what may be"
                return Refused(Code.CHOICE_ILLEGAL, self.rule, detail, change)
        return None

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield choices, the smallest first, in the order of the candidates."""
        choose = permutations if self.ordered else combinations
        for size in range(self.minimum, min(self.maximum, len(self.candidates)) + 1):
            for objects in choose(self.candidates, size):
                yield ChooseObjects(self.seat, self.player, self.counter, objects)


class SelectPlayers(Prompt, frozen=True, kw_only=True):
    """Choose between `minimum` and `maximum` of the players; answered by `ChoosePlayers`."""

    kind: str = "players"
    candidates: tuple[PlayerId, ...]
    minimum: int = 1
    maximum: int = 1

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None if so many different candidates are chosen."""
        taken = taken_as(self, decision, ChoosePlayers)
        if isinstance(taken, Refused):
            return taken
        refused = _check_count(self, taken.players, self.minimum, self.maximum)
        if refused is None and not all(one in self.candidates for one in taken.players):
            detail = "a player is named who may not be chosen"
            change = "choose among the players who may be"
            return Refused(Code.CHOICE_ILLEGAL, self.rule, detail, change)
        return refused

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield choices, the smallest first."""
        for size in range(self.minimum, min(self.maximum, len(self.candidates)) + 1):
            for players in combinations(self.candidates, size):
                yield ChoosePlayers(self.seat, self.player, self.counter, players)


class SelectOption(Prompt, frozen=True, kw_only=True):
    """Choose one of the options, numbered from 1; answered by `ChooseNumber`.

    The labels are printed or public words (the modes of a card, colours): how many there are must
    be no secret.
    """

    kind: str = "option"
    labels: tuple[str, ...]

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None for the number of an option."""
        taken = taken_as(self, decision, ChooseNumber)
        if isinstance(taken, Refused):
            return taken
        if 1 <= taken.number <= len(self.labels):
            return None
        detail = f"there are {len(self.labels)} options, numbered from 1"
        change = f"choose a number from 1 to {len(self.labels)}"
        return Refused(Code.CHOICE_ILLEGAL, self.rule, detail, change)

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield the options in order."""
        for number in range(1, len(self.labels) + 1):
            yield ChooseNumber(self.seat, self.player, self.counter, number)


class OrderTriggers(Prompt, frozen=True, kw_only=True):
    """Order one's triggered abilities, by number (CR 603.3b): the first goes on the stack first."""

    kind: str = "order-triggers"
    items: tuple[int, ...]

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None if each number stands in the order once."""
        taken = taken_as(self, decision, OrderObjects)
        if isinstance(taken, Refused):
            return taken
        if sorted(taken.order) == sorted(self.items):
            return None
        detail = "an order names each of the things to be ordered once"
        change = "name each of them once"
        return Refused(Code.CHOICE_ILLEGAL, self.rule, detail, change)

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield the orders, the given one first."""
        for order in permutations(self.items):
            yield OrderObjects(self.seat, self.player, self.counter, order)


class ChooseTriggerTargets(Prompt, frozen=True, kw_only=True):
    """Choose modes and targets of a triggered ability as it goes on the stack (CR 603.3c-d).

    `body` is what the ability does, `context` its source, controller and what it is about;
    `trigger` is its number among those that wait. Where `choices` has none the ability is
    removed instead (603.3d).
    """

    kind: str = "targets"
    trigger: int
    body: Body
    context: Context

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None if modes and targets are legal together."""
        taken = taken_as(self, decision, ChooseTargets)
        if isinstance(taken, Refused):
            return taken
        refused = check_modes(game, self.body, taken.modes, self.context)
        if refused is not None:
            return refused
        phrases = phrases_of(self.body, taken.modes)
        return check_targets(game, phrases, taken.targets, self.context)

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield the legal modes with their legal targets."""
        for targets, modes in choices(game, self.body, self.context):
            yield ChooseTargets(self.seat, self.player, self.counter, targets, modes)


def _check_count(
    prompt: Prompt, chosen: tuple[int, ...], minimum: int, maximum: int
) -> Refused | None:
    if len(set(chosen)) != len(chosen):
        detail = "one thing is chosen twice"
        return Refused(Code.CHOICE_ILLEGAL, prompt.rule, detail, "choose different things")
    if minimum <= len(chosen) <= maximum:
        return None
    wanted = range_in_words(minimum, maximum)
    return Refused(
        Code.CHOICE_ILLEGAL,
        prompt.rule,
        f"{wanted} must be chosen, not {len(chosen)}",
        f"choose {wanted}",
    )
