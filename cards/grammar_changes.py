"""Predicates that change objects: "gets +1/+1", "has flying", "can't block" (CR 613).

They are the same in a static ability and in an effect that lasts for a time, except that the
first says "has" and "is", the second "gains" and "becomes".
"""

from __future__ import annotations

import msgspec

from .grammar_amounts import for_each, power_toughness, value
from .grammar_filters import description
from .grammar_keywords import PLAIN_KEYWORDS, granted_keywords
from .grammar_reader import Reader, reading
from .mana import COLORS
from .model import (
    Ability,
    Amount,
    BlockersAtLeast,
    BlockersAtMost,
    CanBlockAdditional,
    CannotAttack,
    CannotBeBlocked,
    CannotBeCountered,
    CannotBeTargeted,
    CannotBlock,
    ChangeColors,
    ChangeTypes,
    CountOf,
    DoesNotUntap,
    Filter,
    GrantAbility,
    LoseAbilities,
    Modification,
    ModifyPowerToughness,
    MustAttack,
    MustBeBlocked,
    MustBlock,
    Negative,
    Node,
    Number,
    SetPowerToughness,
    VariableX,
)
from .vocabulary import CARD_TYPES, NUMBER_WORDS, TYPE_OF_PLURAL, subtype_of_plural, subtype_of_word


@reading
def changes(
    r: Reader, *, plural: bool, static: bool, bare: bool = False
) -> tuple[Modification, ...] | None:
    """Read predicates joined by commas and "and"; the verb agrees with the subject.

    A `bare` verb has no s though its subject is one ("you may have ~ become a 3/3 creature").
    """
    first = _change(r, plural=plural, static=static, bare=bare)
    if first is None:
        return None
    found = list(first)
    alone = r.mark()
    open_list = False
    while True:
        mark = r.mark()
        last = r.eat(", and") or r.eat("and")
        if not last and not r.eat(","):
            break
        more = _change(r, plural=plural, static=static, bare=bare)
        if more is None:
            r.reset(mark)
            break
        found += more
        open_list = not last
    if open_list:  # a list ends in "and": these commas belong to something else
        r.reset(alone)
        return first
    return tuple(found)


@reading
def _change(
    r: Reader, *, plural: bool, static: bool, bare: bool
) -> tuple[Modification, ...] | None:
    found = _one_change(r, plural=plural, static=static, bare=bare)
    return tuple(found) if found is not None else None


@reading
def _one_change(r: Reader, *, plural: bool, static: bool, bare: bool) -> list[Modification] | None:
    s = "" if plural or bare else "s"
    if r.eat(f"get{s}"):
        return _gets(r)
    if r.eat("have" if plural else "has"):
        if r.eat("base power and toughness"):
            return _base(r)
        return _abilities(r) if static else None
    if not static and r.eat(f"gain{s}"):
        return _abilities(r)
    if r.eat(f"lose{s}"):
        return _loses(r)
    if static and r.eat("are" if plural else "is"):
        return _is(r, plural=plural)
    if not static and r.eat(f"become{s}"):
        return _is(r, plural=plural)
    return _rules(r, plural=plural)


@reading
def _gets(r: Reader) -> list[Modification] | None:
    numbers = power_toughness(r.peek())
    if numbers is None:
        return None
    r.take()
    power, toughness = numbers
    mark = r.mark()
    if isinstance(power, Number) and isinstance(toughness, Number):
        factors = {abs(power.value), abs(toughness.value)} - {0}
        counted = for_each(r, 1) if len(factors) == 1 else None
        if counted is not None:
            factor = factors.pop()
            if factor > 1 and not isinstance(counted, CountOf):
                return None
            return [
                ModifyPowerToughness(
                    _scaled(power, counted, factor), _scaled(toughness, counted, factor)
                )
            ]
    r.reset(mark)
    return [ModifyPowerToughness(power, toughness)]


def _scaled(sign: Number, counted: Amount, factor: int) -> Amount:
    """Return the part of a bonus that is counted: nothing, so many, or so many less."""
    if sign.value == 0:
        return sign
    if factor > 1 and isinstance(counted, CountOf):
        counted = msgspec.structs.replace(counted, each=factor)
    return counted if sign.value > 0 else Negative(counted)


@reading
def _base(r: Reader) -> list[Modification] | None:
    if r.eat("x/x"):
        return [SetPowerToughness(VariableX(), VariableX())]
    numbers = fixed_size(r)
    return [SetPowerToughness(Number(numbers[0]), Number(numbers[1]))] if numbers else None


