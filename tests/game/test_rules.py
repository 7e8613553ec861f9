"""The rules, position by position, and what holds in every game."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.core.errors import HoadError
from hoad.game import Game, move_name
from hoad.game.random_play import pick_move
from hoad.game.rules import apply, legal_moves
from hoad.game.state import (
    MAX_TURNS,
    NO_CARD,
    OBSERVATION_KINDS,
    Variant,
    copies_of,
    full_game,
    very_small_game,
)
from tests.game.examples import VARIANTS, deck_from, random_position

R1, R2, R3, R4, R5, Y1, Y2, Y3 = range(8)
G1, B1, B5 = 10, 20, 24


def game_of(first_hand: Sequence[int], second_hand: Sequence[int], *draws: int) -> Game:
    return Game(deck=deck_from([*first_hand, *second_hand, *draws]))


def hand(game: Game, player: int) -> list[int]:
    """A player's cards, oldest first."""
    table = game.state.table
    slots = table.order[player, : table.hand_length[player]]
    return game.state.hands[player, slots].tolist()


def play_out(game: Game, *moves: str) -> None:
    for move in moves:
        game.step(move)


class TestDeal:
    def test_each_player_in_turn_gets_a_whole_hand_that_shrinks_with_the_players(self) -> None:
        game = Game(full_game(3), deck=full_game(3).full_deck())

        hands = [[R1, R1, R1, R2, R2], [R3, R3, R4, R4, R5], [Y1, Y1, Y1, Y2, Y2]]
        assert [hand(game, player) for player in range(3)] == hands
        assert game.state.table.deck_left == 35
        for players, cards in ((2, 5), (4, 4), (5, 4)):
            lengths = [len(hand(Game(full_game(players)), player)) for player in range(players)]
            assert lengths == [cards] * players


class TestLegalMoves:
    def test_opening_moves_are_plays_and_hints_that_touch_a_card(self):
        game = game_of([R1, R1, R1, R2, R2], [Y1, Y3, Y3, B1, B5])

        names = [move_name(game.variant, move) for move in game.legal_moves]

        plays = ["play 0", "play 1", "play 2", "play 3", "play 4"]
        assert names == [*plays, "hint yellow", "hint blue", "hint 1", "hint 3", "hint 5"]

    def test_discarding_needs_a_missing_hint_token_and_hinting_one_that_is_there(self) -> None:
        game = game_of([R1, R1, R1, R2, R2], [Y1, Y1, Y1, Y2, Y2])
        with pytest.raises(HoadError, match="illegal"):
            game.step("discard 0")

        play_out(game, "hint yellow", "discard 0")
        assert game.state.table.tokens == 8

        play_out(game, *["hint yellow", "hint red"] * 4)  # a hint may be repeated
        assert game.state.table.tokens == 0
        assert game.legal_moves == list(range(10))


class TestPlay:
    def test_the_next_rank_of_its_colour_fits_and_any_other_card_costs_a_life(self) -> None:
        game = game_of([R1, R3, R3, R4, R4], [R2, Y1, Y1, Y2, Y2])
        table = game.state.table

        play_out(game, "play 0", "play 0")
        assert table.fireworks.tolist() == [2, 0, 0, 0, 0]
        assert (game.score, table.discards.sum()) == (2, 0)

        game.step("play 2")  # a red 4
        assert (game.score, table.lives, table.tokens) == (2, 2, 8)
        assert table.discards.sum() == table.discards[R4] == 1

    def test_the_new_card_is_the_newest_in_the_slot_of_the_old_one(self) -> None:
        game = game_of([R1, R3, R2, R4, R4], [Y1, Y1, Y1, Y2, Y2], B5)

        game.step("play 2")

        assert hand(game, 0) == [R1, R3, R4, R4, B5]
        assert game.state.hands[0].tolist() == [R1, R3, B5, R4, R4]

    @pytest.mark.parametrize(("hints", "regained"), [(0, 0), (2, 1)])
    def test_completing_a_colour_regains_a_token_unless_all_are_there(self, hints, regained):
        game = game_of([R1, R3, R5, R4, G1], [R2, R4, Y1, Y2, Y3])
        play_out(game, *["hint red"] * hints)
        play_out(game, "play 0", "play 0", "play 0", "play 0", "play 0")

        assert game.score == 5
        assert game.state.table.tokens == 8 - hints + regained
        assert game.state.table.regained == regained


class TestHint:
    def test_touched_cards_are_known_and_others_excluded(self):
        game = game_of([Y1, Y1, Y1, Y2, Y2], [R1, R2, B1, B5, R5])

        game.step("hint red")

        table = game.state.table
        assert table.colour_mask[1].tolist() == [0b00001, 0b00001, 0b11110, 0b11110, 0b00001]
        assert table.colour_hinted[1].tolist() == [1, 1, 0, 0, 1]
        assert table.rank_hinted[1].tolist() == [0, 0, 0, 0, 0]
        assert (table.rank_mask[1] == 0b11111).all()
        assert table.tokens == 7
        game.step("play 0")  # the drawn card is unknown
        assert (table.colour_mask[1, 0], table.colour_hinted[1, 0]) == (31, 0)

    def test_nothing_is_concluded_by_elimination(self):
        game = game_of([Y1, Y1, Y1, Y2, Y2], [B1, R1, R2, R3, R4])

        play_out(game, "hint 1", "hint 1", "hint 2", "hint 1", "hint 3", "hint 1", "hint 4")

        assert game.state.table.rank_mask[1].tolist() == [1, 1, 2, 4, 8]
        assert game.state.table.colour_mask[1].tolist() == [31] * 5

    def test_a_seer_knows_every_card_when_it_is_drawn(self):
        game = Game(full_game(2, "seer"), deck=deck_from([R1, Y2, G1, B5, R3]))

        table = game.state.table
        assert table.colour_mask[0].tolist() == [1, 2, 4, 16, 1]
        assert table.rank_mask[0].tolist() == [1, 2, 1, 16, 4]
        assert (table.colour_hinted[0] & table.rank_hinted[0]).all()


