"""Recipes read in a program; the command lines that read them are in test_cli.py."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import Field, ValidationError, model_validator

from hoad.core.errors import HoadError
from hoad.core.recipe import Recipe, check_recipe, load_recipe, to_toml


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


def test_a_recipe_survives_being_written_as_plain_values() -> None:
    recipe = Meta(agents=("piers",), held_out="piers", support=Support(games=2))

    assert check_recipe(recipe.model_dump(mode="json"), Meta, source="a checkpoint") == recipe


def test_a_recipe_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Meta().rate = 1.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"rate": float("inf")}, "rate = inf: "),
        ({"rate": float("nan")}, "rate = nan: "),
        ({"rate": True}, "rate = True: "),
        ({"support": {"games": 1.5}}, "support.games = 1.5: "),
        ({"support": {"gamse": 1}}, r"unknown key support.gamse \(did you mean games\?\)"),
        ({"qqqq": 1}, "unknown key qqqq$"),
        (
            {"a": 1, "b": 2, "c": 3, "rate": 0},
            "unknown keys a, b, c; is this the recipe of another",
        ),
        ({"agents": []}, r"agents = \[\]: name at least 1$"),
        ({"held_out": "outer"}, "here: held_out = 'outer' is none of the agents$"),
    ],
)
def test_a_refused_value_is_named(values: dict[str, Any], expected: str) -> None:
    with pytest.raises(HoadError, match=f"^here: .*{expected.removeprefix('here: ')}"):
        check_recipe(values, Meta, source="here")


def test_plain_values_survive_being_written_as_toml() -> None:
    values: dict[str, Any] = {
        "text": 'a "b" \\ ü',
        "numbers": [1, 0.5, 1e-07],
        "truth": True,
        "table": {"x": 1, "none": None},
        "tables": [{"x": ["y"]}],
        "none": None,
    }

    found = tomllib.loads(to_toml(values))

    del values["none"], values["table"]["none"]
    assert found == values
