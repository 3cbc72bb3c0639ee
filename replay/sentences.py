"""One sentence for each type of event: the table that the transcript reads from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..cards.model import ActivatedAbility, TriggeredAbility
from ..events.combat import (
    AttackersDeclared,
    BlockersDeclared,
    FirstStrikersDetermined,
    RemovedFromCombat,
)
from ..events.game import (
    ChoiceMade,
    GameBegan,
    GameEnded,
    HandKept,
    MulliganDeclared,
    MulliganTaken,
    OpeningHandsDone,
    PlayerLeft,
    PlayerLost,
    PositionArranged,
    StartingPlayerChosen,
)
from ..events.ids import NOBODY, OWNED_ZONES, DefinitionId, ObjectId, PlayerId, Step, ZoneKind
from ..events.life import DamageDealt, DrawFailed, LifeGained, LifeLost
from ..events.mana import ManaAdded, ManaSpent
from ..events.stack import (
    AbilityActivated,
    AbilityTriggered,
    ChosenTarget,
    DelayedTriggerCreated,
    EffectBegan,
    EffectEnded,
    LandPlayed,
    ObjectCountered,
    ObjectResolved,
    SpellCast,
    TriggerPutOnStack,
    TriggerRemoved,
)
from ..events.taking_back import (
    ConsentGiven,
    ConsentRefused,
    JudgeNamed,
    LifeCorrected,
    RepairMade,
    RepairOffered,
    TailLost,
    TakeBackOffered,
    TakenBack,
)
from ..events.turn import (
    PriorityPassed,
    StandingPassRevoked,
    StepBegan,
    TurnActionsDone,
    TurnBegan,
    TurnEffectsEnded,
)
from ..events.zones import (
    CardsRevealed,
    ControlGained,
    CountersPut,
    CountersRemoved,
    LibraryArranged,
    LibraryShuffled,
    MovedCard,
    ObjectAttached,
    ObjectCeased,
    ObjectMoved,
    ObjectsRenamed,
    ObjectUnattached,
    PermanentTapped,
    PermanentTurnedFaceDown,
    PermanentTurnedFaceUp,
    PermanentUntapped,
    SeenCards,
    TokenCreated,
)
from ..projections.definitions import AbilityUnknown
from ..projections.position import Position
from .ability_words import ability_text
from .names import spoken_name, whose_name
from .remedies import remedy_text

Sentence = Callable[[Position, Any], str]

STEP_NAMES = {
    Step.NONE: "before the first turn",
    Step.UNTAP: "untap step",
    Step.UPKEEP: "upkeep",
    Step.DRAW: "draw step",
    Step.MAIN1: "precombat main phase",
    Step.BEGIN_COMBAT: "beginning of combat",
    Step.DECLARE_ATTACKERS: "declare attackers step",
    Step.DECLARE_BLOCKERS: "declare blockers step",
    Step.FIRST_STRIKE_DAMAGE: "first combat damage step",
    Step.COMBAT_DAMAGE: "combat damage step",
    Step.END_COMBAT: "end of combat",
    Step.MAIN2: "postcombat main phase",
    Step.END: "end step",
    Step.CLEANUP: "cleanup step",
}
"""The steps, and the main phases that count as such, in the words of the rules (CR 500.1)."""

_MANNERS = {
    "drawn": "{who} draws {card}",
    "discarded": "{who} discards {card}",
    "destroyed": "{card} is destroyed",
    "sacrificed": "{owner} sacrifices {card}",
    "cast": "{owner} puts {card} on the stack",
    "played": "{owner} puts {card} onto the battlefield",
    "countered": "{card} goes to {whose} graveyard",
    "milled": "{who} mills {card}",
    "died": "{card} is put into {whose} graveyard",
    "shuffled-in": "{who} puts {card} back into the library",
    "put-on-bottom": "{who} puts {card} on the bottom of the library",
    "put-back": "{who} puts {card}, chosen at random, back into the library",
}
_REASONS = {
    "life": "their life total is 0 or less",
    "library": "they drew from an empty library",
    "poison": "they have ten or more poison counters",
    "effect": "an effect says so",
    "concession": "they conceded",
    "agreed": "it was agreed",
    "loop": "nobody can end a loop",
    "simultaneous": "all remaining players lost at once",
    "judge": "a judge's penalty",
}


def _player(game: Position, player: PlayerId) -> str:
    players = game.state.players
    return players[player].name if 0 <= player < len(players) else "nobody"


def _listed(words: Iterable[str]) -> str:
    found = list(words)
    if len(found) < 2:
        return found[0] if found else "nothing"
    return f"{', '.join(found[:-1])} and {found[-1]}"


def _objects(game: Position, items: Iterable[ObjectId]) -> str:
    return _listed(whose_name(game, item) for item in items)


def _card(game: Position, card: DefinitionId) -> str:
    found = game.definitions.find(card) if card else None
    return found.name if found is not None else "a card"


def _thing(game: Position, item: ObjectId, player: PlayerId) -> str:
    return whose_name(game, item) if item else _player(game, player)


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _braced(mana: str) -> str:
    return "".join(f"{{{letter}}}" for letter in mana) or "no mana"


def _aimed(game: Position, targets: Iterable[ChosenTarget]) -> str:
    found = [_thing(game, target.object, target.player) for target in targets]
    return f" targeting {_listed(found)}" if found else ""


def _with_x(x: int) -> str:
    return f" with X = {x}" if x else ""


def _moved(game: Position, event: ObjectMoved) -> str:
    """Return who did what to which card; a card that the viewer does not know is "a card"."""
    secret = event.secret if isinstance(event.secret, MovedCard) else None
    before = event.object or (secret.object if secret is not None else ObjectId(0))
    card = event.card or (secret.card if secret is not None else DefinitionId(b""))
    name = whose_name(game, before)
    if name == "a card" or name.startswith("#"):
        name = _card(game, card)
    owner = _player(game, event.origin_player)
    words = {
        "card": name,
        "who": _player(game, event.player),
        "owner": owner if event.origin_player != NOBODY else _player(game, event.controller),
        "whose": f"{_player(game, event.player)}'s",
    }
    pattern = _MANNERS.get(event.manner)
    if pattern is not None:
        return pattern.format(**words)
    tapped = " tapped" if event.tapped else ""
    face = " face down" if event.face_down else ""
    origin = _zone(game, event.origin, event.origin_player)
    destination = _zone(game, event.destination, event.player)
    return f"{name} goes from {origin} to {destination}{tapped}{face}"


def _zone(game: Position, zone: ZoneKind, player: PlayerId) -> str:
    word = {
        ZoneKind.BATTLEFIELD: "the battlefield",
        ZoneKind.STACK: "the stack",
        ZoneKind.EXILE: "exile",
        ZoneKind.COMMAND: "the command zone",
        ZoneKind.OUTSIDE: "outside the game",
    }.get(zone)
    if word is not None:
        return word
    assert zone in OWNED_ZONES, "every other zone is a player's"
    return f"{_player(game, player)}'s {zone.name.lower()}"


def _revealed(game: Position, event: CardsRevealed) -> str:
    zone = _zone(game, event.zone, event.player)
    if not isinstance(event.secret, SeenCards):
        return f"{_listed(_player(game, one) for one in event.readers)} look at cards of {zone}"
    cards = _listed(_card(game, card) for _, card in event.secret.cards)
    if len(event.readers) == len(game.state.players):
        return f"{_player(game, event.player)} reveals {cards} from {zone}"
    return f"{_listed(_player(game, one) for one in event.readers)} sees {cards} in {zone}"


def _attached(game: Position, event: ObjectAttached) -> str:
    to = _thing(game, event.to, event.to_player)
    return f"{whose_name(game, event.object)} becomes attached to {to}"


def _damage(game: Position, event: DamageDealt) -> str:
    kind = "combat damage" if event.is_combat else "damage"
    to = _thing(game, event.to, event.to_player)
    return f"{whose_name(game, event.source)} deals {event.amount} {kind} to {to}"


def _declared_attackers(game: Position, event: AttackersDeclared) -> str:
    if not event.attackers:
        return f"{_player(game, event.player)} attacks with nothing"
    parts = [
        f"{whose_name(game, item)} attacks {_thing(game, permanent, player)}"
        for item, player, permanent in event.attackers
    ]
    return _listed(parts)


def _declared_blockers(game: Position, event: BlockersDeclared) -> str:
    if not event.blocks:
        return f"{_player(game, event.player)} blocks with nothing"
    return _listed(
        f"{whose_name(game, blocker)} blocks {whose_name(game, attacker)}"
        for blocker, attacker in event.blocks
    )


def _activated(game: Position, event: AbilityActivated) -> str:
    ability = "an ability" if event.object else "a mana ability"
    said = _quoted(game, event.source, event.ability) if event.object else ""
    return (
        f"{_player(game, event.player)} activates {ability} of {whose_name(game, event.source)}"
        f"{_with_x(event.x)}{_aimed(game, event.targets)}{said}"
    )


def _triggered(game: Position, event: AbilityTriggered) -> str:
    said = _quoted(game, event.source, event.ability)
    return f"an ability of {whose_name(game, event.source)} triggers{said}"


def _quoted(game: Position, source: ObjectId, digest: bytes) -> str:
    """Return what an ability says, behind a colon; empty where nobody can know or render it."""
    traits = game.characteristics(source)
    try:
        ability = game.definitions.ability(digest)
    except AbilityUnknown:
        return ""
    if not traits.name or not isinstance(ability, TriggeredAbility | ActivatedAbility):
        return ""
    return f": “{ability_text(traits, ability)}”"


def _cast(game: Position, event: SpellCast) -> str:
    return (
        f"{_player(game, event.player)} casts {whose_name(game, event.object)}"
        f"{_with_x(event.x)}{_aimed(game, event.targets)}"
    )


def _waiting_name(game: Position, number: int) -> str:
    for waiting in game.state.pending:
        if waiting.number == number:
            return whose_name(game, waiting.source)
    return "what has triggered"


def _effect_ended(game: Position, event: EffectEnded) -> str:
    for effect in game.state.effects:
        if effect.number == event.number:
            return f"the effect of {whose_name(game, effect.source)} ends"
    return f"effect {event.number} ends"


def _effect_began(game: Position, event: EffectBegan) -> str:
    lasting = event.duration.replace("-", " ")
    on = f" on {_objects(game, event.objects)}" if event.objects else ""
    return f"an effect of {whose_name(game, event.source)} begins{on} ({lasting})"


def _choice(game: Position, event: ChoiceMade) -> str:
    who = _player(game, event.player)
    if event.objects:
        return f"{who} chooses {_objects(game, event.objects)}"
    if event.players:
        return f"{who} chooses {_listed(_player(game, one) for one in event.players)}"
    said = {0: "no", 1: "yes"}.get(event.number, str(event.number))
    return f"{who} chooses {said}"


def _ended(game: Position, event: GameEnded) -> str:
    reason = _REASONS.get(event.reason, event.reason)
    if not event.winners:
        return f"the game is a draw: {reason}"
    return f"{_listed(_player(game, one) for one in event.winners)} wins the game"


def _began(game: Position, event: GameBegan) -> str:
    seats = _listed(f"{seat.name} ({_plural(seat.deck_size, 'card')})" for seat in event.players)
    return f"a game begins between {seats}: {event.variant}, rules of {event.edition}"


def _arranged(game: Position, event: PositionArranged) -> str:
    seats = _listed(f"{seat.name} ({seat.life} life)" for seat in event.players)
    return f"a position is arranged for {seats}: {event.variant}, rules of {event.edition}"


SENTENCES: dict[type, Sentence] = {
    ObjectMoved: _moved,
    LibraryShuffled: lambda g, e: f"{_player(g, e.player)}'s library is shuffled",
    LibraryArranged: lambda g, e: (
        f"{_player(g, e.player)} puts {_plural(e.bottom, 'card')} on the bottom of the library"
        f" and keeps {e.count - e.bottom} on top"
    ),
    ObjectsRenamed: lambda g, e: (
        f"nobody can follow the cards of {_zone(g, e.zone, e.player)} any more"
    ),
    CardsRevealed: _revealed,
    TokenCreated: lambda g, e: f"{_player(g, e.owner)} creates {_card(g, e.card)}",
    ObjectCeased: lambda g, e: f"{whose_name(g, e.object)} ceases to exist",
    PermanentTapped: lambda g, e: f"{whose_name(g, e.object)} becomes tapped",
    PermanentTurnedFaceUp: lambda g, e: f"{whose_name(g, e.object)} is turned face up",
    PermanentTurnedFaceDown: lambda g, e: f"{whose_name(g, e.object)} is turned face down",
    PermanentUntapped: lambda g, e: f"{whose_name(g, e.object)} untaps",
    CountersPut: lambda g, e: (
        f"{_plural(e.amount, f'{e.kind} counter')} are put on {whose_name(g, e.object)}"
        if e.amount != 1
        else f"a {e.kind} counter is put on {whose_name(g, e.object)}"
    ),
    CountersRemoved: lambda g, e: (
        f"{_plural(e.amount, f'{e.kind} counter')} removed from {whose_name(g, e.object)}"
    ),
    ObjectAttached: _attached,
    ObjectUnattached: lambda g, e: f"{whose_name(g, e.object)} becomes unattached",
    ControlGained: lambda g, e: (
        f"{_player(g, e.player)} gains control of {spoken_name(g, e.object)}"
    ),
    TurnBegan: lambda g, e: f"turn {e.number} begins: {_player(g, e.active)}'s",
    StepBegan: lambda _, e: f"the {STEP_NAMES[e.step]} begins",
    PriorityPassed: lambda g, e: f"{_player(g, e.player)} passes",
    StandingPassRevoked: lambda g, e: f"{_player(g, e.player)} stops passing",
    TurnEffectsEnded: lambda *_: "damage wears off and effects until end of turn end",
    TurnActionsDone: lambda *_: "the turn-based actions of the step are done",
    DamageDealt: _damage,
    LifeGained: lambda g, e: f"{_player(g, e.player)} gains {e.amount} life",
    LifeLost: lambda g, e: f"{_player(g, e.player)} loses {e.amount} life",
    DrawFailed: lambda g, e: f"{_player(g, e.player)} cannot draw: the library is empty",
    ManaAdded: lambda g, e: (
        f"{_player(g, e.player)} adds {_braced(e.mana)} from {spoken_name(g, e.source)}"
    ),
    ManaSpent: lambda g, e: f"{_player(g, e.player)} spends {_braced(e.mana)}",
    AttackersDeclared: _declared_attackers,
    BlockersDeclared: _declared_blockers,
    RemovedFromCombat: lambda g, e: f"{whose_name(g, e.object)} is removed from combat",
    FirstStrikersDetermined: lambda g, e: f"{_objects(g, e.objects)} will strike first",
    SpellCast: _cast,
    AbilityActivated: _activated,
    AbilityTriggered: _triggered,
    TriggerPutOnStack: lambda g, e: (
        f"the triggered ability of {_waiting_name(g, e.number)} goes on the stack"
        f"{_aimed(g, e.targets)}"
    ),
    TriggerRemoved: lambda g, e: (
        f"the triggered ability of {_waiting_name(g, e.number)} has no legal target"
    ),
    ObjectResolved: lambda g, e: f"{whose_name(g, e.object)} resolves",
    ObjectCountered: lambda g, e: f"{whose_name(g, e.object)} does not resolve",
    LandPlayed: lambda g, e: f"{_player(g, e.player)} plays {spoken_name(g, e.object)}",
    EffectBegan: _effect_began,
    EffectEnded: _effect_ended,
    DelayedTriggerCreated: lambda g, e: f"a delayed trigger of {whose_name(g, e.source)} waits",
    GameBegan: _began,
    StartingPlayerChosen: lambda g, e: f"{_player(g, e.player)} takes the first turn",
    MulliganTaken: lambda g, e: f"{_player(g, e.player)} takes a mulligan",
    HandKept: lambda g, e: f"{_player(g, e.player)} keeps the opening hand",
    MulliganDeclared: lambda g, e: f"{_player(g, e.player)} will take a mulligan",
    OpeningHandsDone: lambda *_: "all opening hands are kept",
    ChoiceMade: _choice,
    PlayerLost: lambda g, e: (
        f"{_player(g, e.player)} loses the game: {_REASONS.get(e.reason, e.reason)}"
    ),
    PlayerLeft: lambda g, e: f"{_player(g, e.player)} leaves the game",
    GameEnded: _ended,
    PositionArranged: _arranged,
    JudgeNamed: lambda *_: "a judge is named, whose repairs need no consent",
    TakeBackOffered: lambda g, e: (
        f"{_player(g, e.player)} offers to go back to after commit {e.to}"
    ),
    RepairOffered: lambda g, e: f"the judge proposes: {remedy_text(g, e.remedy)}",
    ConsentGiven: lambda g, e: f"{_player(g, e.player)} agrees",
    ConsentRefused: lambda g, e: f"{_player(g, e.player)} does not agree",
    TakenBack: lambda _, e: (
        f"the game goes back to after commit {e.to}: commits {e.to + 1} to {e.last} are undone"
    ),
    RepairMade: lambda g, e: f"the judge mends the game: {remedy_text(g, e.remedy)}",
    TailLost: lambda _, e: (
        f"the store has lost commits {e.kept + 1} to {e.last}, which were void from then on"
    ),
    LifeCorrected: lambda g, e: f"{_player(g, e.player)}'s life total is set right: {e.life}",
}
"""How each type of event reads; complete by a test."""
