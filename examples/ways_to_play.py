"""How `search` chooses its way to play with a partner that it has never met.

python examples/ways_to_play.py --partner fireflower
"""

from hoad.agents import get_fair_agent, play
from hoad.agents.seeds import other_seed
from hoad.core import cli
from hoad.core.recipe import Count, Seed
from hoad.game.log import replay
from hoad.game.stream import Purpose
from hoad.knowledge import HeldOut
from hoad.partners.kinds import knowledge_without
from hoad.reports.page import text_table
from hoad.search.strategy import WAYS, Strategy


def ways_to_play(
    partner: str = "fireflower",
    support_games: Count = 10,
    games: Count = 10,
    seed: Seed = 0,
) -> None:
    """Print what each way to play gains on `model`, after the support and after each game.

    Args:
        partner: Name of the agent, of which only these games are used.
        support_games: Self-play games of the partner that are watched first.
        games: Games with the partner, in both seats in turn.
        seed: Seed of all games.
    """
    other = get_fair_agent(partner)
    support = play([other] * 2, support_games, other_seed(seed, Purpose.SUPPORT))
    strategy = Strategy(support, knowledge_without(HeldOut(partner)))

    lines = [["game", "plays", "score", *WAYS]]
    lines.append(["support", "", "", *(f"{gain:+.1f}" for gain in strategy.values.values())])
    decks = other_seed(seed, Purpose.TABLE)
    for game in range(games):
        way, player, seat = strategy.way, strategy.player("search"), (game + 1) % 2
        logs = play([other, player] if seat else [player, other], 1, decks, first_game=game)
        strategy.watch(logs, seat)
        [score] = replay(logs).strict
        gains = (f"{gain:+.1f}" for gain in strategy.values.values())
        lines.append([f"{game + 1}", way, f"{score}", *gains])
    print(text_table(lines))


if __name__ == "__main__":
    cli.run(ways_to_play)
