"""How human are the proxies of people? Agents that were made from a person's recorded games.

A proxy is ``imitator:P001``, a network, or ``logit:FILE:P001``, a conditional logit. Both predict
games of the person that neither has learned: the imitator's test games, which are left out of the
logit for this measure only. Then they play with the programs that the person played with, or
rather with the logits of these programs, and their scores are beside the person's own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.games import play
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.core.progress import progress
from hoad.game.log import replay
from hoad.game.moves import legal_bits
from hoad.learning.games import person_games
from hoad.learning.policies import PolicyAgent
from hoad.partners.choices import Seen
from hoad.partners.from_games import logit_of
from hoad.replay.dataset import Dataset
from hoad.replay.formats.convert import read_games
from hoad.reports.output import Result, Started
from hoad.reports.page import Block, Heading, Paragraph, Report, Table
from hoad.reports.statistics import Estimate, estimate, show
from hoad.studies.prediction.measure import Prediction, evaluation_of

KINDS: Final = ("imitator", "logit")


@dataclass(frozen=True)
class Proxy:
    """What one proxy showed.

    Attributes:
        prediction: of the person's games that it has not learned.
        scores: lenient scores by program, and with itself.
        own: the person's own scores with each program, of games that were played to the end.
    """

    prediction: Prediction
    scores: Mapping[str, Estimate]
    own: Mapping[str, Estimate]


@dataclass(frozen=True)
class Proxies(Result):
    """All proxies, by person and kind; and how well the logits of programs predict them."""

    proxies: Mapping[tuple[str, str], Proxy]
    programs: Mapping[str, Prediction]


def measure_proxies(file: Path, people: Sequence[str], games: int, seed: int) -> Proxies:
    """Measure both proxies of some people; each plays so many games with each program.

    It raises a HoadError if the file cannot be read, or somebody has too few games or no imitator.
    """
    started, recorded = Started(seed), read_games(file)
    proxies = product(people, KINDS)
    agents = {(name, kind): get_agent(_agent(kind, file, name)) for name, kind in proxies}
    programs = programs_of(file, recorded)
    partners = {name: get_agent(_agent("logit", file, name)) for name in programs}
    measured = {}
    for (name, kind), agent in progress(agents.items(), "measuring", "proxies"):
        scores = {
            program: scores_of([partner, agent], games, seed)
            for program, partner in partners.items()
        }
        scores["itself"] = scores_of([agent, agent], games, seed)
        own = {program: own_scores(recorded, program, name) for program in programs}
        measured[name, kind] = Proxy(_predict(file, name, agent), scores, own)
    predicted = {name: _predict(file, name, partner) for name, partner in partners.items()}
    return Proxies(measured, predicted, **started.ended())


def programs_of(file: Path, recorded: Dataset) -> list[str]:
    """Return the programs that people of a file played with; a HoadError if there are none."""
    programs = sorted(set(recorded.names[:, 0]) - set(recorded.names[:, 1]))
    if not programs:
        raise HoadError(f"{file}: no program moves first in these games, as in HanabiData's")
    return programs


def _agent(kind: str, file: Path, name: str) -> str:
    return f"imitator:{name}" if kind == "imitator" else f"logit:{file}:{name}"


def _predict(file: Path, name: str, agent: Agent) -> Prediction:
    """Return how well a proxy predicts the test games of its person, which it has not learned.

    An imitator is asked itself; a logit is learned again, without these games.
    """
    games = person_games(file, name)
    split = games.split()
    every, test = Seen(games.logs, games.seats), split["test"]
    unseen = every.select(test)
    if isinstance(agent, PolicyAgent):
        legal = legal_bits(unseen.legal)
        weights = agent.probabilities_of(unseen.observations, legal)
    else:
        model = logit_of(name, file)
        model.learn(every.select(np.setdiff1d(np.arange(len(games.logs)), test)))
        weights = model.expected(unseen)
    return evaluation_of(unseen, 0, weights, 0.0).prediction()


def scores_of(agents: Sequence[Agent], games: int, seed: int) -> Estimate:
    """Return the mean lenient score of games of two agents, by seat, with its interval."""
    return estimate(replay(play(agents, games, seed)).scores.astype(np.float64))


def own_scores(recorded: Dataset, program: str, person: str) -> Estimate:
    """Return the scores of their whole games; the mean of none is NaN."""
    theirs = (recorded.names == (program, person)).all(axis=1)
    whole = replay(recorded.logs.select(np.flatnonzero(theirs)))
    scores = whole.scores[whole.over].astype(np.float64)
    return estimate(scores) if len(scores) else Estimate(float("nan"), float("nan"), 0)


def report(result: Proxies) -> Report:
    """Return tables of prediction and of scores."""
    programs = list(result.programs)
    predicted, scores = [["agent", "nats a move", "accuracy"]], [["who", *programs, "with itself"]]
    rows: list[dict[str, Any]] = []
    for name in dict.fromkeys(name for name, _ in result.proxies):
        for kind in KINDS:
            proxy = result.proxies[name, kind]
            if kind == KINDS[0]:
                scores.append([name, *(show(proxy.own[program]) for program in programs), ""])
            agent = f"{kind} of {name}"
            predicted.append([agent, *proxy.prediction.shown()])
            scores.append([agent, *(show(score) for score in proxy.scores.values())])
            rows.append(
                {"person": name, "kind": kind, **vars(proxy.prediction)}
                | {f"score {program}": score.mean for program, score in proxy.scores.items()}
                | {f"own {program}": score.mean for program, score in proxy.own.items()}
            )
    predicted += [[f"logit of {name}", *row.shown()] for name, row in result.programs.items()]
    words = (
        "A proxy is an agent that was made from a person's games. Each predicts games that it has "
        "not learned (every fifth), and plays with the logits of the programs, which move first "
        "as the programs did. Scores are lenient means with 95 % intervals; a person's own are "
        "those of the games that were played to the end."
    )
    blocks: list[Block] = [Paragraph(words), Heading("Prediction of unseen games")]
    blocks += [Table(predicted), Heading("Scores"), Table(scores)]
    return result.report("Proxies of people", blocks, rows, {})
