from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoad.game.log import GameLogs, join_logs, logs_of
from hoad.replay.split import SHARES, split_games

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
