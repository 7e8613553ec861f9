"""Belief from the niche that the partner seems to belong to (Canaan et al. 2020).

The partner's features are estimated from all games with it; the belief is in the hypotheses with
such features in self-play. That agents behave differently with other partners is ignored.

The published program differs from the paper, and from :class:`NicheBelief`, in four ways:

- it estimates the partner's features again at each of its own turns, in the middle of a game too;
- where the partner plays a card, it does not count what its own last hint told about the card;
- it answers an empty niche with the elite of niche (0, 0), which is also its first estimate;
- it sees no moves of the partner before its own first and after its own last move of a game.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numba import njit

from hoad.agents.agent import Agent, CompiledAgent, Event, Hands, Memory, Parameters, Table, Weights
from hoad.agents.behaviour import (
    COUNTS,
    HINTS,
    KNOWN,
    OPPORTUNITIES,
    PLAYS,
    count_behaviour,
    features_of,
)
from hoad.agents.features import OBSERVABLE
from hoad.agents.rules.rule_list import RuleList, choose_by_rules
from hoad.agents.situation import only_value
from hoad.bayes.belief import PartnerBelief
from hoad.bayes.matchups import Matchups
from hoad.bayes.meta_agent import MetaAgent
from hoad.bayes.pool import Pool, agents_of
from hoad.bayes.response import ExpectedBest
from hoad.core.errors import HoadError
from hoad.evolution.map_elites import niches_of
from hoad.game.log import GameLogs
from hoad.game.moves import COLOUR_HINT, PLAY
from hoad.game.rules import apply, deal_deck
from hoad.game.state import MAX_HAND, full_game


class NicheBelief(PartnerBelief):
    """Certain of the hypotheses of the niche that the partner's behaviour falls into.

    The belief is uniform where that niche is empty, and until the partner has had more turns with a
    hint token than the threshold. A feature that is not defined yet counts as 0, as in the
    published program. The pool holds the hypotheses.

    Attributes:
        grid: number of niches by feature.
        niches: of the hypotheses, int64, numbered row by row.

    Raises:
        HoadError: a hypothesis has no niche, or one by features that a partner does not see.
    """

    def __init__(self, pool: Pool, threshold: int = 0) -> None:
        if pool.grid is None or pool.features is None or None in pool.niches:
            raise HoadError("niche: agents outside of a population have no niche; leave them out")
        if pool.features != OBSERVABLE:
            raise HoadError(
                f"niche: the population's features are {' and '.join(pool.features)}; partners "
                f"are known by {' and '.join(OBSERVABLE)}: leave niche out"
            )
        self.size = len(pool.niches)
        self.grid = pool.grid
        self.niches = np.array(pool.niches, dtype=np.int64) @ (pool.grid[1], 1)
        self._threshold = threshold
        self.begin(0)

    def begin(self, episodes: int) -> None:
        self._counts = np.zeros((episodes, COUNTS), np.int64)

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        self._counts += count_behaviour(logs)[:, 1 - seat]

    @property
    def estimates(self) -> np.ndarray:
        """The partner's features as they seem, float64, shape ``(episodes, 2)``."""
        return np.nan_to_num(features_of(self._counts))

    @property
    def probabilities(self) -> np.ndarray:
        seen = niches_of(self.estimates, self.grid)
        fits = seen[:, None] == self.niches
        confident = self._counts[:, OPPORTUNITIES] > self._threshold
        fits[~confident | ~fits.any(1)] = True
        return fits / fits.sum(1, keepdims=True)


CODE: Final = ("choose_by_niche", "hoad.bayes.published_niche")  # an identity, not a path

