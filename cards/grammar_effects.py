"""Effects: sentences of one or more clauses, in the order of the text (CR 608.2c).

A clause is an order ("draw a card") or has a subject ("target creature gets …"). Clauses joined
by "and" or ", then" may leave out a subject that stays the same.
"""

from __future__ import annotations

import msgspec

from ..events.ids import Step
from .grammar_actions import Form, action
from .grammar_changes import changes, quotation, where_x, with_x
from .grammar_conditions import condition
from .grammar_costs import cost, mana
from .grammar_phrases import (
    Subject,
    amount,
    duration,
    equal_to,
    for_each,
    objects,
    player,
    recipient,
    subject,
)
from .grammar_reader import Reader, reading
from .lower import Scope, continued
from .model import (
    Body,
    ChangeTypes,
    Continuously,
    Cost,
    CreateTokens,
    DealDamage,
    Delayed,
    Destroy,
    DoesNotUntap,
    EachPlayer,
    EventObject,
    Every,
    Fight,
    GainLife,
    GrantAbility,
    If,
    Instruction,
    LoseAbilities,
    LoseGame,
    LoseLife,
    May,
    Mode,
    MustBeBlocked,
    Number,
    Objects,
    Players,
    Recipient,
    StepBegins,
    This,
    Trigger,
    WinGame,
    You,
)

_ORDER = Subject(what=You(), plural=True, player=True)
_MODES = {
    "choose one —": (1, 1),
    "choose two —": (2, 2),
    "choose one or both —": (1, 2),
    "choose one or more —": (1, 99),
}


class Clause(msgspec.Struct, frozen=True):
    """Instructions of one clause, and the subject that the next clause may leave out."""

    instructions: tuple[Instruction, ...]
    by: Subject | None
    order: bool


def body_ended(r: Reader) -> bool:
    """Whether an effect's text ends here: the line, the quotation, the option, or a limit."""
    word = r.peek()
    return word in {"", "•"} or (word == '"' and r.quoted > 0) or word == "activate"


@reading
def body(r: Reader) -> Body | None:
    """Read the effect of an ability: sentences, or the options of a modal one."""
    for phrase, (least, most) in _MODES.items():
        if r.eat(phrase):
            return _modal(r, least, most)
    found: list[Instruction] = []
    if not sentences(r, found):
        return None
    return Body(targets=tuple(r.scope.targets), instructions=tuple(found))


@reading
def _modal(r: Reader, least: int, most: int) -> Body | None:
    modes: list[Mode] = []
    outer = r.scope
    while r.eat("•"):
        r.scope = Scope(outer.it, outer.that_player, outer.that_nouns)
        found: list[Instruction] = []
        fine = sentences(r, found)
        modes.append(Mode(targets=tuple(r.scope.targets), instructions=tuple(found)))
        if not fine:
            break
    else:
        r.scope = outer
        if len(modes) < 2:
            return None
        return Body(modes=tuple(modes), modes_minimum=least, modes_maximum=min(most, len(modes)))
    r.scope = outer
    return None


def sentences(r: Reader, out: list[Instruction]) -> bool:
    """Read sentences to the end of the effect, adding their instructions."""
    while not body_ended(r):
        if not (_linked(r, out) or _sentence(r, out)):
            return False
    return bool(out)


def _full_stop(r: Reader) -> bool:
    """Read the end of a sentence; a quotation brings its own full stop."""
    if r.eat("."):
        return True
    return r.at >= 2 and r.words[r.at - 2 : r.at] == (".", '"')


@reading
def _linked(r: Reader, out: list[Instruction]) -> bool:
    """Read a sentence that belongs to the one before it ("If you do, …")."""
    before = out[-1] if out else None
    if isinstance(before, Destroy) and not before.no_regeneration:
        several = isinstance(before.what, Every) or before.what == r.scope.them
        if r.eat(f"{'they' if several else 'it'} can't be regenerated ."):
            out[-1] = msgspec.structs.replace(before, no_regeneration=True)
            return True
    if isinstance(before, CreateTokens) and _tokens_have(r, out, before):
        return True
    if isinstance(before, Continuously) and _still_lands(r, out, before):
        return True
    if not isinstance(before, May):
        return False
    if r.eat("if you do ,") and not before.then and before.otherwise == ():
        inner: list[Instruction] = []
        if _nested(r, inner, len(out) - 1) and _full_stop(r):
            out[-1] = msgspec.structs.replace(before, then=tuple(inner))
            return True
    if r.eat("if you don't ,") and not before.otherwise:
        inner = []
        if _nested(r, inner, len(out) - 1) and _full_stop(r):
            out[-1] = msgspec.structs.replace(before, otherwise=tuple(inner))
            return True
    if r.eat("when you do ,") and before.when_done is None:
        return _reflexive(r, out, before)
    return False


