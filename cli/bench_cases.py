"""What the benchmarks measure. Each returns a `Measured`; two sides of one are interleaved.

Processor time where one core works, wall-clock time where a disk or a server is waited for.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial, reduce
from itertools import combinations
from multiprocessing import get_context
from operator import or_
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import msgspec

from ..cards.card_text import CardText
from ..cards.compiler import compile_card
from ..cards.pool import CardPool
from ..events.chain import GENESIS
from ..events.codec import SECRET_TAGS, Body, encode_commit
from ..events.commit import DECISION, Commit, Entry
from ..events.decisions import AnyDecision
from ..events.memory_store import MemoryStore
from ..events.redis_store import RedisStore
from ..events.seals import GameSecrets
from ..events.store import NewCommit, Store
from ..events.store_url import open_store
from ..projections.state import State
from ..projections.trail import OneWayTrail
from ..projections.view import apply_commit
from ..replay.host import HostedGame, host_created
from ..replay.new_game import GameSetup, PreparedGame, create_game, prepare, this_host
from ..replay.opened import RecordedGame, recorded_game
from ..replay.resume import resume_game
from ..replay.timeline import Timeline

ROUNDS = 5
CALIBRATED = 4_000_000
"""Absolute baselines hold where so many events a second are decoded; elsewhere in proportion."""

TURN = 25
"""How many commits are appended before as many are added without a check."""

CUT_AT = 1000
TABLES, TABLES_AT = 100, 100
SEEKS, SEEK_COMMITS, SEEK_SEATS = 1000, 5000, 8


class Measured(msgspec.Struct, frozen=True):
    """A benchmark's outcome; `ratio` is value by baseline, or baseline None where it has none."""

    name: str
    value: float
    unit: str
    baseline: float | None
    ratio: float | None


def measured(name: str, value: float, unit: str, baseline: float | None) -> Measured:
    """Return an outcome with its ratio, in as many figures as mean anything."""
    ratio = None if baseline is None else round(value / baseline, 3)
    rounded = None if baseline is None else _rounded(baseline)
    return Measured(name, _rounded(value), unit, rounded, ratio)


