"""Changes of characteristics and of rules as predicates: "gets +1/+1", "can't block"."""

from __future__ import annotations

from collections.abc import Callable

from .model import (
    Ability,
    Amount,
    BlockersAtLeast,
    BlockersAtMost,
    CanBlockAdditional,
    CannotAttack,
    CannotBeBlocked,
    CannotBeCountered,
    CannotBeTargeted,
    CannotBlock,
    ChangeColors,
    ChangeTypes,
    DoesNotUntap,
    Filter,
    GrantAbility,
    KeywordAbility,
    LoseAbilities,
    Modification,
    ModifyPowerToughness,
    MustAttack,
    MustBeBlocked,
    MustBlock,
    Negative,
    Number,
    SetPowerToughness,
    SwitchPowerToughness,
    VariableX,
)
from .render_keywords import keyword_text
from .render_phrases import Phrases, Unrenderable, plural_noun, with_article
from .vocabulary import NUMBER_WORDS

Quote = Callable[[Ability, Phrases], str]


class Predicates:
    """Writes predicates of one subject; `quote` writes the abilities that it is granted."""

    def __init__(self, phrases: Phrases, quote: Quote, *, plural: bool, static: bool) -> None:
        """Take the number of the subject, and whether a static ability or an effect speaks."""
        self.phrases = phrases
        self.quote = quote
        self.plural = plural
        self.static = static
        self.s = "" if plural else "s"

    def all(self, changes: tuple[Modification, ...]) -> str:
        """Return predicates joined as a list."""
        texts: list[str] = []
        rest = list(changes)
        while rest:
            becoming = self._becoming(rest)
            texts.append(becoming or self._one(rest.pop(0)))
        return joined_list(texts)

    def _becoming(self, rest: list[Modification]) -> str:
        """Return "is a 3/3 red Elemental creature", taking all changes that it says."""
        types = rest[0] if isinstance(rest[0], ChangeTypes) else None
        if types is None:
            return ""
        rest.pop(0)
        colors = rest.pop(0) if rest and isinstance(rest[0], ChangeColors) else None
        size = None
        if rest and isinstance(rest[0], SetPowerToughness) and types.types:
            size = rest.pop(0)
        words: list[str] = []
        if isinstance(size, SetPowerToughness):
            words.append(self._size(size))
        if isinstance(colors, ChangeColors):
            words.append(" and ".join(colors.colors) or "colorless")
        words += self._type_words(types)
        text = " ".join(words)
        text = text if self.plural else with_article(text)
        if types.in_addition:
            text += f" in addition to {'their' if self.plural else 'its'} other types"
        return f"{self._being()} {text}"

    def _type_words(self, types: ChangeTypes) -> list[str]:
        words = [*types.subtypes, *types.types]
        if self.plural:
            words[-1] = plural_noun(words[-1])
        return words

    def _being(self) -> str:
        if self.static:
            return "are" if self.plural else "is"
        return f"become{self.s}"

    def _size(self, change: SetPowerToughness) -> str:
        power, toughness = change.power, change.toughness
        if isinstance(power, Number) and isinstance(toughness, Number):
            return f"{power.value}/{toughness.value}"
        if isinstance(power, VariableX) and isinstance(toughness, VariableX):
            return "X/X"
        raise Unrenderable("a size that is no printed number")

    def _one(self, change: Modification) -> str:
        if isinstance(change, ModifyPowerToughness):
            return f"get{self.s} {self._bonus(change)}"
        if isinstance(change, GrantAbility):
            return self._grant(change)
        if isinstance(change, LoseAbilities):
            what = " and ".join(change.keywords) if change.keywords else "all abilities"
            return f"lose{self.s} {what}"
        if isinstance(change, SetPowerToughness):
            have = "have" if self.plural else "has"
            return f"{have} base power and toughness {self._size(change)}"
        if isinstance(change, ChangeColors):
            return f"{self._being()} {' and '.join(change.colors) or 'colorless'}"
        return self._rule(change)

    def _bonus(self, change: ModifyPowerToughness) -> str:
        power, toughness = change.power, change.toughness
        counted = next((each for each in (power, toughness) if not isinstance(each, Number)), None)
        if counted is None:
            return _pair(power, toughness)
        inner = counted.of if isinstance(counted, Negative) else counted
        fixed = [number for number in (power, toughness) if isinstance(number, Number)]
        each = self.phrases.for_each(inner) if all(one.value == 0 for one in fixed) else None
        if each is not None:
            factor, text = each
            return f"{_signed(power, factor)}/{_signed(toughness, factor)} {text}"
        self.phrases.digits(inner)
        return f"{_signed(power, 'X')}/{_signed(toughness, 'X')}"

    def _grant(self, change: GrantAbility) -> str:
        having = "have" if self.plural else "has"
        verb = having if self.static else f"gain{self.s}"
        keywords = [
            keyword_text(each, self.phrases)
            for each in change.abilities
            if isinstance(each, KeywordAbility)
        ]
        quotes = [
            f'"{self.quote(each, self.phrases)}"'
            for each in change.abilities
            if not isinstance(each, KeywordAbility)
        ]
        text = joined_list([_uncapitalised(each) for each in keywords])
        if quotes:
            text = " and ".join([text, *quotes] if text else quotes)
        return f"{verb} {text}"

    def _rule(self, change: Modification) -> str:
        s = self.s
        described = self.phrases.described
        match change:
            case CannotAttack():
                return "can't attack"
            case CannotBlock(attackers=None):
                return "can't block"
            case CannotBlock(attackers=Filter(not_keywords=("flying",))):
                return "can block only creatures with flying"
            case CannotBlock(attackers=what) if what is not None:
                return f"can't block {described(what, plural=True)}"
            case CannotBeBlocked(except_by=None, by=None):
                return "can't be blocked"
            case CannotBeBlocked(except_by=what) if what is not None:
                return f"can't be blocked except by {described(what, plural=True)}"
            case CannotBeBlocked(by=what) if what is not None:
                return f"can't be blocked by {described(what, plural=True)}"
            case BlockersAtMost(maximum=1):
                return "can't be blocked by more than one creature"
            case BlockersAtLeast(minimum=number):
                return f"can't be blocked except by {NUMBER_WORDS[number]} or more creatures"
            case CanBlockAdditional(extra=1):
                return "can block an additional creature each combat"
            case CanBlockAdditional(extra=-1):
                return "can block any number of creatures"
            case CanBlockAdditional(extra=number):
                return f"can block an additional {NUMBER_WORDS[number]} creatures each combat"
            case DoesNotUntap():
                if self.plural:
                    return "don't untap during their controllers' untap steps"
                return "doesn't untap during its controller's untap step"
            case MustAttack():
                return f"attack{s} each combat if able"
            case MustBlock():
                return f"block{s} each combat if able"
            case SwitchPowerToughness():
                raise Unrenderable("a switch has a sentence of its own")
            case MustBeBlocked(by_all=False):
                return "must be blocked if able"
            case CannotBeTargeted(opponents_only=True):
                return "can't be the target of spells or abilities your opponents control"
            case CannotBeTargeted():
                return "can't be the target of spells or abilities"
            case CannotBeCountered():
                return "can't be countered"
            case _:
                raise Unrenderable(f"a change without words: {type(change).__name__}")


def _pair(power: Amount, toughness: Amount) -> str:
    """Return two printed numbers; a zero takes the sign of the other ("-4/-0")."""
    texts = [_signed(power), _signed(toughness)]
    if "+0" in texts and any(text[0] == "-" for text in texts):
        texts = ["-0" if text == "+0" else text for text in texts]
    return "/".join(texts)


def _uncapitalised(text: str) -> str:
    return text[:1].lower() + text[1:]


def _signed(amount: Amount, counted: int | str = 1) -> str:
    if isinstance(amount, Number):
        return f"-{-amount.value}" if amount.value < 0 else f"+{amount.value}"
    if isinstance(amount, Negative):
        return f"-{counted}"
    return f"+{counted}"


def joined_list(texts: list[str]) -> str:
    """Return "a", "a and b", "a, b, and c"."""
    if len(texts) < 3:
        return " and ".join(texts)
    return f"{', '.join(texts[:-1])}, and {texts[-1]}"
