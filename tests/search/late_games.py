"""Positions late in a game, in which few hands are possible."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from hoad.agents import Agent, Batch, get_agent, play
from hoad.agents.follow import follow, memory_at
from hoad.agents.imagined import last_states
from hoad.agents.situation import plausible_cards
from hoad.game.log import GameLogs, logs_of
from hoad.game.rules import apply_all, legal_moves, replay_moves
from hoad.partners.model import Ensemble
from hoad.search.past import NEVER, Past, past_of


def late_pasts(names: tuple[str, str], left: int, games: int = 40) -> Iterator[Past]:
    """Yield games so far, as seen by the player to move, once ``left`` cards are undrawn."""
    played = play([get_agent(name) for name in names], games, seed=3)
    for game in range(games):
        actions = played.actions_of(game)
        for turns in range(len(actions) - 1, 0, -1):
            cut = GameLogs(2, played.decks[[game]], actions[:turns], np.array([0, turns]))
            state = last_states(cut)
            if state[0]["table"]["deck_left"] == left:
                yield past_of(state, turns % 2)
                break


def possible_hands(past: Past) -> dict[tuple[int, ...], float]:
    """Return all hands, of the slots that hold a card, with the number of ways to draw them."""
    [state] = past.now
    seat, held = past.seat, past.since < NEVER
    left = int(state.table.deck_left)
    unseen = [*state.deck[50 - left :].tolist(), *state.hands[seat, :5][held].tolist()]
    masks = [plausible_cards(state.table, seat, int(slot)) for slot in np.flatnonzero(held)]
    ways: dict[tuple[int, ...], float] = {}
    for hand in permutations(unseen, len(masks)):
        if all(mask >> card & 1 for mask, card in zip(masks, hand, strict=True)):
            ways[hand] = ways.get(hand, 0) + 1
    return ways


def with_hand(past: Past, hand: tuple[int, ...]) -> GameLogs:
    """Return the game so far on a deck that gives the player this hand."""
    [state] = past.now
    held = past.places[past.since < NEVER]
    left = int(state.table.deck_left)
    unseen = [*state.deck[50 - left :].tolist(), *state.deck[held].tolist()]
    for card in hand:
        unseen.remove(card)
    deck = state.deck.copy()
    deck[held], deck[50 - left :] = hand, unseen
    return logs_of(2, [deck], [state.table.actions[: state.table.turn]])


def likelihood(agent: Agent, noise: float, past: Past, hand: tuple[int, ...]) -> float:
    """The probability of all the partner's moves if the player holds this hand."""
    logs, partner = with_hand(past, hand), 1 - past.seat
    product = 1.0
    for turn in follow(agent, logs, np.array([[partner == 0, partner == 1]])):
        state = past.states[turn.turns[0]].copy()
        shown = past.since <= turn.turns[0]
        state.hands[past.seat, :5][shown] = logs.decks[0, past.places[shown]]
        legal = legal_moves(state.table, state.hands).bit_count()
        product *= (1 - noise) * turn.weights[0, turn.actions[0]] + noise / legal
    return product


def posterior(ensemble: Ensemble, past: Past) -> dict[tuple[int, tuple[int, ...]], float]:
    """The probability of every (hypothesis, hand), by enumeration."""
    found = {
        (index, hand): ensemble.probabilities[index]
        * ways
        * likelihood(agent, ensemble.noise, past, hand)
        for index, agent in enumerate(ensemble.agents)
        for hand, ways in possible_hands(past).items()
    }
    total = sum(found.values())
    return {key: value / total for key, value in found.items()}


def score_after(past: Past, deck: np.ndarray, move: int, agents: list[Agent]) -> int:
    """Play on from a turn on a deck, with the agents that sit in seats 0 and 1."""
    state = past.now.copy()
    state["deck"][0] = deck
    replay_moves(state[0], deck, past.now[0].table.actions[: past.now[0].table.turn])
    memory = [memory_at(agent, state, seat) for seat, agent in enumerate(agents)]
    moves = np.array([move], np.uint8)
    while True:
        for seat, agent in enumerate(agents):
            agent.observe(state, seat, memory[seat], moves)
        apply_all(state, moves)
        if state[0].table.over:
            return int(state[0].table.score) if state[0].table.lives else 0
        seat = int(state[0].table.current)
        batch = Batch(state, seat, memory[seat], np.zeros(1, np.uint64))
        moves = agents[seat].act(batch)
