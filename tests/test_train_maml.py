"""The script, and the recipes of the repository."""

import json
from pathlib import Path
from typing import Any

import pytest

from hoad.core.errors import HoadError
from hoad.core.recipe import load_recipe
from hoad.learning.maml.learner import train_maml
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.recipes import ImitatorRecipe
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from tests.scripts import ROOT, assert_refused, runner_here

TINY = {
    "agents": ("iggi", "piers", "outer"),
    "hidden": (16, 16),
    "tasks": 2,
    "validation_episodes": 1,
    "steps": 4,
    "validate_every": 2,
    "trial_steps": 1,
    "validation_games": 4,
    "play_steps": (1,),
    "fomaml_steps": 2,
    "milestones": (),
}
GAMES = {"games": 4}
TRANSITIONS = {"batches": 2, "batch_size": 32}

run = runner_here("train_maml.py")


def tiny(recipe: str, size: dict[str, Any], **keys: Any) -> MamlRecipe:
    """Return a recipe of the repository with a tiny budget."""
    values = load_recipe(ROOT / "models" / recipe, MamlRecipe).model_dump()
    return MamlRecipe.model_validate(values | TINY | size | keys)


def options(recipe: MamlRecipe) -> list[object]:
    """Return the options that make `tiny` of a recipe."""
    words: list[object] = []
    for key in (*TINY, "games"):
        value = getattr(recipe, key)
        words += [f"--{key.replace('_', '-')}", *(value if isinstance(value, tuple) else [value])]
    return words


@pytest.mark.parametrize(
    ("recipe", "size"),
    [
        ("maml.toml", GAMES),
        ("maml-cpu.toml", GAMES),
        ("maml-narrow.toml", GAMES),
        ("maml-as-published.toml", TRANSITIONS),
        ("demo/maml.toml", GAMES),
    ],
)
def test_every_recipe_trains_on_a_tiny_budget(
    recipe: str, size: dict[str, Any], data: Path, tmp_path: Path
) -> None:
    found = train_maml(tiny(recipe, size, source="originals"), "iggi", data, tmp_path, False)
    assert "validation/low-shot accuracy" in found
    metadata = json.loads((tmp_path / "maml" / "iggi" / "metadata.json").read_text())
    assert metadata["games"].keys() == {"piers", "outer"}


def test_meta_models_learn_from_imitators_as_in_the_thesis(tmp_path: Path) -> None:
    imitators = ["imitator:iggi", "imitator:piers", "imitator:outer"]
    record(PlayRecipe(games=200, agents=tuple(imitators)), tmp_path, resume=False, threads=1)

    train_maml(tiny("maml-as-published.toml", TRANSITIONS), "iggi", tmp_path, tmp_path, False)

    metadata = json.loads((tmp_path / "maml" / "iggi" / "metadata.json").read_text())
    assert metadata["recipe"]["source"] == "imitators"
    assert metadata["games"].keys() == {"piers", "outer"}
    assert "held-out/low-shot strict score" in metadata["measures"]


def test_resuming_a_finished_training_changes_nothing(data: Path, tmp_path: Path) -> None:
    where = ["--held-out", "iggi", "--data", data, "--out", tmp_path]
    words = ["models/maml.toml", *options(tiny("maml.toml", GAMES)), *where]
    first = run(*words)
    assert first.returncode == 0, first.stderr
    assert "validation/low-shot accuracy" in first.stdout
    again = run(*words, "--resume")
    assert again.returncode == 0, again.stderr
    assert again.stdout == first.stdout


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--held-out", "igi"], "igi"),
        ([], "--held-out-family"),
        (["--held-out", "iggi", "--held-out-family", "rainbow"], "--held-out-family"),
        (["--held-out-family", "iggi"], "walton-rivers"),
        (["--held-out", "iggi", "--query-gradient", "last"], "query_gradient has no effect"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    data: Path, tmp_path: Path, words: list[str], part: str
) -> None:
    result = run("models/maml.toml", "--data", data, "--out", tmp_path, *words)
    assert_refused(result, part)


