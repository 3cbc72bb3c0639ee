"""Which creature can block which: evasion abilities and restrictions (CR 509.1b, 702)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cards.model import CannotBeBlocked, CannotBlock, Filter, KeywordAbility
from ..events.ids import ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..projections.context import Context
from ..projections.filters import fits
from .protection import is_protected

if TYPE_CHECKING:
    from ..projections.characteristics import Characteristics
    from ..projections.position import Position


def why_cannot_block_at_all(game: Position, blocker: ObjectId, player: PlayerId) -> Refused | None:
    """Return why a player can't block with an object, whatever attacks; None if they can.

    CR 509.1a: a creature they control, untapped and no battle. CR 509.1b: nothing says that it
    can't block.
    """
    name = game.name_of(blocker)
    if not game.is_in(blocker, ZoneKind.BATTLEFIELD):
        detail = f"{name or 'it'} is not on the battlefield"
        change = "block with a creature that is there"
        return Refused(Code.NO_SUCH_OBJECT, "509.1a", detail, change)
    traits = game.characteristics(blocker)
    if traits.controller != player:
        detail = f"you do not control {name}"
        return Refused(Code.NOT_YOURS, "509.1a", detail, f"control {name}")
    if not traits.is_creature or "battle" in traits.types:
        detail = f"{name} is not a creature that can block"
        return Refused(Code.CANNOT_BLOCK, "509.1a", detail, f"{name} must be a creature, no battle")
    if game.state.objects[blocker].tapped:
        detail = f"{name} is tapped"
        return Refused(Code.ALREADY_TAPPED, "509.1a", detail, f"{name} must be untapped")
    if any(isinstance(rule, CannotBlock) and rule.attackers is None for rule in traits.rules):
        change = f"end what says that {name} can't block"
        return Refused(Code.CANNOT_BLOCK, "509.1b", f"{name} can't block", change)
    return None


def why_cannot_block(game: Position, blocker: ObjectId, attacker: ObjectId) -> Refused | None:
    """Return why a creature that can block can't block this attacker; None if it can.

    CR 509.1b: restrictions on the pair alone. How many creatures block together is judged with
    the whole declaration.
    """
    theirs = game.characteristics(attacker)
    mine = game.characteristics(blocker)
    return (
        _by_keyword(theirs, mine)
        or _by_filter_keyword(game, attacker, blocker)
        or _by_rule_of_attacker(game, attacker, blocker)
        or _by_rule_of_blocker(game, attacker, blocker)
    )


_CHANGES = {
    "702.28b": "both creatures must have shadow, or neither",
    "702.9b": "{blocker} must have flying or reach, or {attacker} lose flying",
    "702.31b": "{blocker} must have horsemanship, or {attacker} lose it",
    "702.36b": "{blocker} must be black or an artifact, or {attacker} lose fear",
    "702.13b": "{blocker} must be an artifact or share a color with {attacker}",
    "702.118b": "{blocker} must have no more power than {attacker}",
    "702.14c": "its controller must control no land that the landwalk names",
    "702.16f": "{attacker} must lose its protection",
    "509.1b": "block {attacker} with another creature, or end what keeps {blocker} from it",
}
"""What would let the one block the other, by the rule that forbids it."""


def _refused(rule: str, attacker: Characteristics, blocker: Characteristics, why: str) -> Refused:
    detail = f"{blocker.name} can't block {attacker.name}: {why}"
    change = _CHANGES[rule].format(blocker=blocker.name, attacker=attacker.name)
    return Refused(Code.CANNOT_BLOCK, rule, detail, change)


def _by_keyword(attacker: Characteristics, blocker: Characteristics) -> Refused | None:
    """Judge the evasion abilities that read characteristics alone (CR 702)."""
    evasive = attacker.keywords
    if "shadow" in blocker.keywords and "shadow" not in evasive:
        return _refused("702.28b", attacker, blocker, "it has shadow, the attacker has not")
    if not evasive:
        return None
    if "shadow" in evasive and "shadow" not in blocker.keywords:
        return _refused("702.28b", attacker, blocker, "the attacker has shadow")
    if "flying" in evasive and not blocker.keywords & {"flying", "reach"}:
        return _refused("702.9b", attacker, blocker, "the attacker has flying")
    if "horsemanship" in evasive and "horsemanship" not in blocker.keywords:
        return _refused("702.31b", attacker, blocker, "the attacker has horsemanship")
    if "fear" in evasive and not ("artifact" in blocker.types or "black" in blocker.colors):
        return _refused("702.36b", attacker, blocker, "the attacker has fear")
    if "intimidate" in evasive and not (
        "artifact" in blocker.types or any(color in attacker.colors for color in blocker.colors)
    ):
        return _refused("702.13b", attacker, blocker, "the attacker has intimidate")
    if "skulk" in evasive and (blocker.power or 0) > (attacker.power or 0):
        return _refused("702.118b", attacker, blocker, "the attacker has skulk and less power")
    return None


def _by_filter_keyword(game: Position, attacker: ObjectId, blocker: ObjectId) -> Refused | None:
    """Judge landwalk and protection, which say what they look at (CR 702.14c, 702.16f)."""
    theirs = game.characteristics(attacker)
    if not theirs.keywords & {"landwalk", "protection"}:
        return None
    mine = game.characteristics(blocker)
    for ability in theirs.abilities:
        if not isinstance(ability, KeywordAbility):
            continue
        if ability.name == "landwalk" and _walks(game, attacker, ability, mine.controller):
            return _refused("702.14c", theirs, mine, "the attacker has landwalk")
        if ability.name == "protection" and is_protected(game, attacker, ability, blocker):
            return _refused("702.16f", theirs, mine, "the attacker has protection from it")
    return None


def _walks(game: Position, attacker: ObjectId, ability: KeywordAbility, defender: PlayerId) -> bool:
    """Say whether the defending player controls a land that the landwalk names (CR 702.14c)."""
    what = ability.filter or Filter(types=("land",))
    context = Context(source=attacker, you=game.controller_of(attacker))
    return any(
        game.characteristics(item).is_land and fits(game, what, item, context)
        for item in game.permanents_of(defender)
    )


def _by_rule_of_attacker(game: Position, attacker: ObjectId, blocker: ObjectId) -> Refused | None:
    """Judge "can't be blocked", "… except by …", "… by …" (CR 509.1b)."""
    theirs = game.characteristics(attacker)
    for rule, (source, you) in zip(theirs.rules, theirs.rule_sources, strict=True):
        if not isinstance(rule, CannotBeBlocked):
            continue
        context = Context(source=source, you=you)
        mine = game.characteristics(blocker)
        if rule.except_by is None and rule.by is None:
            return _refused("509.1b", theirs, mine, "the attacker can't be blocked")
        if rule.except_by is not None and not fits(game, rule.except_by, blocker, context):
            return _refused("509.1b", theirs, mine, "only other creatures can block the attacker")
        if rule.by is not None and fits(game, rule.by, blocker, context):
            return _refused("509.1b", theirs, mine, "creatures like it can't block the attacker")
    return None


def _by_rule_of_blocker(game: Position, attacker: ObjectId, blocker: ObjectId) -> Refused | None:
    """Judge "can't block creatures with …" and "can block only …" (CR 509.1b)."""
    mine = game.characteristics(blocker)
    for rule, (source, you) in zip(mine.rules, mine.rule_sources, strict=True):
        if isinstance(rule, CannotBlock) and rule.attackers is not None:
            context = Context(source=source, you=you)
            if fits(game, rule.attackers, attacker, context):
                theirs = game.characteristics(attacker)
                return _refused("509.1b", theirs, mine, "it can't block creatures like that")
    return None
