"""Declaring attackers: who can, whom, and what must (CR 508.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
from typing import TYPE_CHECKING

from ..cards.model import CannotAttack, MustAttack
from ..events.base import Decision
from ..events.decisions import DeclareAttackers
from ..events.ids import NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..projections.state import players_in_turn_order
from .mana import is_held_up
from .prompts import taken_as
from .protocol import Prompt

if TYPE_CHECKING:
    from ..projections.position import Position

Attack = tuple[ObjectId, PlayerId, ObjectId]
"""An attacker, the defending player, and the attacked permanent or 0."""


class AttackPrompt(Prompt, frozen=True, kw_only=True):
    """The active player declares attackers (CR 508.1)."""

    kind: str = "attackers"

    def is_legal(self, game: Position, decision: Decision) -> Refused | None:
        """Return None for a legal declaration, else the first rule that refuses it."""
        taken = taken_as(self, decision, DeclareAttackers)
        if isinstance(taken, Refused):
            return taken
        return why_attack_illegal(game, self.player, taken.attackers)

    def suggest(self, game: Position) -> Decision:
        """Return the least attack that requirements allow (CR 508.1d)."""
        return self._answer(least_attack(game, self.player))

    def options(self, game: Position) -> Iterator[Decision]:
        """Yield legal attacks: the least, all, one more each, and then every one there is."""
        for attack in attacks(game, self.player):
            yield self._answer(attack)

    def only_option(self, game: Position) -> Decision | None:
        """Return None: who has a creature that can attack is asked, though it may have to."""
        return None

    def _answer(self, attack: tuple[Attack, ...]) -> DeclareAttackers:
        return DeclareAttackers(self.seat, self.player, self.counter, attack)


def attackable(game: Position, attacking: PlayerId) -> tuple[tuple[PlayerId, ObjectId], ...]:
    """Return what may be attacked: each opponent and their planeswalkers (CR 506.2, 508.1b, 802.2).

    Pairs of defending player and permanent, 0 for the player; in turn order.
    """
    found: list[tuple[PlayerId, ObjectId]] = []
    for player in players_in_turn_order(game.state, attacking):
        if player == attacking or game.state.players[player].has_lost:
            continue
        found.append((player, NOTHING))
        found += (
            (player, item)
            for item in game.permanents_of(player)
            if "planeswalker" in game.characteristics(item).types
        )
    return tuple(found)


def why_cannot_attack(game: Position, player: PlayerId, attacker: ObjectId) -> Refused | None:
    """Return why a player can't attack with an object (CR 508.1a, 508.1c); None if they can."""
    name = game.name_of(attacker)
    if not game.is_in(attacker, ZoneKind.BATTLEFIELD):
        detail = f"{name or 'it'} is not on the battlefield"
        change = "attack with a creature that is there"
        return Refused(Code.NO_SUCH_OBJECT, "508.1a", detail, change)
    traits = game.characteristics(attacker)
    if traits.controller != player:
        detail = f"you do not control {name}"
        return Refused(Code.NOT_YOURS, "508.1a", detail, f"control {name} since your turn began")
    if not traits.is_creature or "battle" in traits.types:
        detail = f"{name} is not a creature that can attack"
        return Refused(Code.CANNOT_ATTACK, "506.3", detail, f"{name} must be a creature, no battle")
    if game.state.objects[attacker].tapped:
        detail = f"{name} is tapped"
        return Refused(Code.ALREADY_TAPPED, "508.1a", detail, f"{name} must be untapped")
    if is_held_up(game, attacker):
        detail = f"{name} has not been yours since your turn began"
        return Refused(Code.SUMMONING_SICK, "302.6", detail, f"{name} would need haste")
    if "defender" in traits.keywords:
        detail = f"{name} has defender"
        return Refused(Code.CANNOT_ATTACK, "702.3b", detail, f"{name} must lose defender")
    if any(isinstance(rule, CannotAttack) for rule in traits.rules):
        change = f"end what says that {name} can't attack"
        return Refused(Code.CANNOT_ATTACK, "508.1c", f"{name} can't attack", change)
    return None


def able_attackers(game: Position, player: PlayerId) -> tuple[ObjectId, ...]:
    """Return the creatures with which a player can attack, oldest first (CR 508.1a, 508.1c)."""
    return tuple(
        item for item in game.permanents_of(player) if why_cannot_attack(game, player, item) is None
    )