# The memory of a game: the counts HINTS to KNOWN as int32, what the partner knew of its cards
# before the meta-agent's last move (attributes by slot), and whether there was such a move.
_COUNTED: Final = KNOWN + 1
_KNEW: Final = 4 * _COUNTED
_MOVED: Final = _KNEW + MAX_HAND
_BYTES: Final = -(-(_MOVED + 1) // 8) * 8


class PublishedNicheBelief(NicheBelief):
    """Certain of the niche of the partner's features as the published program counts them."""

    def update(self, logs: GameLogs, seat: int, responses: np.ndarray) -> None:
        self._counts += count_as_published(logs, seat)

    def memory(self) -> np.ndarray:
        """Return what an agent knows of its partner at the deal, uint8, a row for each episode."""
        memory = np.zeros((len(self._counts), _BYTES), np.uint8)
        counts = np.ascontiguousarray(self._counts[:, :_COUNTED], dtype=np.int32)
        memory[:, :_KNEW] = counts.view(np.uint8)
        return memory


class PublishedNicheMetaAgent(MetaAgent):
    """The meta-agent that answers the partner's niche at every turn, as the published program.

    Raises:
        HoadError: as :class:`~hoad.bayes.niche.NicheBelief`; or an agent of the pool is no
            rule list.
    """

    belief: PublishedNicheBelief

    def __init__(
        self, name: str, pool: Pool, matchups: Matchups, partner: int | None = None
    ) -> None:
        if matchups.responses != matchups.hypotheses:
            raise HoadError(f"{name}: as_published responds with its hypotheses only")
        belief, response = PublishedNicheBelief(pool), ExpectedBest(matchups)
        super().__init__(name, matchups, belief, response, partner)
        self._by_seat = [_niche_agent(name, belief, matchups, seat) for seat in range(2)]

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        return [self._by_seat[seat]] * len(super().agents(game, seat))

    def memory(self, game: int, seat: int) -> np.ndarray:
        return self.belief.memory()


def count_as_published(logs: GameLogs, seat: int) -> np.ndarray:
    """Count what the partner of ``seat`` did as the published program does (see the module).

    Int64, shape ``(games, COUNTS)``, as :func:`hoad.agents.behaviour.count_behaviour`; the chances
    of the cards played are not counted.
    """
    counts = np.zeros((len(logs), COUNTS), np.int64)
    _count(full_game(2).new_states(1), (logs.decks, logs.actions, logs.offsets), seat, counts)
    return counts


def _niche_agent(name: str, belief: NicheBelief, matchups: Matchups, seat: int) -> CompiledAgent:
    """Return the agent that answers each niche, in a seat, with its best response."""
    agents = agents_of(matchups.agents)
    lists = [agent for agent in agents if isinstance(agent, RuleList)]
    if len(lists) < len(agents):
        raise HoadError(f"{name}: as_published plays as rule lists only; leave other agents out")
    responses = _responses(belief, matchups, seat)
    chosen = np.unique(responses)
    for agent in lists:
        agent.compile()
    rows = [agent.parameters for agent in lists]
    sizes = [len(rows[index]) for index in chosen]
    first = 2 + 2 * len(responses)
    ends = first + np.cumsum(sizes)
    place = np.searchsorted(chosen, responses)
    parameters = [*belief.grid, *(ends - sizes)[place], *ends[place]]
    parameters += [number for index in chosen for number in rows[index]]
    return CompiledAgent(name, CODE, choose_by_niche, observe_partner, parameters, _BYTES)


def _responses(belief: NicheBelief, matchups: Matchups, seat: int) -> np.ndarray:
    """Return the response to each niche of the grid, by index in the pool, int64."""
    default = (belief.niches == 0).argmax()  # the first agent if that niche is empty too
    responses = np.full(np.prod(belief.grid), default)
    responses[belief.niches] = ExpectedBest(matchups).choose(np.eye(len(belief.niches)), seat)
    return responses


@njit(cache=True, nogil=True)
def choose_by_niche(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, weights: Weights
) -> int:
    """Return the move of the response to the partner's niche, or ``SPREAD``."""
    counts = memory[:_KNEW].view(np.int32)
    communicativeness = _niche(counts[HINTS], counts[OPPORTUNITIES], parameters[0])
    information = _niche(counts[KNOWN], 2 * counts[PLAYS], parameters[1])
    niches = parameters[0] * parameters[1]
    place = 2 + communicativeness * parameters[1] + information
    start, end = parameters[place], parameters[place + niches]
    return choose_by_rules(parameters[start:end], table, hands, me, memory, weights)


@njit(cache=True, nogil=True)
def _niche(pieces: int, chances: int, niches: int) -> int:
    """Return the niche of a ratio; the first while it is undefined."""
    return min(pieces * niches // chances, niches - 1) if chances > 0 else 0


@njit(cache=True, nogil=True)
def observe_partner(
    parameters: Parameters, table: Table, hands: Hands, me: int, memory: Memory, event: Event
) -> int:
    """Observe for :func:`choose_by_niche`."""
    _count_action(table, me, memory, event.action)
    return 0


@njit(cache=True, nogil=True)
def _count_action(table: Table, me: int, memory: Memory, action: int) -> None:
    """Count the partner's action; at an own one, remember what the partner knew before it."""
    partner = 1 - me
    if int(table.current) == me:
        for slot in range(MAX_HAND):
            memory[_KNEW + slot] = _attributes_known(table, partner, slot)
        memory[_MOVED] = 1
    elif memory[_MOVED]:
        counts = memory[:_KNEW].view(np.int32)
        if table.tokens > 0:
            counts[OPPORTUNITIES] += 1
        if action >= COLOUR_HINT:
            counts[HINTS] += 1
        elif action >= PLAY:
            counts[PLAYS] += 1
            counts[KNOWN] += memory[_KNEW + int(table.order[partner, action - PLAY])]


@njit(cache=True, nogil=True)
def _attributes_known(table: Table, player: int, slot: int) -> int:
    colour = int(only_value(int(table.colour_mask[player, slot])) >= 0)
    return colour + int(only_value(int(table.rank_mask[player, slot])) >= 0)


@njit(cache=True, nogil=True)
def _count(
    states: np.ndarray, games: tuple[np.ndarray, ...], seat: int, counts: np.ndarray
) -> None:
    state, (decks, actions, offsets) = states[0], games
    for game in range(len(decks)):
        memory = np.zeros(_BYTES, np.uint8)
        deal_deck(state, decks[game])
        for index in range(offsets[game], offsets[game + 1]):
            is_last = index == offsets[game + 1] - 1
            action = int(actions[index])
            if int(state.table.current) == seat or not is_last:  # an unseen last move
                _count_action(state.table, seat, memory, action)
            apply(state, action)
        counts[game, :_COUNTED] = memory[:_KNEW].view(np.int32)
