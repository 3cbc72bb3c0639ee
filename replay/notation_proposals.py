"""Reading what a player with priority proposes: lands, spells, abilities, and how they are paid."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..cards.model import Body
from ..events.base import Decision
from ..events.decisions import ActivateAbility, CastSpell, Payment, PlayLand, TurnFaceUp
from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId
from ..events.stack import ChosenTarget
from ..projections.context import Context
from ..projections.position import Position
from ..rules.mana import activated_abilities, is_mana_ability
from ..rules.targets import phrases_of, spell_body
from .answers import assigned_targets, targets_of
from .names import Misread, Naming, player_named, split_list
from .notation_write import GIVEN_UP

Fields = tuple[PlayerId, PlayerId, int]
"""Seat, player and counter of a decision."""

_PAYMENT = re.compile(r"\s*\[(?P<parts>.*)\]$")
_USING = re.compile(r"(?:^|\s)using\s+(?P<words>.+?)(?=\s+(?:x\s*=|modes?\s|targeting\s)|$)")
_X = re.compile(r"(?:^|\s)(?:with\s+|for\s+)?x\s*(?:=|is)?\s*(?P<x>\d+)\b", re.IGNORECASE)
_MODES = re.compile(
    r"(?:^|\s)(?:choosing\s+)?modes?\s+(?P<modes>\d+(?:\s*(?:\+|,|and|&)\s*\d+)*)\b", re.IGNORECASE
)
_TARGETING = re.compile(r"(?:^|\s)targeting\s+(?P<targets>.+)$", re.IGNORECASE)
_AIMED = re.compile(r"\s(?:on|at|to|onto|->|→|targeting)\s|\s", re.IGNORECASE)
_ABILITY = re.compile(r"\s+(?:ability\s+)?#?(?P<number>\d+)$", re.IGNORECASE)
_FOR_MANA = re.compile(
    r"\sfor\s+(?P<mana>[{}WUBRGCwubrgc]+|white|blue|black|red|green|colorless)(?!\w)"
)
_MARKED = re.compile(r"^\((?P<phrase>\d+)\)\s*")
_SHARED = re.compile(r"^(?P<share>\d+)\s+to\s+", re.IGNORECASE)
_COLOR_WORDS = {"white": "W", "blue": "U", "black": "B", "red": "R", "green": "G", "colorless": "C"}


def read_payment(naming: Naming, text: str) -> tuple[Payment, str]:
    """Read a payment in brackets at the end of a text; return it and what stands before."""
    match = _PAYMENT.search(text)
    if match is None:
        return Payment(), text
    sources: list[tuple[ObjectId, int, str]] = []
    parts: dict[str, object] = {}
    verbs = {verb: field for field, verb in GIVEN_UP.items()}
    for part in match["parts"].split(";"):
        word, _, rest = part.strip().partition(" ")
        if word == "spend" and _is_mana(rest):
            parts["mana"] = rest.strip().upper().replace("{", "").replace("}", "")
        elif word == "life" and rest.strip().isdigit():
            parts["life"] = int(rest)
        elif word in verbs and ": " not in part.rpartition(".")[0]:
            names = split_list(rest, lambda one: bool(naming.find(one)))
            parts[verbs[word]] = _different(naming, names)
        elif part.strip():
            sources.append(_source(naming, part.strip()))
    return Payment(sources=tuple(sources), **parts), text[: match.start()].rstrip()  # type: ignore[arg-type]


def _is_mana(text: str) -> bool:
    return re.fullmatch(r"[{}WUBRGC]+", text.strip().upper()) is not None


def _different(naming: Naming, names: Sequence[str]) -> tuple[ObjectId, ...]:
    chosen: list[ObjectId] = []
    for name in names:
        found = [item for item in naming.find(name) if item not in chosen]
        chosen.append(naming.object(name, found or None))
    return tuple(chosen)


def _source(naming: Naming, text: str) -> tuple[ObjectId, int, str]:
    """Read a mana ability of a payment: "Forest: G", "Karplusan Forest ability 2: R"."""
    name, found, mana = text.rpartition(": ")
    if not found:
        raise Misread("syntax", f"{text!r} is no part of a payment: Forest: G, spend G, life 2")
    number = 0
    match = re.search(r"\s+ability\s+(\d+)$", name)
    if match is not None:
        number, name = int(match[1]) - 1, name[: match.start()]
    letters = mana.strip().upper().replace("{", "").replace("}", "")
    return naming.object(name, naming.game.state.battlefield), number, letters.replace("-", "")


def read_modes(text: str) -> tuple[tuple[int, ...], str]:
    """Read "modes 1 + 2" out of a text; return the modes and the text without."""
    match = _MODES.search(text)
    if match is None:
        return (), text
    modes = tuple(int(number) for number in re.findall(r"\d+", match["modes"]))
    return modes, (text[: match.start()] + " " + text[match.end() :]).strip()


def _read_x(text: str) -> tuple[int, str]:
    match = _X.search(text)
    if match is None:
        return 0, text
    return int(match["x"]), (text[: match.start()] + text[match.end() :]).strip()


def read_targets(
    naming: Naming, body: Body, modes: tuple[int, ...], context: Context, text: str
) -> tuple[ChosenTarget, ...]:
    """Read a list of targets; `(2) bob` gives one to the second use of the word "target"."""
    text = text.strip()
    if text.lower() in {"", "nothing", "none"}:
        return ()
    if any(not 1 <= mode <= len(body.modes) for mode in modes):
        phrases = body.targets
    else:
        phrases = phrases_of(body, modes)

    def is_target(part: str) -> bool:
        bare = _SHARED.sub("", _MARKED.sub("", part))
        return player_named(naming.game, bare) is not None or bool(naming.find(bare))

    shares: list[int] = []
    places: list[int] = []
    names: list[str] = []
    for part in split_list(text, is_target):
        mark = _MARKED.match(part)
        places.append(int(mark["phrase"]) - 1 if mark is not None else -1)
        bare = _MARKED.sub("", part)
        share = _SHARED.match(bare)
        shares.append(int(share["share"]) if share is not None else 0)
        names.append(_SHARED.sub("", bare))
    found = targets_of(naming, phrases, names, context, shares)
    if all(place < 0 for place in places):
        return found
    return tuple(
        ChosenTarget(place if place >= 0 else one.phrase, one.object, one.player, one.share)
        for one, place in zip(found, places, strict=True)
    )


def read_play(naming: Naming, fields: Fields, text: str) -> Decision:
    """Read "Forest": a land is played; "play" before another card casts it."""
    hand = _hand(naming.game, fields[1])
    lands = [item for item in hand if naming.game.characteristics(item).is_land]
    if _is_among(naming, text, lands):
        return PlayLand(*fields, naming.object(text, lands))
    if _is_among(naming, text, hand) or _aimed_splits(naming, text, hand):
        return read_cast(naming, fields, text)
    return PlayLand(*fields, naming.object(text, hand))


def _hand(game: Position, player: PlayerId) -> list[ObjectId]:
    return [item for item in game.state.players[player].hand if item]


def _is_among(naming: Naming, text: str, among: Sequence[ObjectId]) -> bool:
    return any(item in among for item in naming.find(text, among))


def _aimed_splits(naming: Naming, text: str, among: Sequence[ObjectId]) -> list[tuple[str, str]]:
    """Return ways to take "shock on bob" or "shock bob" apart into a name and targets."""
    found = []
    for match in _AIMED.finditer(text):
        name, rest = text[: match.start()].strip(), text[match.end() :].strip()
        if name and rest and _is_among(naming, name, among):
            found.append((name, rest))
    return sorted(found, key=lambda pair: (-len(pair[0]), len(pair[1])))


def read_cast(naming: Naming, fields: Fields, text: str) -> Decision:
    """Read "Shock targeting bob", "shock on bob", with X, modes and payment where they are."""
    payment, text = read_payment(naming, text)
    targeting = _TARGETING.search(text)
    aimed = targeting["targets"] if targeting is not None else ""
    head = text[: targeting.start()] if targeting is not None else text
    using = _USING.search(head)
    options = tuple(word.strip() for word in using["words"].split("+")) if using else ()
    head = head[: using.start()] + head[using.end() :] if using else head
    x, head = _read_x(head)
    modes, head = read_modes(head)
    game, hand = naming.game, _hand(naming.game, fields[1])
    if not aimed and not _is_among(naming, head, hand):
        splits = _aimed_splits(naming, head, hand)
        if splits:
            head, aimed = splits[0]
    card = naming.object(head, hand)
    context = Context(source=card, you=fields[1], x=x)
    body = spell_body(game.characteristics(card))
    targets = read_targets(naming, body, modes, context, aimed)
    return CastSpell(*fields, card, targets, modes, x, payment, options)


def read_turn_up(naming: Naming, fields: Fields, text: str) -> Decision:
    """Read "unmorph Grinning Demon", with its payment: a permanent is turned face up."""
    payment, text = read_payment(naming, text)
    mine = naming.game.permanents_of(fields[1])
    return TurnFaceUp(*fields, naming.object(text.strip(), mine), payment)


def read_activation(naming: Naming, fields: Fields, text: str) -> Decision:
    """Read "Jade Mage ability 1 targeting bob", with X, modes, mana and payment."""
    payment, text = read_payment(naming, text)
    targeting = _TARGETING.search(text)
    aimed = targeting["targets"] if targeting is not None else ""
    head = text[: targeting.start()] if targeting is not None else text
    modes, head = read_modes(head)
    x, head = _read_x(head)
    head, mana = _read_mana(head)
    sources = _sources(naming.game, fields[1])
    number, head = _read_ability(naming, head, sources)
    if not aimed and not _is_among(naming, head, sources):
        splits = _aimed_splits(naming, head, sources)
        if splits:
            head, aimed = splits[0]
    source = naming.object(head, sources)
    abilities = activated_abilities(naming.game.characteristics(source))
    if number < 0:
        number = _only_ability(naming, source)
    targets: tuple[ChosenTarget, ...] = ()
    if 0 <= number < len(abilities):
        context = Context(source=source, you=fields[1], x=x)
        targets = read_targets(naming, abilities[number].body, modes, context, aimed)
    return ActivateAbility(*fields, source, number, targets, modes, x, payment, mana)


def _read_mana(text: str) -> tuple[str, str]:
    match = _FOR_MANA.search(text)
    if match is None:
        return text, ""
    word = match["mana"].lower()
    mana = _COLOR_WORDS.get(word, word.upper().replace("{", "").replace("}", ""))
    return (text[: match.start()] + text[match.end() :]).strip(), mana


def _read_ability(naming: Naming, text: str, sources: Sequence[ObjectId]) -> tuple[int, str]:
    """Return the place of an ability, -1 if none is named, and the text without it."""
    text = text.strip()
    match = _ABILITY.search(text)
    if match is None or _is_among(naming, text, sources):
        return -1, text
    return int(match["number"]) - 1, text[: match.start()]


def _sources(game: Position, player: PlayerId) -> list[ObjectId]:
    """Return what has activated abilities that a player may activate, permanents first."""
    mine = game.state.players[player]
    found = [item for item in game.permanents_of(player) if _has_ability(game, item)]
    found += [item for item in (*mine.hand, *mine.graveyard) if item and _has_ability(game, item)]
    return found


def _has_ability(game: Position, item: ObjectId) -> bool:
    zone = game.state.objects[item].zone
    abilities = activated_abilities(game.characteristics(item))
    return any(ability.zone == zone for ability in abilities)


def _only_ability(naming: Naming, source: ObjectId) -> int:
    """Return the ability meant where none is named: the first that is no mana ability."""
    abilities = activated_abilities(naming.game.characteristics(source))
    if len(abilities) <= 1:
        return 0
    others = [place for place, one in enumerate(abilities) if not is_mana_ability(one)]
    if len(others) == 1:
        return others[0]
    name = naming.game.name_of(source)
    forms = [f"activate {name} ability {place + 1}" for place in range(len(abilities))]
    raise Misread("ambiguous", f"{name} has {len(abilities)} activated abilities", forms)


def read_tap(naming: Naming, fields: Fields, text: str) -> Decision:
    """Read "Forest", "Rugged Highlands for G": a mana ability, else what {T} is the cost of."""
    head, mana = _read_mana(text)
    sources = [item for item in _sources(naming.game, fields[1]) if _taps(naming.game, item) >= 0]
    if not _is_among(naming, head, sources):
        return read_activation(naming, fields, text)
    ready = [item for item in sources if not naming.game.state.objects[item].tapped]
    among = ready if _is_among(naming, head, ready) else sources
    source = naming.object(head, among)
    number = _taps(naming.game, source)
    return ActivateAbility(*fields, source, number, mana=mana)


def _taps(game: Position, item: ObjectId) -> int:
    """Return the place of the first mana ability that taps an object, else of one that taps it."""
    abilities = activated_abilities(game.characteristics(item))
    tapping = [place for place, one in enumerate(abilities) if one.cost.tap]
    mana = [place for place in tapping if is_mana_ability(abilities[place])]
    return (mana or tapping or [-1])[0]


def read_bare_action(naming: Naming, fields: Fields, text: str) -> Decision:
    """Read "shock bob" or "forest": a card of the hand is played or cast, a permanent activated."""
    hand = _hand(naming.game, fields[1])
    if _is_among(naming, text, hand) or _aimed_splits(naming, text, hand):
        return read_play(naming, fields, text)
    sources = _sources(naming.game, fields[1])
    if _is_among(naming, text, sources) or _aimed_splits(naming, text, sources):
        return read_activation(naming, fields, text)
    raise Misread("unknown", f"{text!r} is not understood", ("pass", "play …", "cast …", "concede"))


__all__ = ["NOBODY", "NOTHING", "Fields", "assigned_targets"]
