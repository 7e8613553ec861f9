from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.game.log import GameLogs, join_logs, logs_of
from hoad.replay.split import SHARES, split_drawn_games, split_games

MakeLogs = Callable[[int, int, int], GameLogs]


def games_without_turns(count: int, seed: int) -> GameLogs:
    decks = np.random.default_rng(seed).integers(0, 25, (count, 50))
    return logs_of(2, decks.tolist(), [[]] * count)


@given(st.integers(0, 300), st.integers(0, 1000))
def test_every_game_is_in_exactly_one_split(count: int, seed: int) -> None:
    splits = split_games(games_without_turns(count, seed))

    assert list(splits) == ["train", "validation", "test"]
    assert sorted(np.concatenate(list(splits.values()))) == list(range(count))


def test_the_splits_have_their_shares() -> None:
    splits = split_games(games_without_turns(20_000, seed=1))

    sizes = {name: len(games) / 20_000 for name, games in splits.items()}
    assert sizes == pytest.approx(SHARES, abs=0.01)


def test_a_duplicate_is_in_the_split_of_the_original(random_logs: MakeLogs) -> None:
    logs = random_logs(2, 100, 1)

    splits = split_games(join_logs([logs, logs.select(np.arange(100)[::-1])]))

    for games in splits.values():
        assert {99 - game + 100 if game < 100 else 199 - game for game in games} == set(games)


def test_what_agents_do_with_the_same_decks_is_split_alike() -> None:
    decks = games_without_turns(1000, seed=1).decks.tolist()
    splits = [split_games(logs_of(2, decks, [[move]] * 1000)) for move in (0, 1)]

    for name in SHARES:
        np.testing.assert_array_equal(splits[0][name], splits[1][name])


@given(st.integers(2, 200), st.integers(0, 2**40), st.data())
def test_a_number_of_games_is_drawn(count: int, seed: int, data: st.DataObject) -> None:
    logs = games_without_turns(count, seed=1)
    train = data.draw(st.integers(1, count - 1))
    validation = data.draw(st.integers(0, train - 1))

    splits = split_drawn_games(logs, train, validation, seed)

    sizes = [len(games) for games in splits.values()]
    assert sizes == [train - validation, validation, count - train]
    assert sorted(np.concatenate(list(splits.values()))) == list(range(count))


def test_drawn_games_depend_on_seed_and_deck_and_not_on_the_order() -> None:
    logs, back = games_without_turns(100, seed=1), np.arange(100)[::-1]

    first, other = (split_drawn_games(logs, 50, 10, seed) for seed in (1, 2))
    reversed_games = split_drawn_games(logs.select(back), 50, 10, 1)

    assert set(first["test"]) != set(other["test"])
    for name, games in first.items():
        assert set(games) == set(back[reversed_games[name]])


def test_drawn_games_with_one_deck_stay_together() -> None:
    logs = games_without_turns(30, seed=1)
    thrice = join_logs([logs, logs, logs])

    splits = split_drawn_games(thrice, 50, 10, seed=0)

    assert [len(games) for games in splits.values()] == [48 - 9, 9, 90 - 48]
    assert all(len(set(games % 30)) * 3 == len(games) for games in splits.values())
