"""Random games that are played for their secrets: with mulligans, scrying and conceding."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from itertools import islice
from typing import cast

import msgspec

from apnap.actors.live_table import LiveTable
from apnap.cards.builtin import BUILTIN_DECKS
from apnap.cards.card_text import CardText
from apnap.cards.deck_files import read_deck
from apnap.cards.deck_rules import playable
from apnap.cards.model import CardDefinition, SpellAbility
from apnap.cards.pool import CardPool
from apnap.events.codec import decode_entry
from apnap.events.commit import Commit
from apnap.events.decisions import (
    ActivateAbility,
    AnyDecision,
    Concede,
    PassPriority,
    RevokeStandingPass,
    StandingMode,
    TakeMulligan,
)
from apnap.events.edition import edition_named
from apnap.events.game import GameBegan, SeatInfo
from apnap.events.ids import DefinitionId, PlayerId, ZoneKind
from apnap.events.luck import Luck
from apnap.events.seals import GameSecrets, commitment_of
from apnap.events.store import NewCommit
from apnap.events.zones import SlotCard
from apnap.projections.definitions import Definitions
from apnap.projections.position import Position
from apnap.projections.state import State
from apnap.rules.protocol import Prompt
from apnap.rules.setup import MulliganPrompt, may_mulligan

NAMES = ("alice", "bob", "carol", "dave")

TRICKS = {
    "Island": 14,
    "Mountain": 6,
    "Man-o'-War": 4,
    "Unsummon": 4,
    "Opt": 3,
    "Deep Look": 4,
    "Old Memory": 3,
    "Raging Goblin": 4,
    "Under the Books": 3,
    "Mind Wipe": 3,
    "Fresh Start": 2,
    "Bitter End": 2,
    "Long Walk": 3,
    "Worn Path": 1,
    "Second Thoughts": 4,
}
"""A deck that moves cards between hidden zones whenever it can."""

TRICK_CARDS = (
    ("Deep Look", "{U}", "Sorcery", "Scry 3."),
    ("Old Memory", "{U}", "Sorcery", "Return a creature card from your graveyard to your hand."),
    ("Under the Books", "{U}", "Sorcery", "Put target creature on top of its owner's library."),
    ("Mind Wipe", "{R}", "Sorcery", "Each player discards a card."),
    ("Fresh Start", "{R}", "Sorcery", "Shuffle your library."),
    ("Long Walk", "{U}", "Sorcery", "Put target creature on the bottom of its owner's library."),
    ("Worn Path", "{U}", "Sorcery", "Target player mills two cards."),
    ("Bitter End", "{R}", "Sorcery", "Exile a creature card from your hand."),
    ("Second Thoughts", "{U}", "Sorcery", "Exile a card from your hand."),
)
"""What is on them in English; the last one puts the card on top of the library instead."""


@dataclass
class Played:
    """A game as it was recorded, and what its seats were asked before each commit but the first."""

    seats: int
    secrets: GameSecrets
    definitions: Definitions
    entries: list[bytes] = field(default_factory=list)
    asked: list[tuple[object, ...]] = field(default_factory=list)

    def commits(self) -> list[Commit]:
        """Return the commits with all their secrets."""
        return [decode_entry(entry) for entry in self.entries]

    def append(self, number: int, prev: bytes, commit: NewCommit) -> None:
        """Take a commit, as the Recorder's sink."""
        del number, prev
        self.entries.append(commit.entry)


@cache
def pool() -> CardPool:
    """Return the built-in cards and those of the deck of tricks."""
    found = CardPool.load()
    return CardPool((*found, *(CardText(*row) for row in TRICK_CARDS)))


@cache
def definition_of(name: str) -> CardDefinition:
    """Return what a card says."""
    definition = pool().definition(name)
    if name != "Second Thoughts":
        return definition
    (spell,) = definition.abilities
    assert isinstance(spell, SpellAbility)
    (exile,) = spell.body.instructions
    put_back = msgspec.structs.replace(exile, to=ZoneKind.LIBRARY)
    body = msgspec.structs.replace(spell.body, instructions=(put_back,))
    return msgspec.structs.replace(
        definition, abilities=(msgspec.structs.replace(spell, body=body),)
    )


@cache
def deck_names(deck: str) -> tuple[str, ...]:
    """Return the names of a deck's cards, one for each card."""
    if deck == "tricks":
        return tuple(name for name, count in TRICKS.items() for _ in range(count))
    return tuple(card.name for card in playable(read_deck(deck), pool(), "casual").cards())


@dataclass
class Sitting:
    """A live table with the record of what happens at it."""

    table: LiveTable
    played: Played

    @property
    def prompt(self) -> Prompt | None:
        """What is asked now."""
        return self.table.prompt

    def decide(self, decision: AnyDecision) -> bool:
        """Let a decision happen; say whether it was accepted. What was asked is noted."""
        asked = public_part(self.table.prompt)
        if self.table.decide(decision) is not None:
            return False
        self.played.asked.append(asked)
        return True


def public_part(prompt: Prompt | None) -> tuple[object, ...]:
    """Return what everybody may know of a question."""
    if prompt is None:
        return ()
    return prompt.seat, prompt.player, prompt.kind, prompt.rule, prompt.quiescent


