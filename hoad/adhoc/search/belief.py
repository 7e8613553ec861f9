"""What a player believes of its own hand, and of what kind of partner it has: particles.

A particle is a hand (with the deck that it leaves) and a hypothesis about the partner. Its
probability is that of the hypothesis, times the likelihood of all moves that the partner made in
this game under the hypothesis, seeing this hand. All hands that fit the hints are equally likely
before.

Hands that fit the hints are drawn, weighed and resampled. Then each particle goes on as a Markov
chain (Metropolis et al. 1953): a card of the hand changes places with another card of the hand or
with an undrawn one; the partner's part in the game is replayed with the changed hand, and the
change is accepted with the ratio of the likelihoods. So every distribution over the moves, and any
memory of the partner, is accounted for. The random number of an acceptance is drawn before the
replay, which ends as soon as the likelihood, which can only fall, is too small.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numba import njit, types

from hoad.adhoc.bayes.imagined import imagine
from hoad.adhoc.partner_models.model import Ensemble
from hoad.adhoc.search.past import Past
from hoad.agents.agent import (
    BYTE_ROWS,
    BYTES,
    CHOOSE,
    MOVES,
    OBSERVE,
    PARAMETERS,
    SPREAD,
    STATES,
    WEIGHTS,
    Agent,
    CompiledAgent,
    new_view,
    see,
)
from hoad.agents.situation import count_cards, plausible_cards
from hoad.core.errors import HoadError
from hoad.game.rules import legal_moves
from hoad.game.state import MAX_CARDS, MAX_HAND
from hoad.game.stream import Purpose, next_below, next_unit, start_stream

_SEARCH: Final = int(Purpose.SEARCH)
_STREAMS: Final = types.Array(types.uint64, 1, "C")
_NUMBERS: Final = PARAMETERS

# The types of what the functions below take of the partner, of the past, and to work with.
_PARTNER: Final = (*map(types.FunctionType, (CHOOSE, OBSERVE)), PARAMETERS, types.int64)
_PAST: Final = (STATES, types.int64, _NUMBERS, _NUMBERS)
_SCRATCH: Final = (BYTE_ROWS, WEIGHTS)


@dataclass(frozen=True)
class Group:
    """The particles of one hypothesis.

    Attributes:
        hypothesis: its index in the ensemble.
        partner: its agent, in the partner's seat.
        rows: its particles.
    """

    hypothesis: int
    partner: CompiledAgent
    rows: slice


class Belief:
    """Equally weighted particles at one turn of one game.

    Args:
        past: the game so far.
        ensemble: what the partner may be: compiled agents. With a noise above 0 no hand that fits
            the hints is ever ruled out.
        particles: how many particles.
        candidates: how many hands are drawn, from which the particles are resampled.

    Attributes:
        decks: the decks of the particles, which hold their hands, uint8, shape
            ``(particles, 50)``: see :attr:`Past.places`. The undrawn cards are in any order.
        memory: what the partner remembers, uint8, shape ``(particles, bytes)``.
        groups: the particles by hypothesis, in ascending order; those without are left out.

    Raises:
        HoadError: an agent of the ensemble is not compiled.
    """

    def __init__(self, past: Past, ensemble: Ensemble, particles: int, candidates: int) -> None:
        self._past = past
        self._noise = ensemble.noise
        self._streams = np.array([start_stream(past.key, 0, _SEARCH)], np.uint64)
        self._scratch = new_view()[0], np.zeros(MOVES)
        partners = [compiled(agent, 1 - past.seat) for agent in ensemble.agents]
        size = max(partner.memory_size for partner in partners)
        drawn = _systematic(ensemble.probabilities, candidates, self._streams)
        self.decks = imagine(past.now, past.seat, candidates)[0][:, 0].copy()
        self.memory = np.zeros((candidates, size), np.uint8)
        self._evidence = np.zeros(candidates)
        self.groups = list(_grouped(drawn, partners))
        for group in self.groups:
            self._weigh(group)
        likelihood = np.exp(self._evidence - self._evidence.max())
        kept = _systematic(likelihood / likelihood.sum(), particles, self._streams)
        self.decks, self.memory = self.decks[kept], self.memory[kept]
        self._evidence = self._evidence[kept]
        self.groups = list(_grouped(drawn[kept], partners))

    @property
    def hands(self) -> np.ndarray:
        """The hands by slot, uint8, shape ``(particles, 5)``; empty slots hold any card."""
        return self.decks[:, self._past.places]

    @property
    def hypotheses(self) -> np.ndarray:
        """The hypothesis of each particle, int64, shape ``(particles,)``."""
        counts = [group.rows.stop - group.rows.start for group in self.groups]
        return np.repeat([group.hypothesis for group in self.groups], counts)

    def move(self, steps: int) -> None:
        """Let every particle make ``steps`` Metropolis moves."""
        for group in self.groups:
            rows = group.rows
            spare = np.zeros(self.memory.shape[1], np.uint8)
            common = self._common(group.partner)[0]
            given = self._given(group.partner), self._of_past(), self._scratch
            arrays = self.decks[rows], self.memory[rows], self._evidence[rows]
            _move(
                *given[0],
                *given[1],
                *given[2],
                self._noise,
                *arrays,
                common,
                spare,
                steps,
                self._streams,
            )

    def _weigh(self, group: Group) -> None:
        rows = group.rows
        common, evidence = self._common(group.partner)
        self.memory[rows] = common
        arrays = self.decks[rows], self.memory[rows], self._evidence[rows]
        given = *self._given(group.partner), *self._of_past(), *self._scratch, self._noise
        last = len(self._past.states) - 1
        _weigh(*given, *arrays, self._past.first, last)
        self._evidence[rows] += evidence

    def _common(self, partner: CompiledAgent) -> tuple[np.ndarray, float]:
        """Return the partner's memory, and the evidence, of the turns before own cards matter."""
        memory, evidence = np.zeros((1, self.memory.shape[1]), np.uint8), np.zeros(1)
        given = *self._given(partner), *self._of_past(), *self._scratch, self._noise
        _weigh(*given, self.decks[:1], memory, evidence, 0, self._past.first)
        return memory[0], float(evidence[0])

    def _given(self, partner: CompiledAgent) -> tuple[Any, ...]:
        observer = partner.observer(1 - self._past.seat)
        return partner.choose, partner.observe_one, partner.parameters, observer

    def _of_past(self) -> tuple[Any, ...]:
        past = self._past
        return past.states, past.seat, past.places, past.since


