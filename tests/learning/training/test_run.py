"""A training's metadata: what they hold, and whether it is finished."""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from hoad.core.errors import HoadError
from hoad.learning.imitator import ImitatorLearner
from hoad.learning.training.checkpoints import load_checkpoint, read_header
from hoad.learning.training.folder import read_metadata
from hoad.learning.training.loop import train
from tests.learning.training.test_loop import RECIPE, StoppedLearner, run_in, train_in

pytestmark = pytest.mark.usefixtures("without_pictures")


def test_the_metadata_name_the_commits_of_all_parts(tmp_path, logs):
    run = run_in(tmp_path)
    for commit, kind in (
        *(("first", StoppedLearner), ("second", StoppedLearner), ("second", StoppedLearner)),
        ("third", ImitatorLearner),
    ):
        last = replace(run, made_with={**run.made_with, "commit": commit})
        with nullcontext() if commit == "third" else pytest.raises(KeyboardInterrupt):
            train(kind(logs, RECIPE), last, resume=commit != "first")

    last.write_metadata(load_checkpoint(last.best)[1], {})

    made_with = read_metadata(last.best)["made_with"]
    assert made_with["commits"] == ["first", "third"]  # what the second had done was lost


def test_metadata_of_a_recipe_finish_a_training_which_reads_no_tensors(tmp_path, logs, monkeypatch):
    run = run_in(tmp_path)
    train_in(tmp_path, logs)
    run.write_metadata(read_header(run.best), {"accuracy": 0.5})
    monkeypatch.setattr("hoad.learning.training.checkpoints._checksum", None)  # a call would fail

    assert run.finished_measures() == {"accuracy": 0.5}
    other = replace(run, recipe=RECIPE.model_copy(update={"adam_beta2": 0.5}))
    with pytest.raises(HoadError, match=r"adam_beta2 was 0\.99, now 0\.5"):
        other.finished_measures()
