"""Only the owner of a thing emits events about it, and the Recorder sees to it."""

from __future__ import annotations

import typing
from collections.abc import Callable
from typing import Any, get_args, get_origin

import msgspec
import pytest

from apnap.actors.emission import Slot, owner_of_action
from apnap.actors.live_table import TableHalted
from apnap.actors.owners import Emit, OwnerActor
from apnap.actors.recorder import NotTheOwner
from apnap.events.base import Event
from apnap.events.catalog import EVENT_TYPES
from apnap.events.errors import EngineError
from apnap.events.ids import OWNED_ZONES, PlayerId, ZoneKind
from apnap.events.ownership import TABLE, Owner, Role, owner_of
from apnap.rules.actions import Action, Draw, Gain, Move, Occur, Shuffle, Tap, occur

from .conftest import Match

SLOT = Slot(1, 1, 0)


def _sample(kind: type[msgspec.Struct], **changes: Any) -> Any:
    """Return an event of the type, its fields filled in with what their types allow."""
    hints = typing.get_type_hints(kind)
    values = {
        field.encode_name: _value(hints[field.name])
        for field in msgspec.structs.fields(kind)
        if field.required
    }
    return kind(**(values | changes))


def _value(hint: Any) -> Any:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return _sample(hint)
    if getattr(hint, "__supertype__", None) is not None:
        return _value(hint.__supertype__)
    if isinstance(hint, type) and issubclass(hint, ZoneKind):
        return ZoneKind.GRAVEYARD
    if isinstance(hint, type) and issubclass(hint, int):
        return hint(1)
    if get_origin(hint) is tuple:
        return ()
    if get_args(hint):
        return None if type(None) in get_args(hint) else _value(get_args(hint)[-1])
    return {str: "", bytes: b""}[hint]


def _samples() -> list[Event]:
    """Return events of each type; of those whose owner depends on a field, one for each owner."""
    found: list[Event] = []
    for kind in EVENT_TYPES:
        names = {field.name for field in msgspec.structs.fields(kind)}
        changes: list[dict[str, Any]] = [{}]
        if "destination" in names:
            changes = [{"destination": zone} for zone in ZoneKind if zone != ZoneKind.OUTSIDE]
        elif "zone" in names:
            changes = [{"zone": zone} for zone in OWNED_ZONES]
        elif kind.__name__ == "DamageDealt":
            changes = [{"to": 1}, {"to": 0}]
        elif kind.__name__ == "AbilityActivated":
            changes = [{"object": 1}, {"object": 0}]
        found += [_sample(kind, **change) for change in changes]
    return found


SAMPLES = _samples()


def _actors(match: Match) -> dict[Owner, OwnerActor]:
    return {owner: ref.actor for owner, ref in match.table._table.refs.items()}


def _emits(actor: OwnerActor, action: Action) -> None:
    """Let an actor be told, as by the Table, to emit what an action becomes."""
    actor.recorder.open_batch((action,))
    actor.on_receive(Emit(action, 0, SLOT))


@pytest.mark.parametrize("kind", EVENT_TYPES, ids=lambda kind: kind.__name__)
def test_every_event_type_has_an_owner(kind: type[Event]) -> None:
    assert any(type(event) is kind for event in SAMPLES)
    for event in SAMPLES:
        if type(event) is kind:
            role, _ = owner_of(typing.cast("Any", event))
            assert role in Role


def test_every_role_owns_events_and_has_an_actor(match_of: Callable[..., Match]) -> None:
    match = match_of(1)
    roles = {owner_of(typing.cast("Any", event))[0] for event in SAMPLES}
    assert roles == {role for role, _ in _actors(match)} == set(Role)


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_no_actor_emits_another_ones_event(match_of: Callable[..., Match], event: Event) -> None:
    """Every owner of a game of two tries; all but the right one are refused by the Recorder."""
    match = match_of(1)
    state = match.new.position.state.to_bytes()
    action = occur(typing.cast("Any", event))
    owner = owner_of(typing.cast("Any", event))
    refused = 0
    for name, actor in _actors(match).items():
        if name == owner:
            _emits(actor, action)
            assert match.table.recorder.gathered()
            continue
        with pytest.raises(NotTheOwner, match=type(event).__name__):
            _emits(actor, action)
        refused += 1
    assert refused == len(_actors(match)) - 1
    assert match.new.position.state.to_bytes() == state


@pytest.mark.parametrize(
    "make",
    [
        lambda match: Move("400.7", 0, _first(match, 0), ZoneKind.GRAVEYARD),
        lambda match: Move("400.7", 0, _first(match, 0), ZoneKind.BATTLEFIELD),
        lambda match: Move("400.7", 0, _first(match, 1), ZoneKind.EXILE),
        lambda _: Draw("121.2", 0, PlayerId(1)),
        lambda _: Shuffle("701.20a", 0, PlayerId(0)),
        lambda _: Gain("119.3", 0, PlayerId(1), 2),
        lambda match: Tap("701.21a", 0, _first(match, 0)),
    ],
)
def test_no_actor_does_anothers_action(
    match_of: Callable[..., Match], make: Callable[[Match], Action]
) -> None:
    """What an owner makes of an action carries its owner's name through every field."""
    match = match_of(2)
    action = make(match)
    owner = owner_of_action(match.new.position.state, action)
    for name, actor in _actors(match).items():
        if name == owner:
            _emits(actor, action)
            continue
        with pytest.raises(NotTheOwner):
            _emits(actor, action)


def _first(match: Match, player: int) -> Any:
    return match.new.position.state.players[player].library[0]


def test_a_table_that_emits_for_others_is_halted(match_of: Callable[..., Match]) -> None:
    """A message gone astray in a running game rolls it back: nothing of it is recorded."""
    match = match_of(3)
    match.play(20)
    table = match.table._table
    hand = (Role.HAND, 0)
    table.refs[hand], table.refs[Role.HAND, 1] = table.refs[Role.HAND, 1], table.refs[hand]
    with pytest.raises(TableHalted, match="NotTheOwner: hand emitted ObjectMoved"):
        match.play()
    assert match.table.error is not None
    assert len(match.log.entries) == match.table.commits


def test_not_the_owner_names_both(match_of: Callable[..., Match]) -> None:
    match = match_of(4)
    actors = _actors(match)
    life = Gain("119.3", 0, PlayerId(0), 1)
    with pytest.raises(EngineError, match="table emitted LifeGained, which belongs to player"):
        _emits(actors[TABLE], life)


def test_bookkeeping_events_are_told_to_their_owner(match_of: Callable[..., Match]) -> None:
    match = match_of(5)
    state = match.new.position.state
    for event in SAMPLES:
        action: Occur = occur(typing.cast("Any", event))
        assert owner_of_action(state, action) == owner_of(typing.cast("Any", event))
