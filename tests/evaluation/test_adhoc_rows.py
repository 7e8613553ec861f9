"""A table that was stopped, or is made row by row, is the one made at once."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from hoad.evaluation.adhoc_numbers import AdhocResult, as_csv
from hoad.evaluation.adhoc_recipe import AdhocRecipe
from hoad.evaluation.adhoc_report import write_adhoc_report
from hoad.evaluation.adhoc_rows import row_path
from hoad.evaluation.adhoc_run import run_adhoc

from hoad.core.errors import HoadError
from hoad.core.files import only_writer
from hoad.core.provenance import provenance
from hoad.evaluation import adhoc_run
from hoad.learning.maml.learner import train_maml
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.recipes import NaiveRecipe
from hoad.learning.training.checkpoints import load_checkpoint, save_checkpoint
from hoad.replay.recorder import PlayRecipe, record

AGENTS = ("iggi", "piers", "outer")
TINY = MamlRecipe(
    agents=AGENTS,
    tasks=2,
    games=4,
    steps=2,
    validate_every=1,
    validation_games=0,
    hidden=(16, 16),
    inner_lrs=(1e-2,),
    play_steps=(2,),
    milestones=(1, 2),
)


def recipe_of(folder: Path, **changes: object) -> AdhocRecipe:
    recipe = AdhocRecipe(
        partners=("iggi", "outer"),
        players=("self-play", "adaptive", "random-partner"),
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


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Partner and player of every cell that is played, in order."""
    whom = []

    def play_cell(recipe, match_ups, partner, player):
        whom.append((partner, player))
        return original(recipe, match_ups, partner, player)

    original = adhoc_run._play_cell
    monkeypatch.setattr(adhoc_run, "_play_cell", play_cell)
    return whom


def assert_same(one: AdhocResult, other: AdhocResult) -> None:
    assert as_csv(one) == as_csv(other)
    assert one.beliefs.keys() == other.beliefs.keys()
    for partner, beliefs in one.beliefs.items():
        assert beliefs.hypotheses == other.beliefs[partner].hypotheses
        np.testing.assert_array_equal(beliefs.means, other.beliefs[partner].means)


def test_a_table_made_row_by_row_is_the_one_made_at_once(tmp_path: Path) -> None:
    at_once = run_adhoc(recipe_of(tmp_path / "at once"), threads=1)

    run_adhoc(recipe_of(tmp_path, partners=("outer",)), threads=1)
    row_by_row = run_adhoc(recipe_of(tmp_path), threads=1, resume=True)

    assert_same(row_by_row, at_once)


def test_players_who_are_added_play_and_the_others_do_not(
    tmp_path: Path, played: list[tuple[str, str]]
) -> None:
    at_once = run_adhoc(recipe_of(tmp_path / "at once"), threads=1)
    run_adhoc(recipe_of(tmp_path, players=("self-play",)), threads=1)
    played.clear()

    added = run_adhoc(recipe_of(tmp_path), threads=1, resume=True)

    assert {player for _, player in played} == {"adaptive", "random-partner"}
    assert_same(added, at_once)


