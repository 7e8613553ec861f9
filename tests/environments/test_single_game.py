"""What hoad.environments offers; environments of one game."""

from collections.abc import Callable

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import hoad.environments
from hoad.core.errors import HoadError
from hoad.environments import HanabiAECEnv, HanabiEnv, HanabiVectorEnv, aec_env
from hoad.game.game import Game
from hoad.game.state import full_game
from tests.scripts import printed


def test_every_name_is_there() -> None:
    for name in hoad.environments.__all__:
        assert getattr(hoad.environments, name).__doc__
    with pytest.raises(AttributeError, match="absent"):
        _ = hoad.environments.absent


@pytest.mark.parametrize(
    ("modules", "absent"),
    [
        ("hoad", ["gymnasium", "numpy"]),
        ("gymnasium, hoad", ["numba", "pettingzoo", "torch"]),
        (
            "hoad, gymnasium, hoad.environments",
            ["numba", "pettingzoo", "stable_baselines3", "torch"],
        ),
    ],
)
def test_importing_it_loads_nothing_large_and_gymnasium_knows_its_name(modules, absent):
    program = f"import {modules}, sys\nassert not set({absent}) & set(sys.modules)"
    if "gymnasium" in modules:
        program += "\nprint(gymnasium.spec('hoad/Hanabi-v0').entry_point)"

    entry = printed(program)

    assert entry == ("hoad.environments.single:HanabiEnv\n" if "gymnasium" in modules else "")


def test_what_is_not_installed_is_named() -> None:
    told = printed("""
import sys
absent = "gymnasium", "pettingzoo", "stable_baselines3"
sys.modules |= dict.fromkeys(absent)  # as if none was there
import hoad.environments
from hoad.core.errors import HoadError
for name in hoad.environments.__all__:
    try:
        getattr(hoad.environments, name)
    except HoadError as error:
        print(error)
""")

    lines = told.splitlines()
    assert len(lines) == len(hoad.environments.__all__)
    assert all("pip install 'hoad[environments]'" in line for line in lines)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"partner": "noisy:0.1:holmesbot", "seat": 1, "score": "lenient", "render_mode": "ansi"},
        {"partner": None, "keys": ("observations", "action_mask")},
    ],
)
def test_gymnasium_finds_no_fault(arguments: dict) -> None:
    check_env(gymnasium.make("hoad/Hanabi-v0", **arguments).unwrapped)


@pytest.mark.parametrize("keys", [("observations", "action_mask"), ["obs", "mask"]])
def test_the_mask_may_be_a_part_of_the_observation(keys: list[str]) -> None:
    plain, env = HanabiEnv(), HanabiEnv(keys=keys)
    observation, info = plain.reset(seed=1)
    seen, _ = env.reset(seed=1)
    for _ in range(3):
        assert list(seen) == list(keys) and seen in env.observation_space
        np.testing.assert_array_equal(seen[keys[0]], observation)
        assert plain.action_masks().dtype == bool
        for mask in (seen[keys[1]], plain.action_masks()):
            np.testing.assert_array_equal(mask, info["action_mask"])
        action = int(info["action_mask"].argmax())
        observation, *_, info = plain.step(action)
        seen, *_ = env.step(action)


def test_it_shows_the_table_and_the_learner_sits_in_both_seats_by_turns() -> None:
    one_seat, several = HanabiEnv(seat=1, render_mode="ansi"), aec_env(4, render_mode="ansi")
    env, shown = HanabiEnv(render_mode="ansi"), []
    for each in (one_seat, several, env):
        each.reset(seed=1)
    for _ in range(4):
        shown.append("player 0 to move" in str(env.render()))
        env.reset()

    assert "turn 1, player 1 to move" in str(one_seat.render())
    assert "player 0" in str(several.render())
    assert shown == [True, False, True, False]


@pytest.mark.parametrize("kind", [HanabiEnv, HanabiAECEnv])
def test_it_prints_the_table_for_people(kind: type, capsys: pytest.CaptureFixture[str]) -> None:
    env = kind(render_mode="human")
    env.reset(seed=1)
    env.step(5)  # plays the oldest card

    shown = capsys.readouterr().out

    assert shown.count("fireworks") == 2
    assert env.render() is None and capsys.readouterr().out in shown


