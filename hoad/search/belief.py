"""What a player believes of its own hand, and of what kind of partner it has: particles.

A particle is a hand (with the deck that it leaves) and a hypothesis about the partner. Its
probability is that of the hypothesis, times the likelihood of all moves that the partner made in
this game under the hypothesis, seeing this hand. All hands that fit the hints are equally likely
before.

Hands that fit the hints are drawn, weighed and resampled. Then each particle goes on as a Markov
chain (Metropolis et al. 1953): a card of the hand changes places with another card of the hand or
with an undrawn one; the partner's part in the game is replayed with the changed hand, and the
change is accepted with the ratio of the likelihoods. So every distribution over the moves, and any
memory of the partner, is accounted for. The replay starts at the turn at which the partner first
saw one of the cards. The random number of an acceptance is drawn before the replay, which ends as
soon as the likelihood, which can only fall, is too small.
"""

from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit, types

from hoad.agents.agent import (
    BYTE_ROWS,
    FUNCTIONS,
    MATRIX,
    MOVES,
    PARAMETERS,
    SPREAD,
    STATES,
    WEIGHTS,
    Agent,
    CompiledAgent,
    Event,
    new_view,
    see,
)
from hoad.agents.imagined import imagine
from hoad.agents.situation import count_cards, plausible_cards
from hoad.core.errors import HoadError
from hoad.game.rules import legal_moves
from hoad.game.state import MAX_CARDS, MAX_HAND, signed
from hoad.game.stream import next_below, next_unit, start_stream
from hoad.partners.model import Ensemble
from hoad.partners.resampling import resample, systematic
from hoad.search.past import SEARCH, Past

