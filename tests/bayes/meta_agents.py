"""Meta-agents, built from a belief and a response."""

from hoad.bayes.belief import UniformBelief
from hoad.bayes.features import BehaviourBelief, Evidence
from hoad.bayes.matchups import MatchUps
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.response import ExpectedBest, RandomResponse, Response


def bayes_features(match_ups: MatchUps, evidence: Evidence = "last_game") -> MetaAgent:
    belief = BehaviourBelief(match_ups, evidence)
    return MetaAgent("bayes-features", match_ups.agents, belief, ExpectedBest(match_ups))


def generalist(match_ups: MatchUps) -> MetaAgent:
    return _unmoved("generalist", match_ups, ExpectedBest(match_ups))


def random_response(match_ups: MatchUps) -> MetaAgent:
    return _unmoved("random-response", match_ups, RandomResponse(0))


def _unmoved(name: str, match_ups: MatchUps, response: Response) -> MetaAgent:
    return MetaAgent(name, match_ups.agents, UniformBelief(len(match_ups.agents)), response)
