"""A definition written back as English, from the model alone.

What `compile_card` reads from the text that `render` writes has the same abilities: so the text
shows to a person exactly what the engine understood.
"""

from __future__ import annotations

from ..events.ids import ZoneKind
from .card_text import CardText
from .check import nodes_of
from .grammar_triggers import STEPS, antecedents
from .lower import Nouns, Scope
from .mana import LETTER_OF_COLOR, colors_of_cost
from .model import (
    Ability,
    ActivatedAbility,
    Attacks,
    BecomesBlocked,
    BecomesTapped,
    BecomesTarget,
    Blocks,
    CannotBeCountered,
    CardDefinition,
    CastsSpell,
    ChangeControl,
    Condition,
    DealsDamage,
    Dies,
    Discards,
    DrawsCard,
    Enters,
    EntersWith,
    EventPlayer,
    Every,
    Filter,
    GainsLife,
    KeywordAbility,
    LeavesBattlefield,
    MustBeBlocked,
    NotSo,
    Number,
    Players,
    SetPowerToughness,
    SpellAbility,
    StaticAbility,
    StepBegins,
    This,
    Trigger,
    TriggeredAbility,
    You,
    YourTurn,
)
from .render_changes import Predicates
from .render_conditions import condition_text
from .render_effects import Sentences
from .render_hidden import play_text
from .render_keywords import cost_text, keyword_text
from .render_phrases import Phrases, Unrenderable, with_article
from .vocabulary import NUMBER_WORDS, subtypes_of


def render(definition: CardDefinition) -> str:
    """Return what a card says in English, one ability a line."""
    attached = _attached_noun(definition)
    return "\n".join(
        _line(ability, Phrases(definition.name, attached, kinds=frozenset(definition.types)))
        for ability in definition.abilities
    )


def rendered_card(definition: CardDefinition) -> CardText:
    """Return a definition as printed text that compiles to the same abilities."""
    types = " ".join((*definition.supertypes, *definition.types)).title()
    letters = tuple(LETTER_OF_COLOR[color] for color in definition.colors)
    own = colors_of_cost(definition.mana_cost) == definition.colors
    sizes = [definition.power, definition.toughness]
    printed = [
        "*" if defined else size for size, defined in zip(sizes, _defined(definition), strict=True)
    ]
    return CardText(
        name=definition.name,
        mana_cost=definition.mana_cost,
        type_line=" — ".join(filter(None, (types, " ".join(definition.subtypes)))),
        oracle_text=render(definition),
        power=str(printed[0]) if definition.power is not None else None,
        toughness=str(printed[1]) if definition.toughness is not None else None,
        loyalty=str(definition.loyalty) if definition.loyalty is not None else None,
        color_indicator=() if own else letters,
    )


def _defined(definition: CardDefinition) -> tuple[bool, bool]:
    power = toughness = False
    for ability in definition.abilities:
        if isinstance(ability, StaticAbility):
            for change in ability.modifications:
                if isinstance(change, SetPowerToughness) and change.defining:
                    power = power or change.power is not None
                    toughness = toughness or change.toughness is not None
    return power, toughness


def _attached_noun(definition: CardDefinition) -> str:
    if "Equipment" in definition.subtypes:
        return "equipped creature"
    for ability in definition.abilities:
        if isinstance(ability, KeywordAbility) and ability.name == "enchant" and ability.filter:
            what = ability.filter
            if len(what.types) and not what.any_type:
                return f"enchanted {what.types[-1]}"
            if what.subtypes:
                return f"enchanted {what.subtypes[-1].lower()}"
    return "enchanted permanent"


def _line(ability: Ability, phrases: Phrases) -> str:
    """Return one ability as a line of text."""
    match ability:
        case KeywordAbility():
            text = keyword_text(ability, phrases)
            return text[:1].upper() + text[1:]
        case SpellAbility(body=body):
            return Sentences(phrases, _quoted).body(body)
        case ActivatedAbility():
            return _activated(ability, phrases)
        case TriggeredAbility():
            return _triggered(ability, phrases)
        case EntersWith():
            return _entering(ability, phrases)
        case StaticAbility():
            return _static(ability, phrases)


def _quoted(ability: Ability, outer: Phrases) -> str:
    """Return an ability as it stands in quotes, where "this creature" is what has it."""
    nouns: Nouns = outer.scope.nouns
    return _line(ability, Phrases("", outer.attached, quoted=nouns))


