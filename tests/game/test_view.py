"""A game turn by turn, as its players see it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import get_agent, play
from hoad.game.game import Game
from hoad.game.log import replay
from hoad.game.state import full_game
from hoad.game.view import Known, Turn, turns_of
from tests.agents.positions import position

# Player 0 holds R1 R1 Y1 G3 B5, player 1 holds Y3 W1 R2 G1 B2.
CARDS = "R1 R1 Y1 G3 B5 Y3 W1 R2 G1 B2 W4 G5 R3"


def told(*moves: str, cards: str = CARDS) -> list[Turn]:
    state = position(cards, *moves).state
    return list(turns_of(state.deck, state.table.actions[: state.table.turn]))


def test_a_hint_touches_cards_and_what_fits_in_any_case_is_known_as_playable() -> None:
    _, (_, view, _) = told("hint 1")

    hand = view.hands[1]
    assert [card.rank_hinted for card in hand] == [False, True, False, True, False]
    assert [card.ranks for card in hand] == [(2, 3, 4, 5), (1,), (2, 3, 4, 5), (1,), (2, 3, 4, 5)]
    assert [len(view.possible(card)) for card in hand] == [20, 5, 20, 5, 20]
    assert all(view.known(card) == Known.NOTHING for card in view.hands[0])
    known = [view.known(card) for card in hand]
    assert known == ["", Known.PLAYABLE, "", Known.PLAYABLE, ""]


@pytest.mark.parametrize(
    ("moves", "cards", "player", "position", "identity", "known"),
    [
        # The red 1 never fits again.
        ("play 0, hint 1, hint 2, hint red", CARDS, 0, 0, 0, Known.USELESS),
        # Both Y2 are discarded, so that no yellow card above the firework can ever be played.
        (
            "hint 1, hint 2, discard 0, discard 0, hint 1, hint yellow, hint 2, hint 3",
            "Y2 R1 Y3 G3 B5 Y2 W1 R2 G1 B2 W4 G5",
            *(0, 1, 7, Known.USELESS),
        ),
        ("hint 3, hint 5, hint yellow", CARDS, 1, 0, 7, Known.IDENTITY),
    ],
)
def test_what_is_known_of_a_card_of_one_possible_identity(
    moves, cards, player, position, identity, known
):
    *_, (_, view, _) = told(*moves.split(", "), cards=cards)

    card = view.hands[player][position]
    assert view.possible(card) == (identity,)
    assert view.known(card) == known


def test_the_holder_counts_the_cards_of_its_partner() -> None:
    # Player 1 holds all copies of R1: player 0 can rule it out for its own cards.
    *_, (_, view, _) = told("hint 1", "hint 2", cards="R2 Y3 Y4 G3 B5 R2 W1 R1 R1 R1")

    yellow_three = view.hands[0][1]
    excluded = set(view.possible(yellow_three)) - set(view.possible_to_holder(0, yellow_three))
    assert excluded == {0}


def test_moves_name_the_cards_that_they_touch_and_show() -> None:
    hint, good, bad, end = (turn.move for turn in told("hint 2", "play 1", "play 3"))
    *_, (_, view, _) = told("hint 1", "play 1", "discard 0")

    assert hint and (hint.hand, hint.touched, hint.deck_indices) == (1, (2, 4), (7, 9))
    assert hint.card is None and hint.drawn is None
    assert good and (good.hand, good.touched, good.fitted, good.drawn) == (1, (1,), True, 10)
    assert bad and (bad.card, bad.fitted) == (12, False)
    assert end is None
    # A drawn card has the number of its place in the deck.
    held = [[card.deck_index for card in hand] for hand in view.hands]
    assert held == [[1, 2, 3, 4, 11], [5, 7, 8, 9, 10]]


@pytest.mark.parametrize("observer", [0, 1])
def test_a_view_does_not_depend_on_the_cards_that_its_observer_does_not_see(observer: int) -> None:
    # Both decks differ in the hand of the observer and in the cards to be drawn.
    hands = ["R1 R1 Y1 G3 B5", "Y3 W1 R2 G1 B2"]
    others = ["R1 Y1 Y1 R3 R5", "Y4 W1 R3 W1 B3"]
    changed = [*hands[:observer], others[observer], *hands[observer + 1 :]]
    views = []
    for deck in (f"{' '.join(hands)} W4 G5", f"{' '.join(changed)} W2 W2"):
        game = position(deck)
        view = game.view(observer)
        views.append((view, view.observation.tolist(), view.legal_moves, view.copies_left))
        assert [card.number for card in view.hands[observer]] == [None] * 5
        assert [view.possible_to_holder(1 - observer, card) for card in view.hands[1 - observer]]

    assert views[0] == views[1]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_views_of_larger_games_hold_the_hands_of_the_state(players: int) -> None:
    game, generator = Game(full_game(players), seed=players), np.random.default_rng(players)
    while not game.is_over:
        view = game.view()
        table = game.state.table
        for player, hand in enumerate(view.hands):
            slots = table.order[player, : table.hand_length[player]]
            assert [card.number for card in hand] == game.state.hands[player, slots].tolist()
            assert [game.state.deck[card.deck_index] for card in hand] == [
                card.number for card in hand
            ]
        assert view.score == table.score
        assert sum(view.copies_left) == 50 - view.score - sum(view.discard_counts)
        game.step(int(generator.choice(game.legal_moves)))


AGENTS = st.sampled_from([("iggi", "legal-random"), ("piers", "iggi")])


@given(seed=st.integers(0, 10_000), agents=AGENTS)
@settings(max_examples=20)
def test_whole_games_are_told_as_the_rules_play_them(seed: int, agents: tuple[str, str]) -> None:
    logs = play([get_agent(name) for name in agents], 1, seed)

    turns = list(turns_of(logs.decks[0], logs.actions))

    end = turns[-1].view
    assert [turn.move.action for turn in turns if turn.move] == logs.actions.tolist()
    assert all(turn.move.action in turn.view.legal for turn in turns if turn.move)
    assert end.over and end.legal == ()
    assert end.score == replay(logs).scores[0]
    assert end.strict_score == replay(logs).strict[0]
    for _, view, _ in turns:
        cards = [(player, card) for player, hand in enumerate(view.hands) for card in hand]
        for player, card in cards:
            assert card.number == logs.decks[0][card.deck_index]
            possible = view.possible_to_holder(player, card)
            assert card.number in possible
            assert set(possible) <= set(view.possible(card))
    held = sum(len(hand) for hand in end.hands)
    assert held + end.score + len(end.discards) + end.deck_left == 50
