"""Ways to play with training strangers: what the settings of `search` are chosen on.

python benchmarks/strangers.py --games 16 --strangers smartbot fireflower
python benchmarks/strangers.py --games 100 --ways model pool --seed 1    # on `PROMISED`

No partner of the main comparison is among them, and no relative of a stranger is in its pool.
For each stranger it prints how well models predict it, how much more `pool` scored in rehearsals
than `model`, and the strict and the lenient score of each way to play, each alone in all games,
both seats, on the same decks. People (docs/people.md) are strangers by their logits; what is
watched are their first games (datasets/people.h5 has to be there).
"""

import time
from pathlib import Path

import numpy as np

from hoad.agents import get_fair_agent, play
from hoad.agents.agent import Agent
from hoad.agents.seeds import other_seed
from hoad.core import cli
from hoad.core.errors import HoadError
from hoad.core.recipe import Count, Seed
from hoad.game.log import GameLogs, replay
from hoad.game.stream import Purpose
from hoad.knowledge import HeldOut
from hoad.partners.choices import Seen
from hoad.partners.kinds import Knowledge
from hoad.partners.logit.prior import prior_without
from hoad.players.roster import recorded_support
from hoad.search.strategy import WAYS, Strategy

RULE_LISTS = ("outer", "iggi", "piers", "van-den-bergh")
BOTS = ("simplebot", "valuebot", "holmesbot")
PEOPLE = Path("datasets/people.h5")
POOLS = {
    "smartbot": RULE_LISTS,
    "infobot": RULE_LISTS,
    "wtfwt": (*BOTS, *RULE_LISTS),
    "fireflower": (*BOTS, *RULE_LISTS),
    "noisy:0.1:elite:canaan-5x5-2/1,2": BOTS,
    "noisy:0.3:elite:canaan-5x5-2/2,3": BOTS,
    "elite:canaan-5x5-3/1,3": BOTS,
    **{f"logit:{PEOPLE}:{person}": (*BOTS, *RULE_LISTS) for person in ("P011", "P013", "P015")},
}
"""The pool for each training stranger: agents of the main table that are no relatives of it."""

META_MODELS = {RULE_LISTS: "odwyer", BOTS: "walton-rivers"}
"""The meta-model for each pool: the one that never saw a relative."""


def strangers(
    strangers: tuple[str, ...] = tuple(POOLS),
    ways: tuple[str, ...] = WAYS,
    support_games: Count = 10,
    games: Count = 16,
    seed: Seed = 9_000,
) -> None:
    """Play in each way with training strangers.

    Args:
        strangers: Names of agents.
        ways: Ways to play, by name.
        support_games: Self-play games of the stranger that are watched first.
        games: Games of each way in both seats together.
        seed: Seed of all games.
    """
    unknown = [name for name in strangers if name not in POOLS]
    if unknown:
        raise HoadError(f"unknown stranger {unknown[0]!r}; choose from {', '.join(POOLS)}")
    for name in strangers:
        stranger, pool = get_fair_agent(name), POOLS[name]
        agents, meta_model = tuple(map(get_fair_agent, pool)), META_MODELS.get(pool, "rainbow")
        known = Knowledge(agents, meta_model, prior_without(HeldOut(name, "family")))
        if name.startswith(f"logit:{PEOPLE}"):
            support, seats = recorded_support(PEOPLE, stranger, support_games)
        else:
            support = play([stranger] * 2, support_games, other_seed(seed, Purpose.SUPPORT))
            seats = None
        started = time.thread_time()
        strategy = Strategy(support, known, seats=seats)
        seconds = time.thread_time() - started
        unseen = play([stranger] * 2, 50, other_seed(seed, Purpose.TABLE, 1))
        print(f"{name}: itself {replay(unseen).strict.mean():.1f}, learned in {seconds:.0f} s")
        print(f"  nats a move: {losses(strategy, unseen)}")
        shares = zip(("pool", "programs", "logit", "chance"), strategy.shares, strict=True)
        print("  shares:", ", ".join(f"{what} {share:.2f}" for what, share in shares))
        values = strategy.values.items()
        print("  gains:", ", ".join(f"{way} {gain:+.1f}" for way, gain in values), flush=True)
        print(f"  pool in rehearsals: {strategy.promised:+.1f} on model")
        for way in ways:
            score(way, strategy.playing(way, way), stranger, games, seed)


def losses(strategy: Strategy, unseen: GameLogs) -> str:
    """Return the log-loss of the models on unseen self-play games, in words."""
    seen = Seen(unseen, np.ones((len(unseen), 2), np.bool_))
    models = {"mixture": strategy.mixture, "logit": strategy.logit}
    models |= {one.name: one for one in strategy.mixture.models}
    made = {name: seen.choices.made(model.expected(seen)) for name, model in models.items()}
    return ", ".join(
        f"{name} {-np.log(np.maximum(p, 1e-9)).mean():.2f}" for name, p in made.items()
    )


def score(way: str, player: Agent, stranger: Agent, games: int, seed: int) -> None:
    """Play in one way, and print the scores."""
    decks, started = other_seed(seed, Purpose.TABLE), time.thread_time()
    seatings = [player, stranger], [stranger, player]
    outcomes = [replay(play(seats, games // 2, decks)) for seats in seatings]
    strict, lenient = (
        np.concatenate([getattr(one, what) for one in outcomes]) for what in ("strict", "scores")
    )
    seconds = (time.thread_time() - started) / len(strict)
    error = 1.96 * strict.std(ddof=1) / len(strict) ** 0.5
    print(
        f"  {way}: strict {strict.mean():.1f} ± {error:.1f}, lenient {lenient.mean():.1f}, "
        f"{seconds:.1f} s a game",
        flush=True,
    )


if __name__ == "__main__":
    cli.run(strangers)
