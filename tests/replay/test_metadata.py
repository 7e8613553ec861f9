from collections.abc import Callable
from pathlib import Path

import h5py
import pytest

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, replay
from hoad.replay.dataset import make_dataset, read_dataset, read_metadata, write_dataset

MakeLogs = Callable[[int, int, int], GameLogs]


@pytest.fixture
def recorded(random_logs: MakeLogs, tmp_path: Path) -> Path:
    path, made_with = tmp_path / "a.h5", {"seed": 3, "first_game": 0}
    logs = random_logs(2, 20, 1)
    write_dataset(path, make_dataset(logs, [("iggi", "piers")], made_with, "test"))
    return path


def test_the_metadata_say_what_made_the_file(recorded: Path) -> None:
    metadata = read_metadata(recorded)
    logs = read_dataset(recorded).logs

    assert metadata["format"] == "hoad-replay"
    assert metadata["agents"] == (("iggi", "piers"),)
    assert (metadata["seed"], metadata["first_game"]) == (3, 0)
    assert (metadata["total_episodes"], metadata["total_steps"]) == (20, len(logs.actions))
    assert metadata["mean_lenient_score"] == pytest.approx(replay(logs).scores.mean())
    assert metadata["mean_strict_score"] == pytest.approx(replay(logs).strict.mean())
    assert {"hoad", "commit", "date", "algorithm_name", "dataset_id"} <= metadata.keys()


@pytest.mark.parametrize(("name", "value"), [("seed", 4), ("date", "1926"), ("added", 1)])
def test_changed_metadata_are_refused(recorded: Path, name: str, value: int | str) -> None:
    with h5py.File(recorded, "a") as file:
        file.attrs[name] = value

    with pytest.raises(HoadError, match=r"a\.h5: damaged .*checksum"):
        read_metadata(recorded)


def test_metadata_without_a_checksum_are_read(recorded: Path) -> None:
    before = read_metadata(recorded)
    with h5py.File(recorded, "a") as file:
        del file.attrs["checksum"]

    assert read_metadata(recorded) == before
