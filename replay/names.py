"""Naming objects and players in words, as scenario files and people do, and finding them again.

`Grizzly Bears` where one object of that name is meant; `bob: Grizzly Bears` what bob controls (or
owns, off the battlefield and the stack); `bob.graveyard: Grizzly Bears` a zone; `Grizzly Bears#2`
the second by timestamp, or by place in an ordered zone; `#12` an object's id; an alias.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from ..cards.names import folded_name
from ..events.ids import NOBODY, OWNED_ZONES, ObjectId, PlayerId, ZoneKind
from ..projections.filters import objects_in_zone
from ..projections.position import Position

ZONE_WORDS = {
    "library": ZoneKind.LIBRARY,
    "hand": ZoneKind.HAND,
    "battlefield": ZoneKind.BATTLEFIELD,
    "graveyard": ZoneKind.GRAVEYARD,
    "stack": ZoneKind.STACK,
    "exile": ZoneKind.EXILE,
    "command": ZoneKind.COMMAND,
}
"""The zones as they are written after a player's name."""

_GROUPS = (
    (ZoneKind.BATTLEFIELD, ZoneKind.STACK),
    (ZoneKind.HAND,),
    (ZoneKind.GRAVEYARD,),
    (ZoneKind.EXILE,),
    (ZoneKind.COMMAND,),
    (ZoneKind.LIBRARY,),
)
"""Where a name without a zone is looked for, first what is in play."""

_NUMBERED = re.compile(r"^(?P<name>.*?)\s*#\s*(?P<number>\d+)$")
_SCOPED = re.compile(r"^(?P<who>[^:.]+?)(?:\.(?P<zone>[a-z]+))?\s*:\s*(?P<rest>.+)$", re.IGNORECASE)
_OWNED = re.compile(
    rf"^(?P<who>\S+)['’]s\s+(?:(?P<zone>{'|'.join(ZONE_WORDS)})\s+)?(?P<rest>.+)$", re.IGNORECASE
)
"""How people say whose: "bob's bears"."""

NameTest = Callable[[str], bool]
"""Says whether words are a name."""

_PLURAL = re.compile(r"s$")


class NotationError(msgspec.Struct, frozen=True):
    """Words that mean nothing, or more than one thing: then `candidates` are those, exactly named.

    `kind` is `unknown`, `ambiguous` or `syntax`.
    """

    kind: str
    message: str
    candidates: tuple[str, ...] = ()


class Misread(Exception):
    """Raised while words are read; `parse_decision` turns it into its `NotationError`."""

    def __init__(self, kind: str, message: str, candidates: Iterable[str] = ()) -> None:
        """Say what is wrong with the words."""
        super().__init__(message)
        self.error = NotationError(kind, message, tuple(candidates))


class _Reference(msgspec.Struct, frozen=True):
    """A name taken apart: whose, where, what, and the how-maniest (0: not said)."""

    player: PlayerId
    zone: ZoneKind | None
    name: str
    number: int


def names_of_object(game: Position, item: ObjectId) -> tuple[str, ...]:
    """Return the names an object may be called by: what it is, and the card that lies face down."""
    found = game.state.objects.get(item)
    name = game.name_of(item)
    if found is not None and found.face_down:
        card = game.definitions.find(found.card)
        return (card.name,) if card is not None else (name,)
    return (name,)


def player_named(game: Position, text: str) -> PlayerId | None:
    """Return the player of that name, in any letter case."""
    wanted = text.strip().lower()
    for number, player in enumerate(game.state.players):
        if player.name.lower() == wanted:
            return PlayerId(number)
    return None


def is_ability(game: Position, item: ObjectId) -> bool:
    """Say whether an object is an ability on the stack (CR 113.3)."""
    found = game.state.items.get(item)
    return found is not None and bool(found.ability)


