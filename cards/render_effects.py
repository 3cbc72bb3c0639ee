"""Instructions as English sentences."""

from __future__ import annotations

from ..events.ids import Step
from .grammar_hidden import COUNTERED_INSTEAD
from .lower import Scope
from .model import (
    Body,
    CanBlockAdditional,
    ChangeControl,
    ChooseCards,
    Continuously,
    ControllerOf,
    CounterSpell,
    CountOf,
    DealDamage,
    DefendingPlayer,
    Delayed,
    Destroy,
    DoesNotUntap,
    EachPlayer,
    EventObject,
    EventPlayer,
    Every,
    Fight,
    If,
    Instruction,
    May,
    MustAttack,
    MustBeBlocked,
    MustBlock,
    Number,
    Objects,
    OwnerOf,
    Players,
    Recipient,
    StepBegins,
    SwitchPowerToughness,
    Target,
    This,
    Trigger,
    You,
)
from .render_actions import READ_OFF, Actions
from .render_changes import Predicates
from .render_conditions import condition_text
from .render_keywords import cost_text
from .render_phrases import Unrenderable

_DURATIONS = {
    "end-of-turn": " until end of turn",
    "this-turn": " this turn",
    "until-your-next-turn": " until your next turn",
    "end-of-combat": " until end of combat",
    "for-ever": "",
}
_MODES = {
    (1, 1): "one",
    (2, 2): "two",
    (3, 3): "three",
    (1, 2): "one or both",
    (0, 1): "up to one",
}


class Sentences(Actions):
    """Writes the instructions of one body, in order."""

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
        word = _MODES.get(count, "any number" if body.modes_minimum == 0 else "one or more")
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
        if isinstance(instruction, CounterSpell) and instruction.instead in COUNTERED_INSTEAD:
            instead = COUNTERED_INSTEAD[instruction.instead].replace(" ,", ",")
            found += f" {instead[:1].upper()}{instead[1:-2]}."
        if isinstance(instruction, May):
            found += self._linked(instruction)
        if isinstance(instruction, ChooseCards) and instruction.then:
            found += f" If you do, {self.chain(instruction.then)}."
        return found

    def _linked(self, may: May) -> str:
        found = ""
        if may.then:
            found += f" If you do, {self.chain(may.then)}."
        if may.otherwise and not (may.cost and not may.do and not may.then):
            found += f" If you don't, {self.chain(may.otherwise)}."
        if may.when_done is not None:
            outer, specs = self.p.scope, self.p.specs
            inside = outer.it if isinstance(outer.it, This | EventObject) else None
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
                return self.action(instruction)

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
        if effect.modifications == (SwitchPowerToughness(),):
            return f"switch {self._switched(effect.what)}{_DURATIONS[lasts]}"
        subject, plural = self.p.subject(effect.what)
        s = "" if plural else "s"
        for change, text in (
            (MustBeBlocked(), "must be blocked this turn if able"),
            (MustAttack(), f"attack{s} this turn if able"),
            (MustBlock(), f"block{s} this turn if able"),
            (CanBlockAdditional(1), "can block an additional creature this turn"),
        ):
            if effect.modifications == (change,) and lasts == "this-turn":
                return f"{subject} {text}"
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

    def _switched(self, what: Objects) -> str:
        if isinstance(what, Target) and what.index == len(self.p.scope.targets):
            return f"{self.p.objects(what)[0]}'s power and toughness"
        return f"{self.p.possessive(what)} power and toughness"

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
        if isinstance(number, READ_OFF):
            equal = self.p.value(number)
            if damage.to == damage.source and not isinstance(damage.to, This):
                return f"{subject} {verb} damage to itself equal to {equal}"
            return f"{subject} {verb} damage equal to {equal} to {self._recipient(damage.to)}"
        text = self.p.digits(number)
        return f"{subject} {verb} {text} damage to {self._recipient(damage.to)}"

    def _recipient(self, to: Recipient) -> str:
        match to:
            case (
                You()
                | EachPlayer()
                | EventPlayer()
                | DefendingPlayer()
                | ControllerOf()
                | OwnerOf()
            ):
                return self.p.player(to)[0]
            case Target(index) if index < len(self.p.specs) and self.p.specs[index].what is None:
                return self.p.player(to)[0]
            case _:
                return self.p.objects(to, each=isinstance(to, Every))[0]


_LEADING = (Continuously, DealDamage, Fight, May, If, Delayed)
"""What the grammar reads a condition or a moment only in front of."""


def _moment(trigger: Trigger) -> str:
    moments = {
        StepBegins(Step.END, You()): "at the beginning of your next end step",
        StepBegins(Step.END, EachPlayer()): "at the beginning of the next end step",
        StepBegins(Step.UPKEEP, You()): "at the beginning of your next upkeep",
        StepBegins(Step.UPKEEP, EachPlayer()): "at the beginning of the next turn's upkeep",
        StepBegins(Step.END_COMBAT, EachPlayer()): "at end of combat",
    }
    for known, text in moments.items():
        if known == trigger:
            return text
    raise Unrenderable("a moment without words")
