"""A dispatcher for tests that delivers in any order actors may see."""

from hashlib import blake2b

from .dispatcher import Dispatcher, Trace
from .mailbox import Letter, Mailbox


class ShufflingDispatcher(Dispatcher):
    """Delivers in any order that actors may see, drawn from a seed: what it must not change is law.

    Messages of one sender to one receiver keep their order; no others do. `choice_points` counts
    how often more than one message could have been next. Equal seeds give equal orders.
    """

    def __init__(self, seed: int, trace: Trace | None = None) -> None:
        """Make a dispatcher whose order follows from the seed."""
        super().__init__(trace)
        self.choice_points = 0
        self._key = blake2b(str(seed).encode(), digest_size=16).digest()

    def _take(self) -> Letter | None:
        """Take one of the messages that may be next; busy actors' messages stay in the queue."""
        firsts: dict[tuple[Mailbox | None, Mailbox], int] = {}
        for index, (sender, receiver, _) in enumerate(self.queue):
            if not receiver.busy:
                firsts.setdefault((sender, receiver), index)
        if not firsts:
            return None
        candidates = list(firsts.values())
        chosen = candidates[self._draw(len(candidates)) if len(candidates) > 1 else 0]
        letter = self.queue[chosen]
        del self.queue[chosen]
        return letter

    def _draw(self, below: int) -> int:
        """Draw from a counter-based stream: `random` promises no order across versions."""
        self.choice_points += 1
        counter = self.choice_points.to_bytes(8, "big")
        return int.from_bytes(blake2b(counter, digest_size=8, key=self._key).digest()) % below
