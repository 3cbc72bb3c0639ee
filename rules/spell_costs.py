"""The total cost of a spell: its mana cost, and what reduces it (CR 601.2f, 118.7)."""

from __future__ import annotations

from ..cards.mana import symbols_of
from ..cards.model import KeywordAbility
from ..events.ids import NOTHING, PlayerId
from ..projections.characteristics import Characteristics
from ..projections.context import Context
from ..projections.filters import every
from ..projections.position import Position

REDUCING = ("affinity", "undaunted")
"""The keywords that make a spell cost less generic mana."""


def spell_mana(game: Position, player: PlayerId, traits: Characteristics) -> str:
    """Return the mana that a spell costs a player now, in symbols (CR 601.2f)."""
    if not traits.keywords or not any(word in traits.keywords for word in REDUCING):
        return traits.mana_cost
    less = sum(
        reduction_of(game, player, ability)
        for ability in traits.abilities
        if isinstance(ability, KeywordAbility)
    )
    return reduced(traits.mana_cost, less)


def reduction_of(game: Position, player: PlayerId, ability: KeywordAbility) -> int:
    """Return by how much generic mana a keyword of the spell reduces its cost.

    Affinity counts the permanents it names that the player controls (CR 702.41a), each instance
    by itself (702.41b); undaunted the opponents still in the game (702.125a-b).
    """
    match ability:
        case KeywordAbility(name="affinity", filter=what) if what is not None:
            found = every(game, what, Context(source=NOTHING, you=player))
            return sum(game.controller_of(item) == player for item in found)
        case KeywordAbility(name="undaunted"):
            seats = enumerate(game.state.players)
            return sum(seat != player and not other.has_left for seat, other in seats)
        case _:
            return 0


def reduced(cost: str, less: int) -> str:
    """Return a mana cost with so much less generic mana, never below none (CR 118.7a).

    >>> reduced("{4}{U}", 3), reduced("{2}", 5)
    ('{1}{U}', '{0}')
    """
    symbols: list[str] = []
    for symbol in symbols_of(cost) or ():
        taken = min(less, int(symbol)) if symbol.isdigit() else 0
        less -= taken
        left = str(int(symbol) - taken) if taken else symbol
        if left != "0" or symbol == "0":
            symbols.append(left)
    return "".join(f"{{{symbol}}}" for symbol in symbols) or "{0}"
