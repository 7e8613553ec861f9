"""Train an imitator of an agent from its recorded games."""

# First, for the other imports take a while and Ctrl-C may come.
import hoad.core.signals  # noqa: F401

# isort: split

from pathlib import Path

from hoad.core import cli
from hoad.core.paths import checkpoint_root
from hoad.learning.recipes import ImitatorRecipe

CHECKPOINTS = checkpoint_root()


def main(
    recipe: ImitatorRecipe,
    *,
    agent: str,
    data: Path = Path("datasets"),
    out: Path = CHECKPOINTS,
    resume: bool = False,
) -> None:
    """Train an imitator: a network that predicts the moves of an agent, from its recorded games.

    The network with the lowest loss on unseen games is kept in OUT/imitator/AGENT, with metadata,
    curves for TensorBoard and a checkpoint to resume from.

    Args:
        recipe: See above.
        agent: Name of the agent, as in its recorded games.
        data: Folder with recorded games.
        out: Folder of all checkpoints.
        resume: Continue a stopped training.
    """
    from hoad.core.paths import playing_name
    from hoad.learning.imitator import train_imitator  # torch takes seconds; --help need not wait

    found = train_imitator(recipe, agent, data, out, resume)
    print(
        f"{playing_name('imitator', agent, out)}  accuracy on unseen games {found.accuracy:.1%} "
        f"(among legal moves {found.masked_accuracy:.1%}), loss {found.loss:.4f}"
    )


if __name__ == "__main__":
    cli.run(main)
