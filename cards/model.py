"""The ability model: what a card's text says, as small typed records.

The compiler lowers Oracle text to these records, `render` writes them back as English, the
procedures of `rules/` interpret them. Nothing here knows a card by name. Records are encoded
with their defaults left out, so a field added later with a default changes no card's digest.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ..events.ids import Step, ZoneKind


class Node(msgspec.Struct, frozen=True, omit_defaults=True, tag=True):
    """A record of the model; the tag is the class's name."""


# What an ability points at


class This(Node):
    """The object that has the ability ("this creature", the card's own name, CR 201.5)."""


class AttachedTo(Node):
    """The object or player that this permanent is attached to ("enchanted creature")."""


class Target(Node):
    """The objects or players chosen for the n-th target phrase of the ability, from 0 (CR 115)."""

    index: int = 0


class Earlier(Node):
    """What the n-th earlier instruction of this ability dealt with ("those creatures", "it")."""

    index: int = 0


class EventObject(Node):
    """The object that the trigger event was about ("that creature", "that spell")."""


class Every(Node):
    """All objects that the filter describes."""

    what: Filter


class Chosen(Node):
    """Objects picked while resolving, without targeting ("a creature you control")."""

    by: Players
    what: Filter
    amount: Amount
    up_to: bool = False
    at_random: bool = False


class You(Node):
    """The controller of the ability (CR 109.5)."""


class EachPlayer(Node):
    """Every player, or every opponent of the controller, in APNAP order."""

    opponents_only: bool = False


class EventPlayer(Node):
    """The player that the trigger event was about ("that player")."""


class DefendingPlayer(Node):
    """The player that the attacking source attacks (CR 508.5)."""


class ControllerOf(Node):
    """The controller of an object, as it last existed if need be (CR 608.2h)."""

    of: Objects


class OwnerOf(Node):
    """The owner of an object."""

    of: Objects


Objects = This | AttachedTo | Target | Earlier | EventObject | Every | Chosen
Players = You | EachPlayer | EventPlayer | DefendingPlayer | ControllerOf | OwnerOf | Target

Recipient = (
    This
    | AttachedTo
    | Target
    | Earlier
    | EventObject
    | Every
    | Chosen
    | You
    | EachPlayer
    | EventPlayer
    | DefendingPlayer
    | ControllerOf
    | OwnerOf
)
"""Objects or players: what damage is dealt to, what a spell may target."""


class Comparison(Node):
    """A test of a number: power, toughness, mana value, how many."""

    value: Amount
    relation: Literal["=", "<=", ">=", "<", ">"] = "="


class Filter(Node):
    """A description of objects ("other tapped creatures you control with flying").

    All that is said must hold. `any_type` is an "or" over card types and subtypes, `types` an
    "and". `identity` narrows to the source itself, to what it is attached to, or to others.
    `controller` is whose they are, on the stack and battlefield; `owner` elsewhere.
    """

    zone: ZoneKind = ZoneKind.BATTLEFIELD
    types: tuple[str, ...] = ()
    any_type: tuple[str, ...] = ()
    not_types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    not_supertypes: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    any_color: tuple[str, ...] = ()
    not_colors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    not_keywords: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    identity: Literal["any", "other", "this", "attached", "not-attached"] = "any"
    controller: Literal["any", "you", "opponent", "not-you"] | Players = "any"
    owner: Literal["any", "you", "opponent", "not-you"] | Players = "any"
    tapped: bool | None = None
    attacking: bool | None = None
    blocking: bool | None = None
    blocked: bool | None = None
    token: bool | None = None
    face_down: bool | None = None
    power: Comparison | None = None
    toughness: Comparison | None = None
    mana_value: Comparison | None = None
    counters: str = ""


# Numbers


class Number(Node):
    """A printed number."""

    value: int


class VariableX(Node):
    """The X of this spell or ability (CR 107.3)."""


class CountOf(Node):
    """How many objects the filter finds, times a factor ("1 life for each creature you control")."""

    what: Filter
    each: int = 1


class PowerOf(Node):
    """The power of an object, current or last known (CR 608.2h)."""

    of: Objects


class ToughnessOf(Node):
    """The toughness of an object, current or last known."""

    of: Objects


class ManaValueOf(Node):
    """The mana value of an object (CR 202.3)."""

    of: Objects


class CountersOn(Node):
    """The number of counters of a kind on an object."""

    of: Objects
    kind: str


class CardsInHand(Node):
    """The number of cards in a player's hand."""

    of: Players


