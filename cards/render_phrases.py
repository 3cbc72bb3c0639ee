"""Noun phrases of the model as English: descriptions, references, players, numbers.

The writer keeps a `Scope` like the one the compiler reads with, so that it knows what "it" and
"that creature" would be taken for, and says so only where they mean the right thing.
"""

from __future__ import annotations

from ..events.ids import ZoneKind
from .lower import Nouns, Scope, nouns_of
from .mana import COLORS
from .model import (
    Amount,
    AttachedTo,
    CardsInHand,
    Chosen,
    Comparison,
    ControllerOf,
    CountersOn,
    CountOf,
    DefendingPlayer,
    EachPlayer,
    EventAmount,
    EventPlayer,
    Every,
    Filter,
    LifeTotal,
    ManaValueOf,
    Number,
    Objects,
    Players,
    PowerOf,
    Target,
    TargetSpec,
    This,
    ToughnessOf,
    VariableX,
    You,
)
from .vocabulary import NUMBER_WORDS, PERMANENT_TYPES, PLURAL_OF_TYPE, plural_of_subtype

_VOWELS = "aeiouAEIOU"
_ANY_TARGET = ("creature", "planeswalker", "battle")


class Unrenderable(Exception):
    """The model holds something that no sentence of the grammar says."""


def with_article(text: str) -> str:
    """Return a singular phrase with "a" or "an"."""
    first = text.split(" ", 1)[0]
    an = (first[0] in _VOWELS and first.lower() not in {"one", "unicorn", "unique"}) or first in {
        "8/8",
        "11/11",
        "X",
        "X/X",
    }
    return f"{'an' if an else 'a'} {text}"


def plural_noun(word: str) -> str:
    """Return the plural of a card type, a subtype or a common noun."""
    if word in PLURAL_OF_TYPE:
        return PLURAL_OF_TYPE[word]
    return f"{word}s" if word.islower() else plural_of_subtype(word)


def _noun(what: Filter) -> str:
    return "card" if what.zone is not ZoneKind.BATTLEFIELD else "permanent"


