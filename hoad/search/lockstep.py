"""Belief and rollouts with a partner that is not compiled and remembers nothing: a network.

All hands, and all rollouts of a round, are asked about together, in batches. Otherwise they are
those of :mod:`.belief` and :mod:`.rollouts`, with one hypothesis.
"""

import numpy as np

from hoad.agents.agent import Agent, Batch, CompiledAgent
from hoad.agents.imagined import imagine
from hoad.game.rules import apply_all, legal_moves
from hoad.game.stream import next_below, next_number, next_unit, start_stream
from hoad.partners.model import Ensemble
from hoad.partners.resampling import resample
from hoad.search.belief import fits, other_place
from hoad.search.past import SEARCH, Past
from hoad.search.rollouts import place_cards


def plays_in_lockstep(ensemble: Ensemble, seat: int) -> bool:
    """Return whether an ensemble is one agent that this module takes for the partner."""
    agents = [agent.in_seat(seat) for agent in ensemble.agents]
    free = not (agents[0].memory_size or agents[0].one_game_at_a_time)
    return len(agents) == 1 and free and not isinstance(agents[0], CompiledAgent)


class LockstepBelief:
    """Equally weighted hands at one turn of one game (see :class:`~.belief.Belief`).

    Args:
        past: the game so far.
        ensemble: one agent that is asked in lockstep.
        particles: how many hands.
        candidates: how many hands are drawn, from which the particles are resampled.

    Attributes:
        partner: the agent in the partner's seat.
        decks: decks that hold the hands, uint8, shape ``(particles, 50)``.
    """

    def __init__(self, past: Past, ensemble: Ensemble, particles: int, candidates: int) -> None:
        self._past, self._noise = past, ensemble.noise
        self._streams = np.array([start_stream(past.key, 0, SEARCH)], np.uint64)
        self.partner = ensemble.agents[0].in_seat(1 - past.seat)
        decks = imagine(past.now, past.seat, candidates)[0][:, 0].copy()
        evidence = self._weigh(decks)
        kept = resample(evidence, particles, next_unit(self._streams, 0))
        self.decks, self._evidence = decks[kept], evidence[kept]

    @property
    def hands(self) -> np.ndarray:
        """The hands by slot, uint8, shape ``(particles, 5)``; empty slots hold any card."""
        return self.decks[:, self._past.places]

    def move(self, steps: int) -> None:
        """Let every particle make ``steps`` Metropolis moves."""
        for _ in range(steps):
            proposed, least = self.decks.copy(), self._evidence.copy()
            changed = [
                index for index in range(len(least)) if self._change(proposed[index], least, index)
            ]
            if changed:
                evidence = self._weigh(proposed[changed])
                accepted = evidence >= least[changed]
                rows = np.array(changed)[accepted]
                self.decks[rows], self._evidence[rows] = proposed[rows], evidence[accepted]

    def _change(self, deck: np.ndarray, least: np.ndarray, index: int) -> bool:
        """Change a hand at random; return whether it differs and fits the hints."""
        past, table, streams = self._past, self._past.now[0].table, self._streams
        held = int(table.hand_length[past.seat])
        others = held - 1 + int(table.deck_left)
        if not others:
            return False
        slot = int(table.order[past.seat, next_below(streams, 0, held)])
        there = other_place(table, past.seat, slot, past.places, others, streams)
        least[index] += np.log(next_unit(streams, 0))
        swapped = [past.places[slot], there]
        deck[swapped] = deck[swapped[::-1]]
        is_same = deck[swapped[0]] == deck[swapped[1]]
        return bool(not is_same and fits(table, past.seat, past.places, deck))

    def _weigh(self, decks: np.ndarray) -> np.ndarray:
        """Return the log-likelihood of the partner's moves with each hand, ``(decks,)``.

        Hands of which the partner saw the same cards at a turn are asked about once.
        """
        past, actions = self._past, self._past.now[0].table.actions
        asked: list[np.ndarray] = []  # by turn: the states that differ
        made, which, legal = [], [], []
        count = 0
        for turn in range(past.first, len(past.states) - 1):
            if past.states[turn].table.current == past.seat:
                continue
            slots = np.flatnonzero(past.since <= turn)
            shown = decks[:, past.places[slots]]
            seen, first, back = np.unique(shown, axis=0, return_index=True, return_inverse=True)
            states = past.states[[turn]].repeat(len(first))
            states["hands"][:, past.seat, slots] = seen
            states["deck"] = decks[first]
            which.append(back.reshape(-1) + count)
            asked.append(states)
            count += len(states)
            made.append(np.full(len(first), int(actions[turn])))
            legal += [legal_moves(state.table, state.hands).bit_count() for state in states]
        if not asked:
            return np.zeros(len(decks))
        states = np.concatenate(asked)
        batch = Batch(states, 1 - past.seat, np.zeros((len(states), 0), np.uint8))
        shares = self.partner.weights(batch)[np.arange(len(states)), np.concatenate(made)]
        logs = np.log((1.0 - self._noise) * shares + self._noise / np.array(legal))
        log_weights: np.ndarray = logs[np.array(which)].sum(axis=0)
        return log_weights


def roll_out_in_lockstep(
    past: Past,
    belief: LockstepBelief,
    rows: np.ndarray,
    rollout_agent: CompiledAgent,
    memory: np.ndarray,
    moves: np.ndarray,
    number: int,
    strict: bool = True,
) -> np.ndarray:
    """Return the score of a game from each of some particles after each move.

    See :func:`~.rollouts.roll_out`.
    """
    states, streams = _starts(past, belief.decks[rows], number)
    games = len(moves) * len(rows)
    states, streams = np.tile(states, len(moves)), np.tile(streams, (1, len(moves)))
    actions = np.repeat(moves, len(rows)).astype(np.uint8)
    agents: list[Agent] = [belief.partner, belief.partner]
    agents[past.seat] = rollout_agent
    memories = [np.zeros((games, 0), np.uint8)] * 2
    memories[past.seat] = np.tile(memory, (games, 1))
    running, scores, seat = np.arange(games), np.zeros(games), past.seat
    while True:
        rollout_agent.observe(states, past.seat, memories[past.seat], actions)
        apply_all(states, actions)
        table, seat = states["table"], 1 - seat
        over = table["over"] > 0
        lost = strict & (table["lives"] == 0)
        scores[running[over]] = np.where(lost, 0, table["score"])[over]
        running, states, streams = running[~over], states[~over], streams[:, ~over]
        if not len(running):
            return scores.reshape(len(moves), len(rows))
        memories = [memory[~over] for memory in memories]
        drawn = streams[seat].copy()
        actions = agents[seat].act(Batch(states, seat, memories[seat], drawn))
        streams[seat] = drawn


def _starts(past: Past, decks: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the present with each hand, and random streams by seat, uint64, ``(2, decks)``."""
    states, streams = past.now.repeat(len(decks)), np.zeros((2, len(decks)), np.uint64)
    for index, deck in enumerate(decks):
        start = np.array([start_stream(past.key, 1 + number + index, SEARCH)], np.uint64)
        place_cards(states[index], past.seat, past.places, deck, start)
        for seat in (past.seat, 1 - past.seat):
            streams[seat, index] = next_number(start, 0)
    return states, streams
