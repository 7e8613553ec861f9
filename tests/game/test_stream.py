"""Random streams, and random play from them."""

import numpy as np
import pytest
from scipy.stats import chisquare

from hoad.game.deck import shuffled_deck
from hoad.game.log import encode_turns
from hoad.game.random_play import pick_move
from hoad.game.state import full_game
from hoad.game.stream import Purpose, next_below, next_number, next_unit, shuffle, start_stream
from tests.game.examples import observed_random_play, random_logs

# Random streams: the numbers of splitmix64, each stream a function of (seed, game, seat).


def streams_from(start: int) -> np.ndarray:
    return np.array([start], np.uint64)


def test_numbers_are_those_of_splitmix64() -> None:
    streams = streams_from(1234567)

    numbers = [int(next_number(streams, 0)) for _ in range(3)]

    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_every_seed_game_and_seat_has_a_stream_of_its_own() -> None:
    seats = (0, 1, 2, 3, 4, *map(int, Purpose))
    starts = {
        int(start_stream(seed, game, seat))
        for seed in range(10)
        for game in range(100)
        for seat in seats
    }

    assert len(starts) == 10 * 100 * len(set(seats)) == 10 * 100 * 17


def test_numbers_of_purposes_never_change() -> None:
    numbers = {name: int(purpose) for name, purpose in Purpose.__members__.items()}

    assert numbers == {
        "DECK": 255,
        "CHOICE": 254,
        "SUPPORT": 253,
        "MATCHUPS": 252,
        "ORACLE": 251,
        "TABLE": 250,
        "PARTNER": 249,
        "RESPONSE": 248,
        "POPULATIONS": 247,
        "STATES": 246,
        "PROGRAM": 245,
        "SEARCH": 244,
        "IMAGINED": 248,
    }


def test_integers_are_uniform_below_their_bound() -> None:
    streams = streams_from(3)

    counts = np.bincount([next_below(streams, 0, 7) for _ in range(7_000)])

    assert len(counts) == 7
    assert chisquare(counts).pvalue > 1e-4


def test_units_are_uniform_in_zero_to_one() -> None:
    streams = streams_from(4)

    units = np.array([next_unit(streams, 0) for _ in range(5_000)])

    assert units.min() >= 0
    assert units.max() < 1
    assert chisquare(np.histogram(units, bins=10, range=(0, 1))[0]).pvalue > 1e-4


def test_streams_advance_independently() -> None:
    together = np.array([start_stream(1, 0, 0), start_stream(1, 0, 1)], np.uint64)
    alone = streams_from(int(start_stream(1, 0, 1)))

    next_number(together, 0)

    assert next_number(together, 1) == next_number(alone, 0)


def test_shuffling_brings_every_card_to_every_place() -> None:
    streams = streams_from(5)
    counts = np.zeros((4, 4))

    for _ in range(4_000):
        deck = np.arange(4, dtype=np.uint8)
        shuffle(deck, 4, streams, 0)
        counts[np.arange(4), deck] += 1

    assert chisquare(counts.ravel()).pvalue > 1e-4


def test_a_seeded_deck_depends_on_seed_and_game_alone() -> None:
    full_deck = full_game().full_deck()

    deck = shuffled_deck(full_deck, 1, 2)

    assert np.array_equal(deck, shuffled_deck(full_deck, 1, 2))
    assert not np.array_equal(deck, shuffled_deck(full_deck, 1, 3))
    assert not np.array_equal(deck, shuffled_deck(full_deck, 2, 2))
    assert np.array_equal(np.sort(deck), full_deck)


# Random play: reproducible, uniform over legal moves, the same with and without observations.


def test_every_move_of_a_set_is_picked_equally_often() -> None:
    moves = [0, 3, 4, 19, 47]
    streams = np.array([9], np.uint64)

    picked = [pick_move(sum(1 << move for move in moves), streams, 0) for _ in range(5_000)]

    values, counts = np.unique(picked, return_counts=True)
    assert values.tolist() == moves
    assert chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_observed_play_is_the_play_of_the_logs(players: int) -> None:
    logs = random_logs(players, games=20, seed=6)

    actions, observations = observed_random_play(full_game(players), games=20, seed=6)

    assert np.array_equal(actions, logs.actions)
    assert np.array_equal(observations, encode_turns(logs).observations)


def test_a_game_depends_on_seed_and_number_alone() -> None:
    few, many = random_logs(2, games=5, seed=2), random_logs(2, games=50, seed=2)

    assert np.array_equal(few.decks, many.decks[:5])
    assert np.array_equal(few.actions, many.actions[: len(few.actions)])
    assert not np.array_equal(few.decks, random_logs(2, games=5, seed=3).decks)
