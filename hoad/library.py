"""Functions that ``import hoad`` offers to notebooks, besides those of layers below."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoad.agents.agent import Agent
from hoad.agents.registry import get_agent
from hoad.core.provenance import forget_networks
from hoad.core.recipe import check_recipe, load_recipe
from hoad.core.recipe_files import find_recipe
from hoad.core.workers import forget_agents
from hoad.game.log import GameLogs, refuse_other_games
from hoad.replay import recorder
from hoad.replay.dataset import Dataset, read_dataset
from hoad.replay.recipe import PlayRecipe
from hoad.replay.sampler import TransitionSampler
from hoad.tables.adhoc.recipe import AdhocRecipe

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["adapt", "adhoc_table", "get_agent", "read_games", "record", "transitions"]


def record(
    agents: Sequence[str],
    games: int,
    out: str | Path = "datasets",
    seed: int = 0,
    resume: bool = False,
    threads: int = 1,
    players: int = 2,
) -> list[Path]:
    """Record self-play games of agents, on the same decks; return the files in ``out``.

    With ``resume`` the games that are there already are kept. With 3 to 5 ``players``, the agents
    are rule lists. For the errors see :func:`hoad.replay.recorder.record`.
    """
    values = {"agents": list(agents), "games": games, "players": players, "seed": seed}
    return recorder.record(check_recipe(values, PlayRecipe, "record"), out, resume, threads)


def read_games(path: str | Path) -> Dataset:
    """Read recorded games from an HDF5 file (:func:`hoad.replay.dataset.read_dataset`)."""
    return read_dataset(path)


def transitions(
    games: Dataset | GameLogs, batch_size: int = 512, seed: int = 0
) -> "Iterator[tuple[Tensor, Tensor, Tensor]]":
    """Yield shuffled batches of two-player games without end, each transition once a pass.

    Yields:
        Observations, float32, shape ``(batch_size, 658)``; legal moves, bool, shape
        ``(batch_size, 20)``; the moves made, int64, shape ``(batch_size,)``.

    Raises:
        HoadError: the games are not legal games of two players, or there are none.
    """
    import torch

    from hoad.learning.network_inputs import legal_mask, unpack
    from hoad.learning.transitions import to_device

    logs = games.logs if isinstance(games, Dataset) else games
    refuse_other_games(logs)
    for batch in TransitionSampler(logs, batch_size, seed):
        tensors = to_device(batch, torch.device("cpu"))
        yield unpack(tensors.observations), legal_mask(tensors.legal), tensors.actions


def adapt(held_out: str, logs: GameLogs) -> Agent:
    """Return the meta-model trained without an agent, adapted to ten or so self-play games of it.

    For the errors see :class:`hoad.learning.maml.inner_loop.LowShotModel`; a HoadError too if the
    games are not legal games of two players, or there are none.
    """
    from hoad.learning.maml.inner_loop import LowShotModel

    return LowShotModel(held_out).adapt(logs)


def adhoc_table(
    recipe: str | Path | AdhocRecipe, resume: bool = False, threads: int = 1, **changes: Any
) -> list[dict[str, Any]]:
    """Make an ad-hoc table; return its rows, which are those of ``results.csv``.

    ``recipe`` is a recipe, its file, or the name of one that comes with HOAD, such as ``demo``.
    ``changes`` are keys of the recipe with other values. With ``resume`` games are kept. Each
    call reads networks and populations again.

    Raises:
        HoadError: see :func:`hoad.tables.adhoc.table.run_adhoc`; or a value is refused.
    """
    from hoad.tables.adhoc.report import adhoc_report
    from hoad.tables.adhoc.table import run_adhoc

    forget_agents()
    forget_networks()
    if not isinstance(recipe, AdhocRecipe):
        recipe = load_recipe(find_recipe(str(recipe), AdhocRecipe.folder), AdhocRecipe)
    values = recipe.model_dump(mode="json") | changes
    result = run_adhoc(check_recipe(values, AdhocRecipe, "adhoc_table"), threads, resume)
    return [dict(row) for row in adhoc_report(result).rows]
