"""Meta-agents as agents, by name: ``generalist:POOL`` and ``adaptive:POOL``.

POOL is a population file (``*.json``), a run of evolve.py, or agents with ``+`` between them (see
:func:`hoad.adhoc.pool.find_pool`). They know 400 games of each pair of the pool, on decks
of a seed of their own (:data:`hoad.adhoc.seeds.POOL_SEED`): those that ``evaluate.py matchups
POOL`` saves, else they are played first.
"""

from typing import Final

from hoad.adhoc.bayes.in_game import AdaptiveAgent
from hoad.adhoc.bayes.meta_agent import generalist
from hoad.adhoc.matchup_files import known_match_ups
from hoad.adhoc.matchups import MatchUps
from hoad.adhoc.pool import find_pool
from hoad.agents.agent import Agent
from hoad.agents.wrappers import BySeat
from hoad.core.errors import HoadError

GENERALIST: Final = "generalist"
ADAPTIVE: Final = "adaptive"


def make_generalist(argument: str) -> Agent:
    """Return the agent that plays, in each seat, as whoever of a pool does best with the pool.

    Raises:
        HoadError: there is no such pool, or an agent of it is unknown.
    """
    name = f"{GENERALIST}:{argument}"
    match_ups = _match_ups(name, argument)
    player = generalist(match_ups)
    player.begin(episodes=1, seed=0)
    [first], [second] = (player.agents(game=0, seat=seat) for seat in range(2))
    return BySeat(name, first, second)


def make_adaptive(argument: str) -> Agent:
    """Return the agent that finds out during a game whom of a pool its partner is like.

    Raises:
        HoadError: there is no such pool, or an agent of it is unknown.
    """
    name = f"{ADAPTIVE}:{argument}"
    return AdaptiveAgent(name, _match_ups(name, argument))


def _match_ups(name: str, pool: str) -> MatchUps:
    try:
        return known_match_ups(find_pool(pool).agents)
    except HoadError as error:
        raise HoadError(f"{name}: {error}") from error
