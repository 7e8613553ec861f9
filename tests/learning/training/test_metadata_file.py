import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.core.digest import checksum
from hoad.core.errors import HoadError
from hoad.core.paths import SHIPPED_CHECKPOINTS
from hoad.learning.training.metadata_file import read_metadata_file, write_metadata_file

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
