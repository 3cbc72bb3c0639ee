"""Mandatory loops: what goes on by itself for ever is a draw (CR 104.4b, 729.4).

Only where many things have resolved in a turn since a player last did anything is a loop looked
for: then the table imagines that all go on passing. If the game comes to where it was, nothing but
what must happen has happened, and it would come there again. A game that only grows as it goes
around (life, tokens, counters, lasting effects) has no end either.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from ..events.game import GameEnded
from ..events.ids import NOTHING, ObjectId
from ..projections.state import GameObject, State
from .actions import occur
from .protocol import Procedure, perform

LOOKED_FOR_FROM = 32
"""After so many resolutions a loop is looked for, and again each time they have doubled."""

GROWTH_FROM = 128
"""After so many a loop that only grows is a loop too: what reads what grows has had its chance."""

Form = tuple[object, ...]


class Seen(msgspec.Struct, frozen=True):
    """What a state is, whatever its objects are called: `exact`, and without what may only grow."""

    exact: Form
    shape: Form
    sizes: tuple[int, ...]


def is_looked_at(state: State) -> bool:
    """Say whether it is time to look for a loop: the first player has passed, all is settled."""
    done = state.turn.resolved
    is_round = done >= LOOKED_FOR_FROM and done & (done - 1) == 0
    return is_round and state.turn.passes == 1 and bool(state.stack) and state.winners is None


def is_same(before: Seen, now: Seen, *, grows: bool) -> bool:
    """Say whether a state has come again, or where `grows` is set has only grown since."""
    if before.exact == now.exact:
        return True
    if not grows or before.shape != now.shape:
        return False
    return all(new >= old for old, new in zip(before.sizes, now.sizes, strict=True))


def draw_by_loop() -> Procedure[None]:
    """End the game in a draw: a loop of mandatory actions has no end (CR 104.4b)."""
    yield from perform(occur(GameEnded("104.4b", 0, (), "loop")))


def seen(state: State) -> Seen:
    """Return what a state is, modulo names, timestamps and counts that nothing reads."""
    named = _Named(state)
    players = tuple(
        (one.pool, one.lands_played, one.has_left, one.has_lost, one.standing)
        for one in state.players
    )
    lives = tuple(one.life for one in state.players)
    counters = tuple(tuple(sorted(one.counters.items())) for one in state.players)
    turn = state.turn
    moment = (turn.number, turn.active, turn.step, turn.holder, turn.passes, turn.actions_done)
    hidden = tuple(
        (_cards(state, one.library), sorted(_cards(state, one.hand)), _cards(state, one.graveyard))
        for one in state.players
    )
    elsewhere = (_cards(state, state.exile), _cards(state, state.command), hidden)
    common = (moment, players, elsewhere)
    permanents = tuple(named.permanent(state.objects[item]) for item in state.battlefield)
    effects = _effects(state, named.place)
    exact = (
        *common,
        lives,
        counters,
        permanents,
        _stack(state, named.place),
        effects,
        _combat(state, named.place),
    )
    kinds = {named.kind(item): None for item in state.battlefield}
    lasting = {repr(row): None for row in _effects(state, named.kind)}
    shape = (
        *common,
        tuple(sorted(kinds)),
        _stack(state, named.kind),
        tuple(sorted(lasting)),
        _combat(state, named.kind),
    )
    amount = sum(sum(item.counters.values()) for item in state.objects.values())
    sizes = (*lives, len(state.battlefield), amount, len(effects))
    return Seen(exact, shape, sizes)


class _Named:
    """Names for objects that are the same each time around."""

    def __init__(self, state: State) -> None:
        self.state = state
        order = (*state.battlefield, *state.stack, *state.exile, *state.command)
        order = (*order, *(item for one in state.players for item in one.graveyard))
        self.places = {item: number for number, item in enumerate(order)}
        times = sorted(
            [state.objects[item].timestamp for item in state.battlefield]
            + [effect.timestamp for effect in state.effects]
        )
        self.ranks = {time: number for number, time in enumerate(times)}

    def place(self, item: ObjectId) -> object:
        """Return an object's place; of one that is gone, what is remembered of it."""
        if item == NOTHING:
            return ""
        found = self.places.get(item)
        return self.kind(item) if found is None else found

    def kind(self, item: ObjectId) -> str:
        """Return what an object is like, its counters by kind alone."""
        found = self.state.objects.get(item)
        if found is None:
            known = self.state.last_known.get(item)
            return "" if known is None else f"gone {known.card.hex()} {known.controller}"
        rest = (found.tapped, found.damage, sorted(found.counters), found.attached_player)
        return f"{found.zone} {found.card.hex()} {found.controller} {found.owner} {rest}"

    def permanent(self, found: GameObject) -> Form:
        """Return all that a permanent is."""
        return (
            *(found.card, found.owner, found.controller, self.ranks[found.timestamp]),
            *(found.tapped, found.face_down, found.is_token, found.damage, found.held_by),
            tuple(sorted(found.counters.items())),
            *(self.place(found.attached_to), found.attached_player),
            found.since_turn == self.state.turn.number,
        )


def _cards(state: State, zone: list[ObjectId]) -> tuple[bytes, ...]:
    return tuple(state.objects[item].card for item in zone if item in state.objects)


def _stack(state: State, name: Callable[[ObjectId], object]) -> Form:
    """Return what waits on the stack, to go there, or for its moment, in order."""
    items = tuple(
        (
            *(state.objects[item].card, state.objects[item].controller, name(chosen.source)),
            *(chosen.ability, chosen.modes, chosen.x, name(chosen.about), chosen.about_player),
            tuple((t.phrase, name(t.object), t.player, t.share) for t in chosen.targets),
            chosen.amount,
        )
        for item in state.stack
        if (chosen := state.items.get(item)) is not None
    )
    pending = tuple(
        (name(one.source), one.player, one.ability, name(one.about), one.about_player, one.amount)
        for one in state.pending
    )
    delayed = tuple(
        (name(one.source), one.player, one.ability, tuple(name(item) for item in one.objects))
        for one in state.delayed
    )
    return (items, pending, delayed)


def _effects(state: State, name: Callable[[ObjectId], object]) -> tuple[Form, ...]:
    """Return the lasting effects on what is still there, oldest first."""
    return tuple(
        (
            *(name(effect.source), effect.player, effect.modifications, effect.duration),
            tuple(name(item) for item in effect.objects if item in state.objects),
        )
        for effect in state.effects
        if not effect.objects or any(item in state.objects for item in effect.objects)
    )


def _combat(state: State, name: Callable[[ObjectId], object]) -> Form:
    combat = state.combat
    return (
        tuple((name(one), who, name(what)) for one, (who, what) in combat.attackers.items()),
        tuple((name(one), tuple(name(at) for at in ats)) for one, ats in combat.blocks.items()),
        tuple(name(item) for item in combat.blocked),
        tuple(combat.has_declared_blocks),
        tuple(name(item) for item in combat.dealt_first),
    )