def _activated(ability: ActivatedAbility, phrases: Phrases) -> str:
    cost = ability.cost
    if cost.loyalty is not None:
        lead = f"{cost.loyalty:+d}" if cost.loyalty else "0"
    else:
        lead = cost_text(cost, phrases)
    if ability.zone is ZoneKind.GRAVEYARD and cost.exile == This():
        lead = lead.replace(
            f"Exile {phrases.itself()}", f"Exile {phrases.itself()} from your graveyard"
        )
    phrases.scope = Scope()
    phrases.in_graveyard = ability.zone is ZoneKind.GRAVEYARD
    text = f"{lead}: {Sentences(phrases, _quoted).body(ability.body)}"
    limits: list[str] = []
    if ability.only_if == YourTurn():
        limits.append("only during your turn")
    elif ability.only_if is not None:
        limits.append(f"only if {condition_text(ability.only_if, phrases)}")
    if ability.sorcery_speed:
        limits.append("only as a sorcery")
    if ability.once_each_turn:
        limits.append("only once each turn")
    return f"{text} Activate {' and '.join(limits)}." if limits else text


def _triggered(ability: TriggeredAbility, phrases: Phrases) -> str:
    speaks = any(isinstance(node, EventPlayer) for node in nodes_of(ability))
    when = _trigger_text(ability.trigger, phrases, of_player=speaks)
    known = antecedents(ability.trigger)
    phrases.scope = Scope(known.it, known.that_player, known.nouns)
    test = f" if {condition_text(ability.condition, phrases)}," if ability.condition else ""
    phrases.in_graveyard = ability.zone is ZoneKind.GRAVEYARD
    text = Sentences(phrases, _quoted).body(ability.body)
    if not text.startswith(phrases.itself() if phrases.quoted is None else "\0"):
        text = text[:1].lower() + text[1:]
    return f"{when},{test} {text}"


def _trigger_text(trigger: Trigger, phrases: Phrases, *, of_player: bool) -> str:
    match trigger:
        case StepBegins(step=step, whose=whose):
            fits = [row for row in STEPS if row[1:3] == (step, whose)]
            fits.sort(key=lambda row: (row[3] is not None) is not of_player)
            if fits:
                return f"At the beginning of {fits[0][0]}"
            raise Unrenderable("a step without words")
        case CastsSpell(player=who, what=what):
            subject, s = _actor(who)
            other = what.identity == "other"
            spell = phrases.described(what, plural=False)
            return (
                f"Whenever {subject} cast{s} {f'another {spell}' if other else with_article(spell)}"
            )
        case GainsLife(player=who):
            subject, s = _actor(who)
            return f"Whenever {subject} gain{s} life"
        case Discards(player=who):
            subject, s = _actor(who)
            return f"Whenever {subject} discard{s} a card"
        case DrawsCard(player=who):
            subject, s = _actor(who)
            return f"Whenever {subject} draw{s} a card"
        case _:
            return _object_trigger(trigger, trigger.what, phrases)


def _actor(who: Players) -> tuple[str, str]:
    if isinstance(who, You):
        return "you", ""
    return ("an opponent", "s") if getattr(who, "opponents_only", False) else ("a player", "s")


def _object_trigger(trigger: Trigger, what: Filter, phrases: Phrases) -> str:
    once = what.identity in {"this", "attached"}
    if what.identity == "this":
        subject = phrases.itself()
    elif what.identity == "attached":
        subject = phrases.attached
    elif what.any_of[:1] == (Filter(identity="this"),):
        subject = f"{phrases.itself()} or another {phrases.described(what.any_of[1], plural=False)}"
    else:
        text = phrases.described(what, plural=False)
        subject = f"another {text}" if what.identity == "other" else with_article(text)
    zone_event = isinstance(trigger, (Enters, Dies, LeavesBattlefield))
    word = "When" if zone_event and once else "Whenever"
    if isinstance(trigger, Dies) and not _may_be_creature(what, phrases):
        return f"{word} {subject} is put into a graveyard from the battlefield"
    return f"{word} {subject} {_event_text(trigger)}"


