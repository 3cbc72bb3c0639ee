"""The Python API: a game that a script plays, looks back at, branches and verifies.

>>> game = new_game(["red-green-stompers", "white-black-wardens"], seed=7, store="memory:")
>>> game.prompt.kind, game.prompt.seat
('mulligan', 'alice')
>>> game.decide(game.prompt.options(limit=100)[0])
>>> game.prompt.seat
'bob'
>>> game.close()
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NoReturn, Self

from ..events.base import Decision
from ..events.errors import EngineError
from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId
from ..events.refused import Code, Refused
from ..events.seals import GameSecrets
from ..events.store import Store
from ..projections.characteristics import Characteristics
from ..projections.position import Position
from ..projections.redaction import redact_state
from ..projections.state import State
from ..rules.protocol import Prompt
from .answered import WhyNot
from .branch import branch_game
from .host import GameResult, HostedGame, host_created
from .names import Misread, Naming
from .new_game import HUMAN, GameSetup, create_game, prepare
from .opened import recorded_game
from .places import default_store
from .questions import whynot
from .repairing import make_repair
from .resume import resume_game
from .taking_back import TakeBacks
from .timeline import Timeline
from .verify import Verification, verify_game
from .why import Why, place_of, why_event

OPTIONS_MAX = 100


class NotBuilt(EngineError):
    """The API has a method whose rules come with a later version."""


class NoSuchName(EngineError):
    """A player or object is named that the game does not have."""


class OpenPrompt:
    """The open question of a game: who is asked, for whom, what kind, for which source and rule."""

    def __init__(self, game: Position, prompt: Prompt) -> None:
        self._game = game
        self.prompt = prompt

    @property
    def kind(self) -> str:
        """The kind of question: mulligan, priority, attackers, blockers, targets, …."""
        return self.prompt.kind

    @property
    def seat(self) -> str:
        """The name of the seat that answers."""
        return self._game.state.players[self.prompt.seat].name

    @property
    def player(self) -> str:
        """The name of the player for whom it answers (CR 720)."""
        return self._game.state.players[self.prompt.player].name

    @property
    def rule(self) -> str:
        """The rule that makes it asked."""
        return self.prompt.rule

    @property
    def text(self) -> str:
        """The question in words."""
        return self.prompt.text

    @property
    def source(self) -> GameObjectView | None:
        """The object whose spell or ability asks; None where the rules themselves do."""
        source = self.prompt.source
        return None if source == NOTHING else GameObjectView(self._game, source)

    def options(self, limit: int = OPTIONS_MAX) -> tuple[Decision, ...]:
        """Return up to so many legal answers, the suggestion first."""
        first = self.suggest()
        others = (option for option in self.prompt.options(self._game) if option != first)
        return (first, *islice(others, max(limit - 1, 0)))

    def suggest(self) -> Decision:
        """Return a legal answer; always taking it ends every game."""
        return self.prompt.suggest(self._game)

    def __repr__(self) -> str:
        return f"<{self.kind} prompt for {self.seat} (CR {self.rule}): {self.text}>"


class GameObjectView:
    """An object of a game at a moment, to be read."""

    def __init__(self, game: Position, object_id: ObjectId) -> None:
        self._game = game
        self.id = object_id

    @property
    def name(self) -> str:
        """The name that people know it by."""
        return self._game.name_of(self.id)

    @property
    def characteristics(self) -> Characteristics:
        """Its characteristics at the moment (CR 109.3)."""
        return self._game.characteristics(self.id)

    @property
    def controller(self) -> str:
        """The name of its controller, of its owner where nobody controls it."""
        return self._game.state.players[self._game.controller_of(self.id)].name

    @property
    def power(self) -> int | None:
        """Its power."""
        return self.characteristics.power

    @property
    def toughness(self) -> int | None:
        """Its toughness."""
        return self.characteristics.toughness

    def explain(self) -> NoReturn:
        """Say that derivations come later."""
        raise NotBuilt("Explaining characteristics is not built yet; it comes with version 0.2.")

    def __repr__(self) -> str:
        return f"<{self.name} #{self.id}>"


class Moment:
    """A game at a moment; reads only."""

    def __init__(self, position: Position) -> None:
        self.position = position

    @property
    def state(self) -> State:
        """The state: everything that is true at the moment."""
        return self.position.state

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats in turn order."""
        return tuple(player.name for player in self.state.players)

    @property
    def over(self) -> bool:
        """Whether the game has ended by then."""
        return self.state.winners is not None

    def object(self, name: str | int) -> GameObjectView:
        """Return an object by its name (as in scenario files) or id."""
        if isinstance(name, int):
            if name not in self.state.objects:
                raise NoSuchName(f"There is no object #{name}.")
            return GameObjectView(self.position, ObjectId(name))
        try:
            return GameObjectView(self.position, Naming(self.position).object(name))
        except Misread as error:
            raise NoSuchName(error.error.message) from error

    def view(self, seat: str) -> State:
        """Return what a seat may know at the moment, everything else blank."""
        return redact_state(self.state, self.seat_named(seat))

    def seat_named(self, name: str) -> PlayerId:
        """Return the seat of that name."""
        names = [seat.lower() for seat in self.seats]
        if name.lower() not in names:
            raise NoSuchName(f"No seat is named {name!r}; there are {', '.join(self.seats)}.")
        return PlayerId(names.index(name.lower()))


