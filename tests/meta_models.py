"""Meta-models to play with: small, and not trained at all."""

from pathlib import Path

import torch

from hoad.core.paths import checkpoint_folder
from hoad.learning.networks import MetaModel
from hoad.learning.training.checkpoints import save_checkpoint


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
