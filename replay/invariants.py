"""The laws of every game, checked as it is played: what must hold after each group and commit.

A `CheckedTable` is a live table with a shadow: a second position that is folded from the bytes of
each commit, and a view for each seat that is folded from that seat's redacted entries. What breaks
is an `InvariantBroken` with the law's name and the address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice

import msgspec

from ..actors.agents import RandomAgent
from ..actors.chance import Chance
from ..actors.dispatcher import Dispatcher
from ..actors.knowledge import SeatKnowledge
from ..actors.live_table import LiveTable
from ..actors.lookahead import Forgetting
from ..events.base import Decision
from ..events.catalog import AnyEvent
from ..events.codec import decode_entry
from ..events.commit import Commit
from ..events.decisions import (
    Concede,
    PassPriority,
    PlayLand,
    RevokeStandingPass,
    StandingMode,
)
from ..events.errors import EngineError
from ..events.ids import ObjectId, PlayerId
from ..events.redaction import redact_entry
from ..events.refused import Refused
from ..events.store import NewCommit
from ..projections.past import FoldedPast
from ..projections.position import Position
from ..projections.redaction import redact_state
from ..projections.state import State
from ..projections.trail import Trail
from ..projections.view import apply_commit, new_view
from ..rules.settling import is_settled
from .new_game import NewGame

UNDO = "evolve then undo gives the same bytes"
FOLD = "the fold of the log gives the live state"
ROUND_TRIP = "a state read from its bytes has the same bytes"
REDACTION = "fold(redact(log)) == redact(fold(log))"
CHARACTERISTICS = "after every group characteristics equal a computation from nothing"
QUIESCENCE = "at a quiescent commit the procedure made anew asks the same and emits nothing first"
OFFERED = "each offered answer is accepted"
REFUSED = "what is refused leaves no trace"
CARDS = "no card comes into being or is lost"
SETTLED = "who has priority finds no state-based action due and no trigger waiting"

LAWS = (
    *(UNDO, FOLD, ROUND_TRIP, REDACTION, CHARACTERISTICS),
    *(QUIESCENCE, OFFERED, REFUSED, CARDS, SETTLED),
)
"""The names of the laws, as they are printed when one breaks."""

WRONG_ONE_IN = 16
"""How often wrong decisions are tried before a right one."""

STANDING_ONE_IN = 48
"""How often priority is passed for a while."""

REVOKE_ONE_IN = 3
"""How often a standing pass is revoked when anybody is asked: else random games drag on."""

OFFERED_MAX = 8
"""How many of the offered answers are tried at each prompt."""


class InvariantBroken(EngineError):
    """A law does not hold: which, where, and what was found."""

    def __init__(self, law: str, game: str, commit: int, found: str) -> None:
        """Name the law and the moment."""
        super().__init__(f"Broken: {law} ({found}): {game}@{commit}")
        self.law = law
        self.game = game
        self.commit = commit
        self.found = found


class Tally:
    """How often each type of event and kind of prompt occurred."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()
        self.prompts: Counter[str] = Counter()
        self.decisions: Counter[str] = Counter()
        self.games = 0
        self.commits = 0

    def add(self, other: Tally) -> None:
        """Count what another has counted too."""
        self.events.update(other.events)
        self.prompts.update(other.prompts)
        self.decisions.update(other.decisions)
        self.games += other.games
        self.commits += other.commits


class _Shadow:
    """Takes the commits of a live table, folds them from their bytes, and checks as it does."""

    def __init__(self, new: NewGame) -> None:
        self.game = new.game
        self.live = new.position
        self.trail = Trail(State())
        self.views = [new_view(PlayerId(seat)) for seat in range(len(new.began.players))]
        self.entries: list[bytes] = []
        for trail in (self.trail, self.live.trail):
            trail.past = FoldedPast(self.commits)
        for view in self.views:
            seat = view.state.viewer
            view.past = FoldedPast(partial(self.commits_of, seat), seat)

    def commits(self, first: int, stop: int) -> Iterator[Commit]:
        """Yield commits of the log so far, with all their secrets."""
        for number, entry in enumerate(self.entries[first:stop], first):
            yield decode_entry(entry, self.game, number)

    def commits_of(self, seat: PlayerId, first: int, stop: int) -> Iterator[Commit]:
        """Yield commits of a seat's log so far."""
        for number, entry in enumerate(self.entries[first:stop], first):
            yield decode_entry(redact_entry(entry, seat), self.game, number)

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Fold a commit, as a sink takes it, and compare with the live table's state."""
        decoded = decode_entry(commit.entry, self.game, number)
        live = self.live.state
        expected = live.to_bytes()
        before = self.trail.state.to_bytes()
        mark = self.trail.mark()
        apply_commit(self.trail, decoded)
        if self.trail.state.to_bytes() != expected:
            found = difference_of(self.trail.state, live)
            raise InvariantBroken(FOLD, self.game, number, found)
        self.trail.undo_to(mark)
        if self.trail.state.to_bytes() != before:
            found = difference_of(self.trail.state, State.from_bytes(before))
            raise InvariantBroken(UNDO, self.game, number, found)
        apply_commit(self.trail, decoded)
        self.trail.forget()
        again = State.from_bytes(expected)
        if again.to_bytes() != expected:
            raise InvariantBroken(ROUND_TRIP, self.game, number, difference_of(again, live))
        for seat, view in enumerate(self.views):
            own = decode_entry(redact_entry(commit.entry, PlayerId(seat)), self.game, number)
            apply_commit(view, own)
            view.forget()
            seen = redact_state(live, PlayerId(seat))
            if seen.to_bytes() != view.state.to_bytes():
                found = f"seat {seat}: {difference_of(view.state, seen)}"
                raise InvariantBroken(REDACTION, self.game, number, found)
        self.entries.append(commit.entry)


