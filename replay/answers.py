"""Reading the answer to a question: names, numbers, "yes", "none" become the decision they mean.

Scenario files and people answer alike; a list is given as its items. CR 608.2d: choices are made
as the rules ask for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import msgspec

from ..cards.mana import LETTER_OF_COLOR
from ..cards.model import TargetSpec
from ..cards.names import folded_name
from ..events.base import Decision
from ..events.decisions import (
    Answer,
    ChooseNumber,
    ChooseObjects,
    ChoosePlayers,
    ChooseTargets,
    DivideDamage,
    KeepHand,
    OrderObjects,
    TakeMulligan,
)
from ..events.ids import NOBODY, NOTHING, ObjectId, PlayerId
from ..events.stack import ChosenTarget
from ..projections.context import Context
from ..projections.position import Position
from ..rules.combat_damage import DividePrompt
from ..rules.prompts import (
    ChooseTriggerTargets,
    OrderTriggers,
    SelectObjects,
    SelectOption,
    SelectPlayers,
    YesNo,
)
from ..rules.protocol import Prompt
from ..rules.setup import MulliganPrompt
from ..rules.targets import is_legal_target, legal_targets, phrases_of
from .names import Misread, Naming, player_named

Item = str | int
"""One word or number of an answer."""

YES = ("yes", "y", "true", "ok")
NO = ("no", "n", "false", "don't")
NONE = ("none", "nothing", "no one", "nobody")


def answer_of(naming: Naming, prompt: Prompt, items: Sequence[Item]) -> Decision:
    """Return the decision that the items mean as an answer to the prompt; raise Misread."""
    game = naming.game
    fields = (prompt.seat, prompt.player, prompt.counter)
    match prompt:
        case YesNo():
            return Answer(*fields, yes=_yes_or_no(items))
        case SelectObjects():
            return ChooseObjects(*fields, _chosen(naming, items, prompt.candidates))
        case SelectPlayers():
            names = () if _is_none(items) else items
            return ChoosePlayers(*fields, tuple(naming.player(str(one)) for one in names))
        case SelectOption():
            return ChooseNumber(*fields, _option(naming, prompt, items))
        case OrderTriggers():
            return OrderObjects(*fields, _order(naming, prompt, items))
        case ChooseTriggerTargets():
            targets, modes = _trigger_targets(naming, prompt, items)
            return ChooseTargets(*fields, targets, modes)
        case DividePrompt():
            return DivideDamage(*fields, _division(naming, prompt, items))
        case MulliganPrompt():
            return TakeMulligan(*fields) if _word(items) == "mulligan" else KeepHand(*fields)
        case _:
            raise Misread(
                "syntax", f"a {prompt.kind} prompt is not answered by a choice", _hint(game)
            )


def _hint(game: Position) -> tuple[str, ...]:
    return ("pass",) if game.state.winners is None else ()


def _word(items: Sequence[Item]) -> str:
    return str(items[0]).strip().lower() if len(items) == 1 else ""


def _is_none(items: Sequence[Item]) -> bool:
    return not items or _word(items) in NONE


def _yes_or_no(items: Sequence[Item]) -> bool:
    word = _word(items)
    if word in YES:
        return True
    if word in NO or word in NONE:
        return False
    raise Misread("syntax", f"{word or items} is neither yes nor no", ("yes", "no"))


def _chosen(
    naming: Naming, items: Sequence[Item], candidates: tuple[ObjectId, ...]
) -> tuple[ObjectId, ...]:
    """Return the objects named; a name said again takes the next object of that name."""
    if _is_none(items) or _word(items) == "no":
        return ()
    if _word(items) == "yes" and len(candidates) == 1:
        return candidates
    if _word(items) == "all":
        return candidates
    chosen: list[ObjectId] = []
    for item in items:
        left = [one for one in candidates if one not in chosen]
        chosen.append(naming.object(str(item), left))
    return tuple(chosen)


def _option(naming: Naming, prompt: SelectOption, items: Sequence[Item]) -> int:
    """Return the number of an option: as a number, or by its words, a colour or a source's name."""
    word = _word(items)
    if word.isdigit():
        return int(word)
    wanted = folded_name(word)
    letter = LETTER_OF_COLOR.get(wanted, "")
    for number, label in enumerate(prompt.labels, start=1):
        plain = label.replace("{", "").replace("}", "")
        if folded_name(label) == wanted or (letter and plain == letter):
            return number
        if plain.lower() == wanted.replace("{", "").replace("}", ""):
            return number
    if word in naming.aliases:
        name = naming.game.name_of(naming.aliases[word])
        if name in prompt.labels:
            return prompt.labels.index(name) + 1
    raise Misread("unknown", f"{word!r} is none of the options", prompt.labels)


def _order(naming: Naming, prompt: OrderTriggers, items: Sequence[Item]) -> tuple[int, ...]:
    """Return the numbers of waiting triggers, given by number or by the names of their sources.

    An order that names fewer goes on with the rest as they stand.
    """
    waiting = {one.number: one for one in naming.game.state.pending if one.number in prompt.items}
    order: list[int] = []
    for item in items:
        left = [number for number in prompt.items if number not in order]
        if str(item).isdigit() and int(item) in left:
            order.append(int(item))
            continue
        found = [number for number in left if _is_from(naming, waiting[number].source, str(item))]
        if not found:
            raise Misread("unknown", f"no trigger of {item!r} waits to be ordered")
        order.append(found[0])
    order += [number for number in prompt.items if number not in order]
    return tuple(order)