class Naming:
    """Finds what words mean in a position.

    A lenient reader also takes parts of names, plurals and any one of several permanents between
    which there is no difference; a strict one, as for scenario files, does not.
    """

    def __init__(
        self,
        game: Position,
        aliases: Mapping[str, ObjectId] | None = None,
        *,
        lenient: bool = False,
    ) -> None:
        """Read names against a position."""
        self.game = game
        self.aliases = aliases if aliases is not None else {}
        self.lenient = lenient

    def player(self, text: str) -> PlayerId:
        """Return the player of that name; raise Misread if there is none."""
        found = player_named(self.game, text)
        if found is None:
            names = [player.name for player in self.game.state.players]
            raise Misread("unknown", f"no player is called {text!r}", names)
        return found

    def object(self, text: str, among: Sequence[ObjectId] | None = None) -> ObjectId:
        """Return the object that the words mean, of some candidates if these are given."""
        found = self.find(text, among)
        if len(found) == 1 or (found and self._are_alike(found)):
            return found[0]
        if not found:
            raise Misread("unknown", f"nothing is called {text!r} here")
        names = [exact_name(self.game, item) for item in found]
        raise Misread("ambiguous", f"{text!r} may mean {' or '.join(names)}", names)

    def find(self, text: str, among: Sequence[ObjectId] | None = None) -> tuple[ObjectId, ...]:
        """Return everything that the words may mean."""
        text = text.strip()
        direct = self._direct(text)
        if direct is not None:
            return direct
        reference = self._reference(text)
        for fits in self._matchers(reference.name):
            found = self._found(reference, fits, among)
            if found:
                return found
        return self.find(text) if among is not None else ()

    def _direct(self, text: str) -> tuple[ObjectId, ...] | None:
        """Return an alias's object or the object of an id."""
        if text in self.aliases:
            return (self.aliases[text],)
        bare = text.removeprefix("@")
        if bare.startswith("#") and bare[1:].isdigit():
            item = ObjectId(int(bare[1:]))
            return (item,) if item in self.game.state.objects else ()
        return None

    def _reference(self, text: str) -> _Reference:
        player, zone, name, number = NOBODY, None, text, 0
        scoped = _SCOPED.match(text)
        if scoped is not None:
            owner = player_named(self.game, scoped["who"])
            kind = ZONE_WORDS.get((scoped["zone"] or "").lower())
            if owner is not None and (kind is not None or not scoped["zone"]):
                player, zone, name = owner, kind, scoped["rest"]
        owned = _OWNED.match(name)
        if player == NOBODY and owned is not None:
            owner = player_named(self.game, owned["who"])
            if owner is not None:
                player, zone = owner, ZONE_WORDS.get((owned["zone"] or "").lower())
                name = owned["rest"]
        numbered = _NUMBERED.match(name)
        if numbered is not None:
            name, number = numbered["name"], int(numbered["number"])
        return _Reference(player, zone, name, number)

    def _matchers(self, name: str) -> Iterator[NameTest]:
        """Yield tests of a folded name, the strictest first."""
        wanted = folded_name(name)
        yield lambda full: full == wanted
        if not self.lenient or not wanted:
            return
        yield lambda full: full.startswith((wanted + " ", wanted + ","))
        yield lambda full: _words_of(wanted) in _words_of(full)
        one = _PLURAL.sub("", wanted)
        yield lambda full: _words_of(one) in _words_of(_PLURAL.sub("", full))

    def _found(
        self, reference: _Reference, fits: NameTest, among: Sequence[ObjectId] | None
    ) -> tuple[ObjectId, ...]:
        result: list[ObjectId] = []
        for group in _GROUPS if reference.zone is None else ((reference.zone,),):
            members = [
                item
                for item in _members(self.game, group, reference)
                if any(fits(folded_name(name)) for name in names_of_object(self.game, item))
            ]
            if reference.number:
                members = _numbered(self.game, members, reference.number, among)
            if among is not None:
                members = [item for item in members if item in among]
            result += members
            if result and (among is None or reference.number):
                break
        spells = tuple(item for item in result if not is_ability(self.game, item))
        return spells or tuple(result)

    def _are_alike(self, found: tuple[ObjectId, ...]) -> bool:
        first = _likeness(self.game, found[0], in_play=self.lenient)
        return first is not None and all(
            _likeness(self.game, item, in_play=self.lenient) == first for item in found[1:]
        )


def _words_of(name: str) -> str:
    """Return the words of a folded name, each between spaces; a hyphen parts two.

    >>> _words_of("rip-clan crasher")
    ' rip clan crasher '
    """
    return f" {re.sub('[,.]', '', name).replace('-', ' ')} "


def _members(
    game: Position, zones: tuple[ZoneKind, ...], reference: _Reference
) -> Iterator[ObjectId]:
    """Yield the objects of zones, a named player's only, in the order in which they are counted."""
    for zone in zones:
        for item in objects_in_zone(game.state, zone):
            if not item or item not in game.state.objects:
                continue
            if reference.player == NOBODY or reference.player == _holder(game, item):
                yield item


def _holder(game: Position, item: ObjectId) -> PlayerId:
    """Return who controls an object in play or on the stack, who owns it elsewhere (CR 108.4)."""
    found = game.state.objects[item]
    if found.zone in {ZoneKind.BATTLEFIELD, ZoneKind.STACK}:
        return game.controller_of(item)
    return found.owner


def _numbered(
    game: Position, members: list[ObjectId], number: int, among: Sequence[ObjectId] | None
) -> list[ObjectId]:
    """Return the n-th of the members, spells and permanents before abilities."""
    if among is not None and not any(item in among for item in members):
        return []
    plain = [item for item in members if not is_ability(game, item)]
    ordered = plain if len(plain) >= number else members
    return [ordered[number - 1]] if 1 <= number <= len(ordered) else []


