"""A forger's tools: change what a game holds, and make the chain anew, with its secrets or without.

A forger who has a judge's record has all secrets of the game, but no private key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

import msgspec

from apnap.events.base import Secret
from apnap.events.catalog import AnyEvent
from apnap.events.codec import SEALED, decode_entry, encode_commit
from apnap.events.commit import Commit, OlderOpening
from apnap.events.decisions import Concede
from apnap.events.ids import CommitNumber, PlayerId, ZoneKind
from apnap.events.memory_store import MemoryStore
from apnap.events.seals import GameSecrets, salt_of
from apnap.events.zones import LibraryShuffled, MovedCard, ObjectMoved, SlotCard
from apnap.replay.branch import branch_game
from apnap.replay.opened import RecordedGame, recorded_game
from apnap.replay.resume import resume_game
from apnap.replay.sinks import append_entries

Commits: TypeAlias = list[Commit]
Forged: TypeAlias = tuple[Commits, int] | None
"""The commits of a forgery and the first that was changed; None: there is nothing to change."""

Forge: TypeAlias = Callable[[Commits, Random], Forged]

_ENCODE = msgspec.msgpack.Encoder().encode


def chance(number: int) -> Random:
    """Return the chance of the forgery of that number: it is the same in every run."""
    return Random(number)  # noqa: S311 -- chooses what to forge, and guards nothing


def rechained(recorded: RecordedGame, commits: Sequence[Commit], keys: GameSecrets) -> RecordedGame:
    """Return a log of these commits with seals, openings and chain made anew by some secrets."""
    head, entries = bytes(16), []
    for number, commit in enumerate(commits):
        older = tuple(_reopened(opening, commits, keys) for opening in commit.older)
        new = msgspec.structs.replace(commit, number=CommitNumber(number), prev=head, older=older)
        entry, head = encode_commit(new, keys)
        entries.append(entry)
    return msgspec.structs.replace(recorded, entries=tuple(entries))


def _reopened(opening: OlderOpening, commits: Sequence[Commit], keys: GameSecrets) -> OlderOpening:
    """Return an opening of what lies under the seal now."""
    at = opening.at
    event = list(commits[at.commit].events())[at.event]
    found = getattr(event, SEALED[type(event)][at.field].name)
    if isinstance(found, tuple):
        found = found[at.item]
    if not isinstance(found, Secret):
        return opening
    return msgspec.structs.replace(opening, value=_ENCODE(found), salt=salt_of(keys, at))


def commits_of(recorded: RecordedGame) -> Commits:
    """Return the commits of a log, all that is hidden filled in."""
    return [decode_entry(entry) for entry in recorded.entries]


def with_events(commit: Commit, events: Sequence[AnyEvent]) -> Commit:
    """Return a commit with other events; groups keep their lengths, the last takes what is over."""
    groups, rest = [], list(events)
    for group in commit.groups[:-1]:
        groups.append(tuple(rest[: len(group)]))
        rest = rest[len(group) :]
    groups.append(tuple(rest))
    return msgspec.structs.replace(commit, groups=tuple(groups))


def decision_replaced(commits: Commits, random: Random) -> Forged:
    """Let a player have decided what another commit of theirs says, all events as they were."""
    number = random.randrange(1, len(commits))
    mine: Any = commits[number].decision
    others = [
        commit.decision
        for commit in commits[1:]
        if getattr(commit.decision, "seat", None) == mine.seat and commit.decision != mine
    ]
    if not others:
        return None
    chosen: Any = random.choice(others)
    other = msgspec.structs.replace(chosen, counter=mine.counter)
    if other == mine:
        return None
    return _with(commits, number, msgspec.structs.replace(commits[number], decision=other))


def player_conceded(commits: Commits, random: Random) -> Forged:
    """Let a player have conceded instead of what they did."""
    number = random.randrange(1, len(commits))
    mine: Any = commits[number].decision
    decision = Concede(mine.seat, PlayerId(mine.seat), mine.counter)
    return _with(commits, number, msgspec.structs.replace(commits[number], decision=decision))


def number_in_event_changed(commits: Commits, random: Random) -> Forged:
    """Change a number of an event by one: an amount, a player, an object."""
    number = random.randrange(len(commits))
    events = list(commits[number].events())
    places = [
        (place, name)
        for place, event in enumerate(events)
        for name in event.__struct_fields__
        if type(getattr(event, name)) is int
    ]
    if not places:
        return None
    place, name = random.choice(places)
    changed = getattr(events[place], name) + 1
    events[place] = msgspec.structs.replace(events[place], **{name: changed})
    return _with(commits, number, with_events(commits[number], events))


def event_dropped(commits: Commits, random: Random) -> Forged:
    """Leave an event out, none that hides anything: later openings would name another."""
    return _changed_events(
        commits, random, lambda events, place: events[:place] + events[place + 1 :]
    )


def event_repeated(commits: Commits, random: Random) -> Forged:
    """Let an event have happened twice."""
    return _changed_events(
        commits, random, lambda events, place: events[: place + 1] + events[place:]
    )


def card_drawn_replaced(commits: Commits, random: Random) -> Forged:
    """Let a player have drawn another card of the game."""
    drawn = [
        (commit.number, place, event)
        for commit in commits
        for place, event in enumerate(commit.events())
        if isinstance(event, ObjectMoved)
        and event.origin == ZoneKind.LIBRARY
        and isinstance(event.secret, MovedCard)
    ]
    number, place, event = random.choice(drawn)
    secret = event.secret
    assert isinstance(secret, MovedCard)
    cards = sorted({one.secret.card for _, _, one in drawn if isinstance(one.secret, MovedCard)})
    card = random.choice([card for card in cards if card != secret.card])
    events = list(commits[number].events())
    other = msgspec.structs.replace(secret, card=card)
    events[place] = msgspec.structs.replace(event, secret=other)
    return _with(commits, number, with_events(commits[number], events))


def cards_swapped_in_shuffle(commits: Commits, random: Random) -> Forged:
    """Let two cards lie in each other's slot after a shuffle."""
    shuffles = [
        (commit.number, place, event)
        for commit in commits
        for place, event in enumerate(commit.events())
        if isinstance(event, LibraryShuffled)
    ]
    number, place, event = random.choice(shuffles)
    slots = list(event.slots)
    one, other = random.sample(range(len(slots)), 2)
    if slots[one] == slots[other]:
        return None
    slots[one], slots[other] = slots[other], slots[one]
    assert all(isinstance(slot, SlotCard) for slot in slots)
    events = list(commits[number].events())
    events[place] = msgspec.structs.replace(event, slots=tuple(slots))
    return _with(commits, number, with_events(commits[number], events))


