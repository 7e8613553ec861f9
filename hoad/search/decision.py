"""One decision by search: moves are rolled out, and the worse ones drop out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hoad.agents.agent import CompiledAgent
from hoad.agents.follow import memory_at
from hoad.game.state import MAX_HAND
from hoad.partners.model import Ensemble
from hoad.search.belief import Belief
from hoad.search.effort import Effort
from hoad.search.lockstep import LockstepBelief, plays_in_lockstep, roll_out_in_lockstep
from hoad.search.past import Past
from hoad.search.rollouts import roll_out

_NO_ERROR: Final = 1e9
"""In place of the standard error of one rollout, which has none: as good as infinite."""

_GOLDEN: Final = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class Decision:
    """What a search found for one turn.

    Attributes:
        move: the move to make.
        moves: the moves that were tried, int64, shape ``(moves,)``: all legal ones, or those that
            ``least`` leaves.
        scores: mean score of the rollouts after each of them, float64; NaN without rollouts.
        hands: the player's hand by slot in each particle, uint8, shape ``(particles, 5)``; no rows
            without a belief, which the only move tried does not need.
        rollouts: how many each move had, int64, shape ``(moves,)``.
        errors: standard errors of the scores, float64; NaN with fewer than two rollouts.
    """

    move: int
    moves: np.ndarray
    scores: np.ndarray
    hands: np.ndarray
    rollouts: np.ndarray
    errors: np.ndarray


def run_race(
    past: Past,
    moves: np.ndarray,
    weights: np.ndarray,
    rollout_agent: CompiledAgent,
    model: Ensemble,
    effort: Effort,
    progress: Callable[[float], None],
) -> Decision:
    """Compare moves of the player to move by rollouts; a single move needs none.

    Nothing that is hidden from the player is read, and chance depends on what it saw alone.

    Args:
        past: the game so far.
        moves: legal moves, int64, shape ``(moves,)``; those of the blueprint first.
        weights: those that the blueprint gives them, same shape.
        rollout_agent: how the player plays on in rollouts: in its seat.
        model: what the partner may be: compiled agents; or a single agent that is not compiled
            and has no memory.
        effort: how much to compute.
        progress: is called after each round with the share of the rollouts that are done, 0 to 1.

    Raises:
        HoadError: an agent of the model is not compiled.
    """
    if len(moves) == 1:
        no_hands, no_scores = np.zeros((0, MAX_HAND), np.uint8), np.full(1, np.nan)
        return Decision(int(moves[0]), moves, no_scores, no_hands, np.zeros(1, np.int64), no_scores)
    believe = LockstepBelief if plays_in_lockstep(model, 1 - past.seat) else Belief
    belief = believe(past, model, effort.particles, effort.draws * effort.particles)
    race = _Race(moves, weights, effort)
    for share in _run(race, moves, past, belief, rollout_agent, effort):
        progress(share)
    return Decision(
        move=int(moves[race.winner]),
        moves=moves,
        scores=race.means,
        hands=belief.hands,
        rollouts=race.rollouts,
        errors=race.errors,
    )


def _run(
    race: "_Race",
    moves: np.ndarray,
    past: Past,
    belief: Belief | LockstepBelief,
    rollout_agent: CompiledAgent,
    effort: Effort,
) -> Iterator[float]:
    """Roll out all moves of a race until it is over; yield its share that is done by round."""
    [memory] = memory_at(rollout_agent, past.now, past.seat)
    roll: Any = roll_out_in_lockstep if isinstance(belief, LockstepBelief) else roll_out
    particles = len(belief.hands)
    # Each stretch of this order of the particles is spread evenly over all of them (Weyl).
    turns = np.argsort(np.arange(particles) * _GOLDEN % 1, kind="stable")
    used, steps = particles, 2 * effort.steps
    while race.samples:
        if used == particles:
            belief.move(steps)
            used, steps = 0, effort.steps
        rows = np.sort(turns[used : used + race.samples])
        used += len(rows)
        running = moves[race.running]
        race.add(roll(past, belief, rows, rollout_agent, memory, running, race.done, effort.strict))
        yield race.share


class _Race:
    """Scores of moves, of which those that are surely worse than the best drop out.

    Moves are compared on the same particles and decks. Those of the blueprint come first and win
    ties. A move that did as well as the best in each rollout drops out too.
    """

    def __init__(self, moves: np.ndarray, weights: np.ndarray, effort: Effort) -> None:
        self._effort = effort
        self._of_blueprint = weights > 0
        self.running = np.arange(len(moves))
        self.done = 0
        self._scores = np.full((len(moves), 0), np.nan)
        self._left = effort.rollouts

    @property
    def samples(self) -> int:
        """How many rollouts of each running move the next round has; 0 if it is over."""
        if len(self.running) == 1:
            return 0
        wanted = max(self._effort.round // len(self.running), 2)
        if not self.done:  # at least one round, however small
            return min(wanted, self._effort.particles, 1 + self._left // len(self.running))
        return min(wanted, max(self._left, 0) // len(self.running))

    def add(self, scores: np.ndarray) -> None:
        """Add the scores of a round, shape ``(running, samples)``, and let moves drop out."""
        new = np.full((len(self._scores), scores.shape[1]), np.nan)
        new[self.running] = scores
        self._scores = np.concatenate([self._scores, new], axis=1)
        self._left -= scores.size
        self.done += scores.shape[1]
        best = self._best(self.running)
        rivals = self.running[self.running != best]
        self.running = np.sort(np.append(rivals[self._may_win(rivals, best)], best))

    @property
    def share(self) -> float:
        """The share of the rollouts that are done, 0 to 1."""
        return min(1.0, 1.0 - self._left / self._effort.rollouts)

    @property
    def means(self) -> np.ndarray:
        """The mean score of each move in the rounds that it had, float64, shape ``(moves,)``."""
        return np.nanmean(self._scores, axis=1)

    @property
    def rollouts(self) -> np.ndarray:
        """How many rollouts each move had, int64, shape ``(moves,)``."""
        return np.count_nonzero(~np.isnan(self._scores), axis=1)

    @property
    def errors(self) -> np.ndarray:
        """The standard error of the mean of each move, float64; NaN of fewer than two rollouts."""
        counts = self.rollouts
        squares = np.nansum((self._scores - self.means[:, None]) ** 2, axis=1)
        with np.errstate(invalid="ignore"):  # 0 / 0 of a single rollout
            return np.sqrt(squares / (counts - 1) / counts)

    @property
    def winner(self) -> int:
        """The index of the move to make: the best of those that gain, if any."""
        home = self._best(np.flatnonzero(self._of_blueprint))
        others = self.running[~self._of_blueprint[self.running]]
        gaining = others[self._gains(others, home)[0] > 0]
        return self._best(gaining) if len(gaining) else home

    def _best(self, moves: np.ndarray) -> int:
        """Return the index of the best of some moves; ties go to the first."""
        return int(moves[np.argmax(self.means[moves])])

    def _may_win(self, rivals: np.ndarray, best: int) -> np.ndarray:
        """Return which of some running moves may be better than the best at the end, bool.

        The mean of n rollouts differs from that of N, of which they are a part, by the standard
        error of the former times the root of 1 - n / N.
        """
        to_come = max(self._left, 0) / len(self.running)
        errors = self._effort.drop * np.sqrt(to_come / (self.done + to_come))
        gains, error = self._gains(rivals, best)
        return gains + errors * error > 0

    def _gains(self, moves: np.ndarray, other: int) -> tuple[np.ndarray, np.ndarray | float]:
        """Return what moves gain over another, and the standard errors."""
        shared = np.flatnonzero(~np.isnan(self._scores[other]))
        gains = self._scores[np.ix_(moves, shared)] - self._scores[other, shared]
        count = len(shared)
        error = gains.std(axis=1, ddof=1) / np.sqrt(count) if count > 1 else _NO_ERROR
        return gains.mean(axis=1), error
