"""The dispatcher keeps pykka's semantics, in one thread and one order."""

import gc
import logging
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pykka
import pytest

from apnap.actors.dispatcher import (
    AskDeadlock,
    AskTooDeep,
    DispatchedActor,
    DispatchedRef,
    Dispatcher,
    WrongThread,
)
from apnap.actors.shuffling import ShufflingDispatcher
from apnap.events.errors import EngineError

Seen = list[tuple[str, Any]]


class Owner(DispatchedActor):
    """Writes down what it gets, and answers by doing what the message says."""

    def __init__(self, name: str = "owner", seen: Seen | None = None) -> None:
        super().__init__()
        self.name = name
        self.seen: Seen = [] if seen is None else seen
        self.doubled = 0

    def on_receive(self, message: Any) -> Any:
        self.seen.append((self.name, getattr(message, "__name__", message)))
        return message(self) if callable(message) else (self.name, message)

    def double(self, number: int) -> int:
        self.doubled = 2 * number
        return self.doubled

    def on_stop(self) -> None:
        self.seen.append((self.name, "stopped"))

    def on_failure(
        self, exception_type: object, exception_value: object, traceback: object
    ) -> None:
        self.seen.append((self.name, f"failed: {exception_value}"))


def raising(error: BaseException) -> Callable[[Owner], None]:
    def fail(_owner: Owner) -> None:
        raise error

    return fail


def asking(ref: DispatchedRef[Any], message: Any) -> Callable[[Owner], Any]:
    def ask(_owner: Owner) -> Any:
        return ref.ask(message)

    return ask


def telling(ref: DispatchedRef[Any], message: Any) -> Callable[[Owner], None]:
    def tell(_owner: Owner) -> None:
        ref.tell(message)

    return tell


def ask_in_either_way(ref: DispatchedRef[Any], message: Any, *, block: bool) -> Any:
    return ref.ask(message) if block else ref.ask(message, block=False).get()


def errors_in_another_thread(work: Callable[[], object]) -> list[type[EngineError]]:
    errors: list[type[EngineError]] = []

    def run() -> None:
        try:
            work()
        except EngineError as error:
            errors.append(type(error))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return errors


@pytest.fixture(params=["in order", "shuffled"])
def dispatcher(request: pytest.FixtureRequest) -> Dispatcher:
    return Dispatcher() if request.param == "in order" else ShufflingDispatcher(7)


# pykka's semantics, on both dispatchers.


def test_ask_returns_the_handlers_answer(dispatcher: Dispatcher) -> None:
    assert dispatcher.start(Owner).ask("hi") == ("owner", "hi")


def test_ask_without_blocking_returns_a_future(dispatcher: Dispatcher) -> None:
    ref = dispatcher.start(Owner)
    future = ref.ask("hi", block=False)
    assert not ref.actor_inbox.empty()
    assert future.get() == future.get(timeout=0) == ("owner", "hi")
    assert ref.actor_inbox.empty()


def test_tell_is_handled_later(dispatcher: Dispatcher) -> None:
    seen: Seen = []
    ref = dispatcher.start(Owner, seen=seen)
    ref.tell("note")
    assert seen == []
    assert len(dispatcher.queue) == 1
    assert dispatcher.run_until_idle() == 1
    assert dispatcher.is_idle
    assert seen == [("owner", "note")]


def test_proxy_calls_methods_and_reads_and_writes_attributes(dispatcher: Dispatcher) -> None:
    proxy: Any = dispatcher.start(Owner).proxy()
    assert proxy.double(21).get() == 42
    assert proxy.doubled.get() == 42
    proxy.doubled = 5
    assert proxy.doubled.get() == 5


def test_futures_map_join_filter_and_reduce(dispatcher: Dispatcher) -> None:
    proxy: Any = dispatcher.start(Owner).proxy()
    assert proxy.double(1).map(lambda n: n + 1).get() == 3
    joined = proxy.double(1).join(proxy.double(2), proxy.double(3))
    assert joined.get() == [2, 4, 6]
    assert joined.filter(lambda n: n > 2).get() == [4, 6]
    assert joined.reduce(lambda a, b: a + b).get() == 12
    assert pykka.get_all([proxy.double(1), proxy.double(2)]) == [2, 4]


def test_asker_gets_the_exception_and_the_actor_lives_on(dispatcher: Dispatcher) -> None:
    ref = dispatcher.start(Owner)
    with pytest.raises(ValueError, match="wrong"):
        ref.ask(raising(ValueError("wrong")))
    with pytest.raises(ValueError, match="later"):
        ref.ask(raising(ValueError("later")), block=False).get()
    assert ref.ask("still there") == ("owner", "still there")


