"""A live table: the actors of one game, wired, and the one way in: `decide`.

Each decision becomes one commit, or is refused and leaves no trace. An exception in a procedure
rolls the table back to its last commit and halts it alone.
"""

from __future__ import annotations

from typing import Any, cast

from ..events.base import Decision
from ..events.catalog import DECISION_TYPES
from ..events.commit import Commit
from ..events.decisions import (
    CONSENTING,
    OUT_OF_TURN,
    AnyDecision,
    BeginGame,
    Concede,
    GiveConsent,
    OfferTakeBack,
    RefuseConsent,
    Repair,
    ReportTailLost,
    RevokeStandingPass,
    SetUp,
)
from ..events.errors import EngineError, LeaseLost, LogConflict, StoreUnusable
from ..events.game import GameBegan, PositionArranged, with_hidden_sealed
from ..events.ids import NOBODY, OWNED_ZONES, PlayerId, ZoneKind
from ..events.luck import Luck
from ..events.ownership import STACK, TABLE, Owner, player_owner, zone_owner
from ..events.refused import Code, Refused
from ..events.seals import GameSecrets
from ..events.taking_back import JudgeNamed, TakenBack
from ..events.turn import StandingPassRevoked
from ..projections.position import Position
from ..projections.slot_seals import SlotSeals
from ..projections.state import State
from ..rules.actions import occur
from ..rules.arranging import check_set_up, set_up
from ..rules.endings import concede
from ..rules.legal import complete
from ..rules.priority import standing_answer
from ..rules.protocol import Procedure, Prompt, perform
from ..rules.setup import begin_game
from ..rules.taking_back import (
    check_consenting,
    check_repair,
    check_report,
    consenting,
    repair,
    report,
)
from ..rules.timing import GO_BACK
from .dispatcher import DispatchedRef, Dispatcher
from .lookahead import Forgetting, comes_again
from .owners import PlayerActor, StackActor, ZoneActor
from .recorder import CommitSink, Recorder
from .rehearsal import go_through, tail_before
from .table import TableActor

STARTING_PLAYER_COUNTER = 1 << 62
"""The counter of chance that chooses the starting player, beyond those of shuffles."""

SHARED_ZONES = (ZoneKind.BATTLEFIELD, ZoneKind.EXILE, ZoneKind.COMMAND)


STORE_TROUBLE = (StoreUnusable, LeaseLost, LogConflict)
"""What a store may do to a table that goes on; resumed, it stands at its last commit."""


class TableHalted(EngineError):
    """A procedure failed: the table stands at its last commit and takes no more decisions."""


