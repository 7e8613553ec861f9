"""Meta-train a model on all agents but one."""

# First, for the other imports take a while and Ctrl-C may come.
import hoad.core.signals  # noqa: F401

# isort: split

from pathlib import Path

from hoad.core import cli
from hoad.core.paths import checkpoint_root
from hoad.learning.maml.recipe import MamlRecipe

CHECKPOINTS = checkpoint_root()


def main(
    recipe: MamlRecipe,
    *,
    held_out: str,
    data: Path = Path("datasets"),
    out: Path = CHECKPOINTS,
    resume: bool = False,
) -> None:
    """Meta-train a model with FOMAML, leaving one agent out.

    The held-out agent, its imitator and agents of the same behaviour are no tasks and affect
    no choice; if its games are recorded, the accuracy on them is reported. The model with the
    lowest loss on unseen games of the other agents is kept in OUT/maml/HELD_OUT, with metadata,
    curves for TensorBoard and a checkpoint to resume from.

    Args:
        recipe: See above.
        held_out: Name of the agent that is left out.
        data: Folder with recorded games.
        out: Folder of all checkpoints.
        resume: Continue a stopped training.
    """
    from hoad.core.paths import playing_name
    from hoad.learning.maml.learner import train_maml  # torch takes seconds; --help need not wait
    from hoad.learning.names import original_name

    found = train_maml(recipe, held_out, data, out, resume)
    print(playing_name("maml", original_name(held_out), out))
    for name, value in found.items():
        print(f"  {name:45} {value:.4f}")


if __name__ == "__main__":
    cli.run(main)
