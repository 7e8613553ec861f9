"""Recorded games, compared with agents move by move, and hands that are imagined."""

from itertools import product

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.agents.check import rearranged
from hoad.agents.follow import distributions, follow, in_order, memory_at, move_probabilities
from hoad.agents.imagined import imagine, last_states
from hoad.game.log import GameLogs, find_wrong_decks
from hoad.game.rules import apply
from hoad.game.state import NO_CARD
from tests.game.examples import up_to

AGENTS = ["iggi", "holmesbot", "smartbot", "infobot", "wtfwt", "legal-random", "cheatbot"]
LOGS = play([get_agent("piers"), get_agent("valuebot")], 8, seed=2)


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_probabilities_of_moves_and_memories_are_those_that_following_gives(name, seat):
    agent, one_by_one = get_agent(name), get_agent(f"noisy:0.0:{name}")
    states, seats = last_states(up_to(LOGS, 12)), np.zeros((len(LOGS), 2), np.bool_)
    seats[:, seat] = True
    expected = np.zeros(len(LOGS.actions))
    for turn in follow(agent, LOGS, seats):
        made = turn.weights[np.arange(len(turn.actions)), turn.actions]
        expected[LOGS.offsets[turn.games] + turn.turns] = made

    for asked in (agent, one_by_one):
        np.testing.assert_array_equal(move_probabilities(asked, LOGS, [seat]), expected)
    memory = memory_at(agent, states, seat)
    assert memory.shape == (len(LOGS), agent.memory_size)
    np.testing.assert_array_equal(memory, memory_at(one_by_one, states, seat))


@pytest.mark.parametrize("name", AGENTS)
def test_distributions_are_those_that_following_gives(name):
    """In either seat, both, or none."""
    agent, seats = get_agent(name), np.tile([[1, 0], [0, 1], [1, 1], [0, 0]], (2, 1)).astype(bool)

    weights = distributions(agent, LOGS, seats)

    np.testing.assert_allclose(weights.sum(1), 1)
    np.testing.assert_array_equal(weights, in_order(follow(agent, LOGS, seats), LOGS, seats))


def test_probabilities_of_both_seats_are_the_likelihood_of_the_games():
    agent = get_agent("valuebot")
    first, second = (move_probabilities(agent, LOGS, [seat]) for seat in range(2))

    np.testing.assert_array_equal(move_probabilities(agent, LOGS), first + second)
    assert second.sum() == sum(np.diff(LOGS.offsets) // 2)  # its own moves are certain


def games_cut_after(turns: int, games: int = 30) -> GameLogs:
    whole = play([get_agent("iggi"), get_agent("internal")], games, seed=5)
    return up_to(whole.select(np.flatnonzero(np.diff(whole.offsets) >= turns)), turns)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("turns", [0, 1, 10, 31, 50])
def test_imagined_games_look_the_same_to_the_player_and_depend_on_the_game_alone(seat, turns):
    logs = games_cut_after(turns)
    states = last_states(logs)

    decks, hands = imagine(states, seat, samples=3)
    alone_decks, alone_hands = imagine(states[4:5], seat, samples=2)

    for deck, hand in zip(decks, hands, strict=True):
        imagined = GameLogs(2, deck, logs.actions, logs.offsets)
        assert not find_wrong_decks(imagined).any()
        others = last_states(imagined)
        np.testing.assert_array_equal(others["table"], states["table"])
        np.testing.assert_array_equal(others["hands"][:, 1 - seat], states["hands"][:, 1 - seat])
        np.testing.assert_array_equal(others["hands"][:, seat, :5], hand)
    assert (hands != states["hands"][:, seat]).any()
    np.testing.assert_array_equal(alone_decks[:, 0], decks[:2, 4])
    np.testing.assert_array_equal(alone_hands[:, 0], hands[:2, 4])


def test_every_possible_hand_is_equally_likely():
    seat = 0
    states = last_states(games_cut_after(68, games=200))
    state = next(state for state in states if len(unseen_by(state, seat)) <= 8)
    unseen = unseen_by(state, seat)
    allowed = [
        [index for index, card in enumerate(unseen) if fits(state, seat, slot, card)]
        for slot in range(5)
        if state.hands[seat, slot] != NO_CARD
    ]
    possible = [hand for hand in product(*allowed) if len(set(hand)) == len(hand)]
    expected: dict[tuple[int, ...], float] = {}
    for hand in possible:
        cards = tuple(unseen[index] for index in hand)
        expected[cards] = expected.get(cards, 0) + 1 / len(possible)

    _, hands = imagine(np.array([state], state.dtype), seat, samples=5_000)

    drawn = hands[:, 0][:, state.hands[seat] != NO_CARD]
    assert len(expected) > 5
    for cards, chance in expected.items():
        share = (drawn == cards).all(1).mean()
        assert share == pytest.approx(chance, abs=4 * np.sqrt(chance / len(drawn)))


def unseen_by(state: np.record, seat: int) -> list[int]:
    cards = [*state.deck[50 - state.table.deck_left :].tolist(), *state.hands[seat].tolist()]
    return [card for card in cards if card != NO_CARD]


def fits(state: np.record, seat: int, slot: int, card: int) -> bool:
    colours, ranks = state.table.colour_mask[seat, slot], state.table.rank_mask[seat, slot]
    return bool(colours >> card // 5 & 1 and ranks >> card % 5 & 1)


@pytest.mark.parametrize("turn", [4, 15, 40])
def test_hidden_cards_change_nothing_that_is_imagined(turn):
    played = play([get_agent("iggi"), get_agent("internal")], 30, seed=5)
    pair = rearranged(played, turn, np.random.default_rng(1))
    states = [last_states(up_to(logs, -1)) for logs in pair]
    seat = turn % 2
    assert (states[0]["hands"][:, seat] != states[1]["hands"][:, seat]).any()

    (decks, hands), (other_decks, other_hands) = (imagine(each, seat, 4) for each in states)

    np.testing.assert_array_equal(decks, other_decks)
    np.testing.assert_array_equal(hands, other_hands)


def test_a_hint_narrows_what_is_imagined():
    [state] = last_states(games_cut_after(0).select(np.array([0])))
    hint = 15 + int(state.hands[1, 0]) % 5
    apply(state, hint)

    _, hands = imagine(np.array([state], state.dtype), seat=1, samples=200)

    named = state.hands[1] % 5 == hint - 15
    assert (hands[:, 0][:, named[:5]] % 5 == hint - 15).all()
    assert (hands[:, 0][:, ~named[:5]] % 5 != hint - 15).all()