class Replay(Moment):
    """A recorded game at a moment that `undo` and `redo` move: nothing is changed by it."""

    def __init__(self, timeline: Timeline, commit: int, event: int | None = None) -> None:
        self._timeline = timeline
        super().__init__(timeline.go_to(commit, event))

    @property
    def commit(self) -> int:
        """The commit that it stands in or after."""
        return self._timeline.commit

    def undo(self) -> Refused | None:
        """Go back to before the commit that it stands in or after."""
        if self.commit < 1:
            return Refused(Code.CHOICE_ILLEGAL, "730.1", "this is where the game begins")
        self._timeline.previous_commit()
        return None

    def redo(self) -> Refused | None:
        """Go on to the end of the next commit, or of the one that it stands in."""
        if not self._timeline.next_commit():
            return Refused(Code.CHOICE_ILLEGAL, "730.1", "this is where the log ends")
        return None


class Game(Moment):
    """A game that goes on: ask `prompt`, answer by `decide`.

    Seats with an agent of their own answer by themselves. The game lies in its store and can be
    resumed from it; `close` gives it free.
    """

    def __init__(self, hosted: HostedGame, store: Store, *, owns_store: bool) -> None:
        super().__init__(hosted.position)
        self.hosted = hosted
        self.store = store
        self._took_back = TakeBacks(hosted)
        self._finalizer = weakref.finalize(self, _close, hosted, store if owns_store else None)
        self._agents_answer()

    @property
    def id(self) -> str:
        """The game's name in its store."""
        return self.hosted.game

    @property
    def prompt(self) -> OpenPrompt:
        """The open prompt; a game that is over has none."""
        prompt = self.hosted.prompt
        if prompt is None:
            raise EngineError(f"The game is over, nobody is asked: {self.id}@{self.commits - 1}")
        return OpenPrompt(self.position, prompt)

    @property
    def commits(self) -> int:
        """How many commits the game has."""
        return self.hosted.table.commits

    @property
    def head(self) -> str:
        """The digest of the last commit."""
        return self.hosted.table.head.hex()

    @property
    def result(self) -> GameResult:
        """How the game stands: winner, reason, rule, turns, commits, events, head, state."""
        return self.hosted.result()

    def decide(self, decision: Decision) -> Refused | None:
        """Answer the open prompt, or concede; None if it was accepted, else why it was not.

        What the engine and agents answer by themselves is answered then too.
        """
        refused = self.hosted.decide(decision)
        if refused is None:
            self._took_back.forget()
            self._agents_answer()
        return refused

    def at(self, commit: int, event: int | None = None) -> Replay:
        """Return the game as it was after a commit, or after an event of it; reads only."""
        self.hosted.sink.flush()
        return Replay(Timeline(recorded_game(self.store, self.id)), commit, event)

    def branch(self, at: int, luck: str = "same") -> Game:
        """Return a game that shares the commits up to `at` and plays on differently.

        `luck` is "same" or "fresh": whether the same cards are drawn after it.
        """
        if luck not in {"same", "fresh"}:
            raise EngineError(f"Luck is 'same' or 'fresh', not {luck!r}.")
        child = branch_game(self.store, self.id, at, fresh_luck=luck == "fresh")
        return Game(resume_game(self.store, child), self.store, owns_store=False)

    def verify(self) -> Verification:
        """Check the log and run the rules again on it."""
        self.hosted.sink.flush()
        return verify_game(self.store, self.id)

    def why(self, event: str) -> Why:
        """Return the causes of an event, "N.I" for event I of commit N, back to decisions."""
        self.hosted.sink.flush()
        return why_event(recorded_game(self.store, self.id), *place_of(event))

    def whynot(
        self, action: str | Decision, by: str | None = None, at: int | str | None = None
    ) -> WhyNot:
        """Return why a seat may not do something, by which rule, and what would change that.

        `at` is a commit, or an event "N.I" for `trigger OBJECT`; default: the present moment.
        """
        self.hosted.sink.flush()
        commit, event = place_of(at) if isinstance(at, str) else (at, None)
        return whynot(recorded_game(self.store, self.id), action, by, commit, event)

    def secrets(self) -> GameSecrets:
        """Return the game's secrets, as a judge has them."""
        return GameSecrets.from_bytes(self.store.secret(self.id))

    def undo(self) -> Refused | None:
        """Take back the last decision that was made from outside, and all that came of it.

        All seats are at one place here, so the offer and their consents are logged as given; then
        `TakenBack` is. None, or why nothing could be taken back.
        """
        return self._took_back.undo()

    def redo(self) -> Refused | None:
        """Decide again what `undo` took back last: chance has gone on, so it may differ."""
        refused = self._took_back.redo()
        if refused is None:
            self._agents_answer()
        return refused

    def repair(self, remedy: str) -> Refused | None:
        """Mend the game as a judge, in the notation: "life of bob is 17", "back up to 12"."""
        refused = make_repair(self.hosted, remedy)
        if refused is None:
            self._agents_answer()
        return refused

    def close(self) -> None:
        """Give the game free: it lies in its store and can be resumed."""
        self._finalizer()

    def __enter__(self) -> Self:
        """Use the game in a `with` block, which closes it."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the game."""
        self.close()

    def __repr__(self) -> str:
        asked = "over" if self.over else repr(self.prompt)
        return f"<Game {self.id}@{self.commits - 1}, {asked}>"

    def _agents_answer(self) -> None:
        self.hosted.play()


