"""How a message travels: the future of its answer, the mailbox it goes to, what can go wrong."""

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import pykka
from pykka._envelope import Envelope
from pykka._types import OptExcInfo
from pykka.messages import _ActorStop

from ..events.errors import EngineError

if TYPE_CHECKING:
    from .dispatcher import DispatchedActor, Dispatcher

NESTED_ASKS_MAX = 100
"""How many handlers may wait for each other: each costs some six Python frames of a thousand."""


class AskDeadlock(EngineError):
    """An ask can never be answered: its receiver waits for the asker, or the message is gone."""

    def __init__(self, chain: tuple[str, ...]) -> None:
        """Name the actors whose handlers wait, outermost first, and last the one that was asked."""
        super().__init__(f"An ask can never be answered: {' asks '.join(chain)}.")
        self.chain = chain


class AskTooDeep(EngineError):
    """More handlers wait for each other than is sound."""

    def __init__(self, chain: tuple[str, ...]) -> None:
        """Name the chain by its ends."""
        super().__init__(
            f"{len(chain) - 1} asks are nested, more than {NESTED_ASKS_MAX}:"
            f" {chain[0]} asks {chain[1]} … asks {chain[-1]}."
        )
        self.chain = chain


class WrongThread(EngineError):
    """A thread used a dispatcher that another thread runs."""

    def __init__(self) -> None:
        """Say how a table changes threads."""
        super().__init__("A dispatcher is used by one thread; an idle one may be adopted first.")


class DispatchedFuture(pykka.Future[Any]):
    """An answer to come, whose `get` drives the dispatcher instead of blocking a thread."""

    def __init__(self) -> None:
        """Make a future that nobody has been asked for yet."""
        super().__init__()
        self.asked: Mailbox | None = None
        self.is_set = False
        self._value: Any = None
        self._exc_info: OptExcInfo | None = None

    def get(self, *, timeout: float | None = None) -> Any:
        """Return the answer or raise the exception, delivering messages until it is there.

        `timeout` is pykka's and ignored: a clock must not decide what a replay does.
        """
        if self._get_hook is not None:
            return super().get(timeout=timeout)
        if not self.is_set:
            assert self.asked is not None, "a future is waited for after it was sent"
            self.asked.dispatcher.run_until(self)
        if self._exc_info is None:
            return self._value
        _, error, traceback = self._exc_info
        assert error is not None, "a future's exception is an instance"
        raise error.with_traceback(traceback)

    def set(self, value: Any = None) -> None:
        """Answer with a value."""
        self._answer()
        self._value = value

    def set_exception(self, exc_info: OptExcInfo | None = None) -> None:
        """Answer with an exception: the one given, or the one being handled."""
        self._answer()
        self._exc_info = exc_info or sys.exc_info()

    def _answer(self) -> None:
        assert not self.is_set, "a future is answered once"
        assert self._get_hook is None, "a future with a hook answers itself"
        self.is_set = True


class Mailbox:
    """What pykka takes for an actor's inbox; the messages themselves wait in the dispatcher."""

    __slots__ = ("actor", "busy", "dispatcher", "held", "urn")

    def __init__(self, dispatcher: "Dispatcher") -> None:
        """Make a mailbox whose actor is about to be made."""
        self.dispatcher = dispatcher
        self.actor: DispatchedActor | None = None  # None before it starts and once it has stopped
        self.urn = ""
        self.busy = False  # its handler is on the Python stack
        self.held: list[Letter] = []  # came while it was busy, oldest first

    def put(self, envelope: Envelope[Any], /) -> None:
        """Queue a message for this mailbox's actor."""
        dispatcher = self.dispatcher
        dispatcher.check_thread()
        if (future := envelope.reply_to) is not None:
            assert isinstance(future, DispatchedFuture), "the actor's class made the future"
            future.asked = self
        handling = dispatcher.handling
        dispatcher.queue.append((handling[-1] if handling else None, self, envelope))

    def get(self) -> NoReturn:
        """Raise: pykka's own loop would pull, the dispatcher delivers."""
        msg = "the dispatcher delivers, nobody pulls"
        raise AssertionError(msg)

    def empty(self) -> bool:
        """Whether no message waits for this mailbox's actor."""
        return not self.held and all(letter[1] is not self for letter in self.dispatcher.queue)


Letter = tuple[Mailbox | None, Mailbox, Envelope[Any]]
"""A message under way: its sender (None: from outside any actor), its receiver, its envelope."""


def refuse(mailbox: Mailbox, envelope: Envelope[Any]) -> None:
    """Answer a message to a stopped actor as pykka's own loop does."""
    if envelope.reply_to is None:
        return
    if isinstance(envelope.message, _ActorStop):
        envelope.reply_to.set(None)
        return
    error = pykka.ActorDeadError(f"{mailbox.urn} stopped before handling the message")
    envelope.reply_to.set_exception((pykka.ActorDeadError, error, None))
