"""The games of a simulation: short ones with tiny decks, whole ones with the built-in decks."""

from __future__ import annotations

from functools import cache

import msgspec

from ..actors.agents import Agent, agent_named
from ..cards.builtin import BUILTIN_DECKS
from ..cards.deck_piles import Deck
from ..cards.deck_rules import PlayableDeck
from ..cards.pool import CardPool
from ..events.base import Decision
from ..events.codec import read_entry
from ..events.edition import edition_named, variant_named
from ..events.ids import PlayerId
from ..events.memory_store import MemoryStore
from ..events.seals import GameSecrets
from ..events.store import Head
from .host import HostedGame, host_created
from .new_game import DEFAULT_NAMES, GameSetup, PreparedGame, create_game, prepare

SHORT, GAME = "short", "game"
SCRIPTS = (SHORT, GAME)
"""What a simulation plays: scripts of some sixty commits, or whole games."""

SHORT_SEEDS = 64
"""How many different short games there are of each kind, each played undisturbed only once."""

TINY_DECKS = (
    ((3, "Mountain"), (2, "Lightning Bolt"), (2, "Monastery Swiftspear"), (1, "Dragon Fodder")),
    ((4, "Forest"), (2, "Grizzly Bears"), (1, "Giant Growth"), (1, "Elvish Visionary")),
    ((4, "Mountain"), (1, "Prodigal Pyromancer"), (2, "Lightning Bolt"), (1, "Grizzly Bears")),
)
"""Decks so small that a library is soon empty; nobody could play with them elsewhere."""


class TableKind(msgspec.Struct, frozen=True):
    """What a table plays: which script, how many seats, which agent, and the game's seed."""

    script: str
    players: int
    agent: str
    seed: int


class Seat:
    """Who sits at a table: decides by an agent, and keeps the heads that it was told."""

    def __init__(self, number: PlayerId, agent: Agent) -> None:
        self.number = number
        self.agent = agent
        self.heads: list[Head] = []
        self.ends: list[Head] = []
        self.unanswered: Decision | None = None
        self.sent: list[Decision] = []

    def hear(self, head: Head) -> None:
        """Keep the head that a host told."""
        if not self.heads or self.heads[-1] != head:
            self.heads.append(head)

    def remember(self, decision: Decision) -> None:
        """Keep a decision that was sent, to send it again when nobody should."""
        self.sent.append(decision)
        if len(self.sent) > 4:  # the older ones are refused for the same reason
            del self.sent[0]


class TableRun:
    """One game of a simulation, whoever hosts it."""

    def __init__(self, game: str, kind: TableKind, secrets: GameSecrets) -> None:
        self.game = game
        self.kind = kind
        self.seats = tuple(
            Seat(PlayerId(number), agent_named(kind.agent, secrets.agent_seeds[number]))
            for number in range(kind.players)
        )
        self.hosting: dict[str, HostedGame] = {}
        self.states: dict[bytes, bytes] = {}
        self.is_disturbed = False
        self.is_finished = False
        self.failovers = 0


@cache
def prepared_for(script: str, players: int) -> PreparedGame:
    """Return the set-up of a script's games."""
    if script == GAME:
        decks = tuple(BUILTIN_DECKS[seat % len(BUILTIN_DECKS)] for seat in range(players))
        return prepare(GameSetup(decks=decks))
    pool = CardPool.load(())
    decks_of_few = tuple(
        PlayableDeck(Deck(f"tiny {seat}", TINY_DECKS[seat % len(TINY_DECKS)]), pool)
        for seat in range(players)
    )
    return PreparedGame(
        edition=edition_named("current"),
        variant=variant_named("duel" if players == 2 else "free-for-all"),
        format="casual",
        names=DEFAULT_NAMES[:players],
        agents=("random",) * players,
        decks=decks_of_few,
        pool=pool,
    )


def undisturbed(kind: TableKind) -> Head:
    """Return the head of a game that was left alone."""
    return _kept_head(kind) if kind.script == SHORT else _undisturbed(kind)


@cache
def _kept_head(kind: TableKind) -> Head:
    return _undisturbed(kind)


def _undisturbed(kind: TableKind) -> Head:
    prepared = msgspec.structs.replace(
        prepared_for(kind.script, kind.players), agents=(kind.agent,) * kind.players
    )
    with host_created(store := MemoryStore(), create_game(store, prepared, kind.seed)) as hosted:
        hosted.play()
        return Head(hosted.table.commits - 1, hosted.table.head)


def digest_in(entry: bytes) -> bytes:
    """Return the digest that an entry names."""
    return read_entry(entry).digest
