"""Actors that all run on one deterministic dispatcher instead of a thread each.

pykka gives actors, references, proxies, life and death; here is only how a message travels. All
actors of a table share one `Dispatcher` with one queue, first in, first out. An `ask` delivers what
is queued until its answer is there, so an ask that nothing can answer is an error that names the
chain, where threads would wait for ever; and two runs deliver the same messages in the same order.

pykka's three methods for implementors are overridden: `_create_actor_inbox` makes a `Mailbox`,
`_create_future` a `DispatchedFuture`, `_start_actor_loop` starts no thread. Actors do not enter
pykka's `ActorRegistry`, which is one list for the process: leaving it takes as long as it is.

>>> class Echo(DispatchedActor):
...     def on_receive(self, message: object) -> object:
...         return message
>>> dispatcher = Dispatcher()
>>> echo = dispatcher.start(Echo)
>>> echo.ask("hello")
'hello'
>>> dispatcher.stop_all()
1
"""

import sys
from collections import deque
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from threading import get_ident
from types import TracebackType
from typing import Any, Generic, Literal, Self, TypeVar, cast, overload

import pykka

from .mailbox import (
    NESTED_ASKS_MAX,
    AskDeadlock,
    AskTooDeep,
    DispatchedFuture,
    Letter,
    Mailbox,
    WrongThread,
    refuse,
)

__all__ = [
    "AskDeadlock",
    "AskTooDeep",
    "DispatchedActor",
    "DispatchedRef",
    "Dispatcher",
    "Trace",
    "WrongThread",
]

A = TypeVar("A", bound="DispatchedActor")
Trace = Callable[[int, str, Any], None]
"""Called with each delivery: its number from 1, the receiver's name, the message."""


