"""Metadata of checkpoints: what they hold, damaged files."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.core.errors import HoadError
from hoad.core.identity import checksum
from hoad.core.paths import METADATA, SHIPPED_CHECKPOINTS
from hoad.core.recipe import check_recipe
from hoad.learning.imitator import ImitatorLearner
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.checkpoints import load_checkpoint, read_header
from hoad.learning.training.loop import train
from hoad.learning.training.metadata import read_metadata
from hoad.learning.training.metadata_file import read_metadata_file, write_metadata_file
from tests.learning.training.test_loop import RECIPE, StoppedLearner, made_at, run_in


def test_the_metadata_name_the_commits_of_all_parts(tmp_path, logs):
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
def test_metadata_that_cannot_be_read_are_refused_by_name(tmp_path, text):
    (tmp_path / "metadata.json").write_text(text)
    with pytest.raises(HoadError, match=r"metadata\.json"):
        read_metadata(tmp_path / "model.safetensors")


def test_metadata_of_the_same_recipe_finish_a_training_which_reads_no_tensors(
    tmp_path, logs, monkeypatch
):
    run = run_in(tmp_path)
    train(ImitatorLearner(logs, RECIPE), run, resume=False)
    run.write_metadata(read_header(run.best), {"accuracy": 0.5})
    monkeypatch.setattr("hoad.learning.training.checkpoints._checksum", None)  # a call would fail

    assert run.finished_measures() == {"accuracy": 0.5}
    other = replace(run, recipe=RECIPE.model_copy(update={"adam_beta2": 0.5}))
    with pytest.raises(HoadError, match=r"adam_beta2 was 0\.99, now 0\.5"):
        other.finished_measures()


VALUES = {"kind": "imitator", "measures": {"accuracy": 0.918, "games": 500}, "games": {}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "metadata.json"
    write_metadata_file(path, VALUES)
    return path


def test_what_was_written_comes_back_in_any_order_of_keys_and_with_other_spaces(path):
    assert read_metadata_file(path) == VALUES
    assert list(json.loads(path.read_text())) == [*VALUES, "checksum"]
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True))
    assert read_metadata_file(path) == VALUES


@pytest.mark.parametrize(
    ("old", "new"), [("0.918", "0.919"), ("500", "501"), ("accuracy", "accurasy"), ("{}", "[]")]
)
def test_a_changed_value_is_noticed(path, old, new):
    text = path.read_text()
    path.write_text(text.replace(old, new))

    with pytest.raises(HoadError, match=r"metadata\.json: damaged .*checksum.*restore it"):
        read_metadata_file(path)


@pytest.mark.parametrize("path", sorted(SHIPPED_CHECKPOINTS.glob("*/*/metadata.json")), ids=str)
def test_the_metadata_of_networks_that_come_with_hoad_have_one(path):
    assert "checksum" in json.loads(path.read_text())
    read_metadata_file(path)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=8,
)


@given(value=plain)
def test_the_checksum_is_that_of_what_json_holds(value):
    assert checksum(json.loads(json.dumps(value))) == checksum(value)


@pytest.mark.parametrize(
    ("kind", "model"),
    [("imitator", ImitatorRecipe), ("maml", MamlRecipe), ("rainbow", RainbowRecipe)],
)
def test_the_recipes_of_shipped_networks_are_read(kind, model):
    for path in sorted((SHIPPED_CHECKPOINTS / kind).glob(f"*/{METADATA}")):
        stored = json.loads(path.read_text())["recipe"]

        values = check_recipe(stored, model, str(path)).model_dump(mode="json")

        assert stored.items() <= values.items()
