"""Meta-agents: they play as an agent of a pool, by their belief which of its agents they meet.

A kind has a belief, which evidence of the partner changes, and a response to it.
"""

from typing import Any, ClassVar

from hoad.agents.player import AdhocPlayer
from hoad.agents.seeds import other_seed
from hoad.bayes.belief import PartnerBelief, UniformBelief
from hoad.bayes.features import BehaviourBelief
from hoad.bayes.features_in_game import BayesFeaturesAgent, InGameFeaturesMetaAgent
from hoad.bayes.histograms import HistogramBelief
from hoad.bayes.in_game import InGameMetaAgent, SupportedMetaAgent
from hoad.bayes.matchups import MatchUps, scores_with
from hoad.bayes.meta_agent import MetaAgent, certain, oracle
from hoad.bayes.moves import LikelihoodBelief, Reveal
from hoad.bayes.niche import NicheBelief
from hoad.bayes.pool import agents_of
from hoad.bayes.published_niche import PublishedNicheMetaAgent
from hoad.bayes.response import (
    ExpectedBest,
    MostLikelyBest,
    RandomResponse,
    Response,
)
from hoad.game.stream import Purpose
from hoad.players.player_kind import PoolKind


class MetaAgentKind(PoolKind):
    """A meta-agent: it plays as an agent of the pool, by its belief."""

    @property
    def match_ups(self) -> MatchUps:
        """The match-ups that it knows."""
        return self.roster.match_ups_for(self.partner)

    def make(self) -> AdhocPlayer:
        match_ups, partner = self.match_ups, self.partner.hypothesis
        belief, response = self.belief(match_ups), self.response(match_ups)
        responses, hypotheses = match_ups.responses, match_ups.hypotheses
        return MetaAgent(self.name, responses, belief, response, partner, hypotheses)

    def belief(self, match_ups: MatchUps) -> PartnerBelief:
        """Return how evidence becomes belief: by default, not at all."""
        return UniformBelief(len(match_ups.hypotheses))

    def response(self, match_ups: MatchUps) -> Response:
        """Return how belief becomes a response: by default, the expected best one."""
        return ExpectedBest(match_ups)


class GeneralistKind(MetaAgentKind):
    """The agent that does best with the whole pool: the best response without evidence."""


class OracleKind(MetaAgentKind):
    """The best response to the partner, known from other games with it."""

    def make(self) -> AdhocPlayer:
        match_ups, roster = self.match_ups, self.roster
        if self.partner.hypothesis is not None:
            return certain(match_ups, self.partner.hypothesis)
        responses, partner = agents_of(match_ups.responses), roster.seated(self.partner.name)
        seed, games = other_seed(roster.seed, Purpose.ORACLE), roster.matchup_games
        return oracle(match_ups, scores_with(partner, responses, games, seed, score=roster.score))


class RandomResponseKind(MetaAgentKind):
    """A random agent of the pool in each game."""

    def response(self, match_ups: MatchUps) -> Response:
        return RandomResponse(self.partner.number, len(match_ups.responses))


class BayesFeaturesKind(MetaAgentKind):
    """Belief from the partner's behaviour (Canaan et al. 2022)."""

    def make(self) -> AdhocPlayer:
        evidence, after = self.roster.evidence, self.roster.adapt_after
        if after == "game":
            return super().make()
        match_ups, partner = self.match_ups, self.partner.hypothesis
        response = self.response(match_ups)
        agent = BayesFeaturesAgent(self.name, match_ups, response, evidence, after)
        return InGameFeaturesMetaAgent(agent, match_ups, response, partner)

    def belief(self, match_ups: MatchUps) -> PartnerBelief:
        if self.roster.evidence == "histograms":
            return HistogramBelief(match_ups)
        return BehaviourBelief(match_ups, self.roster.evidence)

    def options(self) -> list[Any]:
        settings = {"last_game": self.roster.evidence, "game": self.roster.adapt_after}
        return [setting for usual, setting in settings.items() if setting != usual]


class MostLikelyKind(BayesFeaturesKind):
    """The same belief; the best response to its most likely hypothesis."""

    def response(self, match_ups: MatchUps) -> Response:
        return MostLikelyBest(match_ups)


class NicheKind(MetaAgentKind):
    """Belief from the niche of the partner's behaviour (Canaan et al. 2020)."""

    def make(self) -> AdhocPlayer:
        if self.roster.evidence != "as_published":
            return super().make()
        pool, partner = self.roster.hypotheses(self.partner), self.partner.hypothesis
        return PublishedNicheMetaAgent(self.name, pool, self.match_ups, partner)

    def belief(self, match_ups: MatchUps | None = None) -> PartnerBelief:
        return NicheBelief(self.roster.hypotheses(self.partner), self.roster.niche_threshold)

    def check(self) -> None:
        self.belief()

    def options(self) -> list[Any]:
        how = ["as_published"] if self.roster.evidence == "as_published" else []
        return [self.roster.niche_threshold, self.roster.pool.grid, self.roster.pool.niches, *how]


class LikelihoodKind(MetaAgentKind):
    """Belief from the likelihood of the partner's moves, after each game."""

    reveal: ClassVar[Reveal] = "none"

    def belief(self, match_ups: MatchUps) -> PartnerBelief:
        return LikelihoodBelief(agents_of(match_ups.hypotheses), self.reveal)


class LikelihoodRevealedKind(LikelihoodKind):
    """The same, with its own cards shown to it after each game."""

    reveal = "after_game"


class BayesMovesKind(MetaAgentKind):
    """Belief from the likelihood of the partner's moves, after each move."""

    def make(self) -> AdhocPlayer:
        return InGameMetaAgent(self.name, self.match_ups, self.partner.hypothesis)


class BayesMovesSupportKind(BayesMovesKind):
    """Belief from the likelihood of the moves in the support, then after each move."""

    def make(self) -> AdhocPlayer:
        support = self.roster.support_of(self.partner.name)
        known = self.match_ups, self.partner.hypothesis
        return SupportedMetaAgent(self.name, support, *known)
