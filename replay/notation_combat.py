"""Reading declarations of attackers and blockers, and divisions of combat damage (CR 508-510)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..events.base import Decision
from ..events.decisions import DeclareAttackers, DeclareBlockers, DivideDamage
from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId
from ..projections.state import players_in_turn_order
from ..rules.combat_attack import able_attackers
from ..rules.combat_block import attackers_of
from .names import Misread, Naming, player_named, split_list
from .notation_proposals import Fields

_NOTHING = ("", "nothing", "none", "no one", "nobody", "with nothing", "with none", "with nobody")
_EVERYTHING = ("everything", "all", "everyone", "all creatures", "everybody")
_SHARE = re.compile(
    r"^(?P<amount>\d+)\s+(?:damage\s+)?(?:to|on|for)\s+(?P<name>.+)$", re.IGNORECASE
)
_SHARE_TURNED = re.compile(r"^(?P<name>.+?)\s+(?P<amount>\d+)$")


def read_attack(naming: Naming, fields: Fields, text: str) -> Decision:
    """Read "bob with Grizzly Bears + Hill Giant; carol with …", or "with …" at the only opponent.

    Also "Grizzly Bears -> bob", and "everything".
    """
    text = text.strip()
    if text.lower() in _NOTHING:
        return DeclareAttackers(*fields, ())
    attacks: list[tuple[ObjectId, PlayerId, ObjectId]] = []
    for part in text.split(";"):
        whom, names = _sides(part.strip(), naming)
        defender = _defender(naming, fields[1], whom)
        taken = [one[0] for one in attacks]
        attackers = _attackers(naming, fields[1], names, taken)
        attacks += [(attacker, *defender) for attacker in attackers]
    return DeclareAttackers(*fields, tuple(attacks))


def _sides(part: str, naming: Naming) -> tuple[str, str]:
    """Return whom an attack is at, empty if not said, and the words for the attackers."""
    for arrow in ("->", "→"):
        if arrow in part:
            names, _, whom = part.partition(arrow)
            return whom.strip(), re.sub(r"^with\s+", "", names.strip(), flags=re.IGNORECASE)
    match = re.search(r"(?:^|\s)with\s", part, re.IGNORECASE)
    if match is None:
        if player_named(naming.game, part) is not None:
            raise Misread("syntax", f"say with what {part} is attacked: attack {part} with …")
        return "", part
    whom = part[: match.start()].strip()
    names = part[match.end() :].strip()
    if not whom:
        for word in (" at ", " against "):
            head, found, tail = names.rpartition(word)
            if found and player_named(naming.game, tail) is not None:
                return tail, head
    return whom, names


def _defender(naming: Naming, player: PlayerId, whom: str) -> tuple[PlayerId, ObjectId]:
    game = naming.game
    if not whom:
        others = [one for one in players_in_turn_order(game.state, player) if one != player]
        if len(others) == 1:
            return others[0], NOTHING
        names = [game.state.players[one].name for one in others]
        raise Misread("ambiguous", "say who is attacked", names)
    found = player_named(game, whom)
    if found is not None:
        return found, NOTHING
    walkers = [
        item
        for item in game.state.battlefield
        if "planeswalker" in game.characteristics(item).types
    ]
    item = naming.object(whom, walkers)
    return game.controller_of(item), item


def _attackers(
    naming: Naming, player: PlayerId, text: str, taken: Sequence[ObjectId]
) -> list[ObjectId]:
    game = naming.game
    able = [item for item in able_attackers(game, player) if item not in taken]
    if text.lower() in _EVERYTHING:
        return able
    mine = [item for item in game.permanents_of(player) if item not in taken]
    return objects_in(naming, text, able, mine)


def objects_in(
    naming: Naming, text: str, preferred: Sequence[ObjectId], among: Sequence[ObjectId]
) -> list[ObjectId]:
    """Return the objects of a list; a name said twice takes the next one of that name.

    Of several of a name one that can do it is taken: that is never what is asked wrongly.
    """
    chosen: list[ObjectId] = []
    for name in split_list(text, lambda part: bool(naming.find(part, among))):
        left = [item for item in among if item not in chosen]
        able = [item for item in preferred if item not in chosen]
        found = [item for item in naming.find(name, left) if item in able]
        chosen.append(naming.object(name, found or left))
    return chosen


def read_block(naming: Naming, fields: Fields, text: str) -> Decision:
    """Read "Hill Giant with Grizzly Bears + Squire; …", or "with …" of a lone attacker."""
    text = text.strip()
    if text.lower() in _NOTHING:
        return DeclareBlockers(*fields, ())
    game = naming.game
    attackers = attackers_of(game, fields[1])
    mine = game.permanents_of(fields[1])
    blocks: list[tuple[ObjectId, ObjectId]] = []
    for part in text.split(";"):
        match = re.search(r"(?:^|\s)with\s", part, re.IGNORECASE)
        whom = part[: match.start()].strip() if match is not None else ""
        names = part[match.end() :].strip() if match is not None else part.strip()
        if match is None and "->" in part:
            names, _, whom = (one.strip() for one in part.partition("->"))
        attacker = _blocked(naming, whom, attackers)
        blocks += [(item, attacker) for item in objects_in(naming, names, mine, mine)]
    return DeclareBlockers(*fields, tuple(blocks))


def _blocked(naming: Naming, whom: str, attackers: Sequence[ObjectId]) -> ObjectId:
    if whom:
        return naming.object(whom, attackers)
    if len(attackers) == 1:
        return attackers[0]
    names = [naming.game.name_of(item) for item in attackers]
    raise Misread("ambiguous", "say which attacker is blocked: block … with …", names)


def read_division(naming: Naming, fields: Fields, text: str) -> Decision:
    """Read "2 to Grizzly Bears + 3 to bob", also "Grizzly Bears 2, bob 3"."""

    def is_share(part: str) -> bool:
        match = _SHARE.match(part) or _SHARE_TURNED.match(part)
        if match is None:
            return False
        name = match["name"]
        return player_named(naming.game, name) is not None or bool(naming.find(name))

    shares: list[tuple[ObjectId, PlayerId, int]] = []
    for part in split_list(text, is_share):
        match = _SHARE.match(part) or _SHARE_TURNED.match(part)
        if match is None:
            raise Misread("syntax", f"{part!r} is no part of a division: 2 to Grizzly Bears")
        amount = int(match["amount"])
        player = player_named(naming.game, match["name"])
        if player is not None:
            shares.append((NOTHING, player, amount))
            continue
        taken = [share[0] for share in shares]
        fighting = [*naming.game.state.combat.attackers, *naming.game.state.combat.blocks]
        left = [item for item in fighting if item not in taken]
        shares.append((naming.object(match["name"], left), NOBODY, amount))
    return DivideDamage(*fields, tuple(shares))
