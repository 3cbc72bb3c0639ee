"""The commands as scripts call them: keys, exit codes, one sentence where something is wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from apnap.cli.main import COMMANDS

Run = Callable[..., Any]

GAME_KEYS = {
    *("game", "winner", "reason", "rule", "turns", "commits", "events", "head", "state"),
    "seconds",
}


def complaint(ran: Any, code: int = 2) -> str:
    """Return what a failed run says: one sentence, no traceback, nothing on standard output."""
    assert ran.code == code, ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.splitlines()) == 1, ran.err
    assert ran.out == ""
    return str(ran.err)


def test_game_is_played_to_its_end_with_the_promised_keys(played: Any) -> None:
    _, game = played
    assert set(game) == GAME_KEYS
    assert game["winner"] in {"alice", "bob"}
    assert game["reason"] == "life"
    assert game["rule"] == "704.5a"


def test_seeded_game_has_the_same_head_in_another_store(played: Any, command: Run) -> None:
    _, game = played
    again = command("play", "--seed", "3", "--json", "--store", "memory:").records[0]
    assert (again["head"], again["state"]) == (game["head"], game["state"])


def test_games_are_listed_with_the_promised_keys(played: Any) -> None:
    run, game = played
    [row] = [row for row in run("games", "--json").records if row["game"] == game["game"]]
    assert set(row) == {"game", "status", "players", "edition", "commits", "parent", "error"}
    assert row["status"] == "finished"
    assert row["players"] == ["alice", "bob"]
    assert row["commits"] == game["commits"]


def test_log_prints_decisions_and_events_between_two_commits(played: Any) -> None:
    run, game = played
    lines = run("log", game["game"], "--from", "3", "--to", "5", "--json").records
    assert {line["n"] for line in lines} == {3, 4, 5}
    decisions = [line for line in lines if line["i"] is None]
    assert all(set(line) == {"n", "i", "type", "seat", "text"} for line in decisions)
    events = [line for line in lines if line["i"] is not None]
    assert all(
        {"n", "i", "type", "fields", "rule", "cause", "group"} <= set(line) for line in events
    )


def test_log_of_a_seat_seals_the_decisions_of_others(played: Any) -> None:
    run, game = played
    lines = run("log", game["game"], "--json", "--seat", "alice").records
    decisions = [line for line in lines if line["i"] is None]
    assert {line["seat"] for line in decisions if line["text"] is not None} <= {"alice"}
    assert any(line["text"] is None for line in decisions)


def test_replay_folds_to_the_same_head_and_state(played: Any) -> None:
    run, game = played
    [found] = run("replay", game["game"], "--json").records
    assert set(found) == {
        *("game", "commits", "events", "head", "state", "seconds", "events_per_second")
    }
    assert (found["head"], found["state"]) == (game["head"], game["state"])
    [part] = run("replay", f"{game['game']}@9", "--json").records
    assert part["commits"] == 10


def test_verification_runs_the_rules_again(played: Any) -> None:
    run, game = played
    [found] = run("verify", game["game"], "--json").records
    assert {"game", "ok", "commits", "kind", "first_difference"} <= set(found)
    assert found["ok"]
    assert found["commits"] == game["commits"]
    assert run("verify", "--all").code == 0


def test_branch_shares_its_beginning_and_resumes_to_the_same_end(played: Any) -> None:
    run, game = played
    [made] = run("branch", f"{game['game']}@60", "--json").records
    assert made == {"game": made["game"], "parent": game["game"], "at": 60}
    assert run("diff", game["game"], made["game"]).code == 1
    [end] = run("resume", made["game"], "--json").records
    assert (end["winner"], end["commits"]) == (game["winner"], game["commits"])
    ran = run("diff", game["game"], made["game"], "--json")
    assert (ran.code, ran.records) == (0, [{"at": None, "left": None, "right": None}])
    assert run("remove", made["game"]).code == 0


def test_export_is_imported_into_another_store(played: Any, command: Run, tmp_path: Path) -> None:
    run, game = played
    file = tmp_path / "game.apnap"
    [written] = run("export", game["game"], file, "--json").records
    assert set(written) == {"game", "commits", "head"}
    assert command("import", file, "--json").records == [written]
    assert command("verify", written["game"]).code == 0
    assert command("verify", file).code == 0
    assert command("import", file).code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["game.apnap"]


def test_export_of_a_seat_does_not_show_another_seat(
    played: Any, command: Run, tmp_path: Path
) -> None:
    run, game = played
    file = tmp_path / "alice.apnap"
    assert run("export", game["game"], file, "--seat", "alice").code == 0
    assert command("import", file).code == 0
    assert "bob" in complaint(command("show", game["game"], "--seat", "bob"))
    assert "secrets" in complaint(command("resume", game["game"]))


def test_flipped_byte_of_a_record_is_found_with_exit_code_1(played: Any, tmp_path: Path) -> None:
    run, game = played
    file = tmp_path / "game.apnap"
    run("export", game["game"], file)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    ran = run("verify", file, "--json")
    assert ran.code == 1
    assert ran.records[0]["kind"] == "damaged"
    assert "commit" in complaint(run("import", file))


def test_board_is_shown_without_colour_where_there_is_no_terminal(played: Any) -> None:
    run, game = played
    ran = run("show", f"{game['game']}@50", FORCE_COLOR="1")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "in library" in ran.out


def test_seat_sees_only_its_own_hand(played: Any) -> None:
    run, game = played
    [board] = run("show", f"{game['game']}@20", "--seat", "bob", "--json").records
    alice, bob = board["players"]
    assert alice["hand"] == []
    assert len(bob["hand"]) == bob["hand_size"]


def test_several_games_are_played_with_successive_seeds(command: Run) -> None:
    words = ("--json", "--quiet", "--store", "memory:", "--agent", "random")
    two = command("play", "--seed", "8", "--games", "2", *words).records
    one = command("play", "--seed", "9", *words).records
    assert two[1]["head"] == one[0]["head"]


def test_cards_are_reported_and_shown(command: Run, tmp_path: Path) -> None:
    file = tmp_path / "cards.jsonl"
    file.write_text(
        '{"name": "Bear", "mana_cost": "{1}{G}", "type_line": "Creature — Bear", '
        '"power": "2", "toughness": "2"}\n'
        '{"name": "Riddle", "type_line": "Sorcery", "oracle_text": "Frobnicate the moon."}\n',
        encoding="utf-8",
    )
    rows = command("cards", "report", file, "--json").records
    assert [(row["name"], row["supported"]) for row in rows] == [("Bear", True), ("Riddle", False)]
    assert "Frobnicate" in rows[1]["failed"]
    [shown] = command("cards", "show", "Lightning Bolt", "--json").records
    assert "3 damage to any target" in shown["english"][0]
    assert "Frobnicate" in command("cards", "show", "Riddle", "--cards", file).out


def test_coverage_of_an_index_fails_where_a_rule_is_not_shown(command: Run, tmp_path: Path) -> None:
    index = tmp_path / "index.tsv"
    rows = ("edition\tnumber\tsystem\tcurrent", "2025-02\t999.9\tnone\tsame")
    index.write_text("\n".join(rows) + "\n", encoding="utf-8")
    ran = command("rules", "coverage", "--index", index, "--json")
    assert ran.code == 1
    assert ran.records == [
        {"edition": "2025-02", "number": "999.9", "system": "none", "cited_by": []}
    ]
    assert command("rules", "coverage", "--index", index, "--except", "999.9").code == 0


def test_scenario_runs_and_its_exit_code_says_whether_it_holds(
    command: Run, tmp_path: Path
) -> None:
    text = (
        "scenario: bolt\nrules: ['120.3']\nplayers:\n"
        "  - {name: alice, mana: any, hand: [Lightning Bolt]}\n  - {name: bob}\n"
        "script:\n  - {cast: Lightning Bolt, by: alice, targets: [bob]}\n  - resolve\n"
        "expect: {life: {bob: LIFE}}\n"
    )
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(text.replace("LIFE", "17"), encoding="utf-8")
    bad.write_text(text.replace("LIFE", "20"), encoding="utf-8")
    assert command("scenario", "run", good).out.splitlines()[-1] == "1 passed, 0 failed"
    ran = command("scenario", "run", good, bad, "--json")
    assert ran.code == 1
    assert [set(row) for row in ran.records] == [
        {"scenario", "ok", "step", "expected", "found", "error"}
    ] * 2
    assert ran.records[1]["step"] == 3


# What is wrong is one sentence and exit code 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "--deck", "nowhere.dck", "--deck", "nowhere.dck"), "nowhere.dck"),
        (("play", "--edition", "1999-04"), "--edition"),
        (("play", "--variant", "two-headed-giant"), "not built yet"),
        (("play", "--variant", "poker"), "poker"),
        (("play", "--agent", "deep-blue"), "deep-blue"),
        (("play", "--format", "vintage"), "vintage"),
        (("play", "--seed", "x"), "--seed"),
        (("play", "--cards", "nowhere.json"), "nowhere.json"),
        (
            (
                "play",
                "--frobnicate",
            ),
            "--frobnicate",
        ),
        (("play", "--games", "0"), "--games"),
        (("games", "--store", "http://localhost"), "redis://"),
        (("games", "--store", "redis://localhost:1"), "redis://localhost:1"),
        (("games", "--store", "unix:///nowhere/s"), "/nowhere/s"),
        (("show", "nobody"), "nobody"),
        (("show", "a b"), "GAME@N"),
        (("log", "nobody@3"), "nobody"),
        (("replay", "nobody"), "nobody"),
        (("verify",), "--all"),
        (("verify", "no/such/file"), "no/such/file"),
        (("branch", "nobody"), "--at"),
        (("import", "nowhere.apnap"), "nowhere.apnap"),
        (("cards", "show", "Nothing Like It"), "Nothing Like It"),
        (("cards", "report", "nowhere.json"), "nowhere.json"),
        (("scenario", "run", "nowhere"), "nowhere"),
        (("bench", "luck"), "luck"),
        (("fuzz", "--players", "3"), "--players"),
        (("explain", "baba", "Humility"), "not built yet"),
        (("frobnicate",), "frobnicate"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_usage_is_one_sentence(in_process: Run, words: tuple[str, ...], said: str) -> None:
    assert said in complaint(in_process(*words))


def test_moment_that_is_not_there_is_named(played: Any) -> None:
    run, game = played
    last = f"{game['game']}@{game['commits'] - 1}"
    for words in (
        ("show", f"{game['game']}@9999"),
        ("replay", game["game"], "--to", "9999"),
        ("branch", game["game"], "--at", "9999"),
        ("log", game["game"], "--from", "9999"),
    ):
        assert last in complaint(run(*words))


def test_deck_of_39_cards_is_refused(command: Run, tmp_path: Path) -> None:
    deck = tmp_path / "small.txt"
    deck.write_text("39 Forest\n", encoding="utf-8")
    assert "39" in complaint(command("play", "--deck", deck, "--deck", deck))


def test_empty_and_binary_decks_are_refused(command: Run, tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty.dck", tmp_path / "binary.dck"
    empty.write_bytes(b"")
    binary.write_bytes(bytes(range(256)))
    for deck in (empty, binary):
        complaint(command("play", "--deck", deck, "--deck", deck))


def test_constructed_decks_are_held_to_their_rules(command: Run, tmp_path: Path) -> None:
    small, five = tmp_path / "small.txt", tmp_path / "five.txt"
    small.write_text("59 Forest\n", encoding="utf-8")
    five.write_text("55 Forest\n5 Grizzly Bears\n", encoding="utf-8")
    words = ("--format", "constructed")
    assert "59" in complaint(command("play", "--deck", small, "--deck", small, *words))
    assert "Grizzly Bears" in complaint(command("play", "--deck", five, "--deck", five, *words))


def test_data_folder_that_cannot_be_made_is_named(command: Run, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder", encoding="utf-8")
    said = complaint(command("games", XDG_DATA_HOME=str(file)))
    assert str(file) in said


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_stands_in_the_readme(name: str, root: Path) -> None:
    from apnap.cli.main import apnap

    context = apnap.make_context("apnap", [name, "--help"], resilient_parsing=True)
    found = apnap.get_command(context, name)
    assert found is not None
    assert found.help
    assert f"apnap {name}" in (root / "README.md").read_text(encoding="utf-8")
