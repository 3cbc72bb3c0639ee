"""The cursor that the grammar reads with: tokens, a place among them, and ways back.

A reading is a function of the reader that returns a record of the model, or None after it has
put the reader back where it was. The furthest token that any reading reached is where the text
stopped making sense; error messages quote the words there.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from .lexer import joined
from .lower import Scope, ScopeMark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .model import Ability

_VOWELS = "aeiou"
_AN_BEFORE = frozenset(("8/8", "11/11", "8", "11", "18", "x", "x/x", "hour", "honest"))
_A_BEFORE = frozenset(("one", "unicorn", "unique", "used", "eurydice"))

Mark = tuple[int, ScopeMark, int]

P = ParamSpec("P")
T = TypeVar("T")


@lru_cache(maxsize=8192)
def _words(phrase: str) -> tuple[str, ...]:
    return tuple(phrase.split())


class CardContext:
    """What the grammar must know of the card besides the line it reads."""

    __slots__ = ("ability", "attached_nouns", "name", "subtypes", "types")

    def __init__(
        self,
        types: tuple[str, ...],
        subtypes: tuple[str, ...],
        ability: Callable[[Reader], Ability | None],
        name: str = "",
    ) -> None:
        """Take the card's types; what its Enchant keyword names is filled in as it is read.

        `ability` reads one ability: what is granted in quotes is read by the same grammar.
        """
        self.ability = ability
        self.name = name
        self.types = types
        self.subtypes = subtypes
        self.attached_nouns: frozenset[str] = frozenset()


class Reader:
    """Tokens of one line, read from left to right."""

    __slots__ = (
        "at",
        "card",
        "furthest",
        "idle",
        "quoted",
        "quoted_nouns",
        "raw",
        "scope",
        "words",
    )

    def __init__(self, tokens: Sequence[str], card: CardContext) -> None:
        """Begin at the first token."""
        self.raw = tuple(tokens)
        self.words = tuple(token.lower() if token[0].isalpha() else token for token in tokens)
        self.card = card
        self.at = 0
        self.furthest = 0
        self.scope = Scope()
        self.quoted = 0
        self.quoted_nouns: frozenset[str] = frozenset()
        self.idle: list[str] = []

    def mark(self) -> Mark:
        """Return what `reset` needs to come back to this moment."""
        return (self.at, self.scope.mark(), len(self.idle))

    def reset(self, mark: Mark) -> None:
        """Go back to a moment, as if nothing had been read since."""
        self.at = mark[0]
        self.scope.reset(mark[1])
        del self.idle[mark[2] :]

    def note(self, word: str) -> None:
        """Keep a word that the text could do without, so that nothing read is lost.

        It has no effect on play, like a reminder (CR 207.2a), and is kept beside those.
        """
        self.idle.append(word)

    def eat(self, phrase: str) -> bool:
        """Read the words of a phrase if they come next."""
        words = _words(phrase)
        end = self.at + len(words)
        if self.words[self.at : end] != words:
            return False
        self.at = end
        self.furthest = max(self.furthest, end)
        return True

    def eat_any(self, *phrases: str) -> str | None:
        """Read the first of the phrases that comes next, and say which it was."""
        for phrase in phrases:
            if self.eat(phrase):
                return phrase
        return None

    def peek(self, offset: int = 0) -> str:
        """Return a token without reading it; empty behind the end."""
        place = self.at + offset
        return self.words[place] if place < len(self.words) else ""

    def step_back(self) -> bool:
        """Go back by one token, which belongs to what follows."""
        self.at -= 1
        return True

    def peek_raw(self) -> str:
        """Return the next token as it is printed, capitals and all; empty behind the end."""
        return self.raw[self.at] if self.at < len(self.raw) else ""

    def take(self) -> str:
        """Read one token whatever it is."""
        token = self.words[self.at]
        self.at += 1
        self.furthest = max(self.furthest, self.at)
        return token

    def eat_article(self) -> bool:
        """Read "a" or "an", whichever belongs before the next word."""
        following = self.peek(1)
        vowel = following[:1] in _VOWELS and following not in _A_BEFORE
        article = "an" if following and (vowel or following in _AN_BEFORE) else "a"
        return self.eat(article)

    def at_end(self) -> bool:
        """Whether all tokens were read."""
        return self.at == len(self.words)

    def failed_phrase(self) -> str:
        """Return the clause in which the text stopped making sense."""
        start = self.furthest
        while start > 0 and self.words[start - 1] not in {".", ",", ":", '"', "—", "•"}:
            start -= 1
        end = min(self.furthest + 1, len(self.raw))
        while end < len(self.raw) and self.words[end] not in {".", ",", ":", '"', "•"}:
            end += 1
        return joined(self.raw[start:end])


def reading(
    function: Callable[Concatenate[Reader, P], T],
) -> Callable[Concatenate[Reader, P], T]:
    """Make a function put the reader back where it was when it reads nothing (None or False)."""

    @wraps(function)
    def read(r: Reader, /, *args: P.args, **kwargs: P.kwargs) -> T:
        mark = r.mark()
        found = function(r, *args, **kwargs)
        if found is None or found is False:
            r.reset(mark)
        return found

    return read
