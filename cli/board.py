"""The board as people see it: players, permanents, stack and graveyards, drawn with Rich.

`board_of` reads a position once into plain records, which are printed as JSON or drawn. A view's
unknown parts are counted, not named.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from ..events.ids import NOBODY, ObjectId, PlayerId, Step
from ..events.stack import ChosenTarget
from ..projections.position import Position
from ..projections.redaction import redact_state
from ..replay.sentences import STEP_NAMES

_COLOR_STYLES = {
    "white": "bright_white",
    "blue": "blue",
    "black": "magenta",
    "red": "red",
    "green": "green",
}
_BOLD_UNTAPPED, _DIM = "bold", "dim"


class BoardCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """An object as the board shows it; `name` is empty for what the seat cannot tell."""

    id: int
    name: str
    types: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    power: int | None = None
    toughness: int | None = None
    keywords: tuple[str, ...] = ()
    counters: dict[str, int] = {}
    damage: int = 0
    tapped: bool = False
    sick: bool = False
    token: bool = False
    attacking: str = ""
    blocking: tuple[int, ...] = ()
    attached_to: int = 0
    targets: tuple[str, ...] = ()


class BoardPlayer(msgspec.Struct, frozen=True):
    """A player as the board shows it; `hand` lists what is known of it, `hand_size` counts all."""

    name: str
    life: int
    hand_size: int
    hand: tuple[str, ...]
    library: int
    graveyard: tuple[str, ...]
    battlefield: tuple[BoardCard, ...]
    counters: dict[str, int]
    pool: str
    has_lost: bool


class Board(msgspec.Struct, frozen=True):
    """A whole board: whose turn it is, who has priority, and what lies where."""

    turn: int
    active: str
    step: str
    priority: str | None
    players: tuple[BoardPlayer, ...]
    stack: tuple[BoardCard, ...]
    exile: tuple[str, ...]
    winners: tuple[str, ...] | None
    reason: str


def board_of(game: Position, seat: PlayerId | None = None) -> Board:
    """Return the board of a position: all of it, or as a seat sees it."""
    if seat is not None and game.state.viewer == NOBODY:
        game = Position(redact_state(game.state, seat), game.definitions, game.edition)
    state = game.state
    names = [player.name for player in state.players]
    turn = state.turn
    return Board(
        turn=turn.number,
        active=names[turn.active] if names else "",
        step=turn.step.name.lower(),
        priority=names[turn.holder] if turn.holder != NOBODY else None,
        players=tuple(_player(game, PlayerId(number)) for number in range(len(names))),
        stack=tuple(_card(game, item) for item in state.stack),
        exile=tuple(_name(game, item) for item in state.exile),
        winners=None if state.winners is None else tuple(names[seat] for seat in state.winners),
        reason=state.end_reason,
    )


def _player(game: Position, number: PlayerId) -> BoardPlayer:
    player = game.state.players[number]
    known = [_name(game, item) for item in player.hand if item]
    return BoardPlayer(
        name=player.name,
        life=player.life,
        hand_size=len(player.hand),
        hand=tuple(name for name in known if name),
        library=len(player.library),
        graveyard=tuple(_name(game, item) for item in player.graveyard),
        battlefield=tuple(_card(game, item) for item in game.permanents_of(number)),
        counters=dict(player.counters),
        pool=player.pool,
        has_lost=player.has_lost or player.has_left,
    )


def _name(game: Position, item: ObjectId) -> str:
    return game.name_of(item)


def _card(game: Position, item: ObjectId) -> BoardCard:
    state = game.state
    traits = game.characteristics(item)
    found = state.objects.get(item)
    attack = state.combat.attackers.get(item)
    on_stack = state.items.get(item)
    is_new = found is not None and found.since_turn == state.turn.number
    return BoardCard(
        id=item,
        name=_name(game, item),
        types=traits.types,
        colors=traits.colors,
        power=traits.power if traits.is_creature else None,
        toughness=traits.toughness if traits.is_creature else None,
        keywords=tuple(sorted(traits.keywords)),
        counters=dict(found.counters) if found is not None else {},
        damage=found.damage if found is not None else 0,
        tapped=found is not None and found.tapped,
        sick=is_new and traits.is_creature and "haste" not in traits.keywords,
        token=found is not None and found.is_token,
        attacking=state.players[attack[0]].name if attack is not None else "",
        blocking=state.combat.blocks.get(item, ()),
        attached_to=found.attached_to if found is not None else 0,
        targets=_targets(game, on_stack.targets) if on_stack is not None else (),
    )


def _targets(game: Position, targets: Iterable[ChosenTarget]) -> tuple[str, ...]:
    """Return what a spell or ability targets, by name."""
    return tuple(
        _name(game, target.object) if target.object else game.state.players[target.player].name
        for target in targets
    )


# Drawing


def drawn(board: Board, title: str = "") -> RenderableType:
    """Return the board as Rich draws it, the first player at the bottom."""
    parts: list[RenderableType] = [Text(title, style="bold")] if title else []
    parts.append(_turn_line(board))
    names = {card.id: card.name for player in board.players for card in player.battlefield}
    parts += [
        _drawn_player(player, names, is_active=board.turn > 0 and player.name == board.active)
        for player in reversed(board.players)
    ]
    if board.stack:
        lines = [_line_on_stack(card) for card in reversed(board.stack)]
        parts.append(Panel(Group(*lines), title="stack, top first", title_align="left"))
    if board.exile:
        parts.append(Text(f"exile: {counted(board.exile)}"))
    return Group(*parts)


def _turn_line(board: Board) -> Text:
    if board.winners is not None:
        who = f"{' and '.join(board.winners)} won" if board.winners else "the game is a draw"
        return Text(f"turn {board.turn}: {who} ({board.reason})", style="bold")
    step = STEP_NAMES[Step[board.step.upper()]]
    line = Text(f"turn {board.turn}, {board.active}'s {step}" if board.turn else step)
    if board.priority is not None:
        line.append(f" — {board.priority} has priority")
    return line


def _drawn_player(player: BoardPlayer, names: dict[int, str], *, is_active: bool) -> Panel:
    lines: list[RenderableType] = [_summary(player)]
    lines += [_line(card, names) for card in player.battlefield if "creature" in card.types]
    others = [
        card
        for card in player.battlefield
        if "creature" not in card.types and "land" not in card.types
    ]
    lines += [_line(card, names) for card in others]
    lands = [card for card in player.battlefield if _is_plain_land(card)]
    if lands:
        lines.append(_lands(lands))
    if player.hand:
        unknown = player.hand_size - len(player.hand)
        more = f" and {unknown} unknown" if unknown else ""
        lines.append(Text(f"hand: {counted(player.hand)}{more}"))
    if player.graveyard:
        lines.append(Text(f"graveyard: {counted(player.graveyard)}", style=_DIM))
    title = f"{player.name} (active)" if is_active else player.name
    return Panel(Group(*lines), title=Text(title), title_align="left")


def _is_plain_land(card: BoardCard) -> bool:
    return "land" in card.types and "creature" not in card.types


def _summary(player: BoardPlayer) -> Text:
    line = Text(f"{player.life} life", style="bold")
    counters = "".join(f", {count} {name}" for name, count in player.counters.items())
    pool = "".join(f"{{{letter}}}" for letter in player.pool)
    line.append(
        f"{counters} · {player.hand_size} in hand · {player.library} in library"
        + (f" · mana {pool}" if pool else "")
        + (" · out of the game" if player.has_lost else ""),
        style="not bold",
    )
    return line


def _line(card: BoardCard, names: dict[int, str]) -> Text:
    """Return a permanent's line: id, name, size, and what is to be known about it."""
    line = Text(f"#{card.id} ", style=_DIM)
    line.append(card.name or "an unknown card", style=_style(card))
    if card.power is not None:
        line.append(f" {card.power}/{card.toughness}", style="bold")
    notes = [*card.keywords]
    notes += [f"{count} {name}" for name, count in card.counters.items()]
    if card.damage:
        notes.append(f"damage {card.damage}")
    notes += [
        word for word, holds in (("tapped", card.tapped), ("summoning sick", card.sick)) if holds
    ]
    if card.attacking:
        notes.append(f"attacks {card.attacking}")
    notes += [f"blocks {names.get(item, '')} #{item}" for item in card.blocking]
    if card.attached_to:
        notes.append(f"attached to {names.get(card.attached_to, '')} #{card.attached_to}")
    if notes:
        line.append(f" [{', '.join(notes)}]", style=_DIM)
    return line


