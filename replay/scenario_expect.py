"""What a scenario expects: each key of the format compared with the position as it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ..cards.model import CardDefinition, KeywordAbility
from ..cards.names import folded_name
from ..cards.render import render
from ..cards.render_phrases import Unrenderable
from ..events.decisions import ActivateAbility, Answer, CastSpell, ChooseTargets
from ..events.ids import NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.stack import ChosenTarget
from ..projections.characteristics import Characteristics
from ..projections.mana import sorted_mana
from ..projections.redaction import is_known
from ..rules.prompts import SelectObjects, SelectOption, SelectPlayers
from ..rules.protocol import Prompt
from .names import ZONE_WORDS, Misread, names_of_object, player_named
from .scenario_setup import Unbuilt, letters_of_pool, step_named
from .scenario_table import ScenarioTable, StepFailed

_CHOICES_MAX = 500
_BARE_MANA = re.compile(r"\bAdd ([WUBRGC]+)\b(?!\})")
"""Intrinsic mana abilities hold letters, which a text has in braces."""

Check = Callable[[Any], None]
"""Compares what a key expects; YAML gives it anything."""

Accepted = Callable[[dict[str, Any]], str]
"""Says why a step would not be accepted now; empty if it would."""


class Expectations:
    """Checks expectations at a scenario's table."""

    def __init__(self, table: ScenarioTable, accepted: Accepted) -> None:
        """Check at a table; `accepted` judges steps of `legal`."""
        self.table = table
        self.accepted = accepted

    def check(self, expected: dict[str, Any]) -> None:
        """Raise StepFailed at the first thing that is not as expected."""
        checks = self._checks()
        for key, value in expected.items():
            check = checks.get(key)
            if check is None:
                raise Unbuilt(f"expect: there is no {key}; there are {', '.join(checks)}")
            check(value)

    def _checks(self) -> dict[str, Check]:
        return {
            "life": lambda value: self._players("life", value, lambda one: one.life),
            "hand": lambda value: self._players("hand", value, lambda one: len(one.hand)),
            "library": lambda value: self._players("library", value, lambda one: len(one.library)),
            "pool": self._pools,
            "counters": self._player_counters,
            "zones": self._zones,
            "stack": self._stack,
            "winner": self._winner,
            "lost": self._lost,
            "step": self._step,
            "turn": lambda value: _same("turn", value, self.table.game.state.turn.number),
            "active": self._active,
            "choices": self._choices,
            "asked": self._asked,
            "view": self._view,
            "legal": self._legal,
            "objects": self._objects,
        }

    def _player(self, name: object) -> PlayerId:
        found = player_named(self.table.game, str(name))
        if found is None:
            raise StepFailed("a player of the scenario", repr(name))
        return found

    def _players(self, what: str, wanted: dict[str, Any], read: Callable[[Any], Any]) -> None:
        for name, value in wanted.items():
            player = self.table.game.state.players[self._player(name)]
            _same(f"{what} of {name}", value, read(player))

    def _pools(self, wanted: dict[str, Any]) -> None:
        for name, value in wanted.items():
            pool = self.table.game.state.players[self._player(name)].pool
            _same(f"pool of {name}", _written(letters_of_pool(str(value or ""))), _written(pool))

    def _player_counters(self, wanted: dict[str, Any]) -> None:
        for name, value in wanted.items():
            counters = self.table.game.state.players[self._player(name)].counters
            _same_counters(f"counters of {name}", value, counters)

    def _zones(self, wanted: dict[str, Any]) -> None:
        for scope, names in wanted.items():
            found = Counter(folded_name(name) for name in self._names_in(scope))
            for name, count in names.items():
                _same(f"{name} in {scope}", count, found[folded_name(str(name))])

    def _names_in(self, scope: str) -> Iterable[str]:
        game = self.table.game
        for item in self._items_in(scope):
            yield names_of_object(game, item)[0]

    def _items_in(self, scope: str) -> list[ObjectId]:
        """Return what is in a zone: on the battlefield and the stack what a player controls."""
        game = self.table.game
        who, _, zone = scope.rpartition(".")
        kind = ZONE_WORDS.get(zone)
        if kind is None:
            raise StepFailed("a zone such as bob.graveyard", scope)
        player = self._player(who) if who else None
        in_play = kind in {ZoneKind.BATTLEFIELD, ZoneKind.STACK}
        found = []
        for item, there in game.state.objects.items():
            holder = game.controller_of(item) if in_play else there.owner
            if there.zone == kind and (player is None or holder == player):
                found.append(item)
        return found

    def _stack(self, wanted: list[Any]) -> None:
        game = self.table.game
        found = [names_of_object(game, item)[0] for item in game.state.stack]
        _same("stack, bottom to top", [str(name) for name in wanted or []], found)

    def _winner(self, wanted: object) -> None:
        state = self.table.game.state
        if state.winners is None:
            found = "none"
        elif not state.winners:
            found = "draw"
        else:
            found = " and ".join(state.players[player].name for player in state.winners)
        _same("winner", str(wanted), found)

    def _lost(self, wanted: object) -> None:
        players = self.table.game.state.players
        names = wanted if isinstance(wanted, list) else [wanted]
        found = [player.name for player in players if player.has_lost or player.has_left]
        _same("players who lost", sorted(map(str, names)), sorted(found))

    def _step(self, wanted: object) -> None:
        step = self.table.game.state.turn.step
        _same("step", step_named(str(wanted)).name.lower(), step.name.lower())

    def _active(self, wanted: object) -> None:
        state = self.table.game.state
        _same("active player", str(wanted), state.players[state.turn.active].name)

    def _asked(self, wanted: object) -> None:
        prompt = self._open_prompt()
        seats = self.table.game.state.players
        if isinstance(wanted, dict):
            _same("who answers", str(wanted.get("answers")), seats[prompt.seat].name)
            _same("for whom", str(wanted.get("for")), seats[prompt.player].name)
        else:
            _same("who is asked", str(wanted), seats[prompt.seat].name)

    def _open_prompt(self) -> Prompt:
        prompt = self.table.prompt
        if prompt is None:
            raise StepFailed("a question to a player", "nobody is asked")
        return prompt

    def _choices(self, wanted: dict[str, Any]) -> None:
        prompt = self._open_prompt()
        for name, options in wanted.items():
            _same("who is asked", str(name), self.table.player_name(prompt.player))
            found = sorted(self._options(prompt))
            _same(f"choices of {name}", sorted(str(option) for option in options), found)

    def _options(self, prompt: Prompt) -> list[str]:
        game = self.table.game
        match prompt:
            case SelectPlayers(candidates=players):
                return [game.state.players[player].name for player in players]
            case SelectObjects(candidates=objects):
                return [names_of_object(game, item)[0] for item in objects]
            case SelectOption(labels=labels):
                return list(labels)
            case _:
                return self._listed(prompt)

    def _listed(self, prompt: Prompt) -> list[str]:
        """Return what a prompt's first legal answers name: targets, or yes and no."""
        game = self.table.game
        found: dict[tuple[ObjectId, PlayerId], str] = {}
        for number, option in enumerate(prompt.options(game)):
            if number >= _CHOICES_MAX:
                break
            match option:
                case Answer(yes=yes):
                    found[ObjectId(number), PlayerId(0)] = "yes" if yes else "no"
                case ChooseTargets() | CastSpell() | ActivateAbility():
                    for target in option.targets:
                        found[target.object, target.player] = self._target_name(target)
                case _:
                    continue
        return list(found.values())

    def _target_name(self, target: ChosenTarget) -> str:
        game = self.table.game
        if target.object:
            return names_of_object(game, target.object)[0]
        return game.state.players[target.player].name

    def _legal(self, wanted: list[dict[str, Any]]) -> None:
        for step in wanted:
            why = self.accepted(step)
            if why:
                raise StepFailed(f"{step} to be legal", why)

    # What a seat may know

    def _view(self, wanted: dict[str, Any]) -> None:
        for name, parts in wanted.items():
            seat = self._player(name)
            for key, value in parts.items():
                match key:
                    case "knows":
                        self._knows(name, seat, value)
                    case "unknown":
                        self._unknown(name, seat, value)
                    case "objects":
                        self._seen_objects(name, value)
                    case _:
                        raise Unbuilt(f"expect: view: {key} is not built yet")

    def _knows(self, name: str, seat: PlayerId, zones: dict[str, list[Any]]) -> None:
        game = self.table.game
        for scope, cards in zones.items():
            found = [
                names_of_object(game, item)[0]
                for item in self._items_in(scope)
                if is_known(game.state.objects[item].known_to, seat)
            ]
            _same(f"what {name} knows of {scope}", sorted(map(str, cards)), sorted(found))

    def _unknown(self, name: str, seat: PlayerId, zones: dict[str, int]) -> None:
        game = self.table.game
        for scope, count in zones.items():
            found = [
                item
                for item in self._items_in(scope)
                if not is_known(game.state.objects[item].known_to, seat)
            ]
            _same(f"cards of {scope} unknown to {name}", count, len(found))

    def _seen_objects(self, seat: str, wanted: dict[str, dict[str, Any]]) -> None:
        """Check permanents by what everybody sees of them: `#n face-down`, or a name face up."""
        game = self.table.game
        battlefield = game.state.battlefield
        turned = [item for item in battlefield if game.state.objects[item].face_down]
        for name, parts in wanted.items():
            nth = re.fullmatch(r"#(\d+) face-down", str(name))
            who, _, card = str(name).rpartition(": ")
            if nth is not None:
                found = turned[int(nth[1]) - 1 : int(nth[1])]
            else:
                found = [
                    item
                    for item in battlefield
                    if folded_name(game.name_of(item)) == folded_name(card)
                    and (not who or game.controller_of(item) == self._player(who))
                ]
            what = f"{name} as {seat} sees it"
            _same(f"{what}: exists", bool(parts.get("exists", True)), bool(found))
            for key, value in parts.items():
                if key != "exists" and found:
                    traits = game.characteristics(found[0])
                    self._trait(f"{what}: {key}", key, value, found[0], traits)

    # Objects

    def _objects(self, wanted: dict[str, dict[str, Any]]) -> None:
        for name, parts in wanted.items():
            self._object(str(name), parts)

    def _object(self, name: str, parts: dict[str, Any]) -> None:
        game = self.table.game
        exists = parts.get("exists", True)
        try:
            item = self.table.naming.object(name)
        except Misread as error:
            if not exists and error.error.kind == "unknown":
                return
            raise StepFailed(f"an object {name}", str(error)) from error
        found = game.state.objects.get(item)
        is_there = found is not None and self._is_where_named(name, found.zone)
        _same(f"{name}: exists", bool(exists), is_there)
        if found is None:
            return
        traits = game.characteristics(item)
        for key, value in parts.items():
            if key != "exists":
                self._trait(f"{name}: {key}", key, value, item, traits)

    def _is_where_named(self, name: str, zone: ZoneKind) -> bool:
        """Say whether it is in play or on the stack, or the name says another zone."""
        scoped = any(f".{word}:" in name for word in ZONE_WORDS)
        return scoped or zone in {ZoneKind.BATTLEFIELD, ZoneKind.STACK}

    def _trait(
        self, what: str, key: str, value: object, item: ObjectId, traits: Characteristics
    ) -> None:
        game = self.table.game
        found = game.state.objects[item]
        players = game.state.players
        match key:
            case "power" | "toughness" | "name" | "mana_value":
                _same(what, value, getattr(traits, key))
            case "colors":
                _same(what, _words(value), sorted(traits.colors))
            case "types":
                _has_all(what, value, lambda word: _has_type(traits, word))
            case "not_types":
                _has_none(what, value, lambda word: _has_type(traits, word))
            case "abilities":
                _has_all(what, value, lambda text: _has_ability(traits, text), traits)
            case "not_abilities":
                _has_none(what, value, lambda text: _has_ability(traits, text))
            case "no_abilities":
                _same(what, bool(value), not traits.abilities)
            case "controller":
                _same(what, str(value), players[traits.controller].name)
            case "owner":
                _same(what, str(value), players[found.owner].name)
            case "tapped" | "face_down":
                _same(what, bool(value), getattr(found, key))
            case "damage":
                _same(what, value, found.damage)
            case "counters":
                _same_counters(what, value, found.counters)
            case "loyalty":
                _same(what, value, found.counters.get("loyalty", traits.loyalty or 0))
            case "attached_to" | "attacking" | "blocking":
                self._relation(what, key, value, item)
            case _:
                raise Unbuilt(f"expect: objects: {key} is not built yet")

    def _relation(self, what: str, key: str, value: object, item: ObjectId) -> None:
        """Compare what an object is attached to, attacks or blocks; true and false say whether."""
        game = self.table.game
        combat = game.state.combat
        found = game.state.objects[item]
        related: list[tuple[ObjectId, PlayerId]] = []
        match key:
            case "attached_to":
                if found.attached_to or found.attached_player >= 0:
                    related = [(found.attached_to, found.attached_player)]
            case "attacking":
                if item in combat.attackers:
                    player, permanent = combat.attackers[item]
                    related = [(permanent, player)]
            case _:
                related = [(one, PlayerId(-1)) for one in combat.blocks.get(item, ())]
        if value is None or isinstance(value, bool) or value == "none":
            wanted = value is True
            _same(what, wanted, bool(related))
            return
        names = value if isinstance(value, list) else [value]
        wanted_objects = [self._thing(str(name)) for name in names]
        mine = [(item, PlayerId(-1)) if item else (item, player) for item, player in related]
        if sorted(wanted_objects) != sorted(mine):
            told = [
                game.name_of(item) if item else game.state.players[player].name
                for item, player in related
            ]
            raise StepFailed(f"{what}: {value}", ", ".join(told) or "nothing")

    def _thing(self, name: str) -> tuple[ObjectId, PlayerId]:
        player = player_named(self.table.game, name)
        if player is not None:
            return (NOTHING, player)
        return (self.table.naming.object(name), PlayerId(-1))


