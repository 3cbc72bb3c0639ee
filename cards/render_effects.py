"""Instructions as English sentences."""

from __future__ import annotations

from ..events.ids import Step, ZoneKind
from .lower import Scope
from .model import (
    AddMana,
    Amount,
    Body,
    CardsInHand,
    ChangeControl,
    Chosen,
    Continuously,
    CounterSpell,
    CountOf,
    CreateTokens,
    DealDamage,
    Delayed,
    Destroy,
    Discard,
    DoesNotUntap,
    DrawCards,
    EachPlayer,
    Every,
    Fight,
    Filter,
    GainLife,
    If,
    Instruction,
    KeywordAbility,
    LoseGame,
    LoseLife,
    May,
    Mill,
    MoveObjects,
    MustBeBlocked,
    Number,
    Objects,
    Players,
    PutCounters,
    Recipient,
    RemoveCounters,
    Sacrifice,
    Scry,
    ShuffleLibrary,
    StepBegins,
    TapObjects,
    This,
    TokenTemplate,
    Trigger,
    UntapObjects,
    WinGame,
    You,
)
from .render_changes import Predicates, Quote, joined_list
from .render_conditions import condition_text
from .render_keywords import cost_text, keyword_text, own_cards_text
from .render_phrases import Phrases, Unrenderable, with_article

_DURATIONS = {
    "end-of-turn": " until end of turn",
    "this-turn": " this turn",
    "until-your-next-turn": " until your next turn",
    "end-of-combat": " until end of combat",
    "for-ever": "",
}
_ANY_COLOR = ("{W}", "{U}", "{B}", "{R}", "{G}")
_MODES = {(1, 1): "one", (2, 2): "two", (1, 2): "one or both"}


