"""An agent in one seat of one game that is played elsewhere."""

from collections.abc import Sequence

import numpy as np

from hoad.agents.agent import Agent, Batch
from hoad.game.rules import apply, replay_moves
from hoad.game.state import full_game
from hoad.game.stream import start_stream


class Seat:
    """Makes the moves that an agent makes in game number ``game`` of HOAD's run with this seed.

    The agent is fair; ``seat`` is where it sits; the seed is 0 to 2**63 - 1, the number not
    negative.
    """

    def __init__(self, agent: Agent, seat: int, seed: int, game: int) -> None:
        self._agent = agent.in_seat(seat)
        self._seat = seat
        self._memory = self._agent.new_memory(1)
        self._streams = np.array([start_stream(seed, game, seat)], np.uint64)
        self._turn = 0
        self._chosen = (-1, 0)

    def choose(self, deck: np.ndarray, actions: Sequence[int]) -> int:
        """Return the agent's move after these actions; the same when it is asked again.

        Turns since the last call are observed; where the agent should have moved, it draws the
        random numbers of its move, so that a game can be joined late.

        Args:
            deck: card ids in drawing order, uint8, shape ``(50,)``. Cards that the agent does not
                see may differ from call to call.
            actions: move ids from the deal on; the agent is to move.
        """
        states = full_game(2).new_states(1)
        replay_moves(states[0], deck, np.array(actions[: self._turn], np.uint8))
        for action in actions[self._turn :]:
            if states[0].table.current == self._seat:
                self._decide(states)
            moves = np.array([action], np.uint8)
            self._agent.observe(states, self._seat, self._memory, moves)
            apply(states[0], int(action))
            self._turn += 1
        return self._decide(states)

    def _decide(self, states: np.ndarray) -> int:
        if self._chosen[0] != self._turn:
            batch = Batch(states, self._seat, self._memory, self._streams)
            self._chosen = self._turn, int(self._agent.act(batch)[0])
        return self._chosen[1]