def test_exception_of_a_told_message_stops_the_actor(
    dispatcher: Dispatcher, caplog: pytest.LogCaptureFixture
) -> None:
    seen: Seen = []
    ref = dispatcher.start(Owner, seen=seen)
    ref.tell(raising(ValueError("wrong")))
    with caplog.at_level(logging.ERROR, logger="pykka"):
        dispatcher.run_until_idle()
    assert not ref.is_alive()
    assert seen[-1] == ("owner", "failed: wrong")
    assert "Unhandled exception" in caplog.text
    assert dispatcher.actors == {}


def test_keyboard_interrupt_leaves_the_dispatcher_usable(dispatcher: Dispatcher) -> None:
    ref = dispatcher.start(Owner)
    interrupted = asking(ref, raising(KeyboardInterrupt()))
    for block in (True, False):
        with pytest.raises(KeyboardInterrupt):
            ask_in_either_way(dispatcher.start(Owner), interrupted, block=block)
        assert dispatcher.is_idle
    assert ref.ask("hi") == ("owner", "hi")


def test_stop_handles_what_was_sent_before_it(dispatcher: Dispatcher) -> None:
    seen: Seen = []
    ref = dispatcher.start(Owner, seen=seen)
    ref.tell("before")
    assert ref.stop() is True
    assert seen == [("owner", "before"), ("owner", "stopped")]
    assert not ref.is_alive()
    assert ref.stop() is False


def test_message_after_stop_finds_a_dead_actor(dispatcher: Dispatcher) -> None:
    ref = dispatcher.start(Owner)
    stopped = ref.stop(block=False)
    too_late = ref.ask("after", block=False)
    assert stopped.get() is True
    with pytest.raises(pykka.ActorDeadError, match="stopped before handling"):
        too_late.get()
    with pytest.raises(pykka.ActorDeadError, match="not found"):
        ref.ask("dead")
    with pytest.raises(pykka.ActorDeadError, match="not found"):
        ref.tell("dead")


def test_actor_may_stop_itself(dispatcher: Dispatcher) -> None:
    seen: Seen = []
    ref = dispatcher.start(Owner, seen=seen)
    assert ref.ask(Owner.stop) is None
    dispatcher.run_until_idle()
    assert seen == [("owner", "stop"), ("owner", "stopped")]


def test_failing_start_hook_leaves_a_dead_actor(dispatcher: Dispatcher) -> None:
    class Stillborn(DispatchedActor):
        def on_start(self) -> None:
            raise ValueError("no")

    assert not dispatcher.start(Stillborn).is_alive()
    assert dispatcher.actors == {}


# Order.


def test_messages_come_in_the_order_they_were_sent() -> None:
    dispatcher, seen = Dispatcher(), Seen()
    alice = dispatcher.start(Owner, "alice", seen)
    bob = dispatcher.start(Owner, "bob", seen)
    alice.tell(1)
    bob.tell(2)
    alice.tell(3)
    assert bob.ask(4) == ("bob", 4)
    assert seen == [("alice", 1), ("bob", 2), ("alice", 3), ("bob", 4)]


def test_handler_is_not_interrupted_by_its_own_actors_messages() -> None:
    dispatcher, seen = Dispatcher(), Seen()
    alice = dispatcher.start(Owner, "alice", seen)
    bob = dispatcher.start(Owner, "bob", seen)

    def answer(_bob: Owner) -> str:
        alice.tell("note while busy")
        return "pong"

    def ask(owner: Owner) -> None:
        owner.seen.append(("alice", bob.ask(answer)))

    alice.tell(ask)
    alice.tell("after")
    dispatcher.run_until_idle()
    # "after" was sent before bob's note, so it comes first; neither interrupts.
    assert [message for name, message in seen if name == "alice"] == [
        *("ask", "pong", "after", "note while busy")
    ]


@pytest.mark.parametrize("queued", [False, True])
def test_direct_call_and_queue_give_the_same_order(queued: bool) -> None:
    """An ask of an idle actor skips the queue only where the queue would change nothing."""
    dispatcher, seen = Dispatcher(), Seen()
    refs = [dispatcher.start(Owner, name, seen) for name in ("alice", "bob", "carol")]

    def ask(index: int, message: Any) -> Any:
        return ask_in_either_way(refs[index], message, block=not queued)

    def tell_then_ask(_owner: Owner) -> Any:
        refs[2].tell("told")
        return ask(1, "asked")

    assert ask(0, lambda _owner: (ask(1, "first"), ask(1, tell_then_ask.__name__))) is not None
    assert ask(0, tell_then_ask) == ("bob", "asked")
    assert [name for name, _ in seen] == ["alice", "bob", "bob", "alice", "carol", "bob"]


