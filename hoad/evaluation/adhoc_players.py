"""The players of the ad-hoc table by the names that recipes use."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Final

import numpy as np

from hoad.adhoc.bayes.meta_agent import MetaAgent, adaptive, generalist, oracle, random_response
from hoad.adhoc.bayes.recorder import BeliefDiary
from hoad.adhoc.bayes.response import ExpectedBest, scores_with
from hoad.adhoc.matchups import MatchUps, play_match_ups
from hoad.adhoc.player import AdhocPlayer, Fixed, RandomPartner
from hoad.adhoc.seeds import MATCH_UPS, ORACLE, other_seed
from hoad.agents import Agent, get_fair_agent
from hoad.core.errors import HoadError
from hoad.evaluation.adhoc_recipe import META_AGENTS, AdhocRecipe
from hoad.evolution.elites import elite_names
from hoad.learning.names import agents_without, name_in, original_name

LOW_SHOT: Final = "low-shot"
NAIVE: Final = "naive"
ZERO_SHOT: Final = "zero-shot"

_NO_AGENTS: Final = ("self-play", "random-partner", NAIVE, ZERO_SHOT, LOW_SHOT, *META_AGENTS)
"""Players that are no agents of that name."""


class PlayerMaker:
    """Makes the players that meet a partner.

    Args:
        recipe: who takes part.
        match_ups: of the whole pool (:func:`play_pool`); for each partner they are reduced to the
            others. None if nobody needs a pool.

    Attributes:
        diaries: what the adaptive meta-agents believe, by partner.
    """

    def __init__(self, recipe: AdhocRecipe, match_ups: MatchUps | None = None) -> None:
        self._recipe = recipe
        self._match_ups = match_ups
        self.diaries: dict[str, BeliefDiary] = {}

    def make(self, player: str, partner: str) -> AdhocPlayer:
        """Return a player of the table's column for the partner of its row.

        Raises:
            HoadError: no such player or agent, or a network is missing.
        """
        if player == "self-play":
            return Fixed(player, self.seated(partner))
        if player == "random-partner":
            return RandomPartner(player, self._random_partners(partner))
        kind, at_step, whom = _taken_apart(player)
        if kind == ZERO_SHOT and not whom:
            return Fixed(player, get_fair_agent(f"maml:{original_name(partner)}{at_step}"))
        if kind == LOW_SHOT:
            return self._low_shot(player, whom or partner, at_step)
        if kind == NAIVE and not at_step:
            return self._naive(player, whom or partner)
        if player in META_AGENTS:
            return self._meta_agent(player, partner)
        return Fixed(player, _agent_named(player))

    def made_of(self, player: str, partner: str) -> list[Any]:
        """Return all that a player's moves depend on, besides the partner, as plain values.

        Raises:
            HoadError: no such agent, or a network is missing.
        """
        recipe = self._recipe
        kind, at_step, whom = _taken_apart(player)
        trials = [recipe.trials, recipe.support_games]
        whoms = [_identity(self.seated(whom))] if whom else []
        if player == "self-play":
            return []
        if player == "random-partner":
            return [_identity(agent) for agent in self._random_partners(partner)]
        if kind == ZERO_SHOT and not whom:
            return [_identity(get_fair_agent(f"maml:{original_name(partner)}{at_step}"))]
        if kind == LOW_SHOT:
            from hoad.learning.policies import load_meta_model  # torch takes seconds

            model = original_name(whom or partner) + at_step
            about = load_meta_model(model)[1]
            learned = [about.get("play_steps"), about["facts"]["inner_rate"]]
            agent = _identity(get_fair_agent(f"maml:{model}"))
            return [agent, learned, recipe.low_shot.model_dump(mode="json"), trials, whoms]
        if kind == NAIVE and not at_step:
            return [recipe.naive.model_dump(mode="json"), trials, whoms]
        if player in META_AGENTS:
            pool = [_identity(get_fair_agent(name)) for name in pool_of(recipe)]
            return [pool, recipe.matchup_games]
        return [_identity(_agent_named(player))]

    def seated(self, name: str) -> Agent:
        """Return who plays for this agent: itself or its imitator, as the recipe's source says."""
        return get_fair_agent(name_in(self._recipe.source, name))

    def repetitions(self, player: str) -> np.ndarray:
        """Return of what each episode is part: its trial, or itself (see `Cell`)."""
        episodes = self._recipe.episodes
        if _taken_apart(player)[0] in (LOW_SHOT, NAIVE):
            from hoad.adhoc.learned import trials_of

            return trials_of(episodes, self._recipe.trials)
        return np.arange(episodes)

    def _random_partners(self, partner: str) -> list[Agent]:
        return [self.seated(name) for name in agents_without(self._recipe.agents, partner)]

    def _naive(self, player: str, partner: str) -> AdhocPlayer:
        from hoad.adhoc.learned import Naive  # torch takes seconds

        recipe, seated = self._recipe, self.seated(partner)
        return Naive(player, seated, recipe.trials, recipe.support_games, recipe.naive)

    def _low_shot(self, player: str, partner: str, at_step: str) -> AdhocPlayer:
        from hoad.adhoc.learned import LowShot  # torch takes seconds

        recipe = self._recipe
        return LowShot(
            player,
            original_name(partner) + at_step,
            self.seated(partner),
            recipe.trials,
            recipe.support_games,
            recipe.low_shot.steps,
            recipe.low_shot.rate,
        )

    def _meta_agent(self, player: str, partner: str) -> MetaAgent:
        if self._match_ups is None:
            raise ValueError(f"{player} needs match-ups")
        names = self._match_ups.agents
        others = hypotheses(names, partner)
        match_ups = self._match_ups.select([names.index(name) for name in others])
        if player == "generalist":
            return generalist(match_ups)
        if player == "random-response":
            return random_response(match_ups)
        if player == "oracle":
            pool = [get_fair_agent(name) for name in others]
            games, seed = self._recipe.matchup_games, other_seed(self._recipe.seed, ORACLE)
            return oracle(match_ups, scores_with(self.seated(partner), pool, games, seed))
        diary = BeliefDiary(ExpectedBest(match_ups), match_ups.agents)
        self.diaries[partner] = diary
        return adaptive(match_ups, response=diary)


