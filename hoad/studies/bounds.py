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
from hoad.agents.registry import shown_name
from hoad.agents.seeds import other_seed
from hoad.bayes.matchups import saved_matchups
from hoad.bayes.pool import agents_of, make_pool
from hoad.core.errors import HoadError
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.game.log import replay
from hoad.game.stream import Purpose
from hoad.reports.output import Result, Started, six_digits
from hoad.reports.page import Block, Heading, Paragraph, Report, Table
from hoad.reports.statistics import SCORES, estimate, show
from hoad.studies.recipes import BoundsRecipe
from hoad.studies.search import Searched, Setting, play_settings, with_games

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
    if partner in recipe.without_search:
        games = 0
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


_GAMES_OF_SEAT: Final = {
    "both": slice(None),
    "partner first": slice(1, None, 2),
    "player first": slice(0, None, 2),
}
"""The games of a bound in which the player and its partner have these seats."""


def report(result: Bounds) -> Report:
    """Return tables of the bounds of both scores, over both seats and by seat."""
    recipe = result.recipe
    blocks: list[Block] = [Paragraph(_explanation(result))]
    for score in reversed(SCORES):
        blocks += [Heading(f"{score.capitalize()} scores"), _table(result, score)]
    blocks.append(Heading("By seat"))
    for score in reversed(SCORES):
        blocks += [Paragraph(f"{score.capitalize()} scores."), _table_by_seat(result, score)]
    keys = ("games", "choosing_games", "rollouts")
    facts = {"agents": result.agents, **{key: getattr(recipe, key) for key in keys}}
    rows = [row for bound in result.bounds for row in _rows(bound)]
    page = result.report("Best-response bounds", blocks, rows, facts)
    return with_games(page, "bounds", recipe, result.searched, "games of search-oracle")


def _explanation(result: Bounds) -> str:
    recipe = result.recipe
    searched = {played.setting.agent for played in result.searched}
    missing = [name for name in result.agents if name not in searched]
    text = (
        "How well one can play with each agent: lower bounds of the score of its best response, "
        f"which nobody knows. The best response is the one of these {len(result.agents)} agents "
        f"that scores most with the agent in {2 * recipe.choosing_games:,} games, half of them in "
        f"each seat. Its score here is that of {recipe.games:,} games on other decks, so it is not "
        "the maximum of noisy means. search-oracle searches with the agent itself as the model of "
        f"its partner, with up to {recipe.rollouts:,} rollouts a decision; its blueprint is the "
        "best response that is compiled, by the strict score. Strict scores are 0 after the loss "
        "of the last life. All players play the same decks, each in both seats, search-oracle the "
        "first of them; means ± 95 % interval."
    )
    if missing:
        text += f" Agents without games of search-oracle: {len(missing)}; their cells are empty."
    return text


def _table(result: Bounds, score: str) -> Table:
    rows = [["agent", "self-play", "best response", "its score", "search-oracle", "games"]]
    for name in result.agents:
        bounds = result.of(name, score)
        own, best, search = (bounds.get(kind) for kind in KINDS)
        cells = [_cell(own), shown_name(best.player) if best else "", _cell(best), _cell(search)]
        rows.append([shown_name(name), *cells, f"{len(search.scores):,}" if search else ""])
    return Table(rows)


def _table_by_seat(result: Bounds, score: str) -> Table:
    seats = [seat for seat in _GAMES_OF_SEAT if seat != "both"]
    kinds = [kind for kind in KINDS if kind != "self-play"]
    rows = [["agent", *(f"{kind}, {seat}" for kind in kinds for seat in seats)]]
    for name in result.agents:
        bounds = result.of(name, score)
        cells = [_cell(bounds.get(kind), seat) for kind in kinds for seat in seats]
        rows.append([shown_name(name), *cells])
    return Table(rows)


def _cell(bound: Bound | None, seat: str = "both") -> str:
    return show(estimate(bound.scores[_GAMES_OF_SEAT[seat]])) if bound else ""


def _rows(bound: Bound) -> Iterator[dict[str, object]]:
    """Yield a row for each seat; the seats of self-play are alike."""
    for seat, games in _GAMES_OF_SEAT.items():
        if bound.kind == "self-play" and seat != "both":
            continue
        estimated = estimate(bound.scores[games])
        what = {"agent": bound.partner, "bound": bound.kind, "player": bound.player}
        mean, width = six_digits(estimated.mean), six_digits(estimated.half_width)
        numbers = {"mean": mean, "half_width": width, "games": estimated.count}
        yield {**what, "score": bound.score, "seat": seat, **numbers}