def _likeness(game: Position, item: ObjectId, *, in_play: bool) -> object | None:
    """Return what tells an object from others; None where objects are never alike."""
    found = game.state.objects[item]
    if found.zone in {ZoneKind.HAND, ZoneKind.LIBRARY}:
        return (found.zone, found.owner, found.card, found.known_to)
    if not in_play or found.zone != ZoneKind.BATTLEFIELD or _is_spoken_of(game, item):
        return None
    status = (found.tapped, found.face_down, found.damage, found.since_turn)
    counters = tuple(sorted(found.counters.items()))
    attack = game.state.combat.attackers.get(item)
    blocks = game.state.combat.blocks.get(item)
    return (found.card, found.owner, game.controller_of(item), status, counters, attack, blocks)


def _is_spoken_of(game: Position, item: ObjectId) -> bool:
    """Say whether anything is attached to a permanent, targets it, blocks it or changes it."""
    state = game.state
    found = state.objects[item]
    return (
        bool(found.attached_to)
        or found.attached_player != NOBODY
        or any(state.objects[other].attached_to == item for other in state.battlefield)
        or any(item in effect.objects for effect in state.effects)
        or any(item in waiting.objects for waiting in state.delayed)
        or any(target.object == item for one in state.items.values() for target in one.targets)
        or any(item in (one.source, one.about) for one in state.items.values())
        or any(item in attackers for attackers in state.combat.blocks.values())
    )


def exact_name(game: Position, item: ObjectId) -> str:
    """Return words that mean this object and no other, whatever else may be chosen.

    A bare name if no other object of the game has it; else with its player and zone, and a number
    where the zone has several; `#12` for what has no name.
    """
    found = game.state.objects.get(item)
    name = names_of_object(game, item)[0]
    if found is None or not name:
        return f"#{item}"
    strict = Naming(game)
    wanted = folded_name(name)
    alike = [
        other
        for other in game.state.objects
        if any(folded_name(one) == wanted for one in names_of_object(game, other))
    ]
    if alike == [item] and player_named(game, name) is None and strict.find(name) == (item,):
        return name
    zone = found.zone.name.lower()
    who = game.state.players[_holder(game, item)].name
    scope = f"{who}.{zone}"
    members = strict.find(f"{scope}: {name}")
    if members == (item,):
        return f"{scope}: {name}"
    for number in range(1, len(alike) + 1):
        if strict.find(f"{scope}: {name}#{number}") == (item,):
            return f"{scope}: {name}#{number}"
    return f"#{item}"


def spoken_name(game: Position, item: ObjectId) -> str:
    """Return an object's name as a sentence has it: what is unknown or nameless says so."""
    found = game.state.objects.get(item)
    if not item or (found is None and item not in game.state.last_known):
        return "a card" if not item else f"#{item}"
    name = game.name_of(item)
    if found is not None and found.face_down:
        return "a face-down permanent" if found.zone == ZoneKind.BATTLEFIELD else "a face-down card"
    return name or ("a card" if found is not None and found.zone in OWNED_ZONES else f"#{item}")


def whose_name(game: Position, item: ObjectId) -> str:
    """Return an object's name with whose it is: "bob's Hill Giant", "the ability of bob's …".

    Only permanents have a controller in their name, and a number where that player has several.
    """
    stacked = game.state.items.get(item)
    if stacked is not None and stacked.ability:
        return f"the ability of {whose_name(game, stacked.source)}"
    name = spoken_name(game, item)
    found = game.state.objects.get(item)
    if found is None:
        was_permanent = item in game.state.last_known and not name.startswith("#")
        return f"{_possessor(game, item)}{name}" if was_permanent else name
    if found.zone != ZoneKind.BATTLEFIELD or name.startswith("#"):
        return name
    if found.face_down:
        return f"{_possessor(game, item)}face-down permanent"
    alike = [
        other
        for other in game.state.battlefield
        if game.state.objects[other].card == found.card
        and not game.state.objects[other].face_down
        and game.controller_of(other) == game.controller_of(item)
    ]
    number = f"#{alike.index(item) + 1}" if len(alike) > 1 else ""
    return f"{_possessor(game, item)}{name}{number}"


def _possessor(game: Position, item: ObjectId) -> str:
    players = game.state.players
    who = game.controller_of(item)
    return f"{players[who].name}'s " if 0 <= who < len(players) else ""


def split_list(text: str, is_name: NameTest) -> list[str]:
    """Split a list of names at "+", "&", "and" and commas, but not inside a name that has them."""
    if " + " in text:
        return [part.strip() for part in text.split(" + ") if part.strip()]
    pieces = re.split(r"(\s*&\s*|\s*,\s*and\s+|\s*,\s*|\s+and\s+)", text.strip())
    parts: list[str] = []
    place = 0
    while place < len(pieces):
        end = len(pieces)
        while end > place + 1 and not is_name("".join(pieces[place:end]).strip()):
            end -= 2
        parts.append("".join(pieces[place:end]).strip())
        place = end + 1
    return [part for part in parts if part]
