"""Games that begin in the middle, with the hands that a test wants."""

from collections.abc import Iterator

from apnap.actors.live_table import LiveTable
from apnap.events.edition import edition_named
from apnap.events.game import PlacedObject, PlacedPlayer, PositionArranged
from apnap.events.ids import NOBODY, PlayerId, Step, ZoneKind
from apnap.events.seals import GameSecrets
from apnap.projections.definitions import Definitions
from apnap.projections.position import Position
from apnap.projections.state import State

from .playing import Played, Sitting, deck_names, definition_of

ALICE, BOB = PlayerId(0), PlayerId(1)


def sit_at(seed: int, hands: tuple[tuple[str, ...], ...]) -> Sitting:
    """Return a table where each player has lands and a creature, and holds some cards.

    Their costs are always payable.
    """
    secrets = GameSecrets.from_seed(seed, len(hands))
    definitions = Definitions()
    game = Position(State(), definitions, edition_named("2025-02"))
    played = Played(len(hands), secrets, definitions)

    def placed(zone: ZoneKind, owner: int, name: str, *, face_down: bool = False) -> PlacedObject:
        player = PlayerId(owner)
        card = definitions.add(definition_of(name))
        return PlacedObject(
            zone, player, player, card, False, False, face_down, (), 0, NOBODY, is_token=False
        )

    def all_placed() -> Iterator[PlacedObject]:
        for owner, hand in enumerate(hands):
            deck = deck_names("tricks")
            yield from (placed(ZoneKind.LIBRARY, owner, name) for name in deck[-20:])
            yield from (placed(ZoneKind.HAND, owner, name) for name in hand)
            yield from (placed(ZoneKind.BATTLEFIELD, owner, "Island") for _ in range(3))
            yield placed(ZoneKind.BATTLEFIELD, owner, "Raging Goblin")
            yield placed(ZoneKind.EXILE, owner, ("Craw Wurm", "Serra Angel")[owner], face_down=True)

    table = LiveTable(game, secrets, played)
    players = tuple(
        PlacedPlayer(name, 20, "", (), any_mana=True)
        for name in ("alice", "bob", "carol")[: len(hands)]
    )
    arranged = PositionArranged(
        "103.1",
        0,
        "2025-02",
        "duel",
        players,
        tuple(all_placed()),
        ALICE,
        Step.MAIN1,
        3,
        keep_order=False,
    )
    table.arrange(arranged)
    return Sitting(table, played)
