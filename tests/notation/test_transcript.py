"""The transcript: a sentence for each event, a line for each decision, no secrets of others."""

import json
import re

import pytest

from apnap.events.catalog import EVENT_TYPES
from apnap.events.codec import decode_log
from apnap.events.ids import PlayerId
from apnap.events.memory_store import MemoryStore
from apnap.events.redaction import redact_entry
from apnap.replay.host import host_new_game
from apnap.replay.new_game import GameSetup
from apnap.replay.opened import RecordedGame, recorded_game
from apnap.replay.sentences import SENTENCES
from apnap.replay.transcript import transcript

DECKS = ("red-green-stompers", "white-black-wardens")


@pytest.fixture(scope="module")
def recorded() -> RecordedGame:
    store = MemoryStore()
    hosted = host_new_game(store, GameSetup(decks=DECKS, seed=3))
    hosted.play()
    hosted.close()
    return recorded_game(store, hosted.game)


def test_each_type_of_event_has_its_sentence() -> None:
    assert set(SENTENCES) == set(EVENT_TYPES)


def test_a_whole_game_reads_as_sentences(recorded: RecordedGame) -> None:
    lines = list(transcript(recorded))
    commits = list(decode_log(recorded.game, enumerate(recorded.entries)))
    assert len(lines) == len(commits) + sum(len(list(commit.events())) for commit in commits)
    for line in lines:
        json.dumps(line.to_record())
        assert line.text
        has_bare_id = re.search(r"(?<![\w’'])#\d", line.text) is not None
        assert not has_bare_id or line.i is None, line.text


def test_events_of_a_commit_follow_its_decision_and_count_from_0(recorded: RecordedGame) -> None:
    lines = list(transcript(recorded, 3, 5))
    assert {line.n for line in lines} == {3, 4, 5}
    for number in (3, 4, 5):
        places = [line.i for line in lines if line.n == number]
        assert places == [None, *range(len(places) - 1)]


def test_a_seats_transcript_shows_nothing_of_others_hands(recorded: RecordedGame) -> None:
    bob = PlayerId(1)
    entries = tuple(redact_entry(entry, bob) for entry in recorded.entries)
    seen = RecordedGame(recorded.game, entries, recorded.definitions, b"", bob, dict(recorded.meta))
    lines = list(transcript(seen, 0, 12))
    draws = [line.text for line in lines if line.text and line.text.startswith("alice draws")]
    assert draws
    assert set(draws) == {"alice draws a card"}
    sealed = [line for line in lines if line.i is None and line.text is None]
    assert sealed
    assert all(line.seat is None for line in sealed)
    whole = list(transcript(recorded, 0, 12))
    assert len(whole) == len(lines)
