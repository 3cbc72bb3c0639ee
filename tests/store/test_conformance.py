"""What every store does, whoever serves it."""

from collections.abc import Sequence

import pytest

from apnap.events.errors import GameExists, GameUnknown, LeaseHeld, LeaseLost, LogConflict
from apnap.events.store import Fence, Head, NewCommit, Store


def commit(number: int, text: str = "commit") -> NewCommit:
    return NewCommit(f"{text} {number}".encode() * 3 + b"\x00\r\n\xff", f"digest {number}".encode())


def new_game(store: Store, *, commits: int = 0) -> tuple[str, Fence]:
    game = store.new_game_id()
    store.create(game, b"secret", {"status": "running"})
    fence = store.acquire(game, "host")
    for number in range(commits):
        store.append(game, number, commit(number - 1).digest, commit(number), fence)
    return game, fence


def entries(commits: Sequence[NewCommit]) -> list[tuple[int, bytes]]:
    return [(number, each.entry) for number, each in enumerate(commits)]


def test_new_games_have_different_short_names(store: Store) -> None:
    names = [store.new_game_id() for _ in range(20)]
    assert len(set(names)) == 20
    assert all(name.isalpha() and name.islower() and len(name) == 4 for name in names)


def test_a_name_that_an_imported_game_has_is_not_given_again(store: Store) -> None:
    store.create("pise", b"imported", {})
    assert [store.new_game_id() for _ in range(3)] == ["baba", "geli", "vado"]


def test_a_new_game_has_a_secret_and_meta_before_it_has_a_commit(store: Store) -> None:
    game, _ = new_game(store)
    assert store.secret(game) == b"secret"
    assert store.meta(game) == {"status": "running"}
    assert store.head(game) == Head(-1, b"")
    assert list(store.read(game)) == []


def test_creating_again_with_the_same_secret_changes_nothing(store: Store) -> None:
    game, _ = new_game(store)
    store.create(game, b"secret", {"status": "other"})
    assert store.meta(game) == {"status": "running"}
    assert len(store.games()) == 1
    with pytest.raises(GameExists):
        store.create(game, b"another", {})


def test_appended_commits_are_read_back_byte_for_byte(store: Store) -> None:
    game, _ = new_game(store, commits=5)
    assert list(store.read(game)) == entries([commit(number) for number in range(5)])
    assert store.head(game) == Head(4, b"digest 4")


def test_reading_takes_a_first_number_and_one_to_stop_before(store: Store) -> None:
    game, _ = new_game(store, commits=5)
    assert [number for number, _ in store.read(game, 2)] == [2, 3, 4]
    assert [number for number, _ in store.read(game, 1, 3)] == [1, 2]
    assert [number for number, _ in store.read(game, 3, 99)] == [3, 4]
    assert list(store.read(game, 5)) == list(store.read(game, 2, 2)) == []


def test_many_commits_are_appended_and_read_across_round_trips(store: Store) -> None:
    game, fence = new_game(store, commits=1)
    rest = [commit(number) for number in range(1, 1203)]
    store.append_many(game, 1, commit(0).digest, rest, fence)
    assert list(store.read(game)) == entries([commit(0), *rest])
    assert [number for number, _ in store.read(game, 499, 1001)] == list(range(499, 1001))


@pytest.mark.parametrize("number", [1, 2, 4, 9])
def test_a_commit_with_a_wrong_number_is_a_conflict_and_not_written(
    store: Store, number: int
) -> None:
    game, fence = new_game(store, commits=3)
    with pytest.raises(LogConflict, match=f"{game}@{number}$") as conflict:
        store.append(game, number, commit(2).digest, commit(number, "other"), fence)
    assert (conflict.value.number, conflict.value.head) == (number, 2)
    assert len(list(store.read(game))) == 3


def test_a_commit_that_continues_another_digest_is_a_conflict(store: Store) -> None:
    game, fence = new_game(store, commits=3)
    with pytest.raises(LogConflict, match="another digest"):
        store.append(game, 3, b"not that of commit 2", commit(3), fence)
    assert store.head(game).number == 2


def test_appending_the_same_commit_again_is_a_success_that_writes_nothing(store: Store) -> None:
    game, fence = new_game(store, commits=3)
    store.append(game, 2, commit(1).digest, commit(2), fence)
    store.append(game, 1, commit(0).digest, commit(1), fence)
    assert len(list(store.read(game))) == 3


def test_a_tail_that_is_there_in_part_is_completed(store: Store) -> None:
    game, fence = new_game(store, commits=3)
    store.append_many(game, 1, commit(0).digest, [commit(n) for n in range(1, 6)], fence)
    assert list(store.read(game)) == entries([commit(number) for number in range(6)])


def test_a_tail_that_differs_from_what_is_there_is_a_conflict(store: Store) -> None:
    game, fence = new_game(store, commits=3)
    tail = [commit(1), commit(2, "other"), commit(3)]
    with pytest.raises(LogConflict):
        store.append_many(game, 1, commit(0).digest, tail, fence)
    assert store.head(game).number == 2


