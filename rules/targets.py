"""Targets (CR 115) and modes (CR 700.2): what may be chosen, what was, and what is still legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import msgspec

from ..cards.model import (
    ActivatedAbility,
    Body,
    CannotBeTargeted,
    Filter,
    Instruction,
    KeywordAbility,
    Mode,
    SpellAbility,
    TargetSpec,
)
from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId, ZoneKind
from ..events.refused import Code, Refused
from ..events.stack import ChosenTarget
from ..projections.characteristics import Characteristics
from ..projections.context import Context
from ..projections.filters import fits, matches, objects_in_zone
from ..projections.position import Position
from .naming import is_there, name_for, range_in_words
from .protection import is_protected

NO_BODY = Body()
"""What a spell does that only becomes a permanent (CR 608.3)."""


class Part(msgspec.Struct, frozen=True):
    """Instructions that are followed with targets of their own: a body, or one chosen mode of it.

    `first_phrase` is the number, over all that was chosen, of the part's first target phrase.
    """

    phrases: tuple[TargetSpec, ...]
    instructions: tuple[Instruction, ...]
    first_phrase: int

    def targets_among(self, targets: tuple[ChosenTarget, ...]) -> tuple[ChosenTarget, ...]:
        """Return the targets of this part with the phrase numbers that its instructions use."""
        if not self.first_phrase and all(one.phrase < len(self.phrases) for one in targets):
            return targets
        return tuple(
            msgspec.structs.replace(one, phrase=one.phrase - self.first_phrase)
            for one in targets
            if 0 <= one.phrase - self.first_phrase < len(self.phrases)
        )


def parts_of(body: Body, modes: tuple[int, ...]) -> tuple[Part, ...]:
    """Return what is followed in order: the body, or each chosen mode (CR 700.2, 608.2c)."""
    if not body.modes:
        return (Part(body.targets, body.instructions, 0),)
    parts: list[Part] = []
    first = 0
    for number in modes:
        mode = body.modes[number - 1]
        parts.append(Part(mode.targets, mode.instructions, first))
        first += len(mode.targets)
    return tuple(parts)


def phrases_of(body: Body, modes: tuple[int, ...]) -> tuple[TargetSpec, ...]:
    """Return the target phrases of a body with these modes chosen, in order (CR 700.2c)."""
    if not body.modes:
        return body.targets
    return tuple(spec for number in modes for spec in body.modes[number - 1].targets)


def spell_body(traits: Characteristics) -> Body:
    """Return what a spell does and what it targets.

    An instant or sorcery does what its spell ability says (CR 113.3a); an Aura spell targets what
    its enchant ability says (CR 303.4a); other permanent spells do nothing here.
    """
    for ability in traits.abilities:
        match ability:
            case SpellAbility(body):
                return body
            case KeywordAbility(name="enchant", filter=what):
                return Body(targets=(enchant_phrase(what),))
            case _:
                continue
    return NO_BODY


def enchant_phrase(what: Filter | None) -> TargetSpec:
    """Return the target phrase of an enchant ability (CR 702.5a); without a filter any player."""
    return TargetSpec(what=what) if what is not None else TargetSpec(players="any")


def is_legal_target(
    game: Position, spec: TargetSpec, target: ChosenTarget, context: Context
) -> bool:
    """Say whether an object or player may be a target for the phrase now (CR 115)."""
    if not target.object:
        return _player_fits(game, spec, target.player, context)
    what = _meant(spec.what, target, context)
    return (
        what is not None
        and not _is_chosen_before(spec, target, context)
        and matches(game, what, target.object, context)
        and (what.zone != ZoneKind.STACK or _is_other_spell(game, target.object, context))
        and can_be_targeted(game, target.object, context)
    )


def _targeted_before(target: ChosenTarget, context: Context) -> tuple[ObjectId, ...]:
    """Return the objects that earlier target phrases chose."""
    return tuple(one.object for one in context.targets if one.object and one.phrase < target.phrase)


def _meant(what: Filter | None, target: ChosenTarget, context: Context) -> Filter | None:
    """Return what a phrase asks of an object by itself.

    "Another target" after a target is another one than that, and may be the source (CR 115.3).
    """
    if what is None or what.identity != "other" or not _targeted_before(target, context):
        return what
    return msgspec.structs.replace(what, identity="any")


def _is_chosen_before(spec: TargetSpec, target: ChosenTarget, context: Context) -> bool:
    is_another = spec.what is not None and spec.what.identity == "other"
    return is_another and target.object in _targeted_before(target, context)


def can_be_targeted(game: Position, object_id: ObjectId, context: Context) -> bool:
    """Say whether the object's own rules let the source and its controller target it.

    Shroud (CR 702.18a), hexproof against opponents (702.11b), hexproof from a quality (702.11d),
    protection (702.16b), and effects that say "can't be the target". They work on permanents, and
    on spells that have them.
    """
    if game.state.objects[object_id].zone not in {ZoneKind.BATTLEFIELD, ZoneKind.STACK}:
        return True
    traits = game.characteristics(object_id)
    is_theirs = traits.controller != context.you
    for rule, (_, you) in zip(traits.rules, traits.rule_sources, strict=True):
        if isinstance(rule, CannotBeTargeted) and (you != context.you or not rule.opponents_only):
            return False
    if not traits.keywords:
        return True
    if "shroud" in traits.keywords:
        return False
    for ability in traits.abilities:
        match ability:
            case KeywordAbility(name="hexproof", filter=quality):
                if is_theirs and (quality is None or fits(game, quality, context.source, context)):
                    return False
            case KeywordAbility(name="protection"):
                if is_protected(game, object_id, ability, context.source):
                    return False
            case _:
                continue
    return True


def legal_targets(
    game: Position, spec: TargetSpec, context: Context, phrase: int = 0
) -> Iterator[ChosenTarget]:
    """Yield what may be chosen for one target phrase: players, then objects (CR 115.1)."""
    if spec.players != "none":
        for player in range(len(game.state.players)):
            if _player_fits(game, spec, PlayerId(player), context):
                yield ChosenTarget(phrase, NOTHING, PlayerId(player))
    if spec.what is None:
        return
    for object_id in objects_in_zone(game.state, spec.what.zone):
        target = ChosenTarget(phrase, object_id, NOBODY)
        if object_id and is_legal_target(game, spec, target, context):
            yield target


def target_choices(
    game: Position, phrases: tuple[TargetSpec, ...], context: Context
) -> Iterator[tuple[ChosenTarget, ...]]:
    """Yield the legal sets of targets for all phrases, lazily, the fewest first.

    A phrase may speak of what an earlier one chose; one thing is chosen once for each use of the
    word "target" (CR 115.3).
    """
    yield from _choices_from(game, phrases, context, 0, ())


def _choices_from(
    game: Position,
    phrases: tuple[TargetSpec, ...],
    context: Context,
    place: int,
    chosen: tuple[ChosenTarget, ...],
) -> Iterator[tuple[ChosenTarget, ...]]:
    if place == len(phrases):
        yield chosen
        return
    spec = phrases[place]
    if place:
        context = msgspec.structs.replace(context, targets=chosen)
    if spec.minimum == 1 and spec.maximum == 1:
        for target in legal_targets(game, spec, context, place):
            yield from _choices_from(game, phrases, context, place + 1, (*chosen, target))
        return
    candidates = tuple(legal_targets(game, spec, context, place))
    for size in range(spec.minimum, min(spec.maximum, len(candidates)) + 1):
        for group in combinations(candidates, size):
            yield from _choices_from(game, phrases, context, place + 1, (*chosen, *group))


def has_legal_targets(game: Position, phrases: tuple[TargetSpec, ...], context: Context) -> bool:
    """Say whether targets can be chosen legally for every phrase (CR 601.2c)."""
    return not phrases or next(target_choices(game, phrases, context), None) is not None


def choices(
    game: Position, body: Body, context: Context
) -> Iterator[tuple[tuple[ChosenTarget, ...], tuple[int, ...]]]:
    """Yield the legal choices of targets and modes for a body, lazily.

    Modes are numbered from 1; modes without legal targets are left out (CR 700.2a).
    """
    for modes in mode_choices(body):
        for targets in target_choices(game, phrases_of(body, modes), context):
            yield targets, modes


def mode_choices(body: Body) -> Iterator[tuple[int, ...]]:
    """Yield the sets of modes that may be chosen, in printed order (CR 700.2)."""
    if not body.modes:
        yield ()
        return
    most = min(body.modes_maximum, len(body.modes))
    for size in range(body.modes_minimum, most + 1):
        yield from combinations(range(1, len(body.modes) + 1), size)


def check_modes(
    game: Position, body: Body, modes: tuple[int, ...], context: Context
) -> Refused | None:
    """Return None if the modes may be chosen (CR 700.2a, 700.2b, 700.2d)."""
    name = game.name_of(context.source)
    if not body.modes:
        if not modes:
            return None
        return Refused(Code.MODE_ILLEGAL, "700.2", f"{name} has no modes", "choose none")
    count = len(body.modes)
    if any(not 1 <= mode <= count for mode in modes):
        detail = f"{name} has modes 1 to {count}"
        return Refused(Code.MODE_ILLEGAL, "700.2a", detail, f"choose among 1 to {count}")
    if len(set(modes)) != len(modes) or list(modes) != sorted(modes):
        detail = f"each mode of {name} is chosen at most once, in printed order"
        return Refused(Code.MODE_ILLEGAL, "700.2d", detail, "name each mode once, in order")
    if not body.modes_minimum <= len(modes) <= body.modes_maximum:
        wanted = range_in_words(body.modes_minimum, body.modes_maximum)
        detail = f"{wanted} of the modes of {name} must be chosen, not {len(modes)}"
        return Refused(Code.MODE_ILLEGAL, "700.2", detail, f"choose {wanted}")
    return _check_modes_have_targets(game, body.modes, modes, context)


def _check_modes_have_targets(
    game: Position, printed: tuple[Mode, ...], modes: tuple[int, ...], context: Context
) -> Refused | None:
    for mode in modes:
        if not has_legal_targets(game, printed[mode - 1].targets, context):
            detail = f"mode {mode} of {game.name_of(context.source)} has no legal target"
            return Refused(Code.MODE_ILLEGAL, "700.2a", detail, "choose another mode")
    return None


def check_targets(
    game: Position,
    phrases: tuple[TargetSpec, ...],
    targets: tuple[ChosenTarget, ...],
    context: Context,
) -> Refused | None:
    """Return None if the targets are legal together (CR 601.2c, 115)."""
    name = game.name_of(context.source)
    if any(not 0 <= target.phrase < len(phrases) for target in targets):
        count = len(phrases)
        detail = f"{name} says “target” {count} times" if phrases else f"{name} has no targets"
        return Refused(Code.TARGET_COUNT, "601.2c", detail, "choose no more targets")
    if any(target.share for target in targets):
        detail = f"nothing is divided among the targets of {name}"
        return Refused(Code.DIVISION_ILLEGAL, "601.2d", detail, "name targets without shares")
    if len(set(targets)) != len(targets):
        detail = f"one thing is chosen twice for the same target of {name}"
        return Refused(Code.TARGET_ILLEGAL, "115.3", detail, "choose different targets")
    for place, spec in enumerate(phrases):
        mine = tuple(target for target in targets if target.phrase == place)
        refused = _check_phrase(game, spec, mine, context)
        if refused is not None:
            return refused
        context = msgspec.structs.replace(context, targets=(*context.targets, *mine))
    return None


def _check_phrase(
    game: Position, spec: TargetSpec, targets: tuple[ChosenTarget, ...], context: Context
) -> Refused | None:
    name = game.name_of(context.source)
    if not spec.minimum <= len(targets) <= spec.maximum:
        wanted = range_in_words(spec.minimum, spec.maximum)
        noun = "target" if spec.maximum == 1 else "targets"
        change = f"choose {wanted} {noun}"
        if not has_legal_targets(game, (spec,), context):
            detail = f"there is no legal target for {name}"
            return Refused(Code.TARGET_COUNT, "601.2c", detail, "a legal target must exist")
        detail = f"{name} takes {wanted} {noun} here, not {len(targets)}"
        return Refused(Code.TARGET_COUNT, "601.2c", detail, change)
    for target in targets:
        if not is_legal_target(game, spec, target, context):
            return _illegal(game, spec, target, context)
    return None


def _illegal(game: Position, spec: TargetSpec, target: ChosenTarget, context: Context) -> Refused:
    """Return why a target is illegal, by the most telling rule."""
    name = game.name_of(context.source)
    if not target.object:
        who = _player_name(game, target.player)
        detail = f"{who} is not a legal target for {name}"
        return Refused(Code.TARGET_ILLEGAL, "115.1", detail, "choose another target")
    named = name_for(game, context.you, target.object)
    if not is_there(game, context.you, target.object):
        detail = f"there is no object #{target.object} now"
        return Refused(Code.TARGET_ILLEGAL, "400.7", detail, "choose another target")
    fitting = spec.what is not None and matches(game, spec.what, target.object, context)
    if fitting and not can_be_targeted(game, target.object, context):
        rule = _shielding_rule(game.characteristics(target.object))
        detail = f"{named} can't be the target of {name}"
        return Refused(Code.TARGET_ILLEGAL, rule, detail, "choose another target")
    if fitting:
        detail = f"{name} can't target itself, nor an ability where it says spell"
        return Refused(Code.TARGET_ILLEGAL, "115.5", detail, "choose another target")
    detail = f"{named} is not what {name} may target"
    return Refused(Code.TARGET_ILLEGAL, "601.2c", detail, "choose another target")


def _shielding_rule(traits: Characteristics) -> str:
    for keyword, rule in (
        ("shroud", "702.18a"),
        ("hexproof", "702.11b"),
        ("protection", "702.16b"),
    ):
        if keyword in traits.keywords:
            return rule
    return "115.2"


def item_context(game: Position, item_id: ObjectId) -> Context:
    """Return the context of a spell or ability on the stack, with the targets it was given."""
    item = game.state.items[item_id]
    return Context(
        source=item.source if item.ability else item_id,
        you=game.controller_of(item_id),
        targets=item.targets,
        x=item.x,
        about=item.about,
        about_player=item.about_player,
        amount=item.amount,
    )


def item_body(game: Position, item_id: ObjectId) -> Body:
    """Return what a spell or ability on the stack does as it resolves (CR 608.2c)."""
    ability = game.state.items[item_id].ability
    return body_of(game, ability) if ability else spell_body(game.characteristics(item_id))


def body_of(game: Position, digest: bytes) -> Body:
    """Return the body of an activated, triggered or reflexive ability by its digest."""
    found = game.definitions.ability(digest)
    return found if isinstance(found, Body) else found.body


def still_legal(game: Position, item_id: ObjectId, target: ChosenTarget) -> bool:
    """Say whether a target of a spell or ability on the stack is legal as it resolves.

    CR 608.2b: it must be where it was expected, fit the phrase, and may still be targeted.
    """
    item = game.state.items[item_id]
    phrases = phrases_of(item_body(game, item_id), item.modes)
    context = msgspec.structs.replace(
        item_context(game, item_id),
        targets=tuple(one for one in item.targets if one.phrase < target.phrase),
    )
    return is_legal_target(game, phrases[target.phrase], target, context)


def is_targeted(ability: ActivatedAbility) -> bool:
    """Say whether an activated ability requires a target (CR 115.6, 605.1a)."""
    body = ability.body
    return bool(body.targets) or any(mode.targets for mode in body.modes)


def _is_other_spell(game: Position, object_id: ObjectId, context: Context) -> bool:
    """Say whether it is a spell and not the source itself (CR 112.1, 115.5)."""
    item = game.state.items.get(object_id)
    return object_id != context.source and item is not None and not item.ability


def _player_fits(game: Position, spec: TargetSpec, player: PlayerId, context: Context) -> bool:
    players = game.state.players
    if not 0 <= player < len(players) or players[player].has_left:
        return False
    match spec.players:
        case "none":
            return False
        case "any":
            return True
        case "opponent":
            return player != context.you
        case "you":
            return player == context.you


def _player_name(game: Position, player: PlayerId) -> str:
    players = game.state.players
    return players[player].name if 0 <= player < len(players) else f"player {player}"