def test_two_runs_deliver_the_same_messages_to_the_same_names() -> None:
    def run(dispatcher_class: Callable[..., Dispatcher], *seed: int) -> list[tuple[int, str, str]]:
        trace: list[tuple[int, str, str]] = []
        dispatcher = dispatcher_class(
            *seed, trace=lambda number, urn, message: trace.append((number, urn, repr(message)))
        )
        refs = [dispatcher.start(Owner, name) for name in ("alice", "bob", "carol")]
        for round_number in range(5):
            for ref in refs:
                ref.tell(round_number)
            refs[round_number % 3].ask("turn")
        dispatcher.run_until_idle()
        return trace

    assert run(Dispatcher) == run(Dispatcher)
    assert run(Dispatcher)[0] == (1, "urn:apnap:Owner:1", "0")
    shuffled = {seed: run(ShufflingDispatcher, seed) for seed in range(10)}
    assert shuffled == {seed: run(ShufflingDispatcher, seed) for seed in range(10)}
    assert len({str(trace) for trace in shuffled.values()}) > 5
    assert len({len(trace) for trace in shuffled.values()}) == 1


# Asks that cannot be answered.


@pytest.mark.parametrize("block", [True, False])
def test_actor_that_asks_itself_is_a_deadlock(dispatcher: Dispatcher, block: bool) -> None:
    alice = dispatcher.start(Owner)
    with pytest.raises(AskDeadlock) as caught:
        ask_in_either_way(alice, asking(alice, "myself"), block=block)
    assert caught.value.chain == (alice.actor_urn, alice.actor_urn)
    assert isinstance(caught.value, EngineError)


def test_ring_of_asks_is_a_deadlock_that_names_the_chain(dispatcher: Dispatcher) -> None:
    seen: Seen = []
    alice, bob, carol = (dispatcher.start(Owner, n, seen) for n in ("alice", "bob", "carol"))
    with pytest.raises(AskDeadlock) as caught:
        alice.ask(asking(bob, asking(carol, asking(alice, "ring"))))
    urns = [ref.actor_urn for ref in (alice, bob, carol, alice)]
    assert caught.value.chain == tuple(urns)
    assert " asks ".join(urns) in str(caught.value)
    # The message nobody waits for any more is not delivered later; everybody lives on.
    assert dispatcher.run_until_idle() == 0
    assert ("alice", "ring") not in seen
    assert bob.ask("hi") == ("bob", "hi")


def test_message_that_was_discarded_is_a_deadlock(dispatcher: Dispatcher) -> None:
    alice = dispatcher.start(Owner)
    future = alice.ask("lost", block=False)
    assert dispatcher.discard() == 1
    with pytest.raises(AskDeadlock, match="outside asks urn:apnap:Owner:1"):
        future.get()


@pytest.mark.parametrize("busy", [False, True])
def test_fifty_nested_asks_are_answered_and_five_hundred_refused(busy: bool) -> None:
    dispatcher = Dispatcher()

    def nested(depth: int) -> Any:
        message: Any = "end"
        for ref in [dispatcher.start(Owner) for _ in range(depth)]:
            message = asking(ref, message)
        if busy:
            dispatcher.start(Owner).tell("so that the queue is not empty")
        return dispatcher.start(Owner).ask(message)

    assert nested(50) == ("owner", "end")
    with pytest.raises(AskTooDeep, match="asks are nested"):
        nested(500)
    dispatcher.run_until_idle()
    assert nested(50) == ("owner", "end")


# Threads.


def test_other_thread_is_refused(dispatcher: Dispatcher) -> None:
    ref = dispatcher.start(Owner)
    pending = ref.ask("pending", block=False)
    uses: list[Callable[[], object]] = [
        lambda: ref.tell("x"),
        lambda: ref.ask("x"),
        lambda: ref.ask("x", block=False),
        pending.get,
        dispatcher.run_until_idle,
        lambda: dispatcher.start(Owner),
    ]
    for use in uses:
        assert errors_in_another_thread(use) == [WrongThread]


def test_idle_dispatcher_is_adopted_by_another_thread(dispatcher: Dispatcher) -> None:
    ref = dispatcher.start(Owner)

    def take_over() -> None:
        dispatcher.adopt()
        assert ref.ask("hi") == ("owner", "hi")

    assert errors_in_another_thread(take_over) == []
    with pytest.raises(WrongThread):
        ref.ask("gone")


