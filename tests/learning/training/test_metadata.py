import json
from dataclasses import replace
from pathlib import Path

import pytest

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.learning.imitator import ImitatorLearner
from hoad.learning.training.checkpoints import load_checkpoint, read_header
from hoad.learning.training.loop import train
from hoad.learning.training.metadata import read_metadata
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
