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
    for name in ("decks", "actions", "offsets"):
        assert np.array_equal(getattr(left, name), getattr(right, name)), name


def test_random_games_replay_to_their_end_and_lost_ones_have_a_strict_score_of_zero(logs):
    outcomes = replay(logs)

    assert (outcomes.illegal_turn == -1).all()
    assert outcomes.over.all()
    assert (outcomes.scores[outcomes.lives == 0] > 0).any()
    assert np.array_equal(outcomes.strict, outcomes.scores * (outcomes.lives > 0))


def test_selected_games_come_in_the_asked_order_and_may_be_none(logs):
    chosen, nothing = logs.select(np.array([7, 3, 7])), logs.select(np.array([], np.int64))

    assert_same_games(chosen, join_logs([logs.select(np.array([game])) for game in (7, 3, 7)]))
    assert np.array_equal(chosen.decks, logs.decks[[7, 3, 7]])
    assert np.array_equal(chosen.actions_of(1), logs.actions_of(3))
    assert len(nothing) == len(replay(nothing).scores) == 0
    assert encode_turns(nothing).observations.shape == (0, 83)


def test_each_action_has_its_game_and_its_number_in_it():
    logs = logs_of(2, [deck_from([])] * 4, [[PLAY_0], [], [PLAY_0, HINT_RED, PLAY_0], [PLAY_0]])

    assert logs.games.tolist() == [0, 2, 2, 2, 3]
    assert logs.turns.tolist() == [0, 0, 1, 2, 0]


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


def test_an_action_after_the_end_is_illegal_and_an_illegal_game_disturbs_no_neighbour(logs):
    games = [[*logs.actions_of(game).tolist(), PLAY_0] for game in range(len(logs))]
    mixed = [games[0][:-1], [DISCARD_0] * (MAX_TURNS + 10), games[2][:-1]]

    ended = replay(logs_of(2, logs.decks.tolist(), games))
    outcomes = replay(logs_of(2, logs.decks[:3].tolist(), mixed))

    assert np.array_equal(ended.illegal_turn, np.diff(logs.offsets))
    assert outcomes.illegal_turn.tolist() == [-1, 0, -1]
    assert outcomes.scores[2] == replay(logs).scores[2]


def test_a_wrong_deck_is_refused_by_the_number_of_its_game_and_no_illegal_game_encoded(logs):
    decks = logs.decks.copy()
    decks[4, 0] = (decks[4, 0] + 1) % 25

    with pytest.raises(HoadError, match="game 4: the deck is not Hanabi's 50 cards"):
        replay(GameLogs(2, decks, logs.actions, logs.offsets))
    replay(logs_of(5, [full_game(5).full_deck().tolist()], [[]]))  # in order
    with pytest.raises(HoadError, match="game 0, turn 1: action 0 is illegal"):
        encode_turns(logs_of(2, [full_game(2).full_deck()], [[5, 0]]))


def test_transitions_have_a_row_for_each_turn_whatever_the_batch(logs):
    together, turns = encode_turns(logs), len(logs.actions)

    assert (together.observations.shape, together.legal.shape) == ((turns, 83), (turns,))
    assert np.array_equal(together.actions, logs.actions)
    assert np.array_equal(np.bincount(together.games), np.diff(logs.offsets))
    for game in (0, 17, 49):
        alone = encode_turns(logs.select(np.array([game])))
        rows = together.games == game
        assert np.array_equal(alone.observations, together.observations[rows])
        assert np.array_equal(alone.legal, together.legal[rows])


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
    beyond, backwards = logs.offsets.copy(), logs.offsets.copy()
    beyond[-1] += 1
    backwards[1], backwards[2] = logs.offsets[2], logs.offsets[1]
    changes: list[dict[str, Any]] = [
        *({"decks": decks} for decks in (logs.decks[:, :49], logs.decks.astype(np.int64))),
        *({"actions": each} for each in (logs.actions.astype(np.int64), logs.actions[:-1])),
        *({"offsets": each} for each in (logs.offsets[:-1], logs.offsets.astype(np.int32))),
        *({"offsets": beyond}, {"offsets": backwards}, {"players": 6}),
    ]

    for change in changes:
        for read in (replay, encode_turns):
            with pytest.raises(HoadError, match="game logs: "):
                read(replace(logs, **change))