def _same(what: str, wanted: object, found: object) -> None:
    if wanted != found:
        raise StepFailed(f"{what}: {wanted}", str(found))


def _written(pool: str) -> str:
    return _braced(sorted_mana(pool)) or "empty"


def _braced(letters: str) -> str:
    return "".join(f"{{{letter}}}" for letter in letters)


def _same_counters(what: str, wanted: object, found: dict[str, int]) -> None:
    """Compare the kinds that are named; an empty map says that there are none."""
    if not wanted:
        _same(what, {}, {kind: count for kind, count in found.items() if count})
        return
    assert isinstance(wanted, dict), "counters are a map of kinds and numbers"
    for kind, count in wanted.items():
        _same(f"{what}: {kind}", count, found.get(str(kind), 0))


def _words(value: object) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return sorted(str(item) for item in items)


def _has_type(traits: Characteristics, word: object) -> bool:
    text = str(word)
    return text.lower() in traits.types or any(
        text.lower() == name.lower() for name in (*traits.subtypes, *traits.supertypes)
    )


def _has_all(
    what: str,
    wanted: object,
    has: Callable[[Any], bool],
    traits: Characteristics | None = None,
) -> None:
    for word in wanted if isinstance(wanted, list) else [wanted]:
        if not has(word):
            all_of_them = ", ".join(_abilities(traits)) if traits is not None else "it has not"
            raise StepFailed(f"{what} to have {word}", all_of_them or "it has not")


def _has_none(what: str, wanted: object, has: Callable[[Any], bool]) -> None:
    for word in wanted if isinstance(wanted, list) else [wanted]:
        if has(word):
            raise StepFailed(f"{what} to lack {word}", f"it has {word}")


def _has_ability(traits: Characteristics, text: object) -> bool:
    wanted = str(text).strip().rstrip(".").lower()
    return wanted in [ability.rstrip(".").lower() for ability in _abilities(traits)]


def _abilities(traits: Characteristics) -> list[str]:
    """Return the abilities as words: keywords also by their bare names."""
    found: list[str] = []
    for ability in traits.abilities:
        card = CardDefinition(
            name=traits.name,
            types=traits.types,
            subtypes=traits.subtypes,
            abilities=(ability,),
        )
        if isinstance(ability, KeywordAbility):
            found.append(ability.name)
        try:
            text = render(card)
        except Unrenderable:
            continue
        text = _BARE_MANA.sub(lambda match: "Add " + _braced(match[1]), text)
        if text.lower() not in found:
            found.append(text)
    return found
