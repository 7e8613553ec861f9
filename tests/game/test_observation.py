"""The canonical observation: HLE's lengths and bits, and nothing of what is hidden."""

import hashlib
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.game import Game
from hoad.game.observation import encode, observation_bytes, observation_length
from hoad.game.state import Variant, full_game, small_game, very_small_game
from tests.game.examples import VARIANTS, deck_from, observed_random_play, random_position
from tests.scripts import prints_the_same_without_compilation

OPENING = deck_from([5, 15, 0, 8, 21, 0, 9, 4, 20, 14, 18, 22, 1, 0, 22])
"""Begins like the deck of the worked example, HLE's seed 1000."""
GOLDEN = {
    "full-2": "8721adeb416469b41672b24f76351ac82df1d8b1",
    "full-3": "996d877d5c6f4585403c82ced0f88464f69df1bd",
    "full-4": "11f1a9b6f5723fde587474ad4c6a47e02f2335a4",
    "full-5": "2a2b0b2f6ee325c58936c32f2fb48e86ccefc94f",
    "minimal-2": "07f8dca1343fa9e994971ee6ed3f86cd97f2c79c",
    "minimal-5": "f10f4145f2d891c5d63c120b5ca8518d3d89ab60",
    "seer-2": "73797c72f372ba64e19bdfcbde5500422de4c57e",
    "seer-3": "a52974a481e973bf9b78a56d5ae2c3d6350c6d9a",
    "small-2": "348f5d9e077ec3d0820365f55c58cc6073e918bd",
    "small-3": "bd64e0c979e6673d8ce636795afdcba712820531",
    "very-small-2": "d8c4f6a285264600113df67292927285df65f77f",
    "very-small-4": "7a8fc33a337b4c9e4b016d90891fe89bf77f9eb3",
    "very-small-5": "18591dc532b635684aad3658e61b7a7d892b4206",
    "four-by-four": "5b3cb285e9b6de08c0699455c6b06c3abfc5feeb",
}
"""sha1 of 2,000 packed observations of random play; the same code gives HLE's observations."""


def set_bits(game: Game, player: int | None = None) -> set[int]:
    return set(np.flatnonzero(game.observation(player)).tolist())


def packed(state: np.record, variant: Variant, observer: int) -> bytes:
    out = np.full(observation_bytes(variant), 0xAA, np.uint8)
    encode(state.table, state.hands, observer, out)
    return out.tobytes()


def sha1(data: np.ndarray) -> str:
    return hashlib.sha1(data.tobytes()).hexdigest()


def test_lengths_are_hles():
    kinds: dict[Callable[[int], Variant], list[int]] = {
        full_game: [658, 956, 1041, 1280],
        partial(full_game, observation="minimal"): [308, 431, 481, 580],
        small_game: [171, 226, 281, 336],
        very_small_game: [106, 139, 172, 205],
    }
    for kind, lengths in kinds.items():
        variants = [kind(players) for players in (2, 3, 4, 5)]
        assert [observation_length(variant) for variant in variants] == lengths
        assert [observation_bytes(variant) for variant in variants] == [
            -(-length // 8) for length in lengths
        ]


@pytest.mark.parametrize(
    ("moves", "bits", "digest"),
    [
        (
            [],
            {
                (0, 308): {0, 34, 54, 95, 114, *range(127, 167), *range(192, 203)},
                (308, 658): {308 + 35 * card + bit for card in range(10) for bit in range(25)},
            },
            "a4caa9b4e7173273fa34780ff3d57dd997403454",
        ),
        (
            [6],  # a play that fits
            {
                (0, 182): {5, 25, 58, 96, 118, *range(127, 166)},
                (182, 308): {182, *range(192, 203), 254, 255, 277, 296, 306},
            },
            "d7ce9dfefbc9439e58275c554fd3e808f7c42236",
        ),
        (
            [6, 8, 14],  # a colour hint
            {
                (192, 200): {*range(192, 199)},
                (253, 308): {254, 257, 259, 265, 275},
                (308, 343): {*range(308, 328)},
                (448, 483): {*range(468, 473), 477},
            },
            "c223c31f21d90b672c7679d0cf188141ea872f69",
        ),
        (
            [6, 8, 14, 4],  # a discard
            {(192, 200): {*range(192, 200)}, (248, 249): {248}, (253, 308): {254, 256, 280, 303}},
            "361242e7bdabcb7ab5e4ecf8c09cb9813f558826",
        ),
    ],
    ids=["start", "play", "hint", "discard"],
)
def test_a_game_of_two_players_is_observed_as_in_hle(moves, bits, digest):
    game = Game(deck=OPENING)
    for move in moves:
        game.step(move)

    for (first, end), expected in bits.items():
        assert {bit for bit in set_bits(game) if first <= bit < end} == expected
    assert sha1(np.packbits(game.observation())) == digest  # of HLE's bytes


def test_the_last_action_is_told_relative_to_the_observer_and_whether_it_regained_a_token():
    game = Game(deck=OPENING)
    game.step("hint blue")
    assert {bit for bit in set_bits(game, player=0) if 253 <= bit < 308} == {
        253,
        257,
        260,
        265,
        274,
    }

    of_three = Game(full_game(3), seed=1)
    of_three.step(next(move for move in of_three.legal_moves if 15 <= move < 20))
    targets = [of_three.observation(player)[381:384].tolist() for player in range(3)]
    assert targets == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]

    game = Game(deck=deck_from([0, 2, 4, 8, 10, 1, 3, 5, 5, 6]))
    for move in ("hint red", "hint red", *["play 0"] * 5):
        game.step(move)
    assert {306, 307} <= set_bits(game)


def test_short_hands_are_flagged_and_their_last_places_empty():
    game = Game(very_small_game(5))
    game.step("play 0")
    cards = game.variant.identities

    bits = game.observation(1)

    assert (bits[6 * cards : 7 * cards].sum(), bits[7 * cards : 8 * cards].sum()) == (1, 0)
    assert bits[8 * cards : 8 * cards + 5].tolist() == [0, 0, 0, 0, 1]


@given(
    variant=st.sampled_from(list(VARIANTS.values())),
    seed=st.integers(0, 2**32),
    turns=st.integers(0, 80),
)
def test_every_bit_is_written_and_nothing_hidden_observed(variant, seed, turns):
    state = random_position(variant, seed, turns)
    observers = range(variant.players)
    before = [packed(state, variant, observer) for observer in observers]
    zeros = np.zeros(observation_bytes(variant), np.uint8)
    encode(state.table, state.hands, 0, zeros)
    assert before[0] == zeros.tobytes()
    assert not np.unpackbits(zeros)[observation_length(variant) :].any()

    state.deck[:] = 77
    after = []
    for observer in observers:
        hand = state.hands[observer].copy()
        state.hands[observer] = 77
        after.append(packed(state, variant, observer))
        state.hands[observer] = hand

    assert after == before


@pytest.mark.parametrize("name", VARIANTS)
def test_observations_of_random_games_stay_what_they_were(name: str) -> None:
    _, observations = observed_random_play(VARIANTS[name], games=1_000, seed=1)

    assert sha1(observations[:2_000]) == GOLDEN[name]


PROGRAM = """
import hashlib
from hoad.game.log import encode_turns, replay
from tests.game.examples import random_logs
logs = random_logs(3, games=1, seed=4)
assert replay(logs).over.all()
print(hashlib.sha1(encode_turns(logs).observations.tobytes()).hexdigest())
"""


def test_plain_python_writes_the_same_observations() -> None:
    assert prints_the_same_without_compilation(PROGRAM)
