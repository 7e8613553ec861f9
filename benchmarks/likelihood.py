"""How fast the moves of a partner are held against hypotheses."""

import numpy as np

from benchmarks.agents import random_chromosomes
from benchmarks.timing import median_seconds
from hoad.agents import get_agent, play
from hoad.agents.imagined import last_states
from hoad.bayes.hypotheses import Hypotheses
from hoad.bayes.moves import SAMPLES
from hoad.game.log import logs_of

_HYPOTHESES = 22
_GAMES = 2_000
_TURN = 21


def judgements_per_s() -> float:
    """Return partner's moves times hypotheses a second, during a game.

    The hypotheses are random chromosomes, each of which is shown ``SAMPLES`` imagined hands.
    """
    iggi = get_agent("iggi")
    logs = play([iggi, iggi], _GAMES, seed=1)
    before = [logs.actions_of(game)[:_TURN] for game in range(_GAMES)]
    states = last_states(logs_of(2, list(logs.decks), before))
    moves = logs.actions[logs.offsets[:-1] + _TURN]
    hypotheses = Hypotheses(random_chromosomes(_HYPOTHESES))
    nobody = np.zeros((_GAMES, _HYPOTHESES), np.bool_)
    seconds = median_seconds(
        lambda: hypotheses.weights_of_moves(states, moves, 0, SAMPLES, unlikely=nobody)
    )
    return _GAMES * _HYPOTHESES / seconds
