"""Matchups: how well each agent of a pool plays, and how it behaves, with every other agent.

The offline knowledge of a meta-agent (Canaan et al. 2022, section V-A): the mean score and the
behaviour of each seat in games of each ordered pair of a pool.

They are played once and kept in files, named by the identities of the agents, the number of games,
the seed and `VERSION`: agents that have changed have others, and the same agents under other names
the same. An unfinished file lies next to it, under another name.
"""

import csv
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.behaviour import count_behaviour, features_of
from hoad.agents.games import play
from hoad.agents.seeds import POOL_SEED
from hoad.bayes.pool import Pool, agents_of, check_agents, find_pool
from hoad.bayes.settings import MATCHUP_GAMES, Score
from hoad.core.errors import HoadError
from hoad.core.files import make_folder, only_writer, reading_arrays, reporting, write_arrays
from hoad.core.identity import identity_of
from hoad.core.paths import checkpoint_root
from hoad.core.progress import progress
from hoad.core.workers import work
from hoad.evolution.published_files import MATCHUP_COLUMNS
from hoad.game.log import replay

FOLDER: Final = "matchups"

VERSION: Final = "fb2eaca08daa868a"
"""Of the rules and of all agents: change it when any of them plays differently."""

_ARRAYS: Final = ("lenient", "strict", "features")

_SECONDS_BETWEEN_SAVES: Final = 20


