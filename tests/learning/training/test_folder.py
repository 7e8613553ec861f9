"""Metadata of checkpoints: damaged files, and those that come with HOAD."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.core.errors import HoadError
from hoad.core.identity import checksum
from hoad.core.paths import METADATA, SHIPPED_CHECKPOINTS
from hoad.core.recipe import Recipe, check_recipe
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.recipes import ImitatorRecipe
from hoad.learning.training.folder import read_metadata, read_metadata_file, write_metadata_file

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
    path.write_text(path.read_text().replace(old, new))

    with pytest.raises(HoadError, match=r"metadata\.json: damaged .*checksum.*restore it"):
        read_metadata_file(path)


@pytest.mark.parametrize("text", ["[]", "{", ""])
def test_metadata_that_cannot_be_read_are_refused_by_name(path, text):
    path.write_text(text)

    with pytest.raises(HoadError, match=r"metadata\.json"):
        read_metadata(path.with_name("model.safetensors"))


KINDS: dict[str, type[Recipe]] = {
    "imitator": ImitatorRecipe,
    "maml": MamlRecipe,
    "rainbow": RainbowRecipe,
}


@pytest.mark.parametrize("path", sorted(SHIPPED_CHECKPOINTS.glob(f"*/*/{METADATA}")), ids=str)
def test_the_metadata_of_networks_that_come_with_hoad_are_read(path):
    metadata = json.loads(path.read_text())

    assert "checksum" in metadata
    read_metadata_file(path)
    if (kind := path.parts[-3]) in KINDS:
        values = check_recipe(metadata["recipe"], KINDS[kind], str(path)).model_dump(mode="json")
        assert metadata["recipe"].items() <= values.items()


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=8,
)


@given(value=plain)
def test_the_checksum_is_that_of_what_json_holds(value):
    assert checksum(json.loads(json.dumps(value))) == checksum(value)
