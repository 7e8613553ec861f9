"""Match-ups: how every agent of a pool does, and behaves, with every other.

The offline knowledge of a meta-agent (Canaan et al. 2022, section V-A): each ordered pair of a
pool plays a number of games, of which the mean score and the behaviour of each seat are kept.
"""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from hoad.agents.play import play
from hoad.agents.registry import get_agent, get_fair_agent
from hoad.errors import HoadError
from hoad.evolution.behaviour import count_behaviour, features_of
from hoad.game.log import replay
from hoad.progress import progress
from hoad.replay.files import write_atomically
from hoad.workers import work

GAMES: Final = 400
"""Games of each ordered pair in the papers."""


@dataclass(frozen=True)
class MatchUps:
    """What is known of a pool of agents, all ordered by their names in ``agents``.

    Attributes:
        agents: names of the agents.
        lenient: mean lenient scores, float64, shape ``(agents, agents)``: row = first player.
        strict: mean strict scores, likewise.
        features: communicativeness and IPP that each seat shows, float64, shape
            ``(agents, agents, 2, 2)``: first player, second player, seat, feature. NaN where
            undefined.
    """

    agents: tuple[str, ...]
    lenient: np.ndarray
    strict: np.ndarray
    features: np.ndarray

    def scores(self, seat: int) -> np.ndarray:
        """Return lenient scores by (response in ``seat``, hypothesis in the other seat)."""
        return self.lenient if seat == 0 else self.lenient.T

    def expected_features(self, seat: int) -> np.ndarray:
        """Return the features that hypotheses show to responses sitting in ``seat``.

        Float64, shape ``(responses, hypotheses, 2)``.
        """
        if seat == 0:
            return self.features[:, :, 1]
        return self.features[:, :, 0].swapaxes(0, 1)

    def select(self, indices: Sequence[int]) -> "MatchUps":
        """Return the match-ups of the agents with these indices among themselves."""
        chosen = np.ix_(indices, indices)
        return MatchUps(
            tuple(self.agents[index] for index in indices),
            self.lenient[chosen],
            self.strict[chosen],
            self.features[chosen],
        )


def play_match_ups(
    agents: Sequence[str], games: int = GAMES, seed: int = 0, threads: int = 1
) -> MatchUps:
    """Let every ordered pair of agents play; all pairs play on the same decks.

    Args:
        agents: names of the agents.
        games: games of each pair.
        seed: seed of the games.
        threads: that play, where no other :func:`~hoad.workers.workers` do; the match-ups do not
            depend on it.

    Raises:
        HoadError: an agent is unknown or makes an illegal move, or one is named twice.
    """
    if len(set(agents)) < len(agents):
        twice = next(name for name in agents if list(agents).count(name) > 1)
        raise HoadError(f"match-ups: agent {twice} is named twice; name each agent once")
    for name in agents:
        get_fair_agent(name)
    items = [(pair, games, seed) for pair in product(agents, repeat=2)]
    found = []
    with progress(len(items), "match-ups", "pairs") as bar:
        for part in work(_play_pair, items, threads):
            found.append(part)
            bar.update()
    lenient, strict, features = map(np.array, zip(*found, strict=True))
    size = len(agents)
    return MatchUps(
        tuple(agents),
        lenient.reshape(size, size),
        strict.reshape(size, size),
        features.reshape(size, size, 2, 2),
    )


def _play_pair(pair: Sequence[str], games: int, seed: int) -> tuple[float, float, np.ndarray]:
    """Return the mean lenient and strict scores, and the features of both seats."""
    logs = play([get_agent(name) for name in pair], games, seed)
    outcomes = replay(logs)
    behaviour = features_of(count_behaviour(logs).sum(0))
    return float(outcomes.scores.mean()), float(outcomes.strict.mean()), behaviour


def save_match_ups(path: Path, match_ups: MatchUps) -> None:
    """Write match-ups as a numpy archive (.npz); the file is complete or untouched.

    Raises:
        HoadError: nothing can be written there.
    """
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        agents=np.array(match_ups.agents, dtype=np.str_),
        lenient=match_ups.lenient,
        strict=match_ups.strict,
        features=match_ups.features,
    )
    with write_atomically(path) as file:
        file.write(buffer.getvalue())


def load_match_ups(path: Path) -> MatchUps:
    """Read what :func:`save_match_ups` wrote.

    Raises:
        HoadError: the file cannot be read or holds something else.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            match_ups = MatchUps(
                tuple(stored["agents"].tolist()),
                stored["lenient"],
                stored["strict"],
                stored["features"],
            )
    except OSError as error:
        raise HoadError(
            f"{path}: cannot read these match-ups: {error.strerror or error}"
        ) from error
    except (KeyError, ValueError, AttributeError, zipfile.BadZipFile) as error:
        raise HoadError(
            f"{path}: not a file of match-ups; remove it and play them again"
        ) from error
    size = len(match_ups.agents)
    shapes = match_ups.lenient.shape, match_ups.strict.shape, match_ups.features.shape
    if shapes != ((size, size), (size, size), (size, size, 2, 2)):
        raise HoadError(f"{path}: match-ups of {size} agents with arrays of shapes {shapes}")
    return match_ups
