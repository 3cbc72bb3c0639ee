"""Mana costs as text: their symbols, mana value and colours (CR 107.4, 202)."""

import re
from functools import lru_cache

COLORS = ("white", "blue", "black", "red", "green")
"""The five colours in the order of CR 105.1."""

COLOR_OF_LETTER = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
LETTER_OF_COLOR = {color: letter for letter, color in COLOR_OF_LETTER.items()}

_SYMBOL = re.compile(r"\{([^{}]+)\}")
_COLORED = r"[WUBRG]"
_KNOWN = re.compile(
    rf"\d+|[XYZSC]|{_COLORED}|[WUBRGC2]/{_COLORED}|{_COLORED}/P|{_COLORED}/{_COLORED}/P"
)


@lru_cache(maxsize=4096)
def symbols_of(cost: str) -> tuple[str, ...] | None:
    """Return the symbols of a mana cost without their braces; None if it is not a mana cost.

    CR 107.4. The empty text is the cost of a card that has none (CR 202.1b).
    """
    symbols = tuple(_SYMBOL.findall(cost))
    if "".join(f"{{{symbol}}}" for symbol in symbols) != cost:
        return None
    return symbols if all(_KNOWN.fullmatch(symbol) for symbol in symbols) else None


def _value_of_symbol(symbol: str) -> int:
    if symbol.isdigit():
        return int(symbol)
    if symbol in {"X", "Y", "Z"}:
        return 0
    return max((int(part) for part in symbol.split("/") if part.isdigit()), default=1)


@lru_cache(maxsize=4096)
def mana_value(cost: str, x: int = 0) -> int:
    """Return the mana value of a cost: 4 for "{2}{R}{R}" (CR 202.3).

    X counts as 0 except on the stack, where it is the number chosen (CR 202.3e); a hybrid symbol
    counts as its largest part (CR 202.3f), a Phyrexian one as 1 (CR 202.3g).
    """
    symbols = symbols_of(cost) or ()
    return sum(x if symbol == "X" else _value_of_symbol(symbol) for symbol in symbols)


@lru_cache(maxsize=4096)
def colors_of_cost(cost: str) -> tuple[str, ...]:
    """Return the colours of the symbols of a mana cost, in the order of CR 105.1 (CR 202.2)."""
    letters = {part for symbol in symbols_of(cost) or () for part in symbol.split("/")}
    return tuple(color for color in COLORS if LETTER_OF_COLOR[color] in letters)


def colors_of_letters(letters: tuple[str, ...]) -> tuple[str, ...]:
    """Return the colours of a colour indicator (CR 204)."""
    return tuple(color for color in COLORS if LETTER_OF_COLOR[color] in letters)
