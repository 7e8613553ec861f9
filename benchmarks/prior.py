"""Learn the weights of many strangers, from which the logit's prior is made, and what it gains.

python benchmarks/prior.py learn       # writes checkpoints/shipped/logit/strangers.npz, ten minutes
python benchmarks/prior.py evaluate    # nats a move with and without the prior, by games watched

Strangers are rule lists drawn at random, elites of populations whose elites are in no pool of a
table, and the compiled agents of HOAD. Those that are held out with a partner have no part in its
prior. The evaluation leaves the stranger and its family out.
"""

from pathlib import Path
from typing import Final

import numpy as np

from hoad.agents import get_fair_agent, play
from hoad.agents.agent import CompiledAgent
from hoad.agents.registry import agent_names, get_agent
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.core import cli
from hoad.core.recipe import Count, Seed
from hoad.evolution.population import elite_names
from hoad.knowledge import HeldOut
from hoad.partners.choices import Seen
from hoad.partners.kinds import knowledge_without
from hoad.partners.logit.model import Logit
from hoad.partners.logit.prior import (
    PATH,
    FittedStrangers,
    prior_without,
    write_strangers_weights,
)
from hoad.partners.regression.inputs import (
    FIXED,
    GUESS,
    input_groups,
    regression_inputs,
)
from hoad.partners.regression.learner import Prior
from hoad.partners.regression.softmax import WeightEstimates, find_precision, fit_weights

LENGTH: Final = 12
"""Rules of a random list."""

EVALUATED: Final = ("smartbot", "fireflower", "wtfwt", "elite:canaan-5x5-2/1,2", "rules:8,20,27,22")


def learn(
    lists: Count = 8,
    elites: Count = 4,
    games: Count = 10,
    seed: Seed = 20_000,
    out: Path = PATH,
) -> None:
    """Learn the weights of strangers.

    Args:
        lists: How many random rule lists.
        elites: How many elites of each population.
        games: Self-play games of each stranger.
        seed: Seed of the lists and of all games.
        out: File to write.
    """
    names = stranger_names(lists, elites, seed)
    means, variances = np.zeros((2, len(names), FIXED))
    for index, name in enumerate(names):
        watched = self_play(name, games, seed + index)
        weights = fitted_weights(watched)
        means[index], variances[index] = weights.means, weights.variances
        print(f"{index + 1} of {len(names)}: {name}", flush=True)
    write_strangers_weights(out, FittedStrangers(tuple(names), means, variances))


def fitted_weights(games: Seen) -> WeightEstimates:
    """Return the weights of rules and traits after some games."""
    inputs, actions = regression_inputs(games, ()), games.choices.actions
    precision = find_precision(inputs, actions, input_groups(FIXED), GUESS)
    return fit_weights(inputs, actions, precision)


def evaluate(
    strangers: tuple[str, ...] = tuple(EVALUATED),
    test: Count = 40,
    seed: Seed = 30_000,
) -> None:
    """Print the log-loss of the logit on unseen self-play games, with and without the prior.

    Args:
        strangers: Names of agents.
        test: Unseen games.
        seed: Seed of all games.
    """
    watched = 0, 1, 10
    print("stranger", *(f"{games} games: without, with" for games in watched), sep=" | ")
    for name in strangers:
        unseen, pool = self_play(name, test, seed), knowledge_without(HeldOut(name, "family")).pool
        cells = []
        for games in watched:
            learned = self_play(name, games, seed + 1) if games else None
            losses = [loss(Logit(pool, prior), learned, unseen) for prior in priors(name)]
            cells.append(", ".join(f"{one:.2f}" for one in losses))
        print(name, *cells, sep=" | ", flush=True)


def priors(name: str) -> list[Prior | None]:
    """Return no prior, and the one that a stranger and its family have no part in."""
    return [None, prior_without(HeldOut(name, "family"))]


def loss(model: Logit, learned: Seen | None, unseen: Seen) -> float:
    """Return the log-loss of a model after some games."""
    if learned is not None:
        model.learn(learned)
    made = unseen.choices.made(model.expected(unseen))
    return float(-np.log(np.maximum(made, 1e-9)).mean())


def stranger_names(lists: int, elites: int, seed: int) -> list[str]:
    """Return the names of the strangers."""
    draw, numbers = np.random.default_rng(seed), np.array(list(CATALOGUE))
    random = [",".join(map(str, draw.choice(numbers, LENGTH, replace=False))) for _ in range(lists)]
    evolved = [
        name
        for population in ("canaan-5x5-2", "canaan-5x5-3")
        for name in elite_names(population)[:: max(1, len(elite_names(population)) // elites)][
            :elites
        ]
    ]
    plain = [get_agent(name) for name in agent_names()]
    named = [one.name for one in plain if one.fair and isinstance(one, CompiledAgent)]
    return [*(f"rules:{one}" for one in random), *evolved, *named]


def self_play(name: str, games: int, seed: int) -> Seen:
    """Return self-play games of a stranger."""
    logs = play([get_fair_agent(name)] * 2, games, seed)
    return Seen(logs, np.ones((games, 2), np.bool_))


if __name__ == "__main__":
    summaries = {"learn": "Learn the weights.", "evaluate": "Compare log-losses."}
    commands = {
        name: cli.Command(f"benchmarks.prior:{name}", one) for name, one in summaries.items()
    }
    cli.run(cli.CommandGroup("Priors of the logit's weights.", commands))
