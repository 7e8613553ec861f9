"""Speed of environments of Hanabi for two players: HOAD's, PettingZoo's, JaxMARL's, and HLE.

``pip install 'hoad[comparison]'`` installs what PettingZoo's environment is made of, ``pip install
'jax[cpu]' jaxmarl`` JaxMARL; ``make setup`` installs the Hanabi Learning Environment (HLE).
"""

import time
from collections.abc import Callable, Generator
from typing import Annotated, Any, Final

import numpy as np
from pydantic import Field

from hoad.core import cli
from hoad.environments import HanabiEnv, HanabiVectorEnv, aec_env

Games = Generator[np.ndarray, np.ndarray, None]
"""Games without end: yields the legal actions as masks, and is sent an action of each game."""


def vector_games() -> Games:
    """Play 4,096 games at a time, both seats."""
    env = HanabiVectorEnv(4_096, partner=None)
    _, infos = env.reset(seed=0)
    while True:
        *_, infos = env.step((yield infos["action_mask"]))


def single_games() -> Games:
    """Play one game at a time, both seats."""
    env = HanabiEnv(partner=None)
    _, info = env.reset(seed=0)
    while True:
        _, _, ended, _, info = env.step(int((yield info["action_mask"])))
        if ended:
            _, info = env.reset()


def hoad_aec_games() -> Games:
    """Play in PettingZoo's interface."""
    return _aec_games(aec_env())


def pettingzoo_games() -> Games:
    """Play in PettingZoo's own environment, which is OpenSpiel's, which is HLE."""
    from pettingzoo.classic import hanabi_v5

    return _aec_games(hanabi_v5.env())


def _aec_games(env: Any) -> Games:
    env.reset(seed=0)
    while True:
        observation, _, ended, truncated, _ = env.last()
        if ended or truncated:
            env.reset()
        else:
            env.step(int((yield observation["action_mask"])))


def jaxmarl_games() -> Games:
    """Play 4,096 games at a time in JaxMARL's environment, compiled for the CPU."""
    import jax
    import jaxmarl

    env, games, no_move = jaxmarl.make("hanabi"), 4_096, 20

    def acting(state: Any) -> Any:
        return state.cur_player_idx.argmax()

    def mask_of(state: Any) -> Any:
        masks = jax.numpy.stack(list(env.get_legal_moves(state).values()))
        return masks[acting(state), :no_move]

    @jax.jit
    @jax.vmap
    def step(key: Any, state: Any, action: Any) -> tuple[Any, ...]:
        player, key = acting(state), jax.random.split(key)[0]
        moves = {
            agent: jax.numpy.where(player == seat, action, no_move)
            for seat, agent in enumerate(env.agents)
        }
        observations, state, *_ = env.step(key, state, moves)  # which begins the next game
        return key, state, mask_of(state), observations

    keys = jax.random.split(jax.random.key(0), games)
    _, state = jax.vmap(env.reset)(keys)
    mask = jax.vmap(mask_of)(state)
    while True:
        actions = yield np.asarray(mask)
        keys, state, mask, observations = step(keys, state, actions)
        jax.block_until_ready(observations)


def hle_games() -> Games:
    """Play in the environment of the Hanabi Learning Environment."""
    from hanabi_learning_environment import rl_env

    env = rl_env.make("Hanabi-Full", num_players=2)
    seen = env.reset()
    while True:
        mask = np.zeros(20, np.int8)
        mask[seen["player_observations"][seen["current_player"]]["legal_moves_as_int"]] = 1
        seen, _, ended, _ = env.step(int((yield mask)))
        if ended:
            seen = env.reset()


ENVIRONMENTS: Final[dict[str, Callable[[], Games]]] = {
    "hoad HanabiVectorEnv": vector_games,
    "hoad HanabiEnv": single_games,
    "hoad aec_env": hoad_aec_games,
    "pettingzoo hanabi_v5": pettingzoo_games,
    "JaxMARL hanabi": jaxmarl_games,
    "HLE rl_env": hle_games,
}


def moves_per_s(games: Games, seconds: float) -> float:
    """Return random legal moves a second of processor time; choosing them is not counted."""
    rng = np.random.default_rng(0)
    masks, moves, spent = next(games), 0, 0.0
    for step in range(10**9):
        actions = (rng.random(masks.shape, np.float32) * masks).argmax(-1)
        start = time.process_time()
        masks = games.send(actions)
        if step >= 100:  # the first ones compile, and fill the processor's caches
            spent += time.process_time() - start
            moves += actions.size
        if spent >= seconds:
            break
    return moves / spent


def libraries(seconds: Annotated[float, Field(gt=0)] = 3.0) -> None:
    """Measure environments of Hanabi: moves a second of one core, with what a learner gets of each.

    A move comes with the observation and the legal actions of the next player to move, and with a
    new game where one has ended. Moves are random legal ones.

    Args:
        seconds: Processor time for each environment.
    """
    print(f"{'environment':24}moves/s")
    for name, play in ENVIRONMENTS.items():
        try:
            print(f"{name:24}{moves_per_s(play(), seconds):,.0f}", flush=True)
        except ImportError as absent:
            print(f"{name:24}not installed: {absent}")


if __name__ == "__main__":
    cli.run(libraries)