class LifeTotal(Node):
    """A player's life total."""

    of: Players


class EventAmount(Node):
    """The number in the trigger event ("that much damage")."""


class Negative(Node):
    """The number with its sign turned ("-X/-X")."""

    of: Amount


Amount = (
    Number
    | VariableX
    | CountOf
    | PowerOf
    | ToughnessOf
    | ManaValueOf
    | CountersOn
    | CardsInHand
    | LifeTotal
    | EventAmount
    | Negative
)


# Conditions


class Exists(Node):
    """At least so many such objects exist ("as long as you control a Dragon")."""

    what: Filter
    at_least: int = 1


class Matches(Node):
    """The objects named are as the filter says ("as long as it's attacking")."""

    of: Objects
    what: Filter


class Compare(Node):
    """One number stands in a relation to another ("if you have 40 or more life")."""

    left: Amount
    right: Amount
    relation: Literal["=", "<=", ">=", "<", ">"]


class YourTurn(Node):
    """It is the controller's turn."""


class NotSo(Node):
    """The condition does not hold."""

    condition: Condition


class AllOf(Node):
    """All the conditions hold."""

    conditions: tuple[Condition, ...]


Condition = Exists | Matches | Compare | YourTurn | NotSo | AllOf


# Costs


class Cost(Node):
    """What is paid: mana in symbols ("{2}{R}", CR 107.4) and further parts (CR 118)."""

    mana: str = ""
    tap: bool = False
    untap: bool = False
    life: int = 0
    loyalty: int | None = None
    sacrifice: Chosen | This | None = None
    discard: Chosen | This | None = None
    exile: Chosen | This | None = None
    return_to_hand: Chosen | This | None = None
    tap_others: Chosen | None = None
    remove_counters: tuple[str, int] | None = None


# Durations

Duration = Literal[
    "end-of-turn",
    "this-turn",
    "static",
    "for-ever",
    "until-your-next-turn",
    "end-of-combat",
    "next-untap-step",
    "while-source-remains",
]
""""next-untap-step" lasts through the affected permanents' controller's next untap step."""


# Changes of characteristics and of rules for objects (CR 613)


class ModifyPowerToughness(Node):
    """+X/+Y (layer 7c)."""

    power: Amount
    toughness: Amount


class SetPowerToughness(Node):
    """Base power and toughness are set (layer 7b), or defined (7a) by a CDA."""

    power: Amount | None = None
    toughness: Amount | None = None
    defining: bool = False


class SwitchPowerToughness(Node):
    """Power and toughness are switched (layer 7d)."""


class GrantAbility(Node):
    """The object has the abilities (layer 6)."""

    abilities: tuple[Ability, ...]


class LoseAbilities(Node):
    """The object loses the named keywords, or all abilities where none is named (layer 6)."""

    keywords: tuple[str, ...] = ()


class ChangeTypes(Node):
    """Types are set or added (layer 4).

    Without `in_addition`, given subtypes replace the subtypes of the same kind (CR 205.1a); given
    card types replace card types; `creature_types` or `land_types` say which kind subtypes are.
    """

    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    in_addition: bool = False


class ChangeColors(Node):
    """Colours are set, or added with `in_addition` (layer 5); none is colourless."""

    colors: tuple[str, ...] = ()
    in_addition: bool = False


class ChangeControl(Node):
    """The object's controller changes (layer 2)."""

    to: Players


class CannotAttack(Node):
    """The creature can't attack (CR 508.1c)."""


class CannotBlock(Node):
    """The creature can't block (CR 509.1b)."""

    attackers: Filter | None = None


class CannotBeBlocked(Node):
    """The creature can't be blocked, or only by what the filter describes, or not by that."""

    except_by: Filter | None = None
    by: Filter | None = None


class BlockersAtMost(Node):
    """The creature can't be blocked by more than so many creatures."""

    maximum: int


class BlockersAtLeast(Node):
    """The creature can't be blocked except by so many creatures or more."""

    minimum: int


class CanBlockAdditional(Node):
    """The creature can block so many more creatures each combat; -1 is any number."""

    extra: int


class DoesNotUntap(Node):
    """The permanent doesn't untap during its controller's untap step (CR 502.3)."""


class MustAttack(Node):
    """The creature attacks each combat if able (CR 508.1d)."""


class MustBlock(Node):
    """The creature blocks each combat if able (CR 509.1c)."""


class MustBeBlocked(Node):
    """The creature must be blocked if able; with `by_all`, by all able to block it."""

    by_all: bool = False