def test_a_family_is_held_out(data: Path, tmp_path: Path) -> None:
    recipe = tiny("maml.toml", GAMES, tasks=1)
    words = ["models/maml.toml", *options(recipe), "--data", data, "--out", tmp_path]
    result = run(*words, "--held-out-family", "odwyer")
    assert result.returncode == 0, result.stderr

    metadata = json.loads((tmp_path / "maml" / "odwyer" / "metadata.json").read_text())
    assert metadata["name"] == "odwyer"
    assert list(metadata["games"]) == ["iggi", "piers", "outer"]


def test_processes_train_models_without_each_agent(data: Path, tmp_path: Path) -> None:
    recipe = tiny("maml.toml", GAMES)
    words = ["models/maml.toml", *options(recipe), "--data", data, "--out", tmp_path / "there"]

    result = run(*words, "--held-out", "all", "--backend", "loky", "--threads", 2)

    assert result.returncode == 0, result.stderr
    for agent in recipe.agents:
        folder = tmp_path / "there" / "maml" / agent
        metadata = json.loads((folder / "metadata.json").read_text())
        assert metadata["games"].keys() == {*recipe.agents} - {agent}
        assert f"maml {agent}: step 4 of 4" in (folder / "run.log").read_text()
    here = train_maml(recipe, "iggi", data, tmp_path / "here", False)
    measured = json.loads((tmp_path / "there/maml/iggi/metadata.json").read_text())["measures"]
    assert measured == pytest.approx(here, abs=1e-6)
    assert result.stdout.count("validation/low-shot accuracy") == len(recipe.agents)


def test_too_few_agents_are_refused(data: Path, tmp_path: Path) -> None:
    with pytest.raises(HoadError, match=r"tasks = 3: .* only 2 agents remain"):
        held_out = "rules:2,8,13,38,27,22"
        train_maml(tiny("maml.toml", GAMES, tasks=3), held_out, data, tmp_path, False)


def test_the_recipes_are_the_thesis_and_its_code() -> None:
    imitator = load_recipe(ROOT / "models" / "imitator.toml", ImitatorRecipe)
    sound = load_recipe(ROOT / "models" / "maml.toml", MamlRecipe)
    published = load_recipe(ROOT / "models" / "maml-as-published.toml", MamlRecipe)
    processors = load_recipe(ROOT / "models" / "maml-cpu.toml", MamlRecipe)
    narrow = load_recipe(ROOT / "models" / "maml-narrow.toml", MamlRecipe)
    assert imitator.hidden == (1024, 1024, 512, 512, 256)
    assert (sound.batch_norm, sound.episode, sound.query_gradient) == ("running", "games", "all")
    assert sound.inner_lrs == (1e-4, 3e-4, 1e-3, 3e-3, 1e-2) and sound.inner_lr_half_life is None
    assert (published.batch_norm, published.episode) == ("frozen", "transitions")
    assert (published.query_gradient, published.inner_lrs) == ("last", (3e-4,))
    assert (published.batches, published.batch_size) == (10, 64)
    assert published.inner_lr_half_life == published.lr_half_life == 10_000
    assert published.steps == sound.steps == 71_000
    for recipe in (sound, published, processors):
        assert recipe.hidden == (2048, 2048, 1024, 1024, 512, 512, 256, 256, 128, 128, 64, 64)
        assert recipe.tasks == 4
    assert sound.learning_rate == published.learning_rate == 1e-4
    assert sound.zero_shot_weight == published.zero_shot_weight == 0
    same = ("agents", "source", "batch_norm", "bn_momentum", "episode", "games")
    for key in (*same, "query_gradient"):
        assert getattr(processors, key) == getattr(narrow, key) == getattr(sound, key)
    assert len(narrow.hidden) == len(sound.hidden)
    assert min(processors.steps, narrow.steps) >= 2_000
