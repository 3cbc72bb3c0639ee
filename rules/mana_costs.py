"""Mana costs as what must be paid, and the search for mana that pays them (CR 107.4, 118.3a).

The search is complete: it finds a payment wherever one exists. It goes through the offers in the
order given, uses one before it passes it over, and remembers what failed, so that it is short and
always finds the same payment.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import msgspec

from ..cards.mana import symbols_of

LIFE_FOR_PHYREXIAN = 2
"""What a Phyrexian mana symbol costs in life (CR 107.4f)."""

TWO_OF_ANY = 2
"""What a monocoloured hybrid symbol costs in mana of any type (CR 107.4e)."""


class ManaCost(msgspec.Struct, frozen=True):
    """A mana cost by kinds of symbols.

    A pip is the letters of mana that pay for it: "R", "RW" for a hybrid, "C" for colourless. Of
    `split` each is paid by its letter or two mana of any type, of `phyrexian` by one of its letters
    or 2 life. `snow` symbols are paid by mana of snow sources (CR 107.4h).
    """

    pips: tuple[str, ...] = ()
    generic: int = 0
    split: tuple[str, ...] = ()
    phyrexian: tuple[str, ...] = ()
    snow: int = 0
    variables: int = 0

    @property
    def smallest(self) -> int:
        """Return the least number of mana that pays, if as much life as may be is paid."""
        return len(self.pips) + self.generic + len(self.split) + self.snow


class Bill(msgspec.Struct, frozen=True):
    """One way to read a cost: pips to pay by their letters, mana of any type, and life."""

    pips: tuple[str, ...]
    generic: int
    life: int

    @property
    def mana(self) -> int:
        """Return how many mana it takes."""
        return len(self.pips) + self.generic


class Use(msgspec.Struct, frozen=True):
    """That an offer is used: its place, the option of it taken, and the mana of it spent."""

    place: int
    option: str
    spent: str


Offer = tuple[str, ...]
"""What one mana in a pool, or one source, gives: one of these strings of mana."""


@lru_cache(maxsize=4096)
def mana_cost_of(cost: str, x: int = 0) -> ManaCost:
    """Return a mana cost taken apart, with X the number chosen (CR 107.3).

    >>> mana_cost_of("{X}{1}{R/W}", 2)
    ManaCost(pips=('RW',), generic=3, split=(), phyrexian=(), snow=0, variables=1)
    """
    pips: list[str] = []
    split: list[str] = []
    phyrexian: list[str] = []
    generic = snow = variables = 0
    for symbol in symbols_of(cost) or ():
        parts = symbol.split("/")
        if symbol.isdigit():
            generic += int(symbol)
        elif symbol in {"X", "Y", "Z"}:
            generic += x
            variables += 1
        elif symbol == "S":
            snow += 1
        elif "P" in parts:
            phyrexian.append("".join(parts[:-1]))
        elif parts[0].isdigit():
            split.append(parts[1])
        else:
            pips.append("".join(parts))
    return ManaCost(
        tuple(sorted(pips, key=_by_choice)),
        generic,
        tuple(split),
        tuple(phyrexian),
        snow,
        variables,
    )


@lru_cache(maxsize=4096)
def bills_of(cost: ManaCost) -> tuple[Bill, ...]:
    """Return the ways to read a cost, least life first, then letters first (CR 107.4e, 107.4f)."""
    return tuple(sorted(_bills(cost), key=lambda bill: (bill.life, bill.mana)))


def _bills(cost: ManaCost) -> Iterator[Bill]:
    for by_life in _subsets(len(cost.phyrexian)):
        with_mana = tuple(p for place, p in enumerate(cost.phyrexian) if place not in by_life)
        for by_two in _subsets(len(cost.split)):
            letters = tuple(s for place, s in enumerate(cost.split) if place not in by_two)
            yield Bill(
                tuple(sorted((*cost.pips, *with_mana, *letters), key=_by_choice)),
                cost.generic + TWO_OF_ANY * len(by_two),
                LIFE_FOR_PHYREXIAN * len(by_life),
            )


def _subsets(count: int) -> Iterator[tuple[int, ...]]:
    for size in range(count + 1):
        yield from combinations(range(count), size)


def _by_choice(pip: str) -> tuple[int, str]:
    return (len(pip), pip)


def find_uses(bill: Bill, offers: tuple[Offer, ...]) -> tuple[Use, ...] | None:
    """Return which offers pay the bill, in their order; None if they can't."""
    most = [max((len(option) for option in offer), default=0) for offer in offers]
    if sum(most) < bill.mana:
        return None
    left = [0] * (len(offers) + 1)
    for place in range(len(offers) - 1, -1, -1):
        left[place] = left[place + 1] + most[place]
    return _Search(offers, left).run(0, bill.pips, bill.generic)


def pays_exactly(bill: Bill, mana: str) -> bool:
    """Say whether just this mana pays the bill, with none left over (CR 118.3a)."""
    return (
        len(mana) == bill.mana and find_uses(bill, tuple((letter,) for letter in mana)) is not None
    )


class _Search:
    """A depth-first search that remembers from where there is no way."""

    def __init__(self, offers: tuple[Offer, ...], left: list[int]) -> None:
        self.offers = offers
        self.left = left
        self.dead: dict[tuple[int, tuple[str, ...], int], bool] = {}

    def run(self, place: int, pips: tuple[str, ...], generic: int) -> tuple[Use, ...] | None:
        if not pips and not generic:
            return ()
        if self.left[place] < len(pips) + generic:
            return None
        key = (place, pips, generic)
        if key in self.dead:
            return None
        for option in self.offers[place]:
            for spent, fewer_pips, less_generic in _spendings(option, pips, generic):
                found = self.run(place + 1, fewer_pips, less_generic)
                if found is not None:
                    return (Use(place, option, spent), *found)
        found = self.run(place + 1, pips, generic)
        if found is None:
            self.dead[key] = True
        return found


def _spendings(
    option: str, pips: tuple[str, ...], generic: int
) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield how an option's mana may be spent: on pips first, on generic mana, some not at all."""
    if len(option) == 1:
        yield from _spend_one(option, pips, generic)
        return
    for spent, fewer_pips, less_generic in _spend_all(option, pips, generic):
        if spent:
            yield spent, fewer_pips, less_generic


def _spend_one(
    letter: str, pips: tuple[str, ...], generic: int
) -> Iterator[tuple[str, tuple[str, ...], int]]:
    before = ""
    for place, pip in enumerate(pips):
        if letter in pip and pip != before:
            before = pip
            yield letter, (*pips[:place], *pips[place + 1 :]), generic
    if generic:
        yield letter, pips, generic - 1


def _spend_all(
    option: str, pips: tuple[str, ...], generic: int
) -> Iterator[tuple[str, tuple[str, ...], int]]:
    if not option:
        yield "", pips, generic
        return
    for letter, fewer_pips, less_generic in _spend_one(option[0], pips, generic):
        for spent, last_pips, last_generic in _spend_all(option[1:], fewer_pips, less_generic):
            yield letter + spent, last_pips, last_generic
    yield from _spend_all(option[1:], pips, generic)
