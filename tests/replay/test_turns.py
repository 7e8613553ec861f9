"""A game told turn by turn."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.agents import get_agent, play
from hoad.game.log import replay
from hoad.replay.turns import Known, Turn, turns_of
from tests.agents.positions import position

# Player 0 holds R1 R1 Y1 G3 B5, player 1 holds Y3 W1 R2 G1 B2.
CARDS = "R1 R1 Y1 G3 B5 Y3 W1 R2 G1 B2 W4 G5 R3"


def told(*moves: str, cards: str = CARDS) -> list[Turn]:
    state = position(cards, *moves).state
    return list(turns_of(state.deck, state.table.actions[: state.table.turn]))


def test_a_hint_touches_cards_and_excludes_values_of_the_others() -> None:
    _, after = told("hint 1")

    hand = after.hands[1]
    assert [card.rank_hinted for card in hand] == [False, True, False, True, False]
    assert [card.ranks for card in hand] == [0b11110, 1, 0b11110, 1, 0b11110]
    assert [len(card.possible) for card in hand] == [20, 5, 20, 5, 20]
    assert all(card.known == Known.NOTHING for card in after.hands[0])


def test_cards_that_fit_whatever_they_are_count_as_playable() -> None:
    _, after = told("hint 1")

    known = [card.known for card in after.hands[1]]
    assert known == ["", Known.PLAYABLE, "", Known.PLAYABLE, ""]


def test_cards_that_never_fit_again_count_as_useless() -> None:
    *_, after = told("play 0", "hint 1", "hint 2", "hint red")

    [red_one, *_] = after.hands[0]
    assert red_one.possible == (0,)
    assert red_one.known == Known.USELESS


def test_a_card_of_one_possible_identity_is_known() -> None:
    *_, after = told("hint 3", "hint 5", "hint yellow")

    assert after.hands[1][0].possible == (7,)
    assert after.hands[1][0].known == Known.IDENTITY


def test_the_holder_counts_the_cards_of_its_partner() -> None:
    # Player 1 holds all copies of R1: player 0 can rule it out for its own cards.
    *_, after = told("hint 1", "hint 2", cards="R2 Y3 Y4 G3 B5 R2 W1 R1 R1 R1")

    yellow_three = after.hands[0][1]
    assert set(yellow_three.possible) - set(yellow_three.to_holder) == {0}


def test_moves_name_the_cards_that_they_touch_and_show() -> None:
    hint, good, bad, end = told("hint 2", "play 1", "play 3")

    assert hint.move and (hint.move.hand, hint.move.touched) == (1, (2, 4))
    assert hint.move.card is None
    assert good.move and (good.move.hand, good.move.touched, good.move.scored) == (1, (1,), True)
    assert bad.move and bad.move.card == 12 and bad.move.misplayed
    assert end.move is None and not end.over


def test_a_drawn_card_has_the_number_of_its_place_in_the_deck() -> None:
    *_, after = told("hint 1", "play 1", "discard 0")

    assert [card.order for card in after.hands[0]] == [1, 2, 3, 4, 11]
    assert [card.order for card in after.hands[1]] == [5, 7, 8, 9, 10]


AGENTS = st.sampled_from([("iggi", "legal-random"), ("piers", "iggi")])


@given(seed=st.integers(0, 10_000), agents=AGENTS)
@settings(max_examples=20, deadline=None)
def test_whole_games_are_told_as_the_rules_play_them(seed: int, agents: tuple[str, str]) -> None:
    logs = play([get_agent(name) for name in agents], 1, seed)

    turns = list(turns_of(logs.decks[0], logs.actions))

    assert [turn.move.action for turn in turns if turn.move] == logs.actions.tolist()
    assert all(turn.move.action in turn.legal for turn in turns if turn.move)
    assert turns[-1].over and turns[-1].legal == ()
    assert turns[-1].score == replay(logs).scores[0]
    assert turns[-1].strict_score == replay(logs).strict[0]
    for turn in turns:
        for card in (card for hand in turn.hands for card in hand):
            assert card.card == logs.decks[0][card.order]
            assert card.card in card.to_holder
            assert set(card.to_holder) <= set(card.possible)
    held = np.array([len(hand) for hand in turns[-1].hands])
    assert held.sum() + turns[-1].score + len(turns[-1].discards) + turns[-1].deck_left == 50