class CheckedTable:
    """A live table whose every group, commit, prompt and refusal is held against the laws."""

    def __init__(self, new: NewGame, dispatcher: Dispatcher | None = None) -> None:
        self.new = new
        self.tally = Tally()
        self.shadow = _Shadow(new)
        self.table = LiveTable(new.position, new.secrets, self.shadow, dispatcher)
        self.table.recorder.after_group = self._check_group
        self._cards: tuple[int, ...] = ()
        self.table.begin(new.began)
        self._cards = cards_by_owner(new.position.state)
        self._check_prompt()

    @property
    def entries(self) -> list[bytes]:
        """The log so far."""
        return self.shadow.entries

    def commits(self) -> Iterator[Commit]:
        """Yield the commits of the log so far, read from their bytes."""
        for number, entry in enumerate(self.entries):
            yield decode_entry(entry, self.new.game, number)

    def decide(self, decision: Decision) -> Refused | None:
        """Take a decision and check all that it changed."""
        state = self.new.position.state
        before = state.to_bytes()
        commits = self.table.commits
        refused = self.table.decide(decision)
        if refused is not None:
            same = state.to_bytes() == before and self.table.commits == commits
            self._require(REFUSED, same, f"{refused.code} changed something")
            return refused
        self.tally.decisions[type(decision).__name__] += 1
        self.tally.commits += 1
        self._check_prompt()
        return None

    def advance(self) -> None:
        """Let the engine answer what it answers by itself, checked like any decision."""
        while (decision := self.table.automatic()) is not None:
            refused = self.decide(decision)
            self._require(OFFERED, refused is None, f"the engine's own answer: {refused}")

    def refuse_what_is_wrong(self) -> None:
        """Try some decisions that must be refused: wrong seat, wrong count, no such object."""
        prompt = self.table.prompt
        if prompt is None:
            return
        good = prompt.suggest(self.new.position)
        others = len(self.new.position.state.players)
        wrong = (
            msgspec.structs.replace(good, seat=PlayerId((good.seat + 1) % others)),
            msgspec.structs.replace(good, counter=good.counter + 1),
            PlayLand(good.seat, good.player, good.counter, ObjectId(1_000_000)),
            Concede(PlayerId(others), PlayerId(others), 0),
        )
        for decision in wrong:
            refused = self.decide(decision)
            self._require(REFUSED, refused is not None, f"{decision} was accepted")

    def _check_group(self, events: tuple[AnyEvent, ...]) -> None:
        self.tally.events.update(type(event).__name__ for event in events)
        game = self.new.position
        fresh = game.fresh()
        for item in game.state.battlefield:
            kept, computed = game.characteristics(item), fresh.characteristics(item)
            if kept != computed:
                found = f"#{item} {computed.name}: {kept} is kept, {computed} is right"
                self._require(CHARACTERISTICS, holds=False, found=found)

    def _check_prompt(self) -> None:
        """Check what must hold when somebody is asked."""
        state = self.new.position.state
        if self._cards and not any(player.has_left for player in state.players):
            cards = cards_by_owner(state)
            self._require(CARDS, cards == self._cards, f"{cards} for {self._cards}")
        prompt = self.table.prompt
        if prompt is None:
            self._require(OFFERED, self.table.is_over, "nobody is asked, and the game is not over")
            return
        self.tally.prompts[prompt.kind] += 1
        if prompt.kind == "priority":
            self._require(SETTLED, is_settled(self.new.position), f"seat {prompt.seat} is asked")
        for option in islice(prompt.options(self.new.position), OFFERED_MAX):
            completed = self.table.complete(option)
            refused = completed if isinstance(completed, Refused) else self.table.check(completed)
            self._require(OFFERED, refused is None, f"{option}: {refused}")
        if prompt.quiescent:
            self._check_quiescence()

    def _check_quiescence(self) -> None:
        """Make a table anew from the state's bytes: it must ask what this one asks."""
        game = self.new.position
        state = State.from_bytes(game.state.to_bytes())
        anew = Position(state, game.definitions, game.edition)
        table = LiveTable(anew, self.new.secrets, Forgetting())
        try:
            table.go_on(self.table.commits, self.table.head)
        except EngineError as error:
            self._require(QUIESCENCE, holds=False, found=str(error))
        asked = table.prompt
        table.park()
        same = asked == self.table.prompt and state.to_bytes() == game.state.to_bytes()
        self._require(QUIESCENCE, same, f"{asked} instead of {self.table.prompt}")

    def _require(self, law: str, holds: bool, found: str) -> None:  # noqa: FBT001 -- what must hold
        if not holds:
            raise InvariantBroken(law, self.new.game, self.table.commits - 1, found)


