"""The likelihood of lists of rules, and random changes of lists that keep their posterior.

A decision is explained by the first rule that fires, if it has weight on the move made. If it has
none, the rule was skipped, and the next one that fires may explain the decision. If that one does
not either, the player strayed: the move is drawn from all legal ones, as it is where no rule fires.
How often each rule is skipped, and how often a skip leads astray, is unknown and has a Beta
distribution, which is integrated out: h decisions explained and m skips have the likelihood
B(a + m, b + h) / B(a, b). :mod:`.prior` has all priors.

:mod:`hoad.agents.rules.soft_list` is such a player, but for what is seldom: it may skip a rule and
make its move all the same, or skip the second rule; and a skip after which no rule fires counts as
straying here.

Lists change by Metropolis and Hastings: a rule is inserted, deleted, replaced, moved, or two of
them are exchanged.
"""

from dataclasses import dataclass
from math import lgamma
from typing import Final

import numpy as np
from numba import njit

from hoad.game.stream import next_below, next_unit
from hoad.partners.program.firing import FiringTable
from hoad.partners.program.prior import LONGEST, SKIP_A, SKIP_B, STRAY_AB

_WORD: Final = 64
_LOW, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_ONE, _TWO, _FOUR, _56 = (np.uint64(value) for value in (1, 2, 4, 56))
_NONE = np.uint64(0)


@dataclass(frozen=True)
class PackedTable:
    """A firing table as the sampler reads it: a bit for each decision, in words of 64."""

    # decisions at which a rule has weight on the move made, uint64, (rules, words)
    explains: np.ndarray
    misses: np.ndarray  # those at which it fires, but for other moves; likewise
    # whether a rule never spreads its weight over several moves, bool, (rules,)
    is_sure: np.ndarray
    # of the moves made, where a rule explains them, float64, (rules, decisions)
    log_weights: np.ndarray
    # log-probability of a move drawn from all legal ones, float64, (decisions,)
    log_legal: np.ndarray
    # of n + a, n + b and n + a + b of skips, then of n + a and n + a + b of strays, less
    # their value for n = 0; float64, shape (5, decisions + 1)
    log_gamma: np.ndarray

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """All of them, for the compiled code."""
        tables = self.log_weights, self.log_legal, self.log_gamma
        return self.explains, self.misses, self.is_sure, *tables


def pack_table(table: FiringTable) -> PackedTable:
    """Return what the sampler needs of a firing table."""
    weights = table.weights
    with np.errstate(divide="ignore"):
        log_weights = np.log(np.maximum(weights, 0.0), dtype=np.float64)
    starts = SKIP_A, SKIP_B, SKIP_A + SKIP_B, STRAY_AB, 2 * STRAY_AB
    counts = range(len(table.legal) + 1)
    log_gamma = [[lgamma(n + start) - lgamma(start) for n in counts] for start in starts]
    return PackedTable(
        _pack(weights > 0.0),
        _pack(weights == 0.0),
        ((weights <= 0.0) | (weights == 1.0)).all(1),
        log_weights,
        -np.log(table.legal),
        np.array(log_gamma),
    )


