"""The vectorised environment as Stable-Baselines3 and sb3-contrib ask for it."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="sb3-contrib, which trains PPO, is not installed")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from hoad.environments import HanabiVectorEnv, SB3VecEnv

SEED = 11


def test_masks_are_those_of_the_games() -> None:
    plain, env = HanabiVectorEnv(6), SB3VecEnv(HanabiVectorEnv(6))
    env.seed(SEED)
    observations, told = plain.reset(seed=SEED)
    seen = np.asarray(env.reset())
    assert is_masking_supported(env)
    rng, over = np.random.default_rng(0), 0
    for _ in range(30):
        np.testing.assert_array_equal(seen, observations)
        np.testing.assert_array_equal(get_action_masks(env), told["action_mask"])
        np.testing.assert_array_equal(
            env.env_method("action_masks", indices=2), [told["action_mask"][2]]
        )
        mask = told["action_mask"]
        actions = (rng.random(mask.shape) * mask).argmax(1)
        observations, rewards, ended, _, told = plain.step(actions)
        stepped, returned, ends, infos = env.step(actions)
        seen = np.asarray(stepped)
        assert returned.tolist() == rewards.tolist() and ends.tolist() == ended.tolist()
        for place in np.flatnonzero(ended):
            final = infos[place]["terminal_observation"]
            np.testing.assert_array_equal(final, told["final_obs"][place])
            for key in ("score", "lives"):
                assert infos[place][key] == told["final_info"][key][place]
            over += 1
    assert over


def test_a_reset_without_a_seed_begins_the_next_games_which_have_no_other_attributes() -> None:
    env = SB3VecEnv(HanabiVectorEnv(2))
    env.seed(SEED)
    first = env.reset()

    assert not np.array_equal(first, env.reset())
    assert not env.has_attr("partner")
    assert env.get_attr("render_mode") == [None, None]
    assert env.env_is_wrapped(object) == [False, False]
    for call in (lambda: env.env_method("deal"), lambda: env.set_attr("partner", "iggi")):
        with pytest.raises(AttributeError, match="no attribute"):
            call()
    env.close()


@pytest.mark.parametrize("partner", ["iggi", None])
def test_ppo_learns_in_it(partner: str | None) -> None:
    env = VecMonitor(SB3VecEnv(HanabiVectorEnv(16, partner, score="lenient")))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=128, seed=1, device="cpu")
    before = model.policy.state_dict()["action_net.weight"].clone()

    model.learn(1_024)

    assert not model.policy.state_dict()["action_net.weight"].equal(before)
    assert model.ep_info_buffer and {"r", "l"} <= set(model.ep_info_buffer[0])
