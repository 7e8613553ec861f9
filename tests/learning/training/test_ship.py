from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.learning.imitator import ImitatorLearner
from hoad.learning.training.loop import train_and_test
from hoad.learning.training.ship import ship
from tests.learning.training.test_loop import RECIPE, run_in


@pytest.fixture
def trained(tmp_path: Path, logs: GameLogs) -> Path:
    folder = tmp_path / "imitator" / "iggi"
    train_and_test(ImitatorLearner(logs, RECIPE), run_in(folder), resume=False)
    return folder


def test_a_shipped_network_is_the_same(trained: Path, tmp_path: Path) -> None:
    folder = ship(trained, tmp_path / "shipped")

    assert folder == tmp_path / "shipped" / "imitator" / "iggi"
    assert sorted(path.name for path in folder.iterdir()) == ["metadata.json", "model.safetensors"]
    for path in folder.iterdir():
        assert path.read_bytes() == (trained / path.name).read_bytes()


def test_no_network_is_shipped_twice(trained: Path, tmp_path: Path) -> None:
    ship(trained, tmp_path / "shipped")

    with pytest.raises(HoadError, match="iggi: exists"):
        ship(trained, tmp_path / "shipped")


def test_only_a_finished_training_is_shipped(trained: Path, tmp_path: Path) -> None:
    (trained / "metadata.json").unlink()

    with pytest.raises(HoadError, match="no metadata of this network"):
        ship(trained, tmp_path / "shipped")
