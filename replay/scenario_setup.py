"""A scenario's position: the event that sets it up, the definitions it needs, and its aliases."""

from __future__ import annotations

import re

import msgspec

from ..cards.mana import COLORS, symbols_of
from ..cards.model import CardDefinition, KeywordAbility, TokenTemplate
from ..cards.pool import CardPool, UnknownCard, UnsupportedCard, token_definition
from ..events.edition import edition_named, variant_named, variant_of
from ..events.errors import EngineError
from ..events.game import PlacedObject, PlacedPlayer, PositionArranged
from ..events.ids import NOBODY, ObjectId, PlayerId, Step, ZoneKind
from ..projections.definitions import Definitions
from ..rules.supported import supported
from .names import ZONE_WORDS
from .scenario_file import Entry, Scenario, ScenarioRefused, SeatSetup

PLAINS_BELOW = 20
"""So many Plains lie below the listed cards of each library."""

_TYPES = ("artifact", "creature", "enchantment", "land", "planeswalker", "battle")
_SUPERTYPES = ("legendary", "snow", "basic")
_SIZE = re.compile(r"^(\d+)/(\d+)\s+")
_ORDER = (*("library", "hand", "graveyard", "exile", "command"), "battlefield")


class Unbuilt(EngineError):
    """A scenario needs what is not built yet; the message names the phrase."""


class Arranged(msgspec.Struct, frozen=True):
    """What a scenario begins with."""

    event: PositionArranged
    definitions: Definitions
    aliases: dict[str, ObjectId]


class _Builder:
    """Gathers the objects of a position; ids are given in the order in which they are placed."""

    def __init__(self, scenario: Scenario, pool: CardPool) -> None:
        self.scenario = scenario
        self.pool = pool
        self.definitions = Definitions()
        self.aliases: dict[str, ObjectId] = {}
        self.objects: list[PlacedObject] = []
        self.names: list[str] = []
        self.attachments: list[tuple[int, str]] = []
        self.seats = [seat.name for seat in scenario.players]

    def place(self, entry: Entry, zone: ZoneKind, player: PlayerId) -> None:
        """Place one card or token."""
        definition = self._definition(entry)
        counters = dict(entry.counters)
        if zone == ZoneKind.BATTLEFIELD and definition.loyalty and "loyalty" not in counters:
            counters["loyalty"] = definition.loyalty
        placed = PlacedObject(
            zone=zone,
            owner=self._seat(entry.owner) if entry.owner else player,
            controller=player,
            card=self.definitions.add(definition),
            tapped=entry.tapped,
            sick=entry.sick,
            face_down=entry.face_down,
            counters=tuple(sorted(counters.items())),
            attached=0,
            attached_player=NOBODY,
            is_token=bool(entry.token),
        )
        self.objects.append(placed)
        self.names.append(definition.name)
        number = len(self.objects)
        if entry.alias:
            self.aliases[entry.alias] = ObjectId(number)
        if entry.attached_to:
            self.attachments.append((number, entry.attached_to))

    def attach(self) -> None:
        """Attach what is listed as attached, once everything is placed."""
        for number, to in self.attachments:
            if to in self.seats:
                self._change(number, attached=0, player=PlayerId(self.seats.index(to)))
            else:
                self._change(number, attached=self._placed(to), player=NOBODY)

    def know(self, card: str) -> None:
        """Take in the definition of a card that the script puts somewhere later."""
        self.definitions.add(self._definition(Entry(card=card)))

    def _change(self, number: int, attached: int, player: PlayerId) -> None:
        self.objects[number - 1] = msgspec.structs.replace(
            self.objects[number - 1], attached=attached, attached_player=player
        )

    def _placed(self, name: str) -> int:
        if name in self.aliases:
            return self.aliases[name]
        bare, _, nth = name.partition("#")
        whose, _, card = bare.strip().rpartition(": ")
        found = [
            number
            for number, placed in enumerate(self.objects, start=1)
            if placed.zone == ZoneKind.BATTLEFIELD
            and self.names[number - 1] == card
            and (not whose or self.seats[placed.controller] == whose)
        ]
        place = int(nth) - 1 if nth else 0
        if not 0 <= place < len(found) or (len(found) > 1 and not nth):
            raise ScenarioRefused(f"attached_to: {name!r} names no one permanent of the position")
        return found[place]

    def _definition(self, entry: Entry) -> CardDefinition:
        if entry.token:
            return token_definition(token_template(entry.token))
        try:
            return supported(self.pool.definition(entry.card))
        except (UnknownCard, UnsupportedCard) as error:
            raise Unbuilt(str(error)) from error

    def _seat(self, name: str) -> PlayerId:
        if name not in self.seats:
            raise ScenarioRefused(f"{name!r} is no player of the scenario")
        return PlayerId(self.seats.index(name))


