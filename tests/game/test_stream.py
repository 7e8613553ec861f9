"""Random streams, and random play from them."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from hoad.game.deck import shuffled_deck
from hoad.game.log import encode_turns
from hoad.game.random_play import pick_move
from hoad.game.state import full_game
from hoad.game.stream import Purpose, next_below, next_number, next_unit, shuffle, start_stream
from tests.game.examples import observed_random_play, random_logs


def test_numbers_are_those_of_splitmix64_and_streams_advance_independently() -> None:
    streams = np.array([1234567, 1234567], np.uint64)

    numbers = [int(next_number(streams, 0)) for _ in range(3)]

    assert numbers == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert int(next_number(streams, 1)) == numbers[0]


def test_every_seed_game_and_seat_has_a_stream_of_its_own() -> None:
    seats = {0, 1, 2, 3, 4, *map(int, Purpose)}
    starts = {start_stream(*which) for which in product(range(10), range(100), seats)}

    assert len(starts) == 10 * 100 * 17


def test_numbers_of_purposes_never_change() -> None:
    names = "DECK CHOICE SUPPORT MATCHUPS ORACLE TABLE PARTNER RESPONSE POPULATIONS STATES PROGRAM"
    numbers = dict(zip(names.split(), range(255, 244, -1), strict=True))
    found = {name: int(purpose) for name, purpose in Purpose.__members__.items()}

    assert found == numbers | {"SEARCH": 244, "IMAGINED": 248}


def assert_uniform(counts: np.ndarray) -> None:
    assert chisquare(counts.ravel()).pvalue > 1e-4


def test_integers_units_and_picked_moves_are_uniform() -> None:
    streams, moves = np.array([3, 4, 9], np.uint64), [0, 3, 4, 19, 47]

    counts = np.bincount([next_below(streams, 0, 7) for _ in range(7_000)])
    units = np.array([next_unit(streams, 1) for _ in range(5_000)])
    picked = [pick_move(sum(1 << move for move in moves), streams, 2) for _ in range(5_000)]

    assert len(counts) == 7
    assert_uniform(counts)
    assert units.min() >= 0 and units.max() < 1
    assert_uniform(np.histogram(units, bins=10, range=(0, 1))[0])
    values, counts = np.unique(picked, return_counts=True)
    assert values.tolist() == moves
    assert_uniform(counts)


def test_shuffling_brings_every_card_to_every_place() -> None:
    streams, counts = np.array([5], np.uint64), np.zeros((4, 4))

    for _ in range(4_000):
        deck = np.arange(4, dtype=np.uint8)
        shuffle(deck, 4, streams, 0)
        counts[np.arange(4), deck] += 1

    assert_uniform(counts)


def test_a_seeded_deck_depends_on_seed_and_game_alone() -> None:
    full_deck = full_game().full_deck()

    deck = shuffled_deck(full_deck, 1, 2)

    assert np.array_equal(deck, shuffled_deck(full_deck, 1, 2))
    assert not np.array_equal(deck, shuffled_deck(full_deck, 1, 3))
    assert not np.array_equal(deck, shuffled_deck(full_deck, 2, 2))
    assert np.array_equal(np.sort(deck), full_deck)


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