def compiled(agent: Agent, seat: int) -> CompiledAgent:
    """Return the compiled agent that plays in this seat.

    Raises:
        HoadError: it is not compiled.
    """
    played = agent.in_seat(seat)
    if not isinstance(played, CompiledAgent):
        raise HoadError(
            f"search: agent {agent.name} is not compiled; search takes rule lists and bots, which "
            "are, as models and blueprints"
        )
    return played


def _grouped(hypotheses: np.ndarray, partners: Sequence[CompiledAgent]) -> Iterator[Group]:
    """Yield the groups of particles with these hypotheses, which are in ascending order."""
    bounds = np.searchsorted(hypotheses, np.arange(len(partners) + 1))
    for hypothesis, partner in enumerate(partners):
        rows = slice(int(bounds[hypothesis]), int(bounds[hypothesis + 1]))
        if rows.start < rows.stop:
            yield Group(hypothesis, partner, rows)


def _systematic(probabilities: np.ndarray, count: int, streams: np.ndarray) -> np.ndarray:
    """Return ``count`` indices drawn by systematic resampling, int64, ascending."""
    points = (np.arange(count) + next_unit(streams, 0)) / count
    found = np.searchsorted(np.cumsum(probabilities), points, side="right")
    return np.minimum(found, len(probabilities) - 1)


@njit(cache=True, nogil=True)
def _other_place(
    table: np.record,
    seat: int,
    slot: int,
    places: np.ndarray,
    others: int,
    streams: np.ndarray,
) -> int:
    """Return the place in the deck of another card that is held or undrawn."""
    other = next_below(streams, 0, others)
    left = int(table.deck_left)
    if other < left:
        return MAX_CARDS - 1 - other
    for position in range(int(table.hand_length[seat])):
        held = int(table.order[seat, position])
        if held != slot:
            if other == left:
                return int(places[held])
            other -= 1
    return int(places[slot])


@njit(cache=True, nogil=True)
def _fits(table: np.record, seat: int, places: np.ndarray, deck: np.ndarray) -> bool:
    """Return whether the hand fits the hints."""
    for position in range(int(table.hand_length[seat])):
        slot = int(table.order[seat, position])
        if not plausible_cards(table, seat, slot) >> int(deck[places[slot]]) & 1:
            return False
    return True