class CannotBeTargeted(Node):
    """The object can't be the target of spells or abilities (of opponents)."""

    opponents_only: bool = False


class CannotBeCountered(Node):
    """The spell can't be countered."""


RuleChange = (
    CannotAttack
    | CannotBlock
    | CannotBeBlocked
    | BlockersAtMost
    | BlockersAtLeast
    | CanBlockAdditional
    | DoesNotUntap
    | MustAttack
    | MustBlock
    | MustBeBlocked
    | CannotBeTargeted
    | CannotBeCountered
)
"""Changes of the rules for an object: after the layers, in timestamp order (CR 613.11)."""

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


# Instructions


class DealDamage(Node):
    """A source deals damage to recipients (CR 120)."""

    amount: Amount
    to: Recipient
    source: Objects = This()


class GainLife(Node):
    """Players gain life (CR 119)."""

    player: Players
    amount: Amount


class LoseLife(Node):
    """Players lose life (CR 119)."""

    player: Players
    amount: Amount


class DrawCards(Node):
    """Players draw cards, one at a time (CR 121.2)."""

    player: Players
    amount: Amount


class Discard(Node):
    """Players discard cards of their choice, or at random (CR 701.9)."""

    player: Players
    amount: Amount
    at_random: bool = False


class Mill(Node):
    """Players put the top cards of their libraries into their graveyards (CR 701.13)."""

    player: Players
    amount: Amount


class Scry(Node):
    """Players look at top cards and put any of them on the bottom (CR 701.18)."""

    player: Players
    amount: Amount


class Destroy(Node):
    """Permanents are destroyed (CR 701.7)."""

    what: Objects
    no_regeneration: bool = False


class Sacrifice(Node):
    """Players sacrifice permanents (CR 701.17)."""

    player: Players
    what: Objects


class TapObjects(Node):
    """Permanents are tapped (CR 701.21)."""

    what: Objects


class UntapObjects(Node):
    """Permanents are untapped (CR 701.21)."""

    what: Objects


class MoveObjects(Node):
    """Objects are put into a zone: returned to hand, exiled, put onto the battlefield.

    Into a hand, library or graveyard it is their owner's. Onto the battlefield they come under
    their owner's control, or the ability's controller's with `under_your_control`.
    """

    what: Objects
    to: ZoneKind
    tapped: bool = False
    under_your_control: bool = False
    library_position: Literal["top", "bottom"] = "top"


class PutCounters(Node):
    """Counters are put on objects (CR 122)."""

    what: Objects
    kind: str
    amount: Amount


class RemoveCounters(Node):
    """Counters are removed from objects (CR 122)."""

    what: Objects
    kind: str
    amount: Amount


class CounterSpell(Node):
    """Spells or abilities on the stack are countered (CR 701.6)."""

    what: Objects


class Fight(Node):
    """Two creatures fight (CR 701.14)."""

    first: Objects
    second: Objects


class AddMana(Node):
    """Mana is added to a player's pool (CR 106.4): each option is a string of symbols.

    More than one option is a choice; `amount` repeats the chosen one.
    """

    options: tuple[str, ...]
    player: Players = You()
    amount: Amount = Number(1)


class CreateTokens(Node):
    """Tokens are created (CR 111)."""

    amount: Amount
    token: TokenTemplate
    player: Players = You()
    tapped: bool = False


class TokenTemplate(Node):
    """What a created token is (CR 111.4)."""

    power: int | None
    toughness: int | None
    colors: tuple[str, ...]
    types: tuple[str, ...]
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    name: str = ""
    abilities: tuple[Ability, ...] = ()


class Continuously(Node):
    """A continuous effect begins that changes objects for a duration (CR 611.2).

    The set of objects is locked when it begins (CR 611.2c).
    """

    what: Objects
    modifications: tuple[Modification, ...]
    duration: Duration


class May(Node):
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


class Delayed(Node):
    """A delayed triggered ability is created (CR 603.7)."""

    trigger: Trigger
    body: Body


class If(Node):
    """Instructions that are followed only if a condition holds (CR 608.2c)."""

    condition: Condition
    then: tuple[Instruction, ...]
    otherwise: tuple[Instruction, ...] = ()


class ShuffleLibrary(Node):
    """Players shuffle their libraries (CR 701.20)."""

    player: Players


class WinGame(Node):
    """A player wins the game (CR 104.2b)."""

    player: Players


class LoseGame(Node):
    """Players lose the game (CR 104.3e)."""

    player: Players


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
)


