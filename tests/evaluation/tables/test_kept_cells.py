"""Cells are kept as files, and rows of older versions are read."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoad.adhoc.episodes import Episodes
from hoad.adhoc.player import Beliefs
from hoad.adhoc.players.kinds.registry import Column
from hoad.adhoc.players.roster import TablePartner
from hoad.core.errors import HoadError
from hoad.evaluation.adhoc.recipe import AdhocRecipe
from hoad.evaluation.adhoc.table import rosters_of, run_adhoc
from hoad.evaluation.meta_training import MetaTraining
from hoad.evaluation.report.output import plain_json
from hoad.evaluation.tables import engine
from hoad.evaluation.tables.kept_cells import KeptCell, cell_folder, load_cell, save_cell
from hoad.evaluation.tables.legacy import load_row, row_path
from hoad.evaluation.tables.scores import Cell
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


class TestRowsOfOlderVersions:
    """The file ``games/PARTNER.npz`` held all players with one partner."""

    PLAYERS = ("self-play", "adaptive", "generalist", "random-partner", "zero-shot@5")

    @pytest.fixture
    def recipe(self, tmp_path: Path) -> AdhocRecipe:
        return AdhocRecipe(
            partners=("iggi",),
            players=self.PLAYERS,
            agents=("piers", "flawed"),
            pool=("piers", "flawed"),
            episodes=EPISODES,
            games_per_episode=GAMES,
            trials=1,
            cross_play_games=2,
            out=tmp_path,
        )

    @pytest.fixture
    def path(self, recipe: AdhocRecipe) -> Path:
        """A row as an older version wrote it; its meta-model is not on this machine."""
        roster, partner = rosters_of(recipe)[""], TablePartner("iggi")
        columns = map(Column.parse, self.PLAYERS)
        identities = {one.name: one.fingerprint(roster, partner) for one in columns}
        about = {
            "settings": {
                "source": "originals",
                "episodes": EPISODES,
                "games_per_episode": GAMES,
                "seed": 0,
                "partner": {"iggi": roster.partner_fingerprint(partner)},
            },
            "made_with": {**MADE_WITH, "commits": ["first", "abc"]},
            "identities": identities | {"zero-shot@5": "of another machine"},
            "seconds": 10.0,
            "training": {"card": {"step": 5, "name": "iggi"}, "curves": {}},
            "beliefs": {"hypotheses": ["piers", "flawed"], "means": [[0.5, 0.5]] * GAMES},
        }
        arrays = {"about": np.array(plain_json(about))}
        for number, player in enumerate(self.PLAYERS):
            arrays |= {f"{player}/{key}": value for key, value in vars(played(number)).items()}
            arrays[f"{player}/repetitions"] = np.arange(EPISODES)
        path = row_path(recipe.games_folder, "iggi")
        path.parent.mkdir(parents=True)
        np.savez_compressed(path, **arrays)  # type: ignore[arg-type]
        return path

    def test_become_cells(self, path: Path) -> None:
        cells = {kept.player: kept for kept in load_row(path)}

        assert list(cells) == [name.replace("adaptive", "bayes-features") for name in self.PLAYERS]
        for number, kept in enumerate(cells.values()):
            np.testing.assert_array_equal(kept.cell.episodes.lenient, played(number).lenient)
            assert kept.cell.made_with["commits"] == ["first", "abc"]
        assert sum(kept.cell.seconds for kept in cells.values()) == pytest.approx(10)
        with_beliefs = [name for name, kept in cells.items() if kept.cell.beliefs]
        assert with_beliefs == ["bayes-features"]
        [training] = cells["zero-shot@5"].cell.trainings
        assert training.metadata == {"step": 5, "name": "iggi"}

    def test_are_not_played_again(
        self, recipe: AdhocRecipe, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(engine, "play_cell", None)
        before = path.read_bytes()

        result = run_adhoc(recipe, threads=1, resume=True)

        for number, player in enumerate(self.PLAYERS):
            [cell] = result.table.cells_of("iggi", player)
            np.testing.assert_array_equal(cell.episodes.lenient, played(number).lenient)
        assert result.made_with_of("self-play")["commits"] == ["first", "abc"]
        assert result.trainings["iggi"].metadata["step"] == 5
        assert [file.name for file in path.parent.iterdir()] == ["iggi.npz"]
        assert path.read_bytes() == before

    def test_stay_where_a_player_has_changed(self, recipe: AdhocRecipe, path: Path) -> None:
        changed = recipe.model_copy(update={"agents": ("piers", "simplebot")})

        result = run_adhoc(changed, threads=1, resume=True)

        [file] = cell_folder(recipe.games_folder, "", "iggi").iterdir()
        assert file.name.startswith("random-partner-")
        [kept] = result.table.cells_of("iggi", "self-play")
        np.testing.assert_array_equal(kept.episodes.lenient, played(0).lenient)

    @pytest.mark.usefixtures("path")
    def test_are_refused_without_resume(self, recipe: AdhocRecipe) -> None:
        with pytest.raises(HoadError, match=r"iggi\.npz: holds games already"):
            run_adhoc(recipe, threads=1)

    def test_of_published_tables_are_read(self) -> None:
        for path in sorted((ROOT / "results").glob("maml*/**/games/*.npz")):
            for kept in load_row(path):
                assert kept.cell.episodes.lenient.shape == (200, 10)
                assert len(kept.fingerprint) == 12


def test_a_file_says_in_json_what_it_holds(tmp_path: Path) -> None:
    save_cell(tmp_path, kept_cell())

    with np.load(tmp_path / kept_cell().file, allow_pickle=False) as stored:
        about = json.loads(str(stored["about"]))

    assert about["player"] == "low-shot@5:rules:8,13"
    assert about["settings"]["partner"] == {"iggi": "0123"}