def sit_down(
    decks: Sequence[Sequence[str]],
    seed: int,
    luck: Callable[[GameSecrets], Luck] = Luck.of,
    defined: Callable[[str], CardDefinition] = definition_of,
) -> Sitting:
    """Return the table of a new game of lists of card names."""
    secrets = GameSecrets.from_seed(seed, len(decks))
    definitions = Definitions()
    slots: list[SlotCard] = []
    seats: list[SeatInfo] = []
    for seat, deck in enumerate(decks):
        slots += [SlotCard(definitions.add(defined(name))) for name in deck]
        seats.append(SeatInfo(NAMES[seat], 20, len(deck), commitment_of(secrets.seat_nonces[seat])))
    played = Played(len(decks), secrets, definitions)
    game = Position(State(), definitions, edition_named("2025-02"))
    table = LiveTable(game, secrets, played)
    table.luck = luck(secrets)
    began = GameBegan(
        "103.1",
        0,
        "2025-02",
        "duel" if len(decks) == 2 else "free-for-all",
        tuple(seats),
        tuple(slots),
        bytes(16),
        "1",
        "1",
        commitment_of(secrets.chance),
        seed_given=True,
    )
    table.begin(began)
    return Sitting(table, played)


def chance(seed: int, number: int, what: str = "") -> int:
    """Return a number that follows from a seed and a counter."""
    data = f"{seed}:{number}:{what}".encode()
    return int.from_bytes(blake2b(data, digest_size=4).digest(), "big")


def pick(sitting: Sitting, seed: int, number: int) -> AnyDecision:
    """Return a random decision for what is asked; there are mulligans and standing passes."""
    prompt, game = sitting.table.prompt, sitting.table.game
    assert prompt is not None
    drawn = chance(seed, number)
    asked = (prompt.seat, prompt.player, prompt.counter)
    if isinstance(prompt, MulliganPrompt) and drawn % 3 == 0 and may_mulligan(game, prompt.player):
        return TakeMulligan(*asked)
    if prompt.kind == "priority":
        if chance(seed, number, "standing") % 24 == 0:
            return PassPriority(*asked, tuple(StandingMode)[1 + drawn % 3])
        if sitting.played.seats > 2 and chance(seed, number, "concede") % 600 == 0:
            return Concede(*asked)
    options = list(islice(filter(is_no_mana, prompt.options(game)), 14))
    if prompt.kind == "priority" and len(options) > 1:
        options = options[1:] if drawn % 4 else options[:1]
        drawn //= 4
    return cast("AnyDecision", options[drawn % len(options)])


def is_no_mana(decision: object) -> bool:
    """Whether it does something: mana without use is added for costs alone."""
    return not (isinstance(decision, ActivateAbility) and decision.mana)


def next_decision(sitting: Sitting, seed: int, number: int) -> AnyDecision:
    """Return what the engine answers by itself, else a random decision.

    Standing passes are revoked now and then: some last for ever where nobody does anything.
    """
    prompt = sitting.table.prompt
    assert prompt is not None
    stands = sitting.table.game.state.players[prompt.player].standing
    if stands and chance(seed, number, "revoke") % 8 == 0:
        return RevokeStandingPass(prompt.seat, prompt.player, prompt.counter)
    return cast("AnyDecision | None", sitting.table.automatic()) or pick(sitting, seed, number)


def play_on(sitting: Sitting, seed: int, commits_max: int = 4000) -> Iterator[Commit]:
    """Play a game on at random, and yield each commit as it comes."""
    number = 0
    while not sitting.table.is_over and sitting.table.commits < commits_max:
        accepted = sitting.decide(next_decision(sitting, seed, number))
        assert accepted, f"an offered answer was refused: decision {number} of seed {seed}"
        number += 1
        yield decode_entry(sitting.played.entries[-1])
    sitting.table.park()


DECKS = (*BUILTIN_DECKS, "tricks")
PAIRINGS = (
    (DECKS[0], "tricks"),
    (DECKS[0], DECKS[1]),
    ("tricks", DECKS[1], DECKS[0]),
    ("tricks", "tricks"),
    (DECKS[1], "tricks"),
    (DECKS[0], "tricks", "tricks"),
)


def decks_of(seed: int) -> tuple[tuple[str, ...], ...]:
    """Return the decks of the game of a seed."""
    return tuple(deck_names(deck) for deck in PAIRINGS[seed % len(PAIRINGS)])


def play(seed: int, commits_max: int = 4000) -> Played:
    """Play the game of a seed."""
    sitting = sit_down(decks_of(seed), seed)
    for _ in play_on(sitting, seed, commits_max):
        pass
    return sitting.played


def tokens_of(definitions: Definitions, seen: set[DefinitionId]) -> set[DefinitionId]:
    """Return the definitions that others name: the tokens that they make, and those themselves."""
    records = definitions.to_records()
    found = set(seen)
    grew = True
    while grew:
        inner = {
            DefinitionId(digest)
            for digest in records
            if any(digest in records[bytes(card)] for card in found)
        }
        grew = not inner <= found
        found |= inner
    return found


def seats_of(played: Played) -> tuple[PlayerId, ...]:
    """Return the seats of a game."""
    return tuple(PlayerId(seat) for seat in range(played.seats))


def replaced_in(deck: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    """Return a deck with another card in the first slot that holds one."""
    place = deck.index(old)
    return (*deck[:place], new, *deck[place + 1 :])


def as_decision(decision: object) -> AnyDecision:
    """Return a commit's decision, which the record of a whole game holds."""
    assert isinstance(decision, msgspec.Struct), "the log holds every decision"
    return cast("AnyDecision", decision)