def test_no_thread_is_started(dispatcher: Dispatcher) -> None:
    before = threading.active_count()
    refs = [dispatcher.start(Owner) for _ in range(20)]
    dispatcher.gather([(ref, "hi") for ref in refs])
    assert threading.active_count() == before


# Asking several, and parking.


def test_gather_returns_answers_in_the_order_of_the_asks(dispatcher: Dispatcher) -> None:
    refs = [dispatcher.start(Owner, name) for name in "abcdef"]
    assert dispatcher.gather((ref, 1) for ref in refs) == [(name, 1) for name in "abcdef"]
    assert dispatcher.gather([]) == []


def test_gather_lets_all_handle_before_it_raises(dispatcher: Dispatcher) -> None:
    seen: Seen = []
    refs = [dispatcher.start(Owner, name, seen) for name in "abc"]
    asks = [(refs[0], raising(ValueError("first"))), (refs[1], 1), (refs[2], 2)]
    with pytest.raises(ValueError, match="first"):
        dispatcher.gather(asks)
    assert sorted(name for name, _ in seen) == ["a", "b", "c"]
    assert dispatcher.is_idle


def test_gather_inside_a_handler_meets_choice_points() -> None:
    dispatcher, seen = ShufflingDispatcher(1), Seen()
    owners = [dispatcher.start(Owner, name, seen) for name in "abcd"]

    def propose(_table: Owner) -> list[Any]:
        return dispatcher.gather([(owner, "propose") for owner in owners])

    table = dispatcher.start(Owner, "table")
    orders = set()
    for round_number in range(1, 11):
        assert table.ask(propose) == [(name, "propose") for name in "abcd"]
        orders.add("".join(name for name, _ in seen))
        seen.clear()
        assert dispatcher.choice_points == 3 * round_number
    assert len(orders) > 5


def test_stopping_all_is_in_reverse_and_leaves_nothing(dispatcher: Dispatcher) -> None:
    seen: Seen = []
    refs = [dispatcher.start(Owner, name, seen) for name in ("alice", "bob")]
    waiting = refs[0].ask("never handled", block=False)
    assert dispatcher.stop_all() == 2
    assert seen == [("bob", "stopped"), ("alice", "stopped")]
    assert dispatcher.is_idle
    assert dispatcher.actors == {}
    with pytest.raises(pykka.ActorDeadError):
        waiting.get()
    assert dispatcher.stop_all() == 0


def test_actors_stay_out_of_the_registry_of_the_process(dispatcher: Dispatcher) -> None:
    before = len(pykka.ActorRegistry.get_all())
    ref = dispatcher.start(Owner)
    assert len(pykka.ActorRegistry.get_all()) == before
    assert list(dispatcher.actors) == [ref.actor_urn]


def test_stopped_actors_free_their_memory_though_references_remain() -> None:
    dispatcher = Dispatcher()
    ref = dispatcher.start(Owner)
    actor = weakref.ref(dispatcher.actors[ref.actor_urn])
    dispatcher.stop_all()
    gc.collect()
    assert actor() is None
    assert not ref.is_alive()


# Shuffling.


def test_one_senders_messages_to_one_receiver_keep_their_order() -> None:
    for seed in range(20):
        dispatcher, seen = ShufflingDispatcher(seed), Seen()
        refs = [dispatcher.start(Owner, name, seen) for name in ("alice", "bob")]
        for number in range(10):
            for ref in refs:
                ref.tell(number)
        dispatcher.run_until_idle()
        for name in ("alice", "bob"):
            assert [number for owner, number in seen if owner == name] == list(range(10))


def test_messages_of_two_senders_to_one_receiver_may_cross() -> None:
    orders = set()
    for seed in range(20):
        dispatcher, seen = ShufflingDispatcher(seed), Seen()
        carol = dispatcher.start(Owner, "carol", seen)
        for name in ("alice", "bob"):
            dispatcher.start(Owner, name).tell(telling(carol, name))
        dispatcher.run_until_idle()
        orders.add(tuple(message for _, message in seen))
    assert orders == {("alice", "bob"), ("bob", "alice")}


def test_single_message_is_no_choice_point() -> None:
    dispatcher = ShufflingDispatcher(1)
    ref = dispatcher.start(Owner)
    ref.tell(1)
    ref.tell(2)  # same sender, same receiver: the order is fixed
    ref.ask(3)
    assert dispatcher.choice_points == 0
    assert dispatcher.delivered == 3
