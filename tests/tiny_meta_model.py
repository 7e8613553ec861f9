"""A tiny meta-model, trained once for all tests."""

import shutil
from pathlib import Path

import pytest

from hoad.learning.maml.learner import train_maml
from hoad.learning.maml.recipe import MamlRecipe
from hoad.replay.recorder import PlayRecipe, record

AGENTS = ("iggi", "piers", "outer")
TINY = MamlRecipe(
    agents=AGENTS,
    tasks=2,
    games=4,
    steps=4,
    validate_every=2,
    validation_games=4,
    hidden=(16, 16),
    inner_lrs=(1e-2,),
    play_steps=(2,),
    milestones=(1, 2),
    zero_shot_weight=2,
    fomaml_steps=3,
)


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a meta-model that was trained without iggi, and of its data."""
    folder = tmp_path_factory.mktemp("meta-model")
    record(PlayRecipe(games=300, agents=AGENTS), folder, resume=False, threads=1)
    train_maml(TINY, "iggi", folder, folder, resume=False)
    return folder


@pytest.fixture
def checkpoints(trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, which is the one of all checkpoints."""
    shutil.copytree(trained, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    return tmp_path


@pytest.fixture
def tiny_recipe() -> MamlRecipe:
    """The recipe of the meta-model."""
    return TINY