class Dispatcher:
    """Delivers the messages of some actors, one at a time, in the order in which they were sent.

    A message for an actor whose handler is on the Python stack is held back until that handler
    returns, then comes first: no handler ever interrupts itself. Where threads would only wait
    (B waits for C; meanwhile D, which was told something, asks B), this also is an `AskDeadlock`,
    since D's handler stands above B's on the stack: a handler asks downwards or tells.
    """

    def __init__(self, trace: Trace | None = None) -> None:
        """Make a dispatcher for the thread that makes it."""
        self.queue: deque[Letter] = deque()
        self.handling: list[Mailbox] = []  # whose handlers are on the stack, outermost first
        self.actors: dict[str, DispatchedActor] = {}  # the living, in the order they started
        self.delivered = 0
        self._thread = get_ident()
        self._trace = trace
        self._started = 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being handled and nothing waits."""
        return not self.handling and not self.queue

    def start(self, actor_class: type[A], *args: Any, **kwargs: Any) -> "DispatchedRef[A]":
        """Start an actor on this dispatcher; a handler starts others by its own dispatcher too."""
        self.check_thread()
        token = _starting.set(self)
        try:
            return actor_class.start(*args, **kwargs)
        finally:
            _starting.reset(token)

    def gather(self, asks: Iterable[tuple["DispatchedRef[Any]", Any]]) -> list[Any]:
        """Ask several actors at once and return their answers in the order of the asks.

        The asks may be handled in any order, so their handlers must not depend on it; all are
        handled before the first exception, if there is one, is raised.
        """
        futures = [ref.ask(message, block=False) for ref, message in asks]
        errors: list[Exception] = []
        answers: list[Any] = []
        for future in futures:
            try:
                answers.append(future.get())
            except Exception as error:  # noqa: BLE001 -- raised below, once all were handled
                errors.append(error)
        if errors:
            raise errors[0]
        return answers

    def run_until_idle(self) -> int:
        """Deliver until nothing is left that can be delivered; return how many that were."""
        self.check_thread()
        before = self.delivered
        while (letter := self._take()) is not None:
            self._deliver(letter)
        return self.delivered - before

    def run_until(self, future: DispatchedFuture) -> None:
        """Deliver until the future is answered."""
        self.check_thread()
        if len(self.handling) > NESTED_ASKS_MAX:
            self._withdraw(future)
            raise AskTooDeep(self._chain(future))
        while not future.is_set:
            if (letter := self._take()) is None:
                self._withdraw(future)
                raise AskDeadlock(self._chain(future))
            self._deliver(letter)

    def call(self, actor: "DispatchedActor", mailbox: Mailbox, message: Any) -> Any:
        """Handle a message of an idle actor at once: what `run_until` does on an empty queue.

        Order, trace and exceptions are the same; it saves the future, the envelope and the queue.
        """
        handling = self.handling
        if len(handling) > NESTED_ASKS_MAX:
            raise AskTooDeep((*(waiting.urn for waiting in handling), mailbox.urn))
        self._begin(mailbox, message)
        try:
            return actor._handle_receive(message)  # noqa: SLF001 -- pykka's, for implementors
        finally:
            self._end(mailbox)

    def discard(self) -> int:
        """Drop the messages that were not delivered, after a failure; return how many.

        Whoever still waits for one of them gets an `AskDeadlock`.
        """
        dropped = len(self.queue)
        self.queue.clear()
        return dropped

    def stop_all(self) -> int:
        """Stop all actors at once, the last started first; return how many that were.

        A table is parked so: nothing of it is left but what it recorded. Messages that still wait
        are answered as a dead actor's.
        """
        self.check_thread()
        assert not self.handling, "no actor stops the others from inside a handler"
        actors = list(reversed(self.actors.values()))
        for actor in actors:
            actor.stop_now()
        self.run_until_idle()
        return len(actors)

    def adopt(self) -> None:
        """Let the thread that calls this run the dispatcher from now on, which must be idle."""
        assert not self.handling, "a dispatcher changes threads between two decisions"
        self._thread = get_ident()

    def check_thread(self) -> None:
        """Raise `WrongThread` unless the dispatcher's own thread calls."""
        if get_ident() != self._thread:
            raise WrongThread

    def next_urn(self, actor_class: type[pykka.Actor]) -> str:
        """Return a name that is the same in every run, unlike pykka's uuid4."""
        self._started += 1
        return f"urn:apnap:{actor_class.__name__}:{self._started}"

    def _take(self) -> Letter | None:
        """Take the next message out of the queue, holding back those for busy actors."""
        queue = self.queue
        while queue:
            letter = queue.popleft()
            if not letter[1].busy:
                return letter
            letter[1].held.append(letter)
        return None

    def _deliver(self, letter: Letter) -> None:
        _, mailbox, envelope = letter
        actor, future = mailbox.actor, envelope.reply_to
        if actor is None:
            refuse(mailbox, envelope)
            return
        self._begin(mailbox, envelope.message)
        try:
            answer = actor._handle_receive(envelope.message)  # noqa: SLF001 -- see call
        except Exception:  # noqa: BLE001 -- pykka's contract: the asker gets it, else the actor dies
            if future is None:
                actor.fail()
            else:
                future.set_exception()
        else:
            if future is not None:
                future.set(answer)
        finally:
            self._end(mailbox)

    def _begin(self, mailbox: Mailbox, message: Any) -> None:
        mailbox.busy = True
        self.handling.append(mailbox)
        self.delivered += 1
        if self._trace is not None:
            self._trace(self.delivered, mailbox.urn, message)

    def _end(self, mailbox: Mailbox) -> None:
        self.handling.pop()
        mailbox.busy = False
        if mailbox.held:
            self.queue.extendleft(reversed(mailbox.held))
            mailbox.held.clear()

    def _withdraw(self, future: DispatchedFuture) -> None:
        """Take back the message of an ask whose asker has given up."""
        for waiting in [self.queue, *(mailbox.held for mailbox in self.handling)]:
            for letter in list(waiting):
                if letter[2].reply_to is future:
                    waiting.remove(letter)

    def _chain(self, future: DispatchedFuture) -> tuple[str, ...]:
        asked = "nobody" if future.asked is None else future.asked.urn
        urns = tuple(mailbox.urn for mailbox in self.handling)
        return (*(urns or ("outside",)), asked)


