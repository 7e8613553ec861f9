"""How sure of its moves is a proxy? Scores of people's logits by the power of their probabilities.

python benchmarks/sharpness.py datasets/people.h5    # three minutes

The power ``SHARPNESS`` was chosen on these three people, who are on no page of proxies. Their
logits play with the logits of the three programs, as in ``evaluate.py proxies``. A person's own
scores are those of the games with the program that were played to the end.
"""

from pathlib import Path
from typing import Annotated, Final

import numpy as np
from pydantic import Field

from hoad.agents.agent import Agent
from hoad.agents.registry import get_agent
from hoad.core import cli
from hoad.core.recipe import Seed
from hoad.partners.from_games import logit_of
from hoad.partners.logit.agent import LogitWeights, logit_agent
from hoad.partners.strangers import read_strangers
from hoad.replay.formats.convert import read_games
from hoad.reports.page import text_table
from hoad.reports.statistics import show
from hoad.studies.proxies import own_scores, programs_of, scores_of

POWERS: Final = (1.0, 1.5, 2.0)
GREEDY: Final = "greedy"  # the most probable move

Count = Annotated[int, Field(ge=1, le=100_000)]


def sharpness(
    file: Annotated[Path, cli.Positional("FILE")],
    people: tuple[str, ...] = ("P011", "P013", "P015"),
    games: Count = 100,
    seed: Seed = 0,
) -> None:
    """Print the scores of logits of people by the power of their probabilities.

    Args:
        file: Games of people with programs (.h5, .jsonl, .jsonl.gz).
        people: Names of people.
        games: Games of each logit with each program.
        seed: Seed of these games.
    """
    recorded = read_games(file)
    programs = {name: get_agent(f"logit:{file}:{name}") for name in programs_of(file, recorded)}
    rows, distances = [["who", *programs, "games"]], []
    for person in people:
        own = [own_scores(recorded, program, person) for program in programs]
        counts = " + ".join(str(score.count) for score in own)
        rows.append([person, *map(show, own), counts])
        for way, agent in proxies(person, learned_weights(file, person)).items():
            scores = [scores_of([program, agent], games, seed) for program in programs.values()]
            rows.append([agent.name, *map(show, scores), str(games)])
            means = [score.mean for score in scores], [score.mean for score in own]
            distances += [(way, value) for value in np.abs(np.subtract(*means))]
    print(text_table(rows))
    for way in dict.fromkeys(way for way, _ in distances):
        mean = np.nanmean([value for one, value in distances if one == way])
        print(f"{way}: {mean:.2f} points from the people's own scores, on the mean")


def learned_weights(file: Path, person: str) -> LogitWeights:
    """Return what a person's logit has learned from all games of the person."""
    [games] = read_strangers([file], person)
    logit = logit_of(person, file)
    logit.learn(games.all_games)
    return logit.weights


def proxies(person: str, weights: LogitWeights) -> dict[str, Agent]:
    """Return the agents of a logit that are as sure of their moves as the powers say."""
    ways = {f"power {power:g}": weights.sharpened(power) for power in POWERS}
    agents = {way: logit_agent(f"{person}, {way}", sharp) for way, sharp in ways.items()}
    return {**agents, GREEDY: logit_agent(f"{person}, {GREEDY}", weights, greedy=True)}


if __name__ == "__main__":
    cli.run(cli.Command("benchmarks.sharpness:sharpness", "Compare powers of probabilities."))