def cards_by_owner(state: State) -> tuple[int, ...]:
    """Return how many cards each player owns in all zones: no tokens, no abilities (CR 108.2)."""
    counts = [0] * len(state.players)
    for name, item in state.objects.items():
        on_stack = state.items.get(name)
        is_ability = on_stack is not None and bool(on_stack.ability)
        if not item.is_token and not is_ability:
            counts[item.owner] += 1
    return tuple(counts)


def difference_of(one: State, other: State) -> str:
    """Return the first field in which two states differ, with both values; "" where none does."""
    left = msgspec.msgpack.decode(one.to_bytes(), strict=False)
    right = msgspec.msgpack.decode(other.to_bytes(), strict=False)
    return _first_difference(left, right, "state")


def _first_difference(left: object, right: object, path: str) -> str:
    if isinstance(left, dict) and isinstance(right, dict):
        for key in dict.fromkeys((*left, *right)):
            found = _first_difference(left.get(key), right.get(key), f"{path}.{key}")
            if found:
                return found
        return ""
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for place, (one, other) in enumerate(zip(left, right, strict=True)):
            found = _first_difference(one, other, f"{path}[{place}]")
            if found:
                return found
        return ""
    return "" if left == right else f"{path} is {left!r} for {right!r}"


class RandomPlay:
    """Plays checked tables at random; its chance follows from a seed and counts of decisions."""

    def __init__(self, seed: bytes, *, concede_one_in: int = 0) -> None:
        self.seed = seed
        self.concede_one_in = concede_one_in
        self._agent = RandomAgent(seed)
        self._asked = 0

    def play(self, table: CheckedTable, commits_max: int) -> None:
        """Play until the game is over, or so long that players concede."""
        table.advance()
        while not table.table.is_over and table.table.commits < commits_max:
            self.step(table)
        if not table.table.is_over:
            concede_all(table)
        table.tally.games += 1

    def step(self, table: CheckedTable) -> None:
        """Take one decision at random, sometimes after wrong ones, sometimes conceding."""
        prompt = table.table.prompt
        assert prompt is not None, "a game that is not over asks somebody"
        self._asked += 1
        chance = Chance(self.seed, self._asked)
        if chance.one_in(WRONG_ONE_IN):
            table.refuse_what_is_wrong()
        game = table.new.position
        standing = [n for n, player in enumerate(game.state.players) if player.standing]
        if standing and chance.one_in(REVOKE_ONE_IN):
            seat = PlayerId(standing[chance.below(len(standing))])
            counter = game.state.decision_counters[seat]
            decision: Decision = RevokeStandingPass(seat, seat, counter)
        elif self.concede_one_in and chance.one_in(self.concede_one_in):
            decision = conceding(table, chance)
        elif prompt.kind == "priority" and chance.one_in(STANDING_ONE_IN):
            modes = tuple(StandingMode)
            decision = PassPriority(
                prompt.seat, prompt.player, prompt.counter, modes[chance.below(len(modes))]
            )
        else:
            decision = self._agent.decide(prompt, SeatKnowledge(game, prompt.seat))
        refused = table.decide(decision)
        if refused is not None:
            commit = table.table.commits - 1
            raise InvariantBroken(OFFERED, table.new.game, commit, f"{decision}: {refused}")
        table.advance()


def conceding(table: CheckedTable, chance: Chance) -> Concede:
    """Return the concession of one of the players who are still in the game."""
    state = table.new.position.state
    seats = [n for n, player in enumerate(state.players) if not player.has_left]
    seat = PlayerId(seats[chance.below(len(seats))])
    return Concede(seat, seat, state.decision_counters[seat])


def concede_all(table: CheckedTable) -> None:
    """Let all but one concede: a game that would never end by random play ends so."""
    state = table.new.position.state
    for seat, player in enumerate(state.players):
        if not player.has_left and not table.table.is_over:
            number = PlayerId(seat)
            table.decide(Concede(number, number, state.decision_counters[seat]))