def _agent_named(player: str) -> Agent:
    """Return the agent that plays as itself; who mistyped another player's name is told so."""
    try:
        return get_fair_agent(player)
    except HoadError:
        nearest = get_close_matches(player, _NO_AGENTS, n=1)
        if nearest:
            raise HoadError(f"unknown player {player!r}; did you mean {nearest[0]}?") from None
        raise


def _taken_apart(player: str) -> tuple[str, str, str]:
    """Return the parts of a column's name: ``low-shot@500:X`` is low-shot, @500 and X."""
    shot, _, whom = player.partition(":")
    kind, at, step = shot.partition("@")
    return kind, at + step, whom


def _identity(agent: Agent) -> str:
    return repr(agent.identity)


def check_players(recipe: AdhocRecipe, whom: Iterable[tuple[str, str]]) -> None:
    """Demand all agents and networks of a recipe, before hours of games.

    Args:
        recipe: who takes part.
        whom: the partners and players who are to meet.

    Raises:
        HoadError: no such player or agent, a network or population is missing, or a pool holds
            somebody twice or nobody but a partner.
    """
    maker, pool = PlayerMaker(recipe), pool_of(recipe)
    if len(set(pool)) < len(pool):
        twice = next(name for name in pool if pool.count(name) > 1)
        raise HoadError(f"pool: agent {twice} is named twice; name each agent once")
    for name in pool:
        get_fair_agent(name)
    for name in (*recipe.partners, *recipe.agents):
        maker.seated(name)
    for partner, player in whom:
        if player in META_AGENTS:
            hypotheses(pool, partner)
        else:
            maker.make(player, partner)


def pool_of(recipe: AdhocRecipe) -> list[str]:
    """Return the names of the meta-agents' pool; nobody if no player is a meta-agent."""
    if not set(META_AGENTS) & set(recipe.players):
        return []
    return [*recipe.pool, *(elite_names(recipe.population) if recipe.population else [])]


def play_pool(recipe: AdhocRecipe, threads: int) -> MatchUps | None:
    """Play what meta-agents know of their pool; None if no player is a meta-agent."""
    pool = pool_of(recipe)
    seed = other_seed(recipe.seed, MATCH_UPS)
    return play_match_ups(pool, recipe.matchup_games, seed, threads) if pool else None


def hypotheses(pool: Sequence[str], partner: str) -> list[str]:
    """Return the agents of a pool without the partner.

    Raises:
        HoadError: nobody remains.
    """
    others = agents_without(pool, partner)
    if not others:
        raise HoadError(f"{partner}: no hypothesis remains in the pool; name other agents")
    return others
