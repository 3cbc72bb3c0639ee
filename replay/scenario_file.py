"""Scenario files: YAML is read, and what the format does not have is refused with a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import yaml

from ..events.errors import EngineError

ZONES = ("hand", "library", "graveyard", "exile", "command", "battlefield")
_TOP = (
    *("scenario", "title", "rules", "edition", "variant", "players", "start", "script", "expect"),
    *("shuffle", "notes", "comment"),
)
_PLAYER = ("name", "life", "mana", "counters", *ZONES)
_ENTRY = (
    *("card", "token", "as", "tapped", "sick", "counters", "attached_to", "face_down", "owner"),
)
_START = ("active", "step", "turn")

Step = str | dict[str, Any]
"""A step of a script: a word, or a map."""


class ScenarioRefused(EngineError):
    """A scenario file cannot be read as one."""


class Entry(msgspec.Struct, frozen=True):
    """A card or token that lies somewhere as the scenario begins."""

    card: str = ""
    token: str = ""
    alias: str = ""
    tapped: bool = False
    sick: bool = False
    counters: dict[str, int] = {}
    attached_to: str = ""
    face_down: bool = False
    owner: str = ""


class SeatSetup(msgspec.Struct, frozen=True):
    """A player of a scenario: life, mana, and cards by zone."""

    name: str
    life: int | None
    mana: str
    counters: dict[str, int]
    zones: dict[str, tuple[Entry, ...]]


class Scenario(msgspec.Struct, frozen=True):
    """A position, what the players do, and what must be true then."""

    name: str
    title: str
    rules: tuple[str, ...]
    edition: str
    variant: str
    players: tuple[SeatSetup, ...]
    opening: bool
    active: str
    step: str
    turn: int
    keeps_order: bool
    script: tuple[Step, ...]
    expect: dict[str, Any] | None

    @property
    def cards_put(self) -> tuple[str, ...]:
        """The names of cards that the script puts somewhere in mid-game."""
        return tuple(
            str(step["put"]) for step in self.script if isinstance(step, dict) and "put" in step
        )


def load_scenario(path: Path) -> Scenario:
    """Read a scenario file; raise ScenarioRefused if it is none."""
    try:
        text = path.read_text(encoding="utf-8")
        data = yaml.safe_load(text)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        first = str(error).replace("\n", " ")
        raise ScenarioRefused(f"{path} cannot be read: {first}") from error
    try:
        return scenario_of(data, path.stem)
    except (TypeError, ValueError, AttributeError) as error:
        raise ScenarioRefused(f"{path} holds a value of a wrong kind: {error}") from error


def scenario_of(data: object, name: str) -> Scenario:
    """Return the scenario that the data of a YAML document are."""
    if not isinstance(data, dict):
        raise ScenarioRefused(f"{name} is no map of a scenario's parts")
    _check_keys(data, _TOP, "a scenario")
    players = data.get("players")
    if not isinstance(players, list) or not players:
        raise ScenarioRefused(f"{name} names no players")
    start = data.get("start") or {}
    opening = start == "opening"
    if not opening and not isinstance(start, dict):
        raise ScenarioRefused(f"start: {start!r} is neither 'opening' nor a map")
    where: dict[str, Any] = {} if opening else start
    _check_keys(where, _START, "start")
    script = data.get("script") or []
    if not isinstance(script, list):
        raise ScenarioRefused("a script is a list of steps")
    seats = tuple(_seat(one) for one in players)
    return Scenario(
        name=str(data.get("scenario") or name),
        title=str(data.get("title") or ""),
        rules=tuple(str(rule) for rule in data.get("rules") or ()),
        edition=str(data.get("edition") or "current"),
        variant=str(data.get("variant") or "duel"),
        players=seats,
        opening=opening,
        active=str(where.get("active") or seats[0].name),
        step=str(where.get("step") or "main1"),
        turn=int(where.get("turn") or 1),
        keeps_order=data.get("shuffle") == "keep",
        script=tuple(_script_step(step) for step in script),
        expect=data.get("expect"),
    )


def _script_step(step: object) -> Step:
    if isinstance(step, str):
        return step
    if isinstance(step, dict):
        return {_key(key): value for key, value in step.items()}
    raise ScenarioRefused(f"{step!r} is no step of a script")


def _key(key: object) -> str:
    return str(key)


def _check_keys(data: dict[Any, Any], known: tuple[str, ...], where: str) -> None:
    for key in data:
        if key not in known:
            raise ScenarioRefused(
                f"{key!r} is no part of {where}; its parts are {', '.join(known)}"
            )


def _seat(data: object) -> SeatSetup:
    if not isinstance(data, dict) or "name" not in data:
        raise ScenarioRefused(f"{data!r} is no player: it has no name")
    _check_keys(data, _PLAYER, f"player {data['name']}")
    return SeatSetup(
        name=str(data["name"]),
        life=data.get("life"),
        mana=str(data.get("mana") or ""),
        counters={str(kind): int(count) for kind, count in (data.get("counters") or {}).items()},
        zones={zone: tuple(map(_entry, data.get(zone) or ())) for zone in ZONES},
    )


def _entry(data: object) -> Entry:
    if isinstance(data, str):
        return Entry(card=data)
    if not isinstance(data, dict) or not ("card" in data or "token" in data):
        raise ScenarioRefused(f"{data!r} is neither a card's name nor a map with card or token")
    _check_keys(data, _ENTRY, "an entry of a zone")
    return Entry(
        card=str(data.get("card") or ""),
        token=str(data.get("token") or ""),
        alias=str(data.get("as") or ""),
        tapped=bool(data.get("tapped")),
        sick=bool(data.get("sick")),
        counters={str(kind): int(count) for kind, count in (data.get("counters") or {}).items()},
        attached_to=str(data.get("attached_to") or ""),
        face_down=bool(data.get("face_down")),
        owner=str(data.get("owner") or ""),
    )
