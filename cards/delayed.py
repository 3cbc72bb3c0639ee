"""Delayed triggered abilities as abilities of their own: what they speak of when they resolve.

A delayed ability's text speaks of what the effect that created it dealt with ("sacrifice it at the
beginning of the next end step", CR 603.7c). As an ability of its own it speaks of "that object":
the object is remembered beside it.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from .model import Delayed, Earlier, EventObject, Objects, Target, TriggeredAbility

_T = TypeVar("_T")
_OUTSIDE = (Target, Earlier, EventObject)


def delayed_ability(node: Delayed) -> TriggeredAbility:
    """Return the triggered ability that a delayed effect creates, speaking of "that object"."""
    return TriggeredAbility(trigger=node.trigger, body=_as_event_object(node.body))


def spoken_of(node: Delayed) -> Objects | None:
    """Return what of the creating effect the delayed ability speaks of, if anything."""
    found = references_of(node)
    return found[0] if found else None


def references_of(node: Delayed) -> tuple[Objects, ...]:
    """Return the different things outside that the delayed ability's body speaks of."""
    return tuple(dict.fromkeys(_references(node.body)))


def _references(held: object) -> list[Objects]:
    if isinstance(held, _OUTSIDE):
        return [held]
    if isinstance(held, msgspec.Struct):
        return [one for name in held.__struct_fields__ for one in _references(getattr(held, name))]
    if isinstance(held, tuple):
        return [one for item in held for one in _references(item)]
    return []


def _as_event_object(held: _T) -> _T:
    if isinstance(held, _OUTSIDE):
        return EventObject()  # type: ignore[return-value]  # one reference to objects for another
    if isinstance(held, msgspec.Struct):
        facts = {name: _as_event_object(getattr(held, name)) for name in held.__struct_fields__}
        return msgspec.structs.replace(held, **facts)
    if isinstance(held, tuple):
        return tuple(_as_event_object(item) for item in held)  # type: ignore[return-value]
    return held
