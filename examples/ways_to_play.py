"""How `search` chooses its way to play with a partner that it has never met.

python examples/ways_to_play.py --partner fireflower
"""

from functools import partial
from typing import Annotated

import numpy as np
from pydantic import Field

from hoad.agents import get_fair_agent, play
from hoad.agents.agent import CompiledAgent
from hoad.core import cli
from hoad.game.log import replay
from hoad.game.seeds import other_seed
from hoad.game.stream import Purpose
from hoad.partners.kinds import knowledge
from hoad.reports.page import text_table
from hoad.search.strategy import Strategy, WayToPlay

Count = Annotated[int, Field(ge=1, le=1000)]
Seed = Annotated[int, Field(ge=0, lt=2**62)]


def ways_to_play(
    partner: str = "fireflower",
    support_games: Count = 10,
    games: Count = 10,
    seed: Seed = 0,
) -> None:
    """Print the score of each way to play, after the support and after each game with a partner.

    Args:
        partner: Name of the agent, of which only these games are used.
        support_games: Self-play games of the partner that are watched first.
        games: Games with the partner, in both seats by turns.
        seed: Seed of all games.
    """
    other, known = get_fair_agent(partner), knowledge(partner)
    support = play([other] * 2, support_games, other_seed(seed, Purpose.SUPPORT))
    pool = [agent for agent in known.pool if isinstance(agent, CompiledAgent)]
    networks = [partial(known.make, kind) for kind in ("zero-shot", "low-shot")]
    strategy = Strategy(support, pool, networks)

    lines = [["game", "plays", "score", *map(words, strategy.ways)]]
    lines.append(["support", "", "", *(f"{score:.1f}" for score in strategy.scores)])
    decks = other_seed(seed, Purpose.TABLE)
    for game in range(games):
        way, player, seat = words(strategy.way), strategy.player("search"), (game + 1) % 2
        logs = play([other, player] if seat else [player, other], 1, decks, first_game=game)
        strategy.watch(logs, seat)
        [score] = replay(logs).strict
        lines.append([f"{game + 1}", way, f"{score}", *(f"{s:.1f}" for s in strategy.scores)])
    print(text_table(lines))


def words(way: WayToPlay) -> str:
    """Return a way to play in words."""
    name = way.blueprint.name
    return name if way.margin == np.inf else f"search, margin {way.margin:.0f}"


if __name__ == "__main__":
    cli.run(ways_to_play)