@pytest.mark.parametrize("cells", [2, 3])
def test_whoever_is_stopped_plays_the_rest_only(
    tmp_path: Path,
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
    assert_same(resumed, run_adhoc(recipe_of(tmp_path / "at once"), threads=1))


def stop_after(cells: int, recipe: AdhocRecipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt a table once so many of its cells are saved."""
    save, saved = adhoc_run.save_row, []

    def save_and_stop(*arguments):
        save(*arguments)
        saved.append(arguments)
        if len(saved) == cells:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(adhoc_run, "save_row", save_and_stop)
        with pytest.raises(KeyboardInterrupt):
            run_adhoc(recipe, threads=1)


@pytest.mark.parametrize(
    ("changes", "player"),
    [
        ({"agents": ("piers", "simplebot")}, "random-partner"),
        ({"pool": ("piers", "simplebot")}, "adaptive"),
        ({"matchup_games": 12}, "adaptive"),
    ],
)
def test_a_player_that_is_made_of_others_plays_anew(
    tmp_path: Path, played: list[tuple[str, str]], changes: dict[str, object], player: str
) -> None:
    run_adhoc(recipe_of(tmp_path), threads=1)
    played.clear()

    run_adhoc(recipe_of(tmp_path, **changes), threads=1, resume=True)

    assert played == [("iggi", player), ("outer", player)]


def test_a_naive_player_of_another_training_plays_anew(
    tmp_path: Path, played: list[tuple[str, str]]
) -> None:
    small = NaiveRecipe(hidden=(8,), batch_size=64, epochs=1)
    recipe = recipe_of(tmp_path, players=("self-play", "naive"), naive=small)
    run_adhoc(recipe, threads=1)
    played.clear()
    longer = small.model_copy(update={"epochs": 2})

    run_adhoc(recipe.model_copy(update={"naive": longer}), threads=1, resume=True)

    assert played == [("iggi", "naive"), ("outer", "naive")]


def test_rows_of_imitators_are_kept_too(tmp_path: Path, played: list[tuple[str, str]]) -> None:
    recipe = recipe_of(tmp_path, source="imitators", agents=("piers",), players=("random-partner",))
    first = run_adhoc(recipe, threads=1)

    assert_same(run_adhoc(recipe, threads=1, resume=True), first)

    assert len(played) == 2


def test_without_resume_games_that_are_kept_stay_as_they_are(
    tmp_path: Path, played: list[tuple[str, str]]
) -> None:
    run_adhoc(recipe_of(tmp_path, partners=("outer",)), threads=1)
    kept = row_path(recipe_of(tmp_path), "outer").read_bytes()
    played.clear()

    with pytest.raises(HoadError, match=r"outer\.npz: holds games already; go on with --resume"):
        run_adhoc(recipe_of(tmp_path), threads=1)

    assert not played
    assert row_path(recipe_of(tmp_path), "outer").read_bytes() == kept


def test_times_add_up(tmp_path: Path) -> None:
    first = run_adhoc(recipe_of(tmp_path, players=("self-play",)), threads=1)

    second = run_adhoc(recipe_of(tmp_path), threads=1, resume=True)

    for partner, row in first.rows.items():
        assert second.rows[partner].seconds > row.seconds > 0
    assert second.seconds > sum(row.seconds for row in second.rows.values())


def test_the_report_tells_what_played_each_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for commit in ("first", "second"):
        made_with = provenance() | {"commit": commit, "date": f"of the {commit}"}
        monkeypatch.setattr(adhoc_run, "provenance", lambda made_with=made_with: made_with)
        partners = ("outer",) if commit == "first" else ("iggi", "outer")
        result = run_adhoc(recipe_of(tmp_path, partners=partners), threads=1, resume=True)

    page = write_adhoc_report(result).read_text()

    assert re.search(r"\| outer \| \d+ s \| first \| of the first \|", page)
    assert re.search(r"\| iggi \| \d+ s \| second \| of the second \|", page)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"seed": 5}, r"iggi\.npz: was played with seed = 0; remove this file"),
        ({"episodes": 5}, "episodes = 4"),
        ({"source": "imitators"}, "source = 'originals'"),
    ],
)
def test_rows_of_other_settings_are_refused(
    tmp_path: Path, changes: dict[str, object], complaint: str
) -> None:
    run_adhoc(recipe_of(tmp_path), threads=1)

    with pytest.raises(HoadError, match=complaint):
        run_adhoc(recipe_of(tmp_path, **changes), threads=1, resume=True)


def test_a_partner_that_has_changed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = "python:mine.py:Mine"
    recipe = recipe_of(tmp_path, partners=(mine,))
    source = (
        "from hoad.agents import PlainAgent\n\n\nclass Mine(PlainAgent):\n"
        '    name = "mine"\n\n    def choose(self, view):\n        return "discard 0" '
        'if view.tokens < 8 else "play 0"\n'
    )
    Path("mine.py").write_text(source)
    run_adhoc(recipe, threads=1)

    Path("mine.py").write_text(source.replace("play 0", "play 1"))

    with pytest.raises(HoadError, match=r"was played with another python:mine\.py:Mine"):
        run_adhoc(recipe, threads=1, resume=True)


@pytest.mark.parametrize("damage", [lambda data: data[:-40], lambda _: b"", lambda _: b"scores"])
def test_damaged_rows_are_refused_by_name(tmp_path: Path, damage) -> None:
    recipe = recipe_of(tmp_path)
    run_adhoc(recipe, threads=1)
    path = row_path(recipe, "iggi")
    path.write_bytes(damage(path.read_bytes()))

    with pytest.raises(HoadError, match=r"iggi\.npz: not the games of an ad-hoc table; remove it"):
        run_adhoc(recipe, threads=1, resume=True)


class TestMetaModels:
    """A meta-model plays its milestones and its best weights."""

    @pytest.fixture
    def recipe(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AdhocRecipe:
        record(PlayRecipe(games=300, agents=AGENTS), tmp_path, resume=False, threads=1)
        train_maml(TINY, "iggi", tmp_path, tmp_path, resume=False)
        monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
        players = ("self-play", "zero-shot@1", "zero-shot@2", "low-shot@2")
        return recipe_of(tmp_path, partners=("iggi",), players=players)

    def test_only_what_was_trained_anew_plays_anew(
        self, recipe: AdhocRecipe, tmp_path: Path, played: list[tuple[str, str]]
    ) -> None:
        run_adhoc(recipe, threads=1)
        folder = tmp_path / "maml" / "iggi"
        shutil.copy(folder / "step-1.safetensors", folder / "step-2.safetensors")
        played.clear()

        run_adhoc(recipe, threads=1, resume=True)

        assert played == [("iggi", "zero-shot@2"), ("iggi", "low-shot@2")]

    def test_low_shot_of_other_inner_steps_plays_anew(
        self, recipe: AdhocRecipe, tmp_path: Path, played: list[tuple[str, str]]
    ) -> None:
        run_adhoc(recipe, threads=1)
        milestone = tmp_path / "maml" / "iggi" / "step-2.safetensors"
        weights, about = load_checkpoint(milestone)
        save_checkpoint(milestone, weights, about | {"play_steps": 5})
        played.clear()

        run_adhoc(recipe, threads=1, resume=True)

        assert played == [("iggi", "low-shot@2")]

    def test_rows_outlive_their_meta_model(self, recipe: AdhocRecipe, tmp_path: Path) -> None:
        before = run_adhoc(recipe, threads=1)
        (tmp_path / "maml").rename(tmp_path / "elsewhere")

        after = run_adhoc(recipe, threads=1, resume=True)

        assert_same(before, after)
        assert after.trainings["iggi"].facts() == before.trainings["iggi"].facts()
        assert after.trainings["iggi"].curves.keys() == before.trainings["iggi"].curves.keys()

    def test_a_model_of_the_same_name_is_not_taken_for_one_that_is_elsewhere(
        self, recipe: AdhocRecipe, tmp_path: Path, played: list[tuple[str, str]]
    ) -> None:
        recipe = recipe.model_copy(update={"players": (*recipe.players, "zero-shot")})
        before = run_adhoc(recipe, threads=1)
        (tmp_path / "maml").rename(tmp_path / "elsewhere")
        other = TINY.model_copy(update={"milestones": (), "hidden": (8,)})
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

    assert run_adhoc(recipe, threads=1).rows.keys() == {"iggi", "outer"}
