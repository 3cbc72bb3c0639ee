"""The short words that name games, made from a store's counter."""

import re

CONSONANTS = "bdfgjklmnprstvwy"
VOWELS = "aeio"
SYLLABLES = len(CONSONANTS) * len(VOWELS)
STRIDE = 2477
"""Odd, so that multiplying by it modulo a power of two only changes the order."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


def word_of(count: int) -> str:
    """Return the word for a counter from 0; no two counters share one.

    The first 4,096 words have two syllables, the next 262,144 three, and so on. Neighbours in the
    count look nothing alike, so that people do not mistake one game for another.

    >>> word_of(0), word_of(1), word_of(4096)
    ('baba', 'pise', 'bababa')
    """
    size = 2
    while count >= SYLLABLES**size:
        count -= SYLLABLES**size
        size += 1
    rest = count * STRIDE % SYLLABLES**size
    word = ""
    for _ in range(size):
        rest, syllable = divmod(rest, SYLLABLES)
        word = CONSONANTS[syllable // len(VOWELS)] + VOWELS[syllable % len(VOWELS)] + word
    return word


def is_game_name(text: str) -> bool:
    """Whether a text may name a game: a lower-case letter, then letters, digits and hyphens."""
    return _NAME.fullmatch(text) is not None
