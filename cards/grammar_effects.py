"""Effects: sentences of one or more clauses, in the order of the text (CR 608.2c).

A clause is an order ("draw a card") or has a subject ("target creature gets …"). Clauses joined
by "and" or ", then" may leave out a subject that stays the same.
"""

from __future__ import annotations

import msgspec

from ..events.ids import ZoneKind
from .grammar_amounts import duration
from .grammar_changes import changes, quotation, where_x, with_x
from .grammar_clauses import Clause, as_objects, clause, moment, word_needed
from .grammar_conditions import condition
from .grammar_hidden import countered_instead
from .grammar_phrases import objects, possessor, subject
from .grammar_reader import Reader, reading
from .lower import Scope, continued
from .model import (
    Body,
    ChangeTypes,
    ChooseCards,
    Continuously,
    CounterSpell,
    CreateTokens,
    Delayed,
    Destroy,
    EventObject,
    Every,
    Filter,
    If,
    Instruction,
    May,
    Mode,
    MoveObjects,
    MustBeBlocked,
    Number,
    Objects,
    RevealCards,
    SearchLibrary,
    SwitchPowerToughness,
    TargetSpec,
    This,
)

_MODES = {
    "choose one —": (1, 1),
    "choose two —": (2, 2),
    "choose one or both —": (1, 2),
    "choose one or more —": (1, 99),
    "choose up to one —": (0, 1),
    "choose three —": (3, 3),
    "choose any number —": (0, 99),
}


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
    if isinstance(before, CounterSpell) and before.instead is ZoneKind.GRAVEYARD:
        zone = countered_instead(r)
        if zone is not None:
            out[-1] = msgspec.structs.replace(before, instead=zone)
            return True
    if isinstance(before, ChooseCards):
        return _if_chosen(r, out, before)
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
def _if_chosen(r: Reader, out: list[Instruction], before: ChooseCards) -> bool:
    """Read "If you do, …" behind a card that may be chosen."""
    if not before.optional or before.then or not r.eat("if you do ,"):
        return False
    inner: list[Instruction] = []
    if not (_nested(r, inner, len(out) - 1) and _full_stop(r)):
        return False
    out[-1] = msgspec.structs.replace(before, then=tuple(inner))
    return True


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
    understood = (
        _lured(r, out)
        or _switched(r, out)
        or _delayed_first(r, out)
        or _if_first(r, out)
        or _until_first(r, out)
        or _clauses(r, out)
    )
    if understood and _x_replaced(r, out, kept) and _full_stop(r):
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
def _switched(r: Reader, out: list[Instruction]) -> bool:
    """Read "Switch target creature's power and toughness until end of turn." (CR 613.4d)."""
    if not r.eat("switch"):
        return False
    what: Objects | None
    if r.eat("target creature's"):
        spec = TargetSpec(what=Filter(types=("creature",)))
        what = r.scope.new_target(spec, frozenset({"creature"}))
    else:
        what = possessor(r)
    lasts = duration(r) if what is not None and r.eat("power and toughness") else None
    if what is None or lasts is None:
        return False
    _emit(r, out, (Continuously(what, (SwitchPowerToughness(),), lasts),))
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
    _emit(r, out, (Continuously(as_objects(about.what), found, lasts),))
    return True


@reading
def _delayed_first(r: Reader, out: list[Instruction]) -> bool:
    when = moment(r)
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


def _comma(r: Reader, before: Clause) -> str | None:
    """Read the comma of a list of what is done with cards that are found or chosen."""
    is_list = isinstance(before.instructions[-1], _LISTED)
    return "," if is_list and r.eat(",") else None


_LISTED = (SearchLibrary, RevealCards, MoveObjects)


@reading
def _clauses(r: Reader, out: list[Instruction]) -> bool:
    """Read clauses joined by "and" and ", then"."""
    kept = len(out)
    first = clause(r, None)
    if first is None or not word_needed(r, first):
        return False
    _emit(r, out, first.instructions)
    before = first
    while True:
        mark = r.mark()
        joint = r.eat_any(", then", ", and", "and") or _comma(r, before)
        if joint is None:
            return True
        if joint != "and":
            r.note(joint)
        more = clause(r, before)
        if more is None:
            r.reset(mark)
            return len(out) > kept
        _emit(r, out, more.instructions)
        before = more