@reading
def fixed_size(r: Reader) -> tuple[int, int] | None:
    """Read a printed power and toughness ("2/2")."""
    left, slash, right = r.peek().partition("/")
    if slash and left.isdigit() and right.isdigit():
        r.take()
        return int(left), int(right)
    return None


@reading
def _abilities(r: Reader) -> list[Modification] | None:
    """Read what is had or gained: keywords, abilities in quotes, or both."""
    found: list[Ability] = []
    keywords = granted_keywords(r)
    if keywords is not None:
        found += keywords
        mark = r.mark()
        if not (r.eat("and") or r.eat(", and")) or r.peek() != '"':
            r.reset(mark)
            return [GrantAbility(tuple(found))]
    while r.peek() == '"':
        quoted = quotation(r)
        if quoted is None:
            return None
        found.append(quoted)
        mark = r.mark()
        if not r.eat("and") or r.peek() != '"':
            r.reset(mark)
            break
    return [GrantAbility(tuple(found))] if found else None


@reading
def quotation(r: Reader) -> Ability | None:
    """Read an ability in quotes: it speaks of the object that has it."""
    if not r.eat('"'):
        return None
    outer, outer_nouns = r.scope, r.quoted_nouns
    r.quoted_nouns = outer.nouns
    r.quoted += 1
    found = r.card.ability(r)
    r.quoted -= 1
    r.quoted_nouns = outer_nouns
    r.scope = outer
    return found if found is not None and r.eat('"') else None


@reading
def _loses(r: Reader) -> list[Modification] | None:
    if r.eat("all abilities"):
        return [LoseAbilities()]
    word = r.eat_any(*PLAIN_KEYWORDS)
    if word is None:
        return None
    more = [word]
    while True:
        mark = r.mark()
        following = r.eat_any(*PLAIN_KEYWORDS) if r.eat("and") else None
        if following is None:
            r.reset(mark)
            return [LoseAbilities(tuple(more))]
        more.append(following)


@reading
def _is(r: Reader, *, plural: bool) -> list[Modification] | None:
    """Read what something is or becomes: colours, types, a size ("a 3/3 Elemental creature")."""
    if r.eat("colorless"):
        return [ChangeColors()]
    article = not plural and r.eat_article()
    if not (plural or article or r.peek() in COLORS):
        return None
    size = fixed_size(r)
    colors: list[str] = []
    while r.peek() in COLORS:
        colors.append(r.take())
        if not (r.peek() == "and" and r.peek(1) in COLORS and r.eat("and")):
            break
    types, subtypes = _types(r, plural=plural)
    if not (types or subtypes or colors) or (size and not types):
        return None
    if not plural and article is not bool(types or subtypes):
        return None
    found: list[Modification] = []
    added = _in_addition(r, plural=plural)
    if not added:
        added = r.eat("that's still a land" if not plural else "that are still lands")
    if types or subtypes:
        found.append(ChangeTypes(types=types, subtypes=subtypes, in_addition=added))
    elif added:
        return None
    if colors:
        found.append(ChangeColors(tuple(colors)))
    if r.eat("with base power and toughness"):
        size = fixed_size(r)
        if size is None:
            return None
    if size:
        found.append(SetPowerToughness(Number(size[0]), Number(size[1])))
    mark = r.mark()
    with_keywords = granted_keywords(r) if r.eat("with") else None
    if with_keywords is None:
        r.reset(mark)
        return found
    found.append(GrantAbility(tuple(with_keywords)))
    if not added and _in_addition(r, plural=plural):
        return [_added(change) for change in found]
    return found


def _added(change: Modification) -> Modification:
    if isinstance(change, ChangeTypes):
        return msgspec.structs.replace(change, in_addition=True)
    return change


@reading
def _in_addition(r: Reader, *, plural: bool) -> bool:
    whose, types = ("their", "types") if plural else ("its", "types")
    for middle in ("other", "other creature", "other land"):
        if r.eat(f"in addition to {whose} {middle} {types}"):
            r.note(middle)
            return True
    return False