@pytest.mark.parametrize(
    ("kind", "arguments", "told"),
    [
        *(
            (kind, {"render_mode": "rgb_array"}, "'rgb_array': expected 'ansi', 'human' or None")
            for kind in (HanabiEnv, HanabiAECEnv)
        ),
        *(
            (HanabiEnv, {"keys": keys}, "expected two names")
            for keys in ("ab", ("mask",), ("mask", "mask"))
        ),
        (aec_env, {"players": 6}, "players is 6"),
        (aec_env, {"score": "mild"}, "score 'mild'"),
        (HanabiVectorEnv, {"score": "kind"}, "score='kind'"),
    ],
)
def test_wrong_arguments_are_refused(kind: Callable, arguments: dict, told: str) -> None:
    with pytest.raises(HoadError, match=told):
        kind(**arguments)


PLAYERS = [2, 3, 4, 5]


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
def test_pettingzoo_finds_no_fault(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(aec_env(players), num_cycles=100)
    seed_test(lambda: aec_env(players, score="lenient"), num_cycles=50)

    assert "Passed API test" in capsys.readouterr().out


LENGTHS = {2: (658, 20), 3: (956, 30), 4: (1041, 38), 5: (1280, 48)}
"""Of the canonical encoding, and of the moves."""


@pytest.mark.parametrize("players", PLAYERS)
def test_it_is_the_plain_game(players: int) -> None:
    env, game = aec_env(players), Game(full_game(players), seed=4)
    env.reset(seed=4)
    shape = env.observation_space("player_0")["observation"].shape
    assert (*shape, env.action_space("player_0").n) == LENGTHS[players]
    waiting = env.observe(f"player_{players - 1}")  # who may do nothing
    assert waiting["observation"].tolist() == game.observation(players - 1).tolist()
    assert not waiting["action_mask"].any()
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        if terminated:
            assert game.is_over and not truncated and not seen["action_mask"].any()
            env.step(None)
            continue
        assert agent == f"player_{game.current_player}"
        assert seen["observation"].tolist() == game.observation().tolist()
        assert np.flatnonzero(seen["action_mask"]).tolist() == game.legal_moves
        move = game.legal_moves[len(game.legal_moves) // 2]
        env.step(move)
        game.step(move)

    assert set(total.values()) == {game.strict_score}


@pytest.mark.parametrize(("score", "last"), [("strict", -1.0), ("lenient", 0.0)])
def test_the_loss_of_the_last_life_costs_the_strict_score(score: str, last: float) -> None:
    env = HanabiAECEnv(score=score)  # type: ignore[arg-type]
    env.reset(seed=3)
    rewards: list[float] = []
    while not any(env.terminations.values()):
        table, hand = env.game.state.table, env.game.state.hands[env.game.current_player]
        cards = [int(hand[slot]) for slot in table.order[env.game.current_player]]
        fits = [card % 5 == table.fireworks[card // 5] for card in cards]
        env.step(5 + fits.index(not any(rewards) and any(fits)))
        rewards.append(env.rewards["player_0"])

    assert table.lives == 0 and table.score == 1
    assert (rewards.count(1.0), rewards[-1]) == (1, last)


def test_games_of_a_run_follow_each_other() -> None:
    env, seen = HanabiAECEnv(), []
    for seed in (6, None, 6, None, 7):
        env.reset(seed=seed)
        seen.append(env.observe("player_0")["observation"].tobytes())

    assert seen[:2] == seen[2:4] and len(set(seen)) == 3


def test_an_illegal_action_ends_the_game_or_is_refused() -> None:
    wrapped, plain = aec_env(), HanabiAECEnv()
    for env in (wrapped, plain):
        env.reset(seed=1)
    wrapped.step(0)  # a discard with all tokens

    assert wrapped.terminations == {"player_0": True, "player_1": True}
    assert wrapped.rewards == {"player_0": -1.0, "player_1": 0}
    with pytest.raises(HoadError, match="illegal in turn 0"):
        plain.step(0)
    with pytest.raises(HoadError, match="seed is -3"):
        plain.reset(seed=-3)
