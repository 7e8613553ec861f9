"""Recipes are found as files of one's own, or by the names of those that come with HOAD."""

import shutil
from pathlib import Path

import pytest

from hoad.commands import HOAD
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.paths import SHIPPED
from hoad.core.recipe_files import RECIPE_FOLDERS, find_recipe, recipe_summary, shipped_recipes
from tests.scripts import run_here

IMITATOR = SHIPPED / "models" / "demo" / "imitator.toml"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("word", ["demo/imitator", "demo/imitator.toml", "models/demo/imitator"])
def test_a_shipped_recipe_is_found_by_name_from_any_folder(word: str) -> None:
    assert find_recipe(word, "models") == IMITATOR


@pytest.mark.parametrize("word", ["demo", "demo.toml", "datasets/demo"])
def test_a_file_of_ones_own_comes_first(word: str) -> None:
    own = Path(word).with_suffix(".toml")
    own.parent.mkdir(exist_ok=True)
    shutil.copy(IMITATOR, own)

    assert find_recipe(word, "datasets") == own


def test_the_same_name_means_the_recipe_of_the_command() -> None:
    found = {folder: find_recipe("demo", folder) for folder in ("datasets", "populations")}

    assert found == {folder: SHIPPED / folder / "demo.toml" for folder in found}


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


def test_a_command_takes_a_recipe_by_its_name(tmp_path: Path) -> None:
    done = run_here(
        "record.py", "play", "demo", "--games", 3, "--agents", "iggi", "--out", tmp_path
    )

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "iggi.h5").is_file()
