"""The commands `apnap why` and `apnap whynot`: their keys, exit codes and sentences."""

import json
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apnap.cli.main import run

Told = tuple[int, str, str]
Ask = Callable[..., Told]


@pytest.fixture
def ask(embedded_url: str, capsys: pytest.CaptureFixture[str]) -> Iterator[Ask]:
    """Return a function that runs a command on the session's store."""
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}

    def run_here(*words: str) -> Told:
        capsys.readouterr()
        code = run([*words, "--store", embedded_url])
        told = capsys.readouterr()
        return code, told.out, told.err

    yield run_here
    for number, handler in kept.items():
        signal.signal(number, handler)


@pytest.fixture
def game(ask: Ask) -> str:
    """Return the name of a finished game of the store."""
    _, out, _ = ask("play", "--seed", "3", "--json")
    return str(json.loads(out)["game"])


def _record(told: Told) -> dict[str, Any]:
    code, out, err = told
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


def test_why_follows_the_loss_back_to_a_decision(ask: Ask, game: str) -> None:
    found = _record(ask("why", game, "131.3", "--json"))
    assert [cause["rule"] for cause in found["causes"]] == ["704.5a", "119.4", "602.2"]
    assert set(found["causes"][0]) == {"address", "rule", "text"}
    assert found["causes"][-1]["address"] == f"{game}@131"


def test_why_takes_an_address_as_one_word(ask: Ask, game: str) -> None:
    apart = ask("why", game, "131.2", "--json")
    assert ask("why", f"{game}@131.2", "--json") == apart
    assert ask("why", f"{game}@131", "2", "--json") == apart


def test_why_of_a_seat_shows_its_own_decisions_alone(ask: Ask, game: str) -> None:
    mine = _record(ask("why", game, "131.3", "--seat", "bob", "--json"))
    other = _record(ask("why", game, "131.3", "--seat", "alice", "--json"))
    assert mine["causes"][-1]["text"].startswith("bob: activate")
    assert other["causes"][-1]["text"] == "a decision that is sealed to another seat"


def test_whynot_has_its_keys_and_answers_with_zero(ask: Ask, game: str) -> None:
    found = _record(ask("whynot", game, "pass", "--by", "alice", "--at", "8", "--json"))
    assert set(found) == {"refused", "code", "rule", "detail", "change"}
    code, out, _ = ask("whynot", game, "ask", "--by", "alice", "--at", "8")
    assert code == 0
    assert out.strip()


def test_whynot_takes_an_event_for_a_trigger(ask: Ask, game: str) -> None:
    by_option = ask("whynot", game, "trigger Adanto Vanguard", "--at", "131.0", "--json")
    assert ask("whynot", f"{game}@131.0", "trigger Adanto Vanguard", "--json") == by_option
    assert _record(by_option)["code"] == "no-triggered-ability"


@pytest.mark.parametrize(
    "words",
    [
        ("why", "{}"),
        ("why", "{}", "999.0"),
        ("why", "{}", "1.99"),
        ("why", "{}", "one"),
        ("why", "{}", "1.0", "--seat", "carol"),
        ("whynot", "{}", "pass", "--by", "carol"),
        ("whynot", "{}", "pass", "--at", "999"),
        ("whynot", "{}", "pass", "--at", "soon"),
        ("whynot", "{}", "", "--at", "8"),
    ],
)
def test_bad_input_is_one_sentence_and_two(ask: Ask, game: str, words: tuple[str, ...]) -> None:
    code, out, err = ask(*(word.format(game) for word in words))
    assert code == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("apnap: ")