@dataclass(frozen=True)
class Matchups:
    """Scores and behaviour of all ordered pairs of a pool, in the order of ``agents`` (names)."""

    agents: tuple[str, ...]
    lenient: np.ndarray  # mean lenient scores, float64, shape (agents, agents): row = first player
    strict: np.ndarray  # mean strict scores, likewise
    # communicativeness and IPP that each seat shows, float64, shape (agents, agents, 2, 2):
    # first player, second player, seat, feature; NaN: undefined
    features: np.ndarray
    score: Score = "lenient"  # which of both scores responses maximise
    # how many games of each pair show which behaviour, for evidence by histograms
    # (:func:`hoad.bayes.histograms.saved_histograms`)
    histograms: np.ndarray | None = None
    # the responses (R) and the hypotheses (H), by name, where not all agents are both
    roles: tuple[tuple[str, ...], tuple[str, ...]] | None = None

    @property
    def responses(self) -> tuple[str, ...]:
        """The agents that a meta-agent may play as."""
        return self.agents if self.roles is None else self.roles[0]

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The agents that its partner may be."""
        return self.agents if self.roles is None else self.roles[1]

    def scores(self, seat: int) -> np.ndarray:
        """Return the scores to maximise, by (response in ``seat``, hypothesis in the other)."""
        scores = self.lenient if self.score == "lenient" else self.strict
        return self._in_roles(scores if seat == 0 else scores.T)

    def expected_features(self, seat: int) -> np.ndarray:
        """Return what hypotheses show to responses in ``seat``, ``(responses, hypotheses, 2)``."""
        return self.shown_to(self.features, seat)

    def shown_to(self, behaviour: np.ndarray, seat: int) -> np.ndarray:
        """Return behaviour that hypotheses show to responses in ``seat``, by (both, ...).

        Behaviour has the shape ``(agents, agents, 2, ...)``: first player, second player, seat.
        """
        shown = behaviour[:, :, 1] if seat == 0 else behaviour[:, :, 0].swapaxes(0, 1)
        return self._in_roles(shown)

    def _in_roles(self, pairs: np.ndarray) -> np.ndarray:
        """Return the pairs of a response (row) and a hypothesis (column)."""
        if self.roles is None:
            return pairs
        rows, columns = (list(map(self.agents.index, names)) for names in self.roles)
        return pairs[np.ix_(rows, columns)]

    def without_seats(self) -> "Matchups":
        """Return the mean over both seats, as if the first player were drawn (Canaan 2020)."""
        lenient, strict = ((scores + scores.T) / 2 for scores in (self.lenient, self.strict))
        features = (self.features + self.features[:, :, ::-1].swapaxes(0, 1)) / 2
        return replace(self, lenient=lenient, strict=strict, features=features)

    def select(self, indices: Sequence[int]) -> "Matchups":
        """Return the matchups of the agents with these indices among themselves.

        These have neither roles nor histograms, which tables that hold agents out do not use.
        """
        assert self.roles is None and self.histograms is None
        agents = tuple(self.agents[index] for index in indices)
        chosen = {key: getattr(self, key)[np.ix_(indices, indices)] for key in _ARRAYS}
        return replace(self, agents=agents, **chosen)


def play_matchups(
    agents: Sequence[str], games: int = MATCHUP_GAMES, seed: int = POOL_SEED, threads: int = 1
) -> Matchups:
    """Play ``games`` games of each ordered pair of agents, all pairs on the same decks.

    The result does not depend on the number of threads.

    Raises:
        HoadError: an agent is unknown or makes an illegal move, or one is named twice.
    """
    rows = play_rows(agents, range(len(agents)), games, seed, threads)
    return join_rows(agents, np.array([row for _, row in rows]))


def play_rows(
    agents: Sequence[str], first: Iterable[int], games: int, seed: int, threads: int
) -> Iterator[tuple[int, np.ndarray]]:
    """Play the pairs in which these agents (by index) move first; see :func:`play_matchups`.

    Yield the index of each first agent, and its row for :func:`join_rows`.
    """
    names = tuple(agents)
    check_agents("matchups", names)
    items = [(names, index, games, seed) for index in first]
    with progress(len(items) * len(names), "matchups", "pairs") as bar:
        for item, row in zip(items, work(_play_row, items, threads), strict=True):
            yield item[1], row
            bar.update(len(names))


def join_rows(agents: Sequence[str], rows: np.ndarray) -> Matchups:
    """Return matchups from the results of each agent as the first player.

    The rows are float64, shape ``(agents, agents, 6)``: mean lenient and strict score, and the
    features of both seats.
    """
    features = rows[..., 2:].reshape(*rows.shape[:2], 2, 2)
    return Matchups(tuple(agents), rows[..., 0], rows[..., 1], features)


def _play_row(names: tuple[str, ...], first: int, games: int, seed: int) -> np.ndarray:
    """Return the row of one agent as the first player, shape ``(agents, 6)``."""
    agents = agents_of(names)
    row = np.zeros((len(agents), 6))
    for second, partner in enumerate(agents):
        logs = play([agents[first], partner], games, seed)
        outcomes = replay(logs)
        features = features_of(count_behaviour(logs).sum(0))
        row[second] = [outcomes.scores.mean(), outcomes.strict.mean(), *features.ravel()]
    return row


def scores_with(
    partner: Agent, responses: Sequence[Agent], games: int, seed: int, score: Score = "lenient"
) -> np.ndarray:
    """Return the mean score of each response with one partner, by the response's seat.

    Float64, shape ``(2, responses)``; ``games`` games in each seat, on the same decks. The partner
    need not be a hypothesis. For an oracle that is not merely lucky, the seed must differ from that
    of the games that it plays later.
    """
    scores = np.zeros((2, len(responses)))
    for index, response in enumerate(responses):
        for seat, seats in enumerate(([response, partner], [partner, response])):
            outcomes = replay(play(seats, games, seed))
            score_of_games = outcomes.scores if score == "lenient" else outcomes.strict
            scores[seat, index] = score_of_games.mean()
    return scores


def matchups_path(agents: Sequence[str], games: int = MATCHUP_GAMES, seed: int = POOL_SEED) -> Path:
    """Return the path for the matchups of these agents; a HoadError if an agent is unknown."""
    about = [VERSION, *(repr(agent.identity) for agent in agents_of(agents))]
    name = f"{len(agents)}-agents-{games}-games-{identity_of([about, games, seed])}.npz"
    return checkpoint_root() / FOLDER / name


def known_matchups(
    agents: Sequence[str], games: int = MATCHUP_GAMES, seed: int = POOL_SEED
) -> Matchups:
    """Return saved matchups; if there are none, play them and keep them in memory only.

    It raises a HoadError if an agent is unknown, or the file cannot be read.
    """
    return _known(tuple(agents), games, seed, matchups_path(agents, games, seed))


def matchups_of_pool(name: str, pool: str) -> Matchups:
    """Return the known matchups of a pool in one word, for the agent ``name`` (in HoadErrors).

    :func:`~hoad.bayes.pool.find_pool` says what the word may be.
    """
    try:
        return known_matchups(find_pool(pool).agents)
    except HoadError as error:
        raise HoadError(f"{name}: {error}") from error


@lru_cache(maxsize=4)
def _known(agents: tuple[str, ...], games: int, seed: int, path: Path) -> Matchups:
    if path.is_file():
        return replace(load_matchups(path), agents=agents)
    return play_matchups(agents, games, seed)


def saved_matchups(agents: Sequence[str], games: int, seed: int, threads: int = 1) -> Matchups:
    """Return saved matchups; if there are none, play and save them.

    An interrupted call loses at most 20 seconds of games: the next call goes on. Matchups that
    another program plays now are waited for.

    Raises:
        HoadError: as :func:`play_matchups`; or nothing can be saved.
    """
    path = matchups_path(agents, games, seed)
    make_folder(path.parent)
    if not path.is_file():
        with only_writer(path.parent, f"{path.name}.lock", wait=True):
            if not path.is_file():
                _play_and_save(path, agents, games, seed, threads)
    return replace(load_matchups(path), agents=tuple(agents))


def _play_and_save(path: Path, agents: Sequence[str], games: int, seed: int, threads: int) -> None:
    unfinished = path.with_suffix(".unfinished")
    rows = np.full((len(agents), len(agents), 6), np.nan)
    matchups = join_rows(agents, rows)  # views of the rows
    if unfinished.is_file():
        before = load_matchups(unfinished)
        for key in _ARRAYS:
            getattr(matchups, key)[:] = getattr(before, key)
    missing = np.flatnonzero(np.isnan(matchups.lenient[:, 0]))
    saved = time.monotonic()
    try:
        for first, row in play_rows(agents, missing.tolist(), games, seed, threads):
            rows[first] = row
            if time.monotonic() > saved + _SECONDS_BETWEEN_SAVES:
                save_matchups(unfinished, matchups)
                saved = time.monotonic()
    except BaseException:
        save_matchups(unfinished, matchups)
        raise
    save_matchups(path, matchups)
    unfinished.unlink(missing_ok=True)


def save_matchups(path: Path, matchups: Matchups) -> None:
    """Write matchups as a numpy archive, complete or not at all; a HoadError if it fails."""
    arrays = {key: getattr(matchups, key) for key in _ARRAYS}
    write_arrays(path, {"agents": np.array(matchups.agents, dtype=np.str_), **arrays})


def load_matchups(path: Path) -> Matchups:
    """Read what :func:`save_matchups` wrote; a HoadError if the file holds something else."""
    with reading_arrays(path, "a file of matchups", "remove it and play them again") as arrays:
        agents = tuple(arrays["agents"].tolist())
        lenient, strict, features = (arrays[key] for key in _ARRAYS)
        matchups = Matchups(agents, lenient, strict, features)
    size = len(matchups.agents)
    shapes = matchups.lenient.shape, matchups.strict.shape, matchups.features.shape
    if shapes != ((size, size), (size, size), (size, size, 2, 2)):
        raise HoadError(f"{path}: matchups of {size} agents with arrays of shapes {shapes}")
    return matchups


def read_published(path: Path, number: int, pool: Pool) -> Matchups:
    """Return the matchups of a pool that Canaan et al. 2022 published.

    They published scores of responses in the first seat and features of the second seat only:
    features of the first seat, and strict scores, are NaN. The path of the table (CSV) may hold
    environment variables; the elites of population ``number`` (from 1) are the pool.

    Raises:
        HoadError: the file cannot be read, is another table, or has other niches than the pool.
    """
    size = len(pool.agents)
    scores, features = np.full((size, size), np.nan), np.full((size, size, 2, 2), np.nan)
    for line, row in _read_table(path):
        try:
            population = float(row["population"])
            first_x, first_y, second_x, second_y = (int(row[name]) for name in MATCHUP_COLUMNS[1:5])
            *shown, score = (float(row[name]) for name in MATCHUP_COLUMNS[5:])
        except (TypeError, ValueError) as error:  # TypeError: the line ends before its last column
            raise HoadError(f"{path}: line {line}: {error}") from error
        if population != number:
            continue
        niches = (first_x, first_y), (second_x, second_y)
        for niche in niches:
            if niche not in pool.niches:
                raise HoadError(f"{path}: population {number}: niche {niche} is not in the pool")
        pair = pool.niches.index(niches[0]), pool.niches.index(niches[1])
        scores[pair], features[pair][1] = score, shown
    if np.isnan(scores).any():
        raise HoadError(f"{path}: population {number} does not have all pairs of the pool")
    return Matchups(pool.agents, scores, np.full_like(scores, np.nan), features)


def _read_table(path: Path) -> list[tuple[int, dict[str, str]]]:
    """Return the number and the values of each line of the published table."""
    try:
        with (
            reporting(path, "cannot read these matchups"),
            Path(os.path.expandvars(path)).open(newline="", encoding="utf-8") as file,
        ):
            lines = csv.DictReader(file)
            rows = [(lines.line_num, row) for row in lines]
    except (UnicodeDecodeError, csv.Error) as error:
        raise HoadError(f"{path}: not a table (CSV): {error}") from error
    if not rows or not rows[0][1].keys() >= set(MATCHUP_COLUMNS):
        raise HoadError(f"{path}: not the table of matchups that Canaan et al. published")
    return rows