def commit_dropped(commits: Commits, random: Random) -> Forged:
    """Leave a commit out that hides nothing and that no opening speaks of."""
    number = random.randrange(1, len(commits) - 1)
    if any(opening.at.commit >= number for commit in commits for opening in commit.older):
        return None
    return [*commits[:number], *commits[number + 1 :]], number


def other_game_played(recorded: RecordedGame, random: Random) -> tuple[RecordedGame, int]:
    """Play on from a commit by other agents, with the same secrets: all by the rules.

    No re-execution finds that; it is another game than was signed.
    """
    keys = recorded.keys()
    while True:
        at = random.randrange(len(recorded.entries) - 30)
        store = MemoryStore()
        store.create(recorded.game, recorded.secrets, recorded.meta)
        store.put_definitions(recorded.game, recorded.definitions)
        copy_log(store, recorded)
        child = branch_game(store, recorded.game, at)
        with resume_game(store, child, ("random",)) as hosted:
            hosted.play()
        other = recorded_game(store, child)
        made = rechained(recorded, commits_of(other), keys)
        if len(made.entries) > at + 1 and made.entries[: at + 2] != recorded.entries[: at + 2]:
            return made, at + 1


def copy_log(store: MemoryStore, recorded: RecordedGame) -> None:
    """Write a whole log to a store that knows the game."""
    append_entries(store, recorded.game, recorded.entries, "a forger")


def _changed_events(
    commits: Commits,
    random: Random,
    change: Callable[[list[AnyEvent], int], list[AnyEvent]],
) -> Forged:
    number = random.randrange(1, len(commits))
    events = list(commits[number].events())
    if not events or any(opening.at.commit == number for one in commits for opening in one.older):
        return None
    place = random.randrange(len(events))
    changed = change(events, place)
    if not changed or changed == events:
        return None
    return _with(commits, number, with_events(commits[number], changed))


def _with(commits: Commits, number: int, commit: Commit) -> Forged:
    return [*commits[:number], commit, *commits[number + 1 :]], number


FORGERIES: tuple[tuple[Forge, str], ...] = (
    (decision_replaced, "forged"),
    (player_conceded, "forged"),
    (number_in_event_changed, "forged"),
    (event_dropped, "forged"),
    (event_repeated, "forged"),
    (card_drawn_replaced, "forged"),
    (cards_swapped_in_shuffle, "shuffle"),
    (commit_dropped, "forged"),
)
"""Each way of forging, and what a verification calls it."""
