"""The part of the ability model that is recursive: abilities hold bodies, which grant abilities.

Re-exported by `cards/model.py`, which is what the rest of the program imports. The records that
refer to each other in a circle share this module, so that msgspec can resolve their annotations.
"""

from __future__ import annotations

from typing import Literal

from ..events.ids import ZoneKind
from .model_conditions import Condition, Cost, Duration
from .model_hidden import (
    DiscardCards,
    ExileTopFaceDown,
    LookAtHand,
    PutAndRest,
    RevealCards,
    RevealHand,
    RevealTop,
    SearchLibrary,
)
from .model_instructions import (
    AddMana,
    Attach,
    CounterSpell,
    DealDamage,
    Destroy,
    Discard,
    DrawCards,
    Fight,
    GainLife,
    LoseGame,
    LoseLife,
    Mill,
    MoveObjects,
    PutCounters,
    RemoveCounters,
    Sacrifice,
    Scry,
    ShuffleLibrary,
    TapObjects,
    UntapObjects,
    WinGame,
)
from .model_modifications import (
    ChangeColors,
    ChangeControl,
    ChangeTypes,
    LoseAbilities,
    ModifyPowerToughness,
    RuleChange,
    SetPowerToughness,
    SwitchPowerToughness,
)
from .model_objects import Amount, Filter, Node, Objects, Players, You
from .model_triggers import Trigger


class GrantAbility(Node, frozen=True):
    """The object has the abilities (layer 6)."""

    abilities: tuple[Ability, ...]


Modification = (
    ModifyPowerToughness
    | SetPowerToughness
    | SwitchPowerToughness
    | GrantAbility
    | LoseAbilities
    | ChangeTypes
    | ChangeColors
    | ChangeControl
    | RuleChange
)


class CreateTokens(Node, frozen=True):
    """Tokens are created (CR 111)."""

    amount: Amount
    token: TokenTemplate
    player: Players = You()
    tapped: bool = False


class TokenTemplate(Node, frozen=True):
    """What a created token is (CR 111.4)."""

    power: int | None
    toughness: int | None
    colors: tuple[str, ...]
    types: tuple[str, ...]
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    name: str = ""
    abilities: tuple[Ability, ...] = ()


class Continuously(Node, frozen=True):
    """A continuous effect begins that changes objects for a duration (CR 611.2).

    The set of objects is locked when it begins (CR 611.2c).
    """

    what: Objects
    modifications: tuple[Modification, ...]
    duration: Duration


class May(Node, frozen=True):
    """A player may do something, perhaps at a cost; what follows if they do or do not.

    `then` is done at once ("if you do"); `when_done` is a reflexive triggered ability
    (CR 603.12, "when you do"), with targets of its own.
    """

    player: Players
    do: tuple[Instruction, ...] = ()
    cost: Cost | None = None
    then: tuple[Instruction, ...] = ()
    otherwise: tuple[Instruction, ...] = ()
    when_done: Body | None = None


class Delayed(Node, frozen=True):
    """A delayed triggered ability is created (CR 603.7)."""

    trigger: Trigger
    body: Body


class If(Node, frozen=True):
    """Instructions that are followed only if a condition holds (CR 608.2c)."""

    condition: Condition
    then: tuple[Instruction, ...]
    otherwise: tuple[Instruction, ...] = ()


class ChooseCards(Node, frozen=True):
    """A player chooses among cards they see, of a hand or of what was found (CR 608.2d).

    With `optional` they may choose none; `then` follows if they have chosen ("if you do").
    """

    by: Players
    what: Filter | None = None
    among: Objects | None = None
    optional: bool = False
    then: tuple[Instruction, ...] = ()


Instruction = (
    DealDamage
    | GainLife
    | LoseLife
    | DrawCards
    | Discard
    | Mill
    | Scry
    | Destroy
    | Sacrifice
    | TapObjects
    | UntapObjects
    | MoveObjects
    | PutCounters
    | RemoveCounters
    | Attach
    | CounterSpell
    | Fight
    | AddMana
    | CreateTokens
    | Continuously
    | May
    | Delayed
    | If
    | ShuffleLibrary
    | WinGame
    | LoseGame
    | ChooseCards
    | DiscardCards
    | ExileTopFaceDown
    | LookAtHand
    | PutAndRest
    | RevealCards
    | RevealHand
    | RevealTop
    | SearchLibrary
)


class TargetSpec(Node, frozen=True):
    """One use of the word "target" (CR 115.1): what may be chosen, and how many.

    `what` describes objects (None: no objects); `players` says which players may be chosen.
    "Any target" is creatures, planeswalkers, battles and players (CR 115.4).
    """

    what: Filter | None = None
    players: Literal["none", "any", "opponent", "you"] = "none"
    minimum: int = 1
    maximum: int = 1


class Mode(Node, frozen=True):
    """One of the options of a modal spell or ability (CR 700.2)."""

    targets: tuple[TargetSpec, ...]
    instructions: tuple[Instruction, ...]


class Body(Node, frozen=True):
    """What a spell or ability does: its targets and its instructions in order (CR 608.2c)."""

    targets: tuple[TargetSpec, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    modes: tuple[Mode, ...] = ()
    modes_minimum: int = 1
    modes_maximum: int = 1


class SpellAbility(Node, frozen=True):
    """What an instant or sorcery does as it resolves (CR 113.3a)."""

    body: Body


class ActivatedAbility(Node, frozen=True):
    """A cost, a colon and an effect (CR 602). A mana ability where CR 605.1a says so.

    It may be activated only while `only_if` holds, where one is given (CR 602.5b).
    """

    cost: Cost
    body: Body
    once_each_turn: bool = False
    sorcery_speed: bool = False
    zone: ZoneKind = ZoneKind.BATTLEFIELD
    only_if: Condition | None = None


class TriggeredAbility(Node, frozen=True):
    """A trigger and an effect (CR 603), with an intervening "if" where `condition` is given."""

    trigger: Trigger
    body: Body
    condition: Condition | None = None
    zone: ZoneKind = ZoneKind.BATTLEFIELD


class StaticAbility(Node, frozen=True):
    """A continuous effect while the source functions (CR 604, 611.3)."""

    affects: Objects
    modifications: tuple[Modification, ...]
    condition: Condition | None = None
    zone: ZoneKind = ZoneKind.BATTLEFIELD


class EntersWith(Node, frozen=True):
    """The permanent enters tapped or with counters: a replacement effect (CR 614.1c, 614.12).

    As it enters, permanents may be turned face down: `turns_down` describes them.
    """

    what: Filter
    tapped: bool = False
    counters: tuple[tuple[str, Amount], ...] = ()
    condition: Condition | None = None
    turns_down: Filter | None = None


class KeywordAbility(Node, frozen=True):
    """A keyword of CR 702 by its lower-case name, with what it takes."""

    name: str
    amount: int | None = None
    cost: Cost | None = None
    filter: Filter | None = None


Ability = (
    SpellAbility | ActivatedAbility | TriggeredAbility | StaticAbility | EntersWith | KeywordAbility
)


class CardDefinition(Node, frozen=True):
    """A card as the rules see it: its printed characteristics (CR 109.3) and its abilities.

    `reminder` keeps what has no effect on play, so that what was read is all there: text in
    parentheses (CR 207.2a), ability words (207.2c), and words that the text could do without.
    """

    name: str
    mana_cost: str = ""
    colors: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    power: int | None = None
    toughness: int | None = None
    loyalty: int | None = None
    abilities: tuple[Ability, ...] = ()
    reminder: tuple[str, ...] = ()
    is_token: bool = False
