"""Going back tells no seat what it could not know: twins with other hidden cards stay alike."""

from __future__ import annotations

from collections.abc import Iterator

from apnap.events.codec import decode_entry
from apnap.events.commit import Commit
from apnap.events.decisions import AnyDecision, GiveConsent, OfferTakeBack
from apnap.events.ids import CommitNumber, PlayerId
from apnap.events.redaction import redact_entry
from apnap.projections.past import FoldedPast
from apnap.projections.redaction import redact_state
from apnap.projections.taking_back import is_on_the_line
from apnap.projections.view import apply_commit, new_view
from apnap.rules.taking_back import waiting_for

from ..secrets.playing import (
    PAIRINGS,
    Sitting,
    chance,
    decks_of,
    next_decision,
    replaced_in,
    sit_down,
)
from ..secrets.test_non_interference import SINGLES, STRANGERS, others_than
from ..secrets.twins import Twins, differences, names

PAIRS = 12
BACK_EVERY = 17
COMMITS_MAX = 300


def with_past(sitting: Sitting) -> Sitting:
    """Let a game go back: its log is what was played."""

    def commits(first: int, stop: int) -> Iterator[Commit]:
        for number, entry in enumerate(sitting.played.entries[first:stop], first):
            yield decode_entry(entry, "", number)

    sitting.table.game.trail.past = FoldedPast(commits)
    return sitting


def both(twins: Twins, decision: AnyDecision) -> bool:
    """Decide the same in both games, and compare what the watching seats get of it."""
    hidden = differences(twins.one.table.game.state, twins.two.table.game.state)
    assert twins.one.decide(decision)
    if not twins.two.decide(decision):
        assert decision.seat == twins.secret_of, decision
        assert names(decision, hidden), decision
        return False
    twins.compare(twins.one.table.commits - 1)
    return True


def go_back(twins: Twins, seed: int, number: int) -> None:
    """Take back up to 40 commits in both games."""
    table = twins.one.table
    state, commits = table.game.state, table.commits
    to = commits - 2 - chance(seed, number, "back") % 40
    if to < 0 or table.is_over or not is_on_the_line(state, to):
        return
    present = [PlayerId(n) for n, player in enumerate(state.players) if not player.has_left]
    seat = present[chance(seed, number, "who") % len(present)]
    offer = OfferTakeBack(seat, seat, state.decision_counters[seat], CommitNumber(to))
    assert both(twins, offer)
    for other in waiting_for(state):
        assert both(twins, GiveConsent(other, other, state.decision_counters[other]))


def test_games_that_go_back_tell_no_more_than_others(games: int) -> None:
    compared = went_back = 0
    for seed in range(games or PAIRS):
        decks = decks_of(seed)
        seat = chance(seed, 0, "seat") % len(decks)
        name = PAIRINGS[seed % len(PAIRINGS)][seat]
        old, new = SINGLES[name][seed % len(SINGLES[name])], STRANGERS[seed % len(STRANGERS)]
        other = [*decks]
        other[seat] = replaced_in(decks[seat], old, new)
        twins = Twins(
            with_past(sit_down(decks, seed)),
            with_past(sit_down(other, seed)),
            PlayerId(seat),
            others_than(seat, len(decks)),
        )
        twins.begin()
        number = 0
        while twins.watching and twins.one.table.commits < COMMITS_MAX:
            if twins.one.table.is_over:
                break
            number += 1
            if not both(twins, next_decision(twins.one, seed, number)):
                break
            if number % BACK_EVERY == 0:
                before = twins.one.table.commits
                go_back(twins, seed, number)
                went_back += twins.one.table.commits > before
        compared += twins.compared
        twins.one.table.park()
        twins.two.table.park()
    assert went_back > (games or PAIRS)
    assert compared > 30 * (games or PAIRS)


def test_views_of_games_full_of_tricks_fold_across_take_backs() -> None:
    """Hands that were seen, libraries that were looked at: each view keeps what was learned."""
    for seed in range(6):
        sitting = with_past(sit_down(decks_of(seed), seed))
        twins = Twins(sitting, with_past(sit_down(decks_of(seed), seed)), PlayerId(0), [])
        for number in range(1, 220):
            if sitting.table.is_over:
                break
            assert both(twins, next_decision(sitting, seed, number))
            if number % 11 == 0:
                go_back(twins, seed, number)
        entries = sitting.played.entries
        for seat in range(sitting.played.seats):
            check_view(entries, PlayerId(seat), sitting)


def check_view(entries: list[bytes], seat: PlayerId, sitting: Sitting) -> None:
    """Fold a seat's own log and compare with what is left of the whole state."""
    own = [redact_entry(entry, seat) for entry in entries]

    def commits(first: int, stop: int) -> list[Commit]:
        return [decode_entry(entry) for entry in own[first:stop]]

    view = new_view(seat)
    view.past = FoldedPast(commits, seat)
    for entry in own:
        apply_commit(view, decode_entry(entry))
    seen = redact_state(sitting.table.game.state, seat)
    assert view.state.to_bytes() == seen.to_bytes()