def new_game(  # noqa: PLR0913 -- a game has as many settings
    decks: Sequence[str | Path],
    *,
    seed: int | None = None,
    store: str | Store | None = None,
    edition: str = "current",
    variant: str = "",
    format: str = "casual",  # noqa: A002 -- the word of `apnap play --format`
    cards: Sequence[str | Path] = (),
    names: Sequence[str] = (),
    agents: Sequence[str] = (HUMAN,),
    judge: bool = False,
) -> Game:
    """Begin a game between decks (files, or built-in decks' names) and return it at its prompt.

    `store` is a URL or an open store; without one games are kept where the command keeps them.
    All seats are the script's to decide for unless `agents` names others.
    """
    setup = GameSetup(
        decks=tuple(str(deck) for deck in decks),
        names=tuple(names),
        agents=tuple(agents),
        edition=edition,
        variant=variant,
        format=format,
        seed=seed,
        cards=tuple(str(path) for path in cards),
        judge=judge,
    )
    prepared = prepare(setup)
    kept, owns_store = _opened(store)
    try:
        hosted = host_created(kept, create_game(kept, prepared, seed))
    except BaseException:
        if owns_store:
            kept.close()
        raise
    return Game(hosted, kept, owns_store=owns_store)


def resumed_game(
    game: str, *, store: str | Store | None = None, agents: Sequence[str] | None = None
) -> Game:
    """Go on with an unfinished game of a store, agents as recorded unless others are named."""
    kept, owns_store = _opened(store)
    try:
        hosted = resume_game(kept, game, agents)
    except BaseException:
        if owns_store:
            kept.close()
        raise
    return Game(hosted, kept, owns_store=owns_store)


def _opened(store: str | Store | None) -> tuple[Store, bool]:
    """Return an open store, and whether it is ours to close."""
    if store is None or isinstance(store, str):
        return default_store(store), True
    return store, False


def _close(hosted: HostedGame, store: Store | None) -> None:
    hosted.close()
    if store is not None:
        store.close()


__all__ = [
    "NOBODY",
    "Game",
    "GameObjectView",
    "Moment",
    "NoSuchName",
    "NotBuilt",
    "OpenPrompt",
    "new_game",
    "resumed_game",
]