def _may_be_creature(what: Filter, phrases: Phrases) -> bool:
    """Whether "dies" is said of such an object (CR 700.4)."""
    if what.identity == "this":
        return "creature" in phrases.kinds
    if what.any_of:
        return _may_be_creature(what.any_of[-1], phrases)
    if what.identity == "attached":
        return phrases.attached.endswith("creature")
    kinds = (*what.types, *what.any_type)
    return "creature" in kinds or any(each in subtypes_of("creature") for each in what.subtypes)


def _event_text(trigger: Trigger) -> str:
    match trigger:
        case Enters():
            return "enters"
        case Dies():
            return "dies"
        case LeavesBattlefield():
            return "leaves the battlefield"
        case Attacks(alone=alone):
            return "attacks alone" if alone else "attacks"
        case Blocks():
            return "blocks"
        case BecomesBlocked():
            return "becomes blocked"
        case BecomesTapped():
            return "becomes tapped"
        case BecomesTarget(by_opponent=by_opponent):
            ending = " an opponent controls" if by_opponent else ""
            return f"becomes the target of a spell or ability{ending}"
        case DealsDamage(combat_only=combat, to=to):
            whom = {"any": "", "player": " to a player", "opponent": " to an opponent"}
            return f"deals {'combat ' if combat else ''}damage{whom.get(to, ' to a creature')}"
        case _:
            raise Unrenderable(f"an event without words: {type(trigger).__name__}")


def _entering(ability: EntersWith, phrases: Phrases) -> str:
    if ability.turns_down is not None:
        turned, _ = phrases.objects(Every(ability.turns_down))
        return f"As {phrases.itself()} enters, turn {turned} face down."
    if ability.what == Filter(identity="this"):
        own = phrases.itself()
        text = f"{own[:1].upper()}{own[1:]} enters"
    else:
        other = "other " if ability.what.identity == "other" else ""
        subject = other + phrases.described(ability.what, plural=True, every=True)
        text = f"{subject[:1].upper()}{subject[1:]} enter"
    text += " tapped" if ability.tapped else ""
    for kind, number in ability.counters:
        joint = " and with" if ability.tapped else " with"
        counted = phrases.for_each(number) if not isinstance(number, Number) else None
        if counted is not None:
            text += f"{joint} {with_article(kind)} counter on it {counted[1]}"
        elif number == Number(1):
            text += f"{joint} {with_article(kind)} counter on it"
        elif isinstance(number, Number):
            text += f"{joint} {NUMBER_WORDS[number.value]} {kind} counters on it"
        else:
            text += f"{joint} X {kind} counters on it"
    return f"{text}{_unless(ability.condition, phrases)}."


def _unless(condition: Condition | None, phrases: Phrases) -> str:
    if condition is None:
        return ""
    if isinstance(condition, NotSo):
        return f" unless {condition_text(condition.condition, phrases)}"
    return f" if {condition_text(condition, phrases)}"


def _static(ability: StaticAbility, phrases: Phrases) -> str:
    play = play_text(ability, phrases)
    if play is not None:
        return play
    change = ability.modifications[0]
    if isinstance(change, SetPowerToughness) and change.defining:
        return _defining(change, phrases)
    if ability.modifications == (ChangeControl(You()),):
        return f"You control {phrases.attached}."
    if ability.modifications == (MustBeBlocked(by_all=True),):
        return f"All creatures able to block {phrases.objects(ability.affects)[0]} do so."
    if ability.modifications == (CannotBeCountered(),):
        return f"{phrases.itself()} can't be countered."
    test = ""
    if ability.condition is not None:
        text = condition_text(ability.condition, phrases)
        test = "During your turn, " if text == "it's your turn" else f"As long as {text}, "
    subject, plural = phrases.subject(ability.affects)
    predicates = Predicates(phrases, _quoted, plural=plural, static=True)
    text = f"{subject} {predicates.all(ability.modifications)}{phrases.where_x()}"
    text = test + text if test else text[:1].upper() + text[1:]
    return text if text.endswith('."') else f"{text}."


def _defining(change: SetPowerToughness, phrases: Phrases) -> str:
    if change.power is not None and change.toughness is not None:
        what, number = "power and toughness are each", change.power
    elif change.power is not None:
        what, number = "power is", change.power
    else:
        assert change.toughness is not None, "it defines one of the two"
        what, number = "toughness is", change.toughness
    return f"{phrases.itself()}'s {what} equal to {phrases.value(number)}."
