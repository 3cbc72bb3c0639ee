"""Clauses: one thing that somebody does, or that happens to an object, with its subject."""

from __future__ import annotations

import msgspec

from ..events.ids import Step
from .grammar_actions import Form, action
from .grammar_amounts import amount, duration, equal_to, for_each
from .grammar_changes import changes
from .grammar_conditions import condition
from .grammar_costs import cost, mana
from .grammar_hidden import hidden_choice, put_by_each
from .grammar_phrases import Subject, player, recipient, subject
from .grammar_reader import Reader, reading
from .model import (
    Body,
    CanBlockAdditional,
    ChooseCards,
    Continuously,
    Cost,
    DealDamage,
    Delayed,
    DoesNotUntap,
    EachPlayer,
    Fight,
    GainLife,
    GrantAbility,
    If,
    Instruction,
    LoseAbilities,
    LoseGame,
    LoseLife,
    May,
    MustAttack,
    MustBeBlocked,
    MustBlock,
    Number,
    Objects,
    Players,
    Recipient,
    StepBegins,
    This,
    Trigger,
    VariableX,
    WinGame,
    You,
)

_ORDER = Subject(what=You(), plural=True, player=True)


class Clause(msgspec.Struct, frozen=True):
    """Instructions of one clause, and the subject that the next clause may leave out."""

    instructions: tuple[Instruction, ...]
    by: Subject | None
    order: bool


_MOMENTS: tuple[tuple[str, Trigger], ...] = (
    ("at the beginning of the next end step", StepBegins(Step.END, EachPlayer())),
    ("at the beginning of your next end step", StepBegins(Step.END, You())),
    ("at the beginning of your next upkeep", StepBegins(Step.UPKEEP, You())),
    ("at the beginning of the next turn's upkeep", StepBegins(Step.UPKEEP, EachPlayer())),
    ("at end of combat", StepBegins(Step.END_COMBAT, EachPlayer())),
)


def moment(r: Reader) -> Trigger | None:
    """Read when a delayed ability will trigger ("at the beginning of the next end step")."""
    for phrase, when in _MOMENTS:
        if r.eat(phrase):
            return when
    return None


def word_needed(r: Reader, first: Clause) -> bool:
    """Whether "you" must stand in front: orders are given without it, unless a list follows."""
    if first.order or first.by is None or first.by.what != You():
        return True
    only = first.instructions[0]
    while isinstance(only, If):
        only = only.then[0]
    return isinstance(only, _NAMED) or r.peek() in {"and", ","}


_NAMED = (GainLife, LoseLife, WinGame, LoseGame, May, ChooseCards)
"""What is never an order: "you gain 3 life"."""


@reading
def clause(r: Reader, before: Clause | None) -> Clause | None:
    """Read one clause, with the subject of the one before if it has none of its own."""
    if before is None or before.order:
        found = _done(r, You(), "order")
        if found is not None:
            return Clause((found,), _ORDER, order=True)
    elif before.by is not None:
        more = _predicate(r, before.by)
        if more is not None:
            return Clause(more, before.by, order=False)
    seen = hidden_choice(r)
    if seen is not None:
        return Clause((seen,), None, order=False)
    if r.eat("you may"):
        return _may(r, You(), "plural")
    said_you = r.peek() == "you"
    about = subject(r)
    if about is None:
        return None
    if about.player and r.eat("may"):
        put = put_by_each(r, as_players(about.what)) if isinstance(about.what, EachPlayer) else None
        if put is not None:
            return Clause((put,), None, order=False)
        return _may(r, as_players(about.what), "plural")
    found_list = _predicate(r, about)
    if found_list is None:
        return None
    again = before is not None and before.by == about and not before.order
    if again and not said_you:
        r.note("again")  # the subject need not be said twice
    if said_you and (again or not isinstance(found_list[0], _NAMED)):
        r.note("you")  # "draw two cards and (you) lose 2 life" is written both ways
    return Clause(found_list, about, order=False)


@reading
def _done(r: Reader, who: Players, form: Form) -> Instruction | None:
    """Read an action with what limits it: "unless you pay {2}", "at end of combat"."""
    found = action(r, who, form)
    if found is None or r.peek_raw()[:1].isupper():  # after a quotation a new sentence begins
        return found
    when = moment(r)
    if when is not None:
        return Delayed(when, Body(instructions=(found,)))
    if r.eat("unless"):
        return _unless(r, found)
    mark = r.mark()
    test = condition(r) if r.eat("if") else None
    if test is not None:
        return If(test, (found,))
    r.reset(mark)
    return found


@reading
def _unless(r: Reader, found: Instruction) -> Instruction | None:
    who = player(r)
    if who is None:
        return None
    paid = payment(r, plural=who.plural)
    if paid is None:
        return None
    return May(player=as_players(who.what), cost=paid, otherwise=(found,))


@reading
def payment(r: Reader, *, plural: bool) -> Cost | None:
    """Read what a player pays: "pay {2}", "pays 2 life", "sacrifice a creature"."""
    if r.eat("pay" if plural else "pays"):
        symbols = mana(r)
        if symbols is not None:
            return Cost(mana=symbols)
        if r.peek().isdigit() and r.peek(1) == "life":
            life = int(r.take())
            r.take()
            return Cost(life=life)
        return None
    # Mana and life are paid; anything else is done ("unless you sacrifice a creature").
    return cost(r) if plural and r.peek().isalpha() else None


