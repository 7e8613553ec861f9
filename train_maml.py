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

    Neither the held-out agent, nor its imitator, nor an agent of the same behaviour is a task,
    validates or chooses anything; if its games are there, its accuracy is reported. The model
    with the lowest loss on the other agents' unseen games is kept in OUT/maml/HELD_OUT, with a
    card, curves for TensorBoard and what going on needs.

    Args:
        recipe: See above.
        held_out: Name of the agent that is left out.
        data: Folder with recorded games.
        out: Folder of all checkpoints.
        resume: Go on where a stopped training left off.
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