class Sentences:
    """Writes the instructions of one body, in order."""

    def __init__(self, phrases: Phrases, quote: Quote) -> None:
        """Take the writer of phrases, whose scope belongs to this body."""
        self.p = phrases
        self.quote = quote
        self.bare = False  # "you may have that player draw a card": no s behind the verb

    def body(self, body: Body) -> str:
        """Return what a spell or ability does."""
        if body.modes:
            return self._modes(body)
        self.p.specs = body.targets
        texts = []
        for index, instruction in enumerate(body.instructions):
            self.p.scope.at = index
            texts.append(self.sentence(instruction))
        return " ".join(texts)

    def _modes(self, body: Body) -> str:
        count = (body.modes_minimum, body.modes_maximum)
        word = _MODES.get(count, "one or more")
        outer = self.p.scope
        lines = [f"Choose {word} —"]
        for mode in body.modes:
            self.p.scope = Scope(outer.it, outer.that_player, outer.that_nouns)
            lines.append("• " + self.body(Body(mode.targets, mode.instructions)))
        self.p.scope = outer
        return "\n".join(lines)

    def sentence(self, instruction: Instruction) -> str:
        """Return an instruction as a sentence, and what belongs to it as further ones."""
        text = self.clause(instruction) + self.p.where_x()
        self.p.scope.gave(instruction)
        ending = "" if text.endswith('."') else "."
        found = text[:1].upper() + text[1:] + ending
        if isinstance(instruction, Destroy) and instruction.no_regeneration:
            several = isinstance(instruction.what, Every)
            several = several or instruction.what == self.p.scope.them
            found += f" {'They' if several else 'It'} can't be regenerated."
        if isinstance(instruction, May):
            found += self._linked(instruction)
        return found

    def _linked(self, may: May) -> str:
        found = ""
        if may.then:
            found += f" If you do, {self.chain(may.then)}."
        if may.otherwise and not (may.cost and not may.do and not may.then):
            found += f" If you don't, {self.chain(may.otherwise)}."
        if may.when_done is not None:
            outer, specs = self.p.scope, self.p.specs
            inside = outer.it if type(outer.it).__name__ in {"This", "EventObject"} else None
            self.p.scope = Scope(inside, nouns=outer.that_nouns)
            self.p.specs = may.when_done.targets
            found += f" When you do, {self.chain(may.when_done.instructions)}."
            self.p.scope, self.p.specs = outer, specs
        return found

    def chain(self, instructions: tuple[Instruction, ...]) -> str:
        """Return instructions as clauses of one sentence."""
        texts = []
        for instruction in instructions:
            texts.append(self.clause(instruction))
            self.p.scope.gave(instruction)
        return ", then ".join(texts) + self.p.where_x()

    def clause(self, instruction: Instruction) -> str:
        """Return one instruction without a capital or a full stop."""
        match instruction:
            case May():
                return self._may(instruction)
            case If(condition=test, then=(only,)) if not isinstance(only, _LEADING):
                return f"{self.clause(only)} if {condition_text(test, self.p)}"
            case If(condition=test, then=then):
                return f"if {condition_text(test, self.p)}, {self.chain(then)}"
            case Delayed(trigger=trigger, body=Body(instructions=(only,))) if not isinstance(
                only, _LEADING
            ):
                return f"{self.clause(only)} {_moment(trigger)}"
            case Delayed(trigger=trigger, body=body):
                return f"{_moment(trigger)}, {self.chain(body.instructions)}"
            case Continuously():
                return self._continuously(instruction)
            case DealDamage():
                return self._damage(instruction, plural_verb=False)
            case Fight(first=first, second=second):
                subject, plural = self.p.subject(first)
                return f"{subject} fight{'' if plural else 's'} {self.p.objects(second)[0]}"
            case _:
                return self._action(instruction)

    def _may(self, may: May) -> str:
        if may.cost is not None and not may.do and may.otherwise and not may.then:
            first = self.chain(may.otherwise)
            who, plural = self.p.player(may.player)
            paid = self._paid(may, plural=plural)
            return f"{first} unless {who} {paid}"
        who, _ = self.p.player(may.player)
        if may.cost is not None and not may.do:
            return f"{who} may {self._paid(may, plural=True)}"
        if self._needs_have(may):
            return f"{who} may have {self._have(may.do)}"
        if not isinstance(may.player, You):
            return f"{who} may {' and '.join(self._order(each, may.player) for each in may.do)}"
        texts = []
        for instruction in may.do:
            texts.append(self._order(instruction, may.player))
            self.p.scope.gave(instruction)
        return f"{who} may {', then '.join(texts)}"

    def _needs_have(self, may: May) -> bool:
        """Whether somebody else does it: "you may have target player draw a card"."""
        first = may.do[0]
        if isinstance(first, Continuously):
            return not any(isinstance(each, ChangeControl) for each in first.modifications)
        return isinstance(first, (DealDamage, Fight)) or (
            getattr(first, "player", may.player) != may.player
        )

    def _paid(self, may: May, *, plural: bool) -> str:
        assert may.cost is not None, "asked only where there is one"
        if may.cost.mana:
            return f"pay{'' if plural else 's'} {may.cost.mana}"
        if may.cost.life:
            return f"pay{'' if plural else 's'} {may.cost.life} life"
        text = cost_text(may.cost, self.p)
        return text[:1].lower() + text[1:]

    def _have(self, do: tuple[Instruction, ...]) -> str:
        texts = []
        for each in do:
            if isinstance(each, DealDamage):
                texts.append(self._damage(each, plural_verb=True))
            elif isinstance(each, Continuously):
                subject, plural = self.p.subject(each.what)
                changes = Predicates(self.p, self.quote, plural=plural, static=False)
                changes.s = ""
                texts.append(
                    f"{subject} {changes.all(each.modifications)}{_DURATIONS[each.duration]}"
                )
            elif isinstance(each, Fight):
                subject, _ = self.p.subject(each.first)
                texts.append(f"{subject} fight {self.p.objects(each.second)[0]}")
            else:
                self.bare = True
                texts.append(self.clause(each))
                self.bare = False
        return " and ".join(texts)

    def _order(self, instruction: Instruction, who: Players) -> str:
        text = self.clause(instruction)
        subject, plural = ("you", True) if isinstance(who, You) else self.p.player(who)
        text = text.removeprefix(f"{subject} ")
        if not plural:
            verb, _, rest = text.partition(" ")
            text = f"{verb.removesuffix('s')} {rest}"
        return text

    def _continuously(self, effect: Continuously) -> str:
        lasts = effect.duration
        control = [each for each in effect.modifications if isinstance(each, ChangeControl)]
        if control:
            return self._control(effect)
        if effect.modifications == (MustBeBlocked(by_all=True),):
            what, _ = self.p.objects(effect.what)
            return f"all creatures able to block {what} this turn do so"
        subject, plural = self.p.subject(effect.what)
        if effect.modifications == (MustBeBlocked(),):
            return f"{subject} must be blocked this turn if able"
        if effect.modifications == (DoesNotUntap(),) and lasts == "next-untap-step":
            if plural:
                return f"{subject} don't untap during their controllers' next untap steps"
            return f"{subject} doesn't untap during its controller's next untap step"
        predicates = Predicates(self.p, self.quote, plural=plural, static=False)
        text = f"{subject} {predicates.all(effect.modifications)}"
        if lasts == "while-source-remains":
            return f"{text} for as long as you control {self.p.itself()}"
        if lasts not in _DURATIONS:
            raise Unrenderable(f"a duration without words: {lasts}")
        return text + _DURATIONS[lasts]

    def _control(self, effect: Continuously) -> str:
        what, _ = self.p.objects(effect.what)
        lasts = effect.duration
        if lasts == "while-source-remains":
            ending = f" for as long as you control {self.p.itself()}"
        else:
            ending = _DURATIONS[lasts]
        text = f"gain control of {what}{ending}"
        rest = tuple(each for each in effect.modifications if not isinstance(each, ChangeControl))
        if not rest:
            return text
        more = self._continuously(Continuously(effect.what, rest, effect.duration))
        return f"{text}. {more[:1].upper()}{more[1:]}"

    def _damage(self, damage: DealDamage, *, plural_verb: bool) -> str:
        subject, plural = self.p.subject(damage.source)
        verb = "deal" if plural or plural_verb else "deals"
        number = damage.amount
        if isinstance(number, CountOf) or (
            not isinstance(number, Number) and self.p.for_each(number) is not None
        ):
            to = self._recipient(damage.to)
            if isinstance(number, CountOf) and number.each == 1:
                return f"{subject} {verb} damage to {to} equal to {self.p.value(number)}"
            counted = self.p.for_each(number)
            assert counted is not None, "a count"
            return f"{subject} {verb} {counted[0]} damage to {to} {counted[1]}"
        if type(number).__name__ in {"PowerOf", "ToughnessOf", "ManaValueOf", "LifeTotal"}:
            equal = self.p.value(number)
            return f"{subject} {verb} damage equal to {equal} to {self._recipient(damage.to)}"
        text = self.p.digits(number)
        return f"{subject} {verb} {text} damage to {self._recipient(damage.to)}"

    def _recipient(self, to: Recipient) -> str:
        if type(to).__name__ in _PLAYER_NODES:
            return self.p.player(to)[0]  # type: ignore[arg-type]  # the set names players
        index = getattr(to, "index", None)
        if type(to).__name__ == "Target" and isinstance(index, int):
            if index < len(self.p.specs) and self.p.specs[index].what is None:
                return self.p.player(to)[0]  # type: ignore[arg-type]  # a target player
            if index == len(self.p.scope.targets) and self.p.specs[index].players != "none":
                return self.p.objects(to)[0]  # type: ignore[arg-type]  # objects or players
        each = isinstance(to, Every)
        return self.p.objects(to, each=each)[0]  # type: ignore[arg-type]  # objects are left

    def _action(self, instruction: Instruction) -> str:
        match instruction:
            case GainLife(player=who, amount=number):
                return self._by(who, "gain", self._counted(number, "life"), named=True)
            case LoseLife(player=who, amount=number):
                return self._by(who, "lose", self._counted(number, "life"), named=True)
            case DrawCards(player=who, amount=number):
                return self._by(who, "draw", lambda: self._cards(number))
            case Discard(player=who, amount=CardsInHand(of=of), at_random=False) if of == who:
                hand = "your hand" if isinstance(who, You) else "their hand"
                return self._by(who, "discard", lambda: hand)
            case Discard(player=who, amount=number, at_random=random):
                ending = " at random" if random else ""
                return self._by(who, "discard", lambda: self._cards(number) + ending)
            case Mill(player=who, amount=number):
                return self._by(who, "mill", lambda: self._cards(number))
            case Scry(player=who, amount=number):
                return self._by(who, "scry", lambda: self.p.digits(number))
            case Sacrifice(player=who, what=what):
                return self._by(who, "sacrifice", lambda: self.p.objects(what)[0])
            case ShuffleLibrary():
                return "shuffle your library"
            case WinGame(player=who):
                return self._by(who, "win", lambda: "the game", named=True)
            case LoseGame(player=who):
                return self._by(who, "lose", lambda: "the game", named=True)
            case AddMana():
                return self._by(instruction.player, "add", lambda: self._mana(instruction))
            case CreateTokens():
                return self._by(instruction.player, "create", lambda: self._tokens(instruction))
            case _:
                return self._to_objects(instruction)

    def _by(self, who: Players, verb: str, rest: object, *, named: bool = False) -> str:
        """Return who does something; orders leave "you" out."""
        if isinstance(who, You):
            lead = f"you {verb}" if named else verb
        else:
            subject, plural = self.p.player(who)
            lead = f"{subject} {verb}{'' if plural or self.bare else 's'}"
        assert callable(rest), "what is done is written after who does it"
        return f"{lead} {rest()}"

    def _counted(self, number: Amount, what: str) -> object:
        def text() -> str:
            if type(number).__name__ in {"PowerOf", "ToughnessOf", "ManaValueOf", "LifeTotal"}:
                return f"{what} equal to {self.p.value(number)}"
            counted = self.p.for_each(number) if not isinstance(number, Number) else None
            if counted is not None:
                return f"{counted[0]} {what} {counted[1]}"
            return f"{self.p.digits(number)} {what}"

        return text

    def _cards(self, number: Amount) -> str:
        if number == Number(1):
            return "a card"
        counted = self.p.for_each(number) if not isinstance(number, Number) else None
        if counted is not None and counted[0] == 1:
            return f"a card {counted[1]}"
        if type(number).__name__ in {"PowerOf", "ToughnessOf", "ManaValueOf", "LifeTotal"}:
            return f"cards equal to {self.p.value(number)}"
        return f"{self.p.count(number)} cards"

    def _mana(self, add: AddMana) -> str:
        if add.options == _ANY_COLOR:
            if add.amount == Number(1):
                return "one mana of any color"
            return f"{self.p.count(add.amount)} mana of any one color"
        if len(add.options) > 2:
            text = f"{', '.join(add.options[:-1])}, or {add.options[-1]}"
        else:
            text = " or ".join(add.options)
        counted = self.p.for_each(add.amount) if not isinstance(add.amount, Number) else None
        return f"{text} {counted[1]}" if counted is not None else text

    def _tokens(self, create: CreateTokens) -> str:
        token = create.token
        counted = self.p.for_each(create.amount) if not isinstance(create.amount, Number) else None
        one = create.amount == Number(1) or (counted is not None and counted[0] == 1)
        tapped = ["tapped"] if create.tapped else []
        text = " ".join((*tapped, *self._token_words(token), "token" if one else "tokens"))
        text = with_article(text) if one else f"{self.p.count(create.amount)} {text}"
        text += self._token_abilities(token)
        return f"{text} {counted[1]}" if one and counted is not None else text

    def _token_words(self, token: TokenTemplate) -> list[str]:
        words = [*token.supertypes]
        if token.power is not None:
            words.append(f"{token.power}/{token.toughness}")
        words.append(" and ".join(token.colors) or "colorless")
        return [*words, *token.subtypes, *token.types]

    def _token_abilities(self, token: TokenTemplate) -> str:
        if not token.abilities:
            return ""
        self.p.scope.nouns = frozenset({token.types[-1], "token"})
        keywords = [each for each in token.abilities if isinstance(each, KeywordAbility)]
        quotes = [each for each in token.abilities if not isinstance(each, KeywordAbility)]
        parts = [joined_list([keyword_text(each, self.p) for each in keywords])] if keywords else []
        parts += [f'"{self.quote(each, self.p)}"' for each in quotes]
        return f" with {' and '.join(parts)}"

    def _to_objects(self, instruction: Instruction) -> str:
        match instruction:
            case Destroy(what=what):
                return f"destroy {self.p.objects(what)[0]}"
            case TapObjects(what=what):
                return f"tap {self.p.objects(what)[0]}"
            case UntapObjects(what=what):
                return f"untap {self.p.objects(what)[0]}"
            case CounterSpell(what=what):
                return f"counter {self.p.objects(what)[0]}"
            case PutCounters(what=what, kind=kind, amount=number):
                return f"put {self._counters(kind, number, what, 'on')}"
            case RemoveCounters(what=what, kind=kind, amount=number):
                return f"remove {self._counters(kind, number, what, 'from')}"
            case MoveObjects():
                return self._move(instruction)
            case _:
                raise Unrenderable(f"an instruction without words: {type(instruction).__name__}")

    def _counters(self, kind: str, number: Amount, what: Objects, joint: str) -> str:
        counted = self.p.for_each(number) if not isinstance(number, Number) else None
        if number == Number(1) or (counted is not None and counted[0] == 1):
            text = f"{with_article(kind)} counter {joint} {self._on(what)}"
            return f"{text} {counted[1]}" if counted is not None else text
        return f"{self.p.count(number)} {kind} counters {joint} {self._on(what)}"

    def _on(self, what: Objects) -> str:
        return self.p.objects(what, each=isinstance(what, Every))[0]

    def _move(self, move: MoveObjects) -> str:
        what = move.what
        zone = self._zone_of(what)
        is_put = move.to is ZoneKind.BATTLEFIELD
        if is_put and isinstance(what, Chosen) and what.what.zone is ZoneKind.HAND:
            tapped = " tapped" if move.tapped else ""
            text = own_cards_text(what, self.p)
            return f"put {text} from your hand onto the battlefield{tapped}"
        text, plural = self.p.objects(what)
        if isinstance(what, This) and self.p.in_graveyard:
            return self._from_graveyard(move, text)
        if move.to is ZoneKind.EXILE:
            return f"exile {text}"
        if move.to is ZoneKind.HAND:
            if zone is ZoneKind.GRAVEYARD:
                return f"return {text} to your hand"
            owners = "their owners' hands" if plural else "its owner's hand"
            return f"return {text} to {owners}"
        if move.to is ZoneKind.LIBRARY:
            place = "on top of" if move.library_position == "top" else "on the bottom of"
            owner = "their owners' libraries" if plural else "its owner's library"
            own = "your library" if zone is ZoneKind.GRAVEYARD else owner
            return f"put {text} {place} {own}"
        if move.to is not ZoneKind.BATTLEFIELD:
            raise Unrenderable("a move without words")
        return self._onto_battlefield(move, text, plural=plural)

    def _from_graveyard(self, move: MoveObjects, text: str) -> str:
        """Return what an ability says that functions in a graveyard (CR 113.6k)."""
        if move.to is ZoneKind.HAND:
            return f"return {text} from your graveyard to your hand"
        tapped = " tapped" if move.tapped else ""
        return f"return {text} from your graveyard to the battlefield{tapped}"

    def _onto_battlefield(self, move: MoveObjects, text: str, *, plural: bool) -> str:
        tapped = " tapped" if move.tapped else ""
        if move.under_your_control:
            return f"return {text} to the battlefield{tapped} under your control"
        if self._zone_of(move.what) is ZoneKind.GRAVEYARD and self._owner_of(move.what) == "you":
            return f"return {text} to the battlefield{tapped}"
        owner = "their owners' control" if plural else "its owner's control"
        return f"return {text} to the battlefield{tapped} under {owner}"

    def _owner_of(self, what: Objects) -> object:
        if isinstance(what, (Every, Chosen)):
            return what.what.owner
        spec = self.p.specs[getattr(what, "index", 0)]
        return spec.what.owner if spec.what is not None else "any"

    def _zone_of(self, what: Objects) -> ZoneKind:
        held: Filter | None = None
        if isinstance(what, (Every, Chosen)):
            held = what.what
        elif type(what).__name__ == "Target":
            index = getattr(what, "index", 0)
            held = self.p.specs[index].what if index < len(self.p.specs) else None
        return held.zone if held is not None else ZoneKind.BATTLEFIELD


_LEADING = (Continuously, DealDamage, Fight, May, If, Delayed)
"""What the grammar reads a condition or a moment only in front of."""

_PLAYER_NODES = frozenset(
    ("You", "EachPlayer", "EventPlayer", "DefendingPlayer", "ControllerOf", "OwnerOf")
)


def _moment(trigger: Trigger) -> str:
    moments = {
        StepBegins(Step.END, EachPlayer()): "at the beginning of the next end step",
        StepBegins(Step.UPKEEP, You()): "at the beginning of your next upkeep",
        StepBegins(Step.UPKEEP, EachPlayer()): "at the beginning of the next turn's upkeep",
        StepBegins(Step.END_COMBAT, EachPlayer()): "at end of combat",
    }
    for known, text in moments.items():
        if known == trigger:
            return text
    raise Unrenderable("a moment without words")
