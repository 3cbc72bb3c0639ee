"""What a person may choose from: numbered options, and why other things are not possible.

All is read from what the seat knows, so a menu tells nothing that its reader may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import msgspec

from ..events.base import Decision
from ..events.decisions import (
    ActivateAbility,
    CastSpell,
    ChooseObjects,
    DeclareAttackers,
    DeclareBlockers,
    OrderObjects,
    PlayLand,
)
from ..events.ids import NOTHING, ObjectId, PlayerId
from ..events.refused import Refused
from ..projections.position import Position
from ..replay.names import exact_name
from ..replay.notation import format_decision
from ..rules.combat_attack import able_attackers, attackable, why_cannot_attack
from ..rules.combat_block import able_blockers, attackers_of
from ..rules.combat_evasion import why_cannot_block, why_cannot_block_at_all
from ..rules.legal import complete
from ..rules.mana import facts_of
from ..rules.prompts import OrderTriggers, SelectObjects
from ..rules.protocol import Prompt
from .board import counted

LISTED_MAX = 400
"""How many answers are looked at for a menu; the notation takes any."""

VARIANTS_MAX = 60
"""How many ways of one action are listed."""

Build = Callable[[tuple[int, ...]], Decision]


class Entry(msgspec.Struct, frozen=True):
    """A numbered line of a menu: one action, in one or several ways."""

    label: str
    ways: tuple[Decision, ...]


class Picking(msgspec.Struct, frozen=True):
    """A menu from which several items are picked; `build` makes the decision of those picked."""

    items: tuple[str, ...]
    picked: tuple[int, ...]
    build: Build
    what: str


def entries_of(game: Position, prompt: Prompt) -> tuple[Entry, ...]:
    """Return the menu of a prompt: alike answers under one number, mana abilities last."""
    ways: dict[tuple[object, ...], list[Decision]] = {}
    for option in islice(prompt.options(game), LISTED_MAX):
        ways.setdefault(_action_of(game, option), []).append(option)
    return tuple(Entry(_label(game, found), tuple(found)) for found in ways.values())


def _action_of(game: Position, decision: Decision) -> tuple[object, ...]:
    """Return what makes decisions ways of one action."""
    match decision:
        case CastSpell(object=item) | PlayLand(object=item):
            return (type(decision), game.name_of(item))
        case ActivateAbility(mana=mana) if mana:
            return (ActivateAbility, "mana")
        case ActivateAbility(object=item, number=number):
            return (ActivateAbility, item, number)
        case _:
            return (type(decision), decision)


def _label(game: Position, ways: list[Decision]) -> str:
    first = ways[0]
    match first:
        case PlayLand(object=item):
            return f"play {game.name_of(item)}"
        case ActivateAbility(mana=mana) if mana:
            return "activate a mana ability by hand … (not needed: costs are paid for you)"
        case _ if len(ways) == 1:
            return format_decision(game, first)
        case CastSpell(object=item):
            return f"cast {game.name_of(item)} … ({len(ways)} ways)"
        case ActivateAbility(object=item, number=number):
            return f"activate {exact_name(game, item)} ability {number + 1} … ({len(ways)} ways)"
        case _:
            return format_decision(game, first)


def ways_of(game: Position, entry: Entry) -> tuple[str, ...]:
    """Return the ways of an entry as lines; one land or card of a name is as good as another."""
    return tuple(format_decision(game, way) for way in entry.ways[:VARIANTS_MAX])


# Picking several


def picking_of(game: Position, prompt: Prompt) -> Picking | None:
    """Return the menu of a prompt that wants several things picked; None for other prompts."""
    if prompt.kind == "attackers":
        return _attack_picking(game, prompt)
    if prompt.kind == "blockers":
        return _block_picking(game, prompt)
    if isinstance(prompt, SelectObjects) and prompt.maximum > 1:
        return _object_picking(game, prompt)
    if isinstance(prompt, OrderTriggers):
        return _order_picking(game, prompt)
    return None


def _attack_picking(game: Position, prompt: Prompt) -> Picking:
    defenders = attackable(game, prompt.player)
    pairs = [
        (attacker, player, permanent)
        for attacker in able_attackers(game, prompt.player)
        for player, permanent in defenders
    ]
    items = tuple(
        f"{_creature(game, attacker)} attacks {_defender(game, player, permanent)}"
        for attacker, player, permanent in pairs
    )
    suggested = prompt.suggest(game)
    assert isinstance(suggested, DeclareAttackers), "an attack is suggested"
    picked = tuple(n for n, pair in enumerate(pairs) if pair in suggested.attackers)

    def build(chosen: tuple[int, ...]) -> Decision:
        attack = tuple(pairs[number] for number in chosen)
        return msgspec.structs.replace(suggested, attackers=attack)

    return Picking(items, picked, build, "attackers")


def _block_picking(game: Position, prompt: Prompt) -> Picking:
    pairs = [
        (blocker, attacker)
        for blocker in able_blockers(game, prompt.player)
        for attacker in attackers_of(game, prompt.player)
        if why_cannot_block(game, blocker, attacker) is None
    ]
    items = tuple(
        f"{_creature(game, blocker)} blocks {_creature(game, attacker)}"
        for blocker, attacker in pairs
    )
    suggested = prompt.suggest(game)
    assert isinstance(suggested, DeclareBlockers), "a block is suggested"
    picked = tuple(n for n, pair in enumerate(pairs) if pair in suggested.blocks)

    def build(chosen: tuple[int, ...]) -> Decision:
        return msgspec.structs.replace(suggested, blocks=tuple(pairs[n] for n in chosen))

    return Picking(items, picked, build, "blockers")


def _object_picking(game: Position, prompt: SelectObjects) -> Picking:
    items = tuple(exact_name(game, item) for item in prompt.candidates)
    suggested = prompt.suggest(game)
    assert isinstance(suggested, ChooseObjects), "objects are suggested"
    picked = tuple(prompt.candidates.index(item) for item in suggested.objects)

    def build(chosen: tuple[int, ...]) -> Decision:
        objects = tuple(prompt.candidates[n] for n in chosen)
        return msgspec.structs.replace(suggested, objects=objects)

    least, most = prompt.minimum, prompt.maximum
    wanted = f"{least}" if least == most else f"{least} to {most}"
    return Picking(items, picked, build, f"{wanted} ({prompt.kind})")


def _order_picking(game: Position, prompt: OrderTriggers) -> Picking:
    sources = {pending.number: pending.source for pending in game.state.pending}
    items = tuple(
        f"{game.name_of(sources.get(item, NOTHING)) or 'trigger'} ({item})" for item in prompt.items
    )
    suggested = prompt.suggest(game)
    assert isinstance(suggested, OrderObjects), "an order is suggested"

    def build(chosen: tuple[int, ...]) -> Decision:
        return msgspec.structs.replace(suggested, order=tuple(prompt.items[n] for n in chosen))

    everything = tuple(range(len(prompt.items)))
    return Picking(items, everything, build, "the order, the first goes on the stack first")


def _creature(game: Position, item: ObjectId) -> str:
    traits = game.characteristics(item)
    return f"{exact_name(game, item)} {traits.power}/{traits.toughness}"


def _defender(game: Position, player: PlayerId, permanent: ObjectId) -> str:
    return exact_name(game, permanent) if permanent else game.state.players[player].name


# What is not possible


def impossible(game: Position, prompt: Prompt, entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """Return what might be expected in the menu and is not possible now, by reason and rule."""
    found: dict[tuple[str, str], list[str]] = {}
    match prompt.kind:
        case "priority":
            refused = _impossible_actions(game, prompt, entries)
        case "attackers":
            refused = _impossible_attackers(game, prompt.player)
        case "blockers":
            refused = _impossible_blockers(game, prompt.player)
        case _:
            return ()
    for name, why in refused:
        is_timing = ": it is not " in why.detail or why.detail.endswith(": the stack is not empty")
        reason = why.detail.rpartition(": ")[2] if is_timing else why.detail
        rule = "117.1a" if is_timing else why.rule
        reason = reason.removeprefix(f"{name} ").replace(name, "it")  # it stands before the reason
        found.setdefault((reason, rule), []).append(name)
    return tuple(
        f"{counted(names)}: {reason} (CR {rule})" for (reason, rule), names in found.items()
    )


def _impossible_actions(
    game: Position, prompt: Prompt, entries: tuple[Entry, ...]
) -> Iterator[tuple[str, Refused]]:
    offered = {
        (way.object, getattr(way, "number", None))
        for entry in entries
        for way in entry.ways
        if isinstance(way, CastSpell | PlayLand | ActivateAbility)
    }
    asked = (prompt.seat, prompt.player, prompt.counter)
    for card in sorted(game.state.players[prompt.player].hand):
        if card and (card, None) not in offered:
            is_land = game.characteristics(card).is_land
            proposal = PlayLand(*asked, card) if is_land else CastSpell(*asked, card)
            refused = why_not(game, prompt, proposal)
            if refused is not None:
                yield game.name_of(card), refused
    for item in game.permanents_of(prompt.player):
        for number, _ in facts_of(game, item, game.characteristics(item)).others:
            if (item, number) not in offered:
                refused = why_not(game, prompt, ActivateAbility(*asked, item, number))
                if refused is not None:
                    yield f"{game.name_of(item)} ability {number + 1}", refused


def why_not(game: Position, prompt: Prompt, decision: Decision) -> Refused | None:
    """Return why a decision would be refused, what it leaves open filled in."""
    completed = complete(game, decision, prompt)
    return completed if isinstance(completed, Refused) else prompt.is_legal(game, completed)


def _impossible_attackers(game: Position, player: PlayerId) -> Iterator[tuple[str, Refused]]:
    for item in game.permanents_of(player):
        if game.characteristics(item).is_creature:
            refused = why_cannot_attack(game, player, item)
            if refused is not None:
                yield game.name_of(item), refused


def _impossible_blockers(game: Position, player: PlayerId) -> Iterator[tuple[str, Refused]]:
    for item in game.permanents_of(player):
        if not game.characteristics(item).is_creature:
            continue
        refused = why_cannot_block_at_all(game, item, player)
        if refused is not None:
            yield game.name_of(item), refused
            continue
        for attacker in attackers_of(game, player):
            refused = why_cannot_block(game, item, attacker)
            if refused is not None:
                yield f"{game.name_of(item)} blocks {game.name_of(attacker)}", refused