class DispatchedRef(pykka.ActorRef[A], Generic[A]):
    """A reference to a dispatched actor; its `ask` takes the short way where there is one."""

    def __init__(self, actor: A, mailbox: Mailbox) -> None:
        """Refer to an actor and its mailbox."""
        super().__init__(actor)
        self._mailbox = mailbox

    @property
    def actor(self) -> A:
        """The actor itself, for the wiring of a table: owners call its Recorder without mail.

        It must be alive: what a reference outlives must not be kept in memory by it.
        """
        actor = self._mailbox.actor
        assert actor is not None, "an actor is there between its start and its stop"
        return cast("A", actor)

    @overload
    def ask(
        self, message: Any, *, block: Literal[False], timeout: float | None = None
    ) -> pykka.Future[Any]: ...

    @overload
    def ask(self, message: Any, *, block: Literal[True], timeout: float | None = None) -> Any: ...

    @overload
    def ask(
        self, message: Any, *, block: bool = True, timeout: float | None = None
    ) -> Any | pykka.Future[Any]: ...

    def ask(
        self, message: Any, *, block: bool = True, timeout: float | None = None
    ) -> Any | pykka.Future[Any]:
        """Send a message and return the answer, or with `block=False` a future of it."""
        mailbox = self._mailbox
        dispatcher = mailbox.dispatcher
        dispatcher.check_thread()
        actor = mailbox.actor
        if not block or dispatcher.queue or mailbox.busy or actor is None:
            return super().ask(message, block=block, timeout=timeout)
        return dispatcher.call(actor, mailbox, message)


class DispatchedActor(pykka.Actor):
    """A pykka actor without a thread, started by `Dispatcher.start`.

    A subclass writes `on_receive`, and may write `on_start`, `on_stop` and `on_failure`.
    """

    def __init__(self, *_args: Any, **_kwargs: Any) -> None:
        """Make an actor; a subclass calls this before it does anything else."""
        super().__init__()
        mailbox = self.actor_inbox
        assert isinstance(mailbox, Mailbox), "_create_actor_inbox makes the mailbox"
        self.dispatcher = mailbox.dispatcher
        self.actor_urn = mailbox.urn = self.dispatcher.next_urn(type(self))
        self._actor_ref: DispatchedRef[Any] = DispatchedRef(self, mailbox)

    @property
    def actor_ref(self) -> DispatchedRef[Self]:
        """The reference by which others know this actor."""
        return self._actor_ref

    @classmethod
    def start(cls, *args: Any, **kwargs: Any) -> DispatchedRef[Self]:
        """Start an actor on the dispatcher whose `start` calls this."""
        actor = cls(*args, **kwargs)
        ref = actor.actor_ref
        mailbox = actor.actor_inbox
        assert isinstance(mailbox, Mailbox), "a subclass leaves the mailbox alone"
        mailbox.actor = actor
        actor.dispatcher.actors[actor.actor_urn] = actor
        actor._start_actor_loop()
        return ref

    def stop_now(self) -> None:
        """Stop without waiting for the messages that were sent before."""
        self._stop()

    def fail(self) -> None:
        """Stop for the exception being handled, which nobody waits for; tell `on_failure`."""
        self._handle_failure(*sys.exc_info())
        try:
            self.on_failure(*sys.exc_info())
        except Exception:  # noqa: BLE001 -- pykka's contract: a failing hook is logged
            self._handle_failure(*sys.exc_info())

    @staticmethod
    def _create_actor_inbox() -> Mailbox:
        dispatcher = _starting.get()
        assert dispatcher is not None, "an actor is started by Dispatcher.start"
        return Mailbox(dispatcher)

    @staticmethod
    def _create_future() -> DispatchedFuture:
        return DispatchedFuture()

    def _start_actor_loop(self) -> None:
        self._actor_loop_setup()

    def _stop(self) -> None:
        self._leave()
        super()._stop()

    def _handle_failure(
        self,
        exception_type: type[BaseException] | None,
        exception_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._leave()
        super()._handle_failure(exception_type, exception_value, traceback)

    def _leave(self) -> None:
        """Let go of the dispatcher's hold, which also breaks the cycle of references."""
        mailbox = self.actor_inbox
        assert isinstance(mailbox, Mailbox), "a subclass leaves the mailbox alone"
        mailbox.actor = None
        self.dispatcher.actors.pop(self.actor_urn, None)


_starting: ContextVar[Dispatcher | None] = ContextVar("starting", default=None)
"""Whose `start` is making an actor: pykka makes the inbox without saying for whom."""
