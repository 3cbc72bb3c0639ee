"""The second step of the compiler: a line of text as tokens."""

import re

_TOKEN = re.compile(
    r"""
    \{[^{}\s]+\}                                # a symbol: {T}, {2/W}
  | ~(?:'s)?                                    # the card itself
  | [+-]?(?:\d+|X|\*)/[+-]?(?:\d+|X|\*)         # power and toughness, or a kind of counter
  | [+-](?:\d+|X)(?![\w])                       # a cost in loyalty
  | \d+                                         # a number
  | [^\W\d_][^\W_]*(?:[-'][^\W_]+)*'?           # a word, with hyphens and apostrophes
  | \S                                          # punctuation, one sign each
    """,
    re.VERBOSE,
)


def tokens_of(line: str) -> tuple[str, ...]:
    """Return the tokens of a normalised line.

    >>> tokens_of("{T}: ~ gets +1/+0.")
    ('{T}', ':', '~', 'gets', '+1/+0', '.')
    """
    return tuple(_TOKEN.findall(line))


def joined(tokens: tuple[str, ...]) -> str:
    """Return tokens as readable text: what an error message quotes."""
    text = " ".join(tokens)
    text = re.sub(r"\s+([.,:;])", r"\1", text)
    return re.sub(r"(?<=\}) (?=\{)", "", text)
