"""Whole abilities: a line of a card's text is one, or a list of keywords (CR 113.3).

Each line is tried as keywords, then as the kind that its form announces: "when" and "at" a
triggered, a colon an activated, "enters tapped" a replacement, anything else a static ability.
"""

from __future__ import annotations

import msgspec

from ..events.ids import ZoneKind
from .grammar_amounts import for_each, value
from .grammar_changes import changes, where_x, with_x
from .grammar_conditions import condition
from .grammar_costs import cost, loyalty
from .grammar_effects import body, sentences
from .grammar_filters import is_counter_kind
from .grammar_hidden import hidden_static, play_static
from .grammar_keywords import keyword_line
from .grammar_phrases import bare_plural, itself, number_word, objects, objects_as_subject
from .grammar_reader import CardContext, Reader, reading
from .grammar_triggers import trigger
from .lexer import tokens_of
from .lower import Scope
from .model import (
    Ability,
    ActivatedAbility,
    Amount,
    AttachedTo,
    Body,
    CannotBeCountered,
    ChangeControl,
    ChangeTypes,
    Condition,
    Cost,
    EntersWith,
    Every,
    Filter,
    Instruction,
    Modification,
    MustBeBlocked,
    NotSo,
    Number,
    Objects,
    SetPowerToughness,
    SpellAbility,
    StaticAbility,
    Target,
    This,
    TriggeredAbility,
    VariableX,
    You,
    YourTurn,
)


class ReadCard(msgspec.Struct, frozen=True):
    """What a card's lines say: abilities, and words that the text could do without."""

    abilities: tuple[Ability, ...]
    idle: tuple[str, ...]


def read_card(
    lines: tuple[str, ...], types: tuple[str, ...], subtypes: tuple[str, ...], name: str = ""
) -> ReadCard | str:
    """Return the abilities of a card's lines; the phrase that was not understood, if any."""
    card = CardContext(types, subtypes, one_ability, name)
    spell = bool({"instant", "sorcery"} & set(types))
    found: list[Ability] = []
    idle: list[str] = []
    effect = Effect()
    for line in lines:
        r = Reader(tokens_of(line), card)
        if spell:
            some = _line_of_spell(r)
            if some is None and not effect.read(r):
                return r.failed_phrase()
            found += some or []
        else:
            abilities = abilities_of_line(r)
            if abilities is None:
                return r.failed_phrase()
            found += abilities
        idle += r.idle
    if effect.body is not None:
        found.insert(0, SpellAbility(effect.body))
    return ReadCard(tuple(found), tuple(idle))


class Effect:
    """The effect of an instant or sorcery, gathered over its paragraphs."""

    def __init__(self) -> None:
        """Begin without any."""
        self.body: Body | None = None
        self._scope = Scope(it=None)
        self._instructions: list[Instruction] = []

    def read(self, r: Reader) -> bool:
        """Read a paragraph as the next part of the effect; whether it was understood."""
        if self.body is not None and self.body.modes:
            return False
        if self.body is None:
            r.scope = self._scope
            found = body(r)
            if found is None or not r.at_end():
                return False
            self.body = found
            self._instructions += found.instructions
            return True
        r.scope = self._scope
        if not sentences(r, self._instructions) or not r.at_end():
            return False
        self.body = Body(targets=tuple(self._scope.targets), instructions=tuple(self._instructions))
        return True


@reading
def _line_of_spell(r: Reader) -> list[Ability] | None:
    """Read a line of an instant or sorcery that is not its effect."""
    keywords = keyword_line(r)
    if keywords is not None:
        return [*keywords]
    if itself(r) and r.eat("can't be countered .") and r.at_end():
        return [_uncounterable()]
    return None


def _uncounterable() -> StaticAbility:
    return StaticAbility(This(), (CannotBeCountered(),), zone=ZoneKind.STACK)


@reading
def one_ability(r: Reader) -> Ability | None:
    """Read the one ability of a quotation."""
    found = abilities_of_line(r)
    return found[0] if found is not None and len(found) == 1 else None


def _ended(r: Reader) -> bool:
    return r.at_end() or (r.quoted > 0 and r.peek() == '"')


@reading
def abilities_of_line(r: Reader) -> list[Ability] | None:
    """Read a line of a permanent's text, or what a quotation holds."""
    for way in (_keywords, _triggered, _activated, _entering, _static):
        r.scope = Scope()
        found = way(r)
        if found is not None:
            return found
    return None


@reading
def _keywords(r: Reader) -> list[Ability] | None:
    found = keyword_line(r)
    return [*found] if found is not None else None


