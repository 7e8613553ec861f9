"""The probability that each agent of a pool gives to the moves of a partner.

The partner's move depends on cards that the meta-agent does not see: its own. So the weight that
an agent gives to a move is a mean over hands that the meta-agent may hold
(:mod:`hoad.agents.imagined`), unless they are known.
"""

from collections.abc import Sequence
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numba import njit, types

from hoad.agents.agent import (
    BYTE_ROWS,
    BYTES,
    FUNCTIONS,
    MATRIX,
    MOVES,
    PARAMETERS,
    SPREAD,
    STATES,
    Agent,
    Batch,
    new_view,
    see,
)
from hoad.agents.follow import memory_at, move_probabilities
from hoad.agents.imagined import imagine, last_states
from hoad.agents.rules.rule_list import RuleList, choose_by_rules
from hoad.agents.views import encode_views
from hoad.game.log import GameLogs, encode_turns
from hoad.game.rules import apply, apply_all, deal_all
from hoad.game.state import full_game

# The types of parameters, ends and indices of the rule lists; and of states, actions and offsets.
_RULES: Final = types.UniTuple(PARAMETERS, 3)
_GAMES: Final = types.Tuple((STATES, BYTES, PARAMETERS))
_FLAGS: Final = types.Array(types.boolean, 2, "C")


