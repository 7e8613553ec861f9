"""Games of agents with themselves, with a searching player, and of two searching players."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, groupby, product
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from hoad.agents import Agent, Batch, get_agent
from hoad.agents.games import play
from hoad.agents.seeds import other_seed
from hoad.core.errors import HoadError
from hoad.core.files import make_folder, only_writer
from hoad.core.identity import identity_of
from hoad.core.kept import Kept, KeptFile
from hoad.core.progress import counted
from hoad.core.provenance import provenance_of_all
from hoad.core.recipe import Recipe
from hoad.core.workers import work
from hoad.game.log import replay
from hoad.game.stream import Purpose
from hoad.reports.output import Result, Started, how_to_make_it_again
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.reports.statistics import SCORES, Estimate, estimate, show, show_difference
from hoad.search.agent import SearchAgent, make_search
from hoad.studies.recipes import SearchRecipe

_BLOCK: Final = 10
"""Games that a worker plays at a time, and that are kept together."""

_ARRAYS: Final = (*SCORES, "moves")
"""The arrays of :class:`Searched`."""

Who = Literal["itself", "one", "both"]
"""Who searches in a game of an agent with itself: no player; one, each seat in half of the games;
or both, each of which takes the other for the agent without search."""


@dataclass(frozen=True)
class Setting:
    """The games of one row: an agent, who searches, and the most rollouts of a decision.

    ``blueprint`` is how the searching player plays where search gains nothing, and in rollouts;
    None for the agent itself.
    """

    agent: str
    who: Who
    rollouts: int
    blueprint: str | None = None

    def players(self) -> list[Agent]:
        """Return the player that is named first and the other one."""
        agent = get_agent(self.agent)
        if self.who == "itself":
            return [agent, agent]
        made = make_search(self.agent)
        effort = replace(made.effort, rollouts=self.rollouts)
        blueprint = get_agent(self.blueprint) if self.blueprint else made.blueprint
        search = SearchAgent(made.name, blueprint, made.model, effort)
        return [search, search if self.who == "both" else agent]


@dataclass(frozen=True)
class Searched:
    """The games of a setting.

    Attributes:
        lenient: scores, float64, shape ``(games,)``; likewise ``strict``.
        moves: processor seconds of each move of a searching player, float64.
        seconds: processor seconds of all games.
        made_with: provenance of the games that were played together; None where it is unknown.
    """

    setting: Setting
    lenient: np.ndarray
    strict: np.ndarray
    moves: np.ndarray
    seconds: float
    made_with: Sequence[Mapping[str, Any] | None] = ()


@dataclass(frozen=True)
class SearchResult(Result):
    """All settings of a recipe: those of the table, then those of the curve."""

    recipe: SearchRecipe
    table: Sequence[Searched]
    curve: Sequence[Searched]


class TimedAgent(Agent):
    """Another agent, which remembers nothing: ``seconds`` has the processor time of each move."""

    def __init__(self, inner: Agent) -> None:
        self._inner = inner
        self.name, self.fair, self.memory_size = inner.name, inner.fair, inner.memory_size
        self.seconds: list[float] = []

    def weights(self, batch: Batch) -> np.ndarray:
        """Ask the other agent about one game after the other (see :meth:`Agent.weights`)."""
        rows = []
        for game in range(len(batch.states)):
            row = slice(game, game + 1)
            start = time.thread_time()
            alone = Batch(batch.states[row], batch.seat, batch.memory[row], batch.streams[row])
            rows.append(self._inner.weights(alone))
            self.seconds.append(time.thread_time() - start)
        return np.concatenate(rows)


def measure_search(recipe: SearchRecipe, threads: int, resume: bool = False) -> SearchResult:
    """Play the games of a recipe that its folder of games does not hold, and keep them there.

    The scores do not depend on ``threads``.

    Raises:
        HoadError: an agent cannot be searched with; a kept file cannot be read; or the folder holds
            games and ``resume`` is false.
    """
    started = Started(recipe.seed)
    whos: tuple[Who, ...] = ("itself", "one", "both")
    table = [Setting(agent, who, recipe.rollouts) for agent in recipe.agents for who in whos]
    points = product(recipe.curve, recipe.curve_rollouts)
    curve = [Setting(agent, "one", rollouts) for agent, rollouts in points]
    games = {"itself": recipe.games, "one": recipe.games, "both": recipe.both_games or recipe.games}
    wanted = [(setting, games[setting.who]) for setting in table]
    wanted += [(setting, recipe.curve_games) for setting in curve]
    folder = recipe.kept or recipe.out
    searched = play_settings(folder, wanted, started, threads, resume)
    parts = searched[: len(table)], searched[len(table) :]
    return SearchResult(recipe, *parts, **started.ended())


def play_settings(
    folder: Path,
    wanted: Sequence[tuple[Setting, int]],
    started: Started,
    threads: int,
    resume: bool,
) -> list[Searched]:
    """Play as many games of each setting as are wanted, but those that the folder keeps.

    It raises what :func:`measure_search` raises. Who moves first in a game, see :func:`_play`.
    """
    for setting, _ in wanted:
        setting.players()  # which refuses what cannot play, before hours of games
    kept = KeptFile(folder / "games.sqlite", "games of search")
    if not resume and kept.folders():
        raise HoadError(
            f"{folder}: holds games already; go on with --resume, or choose another folder "
            "with --kept (or --out)"
        )
    make_folder(folder)
    with only_writer(folder):
        return list(_play_all(kept, wanted, started, threads))


def _play_all(
    kept: KeptFile, wanted: Sequence[tuple[Setting, int]], started: Started, threads: int
) -> Iterator[Searched]:
    assert started.seed is not None
    seed = other_seed(started.seed, Purpose.TABLE)
    items = [
        (kept, setting, seed, first, min(_BLOCK, games - first), started.made_with)
        for setting, games in wanted
        for first in range(0, games, _BLOCK)
    ]
    parts = counted(work(_block, items, threads), [item[4] for item in items], "search", "games")
    for setting, group in groupby(parts, key=lambda part: part.setting):
        blocks = list(group)
        lenient, strict, moves = (
            np.concatenate([getattr(block, key) for block in blocks]) for key in _ARRAYS
        )
        made = [run for block in blocks for run in block.made_with]
        seconds = sum(block.seconds for block in blocks)
        yield Searched(setting, lenient, strict, moves, seconds, made)


def _block(
    kept: KeptFile, setting: Setting, seed: int, first: int, games: int, made_with: Mapping
) -> Searched:
    """Return some games: those that are kept, or else play and keep them."""
    players = setting.players()
    folder = f"{setting.agent} {setting.who} {setting.rollouts}"
    name = f"{identity_of([repr(player.identity) for player in players])}-{seed}-{first}-{games}"
    if entry := kept.find(folder, name):
        try:
            return _kept_block(entry, setting, games)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise kept.foreign() from error
    played = replace(_play(setting, players, seed, first, games), made_with=(made_with,))
    arrays = {key: getattr(played, key) for key in _ARRAYS}
    facts = {"seconds": played.seconds, "made_with": dict(made_with)}
    kept.add(Kept(folder, name, facts, arrays))
    return played


def _kept_block(entry: Kept, setting: Setting, games: int) -> Searched:
    lenient, strict, moves = (entry.arrays[key] for key in _ARRAYS)
    if not lenient.shape == strict.shape == (games,) or moves.ndim != 1:
        raise ValueError(f"shapes {lenient.shape}, {strict.shape}, {moves.shape}")
    seconds, made_with = entry.facts["seconds"], entry.facts["made_with"]
    return Searched(setting, lenient, strict, moves, seconds, [made_with])


@cache
def _load_compiled(setting: Setting) -> None:
    """Play a game, once in each process: to load compiled code takes seconds that do not count."""
    play(replace(setting, rollouts=1).players(), 1, seed=0)


def _play(
    setting: Setting, players: Sequence[Agent], seed: int, first: int, games: int
) -> Searched:
    """Play games; where one player searches, it moves first in those of even number."""
    _load_compiled(setting)
    start = time.thread_time()
    timed = [TimedAgent(each) if isinstance(each, SearchAgent) else each for each in players]
    scores = np.zeros((2, games))
    for game in range(games):
        seats = timed if (first + game) % 2 == 0 else timed[::-1]
        outcomes = replay(play(seats, 1, seed, first + game))
        scores[:, game] = outcomes.scores[0], outcomes.strict[0]
    moves = [player.seconds for player in timed if isinstance(player, TimedAgent)]
    seconds = time.thread_time() - start
    return Searched(setting, scores[0], scores[1], np.array(list(chain(*moves))), seconds)


_WORDS: Final[Mapping[Who, str]] = {
    "itself": "self-play",
    "one": "one searches",
    "both": "both search",
}


def report(result: SearchResult) -> Report:
    """Return the table of all agents, and the curve of scores by rollouts."""
    recipe = result.recipe
    blocks: list[Block] = [
        Paragraph(
            "One-ply search over a belief of the own hand, with the agent itself as the model of "
            "the partner and as blueprint (after Lerer et al. 2020). Where both search, each takes "
            "the other for the agent without search. All rows start with the same decks (seed "
            f"{result.seed}); means ± 95 % interval. What search gains is the strict score minus "
            "that of self-play in the same games. Times are processor seconds."
        ),
        Table([_HEADING, *(_cells(played, result) for played in result.table)]),
    ]
    if result.curve:
        blocks += [
            Heading("Score by rollouts"),
            Paragraph("One player searches."),
            Table([_HEADING, *(_cells(played, result) for played in result.curve)]),
            Figure(
                "rollouts.png",
                "Mean strict score by the most rollouts of a decision, with 95 % intervals.",
                lambda: draw_lines([_curves(result)]),
            ),
        ]
    rows = [_row(played, result) for played in (*result.table, *result.curve)]
    page = result.report("Search with a known partner", blocks, rows, {"games": recipe.games})
    inside = {played.setting for played in result.table}  # which may hold points of the curve
    points = [played for played in result.curve if played.setting not in inside]
    return with_games(page, "search", recipe, [*result.table, *points])


_HEADING: Final = [
    *("agent", "who searches", "rollouts", "games", "strict", "minus self-play", "lenient"),
    *("seconds a game", "seconds a move", "95th percentile"),
]


def _cells(played: Searched, result: SearchResult) -> list[str]:
    setting, row, gain = played.setting, _row(played, result), _gain(played, result)
    times = [row[key] for key in ("seconds_a_game", "seconds_a_move", "p95")]
    return [
        setting.agent,
        _WORDS[setting.who],
        "" if _is_self_play(played) else f"{setting.rollouts:,}",
        f"{row['games']:,}",
        show(estimate(played.strict)),
        show_difference(gain) if gain else "",
        show(estimate(played.lenient)),
        *("" if value is None else f"{value:.3f}" for value in times),
    ]


def with_games(
    page: Report, command: str, recipe: Recipe, settings: Sequence[Searched], what: str = "games"
) -> Report:
    """Return a page that also says what played the games, and how to make it again."""
    values = recipe.model_dump(mode="json", exclude={"kept"})
    lines, again = how_to_make_it_again(command, values)
    played = _played_by(settings, page.facts["made_with"], what)
    return replace(page, appendix=[*page.appendix, *played, *lines], recipe=again)


def _played_by(
    settings: Sequence[Searched], made_with: Mapping[str, Any], what: str
) -> Iterator[Block]:
    """Yield the processor time of all games, and what played them if not this run alone."""
    agents: dict[tuple[str, str], list[str]] = {}  # by commit and machine
    for played in settings:
        for made in played.made_with:
            origin = provenance_of_all([made]) if made else {"commits": ["not recorded"]}
            where = origin["commits"][0], origin.get("machines", ["not recorded"])[0]
            agents.setdefault(where, []).append(played.setting.agent)
    seconds = sum(played.seconds for played in settings)
    yield Paragraph(f"All {what} took {seconds:,.0f} s of processor time.")
    if any(made != made_with for played in settings for made in played.made_with):
        yield Paragraph(f"Not all {what} were played by that command:")
        lines = [[", ".join(dict.fromkeys(names)), *where] for where, names in agents.items()]
        yield Table([["games of", "commit", "machine"], *lines], numbers=False)


def _gain(played: Searched, result: SearchResult) -> Estimate | None:
    """Return what search gains on self-play, in the games that both have played; None if none."""
    self_play = {row.setting.agent: row.strict for row in result.table if _is_self_play(row)}
    if _is_self_play(played) or played.setting.agent not in self_play:
        return None
    before = self_play[played.setting.agent]
    games = min(len(played.strict), len(before))
    return estimate(played.strict[:games] - before[:games])


def _is_self_play(played: Searched) -> bool:
    return played.setting.who == "itself"


def _row(played: Searched, result: SearchResult) -> dict[str, Any]:
    strict, lenient, gain = estimate(played.strict), estimate(played.lenient), _gain(played, result)
    searched = played.moves.size > 0
    return {
        **{key: getattr(played.setting, key) for key in ("agent", "who", "rollouts")},
        "games": len(played.strict),
        **_of_estimate("strict", strict),
        **_of_estimate("minus_self_play", gain),
        **_of_estimate("lenient", lenient),
        "seconds_a_game": played.seconds / len(played.strict),
        "seconds_a_move": float(played.moves.mean()) if searched else None,
        "p95": float(np.percentile(played.moves, 95)) if searched else None,
    }


def _of_estimate(name: str, value: Estimate | None) -> dict[str, float | None]:
    mean, half_width = (value.mean, value.half_width) if value else (None, None)
    return {name: mean, f"{name}_half_width": half_width}


def _curves(result: SearchResult) -> Panel:
    series = []
    for agent, group in groupby(result.curve, key=lambda played: played.setting.agent):
        points = list(group)
        rollouts = [float(played.setting.rollouts) for played in points]
        means = (estimate(played.strict) for played in points)
        series.append(Series.of_estimates(agent, rollouts, means))
    ticks = sorted(result.recipe.curve_rollouts)
    return Panel("rollouts", "mean strict score", series, log_ticks=ticks)
