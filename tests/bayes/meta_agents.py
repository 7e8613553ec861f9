"""Meta-agents, built from a belief and a response."""

import numpy as np

from hoad.bayes.belief import UniformBelief
from hoad.bayes.features import BehaviourBelief
from hoad.bayes.matchups import Matchups
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.response import BestKnown, ExpectedBest, RandomResponse, Response
from hoad.bayes.settings import Evidence


def bayes_features(matchups: Matchups, evidence: Evidence = "last_game") -> MetaAgent:
    belief = BehaviourBelief(matchups, evidence)
    return MetaAgent("bayes-features", matchups, belief, ExpectedBest(matchups))


def generalist(matchups: Matchups) -> MetaAgent:
    return _unmoved("generalist", matchups, ExpectedBest(matchups))


def oracle(matchups: Matchups, scores: np.ndarray) -> MetaAgent:
    return _unmoved("oracle", matchups, BestKnown(scores))


def random_response(matchups: Matchups) -> MetaAgent:
    return _unmoved("random-response", matchups, RandomResponse(0, len(matchups.agents)))


def _unmoved(name: str, matchups: Matchups, response: Response) -> MetaAgent:
    return MetaAgent(name, matchups, UniformBelief(len(matchups.agents)), response)


POOL = (
    "rules:1,8,13,38,46,15,33,36,0,17,28,25,23,27,29",
    "rules:1,8,45,38,41,15,27,36,27,30,28,18,23,27,17",
    "rules:15,8,46,7,25,19,40,24,26,35,26,10,27,25,36",
    "rules:15,8,46,38,46,19,33,5,24,40,19,43,23,27,29",
    "rules:25,8,32,7,25,32,21,36,5,9,2,36,2,25,17",
)
"""Some elites of a small run of MAP-Elites: no response is the best with each of them."""
