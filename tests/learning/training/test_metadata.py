"""Metadata of checkpoints: what they hold, old keys, damaged files."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.core.digest import checksum
from hoad.core.errors import HoadError
from hoad.core.paths import METADATA, SHIPPED_CHECKPOINTS
from hoad.core.recipe import Recipe, check_recipe
from hoad.game.log import GameLogs
from hoad.learning.imitator import ImitatorLearner
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.checkpoints import load_checkpoint, read_header
from hoad.learning.training.loop import train
from hoad.learning.training.metadata import read_metadata
from hoad.learning.training.metadata_file import read_metadata_file, write_metadata_file
from hoad.learning.training.old_keys import current_keys
from tests.learning.training.test_loop import RECIPE, StoppedLearner, made_at, run_in


def test_the_metadata_name_the_commits_of_all_parts(tmp_path: Path, logs: GameLogs) -> None:
    with pytest.raises(KeyboardInterrupt):
        train(StoppedLearner(logs, RECIPE), made_at("first", tmp_path), resume=False)
    for commit in ("second", "second"):
        with pytest.raises(KeyboardInterrupt):
            train(StoppedLearner(logs, RECIPE), made_at(commit, tmp_path), resume=True)
    last = made_at("third", tmp_path)
    train(ImitatorLearner(logs, RECIPE), last, resume=True)

    last.write_metadata(load_checkpoint(last.best)[1], {})

    made_with = read_metadata(last.best)["made_with"]
    assert made_with["commits"] == ["first", "third"]  # what the second had done was lost


@pytest.mark.parametrize("text", ["[]", "{", ""])
@pytest.mark.parametrize("name", ["metadata.json", "card.json"])
def test_metadata_that_cannot_be_read_are_refused_by_name(
    tmp_path: Path, text: str, name: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(HoadError, match=name):
        read_metadata(tmp_path / "model.safetensors")


def test_metadata_by_their_older_name_are_read_and_replaced(tmp_path: Path, logs: GameLogs) -> None:
    run = run_in(tmp_path)
    train(ImitatorLearner(logs, RECIPE), run, resume=False)
    run.write_metadata(read_header(run.best), {"accuracy": 0.5})
    new, old = tmp_path / "metadata.json", tmp_path / "card.json"
    new.rename(old)

    assert run_in(tmp_path).finished_measures() == {"accuracy": 0.5}
    assert read_metadata(run.best)["measures"] == {"accuracy": 0.5}
    run.write_metadata(read_header(run.best), {"accuracy": 0.75})

    assert not old.exists()
    assert read_metadata(run.best)["measures"] == {"accuracy": 0.75}


def test_metadata_of_older_keys_finish_a_training_of_the_same_recipe(
    tmp_path: Path, logs: GameLogs
) -> None:
    run = run_in(tmp_path)
    train(ImitatorLearner(logs, RECIPE), run, resume=False)
    run.write_metadata(read_header(run.best), {"accuracy": 0.5})
    path = tmp_path / "metadata.json"
    values = json.loads(path.read_text())
    del values["checksum"]  # as older versions wrote it
    values["recipe"]["second_moment"] = values["recipe"].pop("adam_beta2")
    path.write_text(json.dumps(values))

    assert run.finished_measures() == {"accuracy": 0.5}
    other = replace(run, recipe=RECIPE.model_copy(update={"adam_beta2": 0.5}))
    with pytest.raises(HoadError, match=r"adam_beta2 was 0\.99, now 0\.5"):
        other.finished_measures()


def test_a_finished_training_reads_no_tensors(
    tmp_path: Path, logs: GameLogs, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_in(tmp_path)
    train(ImitatorLearner(logs, RECIPE), run, resume=False)
    run.write_metadata(read_header(run.best), {"accuracy": 0.5})
    monkeypatch.setattr("hoad.learning.training.checkpoints._checksum", None)  # a call would fail

    assert run.finished_measures() == {"accuracy": 0.5}


VALUES = {"kind": "imitator", "measures": {"accuracy": 0.918, "games": 500}, "games": {}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "metadata.json"
    write_metadata_file(path, VALUES)
    return path


def test_what_was_written_comes_back(path: Path) -> None:
    assert read_metadata_file(path) == VALUES
    assert list(json.loads(path.read_text())) == [*VALUES, "checksum"]


@pytest.mark.parametrize(
    ("old", "new"), [("0.918", "0.919"), ("500", "501"), ("accuracy", "accurasy"), ("{}", "[]")]
)
def test_a_changed_value_is_noticed(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    path.write_text(text.replace(old, new))

    with pytest.raises(HoadError, match=r"metadata\.json: damaged .*checksum.*restore it"):
        read_metadata_file(path)


def test_other_spaces_and_another_order_of_keys_are_no_damage(path: Path) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True))

    assert read_metadata_file(path) == VALUES


def test_files_of_older_versions_have_no_checksum(path: Path) -> None:
    path.write_text(json.dumps(VALUES))

    assert read_metadata_file(path) == VALUES


@pytest.mark.parametrize("path", sorted(SHIPPED_CHECKPOINTS.glob("*/*/metadata.json")), ids=str)
def test_the_metadata_of_networks_that_come_with_hoad_have_one(path: Path) -> None:
    assert "checksum" in json.loads(path.read_text())
    read_metadata_file(path)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=8,
)


@given(value=plain)
def test_the_checksum_is_that_of_what_json_holds(value: Any) -> None:
    assert checksum(json.loads(json.dumps(value))) == checksum(value)


@pytest.mark.parametrize(
    ("folder", "old", "model"),
    [
        ("imitator/iggi", {"warm_up", "second_moment"}, ImitatorRecipe),
        ("maml/iggi", {"statistics_share", "averaging", "inner_rates"}, MamlRecipe),
        ("rainbow/1", {"n_step", "noisy", "dueling", "lowest"}, RainbowRecipe),
    ],
)
def test_the_recipes_of_shipped_networks_are_read(
    folder: str, old: set[str], model: type[Recipe]
) -> None:
    path = SHIPPED_CHECKPOINTS / folder / METADATA
    stored = json.loads(Path(path).read_text())["recipe"]
    assert old < stored.keys()

    recipe = check_recipe(current_keys(stored), model, str(path))

    values = recipe.model_dump(mode="json")
    kept = stored.keys() & values.keys()
    assert {key: stored[key] for key in kept} == {key: values[key] for key in kept}
    assert values.get("v_min", -25) == -25 and values.get("ema", 0) != 1


def test_a_recipe_with_a_key_that_is_gone_is_refused_if_it_had_an_effect() -> None:
    stored = current_keys({"steps": 1, "validate_every": 1, "n_step": 3, "noisy": False})

    assert "noisy" not in stored
    with pytest.raises(HoadError, match="unknown key n_step"):
        check_recipe(stored, RainbowRecipe, "model.safetensors")