@reading
def _still_lands(r: Reader, out: list[Instruction], before: Continuously) -> bool:
    """Read "It's still a land." behind what made it a creature too (CR 205.1b)."""
    if not (r.eat("it's still a land .") or r.eat("they're still lands .")):
        return False
    changed = tuple(
        msgspec.structs.replace(each, in_addition=True) if isinstance(each, ChangeTypes) else each
        for each in before.modifications
    )
    out[-1] = msgspec.structs.replace(before, modifications=changed)
    return changed != before.modifications


@reading
def _tokens_have(r: Reader, out: list[Instruction], before: CreateTokens) -> bool:
    """Read "It has …" behind the token that was created."""
    one = before.amount == Number(1)
    if not r.eat("it has" if one else "they have"):
        return False
    r.scope.nouns = frozenset({before.token.types[-1], "token"})
    quoted = quotation(r)
    if quoted is None or not _full_stop(r):
        return False
    token = msgspec.structs.replace(before.token, abilities=(*before.token.abilities, quoted))
    out[-1] = msgspec.structs.replace(before, token=token)
    return True


@reading
def _reflexive(r: Reader, out: list[Instruction], before: May) -> bool:
    outer = r.scope
    inside = outer.it if isinstance(outer.it, (This, EventObject)) else None
    r.scope = Scope(inside, nouns=outer.that_nouns)
    inner: list[Instruction] = []
    fine = _clauses(r, inner) and _full_stop(r)
    done = Body(targets=tuple(r.scope.targets), instructions=tuple(inner))
    r.scope = outer
    if fine:
        out[-1] = msgspec.structs.replace(before, when_done=done)
    return fine


def _sentence(r: Reader, out: list[Instruction]) -> bool:
    mark = r.mark()
    kept = len(out)
    if r.eat("then"):
        r.note("then")
    if (
        _lured(r, out)
        or _delayed_first(r, out)
        or _if_first(r, out)
        or _until_first(r, out)
        or _clauses(r, out)
    ):
        if _x_replaced(r, out, kept) and _full_stop(r):
            return True
    del out[kept:]
    r.scope.at = kept
    r.reset(mark)
    return False


def _x_replaced(r: Reader, out: list[Instruction], start: int) -> bool:
    """Read ", where X is …" if it stands here; False if nothing spoke of X."""
    its = r.scope.its
    if isinstance(out[-1], CreateTokens):
        r.scope.its = r.scope.its_before  # "create X tokens, where X is its power"
    x = where_x(r)
    r.scope.its = its
    if x is None:
        return True
    changed = [with_x(instruction, x) for instruction in out[start:]]
    if changed == out[start:]:
        return False
    out[start:] = changed  # type: ignore[assignment]  # only amounts inside have changed
    return True


@reading
def _lured(r: Reader, out: list[Instruction]) -> bool:
    """Read "All creatures able to block target creature this turn do so." (CR 509.1c)."""
    found = objects(r) if r.eat("all creatures able to block") else None
    if found is None or not r.eat("this turn do so"):
        return False
    _emit(r, out, (Continuously(found[0], (MustBeBlocked(by_all=True),), "this-turn"),))
    return True


@reading
def _if_first(r: Reader, out: list[Instruction]) -> bool:
    """Read "If you control a Dragon, …"."""
    test = condition(r) if r.eat("if") else None
    if test is None or not r.eat(","):
        return False
    inner: list[Instruction] = []
    if not _nested(r, inner, len(out)):
        return False
    out.append(If(test, tuple(inner)))
    r.scope.at = len(out)
    return True


@reading
def _until_first(r: Reader, out: list[Instruction]) -> bool:
    """Read "Until end of turn, target creature gains …"."""
    lasts = duration(r)
    if lasts is None or not r.eat(","):
        return False
    about = subject(r)
    if about is None or about.player:
        return False
    found = changes(r, plural=about.plural, static=False)
    if found is None:
        return False
    _emit(r, out, (Continuously(_objects(about.what), found, lasts),))
    return True


_MOMENTS: tuple[tuple[str, Trigger], ...] = (
    ("at the beginning of the next end step", StepBegins(Step.END, EachPlayer())),
    ("at the beginning of your next upkeep", StepBegins(Step.UPKEEP, You())),
    ("at the beginning of the next turn's upkeep", StepBegins(Step.UPKEEP, EachPlayer())),
    ("at end of combat", StepBegins(Step.END_COMBAT, EachPlayer())),
)


def _moment(r: Reader) -> Trigger | None:
    for phrase, when in _MOMENTS:
        if r.eat(phrase):
            return when
    return None


@reading
def _delayed_first(r: Reader, out: list[Instruction]) -> bool:
    when = _moment(r)
    if when is None or not r.eat(","):
        return False
    targets = len(r.scope.targets)
    inner: list[Instruction] = []
    if not _nested(r, inner, len(out)) or len(r.scope.targets) != targets:
        return False
    out.append(Delayed(when, Body(instructions=tuple(inner))))
    r.scope.at = len(out)
    return True


