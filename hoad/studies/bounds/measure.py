"""How well one can play with an agent: its self-play, its best response, and search.

All three are lower bounds of the score of the best response to the agent, which nobody knows. The
best response among some agents is chosen on other decks than it is scored on: the maximum of noisy
means would be too high on its own decks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from hoad.agents.agent import CompiledAgent
from hoad.agents.games import play_numbered
from hoad.agents.seeds import other_seed
from hoad.bayes.matchups import saved_matchups
from hoad.bayes.pool import agents_of, make_pool
from hoad.core.errors import HoadError
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.game.log import replay
from hoad.game.stream import Purpose
from hoad.reports.output import Result, Started
from hoad.reports.statistics import SCORES
from hoad.studies.bounds.recipe import BoundsRecipe
from hoad.studies.search.measure import Searched, Setting, play_settings

KINDS: Final = ("self-play", "best response", "search-oracle")


@dataclass(frozen=True)
class Bound:
    """The games of an agent with the player that plays best with it, of one kind.

    Attributes:
        partner: the agent.
        kind: one of ``KINDS``.
        player: an agent's name; of search-oracle, that of its blueprint.
        score: ``lenient`` or ``strict``.
        scores: float64, shape ``(games,)``; the partner moves first in those of odd index.
    """

    partner: str
    kind: str
    player: str
    score: str
    scores: np.ndarray


@dataclass(frozen=True)
class Bounds(Result):
    """The bounds of all agents of a recipe.

    ``searched`` are the games of search-oracle; ``bounds`` has them too.
    """

    recipe: BoundsRecipe
    agents: tuple[str, ...]
    bounds: Sequence[Bound]
    searched: Sequence[Searched]

    def of(self, partner: str, score: str) -> dict[str, Bound]:
        """Return the bounds of one agent and one score, by kind."""
        bounds = (b for b in self.bounds if (b.partner, b.score) == (partner, score))
        return {b.kind: b for b in bounds}


def measure_bounds(recipe: BoundsRecipe, threads: int, resume: bool = False) -> Bounds:
    """Choose the best responses, score them, and search with each agent that is compiled.

    The blueprint of search-oracle is the best response among the agents that are compiled, by the
    strict score. The result does not depend on ``threads``.

    Raises:
        HoadError: an agent is unknown, sees its own hand or is another program; no agent is
            compiled; a kept file cannot be read; or the folder of kept games holds some and
            ``resume`` is false.
    """
    started = Started(recipe.seed)
    names = make_pool(recipe.agents, recipe.population).agents
    is_compiled = np.array([isinstance(agent, CompiledAgent) for agent in agents_of(names)])
    if not is_compiled.any():
        raise HoadError("no agent is compiled, which search needs; name a rule list or a bot")
    seed = other_seed(recipe.seed, Purpose.ORACLE)
    matchups = saved_matchups(names, recipe.choosing_games, seed, threads).without_seats()
    best = {score: getattr(matchups, score).argmax(axis=0) for score in SCORES}
    compiled = np.flatnonzero(is_compiled)
    blueprints = compiled[matchups.strict[compiled].argmax(axis=0)]
    settings = (_setting(recipe, names[p], names[blueprints[p]]) for p in compiled)
    searching = [(setting, games) for setting, games in settings if games]
    folder = recipe.kept or recipe.out
    searched = play_settings(folder, searching, started, threads, resume)
    to_play = [
        (name, kind, names[player], score)
        for partner, name in enumerate(names)
        for score in SCORES
        for kind, player in (("self-play", partner), ("best response", best[score][partner]))
    ]
    bounds = [*_play_all(to_play, recipe, threads), *_of_search(searched)]
    return Bounds(recipe, names, bounds, searched, **started.ended())


def _setting(recipe: BoundsRecipe, partner: str, blueprint: str) -> tuple[Setting, int]:
    """Return how search-oracle plays with a partner, and how many games."""
    games = recipe.longer_games if partner in recipe.longer else recipe.search_games
    own = None if blueprint == partner else blueprint  # as in a study of search
    return Setting(partner, "one", recipe.rollouts, own), games


def _play_all(
    to_play: Sequence[tuple[str, str, str, str]], recipe: BoundsRecipe, threads: int
) -> Iterator[Bound]:
    """Yield the bounds of partners, kinds, players and scores; each pair plays once."""
    who = list(dict.fromkeys((partner, player) for partner, _, player, _ in to_play))
    seed = other_seed(recipe.seed, Purpose.TABLE)
    items = [(*pair, recipe.games, seed) for pair in who]
    played = counted(work(_play, items, threads), [1] * len(items), "bounds", "pairs")
    scores = dict(zip(who, played, strict=True))
    for partner, kind, player, score in to_play:
        yield Bound(partner, kind, player, score, scores[partner, player][SCORES.index(score)])


def _play(partner: str, player: str, games: int, seed: int) -> np.ndarray:
    """Return lenient and strict scores, float64, shape ``(2, games)``."""
    numbers, scores = np.arange(games), np.zeros((2, games))
    [plays], [with_whom] = agents_of([player]), agents_of([partner])
    for first, seats in enumerate(([plays, with_whom], [with_whom, plays])):
        outcomes = replay(play_numbered(seats, numbers[first::2], seed))
        scores[:, first::2] = outcomes.scores, outcomes.strict
    return scores


def _of_search(searched: Sequence[Searched]) -> Iterator[Bound]:
    for played, score in product(searched, SCORES):
        partner, blueprint = played.setting.agent, played.setting.blueprint
        yield Bound(partner, "search-oracle", blueprint or partner, score, getattr(played, score))