def _pack(flags: np.ndarray) -> np.ndarray:
    """Return rows of flags as rows of 64-bit words."""
    words = -(-flags.shape[1] // _WORD)
    padded = np.zeros((len(flags), words * _WORD), np.bool_)
    padded[:, : flags.shape[1]] = flags
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


@njit(cache=True, nogil=True)
def count_bits(bits: np.uint64) -> int:
    """Return how many bits are set in a 64-bit word."""
    bits = bits - (bits >> _ONE & _LOW)
    bits = (bits & _PAIRS) + (bits >> _TWO & _PAIRS)
    bits = bits + (bits >> _FOUR) & _NIBBLES
    return int(bits * _BYTES >> _56)


@njit(cache=True, nogil=True)
def _sum_over(bits: np.uint64, values: np.ndarray, start: int) -> float:
    """Return the sum of the values of the bits set; bit 0 belongs to ``values[start]``."""
    total = 0.0
    while bits:
        lowest = bits & (~bits + _ONE)
        total += values[start + count_bits(lowest - _ONE)]
        bits ^= lowest
    return total


@njit(cache=True, nogil=True)
def log_likelihood(
    rules: np.ndarray, evidence: tuple[np.ndarray, ...], open_: np.ndarray, counts: np.ndarray
) -> float:
    """Return the log-likelihood of a list.

    ``open_`` is scratch, uint64, ``(2, words)``: decisions at which no rule has fired yet, and at
    which one was skipped. ``counts`` int64, ``(LONGEST + 1, 2)``, is filled with the decisions that
    each rule explains and its skips; in the last row skips that led to the next rule, and astray.
    """
    explains, misses, is_sure, log_weights, log_legal, log_gamma = evidence
    words, decisions, total = explains.shape[1], len(log_legal), 0.0
    counts[:] = 0
    open_[0] = ~_NONE
    open_[1] = _NONE
    if decisions % _WORD:
        open_[0, words - 1] = (_ONE << np.uint64(decisions % _WORD)) - _ONE
    led_on, astray = 0, 0
    for index in range(len(rules)):
        rule, explained, skips, rest = rules[index], 0, 0, _NONE
        for word in range(words):
            fresh, again = open_[0, word], open_[1, word]
            if not fresh | again:
                continue
            hit, miss = explains[rule, word], misses[rule, word]
            explained += count_bits((fresh | again) & hit)
            skips += count_bits(fresh & miss)
            if again:
                led_on += count_bits(again & hit)
                strays = again & miss
                astray += count_bits(strays)
                total += _sum_over(strays, log_legal, word * _WORD)
            if not is_sure[rule]:
                total += _sum_over((fresh | again) & hit, log_weights[rule], word * _WORD)
            open_[0, word] = fresh & ~(hit | miss)
            open_[1, word] = (again & ~(hit | miss)) | (fresh & miss)
            rest |= open_[0, word] | open_[1, word]
        total += log_gamma[0, skips] + log_gamma[1, explained] - log_gamma[2, skips + explained]
        counts[index, 0], counts[index, 1] = explained, skips
        if not rest:
            break
    for word in range(words):
        total += _sum_over(open_[0, word] | open_[1, word], log_legal, word * _WORD)
        astray += count_bits(open_[1, word])
    counts[LONGEST, 0], counts[LONGEST, 1] = led_on, astray
    return total + log_gamma[3, led_on] + log_gamma[3, astray] - log_gamma[4, led_on + astray]


@njit(cache=True, nogil=True)
def weigh_lists(
    lists: np.ndarray,
    lengths: np.ndarray,
    evidence: tuple[np.ndarray, ...],
    log_likelihoods: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Fill the log-likelihoods and the counts (:func:`log_likelihood`) of some lists."""
    open_ = np.zeros((2, evidence[0].shape[1]), np.uint64)
    for index in range(len(lists)):
        rules = lists[index, : lengths[index]]
        log_likelihoods[index] = log_likelihood(rules, evidence, open_, counts[index])


@njit(cache=True, nogil=True)
def change_lists(
    lists: np.ndarray,
    lengths: np.ndarray,
    log_likelihoods: np.ndarray,
    evidence: tuple[np.ndarray, ...],
    heat: float,
    growth: float,
    steps: int,
    streams: np.ndarray,
) -> None:
    """Make ``steps`` proposals to each list, accepted by likelihood**heat times the prior.

    ``log_likelihoods`` are kept current. The prior of a list of n rules is proportional to
    ``growth``**n.
    """
    open_ = np.zeros((2, evidence[0].shape[1]), np.uint64)
    counts = np.zeros((LONGEST + 1, 2), np.int64)
    proposal = np.zeros(LONGEST, np.int64)
    for index in range(len(lists)):
        for _ in range(steps):
            proposal[:] = lists[index]
            length = propose(proposal, lengths[index], len(evidence[0]), streams, index)
            if length < 0:
                continue
            likelihood = log_likelihood(proposal[:length], evidence, open_, counts)
            log_ratio = heat * (likelihood - log_likelihoods[index])
            log_ratio += (length - lengths[index]) * np.log(growth)
            if log_ratio >= 0.0 or next_unit(streams, index) < np.exp(log_ratio):
                lists[index] = proposal
                lengths[index] = length
                log_likelihoods[index] = likelihood


@njit(cache=True, nogil=True)
def redraw_alike(
    lists: np.ndarray, lengths: np.ndarray, groups: np.ndarray, streams: np.ndarray
) -> None:
    """Replace each rule by any of its group: by rules that the evidence cannot tell from it."""
    members, sizes = np.zeros((len(groups), len(groups)), np.int64), np.zeros(len(groups), np.int64)
    for rule in range(len(groups)):
        members[groups[rule], sizes[groups[rule]]] = rule
        sizes[groups[rule]] += 1
    for index in range(len(lists)):
        for place in range(lengths[index]):
            group = groups[lists[index, place]]
            lists[index, place] = members[group, next_below(streams, index, sizes[group])]


@njit(cache=True, nogil=True)
def propose(rules: np.ndarray, length: int, catalogue: int, streams: np.ndarray, index: int) -> int:
    """Change a list in place; return its new length, or -1 for no change.

    A rule is as likely to be inserted as its prior says, so that the probabilities of a proposal
    and of its reverse differ by what the priors of two rules differ by, and cancel.
    """
    kind = next_below(streams, index, 5)
    if kind == 0:
        if length == LONGEST:
            return -1
        place = next_below(streams, index, length + 1)
        _insert(rules, place, next_below(streams, index, catalogue))
        return length + 1
    if length == 0:
        return -1
    place = next_below(streams, index, length)
    if kind == 1:
        _delete(rules, place)
        return length - 1
    if kind == 2:
        rules[place] = next_below(streams, index, catalogue)
        return length
    other, rule = next_below(streams, index, length), rules[place]
    if place == other:
        return -1
    if kind == 3:
        rules[place], rules[other] = rules[other], rule
    else:
        _delete(rules, place)
        _insert(rules, other, rule)
    return length


@njit(cache=True, nogil=True)
def _insert(rules: np.ndarray, place: int, rule: int) -> None:
    for later in range(len(rules) - 1, place, -1):
        rules[later] = rules[later - 1]
    rules[place] = rule


@njit(cache=True, nogil=True)
def _delete(rules: np.ndarray, place: int) -> None:
    for later in range(place, len(rules) - 1):
        rules[later] = rules[later + 1]
    rules[len(rules) - 1] = 0
