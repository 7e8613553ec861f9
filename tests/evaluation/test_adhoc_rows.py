"""A table that was stopped, or is made row by row, is the one made at once."""

from pathlib import Path

import numpy as np
import pytest

from hoad.errors import HoadError
from hoad.evaluation import adhoc_run
from hoad.evaluation.adhoc_numbers import AdhocResult, as_csv
from hoad.evaluation.adhoc_recipe import AdhocRecipe
from hoad.evaluation.adhoc_rows import row_path
from hoad.evaluation.adhoc_run import run_adhoc
from hoad.learning.maml import train_maml
from hoad.learning.recipes import MamlRecipe, NaiveRecipe
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
    inner_rates=(1e-2,),
    play_steps=(2,),
    milestones=(1, 2),
)


def recipe_of(folder: Path, **changes: object) -> AdhocRecipe:
    recipe = AdhocRecipe(
        partners=("iggi", "outer"),
        players=("self-play", "random-partner", "adaptive"),
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


def test_whoever_is_stopped_plays_the_rest_only(
    tmp_path: Path, played: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = recipe_of(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(adhoc_run, "save_row", interrupt_after(3, adhoc_run.save_row))
        with pytest.raises(KeyboardInterrupt):
            run_adhoc(recipe, threads=1)
    played.clear()

    resumed = run_adhoc(recipe, threads=1, resume=True)

    assert played == [("outer", player) for player in recipe.players]
    assert_same(resumed, run_adhoc(recipe_of(tmp_path / "at once"), threads=1))


def interrupt_after(calls: int, function):
    """Return a function that is interrupted once it has been called so often."""

    def call(*arguments):
        nonlocal calls
        function(*arguments)
        calls -= 1
        if not calls:
            raise KeyboardInterrupt

    return call


def test_without_resume_everything_is_played_anew(
    tmp_path: Path, played: list[tuple[str, str]]
) -> None:
    run_adhoc(recipe_of(tmp_path), threads=1)

    run_adhoc(recipe_of(tmp_path), threads=1)

    assert len(played) == 2 * 6


def test_times_add_up(tmp_path: Path) -> None:
    first = run_adhoc(recipe_of(tmp_path), threads=1)

    second = run_adhoc(recipe_of(tmp_path), threads=1, resume=True)

    assert {p: row.seconds for p, row in first.rows.items()} == {
        p: row.seconds for p, row in second.rows.items()
    }
    assert {p: row.made_with for p, row in first.rows.items()} == {
        p: row.made_with for p, row in second.rows.items()
    }
    assert second.seconds > sum(row.seconds for row in second.rows.values()) > 0


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"seed": 5}, r"iggi\.npz: was played with seed = 0; play the table anew"),
        ({"episodes": 5}, "episodes = 4"),
        ({"naive": NaiveRecipe(hidden=(8,))}, r"was played with another hidden \(naive\)"),
        ({"agents": ("piers", "simplebot")}, r"agents = \['piers', 'flawed'\]"),
    ],
)
def test_rows_of_other_settings_are_refused(
    tmp_path: Path, changes: dict[str, object], complaint: str
) -> None:
    run_adhoc(recipe_of(tmp_path), threads=1)

    with pytest.raises(HoadError, match=complaint):
        run_adhoc(recipe_of(tmp_path, **changes), threads=1, resume=True)


def test_an_agent_that_has_changed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = "python:mine.py:Mine"
    recipe = recipe_of(tmp_path, agents=("piers", mine))
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
        (folder / "step-1.safetensors").replace(folder / "step-2.safetensors")
        played.clear()

        run_adhoc(recipe, threads=1, resume=True)

        assert played == [("iggi", "zero-shot@2"), ("iggi", "low-shot@2")]

    def test_rows_outlive_their_meta_model(self, recipe: AdhocRecipe, tmp_path: Path) -> None:
        before = run_adhoc(recipe, threads=1)
        (tmp_path / "maml").rename(tmp_path / "elsewhere")

        after = run_adhoc(recipe, threads=1, resume=True)

        assert_same(before, after)
        assert after.trainings["iggi"].facts() == before.trainings["iggi"].facts()
        assert after.trainings["iggi"].curves.keys() == before.trainings["iggi"].curves.keys()
