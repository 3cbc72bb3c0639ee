"""States of a recorded game at regular distance: a cache, so that any moment is near to one.

A state says again most of what an earlier one said. So one in eight is compressed by itself, and
the next seven against it: together they are some hundredths of the log, and two steps away each.
"""

from __future__ import annotations

import zstandard

from ..projections.state import State
from ..projections.taking_back import from_kept, kept

MOMENT_EVERY = 200
"""How many commits are folded at most from a kept state to a moment after it."""

_GROUP = 8
_LEVEL = 9


class Moments:
    """The states after every 200th commit of a log, as far as it was folded."""

    def __init__(self) -> None:
        self._frames: list[bytes] = []
        self._group = b""

    def __len__(self) -> int:
        """Return how many states are kept."""
        return len(self._frames)

    @property
    def size(self) -> int:
        """How many bytes they take."""
        return sum(map(len, self._frames))

    @property
    def last(self) -> int:
        """The commit of the latest kept state; -1 where none is."""
        return self._commit_of(len(self._frames) - 1)

    def add(self, commit: int, state: State) -> None:
        """Keep the state after a commit if it is the next one to be kept."""
        if commit != self._commit_of(len(self._frames)):
            return
        data = kept(state)
        if len(self._frames) % _GROUP == 0:
            self._group = data
            self._frames.append(zstandard.ZstdCompressor(level=_LEVEL).compress(data))
        else:
            against = _dictionary(self._group)
            packer = zstandard.ZstdCompressor(level=_LEVEL, dict_data=against)
            self._frames.append(packer.compress(data))

    def nearest(self, commit: int) -> int:
        """Return the latest commit up to this one whose state is kept; -1 where none is."""
        place = min((commit + 1) // MOMENT_EVERY, len(self._frames)) - 1
        return self._commit_of(place)

    def state(self, commit: int) -> State:
        """Return a kept state; it is the caller's own."""
        place = (commit + 1) // MOMENT_EVERY - 1
        first = place - place % _GROUP
        data = zstandard.ZstdDecompressor().decompress(self._frames[first])
        if place != first:
            unpacker = zstandard.ZstdDecompressor(dict_data=_dictionary(data))
            data = unpacker.decompress(self._frames[place])
        return from_kept(data)

    @staticmethod
    def _commit_of(place: int) -> int:
        return (place + 1) * MOMENT_EVERY - 1


def _dictionary(data: bytes) -> zstandard.ZstdCompressionDict:
    return zstandard.ZstdCompressionDict(data, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