@reading
def _may(r: Reader, who: Players, form: Form) -> Clause | None:
    mark = r.mark()
    if r.peek() == "pay":
        paid = payment(r, plural=True)
        if paid is not None:
            return Clause((May(player=who, cost=paid),), None, order=False)
        r.reset(mark)
    if r.eat("have"):
        return _have(r, who)
    inner: list[Instruction] = []
    while True:
        found = action(r, who, form)
        if found is None:
            return None
        r.scope.gave(found)
        inner.append(found)
        before = r.mark()
        joint = r.eat_any(", then", "and")
        after = r.mark()
        if joint is None or action(r, who, form) is None:
            r.reset(before)
            return Clause((May(player=who, do=tuple(inner)),), None, order=False)
        r.reset(after)
        if joint != "and":
            r.note(joint)


@reading
def _have(r: Reader, who: Players) -> Clause | None:
    """Read "you may have ~ deal 1 damage to any target", "… have target player lose 2 life"."""
    about = subject(r)
    if about is None:
        return None
    if about.player:
        found = _predicate(r, Subject(what=about.what, plural=True, player=True))
    else:
        found = _object_predicate(r, about, bare=True)
    if found is None:
        return None
    return Clause((May(player=who, do=found),), None, order=False)


@reading
def _predicate(r: Reader, about: Subject) -> tuple[Instruction, ...] | None:
    """Read what a subject does or what happens to it."""
    if about.player:
        who = as_players(about.what)
        found = _done(r, who, "plural" if about.plural else "singular")
        return (found,) if found is not None else None
    return _object_predicate(r, about, bare=False)


@reading
def _object_predicate(r: Reader, about: Subject, *, bare: bool) -> tuple[Instruction, ...] | None:
    what = as_objects(about.what)
    verb_plural = about.plural or bare
    if r.eat("deal" if verb_plural else "deals"):
        return damage(r, what)
    if r.eat("fight" if verb_plural else "fights"):
        other = recipient(r)
        return (Fight(what, as_objects(other)),) if other is not None else None
    if r.eat("don't untap during" if about.plural else "doesn't untap during"):
        return _stays_tapped(r, what, plural=about.plural)
    s = "" if verb_plural else "s"
    for phrase, change in (
        ("must be blocked this turn if able", MustBeBlocked()),
        (f"attack{s} this turn if able", MustAttack()),
        (f"block{s} this turn if able", MustBlock()),
        ("can block an additional creature this turn", CanBlockAdditional(1)),
    ):
        if r.eat(phrase):
            return (Continuously(what, (change,), "this-turn"),)
    found_changes = changes(r, plural=about.plural, static=False, bare=bare)
    if found_changes is None:
        return None
    lasts = duration(r)
    if lasts is None:
        if not all(isinstance(each, _LASTING) for each in found_changes):
            return None
        lasts = "for-ever"
    return (Continuously(what, found_changes, lasts),)


_LASTING = (GrantAbility, LoseAbilities)


@reading
def _stays_tapped(r: Reader, what: Objects, *, plural: bool) -> tuple[Instruction, ...] | None:
    own = "their controllers' next untap steps" if plural else "its controller's next untap step"
    theirs = r.scope.that_player is not None and r.eat("that player's next untap step")
    if theirs or r.eat(own) or (plural and r.eat("their controller's next untap step")):
        return (Continuously(what, (DoesNotUntap(),), "next-untap-step"),)
    return None


@reading
def damage(r: Reader, source: Objects) -> tuple[Instruction, ...] | None:
    """Read "3 damage to any target and 1 damage to each …", "damage equal to its power to …"."""
    found: list[Instruction] = []
    while True:
        part = _damage_part(r, source)
        if part is None:
            return None
        found.append(part)
        mark = r.mark()
        also = recipient(r) if r.eat("and each") and r.step_back() else None
        if also is not None and isinstance(part.amount, (Number, VariableX)):
            found.append(DealDamage(amount=part.amount, to=also, source=source))
            mark = r.mark()
        else:
            r.reset(mark)
        if not r.eat("and") or _damage_part(r, source) is None:
            r.reset(mark)
            return tuple(found)
        r.reset(mark)
        r.eat("and")


@reading
def _damage_part(r: Reader, source: Objects) -> DealDamage | None:
    if r.eat("damage"):
        if not isinstance(source, This) and r.eat("to itself"):
            number = equal_to(r)
            return DealDamage(number, source, source) if number is not None else None
        number = equal_to(r)
        if number is not None:
            to = recipient(r) if r.eat("to") else None
        else:
            to = recipient(r) if r.eat("to") else None
            number = equal_to(r) if to is not None else None
    else:
        number = amount(r)
        if number is None or not r.eat("damage to"):
            return None
        to = recipient(r)
        if isinstance(number, Number) and to is not None:
            number = for_each(r, number.value) or number
    if number is None or to is None or (to == source and not isinstance(source, This)):
        return None
    return DealDamage(amount=number, to=to, source=source)


def as_players(what: Recipient) -> Players:
    """Return a recipient that was read as players."""
    return what  # type: ignore[return-value]  # the grammar read players


def as_objects(what: Recipient) -> Objects:
    """Return a recipient that was read as objects."""
    return what  # type: ignore[return-value]  # the grammar read objects