def arrange(scenario: Scenario, pool: CardPool, edition: str | None = None) -> Arranged:
    """Return the position of a scenario; raise EngineError for what cannot be set up."""
    rules = edition_named(edition or scenario.edition)
    variant = (variant_of if scenario.opening else variant_named)(scenario.variant)
    if not variant.players_minimum <= len(scenario.players) <= variant.players_maximum:
        raise ScenarioRefused(f"{len(scenario.players)} players do not play {variant.name}")
    builder = _Builder(scenario, pool)
    for zone in _ORDER:
        for number, seat in enumerate(scenario.players):
            for entry in seat.zones[zone]:
                builder.place(entry, ZONE_WORDS[zone], PlayerId(number))
            if zone == "library":
                for _ in range(PLAINS_BELOW):
                    builder.place(Entry(card="Plains"), ZoneKind.LIBRARY, PlayerId(number))
    builder.attach()
    for card in scenario.cards_put:
        builder.know(card)
    event = PositionArranged(
        "103.1",
        0,
        edition=rules.name,
        variant=variant.name,
        players=tuple(_player(seat, variant.life) for seat in scenario.players),
        objects=tuple(builder.objects),
        active=_active(scenario),
        step=Step.NONE if scenario.opening else step_named(scenario.step),
        turn=0 if scenario.opening else scenario.turn,
        keep_order=scenario.keeps_order,
    )
    return Arranged(event, builder.definitions, builder.aliases)


def _active(scenario: Scenario) -> PlayerId:
    names = [seat.name for seat in scenario.players]
    if scenario.active not in names:
        raise ScenarioRefused(f"start: {scenario.active!r} is no player of the scenario")
    return PlayerId(names.index(scenario.active))


def step_named(name: str) -> Step:
    """Return the step of that name, such as `main1` or `declare_attackers`."""
    found = Step.__members__.get(name.upper())
    if found is None or found == Step.NONE:
        known = ", ".join(step.name.lower() for step in Step if step)
        raise ScenarioRefused(f"no step is called {name!r}; there are {known}")
    return found


def _player(seat: SeatSetup, life: int) -> PlacedPlayer:
    is_any = seat.mana == "any"
    return PlacedPlayer(
        name=seat.name,
        life=life if seat.life is None else seat.life,
        pool="" if is_any else letters_of_pool(seat.mana),
        counters=tuple(sorted(seat.counters.items())),
        any_mana=is_any,
    )


def letters_of_pool(mana: str) -> str:
    """Return the letters of a pool such as "{W}{W}{C}"; a number is so much colourless mana."""
    symbols = symbols_of(mana)
    letters = ""
    for symbol in symbols or ():
        letters += "C" * int(symbol) if symbol.isdigit() else symbol
    if symbols is None or any(letter not in "WUBRGC" for letter in letters):
        raise ScenarioRefused(f"{mana!r} is no pool of mana, such as '{{W}}{{W}}{{C}}'")
    return letters


def token_template(text: str) -> TokenTemplate:
    """Return the token that words describe: "1/1 green Saproling creature" (CR 111.3)."""
    size = _SIZE.match(text)
    rest = text[size.end() :] if size else text
    described, _, keywords = rest.partition(" with ")
    words = [word for word in described.replace(",", "").split() if word not in ("and", "token")]
    lowered = [word.lower() for word in words]
    types = tuple(word for word in lowered if word in _TYPES)
    if not types:
        raise ScenarioRefused(f"{text!r} describes no token: it has no card type")
    last = max(place for place, word in enumerate(lowered) if word in _TYPES)
    trailing = " ".join(lowered[last + 1 :])
    named = ", ".join(part for part in (keywords.lower(), trailing) if part)
    abilities = tuple(
        KeywordAbility(name=word.strip()) for word in re.split(r",|\band\b", named) if word.strip()
    )
    plain = (*COLORS, "colorless", *_TYPES, *_SUPERTYPES)
    return TokenTemplate(
        power=int(size[1]) if size else None,
        toughness=int(size[2]) if size else None,
        colors=tuple(color for color in COLORS if color in lowered),
        types=types,
        subtypes=tuple(
            word
            for word, low in zip(words[: last + 1], lowered[: last + 1], strict=True)
            if low not in plain
        ),
        supertypes=tuple(word for word in lowered if word in _SUPERTYPES),
        abilities=abilities,
    )
