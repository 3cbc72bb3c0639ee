"""The undo trail: each write to State keeps the old value, so going back costs what changed."""

from __future__ import annotations

from collections.abc import Callable
from operator import delitem, setitem
from typing import TYPE_CHECKING, Any

from .state import State

if TYPE_CHECKING:
    from .past import Past

_ATTRIBUTE, _PUT, _ADDED, _DROPPED, _APPENDED, _INSERTED, _REMOVED, _LIST = range(8)


class Trail:
    """All writes to one State go through here; `undo_to` takes them back, latest first.

    `past` is where the state after an earlier commit is found when the game goes back to it.
    """

    __slots__ = ("entries", "past", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.entries: list[tuple[int, Any, Any, Any]] = []
        self.past: Past | None = None

    def mark(self) -> int:
        """Return the present length of the trail, to go back to."""
        return len(self.entries)

    def set(self, record: Any, name: str, value: Any, /) -> None:
        """Write a field of a record."""
        self.entries.append((_ATTRIBUTE, record, name, getattr(record, name)))
        setattr(record, name, value)

    def put(self, table: dict[Any, Any], key: Any, value: Any, /) -> None:
        """Write a key of a dict."""
        if key in table:
            self.entries.append((_PUT, table, key, table[key]))
        else:
            self.entries.append((_ADDED, table, key, None))
        table[key] = value

    def replace(self, items: list[Any], index: int, value: Any, /) -> None:
        """Write an item of a list that has so many."""
        self.entries.append((_PUT, items, index, items[index]))
        items[index] = value

    def drop(self, table: dict[Any, Any], key: Any, /) -> None:
        """Delete a key of a dict that has it."""
        self.entries.append((_DROPPED, table, key, table.pop(key)))

    def append(self, items: list[Any], value: Any, /) -> None:
        """Append to a list."""
        items.append(value)
        self.entries.append((_APPENDED, items, None, None))

    def insert(self, items: list[Any], index: int, value: Any, /) -> None:
        """Insert into a list; the index is from 0 and not beyond its end."""
        items.insert(index, value)
        self.entries.append((_INSERTED, items, index, None))

    def remove(self, items: list[Any], value: Any, /) -> None:
        """Remove the first such item of a list that has it."""
        index = items.index(value)
        del items[index]
        self.entries.append((_REMOVED, items, index, value))

    def refill(self, items: list[Any], values: list[Any]) -> None:
        """Give a list other items."""
        self.entries.append((_LIST, items, items[:], None))
        items[:] = values

    def undo_to(self, mark: int) -> None:
        """Take back every write since the trail had that length."""
        entries = self.entries
        while len(entries) > mark:
            kind, target, key, old = entries.pop()
            if kind == _ATTRIBUTE:
                setattr(target, key, old)
            elif kind in (_PUT, _DROPPED):
                target[key] = old
            elif kind == _ADDED:
                del target[key]
            elif kind == _APPENDED:
                target.pop()
            elif kind == _INSERTED:
                del target[key]
            elif kind == _REMOVED:
                target.insert(key, old)
            else:
                target[:] = key

    def forget(self) -> None:
        """Drop the kept values: what has been committed is not taken back by this trail."""
        self.entries.clear()


_put: Callable[[Any, Any, Any], None] = setitem
_drop: Callable[[Any, Any], None] = delitem
_append: Callable[[list[Any], Any], None] = list.append
_insert: Callable[[list[Any], int, Any], None] = list.insert
_remove: Callable[[list[Any], Any], None] = list.remove


class OneWayTrail(Trail):
    """Writes to a State that nobody takes back: for folding a log whose commits are all final.

    It keeps no old values: what Python itself has for each write is all there is to do.
    """

    __slots__ = ()

    set = staticmethod(setattr)
    put = replace = staticmethod(_put)
    drop = staticmethod(_drop)
    append = staticmethod(_append)
    insert = staticmethod(_insert)
    remove = staticmethod(_remove)

    def refill(self, items: list[Any], values: list[Any]) -> None:
        """Give a list other items."""
        items[:] = values
