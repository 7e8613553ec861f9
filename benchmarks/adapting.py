"""How long ``search`` takes to learn from ten games of a partner, and for a move."""

import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from hoad.adhoc_player import AdhocPlayer, play_episodes
from hoad.agents.agent import Agent, CompiledAgent
from hoad.core.recipe import load_recipe
from hoad.game.log import GameLogs
from hoad.players.registry import Column
from hoad.studies.search import TimedAgent
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.table import cell_key, rosters_of

_RECIPE = Path(__file__).parents[1] / "results" / "adhoc-search-family.toml"
_PARTNERS = ("simplebot", "iggi", "rainbow")
_GAMES = 4
_SEED = 1


def search_learning_s() -> float:
    """Return the processor seconds that learning from ten games takes with the slowest partner."""
    return max(_episode(partner).learning for partner in _PARTNERS)


def search_move_p95_s() -> float:
    """Return the processor seconds that 95 % of the moves keep with the slowest partner."""
    return max(float(np.percentile(_episode(partner).moves, 95)) for partner in _PARTNERS)


class _Timed(AdhocPlayer):
    """Times the learning of another player, and its moves but those of compiled agents."""

    watches = True

    def __init__(self, inner: AdhocPlayer) -> None:
        self.name, self._inner = inner.name, inner
        self.learning, self._agents = 0.0, list[TimedAgent]()

    def begin(self, episodes: int, seed: int) -> None:
        start = time.thread_time()
        self._inner.begin(episodes, seed)
        self.learning = time.thread_time() - start

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        agents = self._inner.agents(game, seat)
        timed = [each if isinstance(each, CompiledAgent) else TimedAgent(each) for each in agents]
        self._agents += [agent for agent in timed if isinstance(agent, TimedAgent)]
        return timed

    @property
    def moves(self) -> list[float]:
        return [seconds for agent in self._agents for seconds in agent.seconds]

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        self._inner.watch(game, seat, logs)


@cache
def _episode(partner: str) -> _Timed:
    """Play an episode of ``search`` with a partner, and return the player with its times.

    The family of the partner is held out.
    """
    for support_games, games in ((1, 1), (10, _GAMES)):  # the first loads what is compiled
        changes = {"trials": 1, "support_games": support_games}
        recipe = load_recipe(_RECIPE, AdhocRecipe).model_copy(update=changes)
        key = cell_key(partner, "search")
        roster = rosters_of(recipe)[key.knows]
        player = _Timed(Column.parse("search").make(roster, key.partner))
        play_episodes(player, roster.agent_named(partner), 1, games, _SEED)
    return player
