"""Splits of games by their decks, and batches of their turns."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoad.core.errors import HoadError
from hoad.game.log import GameLogs, Transitions, encode_turns, join_logs, logs_of
from hoad.replay.sampler import TransitionSampler, sample_games, sample_transitions
from hoad.replay.split import SHARES, split_drawn_games, split_games
from tests.game.examples import random_logs


def games_without_turns(count: int, seed: int) -> GameLogs:
    decks = np.random.default_rng(seed).integers(0, 25, (count, 50))
    return logs_of(2, decks.tolist(), [[]] * count)


@given(st.integers(0, 300), st.integers(0, 1000))
def test_every_game_is_in_exactly_one_split(count: int, seed: int) -> None:
    splits = split_games(games_without_turns(count, seed))

    assert list(splits) == ["train", "validation", "test"]
    assert sorted(np.concatenate(list(splits.values()))) == list(range(count))


def test_what_agents_do_with_the_same_decks_is_split_alike_by_the_shares() -> None:
    decks = games_without_turns(20_000, seed=1).decks.tolist()
    splits = [split_games(logs_of(2, decks, [[move]] * 20_000)) for move in (0, 1)]

    for name in SHARES:
        np.testing.assert_array_equal(splits[0][name], splits[1][name])
    sizes = {name: len(games) / 20_000 for name, games in splits[0].items()}
    assert sizes == pytest.approx(SHARES, abs=0.01)
    logs = random_logs(2, 100, 1)
    twice = split_games(join_logs([logs, logs.select(np.arange(100)[::-1])]))
    for games in twice.values():  # a duplicate is in the split of the original
        assert {99 - game + 100 if game < 100 else 199 - game for game in games} == set(games)


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


Row = tuple[int, bytes, int, int]


@pytest.fixture(scope="module")
def logs() -> GameLogs:
    return random_logs(2, 60, 1)


def rows(transitions: Transitions) -> list[Row]:
    columns = (
        transitions.games.tolist(),
        [observation.tobytes() for observation in transitions.observations],
        transitions.legal.tolist(),
        transitions.actions.tolist(),
    )
    return list(zip(*columns, strict=True))


def take(sampler: TransitionSampler, batches: int) -> list[Row]:
    return [row for batch in islice(sampler, batches) for row in rows(batch)]


@settings(deadline=None, max_examples=20)
@given(batch_size=st.integers(1, 3000), buffer=st.integers(1, 3000), seed=st.integers(0, 99))
def test_every_transition_comes_once_a_pass(batch_size: int, buffer: int, seed: int) -> None:
    logs = random_logs(2, 20, 1)
    turns = len(logs.actions)
    sampler = TransitionSampler(logs, batch_size, seed, buffer)

    sampled = take(sampler, -(-2 * turns // batch_size))

    everything = Counter(rows(encode_turns(logs)))
    assert Counter(sampled[:turns]) == everything
    assert Counter(sampled[turns : 2 * turns]) == everything


def test_all_batches_are_full_and_of_many_games_and_passes_differ(logs: GameLogs) -> None:
    sampler = TransitionSampler(logs, 128, seed=1)
    turns = len(logs.actions)
    batches = list(islice(sampler, 2 * turns // 128))

    assert {len(batch.actions) for batch in batches} == {128}
    assert len(set(batches[0].games.tolist())) > 30
    sampled = [row for batch in batches for row in rows(batch)]
    assert sampled[:1000] != sampled[turns : turns + 1000]


def test_the_seed_decides_the_stream(logs: GameLogs) -> None:
    streams = [take(TransitionSampler(logs, 100, seed), 30) for seed in (1, 1, 2)]

    assert streams[0] == streams[1]
    assert streams[0] != streams[2]
    with pytest.raises(HoadError, match="no transitions"):
        TransitionSampler(logs_of(2, [], []), 10, seed=1)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 120))
def test_a_resumed_sampler_continues_the_same_stream(before: int) -> None:
    logs = random_logs(2, 20, 1)
    first = TransitionSampler(logs, 32, seed=5, buffer=300)
    take(first, before)

    second = TransitionSampler(logs, 32, seed=5, buffer=300)
    second.load_state_dict(first.state_dict())

    assert take(second, 20) == take(first, 20)


def test_support_and_query_are_whole_games_and_disjoint(logs: GameLogs) -> None:
    indices = np.arange(10, 50)
    whole = Counter(row[0] for row in rows(encode_turns(logs)))

    for step in range(50):
        support, query = sample_games(logs, indices, 10, seed=3, step=step)
        games = [Counter(part.games.tolist()) for part in (support, query)]

        assert [len(part) for part in games] == [10, 10]
        assert not games[0].keys() & games[1].keys()
        assert set(games[0] | games[1]) <= set(indices.tolist())
        assert all(turns == whole[game] for game, turns in (games[0] | games[1]).items())


def test_support_and_query_share_no_game_even_among_duplicates() -> None:
    once = random_logs(2, 6, 1)
    logs = join_logs([once] * 20)

    for step in range(20):
        support, query = sample_games(logs, np.arange(len(logs)), 3, seed=0, step=step)
        originals = [set((part.games % 6).tolist()) for part in (support, query)]

        assert len(originals[0]) == len(originals[1]) == 3
        assert not originals[0] & originals[1]
    with pytest.raises(HoadError, match="need 8 different games, but there are 6"):
        sample_games(logs, np.arange(12), 4, seed=1, step=0)


def test_steps_and_seeds_draw_other_games(logs: GameLogs) -> None:
    def draw(seed: int, step: int) -> list[Row]:
        return rows(sample_games(logs, np.arange(60), 3, seed, step)[0])

    assert draw(1, 1) == draw(1, 1)
    assert draw(1, 1) != draw(1, 2)
    assert draw(1, 1) != draw(2, 1)


def test_single_transitions_are_those_of_the_games_and_disjoint(logs: GameLogs) -> None:
    indices = np.arange(5, 55)
    known = Counter(rows(encode_turns(logs)))

    for step in range(10):
        support, query = sample_transitions(logs, indices, 5, 32, seed=1, step=step)
        drawn = Counter(rows(support)) + Counter(rows(query))

        assert len(support.actions) == len(query.actions) == 160
        assert drawn <= known
        assert {row[0] for row in drawn} <= set(indices.tolist())


def test_single_transitions_can_be_all_there_are(logs: GameLogs) -> None:
    few = logs.select(np.arange(4))
    half = len(few.actions) // 2

    support, query = sample_transitions(few, np.arange(4), 1, half, seed=1, step=0)

    assert len(set(rows(support)) | set(rows(query))) == 2 * half
    with pytest.raises(HoadError, match="need"):
        sample_transitions(few, np.arange(4), 1, half + 1, seed=1, step=0)
