"""Cards of a hand that others partly know: which of them leaves it, or is shown, tells no more."""

from collections.abc import Callable, Iterator
from typing import cast

import pytest

from apnap.events.codec import decode_entry
from apnap.events.decisions import AnyDecision, CastSpell, ChooseObjects
from apnap.events.ids import NOTHING, ObjectId, PlayerId, ZoneKind
from apnap.events.redaction import blanked, redact_entry
from apnap.events.zones import CardsRevealed, ObjectMoved, ObjectsRenamed, SeenCards
from apnap.projections.redaction import redact_state
from apnap.projections.state import EVERYBODY
from apnap.projections.view import apply_commit, new_view
from apnap.rules.actions import Rename, Reveal

from .arranging import ALICE, BOB, sit_at
from .playing import Sitting

GOBLIN, BEAR = "Raging Goblin", "Runeclaw Bear"


def in_hand(sitting: Sitting, seat: PlayerId, name: str) -> list[ObjectId]:
    """Return the cards of a name in a hand, by id."""
    game = sitting.table.game
    return sorted(item for item in game.state.players[seat].hand if game.name_of(item) == name)


def act(sitting: Sitting, is_meant: Callable[[AnyDecision], bool]) -> AnyDecision:
    """Let the first legal answer happen that is meant."""
    prompt = sitting.prompt
    assert prompt is not None
    options = cast("Iterator[AnyDecision]", prompt.options(sitting.table.game))
    meant = next(option for option in options if is_meant(option))
    assert sitting.decide(meant)
    return meant


def cast_one(sitting: Sitting, name: str, target: ObjectId = NOTHING) -> None:
    """Let the player with priority cast a card of that name, and all pass until it resolved."""
    game = sitting.table.game

    def is_meant(decision: AnyDecision) -> bool:
        return (
            isinstance(decision, CastSpell)
            and game.name_of(decision.object) == name
            and (not target or any(one.object == target for one in decision.targets))
        )

    act(sitting, is_meant)
    pass_until_empty(sitting)


def cast_card(sitting: Sitting, card: ObjectId) -> None:
    """Let the player with priority cast that very card."""
    act(sitting, lambda decision: isinstance(decision, CastSpell) and decision.object == card)


def pass_until_empty(sitting: Sitting) -> None:
    """Let all pass, or take the first answer, until the stack is empty."""
    while sitting.table.game.state.stack and sitting.prompt is not None:
        if isinstance(next(sitting.prompt.options(sitting.table.game)), ChooseObjects):
            return
        act(sitting, lambda _: True)


def with_a_known_goblin(seed: int, hand: tuple[str, ...]) -> tuple[Sitting, ObjectId]:
    """Return a table where Alice's Goblin came back to her hand in sight, and its id there."""
    sitting = sit_at(seed, (("Unsummon", *hand), ("Opt",)))
    state = sitting.table.game.state
    goblin = next(
        item
        for item in state.battlefield
        if state.objects[item].owner == ALICE and sitting.table.game.name_of(item) == GOBLIN
    )
    cast_one(sitting, "Unsummon", goblin)
    return sitting, max(in_hand(sitting, ALICE, GOBLIN))


def check_views(sitting: Sitting) -> None:
    """Check that each seat's log folds to what it may see of the whole."""
    for seat in (ALICE, BOB):
        view = new_view(seat)
        for entry in sitting.played.entries:
            apply_commit(view, decode_entry(redact_entry(entry, seat)))
        assert view.state.to_bytes() == redact_state(sitting.table.game.state, seat).to_bytes()


@pytest.mark.rule("402.3")
def test_known_card_leaves_before_an_equal_one_that_is_not() -> None:
    sitting, known = with_a_known_goblin(1, (GOBLIN, BEAR))
    unknown = next(item for item in in_hand(sitting, ALICE, GOBLIN) if item != known)
    before = len(sitting.played.entries)
    cast_card(sitting, unknown)
    (moved,) = [
        event
        for event in decode_entry(sitting.played.entries[before]).events()
        if isinstance(event, ObjectMoved)
    ]
    assert moved.object == known
    assert in_hand(sitting, ALICE, GOBLIN) == [unknown]
    check_views(sitting)


def test_equal_card_in_a_hand_makes_no_difference_to_others() -> None:
    """Bob saw a Goblin go to Alice's hand. She plays a Goblin: he can't tell if she has more."""
    told = []
    for hand in ((GOBLIN, "Opt"), (BEAR, "Opt")):
        sitting, known = with_a_known_goblin(1, hand)
        chosen = min(in_hand(sitting, ALICE, GOBLIN))
        assert (chosen == known) is (hand[0] == BEAR)
        cast_card(sitting, chosen)
        told.append([blanked(redact_entry(entry, BOB)) for entry in sitting.played.entries])
        check_views(sitting)
    assert told[0] == told[1]


def test_card_put_back_in_secret_is_none_that_others_knew() -> None:
    """Whichever she puts back: Bob gets the same bytes and knows none of her cards then."""
    told = [put_back(place) for place in range(3)]
    assert told[0] == told[1] == told[2]


def put_back(place: int) -> bytes:
    """Let Alice put one of three cards back; return what Bob gets of it."""
    sitting, known = with_a_known_goblin(3, ("Second Thoughts", BEAR, "Opt"))
    state = sitting.table.game.state
    assert state.objects[known].known_to == EVERYBODY
    cast_one(sitting, "Second Thoughts")
    prompt = sitting.prompt
    assert prompt is not None
    options = list(cast("Iterator[AnyDecision]", prompt.options(sitting.table.game)))
    assert sitting.decide(options[place])
    events = list(decode_entry(sitting.played.entries[-1]).events())
    (renamed,) = [event for event in events if isinstance(event, ObjectsRenamed)]
    assert renamed.readers == (ALICE,)
    assert all(not state.objects[item].known_to >> BOB & 1 for item in state.players[ALICE].hand)
    check_views(sitting)
    return blanked(redact_entry(sitting.played.entries[-1], BOB))


def test_only_card_of_a_hand_is_followed_when_it_goes_back() -> None:
    sitting, known = with_a_known_goblin(3, ("Second Thoughts",))
    assert in_hand(sitting, ALICE, GOBLIN) == [known]
    cast_one(sitting, "Second Thoughts")
    while sitting.prompt is not None and sitting.prompt.kind != "priority":
        act(sitting, lambda _: True)
    state = sitting.table.game.state
    top = state.objects[state.players[ALICE].library[0]]
    assert sitting.table.game.name_of(top.id) == GOBLIN
    assert top.known_to >> BOB & 1
    check_views(sitting)


def test_ids_of_a_hand_that_is_shown_do_not_tell_which_card_was_drawn_first() -> None:
    orders = set()
    for seed in range(12):
        sitting = sit_at(seed, (("Opt", BEAR, "Unsummon", "Deep Look"), ()))
        table = sitting.table
        table._table.perform((Rename("400.2", 0, ALICE, ZoneKind.HAND),))
        hand = tuple(table.game.state.players[ALICE].hand)
        assert list(hand) == sorted(hand)
        shown = Reveal("701.20a", 0, ALICE, ZoneKind.HAND, hand, (ALICE, BOB))
        table._table.perform((shown,))
        orders.add(tuple(table.game.name_of(item) for item in hand))
        (event,) = table.recorder.groups[-1]
        assert isinstance(event, CardsRevealed)
        assert isinstance(event.secret, SeenCards)
        assert [name for name, _ in event.secret.cards] == list(hand)
    assert len(orders) > 4
