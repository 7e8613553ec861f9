"""Cells are kept as files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoad.agents.player import Beliefs
from hoad.core.errors import HoadError
from hoad.players.episodes import Episodes
from hoad.tables.kept_cells import KeptCell, cell_folder, load_cell, save_cell
from hoad.tables.meta_training import MetaTraining
from hoad.tables.scores import Cell
from tests.scripts import ROOT

EPISODES, GAMES = 3, 4
MADE_WITH = {"commit": "abc", "date": "2026-01-01T00:00:00+00:00"}


def played(low: int = 0) -> Episodes:
    scores = np.random.default_rng(low).integers(low, 26, (EPISODES, GAMES)).astype(np.uint8)
    return Episodes(scores, scores // 2, np.array([1, 0, 1, 0]))


def assert_same_cell(one: Cell, other: Cell) -> None:
    for name, array in vars(one.episodes).items():
        np.testing.assert_array_equal(getattr(other.episodes, name), array)
    np.testing.assert_array_equal(one.repetitions, other.repetitions)
    assert (one.made_with, one.seconds) == (other.made_with, other.seconds)
    assert one.trainings == other.trainings


def kept_cell(**changes) -> KeptCell:
    values: dict[str, Any] = {
        "player": "low-shot@5:rules:8,13",
        "settings": {"seed": 1, "partner": {"iggi": "0123"}},
        "fingerprint": "4567",
        "options": "89ab",
        "cell": Cell(played(), np.arange(EPISODES), MADE_WITH, 2.5),
    }
    return KeptCell(**values | changes)


def saved(tmp_path: Path, kept: KeptCell) -> KeptCell:
    save_cell(tmp_path, kept)
    return load_cell(tmp_path / kept.file)


def test_cells_are_loaded_as_they_were_saved(tmp_path: Path) -> None:
    training = MetaTraining({"step": 3}, {"held-out/low-shot accuracy": [[1], [0.5]]})
    beliefs = Beliefs(
        ("a", "b"),
        np.full((GAMES, 2), 0.5),
        np.full((GAMES, 2), 0.25),
        np.full((EPISODES, GAMES), np.nan),
        np.full((EPISODES, GAMES), np.nan),
        np.zeros((EPISODES, 2)),
    )
    cell = Cell(played(), np.array([0, 0, 1]), MADE_WITH, 2.5, beliefs, (training,))

    found = saved(tmp_path, kept_cell(cell=cell))

    assert found.player == "low-shot@5:rules:8,13"
    assert found.settings == kept_cell().settings
    assert_same_cell(found.cell, cell)
    assert found.cell.beliefs is not None
    assert found.cell.beliefs.hypotheses == ("a", "b")
    for name, array in vars(beliefs).items():
        if name != "hypotheses":
            np.testing.assert_array_equal(getattr(found.cell.beliefs, name), array)


def test_all_that_decides_the_games_is_in_the_name_of_the_file() -> None:
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"player": "naive"},
        {"fingerprint": "89"},
        {"settings": {"seed": 2}},
    )

    assert len({kept_cell(**one).file for one in changes}) == 4
    reordered = kept_cell(settings={"partner": {"iggi": "0123"}, "seed": 1})
    assert reordered.file == kept_cell().file


def test_names_of_files_are_safe_on_any_system() -> None:
    folder = cell_folder(Path("out/games"), "pool 1", "elite:$HOME/a.json/0,1")

    assert folder.parts == ("out", "games", "pool_1", "elite__HOME_a.json_0,1")
    assert cell_folder(Path("out/games"), "", "iggi") == Path("out/games/iggi")


@pytest.mark.parametrize("damage", [lambda data: data[:-40], lambda _: b"", lambda _: b"scores"])
def test_damaged_files_are_refused_by_name(tmp_path: Path, damage) -> None:
    save_cell(tmp_path, kept_cell())
    path = tmp_path / kept_cell().file
    path.write_bytes(damage(path.read_bytes()))

    with pytest.raises(HoadError, match="not the games of a table; remove it"):
        load_cell(path)


def test_published_cells_are_named_after_what_they_hold() -> None:
    paths = list((ROOT / "results" / "adhoc" / "games").glob("**/*.npz"))

    assert paths
    assert [load_cell(path).file for path in paths] == [path.name for path in paths]


def test_a_file_says_in_json_what_it_holds(tmp_path: Path) -> None:
    save_cell(tmp_path, kept_cell())

    with np.load(tmp_path / kept_cell().file, allow_pickle=False) as stored:
        about = json.loads(str(stored["about"]))

    assert about["player"] == "low-shot@5:rules:8,13"
    assert about["settings"]["partner"] == {"iggi": "0123"}