def must_attack(game: Position, creature: ObjectId) -> bool:
    """Say whether a requirement says that a creature attacks if able (CR 508.1d)."""
    return any(isinstance(rule, MustAttack) for rule in game.characteristics(creature).rules)


def why_attack_illegal(
    game: Position, player: PlayerId, attack: tuple[Attack, ...]
) -> Refused | None:
    """Return the first rule that refuses a declaration of attackers; None if it is legal.

    Every restriction and requirement that the ability model knows concerns one creature by itself,
    so as many requirements as possible (CR 508.1d) are obeyed exactly if each is whose creature is
    able to attack.
    """
    targets = attackable(game, player)
    chosen: list[ObjectId] = []
    for attacker, defender, permanent in attack:
        refused = why_cannot_attack(game, player, attacker)
        if refused is not None:
            return refused
        name = game.name_of(attacker)
        if attacker in chosen:
            detail = f"{name} can attack but once"
            return Refused(Code.CANNOT_ATTACK, "508.1b", detail, "name one attack for it")
        if (defender, permanent) not in targets:
            return _not_attackable(game, player, name, (defender, permanent))
        chosen.append(attacker)
    return _idle_that_must(game, player, chosen) if targets else None


def _not_attackable(
    game: Position, player: PlayerId, name: str, target: tuple[PlayerId, ObjectId]
) -> Refused:
    defender, permanent = target
    seats = game.state.players
    whom = seats[defender].name if 0 <= defender < len(seats) else "nobody"
    if permanent:
        whom = f"{game.name_of(permanent) or 'it'} as a planeswalker of {whom}"
    elif defender == player:
        whom = "its own controller"
    change = "attack an opponent or a planeswalker an opponent controls"
    return Refused(Code.CANNOT_ATTACK, "508.1b", f"{name} can't attack {whom}", change)


def _idle_that_must(game: Position, player: PlayerId, chosen: list[ObjectId]) -> Refused | None:
    for item in able_attackers(game, player):
        if item not in chosen and must_attack(game, item):
            name = game.name_of(item)
            detail = f"{name} attacks if able, and is able"
            return Refused(Code.MUST_ATTACK, "508.1d", detail, f"attack with {name} as well")
    return None


def least_attack(game: Position, player: PlayerId) -> tuple[Attack, ...]:
    """Return the attack of those creatures alone that must, at the next opponent (CR 508.1d)."""
    targets = attackable(game, player)
    if not targets:
        return ()
    able = able_attackers(game, player)
    return tuple((item, *targets[0]) for item in able if must_attack(game, item))


def attacks(game: Position, player: PlayerId) -> Iterator[tuple[Attack, ...]]:
    """Yield every legal attack once, lazily, the least one first (CR 508.1)."""
    targets = attackable(game, player)
    able = able_attackers(game, player) if targets else ()
    if not able:
        yield ()
        return
    seen: set[tuple[Attack, ...]] = set()
    base = least_attack(game, player)
    for attack in chain((base,), _simple_attacks(able, base, targets)):
        if attack not in seen:
            seen.add(attack)
            yield attack
    bound = {item for item, *_ in base}
    choices = [
        [(item, *target) for target in targets] if item in bound else _free(item, targets)
        for item in able
    ]
    for picked in product(*choices):
        attack = tuple(part for part in picked if part is not None)
        if attack not in seen:
            yield attack


def _free(item: ObjectId, targets: tuple[tuple[PlayerId, ObjectId], ...]) -> list[Attack | None]:
    return [None, *((item, *target) for target in targets)]


def _simple_attacks(
    able: tuple[ObjectId, ...],
    base: tuple[Attack, ...],
    targets: tuple[tuple[PlayerId, ObjectId], ...],
) -> Iterator[tuple[Attack, ...]]:
    """Yield the attacks people make: all at one target, and one creature more than must."""
    yield tuple((item, *targets[0]) for item in able)
    for item in able:
        for target in targets:
            parts: dict[ObjectId, Attack] = {attack[0]: attack for attack in base}
            parts[item] = (item, *target)
            yield tuple(parts[each] for each in able if each in parts)
    for target in targets[1:]:
        yield tuple((item, *target) for item in able)
