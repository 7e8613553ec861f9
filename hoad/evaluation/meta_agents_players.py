"""The meta-agents of a table by their names."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.adhoc.bayes.features import BehaviourBelief, Belief
from hoad.adhoc.bayes.in_game import AdaptiveAgent, InGameMetaAgent
from hoad.adhoc.bayes.meta_agent import MetaAgent, certain, generalist, oracle, random_response
from hoad.adhoc.bayes.moves import LikelihoodBelief, Reveal
from hoad.adhoc.bayes.niche import NicheBelief
from hoad.adhoc.bayes.recorder import BeliefDiary
from hoad.adhoc.bayes.response import ExpectedBest, MostLikelyBest, Response, scores_with
from hoad.adhoc.matchups import MatchUps
from hoad.adhoc.pool import Pool, agents_of
from hoad.adhoc.seeds import ORACLE, other_seed
from hoad.evaluation.meta_agents_recipe import MetaAgentsRecipe

GENERALIST: Final = "generalist"
ORACLE_NAME: Final = "oracle"

REVEAL: Final[dict[str, Reveal]] = {"likelihood": "none", "likelihood-revealed": "after_game"}
"""What the players that judge by action likelihood are shown of their cards after a game."""


@dataclass(frozen=True)
class Training:
    """What meta-agents have learned from.

    Attributes:
        pool: hypotheses and responses.
        match_ups: of the pool, in its order.
    """

    pool: Pool
    match_ups: MatchUps

    def response_table(self, seat: int) -> np.ndarray:
        """Return the best response to each hypothesis, by index, int64."""
        return np.argmax(self.match_ups.scores(seat), axis=0)


def hypothesis_of(pool: Pool, partners: Pool, index: int) -> int | None:
    """Return the hypothesis that stands for a partner: itself, or whoever has the same niche.

    None if nobody does.
    """
    name, niche = partners.agents[index], partners.niches[index]
    if name in pool.agents:
        return pool.agents.index(name)
    same_grid = (pool.grid, pool.features) == (partners.grid, partners.features)
    if niche is None or not same_grid or niche not in pool.niches:
        return None
    return pool.niches.index(niche)


def make_meta_agent(
    name: str, recipe: MetaAgentsRecipe, training: Training, partners: Pool, index: int
) -> tuple[MetaAgent, BeliefDiary | None]:
    """Return a meta-agent that is to meet a partner; and its diary, if it learns.

    Only the oracle is told who the partner is.

    Args:
        name: as in the recipe.
        recipe: how it is made.
        training: what it has learned from.
        partners: the pool of the partner.
        index: the partner.
    """
    match_ups = training.match_ups
    who = hypothesis_of(training.pool, partners, index)
    if name == ORACLE_NAME:
        if who is not None:
            return certain(match_ups, who), None
        [partner] = agents_of([partners.agents[index]])
        games, seed = recipe.matchup_games, other_seed(recipe.seed, ORACLE)
        return oracle(
            match_ups, scores_with(partner, agents_of(match_ups.agents), games, seed)
        ), None
    if name == GENERALIST:
        return generalist(match_ups), None
    if name == "random-response":
        return random_response(match_ups, index), None
    if name == "likelihood-in-game":
        diary = BeliefDiary(ExpectedBest(match_ups), match_ups.agents, who)
        agent = AdaptiveAgent(name, match_ups)
        return InGameMetaAgent(name, agent, LikelihoodBelief(agent.pool), diary), diary
    belief, response = _learning(name, recipe, training)
    diary = BeliefDiary(response, match_ups.agents, who)
    return MetaAgent(name, agents_of(match_ups.agents), belief, diary), diary


def _learning(name: str, recipe: MetaAgentsRecipe, training: Training) -> tuple[Belief, Response]:
    match_ups, pool = training.match_ups, training.pool
    if name == "niche":
        belief = NicheBelief(pool, recipe.niche_threshold)
        return belief, ExpectedBest(match_ups)
    if name in REVEAL:
        return LikelihoodBelief(agents_of(pool.agents), REVEAL[name]), ExpectedBest(match_ups)
    by_behaviour = BehaviourBelief(match_ups, recipe.evidence)
    if name == "most-likely":
        return by_behaviour, MostLikelyBest(match_ups)
    return by_behaviour, ExpectedBest(match_ups)
