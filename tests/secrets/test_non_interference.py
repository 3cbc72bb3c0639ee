"""Games that differ only in what a seat cannot know give that seat the same bytes.

Digests and salts are blanked: they depend on the secrets. There are four kinds of pairs, as many
of each as `--games` says.
"""

from collections.abc import Callable, Sequence

import msgspec
import pytest

from apnap.events.decisions import AnyDecision, ChooseObjects, PassPriority, StandingMode
from apnap.events.ids import ObjectId, PlayerId
from apnap.events.luck import Luck
from apnap.events.seals import GameSecrets
from apnap.rules.prompts import SelectObjects

from .playing import (
    DECKS,
    PAIRINGS,
    Sitting,
    chance,
    deck_names,
    decks_of,
    replaced_in,
    sit_down,
)
from .twins import Twins

PAIRS = 15
"""Pairs of each of the four kinds: sixty."""

SINGLES = {
    "red-green-stompers": ("Overrun", "Craw Wurm", "Deadly Recluse", "Prey Upon", "Kird Ape"),
    "white-black-wardens": ("Serra Angel", "Doom Blade", "Pacifism", "Typhoid Rats", "Mortify"),
    "tricks": ("Worn Path", "Fresh Start", "Mind Wipe", "Old Memory"),
}
"""Cards of the decks, to be exchanged for others."""

STRANGERS = ("Guttersnipe", "Terminate", "Lava Axe", "Norwood Ranger", "Goblin War Drums")
"""Cards that are in no deck."""


@pytest.fixture(scope="module")
def seeds(games: int) -> range:
    """Return the seeds of the pairs of each kind."""
    return range(games or PAIRS)


def same(_sitting: Sitting, decision: AnyDecision) -> AnyDecision:
    """Let both games' seats decide the same."""
    return decision


def others_than(seat: int, seats: int) -> list[PlayerId]:
    """Return the other seats."""
    return [PlayerId(other) for other in range(seats) if other != seat]


def test_card_of_another_players_deck(seeds: range) -> None:
    shown = compared = 0
    for seed in seeds:
        decks = decks_of(seed)
        seat = chance(seed, 0, "seat") % len(decks)
        name = PAIRINGS[seed % len(PAIRINGS)][seat]
        old = SINGLES[name][seed % len(SINGLES[name])]
        new = STRANGERS[seed % len(STRANGERS)]
        other = [*decks]
        other[seat] = replaced_in(decks[seat], old, new)
        twins = Twins(
            sit_down(decks, seed),
            sit_down(other, seed),
            PlayerId(seat),
            others_than(seat, len(decks)),
        )
        twins.begin()
        twins.play(seed, same)
        shown += len(twins.shown)
        compared += twins.compared
    assert compared > 30 * len(seeds)
    assert shown


def test_seat_that_knows_the_difference_gets_other_bytes() -> None:
    decks = decks_of(0)
    other = (replaced_in(decks[0], "Overrun", "Lava Axe"), decks[1])
    twins = Twins(sit_down(decks, 0), sit_down(other, 0), PlayerId(0), [PlayerId(0)])
    with pytest.raises(AssertionError, match="seat 0 can tell the games apart in commit 0"):
        twins.begin()


class BentLuck(Luck):
    """The stream of a game but that two cards of one shuffle lie in each other's place."""

    def __init__(self, secrets: GameSecrets, counter: int, places: tuple[int, int]) -> None:
        super().__init__(secrets.chance, secrets.seat_nonces)
        self.counter = counter
        self.places = places

    def permutation(self, n: int, counter: int) -> tuple[tuple[int, ...], int]:
        """Return the stream's order, bent in one shuffle."""
        order, after = super().permutation(n, counter)
        if counter != self.counter:
            return order, after
        bent = list(order)
        one, two = self.places
        bent[one], bent[two] = bent[two], bent[one]
        return tuple(bent), after


def bent(counter: int, places: tuple[int, int]) -> Callable[[GameSecrets], Luck]:
    """Return the maker of a bent stream."""
    return lambda secrets: BentLuck(secrets, counter, places)


