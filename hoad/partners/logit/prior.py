"""A prior of the logit's weights that is learned from many strangers (hierarchical Bayes).

Every stranger has weights of its own, drawn from a normal distribution of each input, the prior.
Its mean and variance are those that explain the strangers' games best (Lindley and Smith 1972; one
step of expectation maximisation from weights that were fitted under a broad prior). Strangers that
are held out with a partner have no part in the prior that its models start from.

``benchmarks/prior.py`` learns the weights of strangers, which come with HOAD.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.files import make_folder, reading_arrays, write_arrays
from hoad.core.identity import identity_of
from hoad.core.paths import SHIPPED_CHECKPOINTS, SHIPPED_POPULATIONS
from hoad.evolution.population import PREFIX as ELITE
from hoad.knowledge import HeldOut
from hoad.partners.program.firing import ROWS
from hoad.partners.regression.learner import Prior
from hoad.partners.regression.move_traits import SIZES

PATH: Final = SHIPPED_CHECKPOINTS / "logit" / "strangers.npz"
"""The weights of strangers that come with HOAD."""

INPUTS: Final = identity_of([list(map(list, ROWS)), list(SIZES.items())])
"""The identity of the inputs that the weights are of."""

_REMEDY: Final = "learn them again with benchmarks/prior.py"


@dataclass(frozen=True)
class FittedStrangers:
    """What was learned of the strangers from which priors are made."""

    names: tuple[str, ...]  # of agents
    means: np.ndarray  # the most probable weights of each, float32, shape (strangers, FIXED)
    variances: np.ndarray  # of each weight, float32, same shape

    def prior(self, names: Sequence[str]) -> Prior:
        """Return the prior that some of the strangers give, at least two."""
        rows = [self.names.index(name) for name in names]
        means, variances = self.means[rows].astype(float), self.variances[rows].astype(float)
        spread = (variances + (means - means.mean(0)) ** 2).mean(0)
        return Prior(means.mean(0), 1 / spread)


def prior_without(held_out: HeldOut | None) -> Prior:
    """Return the prior of strangers that may be known when a partner is held out.

    Raises:
        HoadError: the weights of strangers cannot be read, or are of other inputs.
    """
    strangers = read_strangers_weights(PATH)
    if held_out is None:
        return strangers.prior(strangers.names)
    names = {_shipped(name): name for name in strangers.names}
    return strangers.prior([names[name] for name in held_out.others(names)])


def _shipped(name: str) -> str:
    """Return an agent's name in which the population of an elite is the shipped one's file.

    Else a population of the user's own of that name would be compared with the partner.
    """
    prefix, _, argument = name.partition(":")
    population, _, niche = argument.rpartition("/")
    return f"{prefix}:{SHIPPED_POPULATIONS / population}.json/{niche}" if prefix == ELITE else name


@lru_cache(maxsize=2)
def read_strangers_weights(path: Path) -> FittedStrangers:
    """Read the weights of strangers; a HoadError if they are absent or of other inputs."""
    with reading_arrays(path, "weights of strangers", _REMEDY) as arrays:
        if str(arrays["inputs"]) != INPUTS:
            raise HoadError(f"{path}: weights of other rules and traits; {_REMEDY}")
        names = tuple(arrays["names"].tolist())
        return FittedStrangers(names, arrays["means"], arrays["variances"])


def write_strangers_weights(path: Path, strangers: FittedStrangers) -> None:
    """Write the weights of strangers; a HoadError if it fails."""
    arrays = {
        "names": np.array(strangers.names, np.str_),
        "means": strangers.means.astype(np.float32),
        "variances": strangers.variances.astype(np.float32),
        "inputs": np.array(INPUTS, np.str_),
    }
    make_folder(path.parent)
    write_arrays(path, arrays)
