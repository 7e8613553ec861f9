"""Game logs: batches of games, and what replaying them tells."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, encode_turns, join_logs, logs_of, refuse_other_games, replay
from hoad.game.state import MAX_TURNS, full_game
from tests.game.examples import deck_from, random_logs

PLAY_0, HINT_RED, DISCARD_0 = 5, 10, 0


@pytest.fixture(scope="module")
def logs() -> GameLogs:
    return random_logs(players=2, games=50, seed=1)


def assert_same_games(left: GameLogs, right: GameLogs) -> None:
    assert left.players == right.players
    assert np.array_equal(left.decks, right.decks)
    assert np.array_equal(left.actions, right.actions)
    assert np.array_equal(left.offsets, right.offsets)


def test_random_games_replay_to_their_end_and_lost_ones_have_a_strict_score_of_zero(logs):
    outcomes = replay(logs)

    assert (outcomes.illegal_turn == -1).all()
    assert outcomes.over.all()
    assert (outcomes.scores[outcomes.lives == 0] > 0).any()
    assert np.array_equal(outcomes.strict, outcomes.scores * (outcomes.lives > 0))


def test_selected_games_come_in_the_asked_order(logs):
    chosen = logs.select(np.array([7, 3, 7]))

    assert len(chosen) == 3
    for place, game in enumerate([7, 3, 7]):
        assert np.array_equal(chosen.actions_of(place), logs.actions_of(game))
        assert np.array_equal(chosen.decks[place], logs.decks[game])


def test_selecting_nothing_gives_no_games(logs):
    nothing = logs.select(np.array([], np.int64))

    assert len(nothing) == 0
    assert len(replay(nothing).scores) == 0
    assert encode_turns(nothing).observations.shape == (0, 83)


def test_parts_and_lists_of_games_become_the_same_logs(logs):
    parts = [logs.select(np.arange(0, 20)), logs.select(np.arange(20, 50))]
    actions = [logs.actions_of(game).tolist() for game in range(len(logs))]

    assert_same_games(join_logs(parts), logs)
    assert_same_games(logs_of(2, logs.decks.tolist(), actions), logs)


@pytest.mark.parametrize(
    ("actions", "turn"),
    [
        ([DISCARD_0], 0),  # all hint tokens are there
        ([PLAY_0, PLAY_0, 4 + 16], 2),  # ids end at 19
        ([PLAY_0, PLAY_0, 255], 2),
        ([PLAY_0, PLAY_0, 64 + PLAY_0], 2),
        ([14], 0),  # nobody holds a blue card
        ([HINT_RED, HINT_RED, PLAY_0], -1),
    ],
)
def test_the_first_illegal_turn_is_found(actions, turn):
    outcomes = replay(logs_of(2, [deck_from([])], [actions]))

    assert outcomes.illegal_turn.tolist() == [turn]
    assert not outcomes.over[0]


def test_an_action_after_the_end_is_illegal(logs):
    games = [[*logs.actions_of(game).tolist(), PLAY_0] for game in range(len(logs))]

    outcomes = replay(logs_of(2, logs.decks.tolist(), games))

    assert np.array_equal(outcomes.illegal_turn, np.diff(logs.offsets))


def test_an_illegal_game_does_not_disturb_its_neighbours(logs):
    actions = [logs.actions_of(game).tolist() for game in range(3)]
    actions[1] = [DISCARD_0] * (MAX_TURNS + 10)

    outcomes = replay(logs_of(2, logs.decks[:3].tolist(), actions))

    assert outcomes.illegal_turn.tolist() == [-1, 0, -1]
    assert outcomes.scores[2] == replay(logs).scores[2]


def test_a_wrong_deck_is_refused_by_the_number_of_its_game(logs):
    decks = logs.decks.copy()
    decks[4, 0] = (decks[4, 0] + 1) % 25

    with pytest.raises(HoadError, match="game 4: the deck is not Hanabi's 50 cards"):
        replay(GameLogs(2, decks, logs.actions, logs.offsets))


def test_transitions_have_a_row_for_each_turn(logs):
    transitions = encode_turns(logs)

    turns = len(logs.actions)
    assert transitions.observations.shape == (turns, 83)
    assert transitions.legal.shape == (turns,)
    assert np.array_equal(transitions.actions, logs.actions)
    assert np.array_equal(np.bincount(transitions.games), np.diff(logs.offsets))


def test_transitions_of_a_game_do_not_depend_on_its_batch(logs):
    together = encode_turns(logs)

    for game in (0, 17, 49):
        alone = encode_turns(logs.select(np.array([game])))
        rows = together.games == game
        assert np.array_equal(alone.observations, together.observations[rows])
        assert np.array_equal(alone.legal, together.legal[rows])


def test_a_deck_in_order_is_hanabis():
    replay(logs_of(5, [full_game(5).full_deck().tolist()], [[]]))


def test_only_legal_games_of_two_players_pass(logs):
    deck, largest = full_game(2).full_deck(), 10 * [0] + [255]
    others = {
        "games of 3 players, expected games of two players": random_logs(3, 5, seed=1),
        "game 0, turn 0: action 0 is illegal": logs_of(2, [deck], [[0]]),
        "game 1, turn 8: action 10 is illegal": logs_of(2, [deck] * 2, [[5], [10] * 300]),
        "game 0, turn 0: action 200 is illegal": logs_of(2, [deck], [[200]]),
        "game 0: the deck is not Hanabi's 50 cards": logs_of(2, [[255] * 50], [largest]),
    }

    refuse_other_games(logs)
    refuse_other_games(logs.select(np.zeros(0, np.int64)))
    for message, games in others.items():
        with pytest.raises(HoadError, match=message):
            refuse_other_games(games)


def test_arrays_that_do_not_fit_each_other_are_refused(logs):
    beyond = logs.offsets.copy()
    beyond[-1] += 1
    backwards = logs.offsets.copy()
    backwards[1], backwards[2] = logs.offsets[2], logs.offsets[1]
    changes: list[dict[str, Any]] = [
        {"decks": logs.decks[:, :49]},
        {"decks": logs.decks.astype(np.int64)},
        {"actions": logs.actions.astype(np.int64)},
        {"actions": logs.actions[:-1]},
        {"offsets": logs.offsets[:-1]},
        {"offsets": logs.offsets.astype(np.int32)},
        {"offsets": beyond},
        {"offsets": backwards},
        {"players": 6},
    ]

    for change in changes:
        with pytest.raises(HoadError, match="game logs: "):
            replay(replace(logs, **change))
        with pytest.raises(HoadError, match="game logs: "):
            encode_turns(replace(logs, **change))


def test_an_illegal_game_is_not_encoded():
    with pytest.raises(HoadError, match="game 0, turn 1: action 0 is illegal"):
        encode_turns(logs_of(2, [full_game(2).full_deck()], [[5, 0]]))
