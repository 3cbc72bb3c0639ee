"""Commands about cards: which are supported, and how the compiler reads one."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from enum import IntEnum
from pathlib import Path

import click
import msgspec

from ..cards.card_files import read_card_file, texts_by_name
from ..cards.card_text import CardText
from ..cards.compiler import Unsupported, compile_card
from ..cards.model import CardDefinition
from ..cards.names import folded_name
from ..cards.pool import CardPool, UnknownCard
from ..rules.supported import unsupported_in
from .options import with_cards, with_json
from .output import Output

PHRASES_SHOWN = 20
NAMES_SHOWN = 3


@click.group()
def cards() -> None:
    """Say what cards are supported, and how a card is read."""


@cards.command(short_help="Count what card files hold that is supported, and what is not.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@with_json
def report(files: tuple[str, ...], as_json: bool) -> int:
    """Say for each card of the files whether it is supported, and which phrase failed."""
    output = Output(as_json=as_json)
    texts = [text for file in files for text in read_card_file(file)]
    failed: Counter[str] = Counter()
    supported = 0
    known = texts_by_name(texts)
    for text in known.values():
        compiled = compile_card(text)
        if isinstance(compiled, Unsupported):
            phrase: str | None = compiled.phrase
        else:
            phrase = unsupported_in(compiled)
        output.record(name=text.name, supported=phrase is None, failed=phrase)
        if phrase is None:
            supported += 1
        else:
            failed[phrase] += 1
    rows = [(str(count), phrase) for phrase, count in failed.most_common(PHRASES_SHOWN)]
    output.say(f"{supported} of {len(known)} cards are supported.")
    if rows:
        output.say("The most frequent phrases that are not understood:")
        output.table(("cards", "phrase"), rows, right=("cards",))
    return 0


@cards.command(short_help="Show a card's text and how it is read.")
@click.argument("name", metavar="NAME")
@with_cards
@with_json
def show(name: str, cards: tuple[Path, ...], as_json: bool) -> int:
    """Show a card's text, its ability model, and the model rendered back to English."""
    output = Output(as_json=as_json)
    pool = CardPool.load(cards)
    try:
        text = pool.text(name)
    except UnknownCard as error:
        raise click.UsageError(f"{error}{_names_like(name, pool)}") from None
    compiled = pool.compiled(name)
    if isinstance(compiled, Unsupported):
        output.record(
            name=text.name,
            text=_printed(text),
            supported=False,
            failed=compiled.phrase,
            model=None,
            english=None,
        )
        output.say(_printed(text))
        output.say(f"Not supported: {compiled.phrase!r} is not understood.", style="red")
        return 0
    english = _english(compiled)
    output.record(
        name=text.name,
        text=_printed(text),
        supported=True,
        failed=None,
        model=msgspec.to_builtins(compiled),
        english=english,
    )
    output.say(_printed(text))
    output.say("")
    for ability in compiled.abilities:
        output.say(f"  {in_short(ability)}", style="dim")
    output.say("")
    for line in english:
        output.say(f"  {line}")
    return 0


def _names_like(name: str, pool: CardPool) -> str:
    """Return a question after what was meant: names with that word, or spelt much like it."""
    folded = folded_name(name)
    by_folded = {folded_name(text.name): text.name for text in pool}
    like = [one for one in by_folded if f" {folded} " in f" {one} "][:NAMES_SHOWN]
    like = like or get_close_matches(folded, by_folded, NAMES_SHOWN)
    return f" Did you mean {', '.join(by_folded[one] for one in like)}?" if like else ""


def _printed(text: CardText) -> str:
    """Return what is printed on a card, one thing a line."""
    if text.faces:
        return "\n//\n".join(_printed(face) for face in text.faces)
    lines = [f"{text.name} {text.mana_cost}".rstrip(), text.type_line]
    if text.oracle_text:
        lines.append(text.oracle_text)
    if text.power is not None or text.toughness is not None:
        lines.append(f"{text.power}/{text.toughness}")
    if text.loyalty is not None:
        lines.append(f"Loyalty: {text.loyalty}")
    return "\n".join(lines)


def _english(definition: CardDefinition) -> list[str]:
    """Return the model's abilities as English, one a line."""
    from ..cards.render import render
    from ..cards.render_phrases import Unrenderable

    try:
        return render(definition).splitlines()
    except Unrenderable as error:
        return [f"(no sentence says this yet: {error})"]


def in_short(node: object) -> str:
    """Return a record of the model without the fields that are as usual.

    >>> from ..cards.model import Number
    >>> in_short((Number(3),))
    '(Number(3))'
    """
    match node:
        case msgspec.Struct():
            kind = type(node)
            fields = msgspec.structs.fields(kind)
            told = [
                (field.name, getattr(node, field.name))
                for field in fields
                if field.required or getattr(node, field.name) != field.default
            ]
            if len(fields) == 1:
                return f"{kind.__name__}({', '.join(in_short(value) for _, value in told)})"
            shown = ", ".join(f"{name}={in_short(value)}" for name, value in told)
            return f"{kind.__name__}({shown})"
        case tuple():
            return f"({', '.join(in_short(item) for item in node)})"
        case IntEnum():
            return node.name.lower()
        case _:
            return str(node)
