"""Games played to their end from one turn, after each of several moves."""

from typing import Any, Final

import numpy as np
from numba import njit, types

from hoad.agents.agent import (
    BYTE_ROWS,
    BYTES,
    FUNCTIONS,
    MATRIX,
    MOVES,
    PARAMETERS,
    STATES,
    CompiledAgent,
    describe_action,
    sample,
    see,
)
from hoad.agents.games import is_legal
from hoad.core.errors import HoadError
from hoad.game.rules import apply
from hoad.game.state import MAX_CARDS, MAX_HAND, NO_CARD, full_game
from hoad.game.stream import next_number, shuffle, start_stream
from hoad.search.belief import Belief
from hoad.search.past import SEARCH, Past

# The types of what _roll_out takes: the functions of both players; the player's parameters,
# observer and memory; the parameters of all hypotheses, where those of each start, the hypotheses
# of the particles, and the partner's observer and memory; of the game the present state and room
# for another, the player's seat, places, the particles' decks, the moves, the key, the first number
# of a stream, and whether it is strict.
_MINE: Final = types.Tuple((PARAMETERS, types.int64, BYTES))
_THEIRS: Final = types.Tuple((PARAMETERS, PARAMETERS, PARAMETERS, types.int64, BYTE_ROWS))
_GAME: Final = types.Tuple(
    (
        STATES,
        types.int64,
        PARAMETERS,
        BYTE_ROWS,
        PARAMETERS,
        types.int64,
        types.int64,
        types.boolean,
    )
)
_NO_SCORE: Final = -1.0


def roll_out(
    past: Past,
    belief: Belief,
    rows: np.ndarray,
    rollout_agent: CompiledAgent,
    memory: np.ndarray,
    moves: np.ndarray,
    number: int,
    strict: bool = True,
) -> np.ndarray:
    """Return the score of a game from each of some particles after each move.

    All moves meet the same hands, decks and random numbers. The player's later moves are the
    rollout agent's, the partner's are those of the particle's hypothesis.

    Args:
        past: the game so far.
        belief: the particles.
        rows: which of them, int64, shape ``(samples,)``, ascending.
        rollout_agent: the agent that plays on for the player.
        memory: what it remembers, uint8, shape ``(bytes,)``.
        moves: legal moves, int64, shape ``(moves,)``.
        number: of rollouts so far: other numbers are other random numbers.
        strict: strict scores, not lenient ones.

    Returns:
        Float64, shape ``(moves, samples)``.

    Raises:
        HoadError: an agent made an illegal move.
    """
    scores = np.empty((len(moves), len(rows)))
    seat = past.seat
    work = np.concatenate([past.now, full_game(2).new_states(1)])
    mine = rollout_agent.parameters, rollout_agent.observer(seat), memory
    for group in belief.groups:
        first, last = np.searchsorted(rows, (group.rows.start, group.rows.stop))
        if first == last:
            continue
        other, some = group.partner, rows[first:last]
        those = belief.particles.rows(some)
        theirs = *belief.parameters, those.hypotheses, other.observer(1 - seat), those.memory
        game = work, seat, past.places, those.decks, moves, past.key, number + int(first)
        scores_of_group = np.zeros((len(moves), len(some)))
        functions = *rollout_agent.functions, *other.functions
        _roll_out(*functions, mine, theirs, (*game, strict), scores_of_group)
        if scores_of_group.min() == _NO_SCORE:
            raise HoadError(f"search: an illegal move of {rollout_agent.name} or {other.name}")
        scores[:, first:last] = scores_of_group
    return scores


@njit(cache=True, nogil=True)
def place_cards(
    state: np.record, seat: int, places: np.ndarray, deck: np.ndarray, streams: np.ndarray
) -> None:
    """Give a state the hand of a deck, and its undrawn cards in random order."""
    left = int(state.table.deck_left)
    state.deck[:] = deck
    shuffle(state.deck[MAX_CARDS - left :], left, streams, 0)
    for slot in range(MAX_HAND):
        if state.hands[seat, slot] != NO_CARD:
            state.hands[seat, slot] = deck[places[slot]]


@njit(types.void(*FUNCTIONS, *FUNCTIONS, _MINE, _THEIRS, _GAME, MATRIX), cache=True, nogil=True)
def _roll_out(
    choose_mine: Any,
    observe_mine: Any,
    choose_other: Any,
    observe_other: Any,
    player: tuple[Any, ...],
    others: tuple[Any, ...],
    game: tuple[Any, ...],
    scores: np.ndarray,
) -> None:
    """Fill the scores; a negative one is that of an illegal move."""
    parameters_mine, observer_mine, memory_mine = player
    numbers, bounds, hypotheses, observer_other, memory_others = others
    work, seat, places, decks, moves, key, first, strict = game
    root, state, table = work[0], work[1], work[1].table
    streams, starts = np.zeros(2, np.uint64), np.zeros(1, np.uint64)
    mine, other = memory_mine.copy(), np.zeros(memory_others.shape[1], np.uint8)
    hands_mine, hands_other = np.zeros((5, 5), np.uint8), np.zeros((5, 5), np.uint8)
    weights = np.zeros(MOVES)
    for particle in range(len(decks)):
        hypothesis = hypotheses[particle]
        parameters_other = numbers[bounds[hypothesis] : bounds[hypothesis + 1]]
        starts[0] = start_stream(key, 1 + first + particle, SEARCH)
        place_cards(root, seat, places, decks[particle], starts)
        stream_mine, stream_other = next_number(starts, 0), next_number(starts, 0)
        for index in range(len(moves)):
            work[1] = work[0]
            mine[:], other[:] = memory_mine, memory_others[particle]
            streams[seat], streams[1 - seat] = stream_mine, stream_other
            move = int(moves[index])
            see(state, observer_mine, hands_mine)
            see(state, observer_other, hands_other)
            while True:
                event = describe_action(state, move)
                if not is_legal(table, event):
                    scores[index, particle] = _NO_SCORE
                    return
                if len(mine):
                    observe_mine(parameters_mine, table, hands_mine, seat, mine, event)
                if len(other):
                    observe_other(parameters_other, table, hands_other, 1 - seat, other, event)
                apply(state, move)
                if table.over:
                    break
                if event.card != NO_CARD:  # a hand has changed
                    see(state, observer_mine, hands_mine)
                    see(state, observer_other, hands_other)
                if table.current == seat:
                    move = choose_mine(parameters_mine, table, hands_mine, seat, mine, weights)
                else:
                    move = choose_other(
                        parameters_other, table, hands_other, 1 - seat, other, weights
                    )
                if move < 0:
                    move = sample(weights, streams, int(table.current))
            lost = strict and table.lives == 0
            scores[index, particle] = 0.0 if lost else float(table.score)