class TargetSpec(Node):
    """One use of the word "target" (CR 115.1): what may be chosen, and how many.

    `what` describes objects (None: no objects); `players` says which players may be chosen.
    "Any target" is creatures, planeswalkers, battles and players (CR 115.4).
    """

    what: Filter | None = None
    players: Literal["none", "any", "opponent", "you"] = "none"
    minimum: int = 1
    maximum: int = 1


class Mode(Node):
    """One of the options of a modal spell or ability (CR 700.2)."""

    targets: tuple[TargetSpec, ...]
    instructions: tuple[Instruction, ...]


class Body(Node):
    """What a spell or ability does: its targets and its instructions in order (CR 608.2c)."""

    targets: tuple[TargetSpec, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    modes: tuple[Mode, ...] = ()
    modes_minimum: int = 1
    modes_maximum: int = 1


# Triggers


class Enters(Node):
    """Whenever such a permanent enters the battlefield (CR 603.6a)."""

    what: Filter


class Dies(Node):
    """Whenever such a permanent is put into a graveyard from the battlefield (CR 700.4)."""

    what: Filter


class LeavesBattlefield(Node):
    """Whenever such a permanent leaves the battlefield (CR 603.6c)."""

    what: Filter


class Attacks(Node):
    """Whenever such a creature is declared as an attacker (CR 508.3a)."""

    what: Filter


class Blocks(Node):
    """Whenever such a creature is declared as a blocker (CR 509.3a)."""

    what: Filter


class BecomesBlocked(Node):
    """Whenever such an attacking creature becomes blocked (CR 509.3c)."""

    what: Filter


class CastsSpell(Node):
    """Whenever a player casts such a spell (CR 601.2i)."""

    player: Players
    what: Filter


class DealsDamage(Node):
    """Whenever such a source deals damage (CR 120.3)."""

    what: Filter
    combat_only: bool = False
    to: Literal["any", "player", "opponent", "creature"] = "any"


class StepBegins(Node):
    """At the beginning of a step of those players' turns (CR 603.6)."""

    step: Step
    whose: Players


class BecomesTapped(Node):
    """Whenever such a permanent becomes tapped."""

    what: Filter


class BecomesTarget(Node):
    """Whenever such an object becomes the target of a spell or ability."""

    what: Filter
    by_opponent: bool = False


class GainsLife(Node):
    """Whenever a player gains life."""

    player: Players


class DrawsCard(Node):
    """Whenever a player draws a card."""

    player: Players


Trigger = (
    Enters
    | Dies
    | LeavesBattlefield
    | Attacks
    | Blocks
    | BecomesBlocked
    | CastsSpell
    | DealsDamage
    | StepBegins
    | BecomesTapped
    | BecomesTarget
    | GainsLife
    | DrawsCard
)


# Abilities (CR 113.3)


class SpellAbility(Node):
    """What an instant or sorcery does as it resolves (CR 113.3a)."""

    body: Body


class ActivatedAbility(Node):
    """A cost, a colon and an effect (CR 602). A mana ability where CR 605.1a says so."""

    cost: Cost
    body: Body
    once_each_turn: bool = False
    sorcery_speed: bool = False
    zone: ZoneKind = ZoneKind.BATTLEFIELD


class TriggeredAbility(Node):
    """A trigger and an effect (CR 603), with an intervening "if" where `condition` is given."""

    trigger: Trigger
    body: Body
    condition: Condition | None = None
    zone: ZoneKind = ZoneKind.BATTLEFIELD


class StaticAbility(Node):
    """A continuous effect while the source functions (CR 604, 611.3)."""

    affects: Objects
    modifications: tuple[Modification, ...]
    condition: Condition | None = None
    zone: ZoneKind = ZoneKind.BATTLEFIELD


class EntersWith(Node):
    """The permanent enters tapped or with counters: a replacement effect (CR 614.1c, 614.12)."""

    what: Filter
    tapped: bool = False
    counters: tuple[tuple[str, Amount], ...] = ()
    condition: Condition | None = None


class KeywordAbility(Node):
    """A keyword of CR 702 by its lower-case name, with what it takes."""

    name: str
    amount: int | None = None
    cost: Cost | None = None
    filter: Filter | None = None


Ability = (
    SpellAbility
    | ActivatedAbility
    | TriggeredAbility
    | StaticAbility
    | EntersWith
    | KeywordAbility
)


class CardDefinition(Node):
    """A card as the rules see it: its printed characteristics (CR 109.3) and its abilities.

    `reminder` keeps text in parentheses, which has no effect on play (CR 207.2a), so that what
    was read is all there.
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

