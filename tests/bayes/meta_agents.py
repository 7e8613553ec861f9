"""Meta-agents, built from a belief and a response."""

from hoad.bayes.belief import UniformBelief
from hoad.bayes.features import BehaviourBelief
from hoad.bayes.matchups import Matchups
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.response import ExpectedBest, RandomResponse, Response
from hoad.bayes.settings import Evidence


def bayes_features(matchups: Matchups, evidence: Evidence = "last_game") -> MetaAgent:
    belief = BehaviourBelief(matchups, evidence)
    return MetaAgent("bayes-features", matchups.agents, belief, ExpectedBest(matchups))


def generalist(matchups: Matchups) -> MetaAgent:
    return _unmoved("generalist", matchups, ExpectedBest(matchups))


def random_response(matchups: Matchups) -> MetaAgent:
    return _unmoved("random-response", matchups, RandomResponse(0))


def _unmoved(name: str, matchups: Matchups, response: Response) -> MetaAgent:
    return MetaAgent(name, matchups.agents, UniformBelief(len(matchups.agents)), response)
