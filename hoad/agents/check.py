"""Checks of an agent: what its author should correct before it plays."""

import numpy as np

from hoad.agents.agent import Agent
from hoad.agents.follow import follow
from hoad.agents.games import play, play_numbered
from hoad.agents.imagined import drawn_at
from hoad.agents.registry import get_agent
from hoad.agents.situation import plausible_cards
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, logs_of
from hoad.game.rules import replay_moves
from hoad.game.state import MAX_CARDS, full_game

_SWAPS = 60

_SEED = 0


def check_agent(agent: Agent, games: int = 40) -> list[str]:
    """Return what is wrong with an agent, one sentence each; an empty list if it is sound.

    The agent plays ``games`` of each kind, with itself and following iggi with internal. It must
    give no weight to illegal moves, answer equally when asked twice, keep nothing from one game to
    the next and, unless it is not ``fair``, see neither its own cards nor the deck.
    """
    try:
        together = play([agent, agent], games, _SEED)
    except HoadError as error:
        return [str(error)]
    order = np.arange(games)[::-1]
    backwards = play_numbered([agent, agent], order, _SEED).select(order)
    if not np.array_equal(together.actions, backwards.actions):
        return [
            f"agent {agent.name}: plays the same deal differently after other games or when asked "
            "again: keep nothing between calls, and express chance in the weights"
        ]
    return _peeks(agent, games) if agent.fair else []


def _peeks(agent: Agent, games: int) -> list[str]:
    generator = np.random.default_rng(_SEED)
    played = play([get_agent("iggi"), get_agent("internal")], games, _SEED)
    for turn in range(3, 60, 7):  # odd and even turns: both seats
        real, other = rearranged(played, turn, generator)
        difference = last_weights(agent, real) != last_weights(agent, other)
        if difference.any():
            return [
                f"agent {agent.name}: weighs its moves in turn {turn} differently when only cards "
                "change that it cannot see: use only what hoad.agents.agent.see shows"
            ]
    return []


def last_weights(agent: Agent, logs: GameLogs) -> np.ndarray:
    """Return how an agent, with new memory, weighs the moves in the last turn of each game.

    The games have the same number of turns; the distributions are float64, ``(games, moves)``.
    """
    turn = int(logs.offsets[1]) - 1
    seats = np.zeros((len(logs), 2), bool)
    seats[:, turn % 2] = True
    *_, last = follow(agent, logs, seats)
    return last.weights


def rearranged(
    logs: GameLogs, turn: int, generator: np.random.Generator
) -> tuple[GameLogs, GameLogs]:
    """Return the games up to a turn, and the same games on decks that look the same.

    The decks differ only in cards that the player to move last cannot see: the cards of its own
    hand are swapped with each other and with undrawn cards, as long as all hints to it stay true.
    Games that are over before ``turn`` are left out.
    """
    decks, others, actions = [], [], []
    for game in range(len(logs)):
        moves = logs.actions_of(game)[: turn + 1]
        if len(moves) <= turn:
            continue
        state = full_game(2).new_states(1)[0]
        replay_moves(state, logs.decks[game], moves[:turn])
        decks.append(logs.decks[game])
        others.append(_with_other_hidden_cards(state, generator))
        actions.append(moves)
    return logs_of(2, decks, actions), logs_of(2, others, actions)


def _with_other_hidden_cards(state: np.record, generator: np.random.Generator) -> np.ndarray:
    table, me = state.table, int(state.table.current)
    deck = state.deck.copy()
    places = enumerate(drawn_at(table, me).tolist())
    slot_at = {place: slot for slot, place in places if place < MAX_CARDS}  # else it is empty
    own, hidden = list(slot_at), [*slot_at, *range(MAX_CARDS - int(table.deck_left), MAX_CARDS)]
    for _ in range(_SWAPS):
        here, there = generator.choice(own), generator.choice(hidden)
        moved = ((here, int(deck[there])), (there, int(deck[here])))
        fits = (plausible_cards(table, me, slot_at[p]) >> c & 1 for p, c in moved if p in slot_at)
        if all(fits):  # all hints to the slots stay true
            deck[here], deck[there] = deck[there], deck[here]
    return deck
