"""Agents cannot see what their player cannot see."""

from collections.abc import Iterator

import numpy as np
import pytest

from hoad.agents import agent_names, get_agent, play
from hoad.agents.follow import follow
from hoad.game.log import GameLogs, logs_of
from hoad.game.rules import apply, deal
from hoad.game.state import full_game

GAMES = 200
SWAPS = 60


def _fits(table: np.record, player: int, slot: int, card: int) -> bool:
    """Whether a card is in keeping with every hint that a slot has received."""
    colour = int(table.colour_mask[player, slot]) >> card // 5 & 1
    return bool(colour and int(table.rank_mask[player, slot]) >> card % 5 & 1)


def _drawn_at(table: np.record, player: int) -> dict[int, int]:
    """Return for each slot that holds a card where in the deck the card came from."""
    places = {slot: player * 5 + slot for slot in range(5)}
    next_card = 10
    for turn in range(int(table.turn)):
        if table.actions[turn] < 10:
            if turn % 2 == player:
                places[int(table.touched[turn]).bit_length() - 1] = next_card
            next_card += 1
    return {slot: place for slot, place in places.items() if place < 50}


def _with_other_hidden_cards(state: np.record, generator: np.random.Generator) -> np.ndarray:
    """Return a deck that differs only in cards that the player to move cannot see.

    Cards of the own hand change places with each other and with the undrawn ones, as long as
    every hint that was received stays true.
    """
    table, me = state.table, int(state.table.current)
    deck = state.deck.copy()
    places = _drawn_at(table, me)
    slot_at = {place: slot for slot, place in places.items()}
    hidden = [*places.values(), *range(50 - int(table.deck_left), 50)]
    for _ in range(SWAPS):
        here, there = generator.choice(list(places.values())), generator.choice(hidden)
        moved = ((here, int(deck[there])), (there, int(deck[here])))
        if all(p not in slot_at or _fits(table, me, slot_at[p], card) for p, card in moved):
            deck[here], deck[there] = deck[there], deck[here]
    return deck


@pytest.fixture(scope="module", params=[3, 16, 29, 44, 59])
def same_to_the_player(request: pytest.FixtureRequest) -> Iterator[tuple[GameLogs, GameLogs]]:
    """Games up to a turn, and the same actions on decks that look the same to who moves next."""
    turn, generator = request.param, np.random.default_rng(request.param)
    agents = [get_agent("iggi"), get_agent("internal")]
    played = play(agents, GAMES, seed=11)
    decks, others, actions = [], [], []
    for game in range(GAMES):
        moves = played.actions_of(game)[: turn + 1]
        if len(moves) <= turn:
            continue
        state = full_game(2).new_states(1)[0]
        state.deck[:] = played.decks[game]
        deal(state, 0)
        for action in moves[:turn]:
            apply(state, int(action))
        decks.append(played.decks[game])
        others.append(_with_other_hidden_cards(state, generator))
        actions.append(moves)
    yield logs_of(2, decks, actions), logs_of(2, others, actions)


def _last_distribution(name: str, logs: GameLogs) -> np.ndarray:
    """What the agent, with fresh memory, thinks of the last move of each game."""
    turn = int(logs.offsets[1]) - 1
    seats = np.zeros((len(logs), 2), bool)
    seats[:, turn % 2] = True
    *_, last = follow(get_agent(name), logs, seats)
    return last.weights


@pytest.mark.parametrize("name", [name for name in agent_names() if get_agent(name).fair])
def test_hidden_cards_do_not_change_what_an_agent_does(
    same_to_the_player: tuple[GameLogs, GameLogs], name: str
) -> None:
    real, other = same_to_the_player

    assert (_last_distribution(name, real) == _last_distribution(name, other)).all()


def test_the_hidden_cards_did_change(same_to_the_player: tuple[GameLogs, GameLogs]) -> None:
    real, other = same_to_the_player

    assert (real.decks != other.decks).any(axis=1).mean() > 0.9
