"""A table that was interrupted, or is made row by row, is the one made at once."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from hoad.commands.evaluate.adhoc import adhoc
from hoad.commands.evaluate.meta_agents import meta_agents
from hoad.core.errors import HoadError
from hoad.core.files import only_writer
from hoad.core.provenance import provenance
from hoad.core.recipe import check_recipe
from hoad.learning.maml.learner import train_maml
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.recipes import LowShotRecipe, NaiveRecipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.players import search
from hoad.reports.output import csv_text, write_report
from hoad.search.effort import Effort
from hoad.tables import engine
from hoad.tables.adhoc import table
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.report import adhoc_report
from hoad.tables.adhoc.table import AdhocResult, run_adhoc
from hoad.tables.kept_cells import kept_games
from hoad.tables.meta_agents.recipe import MetaAgentsRecipe

NAIVE = NaiveRecipe(hidden=(8,), batch_size=64, epochs=1)


def recipe_of(folder: Path, **changes: object) -> AdhocRecipe:
    recipe = AdhocRecipe(
        partners=("iggi", "outer"),
        players=("self-play", "bayes-features", "random-partner"),
        agents=("piers", "flawed"),
        pool=("piers", "flawed"),
        episodes=4,
        games_per_episode=2,
        trials=2,
        matchup_games=10,
        cross_play_games=10,
        out=folder / "table",
    )
    return recipe.model_copy(update=changes)


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> AdhocResult:
    return run_adhoc(recipe_of(tmp_path_factory.mktemp("at once")), threads=1)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Partner and player of every cell that is played, in order."""
    cells: list[tuple[str, str]] = []

    def play_cell(recipe, roster, key, *trial):
        cells.append((key.partner.name, key.player))
        return original(recipe, roster, key, *trial)

    original = engine.play_cell
    monkeypatch.setattr(engine, "play_cell", play_cell)
    return cells


def cells_of(recipe: AdhocRecipe, partner: str) -> list[str]:
    return kept_games(recipe.games_folder).names(partner)


def assert_same(one: AdhocResult, other: AdhocResult) -> None:
    assert csv_text(adhoc_report(one).rows) == csv_text(adhoc_report(other).rows)
    assert one.beliefs.keys() == other.beliefs.keys()
    for key, beliefs in one.beliefs.items():
        assert beliefs.hypotheses == other.beliefs[key].hypotheses
        np.testing.assert_array_equal(beliefs.means, other.beliefs[key].means)


def test_a_table_made_row_by_row_is_the_one_made_at_once_and_times_add_up(
    tmp_path: Path, at_once: AdhocResult
) -> None:
    first = run_adhoc(recipe_of(tmp_path, partners=("outer",)), threads=1)
    second = run_adhoc(recipe_of(tmp_path), threads=1, resume=True)

    assert_same(second, at_once)
    for player in second.recipe.players:
        assert second.seconds_of(player) > first.seconds_of(player) > 0
    assert second.seconds > sum(map(second.seconds_of, second.recipe.players))


def test_players_who_are_added_play_and_the_others_do_not(
    tmp_path: Path, at_once: AdhocResult, played: list[tuple[str, str]]
) -> None:
    run_adhoc(recipe_of(tmp_path, players=("self-play",)), threads=1)
    played.clear()

    added = run_adhoc(recipe_of(tmp_path), threads=1, resume=True)

    assert {player for _, player in played} == {"bayes-features", "random-partner"}
    assert_same(added, at_once)


def test_tables_that_share_a_folder_of_games_play_what_they_have_in_common_once(
    tmp_path: Path, played: list[tuple[str, str]]
) -> None:
    others = "simplebot", "valuebot"
    shared = {"games": tmp_path / "games", "agents": others, "pool": others}
    run_adhoc(recipe_of(tmp_path / "agent", **shared), threads=1)
    played.clear()

    by_family = {"hold_out": "family", "out": tmp_path / "family"}
    family = run_adhoc(recipe_of(tmp_path, **shared, **by_family), threads=1, resume=True)

    assert "self-play" not in {player for _, player in played}
    alone = shared | by_family | {"games": None}
    assert_same(family, run_adhoc(recipe_of(tmp_path, **alone), threads=1))


def test_trials_of_a_player_that_searches_are_played_apart(
    tmp_path: Path, played: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "ORACLE_EFFORT", Effort(rollouts=40, round=20, particles=8))
    recipe = recipe_of(tmp_path, partners=("iggi",), players=("self-play", "search-oracle"))
    roster = table.rosters_of(recipe)[""]
    whole = engine.play_cell(recipe, roster, table.cell_key("iggi", "search-oracle"))
    played.clear()

    made = run_adhoc(recipe, threads=2)

    assert sorted(played) == [("iggi", "search-oracle")] * 2 + [("iggi", "self-play")]
    [cell] = made.cells_of("search-oracle")
    np.testing.assert_array_equal(cell.episodes.strict, whole.episodes.strict)
    np.testing.assert_array_equal(cell.episodes.lenient, whole.episodes.lenient)
    np.testing.assert_array_equal(cell.repetitions, whole.repetitions)