@njit(cache=True, nogil=True)
def _follow(
    choose: Any,
    observe: Any,
    parameters: np.ndarray,
    observer: int,
    past: np.ndarray,
    seat: int,
    places: np.ndarray,
    since: np.ndarray,
    hands: np.ndarray,
    spread: np.ndarray,
    noise: float,
    deck: np.ndarray,
    memory: np.ndarray,
    first: int,
    last: int,
    least: float,
) -> float:
    """Return the log-likelihood of the partner's moves in turns ``first`` to ``last - 1``.

    The partner's memory is brought from the first to the last turn. Ends early, with minus
    infinity, once the log-likelihood is below ``least``.
    """
    done = past[len(past) - 1].table
    evidence = 0.0
    for turn in range(first, last):
        table = past[turn].table
        see(past[turn], observer, hands)
        for slot in range(MAX_HAND):
            if since[slot] <= turn:
                hands[seat, slot] = deck[places[slot]]
        move = int(done.actions[turn])
        if table.current != seat:
            chosen = choose(parameters, table, hands, 1 - seat, memory, spread)
            share = 1.0 if chosen == move else 0.0
            if chosen == SPREAD:
                share = spread[move]
                spread[:] = 0.0
            legal = count_cards(legal_moves(table, hands))
            share = (1.0 - noise) * share + noise / legal
            evidence += np.log(share) if share > 0.0 else -np.inf
            if evidence < least:
                return -np.inf
        touched, card = int(done.touched[turn]), int(done.revealed[turn])
        observe(parameters, table, hands, 1 - seat, memory, move, touched, card)
    return evidence


@njit(
    types.void(
        *(*_PARTNER, *_PAST, *_SCRATCH, types.float64),
        *(BYTE_ROWS, BYTE_ROWS, WEIGHTS, types.int64, types.int64),
    ),
    cache=True,
    nogil=True,
)
def _weigh(
    choose: Any,
    observe: Any,
    parameters: np.ndarray,
    observer: int,
    past: np.ndarray,
    seat: int,
    places: np.ndarray,
    since: np.ndarray,
    hands: np.ndarray,
    spread: np.ndarray,
    noise: float,
    decks: np.ndarray,
    memory: np.ndarray,
    evidence: np.ndarray,
    first: int,
    last: int,
) -> None:
    """Bring memory from the first to the last turn; write the log-likelihood of these turns."""
    for particle in range(len(decks)):
        evidence[particle] = _follow(
            choose,
            observe,
            parameters,
            observer,
            past,
            seat,
            places,
            since,
            hands,
            spread,
            noise,
            decks[particle],
            memory[particle],
            first,
            last,
            -np.inf,
        )


@njit(
    types.void(
        *(*_PARTNER, *_PAST, *_SCRATCH, types.float64),
        *(BYTE_ROWS, BYTE_ROWS, WEIGHTS, BYTES, BYTES, types.int64, _STREAMS),
    ),
    cache=True,
    nogil=True,
)
def _move(
    choose: Any,
    observe: Any,
    parameters: np.ndarray,
    observer: int,
    past: np.ndarray,
    seat: int,
    places: np.ndarray,
    since: np.ndarray,
    hands: np.ndarray,
    spread: np.ndarray,
    noise: float,
    decks: np.ndarray,
    memory: np.ndarray,
    evidence: np.ndarray,
    common: np.ndarray,
    spare: np.ndarray,
    steps: int,
    streams: np.ndarray,
) -> None:
    """Make Metropolis moves; ``common`` is the memory at the first turn that can differ."""
    last = len(past) - 1
    table = past[last].table
    first, held = since.min(), int(table.hand_length[seat])
    others = held - 1 + int(table.deck_left)
    for particle in range(len(decks)):
        deck = decks[particle]
        for _ in range(steps * min(others, 1)):
            slot = int(table.order[seat, next_below(streams, 0, held)])
            here, there = places[slot], _other_place(table, seat, slot, places, others, streams)
            least = evidence[particle] + np.log(next_unit(streams, 0))
            if deck[here] == deck[there]:
                continue
            deck[here], deck[there] = deck[there], deck[here]
            if _fits(table, seat, places, deck):
                spare[:] = common
                found = _follow(
                    choose,
                    observe,
                    parameters,
                    observer,
                    past,
                    seat,
                    places,
                    since,
                    hands,
                    spread,
                    noise,
                    deck,
                    spare,
                    first,
                    last,
                    least,
                )
                if found >= least:
                    evidence[particle], memory[particle] = found, spare
                    continue
            deck[here], deck[there] = deck[there], deck[here]
