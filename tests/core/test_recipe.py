"""Recipes read in a program, and where they are found."""

import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, ValidationError, model_validator

from hoad.commands import HOAD
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.paths import SHIPPED
from hoad.core.recipe import Recipe, check_recipe, load_recipe, to_toml
from hoad.core.recipe_files import RECIPE_FOLDERS, find_recipe, recipe_summary, shipped_recipes


class Support(Recipe):
    games: int = Field(10, ge=1, description="Games that adapt.")


class Task(Recipe):
    name: str = Field(description="The task's name.")


class Meta(Recipe):
    rate: float = Field(1e-3, gt=0, description="Inner learning rate.")
    agents: tuple[str, ...] = Field(("iggi",), min_length=1, description="Agents that are tasks.")
    out: Path = Field(Path("checkpoints"), description="Where to.")
    held_out: str | None = Field(None, description="The agent left out.")
    support: Support = Field(Support(), description="The support games.")
    tasks: tuple[Task, ...] = Field((), description="More tasks.")

    @model_validator(mode="after")
    def _hold_out_one_of_the_agents(self) -> "Meta":
        if self.held_out and self.held_out not in self.agents:
            raise ValueError(f"held_out = {self.held_out!r} is none of the agents")
        return self


def test_a_recipe_file_becomes_a_model(tmp_path: Path) -> None:
    path = tmp_path / "meta.toml"
    path.write_text('rate = 1\nagents = ["iggi", "piers"]\nout = "x"\n[support]\ngames = 3\n')

    recipe = load_recipe(path, Meta)

    assert recipe == Meta(
        rate=1.0, agents=("iggi", "piers"), out=Path("x"), support=Support(games=3)
    )


def test_a_recipe_survives_being_written_as_plain_values_and_cannot_be_changed() -> None:
    recipe = Meta(agents=("piers",), held_out="piers", support=Support(games=2))

    assert check_recipe(recipe.model_dump(mode="json"), Meta, source="a checkpoint") == recipe
    with pytest.raises(ValidationError, match="frozen"):
        recipe.rate = 1.0  # type: ignore[misc]
    values = {"text": 'a "b" \\ ü', "numbers": [1, 0.5, 1e-07], "truth": True}
    values |= {"table": {"x": 1}, "tables": [{"x": ["y"]}]}
    with_none = values | {"table": {"x": 1, "none": None}, "none": None}
    assert tomllib.loads(to_toml(with_none)) == values


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"rate": float("inf")}, "rate = inf: "),
        ({"rate": float("nan")}, "rate = nan: "),
        ({"rate": True}, "rate = True: "),
        ({"support": {"games": 1.5}}, "support.games = 1.5: "),
        ({"support": {"gamse": 1}}, r"unknown key support.gamse \(did you mean games\?\)"),
        ({"qqqq": 1}, "unknown key qqqq$"),
        ({"a": 1, "b": 2, "c": 3, "rate": 0}, "unknown keys a, b, c; is this the recipe of anoth"),
        ({"agents": []}, r"agents = \[\]: name at least 1$"),
        ({"held_out": "outer"}, "here: held_out = 'outer' is none of the agents$"),
    ],
)
def test_a_refused_value_is_named(values: dict[str, Any], expected: str) -> None:
    with pytest.raises(HoadError, match=f"^here: .*{expected.removeprefix('here: ')}"):
        check_recipe(values, Meta, source="here")


IMITATOR = SHIPPED / "models" / "demo" / "imitator.toml"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("word", ["demo/imitator", "demo/imitator.toml", "models/demo/imitator"])
def test_a_shipped_recipe_of_the_command_is_found_by_name_from_any_folder(word: str) -> None:
    assert find_recipe(word, "models") == IMITATOR
    recipes = {folder: find_recipe("demo", folder) for folder in ("datasets", "populations")}
    assert recipes == {folder: SHIPPED / folder / "demo.toml" for folder in recipes}


@pytest.mark.parametrize("word", ["demo", "demo.toml", "datasets/demo"])
def test_a_file_of_ones_own_comes_first(word: str) -> None:
    own = Path(word).with_suffix(".toml")
    own.parent.mkdir(exist_ok=True)
    shutil.copy(IMITATOR, own)

    assert find_recipe(word, "datasets") == own


def test_a_name_of_no_recipe_suggests_similar_ones() -> None:
    with pytest.raises(HoadError, match=r"demo/imitater: .*did you mean demo/imitator"):
        find_recipe("demo/imitater", "models")
    with pytest.raises(HoadError, match=r"hoad recipes"):
        find_recipe("zzz", "models")
    with pytest.raises(HoadError, match=r"imitators: .*imitator"):
        find_recipe("imitators", "models")  # which is a recipe of results


def test_every_recipe_says_what_it_makes_and_is_listed_with_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(HOAD, ["recipes"], "hoad") == 0

    listed = capsys.readouterr().out.splitlines()
    for folder in RECIPE_FOLDERS:
        for name in shipped_recipes(folder):
            summary = recipe_summary(SHIPPED / folder / f"{name}.toml")
            assert len(summary) > 20, name
            assert any(line.split(maxsplit=1) == [name, summary] for line in listed), name