@runtime_checkable
class HasProbabilities(Protocol):
    """An agent without a memory that knows how probable its network finds a move."""

    def probabilities_of(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return distributions over the legal moves, float64, shape ``(games, MOVES)``."""


@runtime_checkable
class GivesProbabilities(Protocol):
    """An agent that plays what its network finds most probable, but knows how probable that is."""

    def masked_probabilities(self, batch: Batch) -> np.ndarray:
        """Return distributions over the legal moves, float64, shape ``(games, MOVES)``."""


class Hypotheses:
    """A pool of agents, asked for the weights that they give to a partner's moves.

    Rule lists remember nothing, and are asked in one compiled loop; networks see what is encoded
    once for all of them. The others are asked one after another; those with a memory replay each
    imagined game from its deal.

    Several hands are imagined; hypotheses that are ``unlikely`` anyway get the first one only.
    ``size`` is how many agents there are.
    """

    def __init__(self, agents: Sequence[Agent]) -> None:
        self.size = len(agents)
        rule_lists = {
            index: agent for index, agent in enumerate(agents) if isinstance(agent, RuleList)
        }
        self._rule_lists = np.array(list(rule_lists), np.int64)
        self._networks = {
            index: agent
            for index, agent in enumerate(agents)
            if isinstance(agent, HasProbabilities)
        }
        self._others = {
            index: _WithProbabilities(agent) if isinstance(agent, GivesProbabilities) else agent
            for index, agent in enumerate(agents)
            if index not in rule_lists and index not in self._networks
        }
        for agent in rule_lists.values():
            agent.compile()
        parameters = [agent.parameters for agent in rule_lists.values()]
        self._parameters = np.concatenate([np.zeros(0, np.int64), *parameters])
        self._ends = np.cumsum([0, *map(len, parameters)])

    def weights_in_games(
        self, logs: GameLogs, seat: int, samples: int | None, unlikely: np.ndarray
    ) -> np.ndarray:
        """Return the weight that each agent gives to each move of the partner in whole games.

        Args:
            logs: legal two-player games.
            seat: where the meta-agent sat, which knows the cards that left its hand, and of
                those left at the end what the hints say.
            samples: how many hands to imagine in place of those; None if they were shown.
            unlikely: agents that need one hand only, bool, shape ``(games, agents)``.

        Returns:
            Float64, shape ``(turns, agents)``, the turns of all games as in ``logs.actions``; 0
            in the meta-agent's own turns.
        """
        decks = logs.decks[None]
        if samples is not None:
            decks, _ = imagine(last_states(logs), seat, samples)
        weights = np.zeros((len(logs.actions), self.size))
        for sample, deck in enumerate(decks):
            asked = _asked(sample, unlikely)
            games = GameLogs(2, np.ascontiguousarray(deck), logs.actions, logs.offsets)
            states = full_game(2).new_states(len(games))
            deal_all(states, games.decks)
            played = states, games.actions, games.offsets
            self._add_rule_lists(played, 1 - seat, asked, weights)
            if self._networks:
                turns = encode_turns(games)
                rows = np.flatnonzero(games.turns % 2 != seat)
                seen = turns.observations[rows], turns.legal[rows], turns.actions[rows]
                self._add_networks(seen, asked[turns.games[rows]], rows, weights)
            for index, agent in self._others.items():
                if len(rows := np.flatnonzero(asked[:, index])):
                    given = move_probabilities(agent, games.select(rows), [1 - seat])
                    weights[asked[logs.games, index], index] += given
        return weights / np.where(unlikely, 1, len(decks))[logs.games]

    def weights_of_moves(
        self, states: np.ndarray, actions: np.ndarray, seat: int, samples: int, unlikely: np.ndarray
    ) -> np.ndarray:
        """Return the weight that each agent gives to the move that the partner is about to make.

        Args:
            states: records of dtype ``STATE``, in which the partner is to move.
            actions: its moves, legal ones.
            seat: where the meta-agent sits, which knows what it sees once the move is made.
            samples: how many hands of its own to imagine.
            unlikely: agents that need one hand only, bool, shape ``(games, agents)``.

        Returns:
            Float64, shape ``(games, agents)``.
        """
        after = states.copy()
        apply_all(after, actions)
        decks, hands = imagine(after, seat, samples)
        weights = np.zeros((len(states), self.size))
        imagined_states, all_asked = [], [_asked(sample, unlikely) for sample in range(samples)]
        for asked, deck, hand in zip(all_asked, decks, hands, strict=True):
            imagined = states.copy()
            imagined["deck"] = deck
            imagined["hands"][:, seat] = hand
            for index, agent in self._others.items():
                if len(rows := np.flatnonzero(asked[:, index])):
                    memory = memory_at(agent, imagined[rows], 1 - seat)
                    batch = Batch(imagined[rows], 1 - seat, memory)
                    given = agent.weights(batch)
                    weights[rows, index] += given[np.arange(len(rows)), actions[rows]]
            imagined_states.append(imagined)
        if self._networks:
            views = encode_views(np.concatenate(imagined_states), 1 - seat)
            rows = np.tile(np.arange(len(actions)), samples)
            seen = *views, np.tile(actions, samples)
            self._add_networks(seen, np.concatenate(all_asked), rows, weights)
        for asked, imagined in zip(all_asked, imagined_states, strict=True):
            played = imagined, actions, np.arange(len(states) + 1)  # one turn each
            self._add_rule_lists(played, 1 - seat, asked, weights)
        return weights / np.where(unlikely, 1, samples)

    def _add_networks(
        self, seen: tuple[np.ndarray, ...], asked: np.ndarray, rows: np.ndarray, weights: np.ndarray
    ) -> None:
        """Add what each network that is asked gives to moves, to these rows of the weights.

        Packed observations, legal moves and the moves are ``seen``, once for all networks.
        """
        for index, network in self._networks.items():
            chosen = np.flatnonzero(asked[:, index])
            observations, legal, actions = (array[chosen] for array in seen)
            shares = network.probabilities_of(observations, legal)
            np.add.at(weights[:, index], rows[chosen], shares[np.arange(len(chosen)), actions])

    def _add_rule_lists(
        self, games: tuple[np.ndarray, ...], seat: int, asked: np.ndarray, weights: np.ndarray
    ) -> None:
        """Add what the rule lists give to the moves of ``seat``, and play the games to the end.

        A game goes on from a state: the games are states, and actions and offsets as of game logs.
        """
        if len(self._rule_lists):
            rules = self._parameters, self._ends, self._rule_lists
            _weigh(choose_by_rules, rules, games, seat, new_view(), asked, weights)


def _asked(sample: int, unlikely: np.ndarray) -> np.ndarray:
    """Return which agents get the hand that is imagined as number ``sample``."""
    return np.ones_like(unlikely) if sample == 0 else ~unlikely


class _WithProbabilities(Agent):
    """A network whose weights are the probabilities of its moves."""

    def __init__(self, agent: GivesProbabilities) -> None:
        self._agent = agent

    def weights(self, batch: Batch) -> np.ndarray:
        return self._agent.masked_probabilities(batch)


@njit(
    types.void(FUNCTIONS[0], _RULES, _GAMES, types.int64, BYTE_ROWS, _FLAGS, MATRIX),
    cache=True,
    nogil=True,
)
def _weigh(
    choose: Any,
    rules: tuple[np.ndarray, ...],
    games: tuple[np.ndarray, ...],
    seat: int,
    view: np.ndarray,
    asked: np.ndarray,
    weights: np.ndarray,
) -> None:
    """Add to the rows of the turns of ``seat``; leave the states after the last move."""
    (parameters, ends, indices), (states, actions, offsets) = rules, games
    memory, spread = np.zeros(0, np.uint8), np.zeros(MOVES)
    for game in range(len(states)):
        state = states[game]
        for turn in range(offsets[game], offsets[game + 1]):
            move = int(actions[turn])
            if state.table.current == seat:
                see(state, seat, view)
                for index in range(len(indices)):
                    if asked[game, indices[index]]:
                        own = parameters[ends[index] : ends[index + 1]]
                        chosen = choose(own, state.table, view, seat, memory, spread)
                        if chosen == SPREAD:
                            weights[turn, indices[index]] += spread[move]
                        elif chosen == move:
                            weights[turn, indices[index]] += 1.0
            apply(state, move)
