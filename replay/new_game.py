"""A new game: decks are checked, secrets made, and commit 0 written (CR 103).

All that the chain holds follows from the set-up and, where one is given, from the seed: no clock,
no game name and no host goes into it.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Sequence

import msgspec

from ..actors.agents import BUILTIN_AGENTS
from ..cards.deck_files import read_deck
from ..cards.deck_piles import Deck
from ..cards.deck_rules import FORMATS, CardRefused, DeckRefused, Format, PlayableDeck, playable
from ..cards.pool import CardPool, UnknownCard, UnsupportedCard
from ..events.edition import Edition, Variant, edition_named, variant_named
from ..events.errors import EngineError
from ..events.game import GameBegan, SeatInfo
from ..events.seals import GameSecrets, commitment_of
from ..events.store import Store
from ..events.taking_back import JudgeNamed
from ..events.zones import SlotCard
from ..projections.definitions import Definitions
from ..projections.position import Position
from ..projections.state import State
from ..rules.supported import supported
from .evidence import blobs_of_new_game

ENGINE_VERSION = "0.1.0"
"""The version that commit 0 records; a test compares it with the package's."""

HUMAN = "human"
"""The agent of a seat whose decisions come from outside."""

DEFAULT_AGENT = "greedy"
DEFAULT_NAMES = (
    *("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"),
    *("ivan", "judy", "kate", "leo", "mallory", "nina", "oscar", "peggy"),
)
RESERVED_NAMES = ("judge", "host", "nobody", "everybody")

GENESIS_BLOB = "genesis"
"""Names what commit 0 will begin with: kept first, so that nothing of the set-up can be lost."""

JUDGE_BLOB = "judge"
"""Is kept where a game begins with a judge."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


class SetupRefused(EngineError):
    """A game cannot begin as it was asked for."""


class GameSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What a new game is to be: one deck a seat, as a file's path or a built-in deck's name.

    What is left empty has a default: names, agents (greedy), and the variant by the number of
    decks. `cards` are card files beside the built-in cards. With a `judge` a repair needs nobody's
    consent.
    """

    decks: tuple[str, ...]
    names: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    edition: str = "current"
    variant: str = ""
    format: str = "casual"
    seed: int | None = None
    cards: tuple[str, ...] = ()
    judge: bool = False


class PreparedGame(msgspec.Struct, frozen=True):
    """A set-up that has been checked: nothing of it can be refused any more."""

    edition: Edition
    variant: Variant
    format: Format
    names: tuple[str, ...]
    agents: tuple[str, ...]
    decks: tuple[PlayableDeck, ...]
    pool: CardPool
    judge: bool = False


class NewGame(msgspec.Struct, frozen=True):
    """A game that is in its store with all but its commits."""

    game: str
    position: Position
    secrets: GameSecrets
    began: GameBegan
    agents: tuple[str, ...]


def prepare(setup: GameSetup, pool: CardPool | None = None) -> PreparedGame:
    """Check a set-up and read its decks; raise an EngineError that names what is wrong."""
    if not setup.decks:
        raise SetupRefused("A game needs decks: one for each player.")
    edition = edition_named(setup.edition)
    variant = _variant_of(setup)
    rules = _format_of(setup.format)
    names = _names_of(setup)
    agents = agents_for(setup.agents or (DEFAULT_AGENT,), len(setup.decks))
    cards = CardPool.load(setup.cards) if pool is None else pool
    decks = tuple(_playable(path, cards, rules) for path in setup.decks)
    return PreparedGame(edition, variant, rules, names, agents, decks, cards, setup.judge)


def create_game(
    store: Store, prepared: PreparedGame, seed: int | None, meta: dict[str, str] | None = None
) -> NewGame:
    """Keep a new game's secrets, definitions and meta in a store, before it has a commit."""
    seats = len(prepared.decks)
    if seed is None:
        secrets = GameSecrets.from_entropy(os.urandom(32), seats)
    else:
        secrets = GameSecrets.from_seed(seed, seats)
    definitions = Definitions()
    slots: list[SlotCard] = []
    for deck in prepared.decks:
        slots += [SlotCard(definitions.add(card)) for card in deck.cards()]
    began = _genesis(prepared, secrets, tuple(slots))
    game = store.new_game_id()
    store.create(
        game,
        secrets.to_bytes(),
        _meta_of(prepared) | (meta or {}),
        definitions.to_records(),
        {GENESIS_BLOB: msgspec.msgpack.encode(began)}
        | ({JUDGE_BLOB: b"named"} if prepared.judge else {})
        | blobs_of_new_game(store, prepared.names, seed),
    )
    position = Position(State(), definitions, prepared.edition)
    return NewGame(game, position, secrets, began, prepared.agents)


