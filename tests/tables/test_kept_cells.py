"""Cells are kept in one file."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoad.adhoc_player import Beliefs, Episodes
from hoad.core.errors import HoadError
from hoad.core.kept import Kept
from hoad.tables.kept_cells import (
    KeptCell,
    cell_folder,
    join_games,
    kept_games,
    load_cells,
    save_cell,
)
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
        "identity": "4567",
        "options": "89ab",
        "cell": Cell(played(), np.arange(EPISODES), MADE_WITH, 2.5),
    }
    return KeptCell(**values | changes)


def test_cells_are_loaded_as_they_were_saved(tmp_path: Path) -> None:
    training = MetaTraining({"step": 3}, {"held-out/low-shot accuracy": [[1], [0.5]]})
    means, unknown = np.full((GAMES, 2), 0.5), np.full((EPISODES, GAMES), np.nan)
    beliefs = Beliefs(("a", "b"), means, means / 2, unknown, unknown, np.zeros((EPISODES, 2)))
    cell = Cell(played(), np.array([0, 0, 1]), MADE_WITH, 2.5, beliefs, (training,))

    save_cell(kept_games(tmp_path), "iggi", kept_cell(cell=cell))
    [kept] = load_cells(kept_games(tmp_path), "iggi")

    assert kept.player == "low-shot@5:rules:8,13"
    assert kept.settings == kept_cell().settings
    assert_same_cell(kept.cell, cell)
    assert kept.cell.beliefs is not None
    assert kept.cell.beliefs.hypotheses == ("a", "b")
    for name, array in vars(beliefs).items():
        if name != "hypotheses":
            np.testing.assert_array_equal(getattr(kept.cell.beliefs, name), array)


def test_all_that_decides_the_games_is_in_the_name_of_the_entry_and_of_the_folder() -> None:
    changes: list[dict[str, Any]] = [{}, {"player": "naive"}, {"identity": "89"}]

    assert len({kept_cell(**one).name for one in [*changes, {"settings": {"seed": 2}}]}) == 4
    reordered = kept_cell(settings={"partner": {"iggi": "0123"}, "seed": 1})
    assert reordered.name == kept_cell().name
    assert cell_folder("pool 1", "elite:a.json/0,1") == "pool 1/elite:a.json/0,1"
    assert cell_folder("", "iggi") == "iggi"


def test_cells_of_other_folders_are_joined_to_those_of_a_folder(tmp_path: Path) -> None:
    whole, *parts = (tmp_path / name for name in ("whole", "first", "second"))
    places = (whole, "iggi"), (parts[0], "iggi"), (parts[1], "piers")
    for number, (folder, partner) in enumerate(places):
        kept = kept_cell(cell=Cell(played(number), np.arange(EPISODES), MADE_WITH, 2.5))
        save_cell(kept_games(folder), partner, kept)

    join_games(whole, parts)

    [iggi] = load_cells(kept_games(whole), "iggi")
    [piers] = load_cells(kept_games(whole), "piers")
    assert_same_cell(iggi.cell, kept_cell().cell)  # its own
    assert_same_cell(piers.cell, load_cells(kept_games(parts[1]), "piers")[0].cell)
    with pytest.raises(HoadError, match=r"nothing/games\.sqlite: cannot read"):
        join_games(tmp_path / "new", [whole, tmp_path / "nothing"])
    assert not (tmp_path / "new").exists()


def test_entries_without_the_arrays_of_a_cell_are_refused(tmp_path: Path) -> None:
    file = kept_games(tmp_path)
    file.add(Kept("iggi", "low-shot-1", {"hypotheses": None}, {"lenient": np.zeros((3, 4))}))

    with pytest.raises(HoadError, match=r"games\.sqlite: not the games of a table; remove it"):
        load_cells(file, "iggi")


def test_published_cells_are_named_after_what_they_hold() -> None:
    file = kept_games(ROOT / "results/adhoc/games")
    folders = file.folders()

    assert folders
    for partner in folders:
        assert sorted(kept.name for kept in load_cells(file, partner)) == file.names(partner)
