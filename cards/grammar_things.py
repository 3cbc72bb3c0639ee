"""What players make: mana and tokens (CR 106.4, 111)."""

from __future__ import annotations

from .grammar_amounts import equal_to, for_each, how_many
from .grammar_changes import fixed_size, quotation
from .grammar_costs import mana
from .grammar_keywords import granted_keywords
from .grammar_reader import Reader, reading
from .mana import COLORS
from .model import (
    Ability,
    AddMana,
    CreateTokens,
    Instruction,
    Number,
    Players,
    TokenTemplate,
)
from .predefined_tokens import PREDEFINED_TOKENS
from .vocabulary import CARD_TYPES, SUPERTYPES, TYPE_OF_PLURAL, subtype_of_word


@reading
def added_mana(r: Reader, who: Players) -> Instruction | None:
    """Read what is added behind "add": symbols, or mana of any colour (CR 106.4)."""
    if r.eat("one mana of any color"):
        return AddMana(("{W}", "{U}", "{B}", "{R}", "{G}"), player=who)
    number = how_many(r) if r.peek() != "a" else None
    if number is not None:
        if r.eat("mana of any one color"):
            every = ("{W}", "{U}", "{B}", "{R}", "{G}")
            return AddMana(every, player=who, amount=number[0])
        return None
    options: list[str] = []
    joint: str | None = ""
    while True:
        symbols = mana(r)
        if symbols is None:
            return None
        options.append(symbols)
        before, joint = joint, r.eat_any(", or", "or", ",")
        if joint is None:
            break
    if before == "," or (len(options) > 2) is not (before == ", or"):
        return None
    if len(options) == 1:
        counted = for_each(r, 1)
        if counted is not None:
            return AddMana(tuple(options), player=who, amount=counted)
    return AddMana(tuple(options), player=who)


@reading
def created_tokens(r: Reader, who: Players) -> Instruction | None:
    """Read what is created behind "create" (CR 111)."""
    counted = r.eat("a number of")
    number = (Number(0), True) if counted else how_many(r)
    if number is None:
        return None
    tapped = r.eat("tapped")
    token = _predefined(r, plural=number[1]) or token_template(r, plural=number[1])
    count = equal_to(r) if counted else number[0]
    if token is None or count is None:
        return None
    if count == Number(1):
        count = for_each(r, 1) or count
    return CreateTokens(amount=count, token=token, player=who, tapped=tapped)


@reading
def _predefined(r: Reader, *, plural: bool) -> TokenTemplate | None:
    """Read "Treasure token" (CR 111.10)."""
    found = PREDEFINED_TOKENS.get(r.peek_raw())
    if found is None:
        return None
    r.take()
    return found if r.eat("tokens" if plural else "token") else None


@reading
def token_template(r: Reader, *, plural: bool) -> TokenTemplate | None:
    """Read "1/1 green Saproling creature token with flying" (CR 111.4)."""
    supertypes: list[str] = []
    while r.peek() in SUPERTYPES:
        supertypes.append(r.take())
    size = fixed_size(r)
    colors: list[str] = []
    if not r.eat("colorless"):
        while r.peek() in COLORS:
            colors.append(r.take())
            if not (r.peek() == "and" and r.peek(1) in COLORS and r.eat("and")):
                break
        if not colors:
            return None
    types: list[str] = []
    subtypes: list[str] = []
    while r.peek() not in {"token", "tokens"}:
        word = r.peek()
        if word in subtype_of_word():
            subtypes.append(subtype_of_word()[word])
        elif word in CARD_TYPES and word not in TYPE_OF_PLURAL:
            types.append(word)
        else:
            return None
        r.take()
    if not r.eat("tokens" if plural else "token") or not types:
        return None
    if ("creature" in types) is not (size is not None):
        return None
    name = _token_name(r)
    r.scope.nouns = frozenset({types[-1], "token"})
    abilities = _token_abilities(r)
    return TokenTemplate(
        power=size[0] if size else None,
        toughness=size[1] if size else None,
        colors=tuple(colors),
        types=tuple(types),
        subtypes=tuple(subtypes),
        supertypes=tuple(supertypes),
        name=name,
        abilities=abilities,
    )


_NAME_WORDS = frozenset({"of", "the", "and", "to", "in", "'", ","})


def _token_name(r: Reader) -> str:
    """Read "named Kobolds of …" (CR 111.4): words with capitals and the small ones between."""
    words: list[str] = []
    if r.eat("named"):
        while r.peek_raw()[:1].isupper() or r.peek() in _NAME_WORDS or r.peek() == "~":
            raw = r.peek_raw()
            r.take()
            words.append(r.card.name if raw == "~" else raw)
    return " ".join(words)


def _token_abilities(r: Reader) -> tuple[Ability, ...]:
    mark = r.mark()
    if not r.eat("with"):
        return ()
    found: list[Ability] = []
    keywords = granted_keywords(r)
    if keywords is not None:
        found += keywords
        before = r.mark()
        if not r.eat("and") or r.peek() != '"':
            r.reset(before)
            return tuple(found)
    if r.peek() == '"':
        quoted = quotation(r)
        if quoted is not None:
            return (*found, quoted)
    r.reset(mark)
    return ()
