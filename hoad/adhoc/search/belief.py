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

# The types of what the compiled functions take: the partner's functions; of the game the partner's
# parameters and observer, the states of all turns, the player's seat, places and since, a view and
# weights to write to, and the noise; of particles decks, memory and evidence.
_FUNCTIONS: Final = (types.FunctionType(CHOOSE), types.FunctionType(OBSERVE))
_GAME: Final = types.Tuple(
    (
        PARAMETERS,
        types.int64,
        STATES,
        types.int64,
        PARAMETERS,
        PARAMETERS,
        BYTE_ROWS,
        WEIGHTS,
        types.float64,
    )
)
_PARTICLES: Final = types.Tuple((BYTE_ROWS, BYTE_ROWS, WEIGHTS))
_STREAMS: Final = types.Array(types.uint64, 1, "C")


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
            common, _ = self._common(group.partner)
            given = self._given(group.partner), self._particles(group.rows)
            functions = group.partner.choose, group.partner.observe_one
            _move(*functions, *given, common, steps, self._streams)

    def _weigh(self, group: Group) -> None:
        common, evidence = self._common(group.partner)
        self.memory[group.rows] = common
        given = self._given(group.partner), self._particles(group.rows)
        turns = self._past.first, len(self._past.states) - 1
        _weigh(group.partner.choose, group.partner.observe_one, *given, *turns)
        self._evidence[group.rows] += evidence

    def _common(self, partner: CompiledAgent) -> tuple[np.ndarray, float]:
        """Return the partner's memory, and the evidence, of the turns before own cards matter."""
        one = self.decks[:1], np.zeros((1, self.memory.shape[1]), np.uint8), np.zeros(1)
        turns = 0, self._past.first
        _weigh(partner.choose, partner.observe_one, self._given(partner), one, *turns)
        return one[1][0], float(one[2][0])

    def _given(self, partner: CompiledAgent) -> tuple[Any, ...]:
        past, room = self._past, (new_view()[0], np.zeros(MOVES))
        seen = partner.parameters, partner.observer(1 - past.seat)
        return *seen, past.states, past.seat, past.places, past.since, *room, self._noise

    def _particles(self, rows: slice) -> tuple[np.ndarray, ...]:
        return self.decks[rows], self.memory[rows], self._evidence[rows]


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
    game: tuple[Any, ...],
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
    parameters, observer, past, seat, places, since, hands, spread, noise = game
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


@njit(types.void(*_FUNCTIONS, _GAME, _PARTICLES, types.int64, types.int64), cache=True, nogil=True)
def _weigh(
    choose: Any,
    observe: Any,
    game: tuple[Any, ...],
    particles: tuple[np.ndarray, ...],
    first: int,
    last: int,
) -> None:
    """Bring memory from the first to the last turn; write the log-likelihood of these turns."""
    decks, memory, evidence = particles
    for index in range(len(decks)):
        evidence[index] = _follow(
            choose, observe, game, decks[index], memory[index], first, last, -np.inf
        )


@njit(
    types.void(*_FUNCTIONS, _GAME, _PARTICLES, BYTES, types.int64, _STREAMS),
    cache=True,
    nogil=True,
)
def _move(
    choose: Any,
    observe: Any,
    game: tuple[Any, ...],
    particles: tuple[np.ndarray, ...],
    common: np.ndarray,
    steps: int,
    streams: np.ndarray,
) -> None:
    """Make Metropolis moves; ``common`` is the memory at the first turn that can differ."""
    past, seat, places, since = game[2:6]
    decks, memory, evidence = particles
    last = len(past) - 1
    table, spare = past[last].table, common.copy()
    first, held = since.min(), int(table.hand_length[seat])
    others = held - 1 + int(table.deck_left)
    for index in range(len(decks)):
        deck = decks[index]
        for _ in range(steps * min(others, 1)):
            slot = int(table.order[seat, next_below(streams, 0, held)])
            here, there = places[slot], _other_place(table, seat, slot, places, others, streams)
            least = evidence[index] + np.log(next_unit(streams, 0))
            if deck[here] == deck[there]:
                continue
            deck[here], deck[there] = deck[there], deck[here]
            if _fits(table, seat, places, deck):
                spare[:] = common
                found = _follow(choose, observe, game, deck, spare, first, last, least)
                if found >= least:
                    evidence[index], memory[index] = found, spare
                    continue
            deck[here], deck[there] = deck[there], deck[here]
