"""People whose games are public, for comparison with a person who plays now.

Of HanabiData's people (:mod:`hoad.replay.formats.hanabidata`), HOAD comes with weights and losses,
not with games: the prior that all of them suggest, the weights of those who played most, and how
well everybody's first games are predicted by people of other folds. ``benchmarks/people.py`` learns
them. The inputs are rules, traits of moves and relations: no agents, no networks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.files import reading_arrays
from hoad.core.identity import identity_of
from hoad.core.paths import SHIPPED_CHECKPOINTS
from hoad.partners.choices import Seen
from hoad.partners.others import PEOPLE_FOLDS, people_of_other_folds
from hoad.partners.program.firing import ROWS
from hoad.partners.regression import move_traits, relations
from hoad.partners.regression.learner import Prior
from hoad.partners.regression.population import (
    MOST_GAMES,
    Difference,
    PopulationModel,
    RelatingInputs,
    fit_population,
    loss_under,
    observe,
)

PATH: Final = SHIPPED_CHECKPOINTS / "logit" / "people.npz"
"""What was learned of people; comes with HOAD."""

FIRST_GAMES: Final = 3
"""Games of each known person that the losses are of.

Fewer games of a new person are not compared.
"""

OFTEN: Final = 10
"""Games from which on a person's own weights are known."""

_DIFFERENCES: Final = 3
"""Inputs that are shown of a new person."""

_REMEDY: Final = "learn it again with benchmarks/people.py"

_INPUTS: Final = identity_of(
    [list(map(list, ROWS)), list(move_traits.SIZES.items()), list(relations.SIZES.items())]
)


@dataclass(frozen=True)
class KnownPeople:
    """What was learned of people."""

    prior: Prior  # of the weights of a person without a known game
    names: tuple[str, ...]  # of people with OFTEN games or more
    weights: np.ndarray  # of each of these, float32, shape (names, inputs)
    # of everybody's first games before any of them is known, nats a move, ascending
    losses: np.ndarray


@dataclass(frozen=True)
class Likeness:
    """A person beside others."""

    loss: float  # of the person's moves before any game is known, nats a move
    harder: float  # share of people with first games that are harder to predict
    people: int  # how many these people are
    most_alike: str  # the person under whose weights the moves are most probable
    alike_loss: float  # the loss under these weights
    differences: list[Difference]  # what sets the person apart most from everybody


def likeness(games: Seen) -> Likeness:
    """Compare a person's games, with at least one move of the person, with those of others."""
    people, seen = known_people(), observe(games, _inputs())
    loss = loss_under(seen, people.prior.means)
    own = PopulationModel(people.prior, _inputs())
    own.learn(games)
    losses = [loss_under(seen, weights) for weights in people.weights]
    nearest = int(np.argmin(losses))
    return Likeness(
        loss=loss,
        harder=float((people.losses > loss).mean()),
        people=len(people.losses),
        most_alike=people.names[nearest],
        alike_loss=losses[nearest],
        differences=own.differences(_DIFFERENCES),
    )


@cache
def known_people() -> KnownPeople:
    """Read what comes with HOAD; a HoadError if it is absent or of other inputs."""
    with reading_arrays(PATH, "weights of people", _REMEDY) as arrays:
        if str(arrays["inputs"]) != _INPUTS:
            raise HoadError(f"{PATH}: weights of other rules, traits or relations; {_REMEDY}")
        names = tuple(arrays["names"].tolist())
        prior = Prior(arrays["prior"].astype(float), arrays["precision"].astype(float))
        return KnownPeople(prior, names, arrays["weights"], arrays["losses"])


def learn_people(games: Mapping[str, Seen]) -> dict[str, np.ndarray]:
    """Return the arrays of the file ``PATH`` from the games of people, by name."""
    inputs_of = _inputs()
    observed = {name: observe(seen.first(MOST_GAMES), inputs_of) for name, seen in games.items()}
    losses = []
    for fold in range(PEOPLE_FOLDS):
        others = people_of_other_folds(games, fold)
        population = fit_population([observed[name] for name in others], inputs_of.groups)
        for name in games.keys() - others.keys():
            seen = observe(games[name].first(FIRST_GAMES), inputs_of)
            if len(seen.actions):
                losses.append(loss_under(seen, population.means))
    everybody = fit_population(list(observed.values()), inputs_of.groups)
    often = [name for name, seen in games.items() if len(seen.logs) >= OFTEN]
    weights = [_own_weights(everybody, inputs_of, games[name]) for name in often]
    return {
        "inputs": np.array(_INPUTS),
        "prior": everybody.means.astype(np.float32),
        "precision": everybody.precision.astype(np.float32),
        "names": np.array(often),
        "weights": np.array(weights, np.float32),
        "losses": np.sort(losses),
    }


def _own_weights(prior: Prior, inputs_of: RelatingInputs, games: Seen) -> np.ndarray:
    model = PopulationModel(prior, inputs_of)
    model.learn(games)
    return model.weights.means


@cache
def _inputs() -> RelatingInputs:
    return RelatingInputs((), ())