def test_order_of_a_library(seeds: range) -> None:
    shown = compared = 0
    for seed in seeds:
        decks = decks_of(seed)
        shuffle = chance(seed, 1, "shuffle") % len(decks)
        places = (7 + chance(seed, 2) % 15, 25 + chance(seed, 3) % 30)
        one, two = sit_down(decks, seed), sit_down(decks, seed, bent(shuffle << 16, places))
        everybody = [PlayerId(seat) for seat in range(len(decks))]
        owner = PlayerId((one.table.game.state.starting_player + shuffle) % len(decks))
        twins = Twins(one, two, owner, everybody)
        twins.begin()
        twins.play(seed, same)
        shown += len(twins.shown)
        compared += twins.compared
    assert compared > 30 * len(seeds)
    assert shown


def test_hidden_choice_of_another_player(seeds: range) -> None:
    """What goes back after a mulligan, where cards go that were looked at, in which order."""
    changed = compared = 0
    seed = 0
    while changed < len(seeds):
        decks = [deck_names("tricks"), deck_names("tricks"), deck_names(DECKS[0])][: 2 + seed % 2]
        seat = PlayerId(seed % 2)
        changer = Changer(seat, chance(seed, 4) % 3)
        twins = Twins(
            sit_down(decks, seed), sit_down(decks, seed), seat, others_than(seat, len(decks))
        )
        twins.begin()
        twins.play(seed, changer)
        changed += changer.changed
        compared += twins.compared if changer.changed else 0
        seed += 1
    assert compared > 30 * len(seeds)


class Changer:
    """Lets a seat choose other hidden cards once: as many, or the same in another order."""

    def __init__(self, seat: PlayerId, passed_over: int) -> None:
        self.seat = seat
        self.passed_over = passed_over
        self.changed = 0

    def __call__(self, sitting: Sitting, decision: AnyDecision) -> AnyDecision:
        prompt = sitting.prompt
        if decision.seat != self.seat or not isinstance(decision, ChooseObjects):
            return decision
        if self.changed:
            if isinstance(prompt, SelectObjects) and prompt.kind == "top":
                # What is left to be ordered is something else now.
                return msgspec.structs.replace(decision, objects=prompt.candidates)
            return decision
        if not isinstance(prompt, SelectObjects) or not is_hidden_choice(sitting, prompt):
            return decision
        if self.passed_over and prompt.rule == "103.5":
            self.passed_over -= 1
            return decision
        other = other_choice(prompt.candidates, decision.objects)
        if other == decision.objects:
            return decision
        self.changed = 1
        return msgspec.structs.replace(decision, objects=other)


def is_hidden_choice(sitting: Sitting, prompt: SelectObjects) -> bool:
    """Whether nobody else learns what is chosen: what goes into a library."""
    if prompt.kind in ("bottom", "top"):
        return True
    source = sitting.table.game.name_of(prompt.source)
    return prompt.kind == "choose" and source == "Second Thoughts"


def other_choice(
    candidates: Sequence[ObjectId], chosen: tuple[ObjectId, ...]
) -> tuple[ObjectId, ...]:
    """Return another choice of as many, or the reverse order of all."""
    rest = tuple(item for item in candidates if item not in chosen)
    if not chosen:
        return chosen
    return (*chosen[1:], rest[0]) if rest else tuple(reversed(chosen))


def test_standing_pass_of_another_player(seeds: range) -> None:
    compared = 0
    for seed in seeds:
        decks = decks_of(seed)
        seat = PlayerId(chance(seed, 5) % len(decks))
        stander = Stander(seat, 10 + seed % 40, tuple(StandingMode)[1 + seed % 3])
        twins = Twins(
            sit_down(decks, seed), sit_down(decks, seed), seat, others_than(seat, len(decks))
        )
        twins.begin()
        twins.play(seed, stander)
        assert twins.parted >= 0
        assert not twins.shown
        compared += twins.compared
    assert compared > 100 * len(seeds)


class Stander:
    """Lets a seat pass for a while where its twin passes again and again."""

    def __init__(self, seat: PlayerId, passes: int, mode: StandingMode) -> None:
        self.seat = seat
        self.passes = passes
        self.mode = mode

    def __call__(self, sitting: Sitting, decision: AnyDecision) -> AnyDecision:
        if decision.seat != self.seat or not isinstance(decision, PassPriority):
            return decision
        self.passes -= 1
        standing = sitting.table.game.state.players[self.seat].standing
        mode = standing or (self.mode if self.passes < 0 else decision.standing)
        return msgspec.structs.replace(decision, standing=mode)
