import json
from pathlib import Path

import numpy as np
import pytest
from hoad.adhoc.matchup_files import (
    known_match_ups,
    load_match_ups,
    match_ups_path,
    save_match_ups,
    saved_match_ups,
)

from hoad.adhoc import matchup_files
from hoad.adhoc.matchups import MatchUps, join_rows, play_match_ups, play_rows
from hoad.core.errors import HoadError

POOL = ("iggi", "flawed", "internal")
GAMES, SEED = 40, 3


@pytest.fixture(scope="module")
def match_ups() -> MatchUps:
    return play_match_ups(POOL, GAMES, SEED)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    return tmp_path


def write_population(checkpoints: Path, name: str, rules: list[int]) -> None:
    folder = checkpoints / "populations" / name
    folder.mkdir(parents=True, exist_ok=True)
    values = {"name": name, "grid": [5, 5], "rules": "published"}
    elites = [{"niche": [1, 1], "fitness": None, "chromosome": rules}]
    (folder / "population.json").write_text(json.dumps(values | {"elites": elites}))


def assert_equal(some: MatchUps, others: MatchUps) -> None:
    assert some.agents == others.agents
    for name in ("lenient", "strict", "features"):
        np.testing.assert_array_equal(getattr(some, name), getattr(others, name))


def test_saved_match_ups_are_loaded_unchanged(match_ups, tmp_path):
    save_match_ups(tmp_path / "pool.npz", match_ups)

    assert_equal(load_match_ups(tmp_path / "pool.npz"), match_ups)


def test_match_ups_are_played_once_and_then_found(match_ups, monkeypatch):
    assert_equal(saved_match_ups(POOL, GAMES, SEED), match_ups)
    monkeypatch.setattr(matchup_files, "play_rows", None)
    monkeypatch.setattr(matchup_files, "play_match_ups", None)

    assert_equal(saved_match_ups(POOL, GAMES, SEED), match_ups)
    assert_equal(known_match_ups(POOL, GAMES, SEED), match_ups)


def test_unknown_match_ups_are_played_and_not_saved(match_ups, folder):
    assert_equal(known_match_ups(POOL, GAMES, SEED), match_ups)

    assert not list(folder.rglob("*"))


def test_interrupted_match_ups_go_on_where_they_stopped(match_ups, monkeypatch):
    def stop_after_one(agents, first, games, seed, threads):
        rows = play_rows(agents, first, games, seed, threads)
        yield next(rows)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(matchup_files, "play_rows", stop_after_one)
        saved_match_ups(POOL, GAMES, SEED)
    asked = []

    def note(agents, first, games, seed, threads):
        asked.append(first)
        return play_rows(agents, first, games, seed, threads)

    monkeypatch.setattr(matchup_files, "play_rows", note)

    assert_equal(saved_match_ups(POOL, GAMES, SEED), match_ups)
    assert asked == [[1, 2]]
    assert not list(match_ups_path(POOL, GAMES, SEED).parent.glob("*.unfinished"))


def test_files_are_told_apart_by_all_that_matters():
    paths = {match_ups_path(POOL, *rest) for rest in ((40, 3), (41, 3), (40, 4))}

    assert len(paths | {match_ups_path(POOL[::-1], 40, 3)}) == 4


def test_the_same_rules_under_another_name_have_the_same_match_ups(folder):
    rules = "rules:8,13,38"
    write_population(folder, "mine", [8, 13, 38])

    found = saved_match_ups([rules], GAMES, SEED)
    again = saved_match_ups(["elite:mine/1,1"], GAMES, SEED)

    assert again.agents == ("elite:mine/1,1",)
    assert again.lenient == found.lenient
    assert len(list(folder.rglob("*.npz"))) == 1


def test_population_that_has_changed_has_other_match_ups(folder, monkeypatch):
    found = []
    for rules in ([8, 13], [8, 38]):
        monkeypatch.setenv("HOAD_CHECKPOINTS", str(folder / str(rules[1])))
        write_population(folder / str(rules[1]), "mine", rules)
        found.append(match_ups_path(["elite:mine/1,1"], GAMES, SEED).name)

    assert found[0] != found[1]


def test_file_that_holds_no_match_ups_is_refused(tmp_path, match_ups):
    save_match_ups(tmp_path / "pool.npz", match_ups)
    whole = (tmp_path / "pool.npz").read_bytes()
    (tmp_path / "truncated.npz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.npz").write_text("no match-ups")
    np.savez(tmp_path / "other.npz", agents=np.zeros(3))
    (tmp_path / "empty.npz").write_bytes(b"")
    middle = len(whole) // 2
    (tmp_path / "flipped.npz").write_bytes(
        whole[:middle]
        + bytes(byte ^ 255 for byte in whole[middle : middle + 40])
        + whole[middle + 40 :]
    )
    for name in ("truncated", "text", "other", "absent", "empty", "flipped"):
        with pytest.raises(HoadError, match=rf"{name}\.npz: "):
            load_match_ups(tmp_path / f"{name}.npz")


def test_rows_in_any_order_make_the_same_match_ups(match_ups):
    rows = dict(play_rows(POOL, [2, 0, 1], GAMES, SEED, threads=2))

    assert_equal(join_rows(POOL, np.array([rows[index] for index in range(3)])), match_ups)
