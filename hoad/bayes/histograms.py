"""Histograms of behaviour: how often each hypothesis behaves so in a game with each response.

Canaan et al. 2022 name them in section VIII as future work: a Gaussian around the mean of a
matchup ignores how much a single game differs from it, and takes the two features for independent.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from hoad.agents.behaviour import count_behaviour, features_of
from hoad.agents.games import play
from hoad.bayes.belief import PartnerBelief, log_normalised
from hoad.bayes.matchups import Matchups, matchups_path
from hoad.bayes.pool import agents_of, check_agents
from hoad.core.errors import HoadError
from hoad.core.files import make_folder, only_writer, reading_arrays, write_arrays
from hoad.core.progress import counted
from hoad.core.workers import work
from hoad.game.log import GameLogs

WIDTH: Final = 10
"""Bins of equal width by feature; one more is for a feature that is undefined in a game."""

BINS: Final = (WIDTH + 1) ** 2


class HistogramBelief(PartnerBelief):
    """Weighs hypotheses by how often they showed the behaviour of the last game, both features.

    Half a game is added to each bin (Krichevsky and Trofimov 1981): what never happened in the
    games of a matchup is unlikely, not impossible. The matchups have histograms.
    """

    def __init__(self, matchups: Matchups) -> None:
        self.size = len(matchups.hypotheses)
        self._matchups = matchups
        self.begin(0)

    def begin(self, episodes: int) -> None:
        self._log_beliefs = np.full((episodes, self.size), -np.log(self.size))

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        assert self._matchups.histograms is not None
        counts = self._matchups.shown_to(self._matchups.histograms, seat)[responses]
        shown = bins_of(features_of(count_behaviour(logs)[:, 1 - seat]))
        times = counts[np.arange(len(shown)), :, shown]
        evidence = np.log((times + 0.5) / (counts.sum(-1) + BINS / 2))
        self._log_beliefs = log_normalised(self._log_beliefs + evidence)

    @property
    def probabilities(self) -> np.ndarray:
        return np.exp(self._log_beliefs)


def bins_of(features: np.ndarray) -> np.ndarray:
    """Return the bin of each pair of features, int64, shape ``(games,)``; NaN: undefined."""
    columns = np.minimum(np.nan_to_num(features, nan=2) * WIDTH, WIDTH - 1).astype(np.int64)
    columns[np.isnan(features)] = WIDTH
    return columns[:, 0] * (WIDTH + 1) + columns[:, 1]


def saved_histograms(agents: Sequence[str], games: int, seed: int, threads: int = 1) -> np.ndarray:
    """Return the histograms of all ordered pairs, saved beside the matchups of these games.

    Counts of games, uint32, shape ``(agents, agents, 2, BINS)``: first player, second player, seat.
    They are of the same games as the matchups (:func:`hoad.bayes.matchups.play_matchups`).
    Histograms that another program plays now are waited for.

    Raises:
        HoadError: an agent is unknown, nothing can be saved, or the file holds something else.
    """
    path = matchups_path(agents, games, seed).with_suffix(".histograms.npz")
    make_folder(path.parent)
    if not path.is_file():
        with only_writer(path.parent, f"{path.name}.lock", wait=True):
            if not path.is_file():
                counts = play_histograms(agents, games, seed, threads)
                write_arrays(path, {"histograms": counts})
    remedy = "remove it to play them again"
    with reading_arrays(path, "a file of histograms", remedy) as arrays:
        histograms = arrays["histograms"]
    if histograms.shape != (shape := (len(agents), len(agents), 2, BINS)):
        problem = f"histograms of shape {histograms.shape}, expected {shape}"
        raise HoadError(f"{path}: {problem}; {remedy}")
    return histograms


def play_histograms(agents: Sequence[str], games: int, seed: int, threads: int = 1) -> np.ndarray:
    """Play the histograms of :func:`saved_histograms`, which do not depend on the threads."""
    check_agents("histograms", tuple(agents))
    items = [(tuple(agents), first, games, seed) for first in range(len(agents))]
    rows = counted(work(_play_row, items, threads), [1] * len(items), "histograms", "agents")
    return np.array(list(rows))


def _play_row(names: tuple[str, ...], first: int, games: int, seed: int) -> np.ndarray:
    """Return the row of one agent as the first player, uint32, shape ``(agents, 2, BINS)``."""
    agents = agents_of(names)
    row = np.zeros((len(agents), 2, BINS), np.uint32)
    for second, partner in enumerate(agents):
        counts = count_behaviour(play([agents[first], partner], games, seed))
        for seat in range(2):
            shown = bins_of(features_of(counts[:, seat]))
            row[second, seat] = np.bincount(shown, minlength=BINS)
    return row
