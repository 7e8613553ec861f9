"""Two meta-agents at one table: each adapts to the other, which is none of its hypotheses.

Canaan et al. 2022, section VII, report that two of theirs come to play next to the generalist.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from hoad.adhoc_player import play_episodes
from hoad.agents.seeds import POOL_SEED, other_seed
from hoad.bayes.matchups import saved_matchups
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.pool import Pool, make_pool
from hoad.bayes.response import generalists
from hoad.core.errors import HoadError
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.game.stream import Purpose
from hoad.players.registry import META_AGENTS, Column
from hoad.players.roster import Roster, TablePartner
from hoad.reports.output import Result, Started, six_digits
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import MOST_CURVES, Panel, Series, draw_lines
from hoad.reports.statistics import estimate, show

_NEAR: Final = 1  # niches along either axis


@dataclass(frozen=True)
class Meeting:
    """The games of two meta-agents, first and second, who take both seats in turn.

    Attributes:
        scores: lenient scores, float64, shape ``(episodes, games)``.
        responses: with which each began the last game of each episode, by index in the pool, int64,
            shape ``(2, episodes)``.
        seats: the seat of each in the last game.
    """

    scores: np.ndarray
    responses: np.ndarray
    seats: tuple[int, int]


@dataclass(frozen=True)
class AdaptivePairs(Result):
    """The games of all pairs of some meta-agents that know the same pool.

    ``generalists`` are the generalist's responses by seat, by index in the pool.
    """

    pool: Pool
    population: str
    generalists: tuple[int, int]
    meetings: Mapping[tuple[str, str], Meeting]

    def away_from_generalist(self, meeting: Meeting, side: int) -> np.ndarray:
        """Return how many niches the last responses of a side are from the generalist.

        Along the axis in which it is more; int64, shape ``(episodes,)``.
        """
        niches = np.array(self.pool.niches, dtype=np.int64)
        generalist = niches[self.generalists[meeting.seats[side]]]
        return np.abs(niches[meeting.responses[side]] - generalist).max(axis=1)


def measure_pairs(
    population: str,
    players: Sequence[str],
    episodes: int,
    games: int,
    matchup_games: int,
    seed: int,
    threads: int = 1,
) -> AdaptivePairs:
    """Let all pairs of meta-agents that know a population play, each player with itself too.

    All pairs play the same decks, and the result does not depend on ``threads``. It raises a
    HoadError if the population cannot be read, or a player is no meta-agent.
    """
    started = Started(seed)
    for name in players:
        if name not in META_AGENTS or name == "oracle":
            raise HoadError(f"player {name}: not a meta-agent that adapts to whom it meets")
    pool = make_pool(population=population)
    matchups = saved_matchups(pool.agents, matchup_games, POOL_SEED, threads)
    roster = Roster(
        seed, population=population, matchups=matchups, matchup_games=matchup_games, hold_out=None
    )
    pairs = list(combinations_with_replacement(players, 2))
    items = [(roster, pair, episodes, games, other_seed(seed, Purpose.TABLE)) for pair in pairs]
    played = counted(work(_meet, items, threads), [1] * len(items), "pairs", "pairs")
    meetings = dict(zip(pairs, played, strict=True))
    best = generalists(matchups)
    return AdaptivePairs(pool, population, best, meetings, **started.ended())


def _make(roster: Roster, name: str) -> MetaAgent:
    player = Column.parse(name).make(roster, TablePartner("another player"))
    assert isinstance(player, MetaAgent)
    return player


def _meet(roster: Roster, pair: tuple[str, str], episodes: int, games: int, seed: int) -> Meeting:
    first, second = (_make(roster, name) for name in pair)
    played = play_episodes(first, second, episodes, games, seed)
    seat = int(played.seats[-1])
    responses = np.array([first.chosen, second.chosen])
    return Meeting(played.lenient.astype(np.float64), responses, (seat, 1 - seat))


def report(result: AdaptivePairs) -> Report:
    """Return scores by pair and how near their last responses are to the generalist's."""
    scores = [["players", "all games", "first game", "last game"]]
    ends = [["player", "meets", "its last response", "share", "generalist", "next to it"]]
    facts, rows = [], []
    for pair, meeting in result.meetings.items():
        whole = estimate(meeting.scores.mean(axis=1))
        by_game = [estimate(column) for column in meeting.scores.T]
        scores.append([" and ".join(pair), *map(show, (whole, by_game[0], by_game[-1]))])
        sides = [_end(result, meeting, side) for side in range(2)]
        facts.append({"players": pair, "lenient": asdict(whole), "last_responses": sides})
        for side, end in enumerate(sides[: len(set(pair))]):
            shares = [f"{end[key]:.0%}" for key in ("share", "generalist", "near_generalist")]
            ends.append([pair[side], pair[1 - side], end["response"], *shares])
        for game, estimates in enumerate(by_game, start=1):
            mean, width = six_digits(estimates.mean), six_digits(estimates.half_width)
            row = {"first": pair[0], "second": pair[1], "game": game}
            rows.append(row | {"lenient": mean, "half_width": width})
    games = next(iter(result.meetings.values())).scores.shape
    caption = "Mean lenient score by game of the episode, with 95 % intervals over episodes."
    if len(result.meetings) > MOST_CURVES:
        caption += f" The first {MOST_CURVES} of {len(result.meetings)} pairs."
    labels = [result.pool.label(index) for index in result.generalists]
    blocks: list[Block] = [
        Paragraph(
            f"Meta-agents that know the {len(result.pool.agents)} elites of {result.population} "
            f"meet each other in {games[0]:,} episodes of {games[1]} games, in both seats in turn, "
            "on the same decks. Each adapts to the other, which is no hypothesis of its own. Mean "
            "lenient score ± 95 % interval over episodes."
        ),
        Table(scores),
        Figure("by_game.png", caption, partial(_draw, result)),
        Heading("What they end with"),
        Paragraph(
            "The response with which the last game began: the most frequent niche, its share of "
            "the episodes, the share in which the response is the generalist's, and in which it is "
            f"at most one niche from it. The generalist is {labels[0]} where it moves first and "
            f"{labels[1]} where it moves second."
        ),
        Table(ends, numbers=False),
    ]
    return result.report("Two meta-agents at one table", blocks, rows, {"pairs": facts})


def _end(result: AdaptivePairs, meeting: Meeting, side: int) -> dict[str, Any]:
    """Return what a side plays as in the last game of an episode, with shares of the episodes."""
    responses = meeting.responses[side]
    counts = np.bincount(responses)
    away = result.away_from_generalist(meeting, side)
    return {
        "response": result.pool.label(int(counts.argmax())),
        "share": float(counts.max() / len(responses)),
        "generalist": float((responses == result.generalists[meeting.seats[side]]).mean()),
        "near_generalist": float((away <= _NEAR).mean()),
    }


def _draw(result: AdaptivePairs) -> Any:
    lines = []
    for pair, meeting in list(result.meetings.items())[:MOST_CURVES]:
        games = range(1, meeting.scores.shape[1] + 1)
        estimates = map(estimate, meeting.scores.T)
        lines.append(Series.of_estimates(" and ".join(pair), games, estimates))
    return draw_lines([Panel("game of the episode", "mean lenient score", lines)])