def _is_from(naming: Naming, source: ObjectId, text: str) -> bool:
    """Say whether words name the source of a trigger, also one that is gone."""
    bare = text.split("#", maxsplit=1)[0].strip()
    if folded_name(naming.game.name_of(source)) == folded_name(bare) and "#" not in text:
        return True
    return source in naming.find(text)


def _division(
    naming: Naming, prompt: DividePrompt, items: Sequence[Item]
) -> tuple[tuple[ObjectId, PlayerId, int], ...]:
    """Return shares from a flat list: recipient, amount, recipient, amount."""
    if len(items) % 2:
        raise Misread("syntax", "a division is a list of recipients, each with its amount")
    candidates = [*prompt.assigner.creatures]
    if prompt.assigner.beyond is not None and prompt.assigner.beyond[0]:
        candidates.append(prompt.assigner.beyond[0])
    shares: list[tuple[ObjectId, PlayerId, int]] = []
    for name, amount in zip(items[::2], items[1::2], strict=True):
        if not str(amount).isdigit():
            raise Misread("syntax", f"{amount!r} is no amount of damage")
        player = player_named(naming.game, str(name))
        if player is not None:
            shares.append((NOTHING, player, int(amount)))
        else:
            left = [one for one in candidates if one not in [share[0] for share in shares]]
            shares.append((naming.object(str(name), left), NOBODY, int(amount)))
    return tuple(shares)


def _trigger_targets(
    naming: Naming, prompt: ChooseTriggerTargets, items: Sequence[Item]
) -> tuple[tuple[ChosenTarget, ...], tuple[int, ...]]:
    """Return targets and modes: numbers first are modes, the rest are targets."""
    modes: list[int] = []
    rest = list(items)
    while prompt.body.modes and rest and str(rest[0]).isdigit():
        modes.append(int(rest.pop(0)))
    if _is_none(rest) or _word(rest) == "no":
        rest = []
    phrases = phrases_of(prompt.body, tuple(modes))
    return targets_of(naming, phrases, rest, prompt.context), tuple(modes)


def targets_of(
    naming: Naming,
    phrases: tuple[TargetSpec, ...],
    items: Sequence[Item],
    context: Context,
    shares: Sequence[int] = (),
) -> tuple[ChosenTarget, ...]:
    """Return the targets that names mean, each given to the word "target" that it can be for."""
    among = _candidates(naming.game, phrases, context)
    found: list[tuple[ObjectId, PlayerId]] = []
    for item in items:
        text = str(item)
        player = player_named(naming.game, text)
        if player is not None and text not in naming.aliases:
            found.append((NOTHING, player))
            continue
        used = [one for one, _ in found]
        left = [one for one in among if one not in used] if len(phrases) < 2 else among
        found.append((naming.object(text, left or among), NOBODY))
    return assigned_targets(naming.game, phrases, found, context, shares)


def _candidates(
    game: Position, phrases: tuple[TargetSpec, ...], context: Context
) -> list[ObjectId]:
    found: dict[ObjectId, None] = {}
    for place, spec in enumerate(phrases):
        for target in legal_targets(game, spec, context, place):
            if target.object:
                found[target.object] = None
    return list(found)


def assigned_targets(
    game: Position,
    phrases: tuple[TargetSpec, ...],
    found: Sequence[tuple[ObjectId, PlayerId]],
    context: Context,
    shares: Sequence[int] = (),
) -> tuple[ChosenTarget, ...]:
    """Give targets in order to the phrases of a text: legal if that is possible (CR 601.2c).

    Where it is not, by the numbers that the phrases ask for; else all to the first: what is wrong
    is then said by the rules.
    """
    parts = (*shares, *([0] * (len(found) - len(shares))))
    for must_be_legal in (True, False):
        for sizes in _sizes(phrases, len(found)):
            places = [place for place, size in enumerate(sizes) for _ in range(size)]
            targets = tuple(
                ChosenTarget(place, item, player, part)
                for place, (item, player), part in zip(places, found, parts, strict=True)
            )
            if not must_be_legal or _are_legal(game, phrases, targets, context):
                return targets
    return tuple(
        ChosenTarget(0, item, player, part)
        for (item, player), part in zip(found, parts, strict=True)
    )


def _sizes(phrases: tuple[TargetSpec, ...], count: int) -> list[tuple[int, ...]]:
    """Return how many targets each phrase may get so that all are given out."""
    if not phrases:
        return []
    if len(phrases) == 1:
        return [(count,)] if phrases[0].minimum <= count <= phrases[0].maximum else []
    found: list[tuple[int, ...]] = []
    for cuts in combinations(range(count + len(phrases) - 1), len(phrases) - 1):
        edges = (-1, *cuts, count + len(phrases) - 1)
        sizes = tuple(right - left - 1 for left, right in pairwise(edges))
        if all(
            spec.minimum <= size <= spec.maximum for spec, size in zip(phrases, sizes, strict=True)
        ):
            found.append(sizes)
    return found


def _are_legal(
    game: Position,
    phrases: tuple[TargetSpec, ...],
    targets: tuple[ChosenTarget, ...],
    context: Context,
) -> bool:
    for place, target in enumerate(targets):
        earlier = msgspec.structs.replace(context, targets=targets[:place])
        if not is_legal_target(game, phrases[target.phrase], target, earlier):
            return False
    return True
