"""Train Rainbow in self-play."""

# First, for the other imports take a while and Ctrl-C may come.
import hoad.core.signals  # noqa: F401

# isort: split

from pathlib import Path

from hoad.core import cli
from hoad.core.paths import checkpoint_root
from hoad.learning.rainbow.recipe import RainbowRecipe

CHECKPOINTS = checkpoint_root()


def main(recipe: RainbowRecipe, *, out: Path = CHECKPOINTS, resume: bool = False) -> None:
    """Train Rainbow: a network that learns Hanabi in self-play.

    The network with the highest strict score in self-play is kept in OUT/rainbow/SEED, with
    metadata, its learning curve, curves for TensorBoard and a checkpoint to resume from.

    Args:
        recipe: See above.
        out: Folder of all checkpoints.
        resume: Continue a stopped training.
    """
    from hoad.core.paths import playing_name
    from hoad.learning.rainbow.learner import (
        train_rainbow,  # torch takes seconds; --help need not wait
    )

    found = train_rainbow(recipe, out, resume)
    print(
        f"{playing_name('rainbow', str(recipe.seed), out)}  strict {found['strict_score']:.2f}, "
        f"lenient {found['lenient_score']:.2f} in {found['self_play_games']:,} games of self-play, "
        f"lost {found['lost']:.1%} of them"
    )


if __name__ == "__main__":
    cli.run(main)
