"""Lists of rules drawn from their posterior by annealing many at once (a sequential Monte Carlo).

Lists drawn from the prior are led to the posterior through likelihood**heat, heat 0 to 1 (an
inverse temperature): at each stage they are resampled by their weights, then changed at random
(Del Moral, Doucet and Jasra 2006). Further games are learned from the lists as they are.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hoad.game.stream import Purpose, next_unit, start_stream
from hoad.partners.program.prior import GROWTH, LONGEST, draw_lists
from hoad.partners.program.sampler import PackedTable, change_lists, redraw_alike, weigh_lists
from hoad.partners.resampling import resample

PARTICLES: Final = 256
STEPS: Final = 150
"""Proposals to each list in a stage."""

LAST_STEPS: Final = 1_000
"""Proposals once the lists are at the posterior; likewise after a further game that leaves fewer
than ``KEPT`` of them in effect.
"""

KEPT: Final = 0.5
"""Each stage goes as far as leaves this share of the lists in effect."""


@dataclass
class ProgramParticles:
    """Equally weighted lists of rules."""

    lists: np.ndarray  # rules (indices of rows of `rules_for`), int64, shape (particles, LONGEST)
    lengths: np.ndarray  # int64, shape (particles,)
    # random ones, uint64, shape (particles + 1,): of each list, and of resampling
    streams: np.ndarray


def draw_particles(seed: int, rules: int, count: int = PARTICLES) -> ProgramParticles:
    """Draw lists from the prior."""
    starts = [start_stream(seed, index, int(Purpose.PROGRAM)) for index in range(count + 1)]
    streams = np.array(starts, np.uint64)
    return ProgramParticles(*draw_lists(count, rules, streams), streams)


def lead_to_posterior(particles: ProgramParticles, evidence: PackedTable) -> None:
    """Lead lists that were drawn from the prior to the posterior."""
    log_likelihoods, _ = weigh(particles, evidence)
    heat = 0.0
    while heat < 1.0:
        rise = _next_rise(log_likelihoods, 1.0 - heat)
        heat = 1.0 if rise >= 1.0 - heat else heat + rise
        _resample(particles, log_likelihoods, rise * log_likelihoods)
        _change(particles, log_likelihoods, evidence, heat, STEPS)
    _change(particles, log_likelihoods, evidence, 1.0, LAST_STEPS)


def update(particles: ProgramParticles, before: PackedTable, now: PackedTable) -> None:
    """Lead lists from the posterior of some games to that of the same and further games."""
    old, _ = weigh(particles, before)
    log_likelihoods, _ = weigh(particles, now)
    is_stage = _effective(log_likelihoods - old) >= KEPT * len(log_likelihoods)
    _resample(particles, log_likelihoods, log_likelihoods - old)
    _change(particles, log_likelihoods, now, 1.0, STEPS if is_stage else LAST_STEPS)


def spread_over_alike(particles: ProgramParticles, groups: np.ndarray) -> None:
    """Replace each rule by any of its group (``FiringTable.alike``), each with equal probability.

    The lists behave the same on the evidence, and differ in what they would do elsewhere.
    """
    redraw_alike(particles.lists, particles.lengths, groups, particles.streams)


def weigh(particles: ProgramParticles, evidence: PackedTable) -> tuple[np.ndarray, np.ndarray]:
    """Return the log-likelihoods of the lists, and their counts (``sampler.log_likelihood``).

    Shapes ``(particles,)`` and ``(particles, LONGEST + 1, 2)``.
    """
    log_likelihoods = np.zeros(len(particles.lists))
    counts = np.zeros((len(log_likelihoods), LONGEST + 1, 2), np.int64)
    weigh_lists(particles.lists, particles.lengths, evidence.arrays, log_likelihoods, counts)
    return log_likelihoods, counts


def _next_rise(log_likelihoods: np.ndarray, most: float) -> float:
    """Return by how much to heat: until ``KEPT`` of the lists are left in effect."""
    if _effective(most * log_likelihoods) >= KEPT * len(log_likelihoods):
        return most
    low, high = 0.0, most
    for _ in range(50):
        middle = (low + high) / 2
        if _effective(middle * log_likelihoods) >= KEPT * len(log_likelihoods):
            low = middle
        else:
            high = middle
    return high


def _effective(log_weights: np.ndarray) -> float:
    weights = np.exp(log_weights - log_weights.max())
    return float(weights.sum() ** 2 / (weights**2).sum())


def _resample(
    particles: ProgramParticles, log_likelihoods: np.ndarray, log_weights: np.ndarray
) -> None:
    """Resample the lists by their weights, in place."""
    unit = next_unit(particles.streams, len(particles.streams) - 1)
    chosen = resample(log_weights, len(log_weights), unit)
    particles.lists, particles.lengths = particles.lists[chosen], particles.lengths[chosen]
    log_likelihoods[:] = log_likelihoods[chosen]


def _change(
    particles: ProgramParticles,
    log_likelihoods: np.ndarray,
    evidence: PackedTable,
    heat: float,
    steps: int,
) -> None:
    lists, lengths, streams = particles.lists, particles.lengths, particles.streams
    change_lists(lists, lengths, log_likelihoods, evidence.arrays, heat, GROWTH, steps, streams)