def _emit(r: Reader, out: list[Instruction], found: tuple[Instruction, ...]) -> None:
    """Add instructions, joining what continues the effect before."""
    for instruction in found:
        merged = continued(instruction, out[-1]) if out else None
        if merged is not None:
            out[-1] = merged
        else:
            r.scope.gave(instruction)
            out.append(instruction)
        if r.scope.holder is None:
            r.scope.at = len(out)


def _nested(r: Reader, inner: list[Instruction], holder: int) -> bool:
    """Read clauses that the holder-th instruction of the body holds."""
    outer = r.scope.holder
    r.scope.holder = holder if outer is None else outer
    fine = _clauses(r, inner)
    r.scope.holder = outer
    return fine


@reading
def _clauses(r: Reader, out: list[Instruction]) -> bool:
    """Read clauses joined by "and" and ", then"."""
    kept = len(out)
    first = _clause(r, None)
    if first is None or not _word_needed(r, first):
        return False
    _emit(r, out, first.instructions)
    before = first
    while True:
        mark = r.mark()
        joint = r.eat_any(", then", ", and", "and")
        if joint is None:
            return True
        if joint != "and":
            r.note(joint)
        more = _clause(r, before)
        if more is None:
            r.reset(mark)
            return len(out) > kept
        _emit(r, out, more.instructions)
        before = more


def _word_needed(r: Reader, first: Clause) -> bool:
    """Whether "you" must stand in front: orders are given without it, unless a list follows."""
    if first.order or first.by is None or first.by.what != You():
        return True
    only = first.instructions[0]
    while isinstance(only, If):
        only = only.then[0]
    return isinstance(only, _NAMED) or r.peek() in {"and", ","}


_NAMED = (GainLife, LoseLife, WinGame, LoseGame, May)
"""What is never an order: "you gain 3 life"."""


@reading
def _clause(r: Reader, before: Clause | None) -> Clause | None:
    """Read one clause, with the subject of the one before if it has none of its own."""
    if before is None or before.order:
        found = _done(r, You(), "order")
        if found is not None:
            return Clause((found,), _ORDER, order=True)
    elif before.by is not None:
        again = _predicate(r, before.by)
        if again is not None:
            return Clause(again, before.by, order=False)
    if r.eat("you may"):
        return _may(r, You(), "plural")
    said_you = r.peek() == "you"
    about = subject(r)
    if about is None:
        return None
    if said_you:
        r.note("you")  # "draw two cards and (you) lose 2 life" is written both ways
    if about.player and r.eat("may"):
        return _may(r, _players(about.what), "plural")
    found_list = _predicate(r, about)
    return Clause(found_list, about, order=False) if found_list is not None else None


@reading
def _done(r: Reader, who: Players, form: Form) -> Instruction | None:
    """Read an action with what limits it: "unless you pay {2}", "at end of combat"."""
    found = action(r, who, form)
    if found is None or r.peek_raw()[:1].isupper():  # after a quotation a new sentence begins
        return found
    when = _moment(r)
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
    return May(player=_players(who.what), cost=paid, otherwise=(found,))


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
        who = _players(about.what)
        found = _done(r, who, "plural" if about.plural else "singular")
        return (found,) if found is not None else None
    return _object_predicate(r, about, bare=False)


@reading
def _object_predicate(r: Reader, about: Subject, *, bare: bool) -> tuple[Instruction, ...] | None:
    what = _objects(about.what)
    verb_plural = about.plural or bare
    if r.eat("deal" if verb_plural else "deals"):
        return damage(r, what)
    if r.eat("fight" if verb_plural else "fights"):
        other = recipient(r)
        return (Fight(what, _objects(other)),) if other is not None else None
    if r.eat("don't untap during" if about.plural else "doesn't untap during"):
        return _stays_tapped(r, what, plural=about.plural)
    if r.eat("must be blocked this turn if able"):
        return (Continuously(what, (MustBeBlocked(),), "this-turn"),)
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
        if not r.eat("and") or _damage_part(r, source) is None:
            r.reset(mark)
            return tuple(found)
        r.reset(mark)
        r.eat("and")


@reading
def _damage_part(r: Reader, source: Objects) -> Instruction | None:
    if r.eat("damage"):
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
    if number is None or to is None:
        return None
    return DealDamage(amount=number, to=to, source=source)


def _players(what: Recipient) -> Players:
    """Return a recipient that was read as players."""
    return what  # type: ignore[return-value]  # the grammar read players


def _objects(what: Recipient) -> Objects:
    """Return a recipient that was read as objects."""
    return what  # type: ignore[return-value]  # the grammar read objects
