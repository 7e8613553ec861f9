"""Random games played side by side with the Hanabi Learning Environment itself.

After every action the state, the legal moves and every player's observation are the same. HLE
deals; what it dealt is put into our deck.
"""

import random
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from hoad.game.moves import listed_moves
from hoad.game.observation import encode, observation_bytes, observation_length
from hoad.game.rules import apply, deal, legal_moves
from hoad.game.state import OBSERVATION_KINDS, Variant
from tests.game.examples import VARIANTS

GAMES_PER_POLICY = 15  # the start player of every third one is random

Policy = Callable[[Variant, np.record, list[int], random.Random], int]


def hand_by_age(state: np.record, player: int) -> list[int]:
    length = state.table.hand_length[player]
    return [int(state.hands[player, slot]) for slot in state.table.order[player, :length]]


def uniform(variant: Variant, state: np.record, legal: list[int], rng: random.Random) -> int:
    return rng.choice(legal)


def fits(variant: Variant, state: np.record, card: int) -> bool:
    return card % variant.ranks == state.table.fireworks[card // variant.ranks]


def never_misplay(variant: Variant, state: np.record, legal: list[int], rng: random.Random) -> int:
    """Any legal move that is no misplay, so that the deck runs out."""
    hand = hand_by_age(state, state.table.current)
    misplays = {
        variant.hand_size + position
        for position, card in enumerate(hand)
        if not fits(variant, state, card)
    }
    return rng.choice([move for move in legal if move not in misplays] or legal)


def cheat(variant: Variant, state: np.record, legal: list[int], rng: random.Random) -> int:
    """Play what fits, discard what is dead, else hint, so that colours are completed."""
    hand = hand_by_age(state, state.table.current)
    for position, card in enumerate(hand):
        if fits(variant, state, card):
            return variant.hand_size + position
    for position, card in enumerate(hand):
        dead = card % variant.ranks < state.table.fireworks[card // variant.ranks]
        if dead and position in legal and rng.random() < 0.8:
            return position
    hints = [move for move in legal if move >= 2 * variant.hand_size]
    discards = [move for move in legal if move < variant.hand_size]
    return rng.choice(hints or discards or legal)


class Pair:
    """One game in HLE and the same game in ours."""

    def __init__(self, hle: ModuleType, variant: Variant, seed: int, random_start: bool) -> None:
        self.hle = hle
        self.variant = variant
        self.hle_game = hle.HanabiGame(
            {
                "players": variant.players,
                "colors": variant.colours,
                "ranks": variant.ranks,
                "hand_size": variant.hand_size,
                "max_information_tokens": variant.max_tokens,
                "max_life_tokens": variant.max_lives,
                "observation_type": OBSERVATION_KINDS.index(variant.observation),
                "random_start_player": random_start,
                "seed": seed,
            }
        )
        self.chance = hle.CHANCE_PLAYER_ID
        self.encoder = hle.ObservationEncoder(self.hle_game, hle.ObservationEncoderType.CANONICAL)
        self.hle_state = self.hle_game.new_initial_state()
        self.hle_deal()
        self.state = variant.new_states(1)[0]
        dealt = [card for hand in self.hle_hands() for card in hand]
        self.state.deck[: len(dealt)] = dealt
        deal(self.state, self.hle_state.cur_player())

    def hle_deal(self) -> None:
        while self.hle_state.cur_player() == self.chance:
            self.hle_state.deal_random_card()

    def hle_hands(self) -> list[list[int]]:
        ranks = self.variant.ranks
        return [
            [card.color() * ranks + card.rank() for card in hand]
            for hand in self.hle_state.player_hands()
        ]

    def step(self, move: int) -> None:
        """Make a move in both games, and draw in ours what HLE drew."""
        actor, deck_left = int(self.state.table.current), self.hle_state.deck_size()
        self.hle_state.apply_move(self.hle_game.get_move(move))
        if not self.hle_state.is_terminal():
            self.hle_deal()
        if self.hle_state.deck_size() < deck_left:
            newest = self.hle_hands()[actor][-1]
            self.state.deck[self.variant.cards - deck_left] = newest
        apply(self.state, move)

    def assert_same_standing(self) -> None:
        table, other = self.state.table, self.hle_state
        ranks = self.variant.ranks
        hands = [hand_by_age(self.state, player) for player in range(self.variant.players)]
        piled = [card.color() * ranks + card.rank() for card in other.discard_pile()]
        assert hands == self.hle_hands()
        assert table.discards.tolist() == np.bincount(piled, minlength=25).tolist()
        assert table.fireworks[: self.variant.colours].tolist() == other.fireworks()
        assert table.score == sum(other.fireworks())
        assert table.tokens == other.information_tokens()
        assert table.lives == other.life_tokens()
        assert table.deck_left == other.deck_size()
        assert bool(table.over) == other.is_terminal()
        if table.over:
            assert (table.score if table.lives else 0) == other.score()
        else:
            assert table.current == other.cur_player()

    def assert_same_legal_moves(self) -> list[int]:
        legal = listed_moves(legal_moves(self.state.table, self.state.hands))
        theirs = [self.hle_game.get_move_uid(move) for move in self.hle_state.legal_moves()]
        assert legal == theirs
        return legal

    def assert_same_observations(self) -> None:
        packed = np.empty(observation_bytes(self.variant), np.uint8)
        for player in range(self.variant.players):
            encode(self.state.table, self.state.hands, player, packed)
            bits = np.unpackbits(packed)[: observation_length(self.variant)]
            np.testing.assert_array_equal(bits, self.hle_bits(player), f"player {player}")

    def hle_bits(self, player: int) -> np.ndarray:
        """Return what ``ObservationEncoder.encode`` does, which makes an int of each bit."""
        lib, observation = self.hle.lib, self.hle_state.observation(player)
        text = lib.EncodeObservation(self.encoder._encoder, observation.observation())
        bits = np.frombuffer(self.hle.ffi.string(text), np.uint8)[::2] - ord("0")  # "0,1,..."
        lib.DeleteString(text)
        return bits


@pytest.mark.parametrize("policy", [uniform, never_misplay, cheat])
@pytest.mark.parametrize("name", VARIANTS)
def test_games_are_the_same_as_in_hle(hle: ModuleType, name: str, policy: Policy) -> None:
    variant = VARIANTS[name]
    for seed in range(GAMES_PER_POLICY):
        rng = random.Random(seed)
        pair = Pair(hle, variant, seed, random_start=seed % 3 == 2)
        while not pair.state.table.over:
            pair.assert_same_standing()
            pair.assert_same_observations()
            pair.step(policy(variant, pair.state, pair.assert_same_legal_moves(), rng))
        pair.assert_same_standing()
        pair.assert_same_observations()
        assert legal_moves(pair.state.table, pair.state.hands) == 0


@pytest.mark.parametrize(
    ("policy", "ending"), [(uniform, "no lives"), (never_misplay, "no cards"), (cheat, "complete")]
)
def test_each_policy_brings_about_another_end(hle: ModuleType, policy: Policy, ending: str) -> None:
    variant, rng = VARIANTS["full-2"], random.Random(1)
    endings = set()
    for seed in range(GAMES_PER_POLICY):
        pair = Pair(hle, variant, seed, random_start=False)
        while not pair.state.table.over:
            pair.step(policy(variant, pair.state, pair.assert_same_legal_moves(), rng))
        table = pair.state.table
        endings.add(
            "no lives" if not table.lives else "complete" if table.score == 25 else "no cards"
        )

    assert ending in endings


@pytest.mark.parametrize("name", VARIANTS)
def test_sizes_are_hles(hle: ModuleType, name: str) -> None:
    variant = VARIANTS[name]

    pair = Pair(hle, variant, seed=0, random_start=False)

    assert observation_length(variant) == int(np.prod(pair.encoder.shape()))
    assert variant.moves == pair.hle_game.max_moves()
    assert variant.cards == sum(
        pair.hle_game.num_cards(colour, rank)
        for colour in range(variant.colours)
        for rank in range(variant.ranks)
    )