class Phrases:
    """Writes noun phrases; holds what was spoken of so far."""

    def __init__(
        self,
        name: str,
        attached: str,
        *,
        quoted: Nouns | None = None,
        kinds: Nouns = frozenset(),
    ) -> None:
        """Begin to write of an object: by its name, or in quotes as "this creature"."""
        self.name = name
        self.attached = attached
        self.quoted = quoted
        self.kinds = kinds if quoted is None else quoted
        self.scope = Scope()
        self.specs: tuple[TargetSpec, ...] = ()
        self.x: Amount | None = None
        self.in_graveyard = False  # "return this card from your graveyard"

    # What it is

    def itself(self) -> str:
        """Return what stands for the object that has the ability."""
        if self.quoted is None:
            return self.name
        if not self.quoted:
            raise Unrenderable("an object in quotes without a noun")
        return f"this {self._quoted_noun()}"

    def _quoted_noun(self) -> str:
        assert self.quoted, "asked only inside quotes"
        return min(self.quoted, key=lambda noun: (noun == "permanent", noun))

    def described(
        self, what: Filter, *, plural: bool, every: bool = False, place: str = "in"
    ) -> str:
        """Return a description without its article: "tapped creatures you control"."""
        words = [*self._adjectives(what), self._kind(what, plural=plural, every=every)]
        words += self._having(what, plural=plural)
        words += self._whose(what)
        words += self._where(what, place)
        return " ".join(words)

    def _adjectives(self, what: Filter) -> list[str]:
        words: list[str] = []
        if what.any_of == (Filter(attacking=True), Filter(blocking=True)):
            words.append("attacking or blocking")
        if what.attacking and what.blocked is False:
            words.append("unblocked")
        else:
            words += ["attacking"] if what.attacking else []
            words += ["blocked"] if what.blocked else []
        words += ["blocking"] if what.blocking else []
        if what.tapped is not None:
            words.append("tapped" if what.tapped else "untapped")
        words += ["face-down"] if what.face_down else []
        words += ["nontoken"] if what.token is False else []
        if what.not_colors == COLORS:
            words.append("colorless")
        else:
            words += [f"non{color}" for color in what.not_colors]
        words += [f"non{word}" for word in what.not_supertypes]
        words += [f"non{word}" if word.islower() else f"non-{word}" for word in what.not_types]
        words += what.supertypes
        words += what.colors
        words += [" or ".join(what.any_color)] if what.any_color else []
        return words

    def _kind(self, what: Filter, *, plural: bool, every: bool) -> str:
        common = ""
        if what.zone is ZoneKind.STACK:
            common = "spell"
        elif what.zone is not ZoneKind.BATTLEFIELD:
            common = "card"
        elif what.token:
            common = "token"
        joint = "and" if every else "or"
        runs = self._runs(what)
        if what.any_type == PERMANENT_TYPES:
            runs, common = [["permanent"]], common or "permanent"
        if not runs:
            common = common or "permanent"
        texts = []
        for run in runs:
            last = plural_noun(run[-1]) if plural and not common else run[-1]
            texts.append(" ".join((*run[:-1], last)))
        if len(texts) > 2:
            texts = [f"{', '.join(texts[:-1])}, {joint} {texts[-1]}"]
        kinds = f" {joint} ".join(texts)
        if what.any_type and what.types:  # "Elf or Goblin creature"
            kinds += f" {plural_noun(what.types[0]) if plural and not common else what.types[0]}"
        common = f"{common}s" if common and plural else common
        return f"{kinds} {common}".strip()

    def _runs(self, what: Filter) -> list[list[str]]:
        if what.any_of and all(
            each == Filter(types=each.types, subtypes=each.subtypes) for each in what.any_of
        ):
            return [[*each.subtypes, *each.types] for each in what.any_of]
        if what.any_type:
            return [[each] for each in what.any_type]
        return [[*what.subtypes, *what.types]] if what.types or what.subtypes else []

    def _having(self, what: Filter, *, plural: bool) -> list[str]:
        words: list[str] = []
        keywords = [each.keywords[0] for each in what.any_of if each.keywords]
        if keywords:
            words.append("with " + " or ".join(keywords))
        words += [f"with {word}" for word in what.keywords]
        words += [f"without {word}" for word in what.not_keywords]
        for name, test in (
            ("power", what.power),
            ("toughness", what.toughness),
            ("mana value", what.mana_value),
        ):
            if test is not None:
                words.append(f"with {name} {self._comparison(test)}")
        if what.counters:
            on = "on them" if plural else "on it"
            words.append(f"with {with_article(what.counters)} counter {on}")
        return words

    def _comparison(self, test: Comparison) -> str:
        if isinstance(test.value, PowerOf) and isinstance(test.value.of, This):
            relation = "less" if test.relation == "<" else "greater"
            return f"{relation} than {self.name}'s power"
        number = self.digits(test.value)
        ending = {"<=": " or less", ">=": " or greater", "=": ""}.get(test.relation)
        if ending is None:
            raise Unrenderable(f"a comparison with {test.relation}")
        return number + ending

    def _whose(self, what: Filter) -> list[str]:
        stack = what.zone is ZoneKind.STACK
        words = {
            "any": [],
            "you": ["you cast" if stack else "you control"],
            "opponent": ["your opponents cast" if stack else "your opponents control"],
            "not-you": ["you don't control"],
        }
        if isinstance(what.controller, str):
            found = words[what.controller]
        elif isinstance(what.controller, DefendingPlayer):
            found = ["defending player controls"]
        else:
            found = [f"{self._that_player(what.controller)} controls"]
        if what.owner == "you" and what.zone is ZoneKind.BATTLEFIELD:
            found = [*found, "you own"]
        return found

    def _that_player(self, who: Players) -> str:
        if self.scope.that_player == who:
            return "that player"
        if isinstance(who, Target) and who.index == len(self.scope.targets):
            spec = self.specs[who.index]
            self.scope.new_target(spec)
            return "target opponent" if spec.players == "opponent" else "target player"
        raise Unrenderable(f"a player who was not spoken of: {who}")

    def _where(self, what: Filter, place: str) -> list[str]:
        if what.zone in {ZoneKind.BATTLEFIELD, ZoneKind.STACK, ZoneKind.LIBRARY}:
            return []
        zone = "hand" if what.zone is ZoneKind.HAND else "graveyard"
        if what.owner == "you":
            return [f"{place} your {zone}"]
        if what.owner == "opponent":
            return [f"{place} an opponent's {zone}"]
        if what.owner == "any":
            return [f"{place} a {zone}" if place == "from" else f"{place} all {zone}s"]
        if isinstance(what.owner, str):
            raise Unrenderable("cards of one who is not you")
        return [f"{place} {self._that_player(what.owner)}'s {zone}"]

    # Whom and what it speaks of

    def objects(self, what: Objects, *, each: bool = False) -> tuple[str, bool]:
        """Return a phrase for objects as they are acted on, and whether it is plural."""
        if isinstance(what, This):
            self.scope.spoke_of(what, self.kinds)
            return self.itself(), False
        if isinstance(what, AttachedTo):
            self.scope.spoke_of(what, frozenset({self.attached.rsplit(" ", 1)[-1]}))
            return self.attached, False
        if isinstance(what, Every):
            return self._every(what, each=each)
        if isinstance(what, Target) and what.index == len(self.scope.targets):
            return self._target(self.specs[what.index])
        if isinstance(what, Chosen):
            return self.chosen(what)
        return self._again(what)

    def _every(self, what: Every, *, each: bool) -> tuple[str, bool]:
        other = " other" if what.what.identity == "other" else ""
        place = "in" if each else "from"
        text = self.described(what.what, plural=not each, every=True, place=place)
        text = text.replace("from a graveyard", "from all graveyards")
        self.scope.spoke_of(what, nouns_of(what.what, _noun(what.what)))
        return f"{'each' if each else 'all'}{other} {text}", not each

    def subject(self, what: Objects) -> tuple[str, bool]:
        """Return a phrase for what a clause is about."""
        if not isinstance(what, Every):
            return self.objects(what)
        plain = Filter(
            types=what.what.types, subtypes=what.what.subtypes, any_type=what.what.any_type
        )
        if what.what == plain:
            return self._every(what, each=False)
        self.scope.spoke_of(what, nouns_of(what.what, _noun(what.what)))
        if what.what == Filter(any_of=what.what.any_of) and not self._is_one_phrase(what.what):
            return " and ".join(self._others(each) for each in what.what.any_of), True
        return self._others(what.what), True

    def _others(self, what: Filter) -> str:
        other = "other " if what.identity == "other" else ""
        return other + self.described(what, plural=True, every=True)

    def _is_one_phrase(self, what: Filter) -> bool:
        """Whether alternatives are said by one description, not as two subjects."""
        attacking = what.any_of == (Filter(attacking=True), Filter(blocking=True))
        keywords = all(each == Filter(keywords=each.keywords) for each in what.any_of)
        return attacking or keywords or bool(self._runs(what))

    def _target(self, spec: TargetSpec) -> tuple[str, bool]:
        what = spec.what
        if what is None:
            raise Unrenderable("a player where objects are meant")
        if spec.players != "none":
            return self._any_target(spec), False
        plural = spec.maximum > 1
        other = what.identity == "other"
        if spec.minimum == spec.maximum == 1:
            count = "another target" if other else "target"
        elif (spec.minimum, spec.maximum) == (1, 2):
            count = "one or two target"
        else:
            up_to = "up to " if spec.minimum == 0 else ""
            other_word = "other " if other else ""
            count = f"{up_to}{NUMBER_WORDS[spec.maximum]} {other_word}target"
        text = self.described(what, plural=plural, place="from")
        self.scope.new_target(spec, nouns_of(what, _noun(what)))
        return f"{count} {text}", plural

    def _any_target(self, spec: TargetSpec) -> str:
        self.scope.new_target(spec)
        assert spec.what is not None, "objects or players"
        if spec.what.any_type == _ANY_TARGET:
            return "any other target" if spec.what.identity == "other" else "any target"
        if spec.players == "opponent":
            return "target opponent or planeswalker"
        if spec.what.types == ("creature",):
            return "target creature or player"
        return "target player or planeswalker"

    def chosen(self, what: Chosen) -> tuple[str, bool]:
        """Return a phrase for what is picked as the ability resolves."""
        other = what.what.identity == "other"
        if what.amount == Number(1):
            text = self.described(what.what, plural=False, place="from")
            return (f"another {text}" if other else with_article(text)), False
        text = self.described(what.what, plural=True, place="from")
        return f"{self.count(what.amount)} {'other ' if other else ''}{text}", True

    def _again(self, what: Objects) -> tuple[str, bool]:
        scope = self.scope
        if scope.it == what:
            scope.nouns = scope.that_nouns
            return "it", False
        if scope.that == what:
            scope.nouns = scope.that_nouns
            return f"that {min(scope.that_nouns)}", False
        if scope.them == what:
            scope.nouns = scope.them_nouns
            return f"those {min(scope.them_nouns)}s", True
        raise Unrenderable(f"objects that were not spoken of: {what}")

    def player(self, who: Players) -> tuple[str, bool]:
        """Return a phrase for players, and whether its verb is plural."""
        if isinstance(who, You):
            return "you", True
        if isinstance(who, EachPlayer):
            return ("each opponent" if who.opponents_only else "each player"), False
        if isinstance(who, DefendingPlayer):
            return "defending player", False
        if isinstance(who, (EventPlayer, Target)):
            return self._that_player(who), False
        if isinstance(who, ControllerOf):
            return f"{self.possessive(who.of)} controller", False
        return f"{self.possessive(who.of)} owner", False

    def possessive(self, of: Objects) -> str:
        """Return whose something is: "its", "enchanted creature's"."""
        scope = self.scope
        if isinstance(of, This):
            return f"{self.itself()}'s"
        if scope.its == of:
            return "its"
        if isinstance(of, AttachedTo):
            return f"{self.attached}'s"
        if scope.that == of:
            return f"that {min(scope.that_nouns)}'s"
        raise Unrenderable(f"the owner of what was not spoken of: {of}")

    # How much

    def digits(self, amount: Amount) -> str:
        """Return a number in digits, or X where a sentence must end in "where X is …"."""
        if isinstance(amount, Number):
            return str(amount.value)
        if isinstance(amount, EventAmount):
            return "that much"
        return self._x(amount)

    def count(self, amount: Amount) -> str:
        """Return a number of things in letters: "two", "X", "that many"."""
        if isinstance(amount, Number) and amount.value < len(NUMBER_WORDS):
            return NUMBER_WORDS[amount.value]
        if isinstance(amount, EventAmount):
            return "that many"
        return self._x(amount)

    def _x(self, amount: Amount) -> str:
        if isinstance(amount, VariableX):
            return "X"
        if self.x is not None and self.x != amount:
            raise Unrenderable("two numbers in one sentence")
        self.x = amount
        return "X"

    def value(self, amount: Amount) -> str:
        """Return a number that is found by looking: "its power", "the number of …"."""
        if isinstance(amount, LifeTotal) and isinstance(amount.of, You):
            return "your life total"
        if isinstance(amount, CardsInHand) and isinstance(amount.of, You):
            return "the number of cards in your hand"
        if isinstance(amount, CountersOn):
            return f"the number of {amount.kind} counters on {self.objects(amount.of)[0]}"
        if isinstance(amount, CountOf) and amount.each == 1:
            other = "other " if amount.what.identity == "other" else ""
            return f"the number of {other}{self.described(amount.what, plural=True, every=True)}"
        if isinstance(amount, PowerOf):
            return f"{self.possessive(amount.of)} power"
        if isinstance(amount, ToughnessOf):
            return f"{self.possessive(amount.of)} toughness"
        if isinstance(amount, ManaValueOf):
            return f"{self.possessive(amount.of)} mana value"
        raise Unrenderable(f"a number that has no name: {amount}")

    def for_each(self, amount: Amount) -> tuple[int, str] | None:
        """Return "for each …" and the number before it; None where an amount is no such count."""
        if isinstance(amount, CountOf):
            other = "other " if amount.what.identity == "other" else ""
            text = self.described(amount.what, plural=False)
            return amount.each, f"for each {other}{text}"
        if isinstance(amount, CardsInHand) and isinstance(amount.of, You):
            return 1, "for each card in your hand"
        if isinstance(amount, CountersOn):
            return 1, f"for each {amount.kind} counter on {self.objects(amount.of)[0]}"
        return None

    def where_x(self) -> str:
        """Return ", where X is …" if this sentence said X for something, and forget it."""
        if self.x is None:
            return ""
        found, self.x = self.x, None
        return f", where X is {self.value(found)}"
