"""The partner model `logit`: the regression of the mixture without networks, asked at the table.

It is the conditional logit of :mod:`~..regression.softmax` on rules, traits of moves and compiled
agents. Its agent (:mod:`.agent`) is compiled: search rolls it out.
"""

from collections.abc import Sequence

import numpy as np

from hoad.agents.agent import Agent, CompiledAgent
from hoad.partners.choices import Seen
from hoad.partners.logit.agent import LogitWeights, logit_agent
from hoad.partners.logit.members import can_be_member
from hoad.partners.logit.prune import kept_inputs, pruned_weights
from hoad.partners.model import Ensemble, PartnerModel
from hoad.partners.positions import Asked
from hoad.partners.program.firing import ROWS
from hoad.partners.regression.inputs import FIXED, regression_inputs
from hoad.partners.regression.learner import Prior, Regression
from hoad.partners.regression.rule_moves import RULES


class Logit(PartnerModel):
    """Expects what a conditional logit on rules, traits and agents does, which it learns.

    Args:
        agents: agents whose moves are inputs; those that compiled code cannot ask are left out.
        prior: of the weights of rules and traits; None to learn from the partner alone.

    Attributes:
        regression: the regression before weights are pruned.
    """

    name = "logit"

    def __init__(self, agents: Sequence[Agent] = (), prior: Prior | None = None) -> None:
        self._members = tuple(filter(can_be_member, agents))
        self.regression = Regression(prior)
        self._weights: LogitWeights | None = None
        self._kept, self._kept_since = np.zeros(0, np.int64), 0  # after so many decisions

    def learn(self, games: Seen) -> None:
        self.regression.learn(regression_inputs(games, self._members), games.choices)
        self._weights = None

    def expected(self, games: Asked) -> np.ndarray:
        return games.weights_of(self.agent())

    def ensemble(self) -> Ensemble:
        """Return the hypotheses that the model believes in now, for rollouts."""
        return Ensemble.of(self.agent())

    def agent(self, greedy: bool = False) -> CompiledAgent:
        """Return the compiled agent, which draws its moves, or makes the most probable one."""
        return logit_agent(self.name, self.weights, greedy)

    @property
    def weights(self) -> LogitWeights:
        """What is left of the weights after pruning; none before the first decision."""
        if self._weights is None:
            self._weights = self._prune()
        return self._weights

    def _prune(self) -> LogitWeights:
        if self.regression.weights is not None:
            if self._kept_since != self.regression.found_with:
                self._kept = kept_inputs(self.regression)
                self._kept_since = self.regression.found_with
            weights = pruned_weights(self.regression, self._kept)
        else:
            weights = np.zeros(FIXED + len(self._members))
            if prior := self.regression.prior:
                weights[:FIXED] = prior.means
        rules, members = np.flatnonzero(weights[:RULES]), np.flatnonzero(weights[FIXED:])
        return LogitWeights(
            [ROWS[rule] for rule in rules],
            [self._members[member] for member in members],
            weights[rules],
            weights[RULES:FIXED],
            weights[FIXED + members],
        )