@pytest.mark.parametrize("cells", [2, 3])
def test_whoever_is_stopped_plays_the_rest_only(
    tmp_path: Path,
    at_once: AdhocResult,
    played: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    cells: int,
) -> None:
    recipe = recipe_of(tmp_path)
    stop_after(cells, recipe, monkeypatch)
    done = played[:cells]
    played.clear()

    resumed = run_adhoc(recipe, threads=1, resume=True)

    assert not set(played) & set(done)
    assert len(played) == 6 - cells
    assert_same(resumed, at_once)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": ("self-play", "low-shoot")}, "'low-shoot'; did you mean low-shot"),
        ({"agents": ("pires",)}, "pires"),
        ({"mean_without": ("igi",)}, "unknown agent 'igi'; did you mean iggi"),
    ],
)
def test_a_table_with_a_misspelt_name_is_refused_and_leaves_no_folder(
    changes: dict[str, object], message: str, tmp_path: Path
) -> None:
    recipe = recipe_of(tmp_path, **changes)

    with pytest.raises(HoadError, match=message):
        run_adhoc(recipe, threads=1)

    assert not recipe.out.exists()


@pytest.mark.parametrize("begun", [2, 3])
def test_a_cell_is_kept_before_another_one_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: int
) -> None:
    recipe, original, cells = recipe_of(tmp_path), engine.play_cell, []

    def play_cell(recipe, roster, key, *trial):
        cells.append((key.partner.name, key.player))
        if len(cells) == begun:
            raise KeyboardInterrupt
        return original(recipe, roster, key, *trial)

    monkeypatch.setattr(engine, "play_cell", play_cell)
    with pytest.raises(KeyboardInterrupt):
        run_adhoc(recipe, threads=1)

    assert (
        sum(len(cells_of(recipe, partner)) for partner in {name for name, _ in cells}) == begun - 1
    )