# The types of what the compiled functions take: the partner's functions; of the game its observer,
# the states of all turns, the player's seat, places and since, a view and weights to write to, and
# the noise; the parameters of all hypotheses, and where those of each start; and the particles.
_GAME: Final = types.Tuple(
    (
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
_HYPOTHESES: Final = types.Tuple((PARAMETERS, PARAMETERS))
_PARTICLES: Final = types.Tuple(
    (PARAMETERS, BYTE_ROWS, BYTE_ROWS, WEIGHTS, types.Array(types.uint8, 3, "C"), MATRIX)
)
_STREAMS: Final = types.Array(types.uint64, 1, "C")


class Particles(NamedTuple):
    """Hands and hypotheses, with what follows from them: arrays with a row for each.

    Attributes:
        hypotheses: indices in the ensemble, int64, shape ``(particles,)``, ascending.
        decks: decks that hold the hand, uint8, shape ``(particles, 50)``: see :attr:`Past.places`.
            The undrawn cards are in any order.
        memory: what the partner remembers, uint8, shape ``(particles, bytes)``.
        evidence: log-likelihood of the partner's moves, float64, shape ``(particles,)``.
        memory_at: by slot, what the partner remembered at the turn ``Past.since``, at which it
            first saw the card, uint8, shape ``(particles, 5, bytes)``.
        evidence_at: by slot, the log-likelihood of the moves before, float64, ``(particles, 5)``.
    """

    hypotheses: np.ndarray
    decks: np.ndarray
    memory: np.ndarray
    evidence: np.ndarray
    memory_at: np.ndarray
    evidence_at: np.ndarray

    @classmethod
    def new(
        cls, hypotheses: np.ndarray, decks: np.ndarray, memory: np.ndarray, evidence: np.ndarray
    ) -> "Particles":
        """Return particles that have kept nothing by slot yet."""
        count, size = memory.shape
        by_slot = np.zeros((count, MAX_HAND, size), np.uint8), np.zeros((count, MAX_HAND))
        return cls(hypotheses, decks, memory, evidence, *by_slot)

    def rows(self, rows: slice | np.ndarray) -> "Particles":
        """Return some of them."""
        return Particles(*(values[rows] for values in self))


@dataclass(frozen=True)
class Group:
    """Particles with hypotheses of the same code, which is called once for all of them.

    Attributes:
        partner: the agent of one of the hypotheses, in the partner's seat.
        rows: the particles.
    """

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
        particles: the particles.
        parameters: those of all hypotheses, one after another, int64, and where those of each
            start, int64, shape ``(hypotheses + 1,)``.

    Raises:
        HoadError: an agent of the ensemble is not compiled.
    """

    def __init__(self, past: Past, ensemble: Ensemble, particles: int, candidates: int) -> None:
        self._past = past
        self._noise = ensemble.noise
        self._streams = np.array([start_stream(past.key, 0, SEARCH)], np.uint64)
        self._partners = [compiled(agent, 1 - past.seat) for agent in ensemble.agents]
        numbers = [partner.parameters for partner in self._partners]
        self.parameters = np.concatenate(numbers), np.cumsum([0, *map(len, numbers)])
        drawn = systematic(ensemble.probabilities, candidates, next_unit(self._streams, 0))
        decks = imagine(past.now, past.seat, candidates)[0][:, 0].copy()
        memory, evidence = self._before_own_cards(decks[0])
        self.particles = Particles.new(drawn, decks, memory[drawn], evidence[drawn])
        self._weigh(self.particles, past.first, len(past.states) - 1)
        kept = resample(self.particles.evidence, particles, next_unit(self._streams, 0))
        self.particles = self.particles.rows(kept)

    @property
    def groups(self) -> list[Group]:
        """The particles of each code, in order."""
        return self._groups(self.particles)

    @property
    def hands(self) -> np.ndarray:
        """The hands by slot, uint8, shape ``(particles, 5)``; empty slots hold any card."""
        return self.particles.decks[:, self._past.places]

    def move(self, steps: int) -> None:
        """Let every particle make ``steps`` Metropolis moves."""
        for group in self.groups:
            particles = tuple(self.particles.rows(group.rows))
            arguments = *self._first_arguments(group), particles, steps, self._streams
            _move(*arguments)

    def _before_own_cards(self, deck: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return each hypothesis's memory and evidence at the first turn that shows a held card."""
        hypotheses = np.arange(len(self._partners))
        decks = np.repeat(deck[None], len(hypotheses), axis=0)
        size = max(partner.memory_size for partner in self._partners)
        deal = np.zeros((len(hypotheses), size), np.uint8), np.zeros(len(hypotheses))
        particles = Particles.new(hypotheses, decks, *deal)
        if self._past.first:
            self._weigh(particles, 0, self._past.first)
        return particles.memory, particles.evidence

    def _weigh(self, particles: Particles, first: int, last: int) -> None:
        """Lead the memory and the evidence of particles from the first to the last turn."""
        for group in self._groups(particles):
            some = tuple(particles.rows(group.rows))
            arguments = *self._first_arguments(group), some, first, last
            _weigh(*arguments)

    def _groups(self, particles: Particles) -> list[Group]:
        partners, groups = [self._partners[index] for index in particles.hypotheses], []
        start = 0
        for _, some in groupby(partners, lambda each: (each.choose, each.observe_one, each.fair)):
            alike = list(some)
            groups.append(Group(alike[0], slice(start, start + len(alike))))
            start += len(alike)
        return groups

    def _first_arguments(self, group: Group) -> tuple[Any, ...]:
        """Return what the compiled functions take before the particles."""
        past, partner = self._past, group.partner
        room = new_view(), np.zeros(MOVES)
        seen = partner.observer(1 - past.seat), past.states, past.seat, past.places, past.since
        return *partner.functions, (*seen, *room, self._noise), self.parameters


def compiled(agent: Agent, seat: int) -> CompiledAgent:
    """Return the compiled agent that plays in this seat.

    Raises:
        HoadError: it is not compiled.
    """
    played = agent.in_seat(seat)
    if not isinstance(played, CompiledAgent):
        raise HoadError(
            f"search: agent {agent.name} is not compiled; search needs a rule list or a bot as "
            "model and as blueprint"
        )
    return played


@njit(cache=True, nogil=True)
def other_place(
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
def fits(table: np.record, seat: int, places: np.ndarray, deck: np.ndarray) -> bool:
    """Return whether the hand fits the hints."""
    for position in range(int(table.hand_length[seat])):
        slot = int(table.order[seat, position])
        if not plausible_cards(table, seat, slot) >> int(deck[places[slot]]) & 1:
            return False
    return True


@njit(cache=True, nogil=True)
def _first_seen(
    table: np.record, seat: int, places: np.ndarray, since: np.ndarray, slot: int, there: int
) -> int:
    """Return the slot, or the one that the place ``there`` belongs to, if that was seen before."""
    for position in range(int(table.hand_length[seat])):
        held = int(table.order[seat, position])
        if places[held] == there and since[held] < since[slot]:
            return held
    return slot


@njit(cache=True, nogil=True)
def _mark(
    turn: int,
    since: np.ndarray,
    memory: np.ndarray,
    evidence: float,
    memory_at: np.ndarray,
    evidence_at: np.ndarray,
) -> None:
    """Keep memory and evidence for the slots of which the card is first seen at this turn."""
    for slot in range(MAX_HAND):
        if since[slot] == turn:
            memory_at[slot], evidence_at[slot] = memory, evidence


@njit(cache=True, nogil=True)
def _follow(
    choose: Any,
    observe: Any,
    game: tuple[Any, ...],
    parameters: np.ndarray,
    particle: tuple[np.ndarray, ...],
    turns: tuple[int, int],
    evidence: float,
    least: float,
) -> float:
    """Return the log-likelihood of the partner's moves before the last turn.

    That before the first turn is given as ``evidence``. The partner's memory is brought from the
    first to the last turn, and marked. Ends early, with minus infinity, once the log-likelihood is
    below ``least``.
    """
    observer, past, seat, places, since, hands, spread, noise = game
    deck, memory, memory_at, evidence_at = particle
    done = past[len(past) - 1].table
    for turn in range(turns[0], turns[1]):
        _mark(turn, since, memory, evidence, memory_at, evidence_at)
        table = past[turn].table
        see(past[turn], observer, hands)
        for slot in range(MAX_HAND):
            if since[slot] <= turn:
                hands[seat, slot] = deck[places[slot]]
        move = signed(done.actions[turn])
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
        if len(memory):
            event = Event(move, signed(done.touched[turn]), signed(done.revealed[turn]))
            observe(parameters, table, hands, 1 - seat, memory, event)
    _mark(turns[1], since, memory, evidence, memory_at, evidence_at)
    return evidence


@njit(
    types.void(*FUNCTIONS, _GAME, _HYPOTHESES, _PARTICLES, types.int64, types.int64),
    cache=True,
    nogil=True,
)
def _weigh(
    choose: Any,
    observe: Any,
    game: tuple[Any, ...],
    parameters: tuple[np.ndarray, ...],
    particles: tuple[np.ndarray, ...],
    first: int,
    last: int,
) -> None:
    """Lead memory and evidence from the first to the last turn."""
    hypotheses, decks, memory, evidence, memory_at, evidence_at = particles
    numbers, starts = parameters
    for index in range(len(decks)):
        own = numbers[starts[hypotheses[index]] : starts[hypotheses[index] + 1]]
        particle = decks[index], memory[index], memory_at[index], evidence_at[index]
        evidence[index] = _follow(
            choose, observe, game, own, particle, (first, last), evidence[index], -np.inf
        )


@njit(
    types.void(*FUNCTIONS, _GAME, _HYPOTHESES, _PARTICLES, types.int64, _STREAMS),
    cache=True,
    nogil=True,
)
def _move(
    choose: Any,
    observe: Any,
    game: tuple[Any, ...],
    parameters: tuple[np.ndarray, ...],
    particles: tuple[np.ndarray, ...],
    steps: int,
    streams: np.ndarray,
) -> None:
    """Make Metropolis moves."""
    past, seat, places, since = game[1:5]
    hypotheses, decks, memory, evidence, memory_at, evidence_at = particles
    numbers, starts = parameters
    last, table = len(past) - 1, past[len(past) - 1].table
    spare, spare_at, marks = memory[0].copy(), memory_at[0].copy(), evidence_at[0].copy()
    held = int(table.hand_length[seat])
    others = held - 1 + int(table.deck_left)
    for index in range(len(decks)):
        deck = decks[index]
        own = numbers[starts[hypotheses[index]] : starts[hypotheses[index] + 1]]
        for _ in range(steps * min(others, 1)):
            slot = int(table.order[seat, next_below(streams, 0, held)])
            here, there = places[slot], other_place(table, seat, slot, places, others, streams)
            least = evidence[index] + np.log(next_unit(streams, 0))
            if deck[here] == deck[there]:
                continue
            deck[here], deck[there] = deck[there], deck[here]
            if fits(table, seat, places, deck):
                seen = _first_seen(table, seat, places, since, slot, there)
                spare[:] = memory_at[index, seen]
                particle, turns = (deck, spare, spare_at, marks), (int(since[seen]), last)
                before = evidence_at[index, seen]
                log_likelihood = _follow(choose, observe, game, own, particle, turns, before, least)
                if log_likelihood >= least:
                    evidence[index], memory[index] = log_likelihood, spare
                    for marked in range(MAX_HAND):
                        if since[seen] <= since[marked] <= last:
                            memory_at[index, marked] = spare_at[marked]
                            evidence_at[index, marked] = marks[marked]
                    continue
            deck[here], deck[there] = deck[there], deck[here]