class TestEnd:
    @pytest.mark.parametrize(
        ("variant", "cards", "plays", "score"),
        [
            (full_game(), [R2, R3, R3, R4, R4, Y2, Y3, Y3, B5, B1], 3, 0),
            (very_small_game(), [R1, R3, R2, R4, R5], 5, 5),
        ],
    )
    def test_the_last_life_or_all_colours_complete_end_the_game_at_once(
        self, variant: Variant, cards: list[int], plays: int, score: int
    ) -> None:
        game = Game(variant, deck=deck_from(cards, variant))

        play_out(game, *["play 0"] * plays)

        assert game.is_over
        assert (game.score, game.state.table.deck_left > 0) == (score, True)
        assert legal_moves(game.state.table, game.state.hands) == 0

    def test_each_player_has_one_turn_after_the_last_card_is_drawn(self):
        game = Game(full_game(3), seed=1)
        while game.state.table.deck_left:
            game.step("discard 0" if game.state.table.tokens < 4 else game.legal_moves[-1])
        drew_last = (game.current_player - 1) % 3

        movers = []
        while not game.is_over:
            movers.append(game.current_player)
            game.step("discard 0")

        assert movers == [(drew_last + 1) % 3, (drew_last + 2) % 3, drew_last]
        assert [len(hand(game, player)) for player in range(3)] == [4, 4, 4]

    def test_a_slot_that_is_not_refilled_is_blank(self):
        variant = very_small_game(5)
        game = Game(variant, deck=deck_from([R2, R3, R1, R4], variant))

        play_out(game, "hint 1", "play 0")

        table = game.state.table
        assert hand(game, 1) == [R4]
        assert game.state.hands[1, 0] == NO_CARD
        assert (table.rank_mask[1, 0], table.rank_hinted[1, 0]) == (0b11111, 0)

    def test_a_deck_that_is_dealt_out_leaves_one_turn_each(self):
        game = Game(very_small_game(5))

        for turn in range(5):
            assert not game.is_over, f"turn {turn}"
            game.step(min(game.legal_moves, key=lambda move: 2 <= move < 4))

        assert game.is_over


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Any variant that there can be."""
    players, ranks = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    copies = sum(copies_of(rank, ranks) for rank in range(ranks))
    colours = draw(st.integers(-(-players // copies), 5))
    return Variant(
        players=players,
        colours=colours,
        ranks=ranks,
        hand_size=draw(st.integers(1, min(5, colours * copies // players))),
        max_tokens=draw(st.integers(1, 16)),
        max_lives=draw(st.integers(1, 16)),
        observation=draw(st.sampled_from(OBSERVATION_KINDS)),
    )


def all_cards(variant: Variant, state: np.record) -> np.ndarray:
    """How many copies of each card lie in the deck, hands, discard pile and fireworks."""
    table = state.table
    deck = state.deck[variant.cards - table.deck_left : variant.cards]
    hands = [
        state.hands[player, table.order[player, : table.hand_length[player]]]
        for player in range(variant.players)
    ]
    counts = np.bincount(np.concatenate([deck, *hands]), minlength=25) + table.discards
    return counts + played(variant, table)


@settings(max_examples=60)
@given(variant=variants(), seed=st.integers(0, 2**32))
def test_what_holds_in_every_game(variant, seed):
    state = random_position(variant, seed, turns=0)
    table = state.table
    streams = np.array([seed], np.uint64)
    full = np.bincount(variant.full_deck(), minlength=25)

    while not table.over:
        moves = legal_moves(table, state.hands)
        assert 0 < moves < 1 << variant.moves
        apply(state, pick_move(moves, streams, 0))

        assert np.array_equal(all_cards(variant, state), full)
        assert 0 <= table.tokens <= variant.max_tokens
        assert 0 <= table.lives <= variant.max_lives
        assert table.score == table.fireworks.sum()
        assert table.turn <= MAX_TURNS
        unseen = full - table.discards - played(variant, table)
        for copy in range(3):
            assert [table.left[copy] >> card & 1 for card in range(25)] == (unseen > copy).tolist()

    assert legal_moves(table, state.hands) == 0


def played(variant: Variant, table: np.record) -> np.ndarray:
    counts = np.zeros(25, np.int64)
    for colour in range(variant.colours):
        first = colour * variant.ranks
        counts[first : first + table.fireworks[colour]] = 1
    return counts


@settings(max_examples=40)
@given(
    variant=st.sampled_from(list(VARIANTS.values())),
    seed=st.integers(0, 2**32),
    turns=st.integers(0, 60),
)
def test_legal_moves_do_not_depend_on_the_own_hand(variant, seed, turns):
    state = random_position(variant, seed, turns)
    before = legal_moves(state.table, state.hands)

    state.hands[state.table.current] = 77
    state.deck[:] = 77

    assert legal_moves(state.table, state.hands) == before


@pytest.mark.parametrize(
    ("settings_of", "message"),
    [
        ({"players": 1}, "players is 1, expected 2 to 5"),
        ({"colours": 6}, "colours is 6, expected 1 to 5"),
        ({"max_lives": 0}, "max_lives is 0"),
        ({"observation": "all"}, "observation is 'all', expected one of minimal"),
        ({"colours": 1, "players": 3}, "3 hands of 5 need more than the 10 cards"),
    ],
)
def test_impossible_variants_are_refused(settings_of, message):
    with pytest.raises(HoadError, match=message):
        Variant(**settings_of)
