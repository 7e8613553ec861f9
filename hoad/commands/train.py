"""Commands that train networks."""

from pathlib import Path

from hoad.agents.families import FAMILIES, Family, HoldOut
from hoad.core.errors import HoadError
from hoad.core.paths import checkpoint_root, playing_name
from hoad.learning.maml.recipe import MamlRecipe
from hoad.learning.rainbow.recipe import RainbowRecipe
from hoad.learning.recipes import ImitatorRecipe

# The functions import torch, which takes seconds: --help does not wait for it.


def imitator(
    recipe: ImitatorRecipe,
    *,
    agent: str,
    data: Path = Path("datasets"),
    out: Path | None = None,
    resume: bool = False,
) -> None:
    """Train an imitator of an agent from its recorded games.

    OUT/imitator/AGENT keeps the network with the lowest loss on unseen games, its metadata, curves
    for TensorBoard and what --resume needs.

    Args:
        recipe: See above.
        agent: Name of the agent, as its recorded games have it.
        data: Folder with recorded games.
        out: Folder of all checkpoints; without it, $HOAD_CHECKPOINTS or checkpoints.
        resume: Continue a training that was stopped.
    """
    from hoad.learning.imitator import train_imitator

    root = out or checkpoint_root()
    found = train_imitator(recipe, agent, data, root, resume)
    print(
        f"{playing_name('imitator', agent, root)}  accuracy on unseen games {found.accuracy:.1%} "
        f"(among legal moves {found.masked_accuracy:.1%}), loss {found.loss:.4f} "
        f"(among legal moves {found.masked_loss:.4f}, as AH2AC2 counts {found.ah2ac2_loss:.4f})"
    )


def maml(
    recipe: MamlRecipe,
    *,
    held_out: str | None = None,
    held_out_family: Family | None = None,
    data: Path = Path("datasets"),
    out: Path | None = None,
    resume: bool = False,
) -> None:
    """Meta-train a model with FOMAML on all agents but one, or but those of a family.

    Held-out agents, their imitators and agents that behave as they do are not used to train, to
    validate or to choose anything; if their games are there, the accuracy on them is reported.
    OUT/maml/HELD_OUT, or HELD_OUT.SEED if the seed is not 0, keeps the model with the lowest loss
    on the other agents' unseen games, its metadata, curves for TensorBoard and what --resume needs.

    Args:
        recipe: See above.
        held_out: Name of the agent that is left out.
        held_out_family: Family that is left out; OUT/maml/FAMILY keeps the model.
        data: Folder with recorded games.
        out: Folder of all checkpoints; without it, $HOAD_CHECKPOINTS or checkpoints.
        resume: Continue a training that was stopped.
    """
    from hoad.knowledge import meta_model_name
    from hoad.learning.maml.learner import train_maml

    if (held_out is None) == (held_out_family is None):
        raise HoadError("give one of --held-out and --held-out-family")
    root = out or checkpoint_root()
    partner = FAMILIES[held_out_family][0] if held_out_family else str(held_out)
    hold_out: HoldOut = "family" if held_out_family else "agent"
    found = train_maml(recipe, partner, data, root, resume, hold_out)
    print(playing_name("maml", meta_model_name(partner, hold_out, recipe.seed), root))
    for name, value in found.items():
        print(f"  {name:45} {value:.4f}")


def rainbow(recipe: RainbowRecipe, *, out: Path | None = None, resume: bool = False) -> None:
    """Train Rainbow in self-play.

    The network with the highest strict score in self-play is kept in OUT/rainbow/SEED, with its
    metadata, its learning curve, curves for TensorBoard and what --resume needs.

    Args:
        recipe: See above.
        out: Folder of all checkpoints; without it, $HOAD_CHECKPOINTS or checkpoints.
        resume: Continue a training that was stopped.
    """
    from hoad.learning.rainbow.learner import train_rainbow

    root = out or checkpoint_root()
    found = train_rainbow(recipe, root, resume)
    print(
        f"{playing_name('rainbow', str(recipe.seed), root)}  strict {found['strict_score']:.2f}, "
        f"lenient {found['lenient_score']:.2f} in {found['self_play_games']:,} games of self-play, "
        f"lost {found['lost']:.1%} of them"
    )