@reading
def _triggered(r: Reader) -> list[Ability] | None:
    when = trigger(r)
    if when is None or not r.eat(","):
        return None
    r.scope = Scope(when.it, when.that_player, when.nouns)
    test: Condition | None = None
    if r.eat("if"):
        test = condition(r)
        if test is None or not r.eat(","):
            return None
    effect = body(r)
    if effect is None or not _ended(r):
        return None
    zone = r.scope.functions_in or ZoneKind.BATTLEFIELD
    return [
        TriggeredAbility(trigger=each, body=effect, condition=test, zone=zone)
        for each in when.triggers
    ]


@reading
def _activated(r: Reader) -> list[Ability] | None:
    change = loyalty(r)
    paid = Cost(loyalty=change) if change is not None else cost(r)
    if paid is None or not r.eat(":"):
        return None
    zone = r.scope.functions_in
    r.scope = Scope(it=None)
    effect = body(r)
    if effect is None:
        return None
    limits = _limits(r)
    if limits is None or not _ended(r):
        return None
    return [
        ActivatedAbility(
            cost=paid,
            body=effect,
            once_each_turn=limits.once_each_turn,
            sorcery_speed=limits.sorcery_speed,
            zone=zone or r.scope.functions_in or ZoneKind.BATTLEFIELD,
            only_if=limits.only_if,
        )
    ]


class Limits(msgspec.Struct, frozen=True):
    """When an activated ability may be activated (CR 602.5)."""

    once_each_turn: bool = False
    sorcery_speed: bool = False
    only_if: Condition | None = None


def _limits(r: Reader) -> Limits | None:
    """Read "Activate only as a sorcery." and the like, joined by "and only"."""
    if not r.eat("activate"):
        return Limits()
    r.eat("this ability")
    found = Limits()
    while r.eat("only"):
        more: dict[str, object] | None = None
        if r.eat("once each turn"):
            more = {"once_each_turn": True}
        elif r.eat_any("as a sorcery", "any time you could cast a sorcery") is not None:
            more = {"sorcery_speed": True}
        elif r.eat("during your turn"):
            more = {"only_if": YourTurn()}
        elif r.eat("if"):
            test = condition(r)
            more = {"only_if": test} if test is not None else None
        if more is None or any(getattr(found, key) for key in more):
            return None
        found = msgspec.structs.replace(found, **more)
        if not r.eat("and"):
            break
    return found if r.eat(".") and found != Limits() else None


@reading
def _entering(r: Reader) -> list[Ability] | None:
    """Read a replacement effect of entering (CR 614.1c, 614.1d)."""
    turned = _turning(r)
    if turned is not None:
        return [turned]
    own = itself(r)
    if own:
        what = Filter(identity="this")
        if not r.eat("enters"):
            return None
        r.eat("the battlefield")
    else:
        found = bare_plural(r, alone=True)
        if found is None or not isinstance(found[0], Every) or not r.eat("enter"):
            return None
        what = found[0].what
        r.eat("the battlefield")
    tapped = r.eat("tapped")
    counters: tuple[tuple[str, Amount], ...] = ()
    if own and tapped and r.eat("and"):
        r.note("and")
    if own and r.eat("with"):
        counted = _counters(r)
        if counted is None:
            return None
        counters = (counted,)
    if not (tapped or counters):
        return None
    test: Condition | None = None
    if r.eat("unless"):
        held = condition(r)
        if held is None:
            return None
        test = NotSo(held)
    elif r.eat("if"):
        test = condition(r)
        if test is None:
            return None
    if not r.eat(".") or not _ended(r):
        return None
    return [EntersWith(what, tapped=tapped, counters=counters, condition=test)]


@reading
def _turning(r: Reader) -> EntersWith | None:
    """Read "As ~ enters, turn all other creatures face down." (CR 614.1c, 708.2a)."""
    if not r.eat("as") or not itself(r) or not r.eat("enters"):
        return None
    r.eat("the battlefield")
    found = objects(r) if r.eat(", turn") else None
    if found is None or not isinstance(found[0], Every) or not r.eat("face down ."):
        return None
    return EntersWith(Filter(identity="this"), turns_down=found[0].what) if _ended(r) else None


@reading
def _counters(r: Reader) -> tuple[str, Amount] | None:
    one = r.eat_article()
    number: Amount | None
    if one:
        number = Number(1)
    elif r.eat("x"):
        number = VariableX()
    else:
        count = number_word(r)
        number = Number(count) if count is not None else None
    if number is None:
        return None
    kind = r.take()
    if not is_counter_kind(kind) or not r.eat(f"counter{'' if one else 's'} on it"):
        return None
    return (kind, (for_each(r, 1) or number) if one else number)