class LiveTable:
    """One game that goes on: ask `prompt`, answer by `decide`."""

    def __init__(
        self,
        game: Position,
        secrets: GameSecrets,
        sink: CommitSink,
        dispatcher: Dispatcher | None = None,
        *,
        looks_ahead: bool = True,
    ) -> None:
        self.game = game
        self.dispatcher = dispatcher if dispatcher is not None else Dispatcher()
        self.secrets = secrets
        self._luck_under = secrets.at(0)
        self.luck = Luck.of(self._luck_under)
        self.error: str | None = None
        self.recorder_ref = self.dispatcher.start(Recorder, game, secrets, sink)
        self.recorder: Recorder = self.recorder_ref.actor
        self._table_ref = self.dispatcher.start(TableActor, game, self.recorder, self.luck)
        self._table: TableActor = self._table_ref.actor
        if looks_ahead:
            self._table.is_endless = self._is_endless
        self._seated = 0

    @property
    def prompt(self) -> Prompt | None:
        """The open prompt; None when the game is over or has not begun."""
        return self._table.prompt

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.state.winners is not None

    @property
    def commits(self) -> int:
        """How many commits the game has."""
        return self.recorder.number

    @property
    def head(self) -> bytes:
        """The digest of the last commit."""
        return self.recorder.head

    def begin(self, began: GameBegan, *judge: JudgeNamed) -> Commit:
        """Begin a game: commit 0, up to the first mulligan decision (CR 103).

        A judge who is named then needs nobody's consent to mend the game.
        """
        self._seat(len(began.players))
        number, _ = self.luck.draw_below(len(began.players), STARTING_PLAYER_COUNTER)
        return self._first_commit(_genesis(self.game, (began, *judge), PlayerId(number)))

    def arrange(self, arranged: PositionArranged) -> Commit:
        """Begin at an arranged position: commit 0, up to the first prompt."""
        self._seat(len(arranged.players))
        return self._first_commit(_arranged(with_hidden_sealed(arranged)))

    def go_on(self, number: int, head: bytes, slot_seals: SlotSeals | None = None) -> None:
        """Go on from a quiescent commit that the state was folded to: nothing happens first.

        `number` is that of the next commit, `slot_seals` followed the commits before it.
        """
        self._seat(len(self.game.state.players))
        self._use_luck_of(number)
        if slot_seals is not None:
            self.recorder.slot_seals = slot_seals
        self.recorder.number = number
        self.recorder.head = head
        self._table.run()
        if self.recorder.groups:
            self.recorder.roll_back()
            msg = f"going on after commit {number - 1} something happened before anybody was asked"
            raise EngineError(msg)

    def complete(self, decision: Decision) -> Decision | Refused:
        """Fill in what the seat left to the engine (a payment), or say why it cannot be."""
        if self.prompt is None or isinstance(decision, OUT_OF_TURN):
            return decision
        return complete(self.game, decision, self.prompt)

    def check(self, decision: Decision) -> Refused | None:
        """Say why a complete decision would be refused now; None if it would be accepted."""
        if self.error is not None:
            detail = f"the table is halted: {self.error}"
            return Refused(Code.GAME_OVER, "104.1", detail, "resume the game")
        if isinstance(decision, ReportTailLost):
            return check_report(decision, self.recorder.number)
        if self.is_over:
            return Refused(Code.GAME_OVER, "104.1", "the game has ended", GO_BACK)
        if isinstance(decision, OUT_OF_TURN):
            return self._check_out_of_turn(decision)
        if isinstance(decision, SetUp):
            return check_set_up(self.game, decision)
        prompt = self.prompt
        if prompt is None:
            detail = "nobody is asked anything now"
            return Refused(Code.NOT_ASKED, "117.3", detail, "wait until somebody is asked")
        return prompt.is_legal(self.game, decision)

    def decide(self, decision: Decision) -> Refused | None:
        """Take a decision: one commit, acknowledged on return, or a refusal without a trace."""
        completed = self.complete(decision)
        if isinstance(completed, Refused):
            return completed
        return self.decide_as_recorded(completed)

    def decide_as_recorded(self, decision: Decision) -> Refused | None:
        """Take a complete decision as it is: so a better way to fill it in changes no old game."""
        refused = self.check(decision)
        if refused is not None:
            return refused
        taken = recordable(decision)
        self._run(taken)
        self._commit(taken)
        return None

    def automatic(self) -> Decision | None:
        """Return what the engine answers by itself: a standing pass, or the only legal answer.

        What may ask about hidden cards always asks, so such an answer is a commit like any other.
        """
        prompt = self.prompt
        if prompt is None:
            return None
        if prompt.kind == "priority":
            return standing_answer(self.game, prompt)
        return prompt.only_option(self.game)

    def advance(self) -> None:
        """Let the engine answer prompts by itself until a seat must."""
        while (decision := self.automatic()) is not None:
            refused = self.decide(decision)
            assert refused is None, f"the engine's own answer was refused: {refused}"

    def park(self) -> None:
        """Stop the actors: the table can be made anew from its log."""
        self._table.drop_procedures()
        self.dispatcher.stop_all()

    def _check_out_of_turn(self, decision: Decision) -> Refused | None:
        number, midway = self.recorder.number, not self._is_quiescent
        if isinstance(decision, Repair):
            return check_repair(self.game, decision, number, midway=midway)
        refused = self._check_seat(decision)
        if refused is not None or not isinstance(decision, CONSENTING):
            return refused
        if isinstance(decision, OfferTakeBack) and self.game.trail.past is None:
            detail = "nothing is kept of this game to go back in"
            return Refused(Code.WRONG_TIME, "730.1", detail, "keep the game in a store")
        return check_consenting(self.game, decision, number, midway=midway)

    @property
    def _is_quiescent(self) -> bool:
        """Whether no procedure is half-way."""
        return self.prompt is None or self.prompt.quiescent

    def _check_seat(self, decision: Decision) -> Refused | None:
        seat = decision.seat
        if not 0 <= seat < len(self.game.state.players):
            detail = "no player of the game has that seat"
            return Refused(Code.NOT_ASKED, "104.3a", detail, "let a player of the game decide")
        player = self.game.state.players[seat]
        if player.has_left:
            detail = f"{player.name} has left the game"
            return Refused(Code.NOT_ASKED, "104.3a", detail, "go back to before they left")
        if decision.counter != self.game.state.decision_counters[seat]:
            detail = "the decision was counted before"
            return Refused(Code.WRONG_COUNTER, "104.3a", detail, "number it by the present count")
        return None

    def _run(self, decision: AnyDecision) -> None:
        try:
            self._carry_out(decision)
        except STORE_TROUBLE:  # what lies behind is read from the store: no procedure is at fault
            self.recorder.roll_back()
            self._table.drop_procedures()
            self.dispatcher.discard()
            raise
        except Exception as error:
            self._halt(error)
            raise TableHalted(self.error) from error

    def _carry_out(self, decision: Decision) -> None:
        number = self.recorder.number
        self._use_luck_of(number)
        self.recorder.take(recordable(decision))
        match decision:
            case Concede(seat=seat):
                self._table.interrupt(concede(self.game, seat))
            case RevokeStandingPass(seat=seat):
                self._table.interrupt(_revoke(seat))
            case ReportTailLost():
                self._table.interrupt(report(decision))
            case SetUp():
                self._table.interrupt(set_up(self.game, decision))
            case OfferTakeBack() | GiveConsent() | RefuseConsent():
                self._interrupt_or_go_back(consenting(self.game, decision, number))
            case Repair():
                self._interrupt_or_go_back(repair(self.game, decision, number))
            case _:
                self._table.run(decision)

    def _interrupt_or_go_back(self, procedure: Procedure[None]) -> None:
        """Let something happen out of turn; where the game goes back, ask what was asked then.

        Where something was half-way then, its procedures run again on the decisions taken in it.
        """
        self._table.happen(procedure)
        events = (event for group in self.recorder.groups for event in group)
        taken = next((event for event in events if isinstance(event, TakenBack)), None)
        past = self.game.trail.past
        if taken is None or past is None:
            self._table.after_interruption()
            return
        self._table.drop_procedures()
        tail = tail_before(self.game, past, taken.to)
        if not tail:
            self._table.run()
            return
        go_through(self._table, self.recorder, tail, self._carry_out)
        self._use_luck_of(self.recorder.number)

    def _is_endless(self) -> bool:
        """Say whether the game would go on for ever if all passed, by playing a copy ahead."""
        state = State.from_bytes(self.game.state.to_bytes())
        copy = Position(state, self.game.definitions, self.game.edition)
        imagined = LiveTable(copy, self.secrets, Forgetting(), looks_ahead=False)
        seals = SlotSeals.from_bytes(self.recorder.slot_seals.to_bytes())
        try:
            imagined.go_on(self.commits, self.head, seals)
            return comes_again(imagined)
        finally:
            imagined.park()

    def _use_luck_of(self, commit: int) -> None:
        """Draw by the secrets that the commit is under: those of a branch begin where it parted."""
        under = self.secrets.at(commit)
        if under is not self._luck_under:
            self.luck.become(Luck.of(under))
            self._luck_under = under

    def _commit(self, decision: AnyDecision) -> Commit:
        try:
            return self.recorder.commit(decision, quiescent=self._is_quiescent)
        except EngineError:
            self.recorder.roll_back()
            self._table.drop_procedures()
            raise

    def _first_commit(self, procedure: Procedure[None]) -> Commit:
        self._table.begin_with(procedure)
        try:
            self._table.run()
        except Exception as error:
            self._halt(error)
            raise TableHalted(self.error) from error
        return self._commit(BeginGame(NOBODY, NOBODY, 0))

    def _halt(self, error: Exception) -> None:
        self.recorder.roll_back()
        self._table.drop_procedures()
        self.dispatcher.discard()
        self.error = f"{type(error).__name__}: {error} (after commit {self.recorder.number - 1})"

    def _seat(self, players: int) -> None:
        """Start the owners of a game of so many players."""
        if self._seated:
            return
        self._seated = players
        refs: dict[Owner, DispatchedRef[Any]] = {}
        shared = (self.game, self.recorder, self.luck)
        for number in range(players):
            player = PlayerId(number)
            refs[player_owner(player)] = self.dispatcher.start(PlayerActor, player, *shared)
            for kind in OWNED_ZONES:
                refs[zone_owner(kind, player)] = self.dispatcher.start(
                    ZoneActor, kind, player, *shared
                )
        for kind in SHARED_ZONES:
            refs[zone_owner(kind, NOBODY)] = self.dispatcher.start(ZoneActor, kind, NOBODY, *shared)
        refs[STACK] = self.dispatcher.start(StackActor, *shared)
        refs[TABLE] = self._table_ref
        self._table.refs = refs


def _genesis(
    game: Position, began: tuple[GameBegan | JudgeNamed, ...], starting_player: PlayerId
) -> Procedure[None]:
    for event in began:
        yield from perform(occur(event))
    yield from begin_game(game, starting_player)


def _arranged(arranged: PositionArranged) -> Procedure[None]:
    yield from perform(occur(arranged))


def _revoke(seat: PlayerId) -> Procedure[None]:
    yield from perform(occur(StandingPassRevoked("117.3d", 0, seat)))


def recordable(decision: Decision) -> AnyDecision:
    """Return the decision as one of the types that the log holds; anything else is a bug."""
    assert isinstance(decision, DECISION_TYPES), f"{type(decision).__name__} is in no catalog"
    return cast("AnyDecision", decision)
