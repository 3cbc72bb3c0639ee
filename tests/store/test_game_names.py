"""The words that name games."""

import doctest

from apnap.events import game_names
from apnap.events.game_names import is_game_name, word_of


def test_no_two_counters_share_a_word() -> None:
    words = {word_of(count) for count in range(10_000)}
    assert len(words) == 10_000
    assert all(is_game_name(word) for word in words)


def test_words_grow_by_a_syllable_when_they_run_out() -> None:
    assert {len(word_of(count)) for count in (0, 4095)} == {4}
    assert {len(word_of(count)) for count in (4096, 4096 + 262_143)} == {6}
    assert len(word_of(4096 + 262_144)) == 8


def test_what_would_break_a_key_or_an_address_names_no_game() -> None:
    for text in ("", "Baba", "ba ba", "ba@3", "ba{ba}", "ba:ba", "9", "-ba", "b" * 41):
        assert not is_game_name(text)


def test_the_example_in_the_docstring_is_true() -> None:
    assert doctest.testmod(game_names).failed == 0
