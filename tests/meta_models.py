"""Games to learn from, and small meta-models: not trained at all, or once for all tests."""

import shutil
from pathlib import Path

import pytest
import torch

from hoad.core.paths import checkpoint_folder
from hoad.learning.maml.learner import train_maml
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.networks import MetaModel
from hoad.learning.training.checkpoints import save_checkpoint
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record

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


def save_meta_model(
    root: Path,
    held_out: str,
    inner_rate: float = 0.1,
    episode: str = "games",
    play_steps: int | None = 1,
    torch_seed: int = 1,
) -> None:
    """Save a meta-model as if it had been trained on all agents but one.

    Args:
        root: folder of all checkpoints.
        held_out: the agent that it has never seen.
        inner_rate: that it is to be adapted with.
        episode: as in the recipe of a training.
        play_steps: inner steps that it is to be adapted with; None if the training has not come
            to its end.
        torch_seed: of its random weights.
    """
    torch.manual_seed(torch_seed)
    about = {
        "kind": "maml",
        "recipe": {"hidden": [16, 16], "episode": episode},
        "name": held_out,
        "games": {},
        "facts": {"inner_rate": inner_rate},
    } | ({} if play_steps is None else {"play_steps": play_steps})
    path = checkpoint_folder("maml", held_out, root) / "model.safetensors"
    save_checkpoint(path, MetaModel([16, 16]).state_dict(), about)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 300 recorded self-play games of each of four agents."""
    folder = tmp_path_factory.mktemp("datasets")
    agents = (*AGENTS, "simplebot")
    record(PlayRecipe(games=300, agents=agents), folder, resume=False, threads=1)
    return folder


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a meta-model that was trained without iggi, and of its data."""
    folder = tmp_path_factory.mktemp("meta-model")
    record(PlayRecipe(games=300, agents=AGENTS), folder, resume=False, threads=1)
    train_maml(TINY, "iggi", folder, folder, resume=False)
    return folder


@pytest.fixture
def own_checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all checkpoints, in which there is none."""
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))
    return tmp_path


@pytest.fixture
def checkpoints(trained: Path, own_checkpoints: Path) -> Path:
    """A copy of that folder, which is the one of all checkpoints."""
    return shutil.copytree(trained, own_checkpoints, dirs_exist_ok=True)


@pytest.fixture
def tiny_recipe() -> MamlRecipe:
    """The recipe of the meta-model."""
    return TINY