def _types(r: Reader, *, plural: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    types: list[str] = []
    subtypes: list[str] = []
    while True:
        word = r.peek()
        if word in subtype_of_word():
            subtypes.append(subtype_of_word()[word])
        elif plural and word in subtype_of_plural():
            subtypes.append(subtype_of_plural()[word])
        elif word in CARD_TYPES and not (plural and r.peek(1) not in TYPE_OF_PLURAL):
            types.append(word)
        elif plural and word in TYPE_OF_PLURAL:
            types.append(TYPE_OF_PLURAL[word])
        else:
            return tuple(types), tuple(subtypes)
        r.take()


@reading
def _rules(r: Reader, *, plural: bool) -> list[Modification] | None:
    """Read a change of the rules for objects (CR 613.11)."""
    if r.eat("can't"):
        return _cannot(r)
    its = "their controllers' untap steps" if plural else "its controller's untap step"
    does_not = "don't" if plural else "doesn't"
    if not plural and r.eat("doesn't untap during your untap step"):
        r.note("your")  # "its controller's" is the same step
        return [DoesNotUntap()]
    if r.eat(f"{does_not} untap during {its}"):
        return [DoesNotUntap()]
    s = "" if plural else "s"
    if r.eat(f"attack{s} each combat if able"):
        return [MustAttack()]
    if r.eat(f"block{s} each combat if able"):
        return [MustBlock()]
    if r.eat("must be blocked if able"):
        return [MustBeBlocked()]
    if r.eat("can block"):
        return _can_block(r)
    return None


@reading
def _cannot(r: Reader) -> list[Modification] | None:
    if r.eat("attack or block"):
        return [CannotAttack(), CannotBlock()]
    if r.eat("be blocked"):
        return [_not_blocked(r)]
    if r.eat("attack"):
        return [CannotAttack()]
    if r.eat("block"):
        return [CannotBlock(attackers=_creatures(r))]
    if r.eat("be countered"):
        return [CannotBeCountered()]
    if r.eat("be the target of"):
        if r.eat("spells or abilities your opponents control"):
            return [CannotBeTargeted(opponents_only=True)]
        if r.eat("spells or abilities"):
            return [CannotBeTargeted()]
    return None


@reading
def _creatures(r: Reader) -> Filter | None:
    """Read plural creatures: what can't be blocked, what can't block."""
    found = description(r)
    fits = (
        found is not None
        and found.counts_as(plural=True)
        and found.noun in {"creature", "creatures"}
    )
    if found is None or not (fits or found.what.subtypes):
        return None
    return found.what if found.counts_as(plural=True) else None


def _not_blocked(r: Reader) -> Modification:
    mark = r.mark()
    if r.eat("by more than one creature"):
        return BlockersAtMost(1)
    if r.eat("except by"):
        number = r.peek()
        if number in NUMBER_WORDS[2:] and r.take() and r.eat("or more creatures"):
            return BlockersAtLeast(NUMBER_WORDS.index(number))
        what = _creatures(r)
        if what is not None:
            return CannotBeBlocked(except_by=what)
    elif r.eat("by"):
        what = _creatures(r)
        if what is not None:
            return CannotBeBlocked(by=what)
    r.reset(mark)
    return CannotBeBlocked()


@reading
def _can_block(r: Reader) -> list[Modification] | None:
    if r.eat("an additional creature each combat"):
        return [CanBlockAdditional(1)]
    if r.eat("any number of creatures"):
        return [CanBlockAdditional(-1)]
    if r.eat("only creatures with flying"):
        return [CannotBlock(attackers=Filter(not_keywords=("flying",)))]
    if r.eat("an additional"):
        number = r.peek()
        if number in NUMBER_WORDS[2:] and r.take() and r.eat("creatures each combat"):
            return [CanBlockAdditional(NUMBER_WORDS.index(number))]
    return None


def with_x(node: Node, x: Amount) -> Node:
    """Return a record with another amount in place of X ("where X is …")."""
    if isinstance(node, VariableX):
        return x
    facts: dict[str, object] = {}
    for name in node.__struct_fields__:
        before = getattr(node, name)
        after = _with_x(before, x)
        if after is not before:
            facts[name] = after
    return msgspec.structs.replace(node, **facts) if facts else node


def _with_x(held: object, x: Amount) -> object:
    if isinstance(held, Node):
        return with_x(held, x)
    if isinstance(held, tuple) and any(isinstance(each, Node) for each in held):
        return tuple(_with_x(each, x) for each in held)
    return held


def where_x(r: Reader) -> Amount | None:
    """Read ", where X is its power" behind an effect that speaks of X."""
    mark = r.mark()
    found = value(r) if r.eat(", where x is") else None
    if found is None:
        r.reset(mark)
    return found