@reading
def _static(r: Reader) -> list[Ability] | None:
    """Read sentences that are true while the permanent is there (CR 604)."""
    found: list[Ability] = []
    while not _ended(r):
        r.scope = Scope(it=None)
        if found and r.eat("it's still a land ."):
            land = _still_land(found[-1])
            if land is None:
                return None
            found[-1] = land
            continue
        some = _static_sentence(r)
        if some is None:
            return None
        found += some
    return found or None


def _still_land(ability: Ability) -> Ability | None:
    """Return a static ability whose types are added to those of the land (CR 205.1b)."""
    if not isinstance(ability, StaticAbility):
        return None
    changed = tuple(
        msgspec.structs.replace(each, in_addition=True) if isinstance(each, ChangeTypes) else each
        for each in ability.modifications
    )
    if changed == ability.modifications:
        return None
    return msgspec.structs.replace(ability, modifications=changed)


@reading
def _static_sentence(r: Reader) -> list[Ability] | None:
    test = _leading_condition(r)
    if test is None and r.peek() in {"as", "during"}:
        return None
    sized = _defining(r)
    if sized is not None:
        return [sized]
    if test is None:
        special = _controlling(r) or _lure(r) or hidden_static(r) or play_static(r)
        if special is not None:
            return [special]
    about = objects_as_subject(r) or _first_of_two(r)
    if about is None or r.scope.targets:
        return None
    what, plural = about
    also = _also(r) if plural else None
    if also is not None and isinstance(what, Every):
        what = Every(Filter(any_of=(what.what, also.what)))
    found = changes(r, plural=plural, static=True)
    if found is None:
        return None
    x = where_x(r)
    if x is not None:
        replaced = tuple(_replaced(each, x) for each in found)
        if replaced == found:
            return None
        found = replaced
    if test is None:
        test = _trailing_condition(r)
    stop = r.eat(".") or r.words[r.at - 2 : r.at] == (".", '"')
    if not stop or r.scope.targets:
        return None
    one = _static_of(what, found, test)
    return [one] if one is not None else None


@reading
def _first_of_two(r: Reader) -> tuple[Objects, bool] | None:
    found = bare_plural(r, alone=True)
    return found if found is not None and r.peek() == "and" else None


@reading
def _also(r: Reader) -> Every | None:
    """Read "and other Treefolk creatures": what is either is meant, and once."""
    found = bare_plural(r, alone=True) if r.eat("and") else None
    return found[0] if found is not None and isinstance(found[0], Every) else None


@reading
def _controlling(r: Reader) -> Ability | None:
    """Read "You control enchanted creature." (CR 613.1b)."""
    found = objects(r) if r.eat("you control") else None
    if found is None or found[0] != AttachedTo() or not r.eat("."):
        return None
    return StaticAbility(AttachedTo(), (ChangeControl(You()),))


@reading
def _lure(r: Reader) -> Ability | None:
    """Read "All creatures able to block ~ do so." (CR 509.1c)."""
    found = objects(r) if r.eat("all creatures able to block") else None
    if found is None or found[1] or isinstance(found[0], Target) or not r.eat("do so ."):
        return None
    return StaticAbility(found[0], (MustBeBlocked(by_all=True),))


def _replaced(change: Modification, x: Amount) -> Modification:
    return with_x(change, x)  # type: ignore[return-value]  # the same type as before


def _static_of(
    what: Objects, found: tuple[Modification, ...], test: Condition | None
) -> StaticAbility | None:
    if CannotBeCountered() in found:
        return _uncounterable() if what == This() and found == (CannotBeCountered(),) else None
    return StaticAbility(what, found, condition=test)


@reading
def _leading_condition(r: Reader) -> Condition | None:
    if r.eat("during your turn ,"):
        return YourTurn()
    test = condition(r) if r.eat("as long as") else None
    return test if test is not None and r.eat(",") else None


@reading
def _trailing_condition(r: Reader) -> Condition | None:
    return condition(r) if r.eat("as long as") else None


@reading
def _defining(r: Reader) -> Ability | None:
    """Read "~'s power and toughness are each equal to …" (CR 604.3)."""
    if not r.eat("~'s") and not r.eat("this creature's"):
        return None
    key = r.eat_any("power and toughness are each", "power is", "toughness is")
    number = value(r) if key is not None and r.eat("equal to") else None
    if number is None or not r.eat("."):
        return None
    change = SetPowerToughness(
        power=number if key != "toughness is" else None,
        toughness=number if key != "power is" else None,
        defining=True,
    )
    return StaticAbility(This(), (change,))