def judge_of(store: Store, game: str) -> tuple[JudgeNamed, ...]:
    """Return the naming of a judge with which a game begins, where one was asked for."""
    return (JudgeNamed("100.6", 0),) if store.get_blob(game, JUDGE_BLOB) is not None else ()


def this_host() -> str:
    """Return the name by which this machine holds a lease; never in the chain."""
    return socket.gethostname() or "host"


def packed_words(words: Sequence[str]) -> str:
    """Return words as `meta` keeps several: with commas, which no name has."""
    return ",".join(words)


def _playable(path: str, cards: CardPool, rules: Format) -> PlayableDeck:
    """Read a deck and check it by its format's rules, and that the rules here can play each card.

    Raises DeckRefused with the file; CardRefused with card and phrase too.
    """
    read = read_deck(path)
    try:
        deck = playable(read, cards, rules)
        _require_rules(deck)
    except DeckRefused as error:
        if isinstance(error, CardRefused):
            error.name_others(_unusable(read, cards))
        error.name_file(path)
        raise
    return deck


def _unusable(deck: Deck, cards: CardPool) -> Iterator[str]:
    """Yield the names of the cards of a deck that nobody knows or that are not supported."""
    for _, name in (*deck.main, *deck.commander):
        try:
            supported(cards.definition(name))
        except (UnknownCard, UnsupportedCard):
            yield name


def _require_rules(deck: PlayableDeck) -> None:
    for _, card in (*deck.main, *deck.commander):
        try:
            supported(card)
        except UnsupportedCard as error:
            raise CardRefused(deck.name, error.name, error.phrase) from None


def _genesis(
    prepared: PreparedGame, secrets: GameSecrets, slots: tuple[SlotCard, ...]
) -> GameBegan:
    """Return what commit 0 begins with: all that the game depends on."""
    seats = tuple(
        SeatInfo(name, prepared.variant.life, len(deck.cards()), commitment_of(nonce))
        for name, deck, nonce in zip(
            prepared.names, prepared.decks, secrets.seat_nonces, strict=True
        )
    )
    return GameBegan(
        rule="103.1",
        cause=0,
        edition=prepared.edition.name,
        variant=prepared.variant.name,
        players=seats,
        deck_slots=slots,
        cards=prepared.pool.digest,
        compiler=str(prepared.pool.compiler_version),
        engine=ENGINE_VERSION,
        host_commitment=commitment_of(secrets.chance),
        seed_given=secrets.seed_given,
        format=prepared.format,
    )


def _meta_of(prepared: PreparedGame) -> dict[str, str]:
    return {
        "status": "running",
        "players": packed_words(prepared.names),
        "agents": packed_words(prepared.agents),
        "edition": prepared.edition.name,
        "variant": prepared.variant.name,
        "format": prepared.format,
    }


def _variant_of(setup: GameSetup) -> Variant:
    seats = len(setup.decks)
    if seats == 1:
        raise SetupRefused("A game is for 2 decks or more, not for 1: one for each seat.")
    name = setup.variant or ("duel" if seats == 2 else "free-for-all")
    variant = variant_named(name)
    if not variant.players_minimum <= seats <= variant.players_maximum:
        least, most = variant.players_minimum, variant.players_maximum
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise SetupRefused(f"A game of {name} is for {wanted} decks, not for {seats}.")
    return variant


def _format_of(name: str) -> Format:
    for known in FORMATS:
        if known == name:
            if known == "commander":
                raise SetupRefused("The format commander is not built yet (CR 903).")
            return known
    raise SetupRefused(f"{name!r} is not a format; --format takes {', '.join(FORMATS)}.")


def _names_of(setup: GameSetup) -> tuple[str, ...]:
    seats = len(setup.decks)
    if len(setup.names) > seats:
        raise SetupRefused(f"There are {len(setup.names)} names for {seats} seats.")
    given = setup.names
    spare = (name for name in DEFAULT_NAMES if name not in given)
    names = (*given, *(next(spare) for _ in range(seats - len(given))))
    for name in names:
        if _NAME.fullmatch(name) is None or name in RESERVED_NAMES:
            raise SetupRefused(f"{name!r} cannot name a seat: take one word of letters.")
    lowered = [name.lower() for name in names]
    if len(set(lowered)) != seats:
        raise SetupRefused(f"Two seats have one name: {', '.join(names)}.")
    return names


def agents_for(given: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """Return one agent a seat: a single one given stands for all; raise SetupRefused."""
    agents = given * seats if len(given) == 1 else given
    if len(agents) != seats:
        raise SetupRefused(f"There are {len(agents)} agents for {seats} seats: name one, or all.")
    known = (*BUILTIN_AGENTS, HUMAN)
    for agent in agents:
        if agent not in known:
            raise SetupRefused(f"{agent!r} is not an agent; --agent takes {', '.join(known)}.")
    return agents
