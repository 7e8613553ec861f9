"""How long ``search`` takes to learn from ten games of a partner, and for a move."""

import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from hoad.adhoc_player import AdhocPlayer, play_episodes
from hoad.agents.agent import Agent, Batch
from hoad.core.recipe import load_recipe
from hoad.game.log import GameLogs
from hoad.players.registry import Column
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


class _TimedAgent(Agent):
    """Another agent; the processor seconds of each move are added to ``moves``."""

    def __init__(self, inner: Agent, moves: list[float]) -> None:
        self._inner, self._moves = inner, moves
        self.name, self.fair, self.memory_size = inner.name, inner.fair, inner.memory_size

    def weights(self, batch: Batch) -> np.ndarray:
        start = time.thread_time()
        weights = self._inner.weights(batch)
        self._moves.append(time.thread_time() - start)
        return weights


class _Timed(AdhocPlayer):
    """Another player, whose learning and moves are timed."""

    watches = True

    def __init__(self, inner: AdhocPlayer) -> None:
        self.name, self._inner = inner.name, inner
        self.learning, self.moves = 0.0, list[float]()

    def begin(self, episodes: int, seed: int) -> None:
        start = time.thread_time()
        self._inner.begin(episodes, seed)
        self.learning = time.thread_time() - start

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [_TimedAgent(agent, self.moves) for agent in self._inner.agents(game, seat)]

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        self._inner.watch(game, seat, logs)


@cache
def _episode(partner: str) -> _Timed:
    """Return ``search`` after an episode with a partner, whose family is held out."""
    for support_games, games in ((1, 1), (10, _GAMES)):  # the first loads what is compiled
        changes = {"trials": 1, "support_games": support_games}
        recipe = load_recipe(_RECIPE, AdhocRecipe).model_copy(update=changes)
        key = cell_key(partner, "search")
        roster = rosters_of(recipe)[key.knows]
        player = _Timed(Column.parse("search").make(roster, key.partner))
        play_episodes(player, roster.seated(partner), 1, games, _SEED)
    return player
