"""What the words of an ability point at while it is judged: "this", "you", "that creature"."""

from __future__ import annotations

import msgspec

from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId
from ..events.stack import ChosenTarget


class Context(msgspec.Struct, frozen=True):
    """The source and controller of an ability, its targets, and what its trigger was about.

    `source` is the object as it exists now, or as it last did (CR 113.7a). `targets` are those
    still legal while resolving. `earlier` holds, for each instruction done, the objects that it
    dealt with. `follows` is set for an ability that triggered as an object changed zones, which
    finds the object again in the public zone it went to (CR 400.7e).
    """

    source: ObjectId
    you: PlayerId
    targets: tuple[ChosenTarget, ...] = ()
    x: int = 0
    about: ObjectId = NOTHING
    about_player: PlayerId = NOBODY
    amount: int = 0
    cause: int = 0
    earlier: tuple[tuple[ObjectId, ...], ...] = ()
    follows: bool = False