def stop_after(cells: int, recipe: AdhocRecipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt a table once so many of its cells are saved."""
    save, saved = engine.save_cell, []

    def save_and_stop(*arguments):
        save(*arguments)
        saved.append(arguments)
        if len(saved) == cells:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(engine, "save_cell", save_and_stop)
        with pytest.raises(KeyboardInterrupt):
            run_adhoc(recipe, threads=1)


@pytest.mark.parametrize(
    ("changes", "player"),
    [
        ({"agents": ("piers", "simplebot")}, "random-partner"),
        ({"pool": ("piers", "simplebot")}, "bayes-features"),
        ({"matchup_games": 12}, "bayes-features"),
        ({"naive": NAIVE.model_copy(update={"epochs": 2})}, "naive"),
    ],
)
def test_a_player_that_is_made_of_others_plays_again(
    tmp_path: Path, played: list[tuple[str, str]], changes: dict[str, object], player: str
) -> None:
    recipe = recipe_of(tmp_path, players=("self-play", player), naive=NAIVE)
    run_adhoc(recipe, threads=1)
    played.clear()

    run_adhoc(recipe.model_copy(update=changes), threads=1, resume=True)

    assert played == [("iggi", player), ("outer", player)]


def test_rows_of_imitators_are_kept_too(tmp_path: Path, played: list[tuple[str, str]]) -> None:
    recipe = recipe_of(tmp_path, source="imitators", agents=("piers",), players=("random-partner",))
    first = run_adhoc(recipe, threads=1)

    assert_same(run_adhoc(recipe, threads=1, resume=True), first)

    assert len(played) == 2


def test_without_resume_kept_games_stay(tmp_path: Path, played: list[tuple[str, str]]) -> None:
    run_adhoc(recipe_of(tmp_path, partners=("outer",)), threads=1)
    kept = (recipe_of(tmp_path).games_folder / "games.sqlite").read_bytes()
    played.clear()

    with pytest.raises(HoadError, match="'low-shoot'; did you mean low-shot"):
        run_adhoc(recipe_of(tmp_path, players=("low-shoot",)), threads=1)
    with pytest.raises(HoadError, match=r"outer: holds games already; .*--resume"):
        run_adhoc(recipe_of(tmp_path), threads=1)

    assert not played
    assert (recipe_of(tmp_path).games_folder / "games.sqlite").read_bytes() == kept


def test_the_report_tells_commits_of_a_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for commit in ("first", "second"):
        made_with = provenance() | {"commit": commit, "date": f"of the {commit}"}
        monkeypatch.setattr(table, "provenance", lambda made_with=made_with: made_with)
        partners = ("outer",) if commit == "first" else ("iggi", "outer")
        result = run_adhoc(recipe_of(tmp_path, partners=partners), threads=1, resume=True)

    page = write_report(adhoc_report(result), result.recipe.out).read_text()

    assert re.search(r"\| self-play \| \d+ s \| first, second \| of the second \|", page)


@pytest.mark.parametrize("changes", [{"seed": 5}, {"episodes": 5}, {"source": "imitators"}])
def test_games_of_other_settings_are_played_and_the_first_ones_stay(
    tmp_path: Path, played: list[tuple[str, str]], changes: dict[str, object]
) -> None:
    recipe = recipe_of(tmp_path, players=("self-play",), agents=("piers",))
    first = run_adhoc(recipe, threads=1)
    run_adhoc(recipe.model_copy(update=changes), threads=1, resume=True)
    assert len(played) == 4
    played.clear()

    assert_same(run_adhoc(recipe, threads=1, resume=True), first)

    assert not played


MINE = """
from hoad.agents import PlainAgent


class Mine(PlainAgent):
    name = "mine"

    def choose(self, view):
        return "discard 0" if view.tokens < 8 else "play 0"
"""


def test_a_partner_that_has_changed_plays_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, played: list[tuple[str, str]]
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = "python:mine.py:Mine"
    recipe = recipe_of(tmp_path, partners=(mine,), players=("self-play", "piers"))
    Path("mine.py").write_text(MINE)
    run_adhoc(recipe, threads=1)
    played.clear()

    Path("mine.py").write_text(MINE.replace("play 0", "play 1"))
    run_adhoc(recipe, threads=1, resume=True)

    assert played == [(mine, "self-play"), (mine, "piers")]


LEARNER = """
from hoad import AdhocLearner


class Mine(AdhocLearner):
    files = ("weights.txt",)

    def choose(self, view):
        return "discard 0" if view.tokens < 8 else "play 0"
"""


@pytest.mark.parametrize("changed", ["weights.txt", "partner.py"])
def test_a_cell_of_files_that_changed_while_it_played_is_not_kept(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    learner, partner = "python:learner.py:Mine", "python:partner.py:Mine"
    Path("learner.py").write_text(LEARNER)
    Path("partner.py").write_text(MINE)
    Path("weights.txt").write_text("1")
    recipe = recipe_of(tmp_path, partners=(partner,), players=("self-play", learner))
    original = engine.play_cell

    def play_cell(recipe, roster, key, *trial):
        if key.player == learner:
            path = Path(changed)
            path.write_text(path.read_text() + "\n")
        return original(recipe, roster, key, *trial)

    with monkeypatch.context() as patch:
        patch.setattr(engine, "play_cell", play_cell)
        with pytest.raises(
            HoadError, match=f"{learner if changed.endswith('txt') else partner}: a network"
        ):
            run_adhoc(recipe, threads=1)

    assert [name.rpartition("-")[0] for name in cells_of(recipe, partner)] == ["self-play"]
    assert len(run_adhoc(recipe, threads=1, resume=True).cells) == 2


def test_a_learner_whose_files_are_missing_is_refused_before_it_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, played: list[tuple[str, str]]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("learner.py").write_text(LEARNER)
    recipe = recipe_of(tmp_path, players=("self-play", "python:learner.py:Mine"))

    with pytest.raises(HoadError, match=r"weights\.txt"):
        run_adhoc(recipe, threads=1)

    assert not played and not recipe.out.exists()


@pytest.mark.parametrize("damage", [lambda data: data[:-40], lambda _: b"scores"])
def test_damaged_cells_are_refused_by_name(tmp_path: Path, damage) -> None:
    recipe = recipe_of(tmp_path)
    run_adhoc(recipe, threads=1)
    path = recipe.games_folder / "games.sqlite"
    path.write_bytes(damage(path.read_bytes()))

    with pytest.raises(
        HoadError, match=r"games\.sqlite: (damaged|not the games of a table).*remove it"
    ):
        run_adhoc(recipe, threads=1, resume=True)


def test_a_model_names_the_training_of_the_meta_model_that_it_knows(tmp_path: Path) -> None:
    few = {"support_games": 0, "trials": 1, "episodes": 1, "games_per_episode": 1}
    recipe = recipe_of(tmp_path, partners=("smartbot",), players=("model",), **few)

    assert list(run_adhoc(recipe, threads=1).trainings) == ["rainbow"]


class TestMetaModels:
    """A meta-model plays its milestones and its best weights."""

    @pytest.fixture
    def recipe(self, checkpoints: Path) -> AdhocRecipe:
        players = ("self-play", "zero-shot@1", "zero-shot@2", "low-shot@2")
        return recipe_of(checkpoints, partners=("iggi",), players=players)

    def test_only_what_was_trained_again_plays_again(
        self, recipe: AdhocRecipe, tmp_path: Path, played: list[tuple[str, str]]
    ) -> None:
        run_adhoc(recipe, threads=1)
        folder = tmp_path / "maml" / "iggi"
        shutil.copy(folder / "step-1.safetensors", folder / "step-2.safetensors")
        played.clear()

        run_adhoc(recipe, threads=1, resume=True)

        assert played == [("iggi", "zero-shot@2"), ("iggi", "low-shot@2")]
        weights, about = load_checkpoint(folder / "step-2.safetensors")
        save_checkpoint(folder / "step-2.safetensors", weights, about | {"play_steps": 5})
        played.clear()
        run_adhoc(recipe, threads=1, resume=True)
        assert played == [("iggi", "low-shot@2")]

    def test_damaged_metadata_is_refused_before_games(
        self, recipe: AdhocRecipe, tmp_path: Path, played: list[tuple[str, str]]
    ) -> None:
        path = tmp_path / "maml" / "iggi" / "metadata.json"
        path.write_text("{}")

        with pytest.raises(HoadError, match=r"metadata\.json: damaged"):
            run_adhoc(recipe, threads=1)

        assert not played

    def test_rows_outlive_their_meta_model_but_not_their_options_nor_in_a_folder_that_is_shared(
        self, recipe: AdhocRecipe, tmp_path: Path
    ) -> None:
        before = run_adhoc(recipe, threads=1)
        shared = recipe.model_copy(update={"games": tmp_path / "shared"})
        run_adhoc(shared, threads=1)
        (tmp_path / "maml").rename(tmp_path / "elsewhere")

        after = run_adhoc(recipe, threads=1, resume=True)

        assert_same(before, after)
        assert after.trainings["iggi"].facts() == before.trainings["iggi"].facts()
        assert after.trainings["iggi"].curves.keys() == before.trainings["iggi"].curves.keys()
        for other in (shared, recipe.model_copy(update={"low_shot": LowShotRecipe(steps=20)})):
            with pytest.raises(HoadError, match="no meta-model"):
                run_adhoc(other, threads=1, resume=True)

    def test_a_model_of_the_same_name_is_not_taken_for_one_that_is_elsewhere(
        self,
        recipe: AdhocRecipe,
        tmp_path: Path,
        played: list[tuple[str, str]],
        tiny_recipe: MamlRecipe,
    ) -> None:
        recipe = recipe.model_copy(update={"players": (*recipe.players, "zero-shot")})
        before = run_adhoc(recipe, threads=1)
        (tmp_path / "maml").rename(tmp_path / "elsewhere")
        other = tiny_recipe.model_copy(update={"milestones": (), "hidden": (8,)})
        train_maml(other, "iggi", tmp_path, tmp_path, resume=False)
        played.clear()

        after = run_adhoc(recipe, threads=1, resume=True)

        assert not played
        assert_same(before, after)
        assert after.trainings["iggi"].facts() == before.trainings["iggi"].facts()

        some = recipe.model_copy(update={"players": ("self-play", "zero-shot")})
        run_adhoc(some, threads=1, resume=True)

        assert not played  # a milestone that is kept, but not asked for, is elsewhere


def test_one_program_at_a_time_plays_a_table(tmp_path: Path) -> None:
    recipe = recipe_of(tmp_path)
    recipe.out.mkdir()

    with only_writer(recipe.out), pytest.raises(HoadError, match="another program is writing"):
        run_adhoc(recipe, threads=1)

    assert {key.partner.name for key in run_adhoc(recipe, threads=1).cells} == {"iggi", "outer"}


def test_one_program_at_a_time_writes_the_report_of_a_table(tmp_path: Path) -> None:
    recipe = recipe_of(tmp_path)
    pools = {"pools": [{"name": "a", "agents": ["iggi", "piers"]}], "players": ["oracle"]}
    others = check_recipe(pools | {"out": str(recipe.out)}, MetaAgentsRecipe, "test")
    recipe.out.mkdir()

    with only_writer(recipe.out, "report.lock"):
        for write in (lambda: adhoc(recipe), lambda: meta_agents(others)):
            with pytest.raises(HoadError, match="another program is writing"):
                write()

    assert not list(recipe.out.iterdir())
