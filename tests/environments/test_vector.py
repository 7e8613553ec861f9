"""The vectorised Gymnasium environment."""

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from hoad.core.errors import HoadError
from hoad.environments import HanabiEnv, HanabiVectorEnv

SEED = 11


def legal(info: dict, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(info["action_mask"].shape) * info["action_mask"]).argmax(1)


@pytest.mark.parametrize("partner", ["iggi", None])
def test_gymnasium_makes_it_and_all_arrays_have_the_shapes_of_the_spaces(
    partner: str | None,
) -> None:
    env = gymnasium.make_vec("hoad/Hanabi-v0", num_envs=16, partner=partner, score="lenient")
    rng = np.random.default_rng(0)
    observations, info = env.reset(seed=SEED)
    assert isinstance(env, HanabiVectorEnv) and env.num_envs == 16
    assert info["seat"].tolist() == ([0] * 16 if partner is None else [0, 1] * 8)
    for _ in range(30):
        assert observations in env.observation_space
        assert info["action_mask"].shape == (16, 20) and info["_action_mask"].all()
        observations, rewards, terminations, truncations, info = env.step(legal(info, rng))
        assert rewards.shape == terminations.shape == truncations.shape == (16,)
        assert rewards.dtype == np.float64 and terminations.dtype == truncations.dtype == bool
        assert not truncations.any()

    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.single_observation_space.shape == (658,)
    assert env.single_action_space == Discrete(20)


def test_what_it_returns_is_not_written_to_again() -> None:
    env = HanabiVectorEnv(num_envs=8)
    env.reset(seed=SEED)
    first = env.step(env.action_space.sample())
    before = [np.copy(array) for array in (*first[:4], first[4]["action_mask"])]
    for _ in range(5):
        env.step(env.action_space.sample())

    for array, copy in zip((*first[:4], first[4]["action_mask"]), before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_one_game_of_it_is_the_single_environment() -> None:
    vector, single = HanabiVectorEnv(1, "holmesbot"), HanabiEnv("holmesbot")
    rng, ends = np.random.default_rng(3), 0
    observations, infos = vector.reset(seed=SEED)
    observation, info = single.reset(seed=SEED)
    while ends < 4:
        np.testing.assert_array_equal(observations[0], observation)
        np.testing.assert_array_equal(infos["action_mask"][0], info["action_mask"])
        actions = legal(infos, rng)
        observations, rewards, terminations, _, infos = vector.step(actions)
        observation, reward, terminated, _, info = single.step(actions[0])
        assert (rewards[0], terminations[0]) == (reward, terminated)
        if terminated:
            ends += 1
            np.testing.assert_array_equal(infos["final_obs"][0], observation)
            final = infos["final_info"]
            assert (final["score"][0], final["lives"][0]) == (info["score"], info["lives"])
            observation, info = single.reset()


def test_the_masks_may_be_a_part_of_the_observations() -> None:
    keys = ("obs", "mask")
    env = gymnasium.make_vec("hoad/Hanabi-v0", num_envs=8, partner="iggi", keys=keys)
    plain, rng, ends = HanabiVectorEnv(8), np.random.default_rng(0), 0
    observations, _ = env.reset(seed=SEED)
    bits, info = plain.reset(seed=SEED)
    while not ends:
        assert observations in env.observation_space and list(observations) == list(keys)
        np.testing.assert_array_equal(observations["obs"], bits)
        np.testing.assert_array_equal(observations["mask"], info["action_mask"])
        actions = legal(info, rng)
        observations, _, ended, _, told = env.step(actions)
        bits, _, _, _, info = plain.step(actions)
        for place in np.flatnonzero(ended):
            last = told["final_obs"][place]
            assert last in env.single_observation_space
            np.testing.assert_array_equal(last["obs"], info["final_obs"][place])
            ends += 1


@pytest.mark.parametrize(
    ("argument", "said"),
    [({"keys": ("mask",)}, "expected two names"), ({"render_mode": "human"}, "gymnasium.make")],
)
def test_what_games_in_lockstep_do_not_take_is_refused(argument: dict, said: str) -> None:
    with pytest.raises(HoadError, match=said):
        gymnasium.make_vec("hoad/Hanabi-v0", num_envs=2, **argument)


def test_ended_games_are_told_apart() -> None:
    env, rng = HanabiVectorEnv(64), np.random.default_rng(0)
    _, info = env.reset(seed=SEED)
    ends = 0
    for _ in range(20):
        _, _, terminations, _, info = env.step(legal(info, rng))
        assert ("final_obs" in info) == terminations.any()
        if terminations.any():
            ends += terminations.sum()
            marks = info["_final_obs"], info["_final_info"], info["final_info"]["_score"]
            for mark in marks:
                np.testing.assert_array_equal(mark, terminations)
            assert [last is not None for last in info["final_obs"]] == terminations.tolist()
    assert ends > 20


def test_wrappers_of_gymnasium_read_it() -> None:
    env = RecordEpisodeStatistics(HanabiVectorEnv(32, score="lenient"))
    rng = np.random.default_rng(0)
    returns: list[float] = []
    scores: list[int] = []
    _, info = env.reset(seed=SEED)
    while len(returns) < 40:
        _, _, ended, _, info = env.step(legal(info, rng))
        if ended.any():
            returns += info["episode"]["r"][ended].tolist()
            scores += info["final_info"]["score"][ended].tolist()

    assert returns == scores


@pytest.mark.parametrize("partner", ["iggi", "noisy:0.5:iggi"])
def test_the_same_seed_gives_the_same_games_and_none_is_drawn(partner: str) -> None:
    env, runs = HanabiVectorEnv(8, partner), []
    for _ in range(2):
        rng = np.random.default_rng(1)
        observations, info = env.reset(seed=SEED)
        seen = [observations]
        for _ in range(30):
            observations, *_, info = env.step(legal(info, rng))
            seen.append(observations)
        runs.append(np.array(seen))

    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0][0], env.reset(seed=SEED + 1)[0])
    assert not np.array_equal(env.reset()[0], env.reset()[0])


@pytest.mark.parametrize("kind", [HanabiEnv, HanabiVectorEnv])
@pytest.mark.parametrize("seed", [None, SEED])
def test_only_a_seed_makes_two_environments_play_the_same_games(
    kind: type, seed: int | None
) -> None:
    first, second = kind(), kind()
    assert first.np_random and second.np_random  # drawn from before, as by a wrapper

    same = np.array_equal(first.reset(seed=seed)[0], second.reset(seed=seed)[0])

    assert same == (seed is not None)