def _line_on_stack(card: BoardCard) -> Text:
    line = Text(f"#{card.id} ", style=_DIM)
    line.append(card.name, style=_style(card))
    if card.targets:
        line.append(f" → {', '.join(card.targets)}")
    return line


def _lands(lands: list[BoardCard]) -> Text:
    """Return lands of one name as one item: how many, and how many of them are tapped."""
    line = Text("lands: ")
    by_name: dict[str, list[BoardCard]] = {}
    for card in lands:
        by_name.setdefault(card.name, []).append(card)
    for place, (name, cards) in enumerate(by_name.items()):
        tapped = sum(card.tapped for card in cards)
        note = f" ({tapped} tapped)" if tapped else ""
        line.append(f"{', ' if place else ''}{len(cards)} × {name}{note}")
    return line


def counted(names: Iterable[str]) -> str:
    """Return names with how often each occurs.

    >>> counted(["Forest", "Bear", "Forest"])
    '2 × Forest, Bear'
    """
    counts: dict[str, int] = {}
    for name in names:
        shown = name or "unknown card"
        counts[shown] = counts.get(shown, 0) + 1
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in counts.items())


def _style(card: BoardCard) -> str:
    color = _COLOR_STYLES.get(card.colors[0], "") if len(card.colors) == 1 else ""
    if len(card.colors) > 1:
        color = "yellow"
    return f"{_DIM if card.tapped else _BOLD_UNTAPPED} {color}".strip()