def test_a_second_host_is_refused_and_told_who_runs_the_game(store: Store) -> None:
    game, _ = new_game(store)
    with pytest.raises(LeaseHeld, match="being run by host"):
        store.acquire(game, "second")
    holder = store.holder(game)
    assert holder is not None
    assert holder.startswith("host")


def test_a_released_lease_can_be_taken_with_a_greater_token(store: Store) -> None:
    game, first = new_game(store)
    store.release(first)
    assert store.holder(game) is None
    second = store.acquire(game, "second")
    assert second.token > first.token


def test_a_holder_learns_from_the_refused_append_that_its_lease_is_lost(store: Store) -> None:
    game, first = new_game(store, commits=2)
    store.release(first)
    second = store.acquire(game, "second")
    with pytest.raises(LeaseLost, match=f"taken over by second.*{game}@2$"):
        store.append(game, 2, commit(1).digest, commit(2), first)
    with pytest.raises(LeaseLost, match=f"{game}@2$"):
        store.renew(first)
    store.release(first)
    store.append(game, 2, commit(1).digest, commit(2), second)
    assert store.head(game).number == 2


def test_a_lost_lease_is_told_before_a_wrong_number(store: Store) -> None:
    game, first = new_game(store, commits=2)
    store.release(first)
    with pytest.raises(LeaseLost):
        store.append(game, 9, b"", commit(9), first)


def test_games_are_listed_oldest_first_with_their_length(store: Store) -> None:
    one, _ = new_game(store, commits=2)
    store.create("zulu-1", b"imported", {"name": "Böse Überraschung", "status": "finished"})
    two, _ = new_game(store)
    store.set_meta(one, {"status": "halted", "error": "a sentence"})
    listed = [(record.game, record.meta, record.commits) for record in store.games()]
    assert listed == [
        (one, {"status": "halted", "error": "a sentence"}, 2),
        ("zulu-1", {"name": "Böse Überraschung", "status": "finished"}, 0),
        (two, {"status": "running"}, 0),
    ]


def test_a_removed_game_is_gone_with_all_that_was_kept_for_it(store: Store) -> None:
    game, fence = new_game(store, commits=2)
    store.put_blob(game, "snapshot", b"x")
    store.put_definitions(game, {b"d": b"y"})
    store.remove(game)
    assert store.games() == []
    with pytest.raises(LeaseLost):
        store.append(game, 2, commit(1).digest, commit(2), fence)
    store.create(game, b"new", {})
    assert (store.blob_names(game), store.get_definitions(game)) == ([], {})
    assert store.head(game).number == -1


def test_an_unknown_game_is_named_in_the_error(store: Store) -> None:
    for ask in (store.head, store.meta, store.secret, store.remove, store.get_definitions):
        with pytest.raises(GameUnknown, match="'nobody'"):
            ask("nobody")
    with pytest.raises(GameUnknown):
        list(store.read("nobody"))
    with pytest.raises(GameUnknown):
        list(store.read("nobody", 7))
    with pytest.raises(GameUnknown):
        store.acquire("nobody", "host")
    with pytest.raises(GameUnknown):
        store.set_meta("nobody", {"status": "running"})
    with pytest.raises(GameUnknown):
        store.put_blob("nobody", "snapshot", b"")


def test_definitions_are_kept_by_digest_and_in_its_order(store: Store) -> None:
    game, _ = new_game(store)
    store.put_definitions(game, {b"\xff": b"last", b"\x00": b"first"})
    store.put_definitions(game, {b"\x80": b"middle", b"\x00": b"first"})
    store.put_definitions(game, {})
    assert list(store.get_definitions(game).items()) == [
        (b"\x00", b"first"),
        (b"\x80", b"middle"),
        (b"\xff", b"last"),
    ]


def test_blobs_are_kept_by_name_until_they_are_dropped(store: Store) -> None:
    game, _ = new_game(store)
    store.put_blob(game, "snapshot:20", b"old")
    store.put_blob(game, "snapshot:20", b"new\x00\xff")
    store.put_blob(game, "record", b"r" * 100_000)
    assert store.get_blob(game, "snapshot:20") == b"new\x00\xff"
    assert store.blob_names(game) == ["record", "snapshot:20"]
    store.drop_blob(game, "record")
    store.drop_blob(game, "record")
    assert store.get_blob(game, "record") is None


def test_times_where_kept_are_those_of_the_commits_and_do_not_go_back(store: Store) -> None:
    game, _ = new_game(store, commits=3)
    times = list(store.times(game))
    if times:
        assert [number for number, _ in times] == [0, 1, 2]
        assert times == sorted(times, key=lambda pair: pair[1])
        assert times[0][1] > 1_700_000_000_000


def test_a_store_says_what_it_is(store: Store) -> None:
    info = store.info()
    assert info.address == store.address
    assert info.durable == (info.address != "memory:")
    assert info.reason