class Bench:
    """The games and cards that the benchmarks work on, made when they are first needed."""

    def __init__(self, decks: tuple[str, ...], cards: tuple[str, ...]) -> None:
        self.decks = decks
        self.cards = cards
        self.pool = CardPool.load(cards)
        self._prepared: dict[tuple[str, ...], PreparedGame] = {}
        self._logs: list[RecordedGame] = []
        self._decodings = 0.0

    def prepared(self, decks: tuple[str, ...]) -> PreparedGame:
        """Return the set-up of a game between some decks, random agents."""
        if decks not in self._prepared:
            setup = GameSetup(decks=decks, agents=("random",), cards=self.cards)
            self._prepared[decks] = prepare(setup, self.pool)
        return self._prepared[decks]

    def pairs(self) -> list[tuple[str, ...]]:
        """Return the decks two by two."""
        return list(combinations(self.decks, 2))

    def logs(self) -> list[RecordedGame]:
        """Return the logs of five games."""
        if not self._logs:
            store, pairs = MemoryStore(), self.pairs()
            for seed in range(5):
                new = create_game(store, self.prepared(pairs[seed % len(pairs)]), seed)
                with host_created(store, new) as hosted:
                    hosted.play()
                self._logs.append(recorded_game(store, new.game))
        return self._logs

    # The benchmarks

    def decodings(self) -> Measured:
        """Calibrate: how many events a second bare msgspec decodes from the bytes of logs."""
        bodies = [_DECODE_ENTRY(entry).body for log in self.logs() for entry in log.entries]
        events = sum(self._events(log) for log in self.logs())
        rates = [_rate(lambda: _each(_DECODE_BODY, bodies), events * 2, 2) for _ in range(ROUNDS)]
        self._decodings = median(rates)
        return measured("decodings", self._decodings, "events/s", None)

    def append(self) -> Measured:
        """Acknowledged commits a second, encoded and sealed, against XADDs of the same bytes."""
        log = max(self.logs(), key=lambda one: len(one.entries))
        commits, secrets = tuple(log.commits()), log.keys()
        gc.collect()
        gc.freeze()  # what lies here already is no business of what is measured
        with TemporaryDirectory(prefix="apnap-") as folder, open_store(None, Path(folder)) as store:
            assert isinstance(store, RedisStore), "the embedded server is a server"
            sides: tuple[list[float], list[float]] = ([], [])
            for number in range(ROUNDS):
                appended, added = _appended(store, f"round{number}", log, commits, secrets)
                sides[0].append(len(commits) / appended)
                sides[1].append(len(commits) / added)
        return measured("append", median(sides[0]), "commits/s", median(sides[1]))

    def fold(self) -> Measured:
        """Events a second folded, digests checked, against decoding alone of the same bytes."""
        events = sum(self._events(log) for log in self.logs())
        entries = [entry for log in self.logs() for entry in log.entries]
        gc.collect()
        gc.freeze()
        sides: tuple[list[float], list[float]] = ([], [])
        for _ in range(ROUNDS):
            sides[0].append(_rate(lambda: _folded(self.logs()), events, 1))
            sides[1].append(_rate(lambda: _decoded(entries), events * 2, 2))
        return measured("fold", median(sides[0]), "events/s", median(sides[1]))

    def play(self) -> Measured:
        """Decisions that random agents give a second on one core, in a store that keeps nothing."""
        pairs = self.pairs()
        rates: list[float] = []
        for number in range(ROUNDS):
            decisions, began = 0, time.process_time()
            for place in range(max(4, min(len(pairs), 9))):
                store = MemoryStore()
                seed = number * 100 + place
                decks = pairs[seed % len(pairs)]
                with host_created(store, create_game(store, self.prepared(decks), seed)) as hosted:
                    hosted.play()
                    decisions += hosted.decisions
            rates.append(decisions / (time.process_time() - began))
        return measured("play", median(rates), "decisions/s", 3000 * self.proportion())

    def resume(self) -> Measured:
        """Milliseconds to the open prompt of a game cut at its 1,000th commit, server running."""
        with TemporaryDirectory(prefix="apnap-") as folder, open_store(None, Path(folder)) as store:
            game = self._long_game(store)
            found: list[float] = []
            for _ in range(ROUNDS + 1):
                began = time.perf_counter()
                hosted = resume_game(store, game)
                found.append((time.perf_counter() - began) * 1000)
                hosted.close()
        return measured("resume", median(found[1:]), "ms", 50 / self.proportion())

    def tables(self) -> Measured:
        """Megabytes that each further waiting table takes, in a process of its own."""
        with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as pool:
            value = pool.submit(memory_of_tables, self.decks[:2], self.cards).result()
        return measured("tables", value, "MB each", 1)

    def compile(self) -> Measured:
        """Seconds to compile 1,000 cards of the files, taken from all over them."""
        texts = list(self.pool)
        size = min(400, max(1, len(texts) // ROUNDS))
        step = max(1, len(texts) // (size * ROUNDS))
        found: list[float] = []
        for number in range(ROUNDS):
            sample = texts[number * step :: step * ROUNDS][:size]
            found.append(_compiled(sample) / len(sample) * 1000)
        return measured("compile", median(found), "s/1000 cards", 7 / self.proportion())

    def seek(self) -> Measured:
        """Milliseconds of all but the slowest hundredth of seeks to random commits of 5,000."""
        timeline = self._timeline()
        found: list[float] = []
        commit = 0
        for number in range(SEEKS):
            commit = (commit * 2053 + 1009 + number) % len(timeline.commits)
            found.append(_milliseconds(partial(timeline.go_to, commit)))
        kept = timeline.moments.size / sum(map(len, timeline.recorded.entries))
        assert kept <= 0.1, f"the kept states take {kept:.1%} of the log, more than a tenth"
        return measured("seek", sorted(found)[len(found) * 99 // 100], "ms", 10 / self.proportion())

    def back(self) -> Measured:
        """Milliseconds, at the median, to go back by one commit of the same game."""
        timeline = self._timeline()
        timeline.go_to(timeline.last)
        found = [_milliseconds(timeline.previous_commit) for _ in range(timeline.last)]
        return measured("back", median(found), "ms", 0.1 / self.proportion())

    def _timeline(self) -> Timeline:
        """Return the timeline of a game of eight seats and 5,000 commits, its states kept."""
        decks = (self.decks * SEEK_SEATS)[:SEEK_SEATS]
        for seed in range(300):
            store = MemoryStore()
            new = create_game(store, self.prepared(decks), seed)
            with host_created(store, new) as hosted:
                hosted.play(commits_max=SEEK_COMMITS)
                is_long = hosted.table.commits >= SEEK_COMMITS
            if is_long:
                timeline = Timeline(recorded_game(store, new.game))
                timeline.go_to(timeline.last)
                gc.collect()
                gc.freeze()
                return timeline
        msg = f"no random game of these decks lasts {SEEK_COMMITS} commits"
        raise AssertionError(msg)

    def proportion(self) -> float:
        """Return this machine's speed by the one that the absolute baselines are for."""
        if not self._decodings:
            self.decodings()
        return self._decodings / CALIBRATED

    def _events(self, log: RecordedGame) -> int:
        return sum(1 for commit in log.commits() for _ in commit.events())

    def _long_game(self, store: Store) -> str:
        """Return a game that was cut at its 1,000th commit; most games are over before."""
        pairs = self.pairs()
        for seed in range(300):
            kept = MemoryStore()
            decks = pairs[seed % len(pairs)]
            with host_created(kept, create_game(kept, self.prepared(decks), seed)) as hosted:
                hosted.play(commits_max=CUT_AT)
                is_long = not hosted.is_over
            if is_long:
                new = create_game(store, self.prepared(decks), seed)
                with host_created(store, new) as hosted:
                    hosted.play(commits_max=CUT_AT)
                return new.game
        msg = "no random game of these decks lasts 1,000 commits"
        raise AssertionError(msg)


def memory_of_tables(decks: tuple[str, ...], cards: tuple[str, ...]) -> float:
    """Return the megabytes that each of 99 further waiting tables takes; no thread each."""
    store = MemoryStore()
    prepared = prepare(GameSetup(decks=decks, agents=("random",), cards=cards))
    tables = [_waiting_table(store, prepared, 0)]
    gc.collect()
    before, threads = resident_bytes(), threading.active_count()
    tables += [_waiting_table(store, prepared, seed) for seed in range(1, TABLES)]
    gc.collect()
    grown = resident_bytes() - before
    assert threading.active_count() == threads, "a waiting table holds no thread"
    assert all(table.prompt is not None for table in tables), "every table waits for somebody"
    return grown / (TABLES - 1) / 1e6


def _waiting_table(store: Store, prepared: PreparedGame, seed: int) -> HostedGame:
    """Return a table that waits at commit 100, or thereabouts where the game ended before."""
    while True:
        hosted = host_created(store, create_game(store, prepared, seed))
        hosted.play(commits_max=TABLES_AT)
        if not hosted.is_over:
            return hosted
        hosted.close()
        seed += TABLES


def resident_bytes() -> int:
    """Return the memory of this process that is in use, in bytes."""
    import os

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


_DECODE_ENTRY: Callable[[bytes], Entry] = msgspec.msgpack.Decoder(Entry).decode
_DECODE_DECISION: Callable[[bytes], object] = msgspec.msgpack.Decoder(AnyDecision).decode
_DECODE_SECRET: Callable[[bytes], object] = msgspec.msgpack.Decoder(
    reduce(or_, SECRET_TAGS.values())
).decode
_DECODE_BODY: Callable[[bytes], Body] = msgspec.msgpack.Decoder(Body).decode


def _milliseconds(step: Callable[[], object]) -> float:
    """Return the processor time that a step takes."""
    began = time.process_time()
    step()
    return (time.process_time() - began) * 1000


def _each(decode: Callable[[bytes], object], parts: list[bytes]) -> None:
    for part in parts:
        decode(part)


def _decoded(entries: list[bytes]) -> None:
    """Decode all that the bytes of entries hold, opened values too, and check nothing."""
    for entry in entries:
        outer = _DECODE_ENTRY(entry)
        _DECODE_BODY(outer.body)
        for opening in outer.openings:
            if opening.event == DECISION:
                _DECODE_DECISION(opening.value)
            else:
                _DECODE_SECRET(opening.value)


def _folded(logs: list[RecordedGame]) -> None:
    """Fold logs as `replay` does: all of each is final."""
    for log in logs:
        trail = OneWayTrail(State())
        for commit in log.commits():
            apply_commit(trail, commit)


def _rate(run: Callable[[], object], count: int, times: int) -> float:
    """Return how many a second, by this core's time, when something is run some times."""
    began = time.process_time()
    for _ in range(times):
        run()
    return count / (time.process_time() - began)


def _appended(
    store: RedisStore, game: str, log: RecordedGame, commits: tuple[Commit, ...], keys: GameSecrets
) -> tuple[float, float]:
    """Append a log to a new game, and add the same entries to a stream; return seconds of each.

    They take turns, some commits long: a disk may be twice as slow a second later.
    """
    store.create(game, log.secrets, {})
    fence = store.acquire(game, this_host())
    head, appended, added = GENESIS, 0.0, 0.0
    for first in range(0, len(commits), TURN):
        began = time.perf_counter()
        for commit in commits[first : first + TURN]:
            entry, digest = encode_commit(commit, keys)
            store.append(game, commit.number, head, NewCommit(entry, digest), fence)
            head = digest
        between = time.perf_counter()
        for entry in log.entries[first : first + TURN]:
            store.add_unchecked(game, entry)
        appended += between - began
        added += time.perf_counter() - between
    store.release(fence)
    assert head == commits[-1].digest, "the same commits have the same digests"
    return appended, added


def _compiled(texts: list[CardText]) -> float:
    began = time.process_time()
    for text in texts:
        compile_card(text)
    return time.process_time() - began


def _rounded(value: float) -> float:
    """Return three significant figures, and whole numbers from 1,000 on."""
    return round(value) if value >= 1000 else float(f"{value:.3g}")


def all_of(bench: Bench, names: tuple[str, ...]) -> Iterator[Measured]:
    """Yield the calibration, then the benchmarks of those names."""
    yield bench.decodings()
    runs: dict[str, Callable[[], Measured]] = {
        "append": bench.append,
        "fold": bench.fold,
        "play": bench.play,
        "resume": bench.resume,
        "tables": bench.tables,
        "compile": bench.compile,
        "seek": bench.seek,
        "back": bench.back,
    }
    for name in names:
        yield runs[name]()
