"""The canonical observation: HLE's lengths and bits, and nothing of what is hidden."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
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
UNKNOWN_CARD = list(range(25))
OWN, PARTNER = 308, 483


def set_bits(game: Game, player: int | None = None) -> set[int]:
    return set(np.flatnonzero(game.observation(player)).tolist())


def packed(state: np.record, variant: Variant, observer: int) -> bytes:
    out = np.full(observation_bytes(variant), 0xAA, np.uint8)
    encode(state.table, state.hands, observer, out)
    return out.tobytes()


def sha1(data: np.ndarray) -> str:
    return hashlib.sha1(data.tobytes()).hexdigest()


@pytest.mark.parametrize(
    ("variants", "lengths"),
    [
        ([full_game(players) for players in (2, 3, 4, 5)], [658, 956, 1041, 1280]),
        ([full_game(players, "minimal") for players in (2, 3, 4, 5)], [308, 431, 481, 580]),
        ([small_game(players) for players in (2, 3, 4, 5)], [171, 226, 281, 336]),
        ([very_small_game(players) for players in (2, 3, 4, 5)], [106, 139, 172, 205]),
    ],
    ids=["full", "minimal", "small", "very-small"],
)
def test_lengths_are_hles(variants: list[Variant], lengths: list[int]) -> None:
    assert [observation_length(variant) for variant in variants] == lengths
    assert [observation_bytes(variant) for variant in variants] == [
        -(-length // 8) for length in lengths
    ]


class TestWorkedExample:
    """HLE's own observations in a game of two players; the hashes are of HLE's bytes."""

    def test_at_the_start(self) -> None:
        game = Game(deck=OPENING)

        knowledge = {308 + 35 * card + bit for card in range(10) for bit in UNKNOWN_CARD}
        board = {*range(127, 167), *range(192, 200), 200, 201, 202}
        assert set_bits(game) == {0, 34, 54, 95, 114} | board | knowledge
        assert sha1(np.packbits(game.observation())) == "a4caa9b4e7173273fa34780ff3d57dd997403454"

    def test_after_a_play_that_fits(self) -> None:
        game = Game(deck=OPENING)
        game.step("play 1")

        bits = set_bits(game)

        assert {bit for bit in bits if bit < 308} == {
            *(5, 25, 58, 96, 118),
            *range(127, 166),
            182,
            *range(192, 203),
            *(254, 255, 277, 296, 306),
        }
        assert sha1(np.packbits(game.observation())) == "d7ce9dfefbc9439e58275c554fd3e808f7c42236"

    def test_after_a_colour_hint(self) -> None:
        game = Game(deck=OPENING)
        for move in (6, 8, 14):
            game.step(move)

        bits = set_bits(game)

        assert {bit for bit in bits if 192 <= bit < 200} == set(range(192, 199))
        assert {bit for bit in bits if 253 <= bit < 308} == {254, 257, 259, 265, 275}
        assert {bit for bit in bits if OWN <= bit < OWN + 35} == set(range(308, 328))
        assert {bit for bit in bits if OWN + 140 <= bit < PARTNER} == {*range(468, 473), 477}
        assert sha1(np.packbits(game.observation())) == "c223c31f21d90b672c7679d0cf188141ea872f69"

    def test_after_a_discard(self) -> None:
        game = Game(deck=OPENING)
        for move in (6, 8, 14, 4):
            game.step(move)

        bits = set_bits(game)

        assert {bit for bit in bits if 192 <= bit < 200} == set(range(192, 200))
        assert 248 in bits
        assert {bit for bit in bits if 253 <= bit < 308} == {254, 256, 280, 303}
        assert sha1(np.packbits(game.observation())) == "361242e7bdabcb7ab5e4ecf8c09cb9813f558826"


class TestFields:
    def test_the_actor_sees_its_own_action_at_index_zero(self) -> None:
        game = Game(deck=OPENING)
        game.step("hint blue")

        last = {bit for bit in set_bits(game, player=0) if 253 <= bit < 308}

        assert last == {253, 257, 260, 265, 274}

    def test_the_target_of_a_hint_is_relative_to_the_observer(self) -> None:
        variant = full_game(3)
        game = Game(variant, seed=1)
        game.step(next(move for move in game.legal_moves if 15 <= move < 20))

        targets = [
            np.flatnonzero(game.observation(player)[381:384]).tolist() for player in range(3)
        ]

        assert targets == [[2], [1], [0]]

    def test_short_hands_are_flagged_and_their_last_places_empty(self) -> None:
        game = Game(very_small_game(5))
        game.step("play 0")
        variant = game.variant

        bits = game.observation(1)

        hands_end = 4 * 2 * variant.identities
        last_player = bits[3 * 2 * variant.identities : hands_end]
        assert last_player[: variant.identities].sum() == 1
        assert last_player[variant.identities :].sum() == 0
        assert bits[hands_end : hands_end + 5].tolist() == [0, 0, 0, 0, 1]

    def test_regaining_a_token_is_told(self) -> None:
        game = Game(deck=deck_from([0, 2, 4, 8, 10, 1, 3, 5, 5, 6]))
        for move in ("hint red", "hint red", *["play 0"] * 5):
            game.step(move)

        assert {306, 307} <= set_bits(game)


positions = st.tuples(
    st.sampled_from(list(VARIANTS.values())), st.integers(0, 2**32), st.integers(0, 80)
)


@settings(deadline=None, max_examples=100)
@given(position=positions)
def test_nothing_hidden_is_observed(position: tuple[Variant, int, int]) -> None:
    variant, seed, turns = position
    state = random_position(variant, seed, turns)
    observers = range(variant.players)
    before = [packed(state, variant, observer) for observer in observers]

    state.deck[:] = 77
    after = []
    for observer in observers:
        hand = state.hands[observer].copy()
        state.hands[observer] = 77
        after.append(packed(state, variant, observer))
        state.hands[observer] = hand

    assert after == before


@settings(deadline=None, max_examples=100)
@given(position=positions)
def test_every_bit_is_written(position: tuple[Variant, int, int]) -> None:
    variant, seed, turns = position
    state = random_position(variant, seed, turns)

    zeros = np.zeros(observation_bytes(variant), np.uint8)
    encode(state.table, state.hands, 0, zeros)

    assert packed(state, variant, 0) == zeros.tobytes()
    assert not np.unpackbits(zeros)[observation_length(variant) :].any()


@pytest.mark.parametrize("name", VARIANTS)
def test_observations_of_random_games_stay_what_they_were(name: str) -> None:
    _, observations = observed_random_play(VARIANTS[name], games=1_000, seed=1)

    assert sha1(observations[:2_000]) == GOLDEN[name]


PROGRAM = """
import hashlib
from hoad.game.log import encode_turns, replay
from tests.game.examples import random_logs
logs = random_logs(3, games=3, seed=4)
assert replay(logs).over.all()
print(hashlib.sha1(encode_turns(logs).observations.tobytes()).hexdigest())
"""


def test_plain_python_writes_the_same_observations() -> None:
    assert prints_the_same_without_compilation(PROGRAM)
