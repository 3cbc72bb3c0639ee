"""Which property of an object is not as a filter describes, told one property at a time."""

from __future__ import annotations

from ..cards.model import Filter
from ..events.ids import ObjectId
from ..projections.context import Context
from ..projections.filters import fits
from ..projections.position import Position
from .ability_words import filter_words
from .names import spoken_name

_PLAIN = Filter()


def mismatch(game: Position, what: Filter, item: ObjectId, context: Context) -> str:
    """Return why an object is not what a filter describes; empty if it is."""
    if fits(game, what, item, context):
        return ""
    name = spoken_name(game, item)
    for field in what.__struct_fields__:
        value = getattr(what, field)
        if field == "zone" or value == getattr(_PLAIN, field):
            continue
        if not fits(game, Filter(**{field: value}), item, context):
            return _told(game, field, what, item, context)
    source = game.characteristics(context.source)
    return f"{name} is not {filter_words(source, what)}"


def _told(game: Position, field: str, what: Filter, item: ObjectId, context: Context) -> str:
    name, source = spoken_name(game, item), game.characteristics(context.source)
    players = game.state.players
    value = getattr(what, field)
    match field:
        case "identity" if value == "this":
            return f"it speaks of {source.name} itself, and {name} is another object"
        case "identity" if value == "other":
            return f"it speaks of other objects, and {name} is its own source"
        case "identity":
            return f"{name} is not {filter_words(source, Filter(identity=value))}"
        case "controller":
            who = game.controller_of(item)
            told = players[who].name if 0 <= who < len(players) else "nobody"
            return f"{told} controls {name}, which is not whose it speaks of"
        case "power" | "toughness" | "mana_value":
            number = getattr(game.characteristics(item), field)
            return f"the {field.replace('_', ' ')} of {name} is {number}, which is not as it asks"
        case _:
            words = filter_words(source, Filter(zone=what.zone, **{field: value}))
            return f"{name} is not {words}"
