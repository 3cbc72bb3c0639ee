"""What is printed on a card, as card files give it: the compiler's input."""

import msgspec


class CardText(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card's printed values as text (CR 200.1), in the field names of Scryfall's bulk files.

    `mana_cost` is written in symbols ("{2}{R}"), `oracle_text` has one ability a line.
    `color_indicator` holds the letters of CR 107.4a. A card of several faces (split, transform,
    flip, …) has them in `faces`, in the order printed.
    """

    name: str
    mana_cost: str = ""
    type_line: str = ""
    oracle_text: str = ""
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    color_indicator: tuple[str, ...] = ()
    layout: str = "normal"
    set: str = ""
    released_at: str = ""
    keywords: tuple[str, ...] = ()
    faces: tuple["CardText", ...] = ()
