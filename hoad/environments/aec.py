"""The PettingZoo environment: Hanabi for 2 to 5 players, who move one after the other (AEC)."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from hoad.core.errors import HoadError, refuse_outside
from hoad.environments.games import Score, random_seed
from hoad.environments.rendering import RENDER_MODES, check_render_mode, show
from hoad.game.deck import shuffled_deck
from hoad.game.game import Game
from hoad.game.observation import observation_length
from hoad.game.state import full_game

Observation = dict[str, np.ndarray]


def aec_env(players: int = 2, score: Score = "strict", render_mode: str | None = None) -> AECEnv:
    """Return :class:`HanabiAECEnv`, with its errors, in the wrappers of PettingZoo's classic games.

    An illegal action ends the game with a reward of -1 for the player that made it.
    """
    env: AECEnv = wrappers.TerminateIllegalWrapper(
        HanabiAECEnv(players, score, render_mode), illegal_reward=-1
    )
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


class HanabiAECEnv(AECEnv[str, Observation, int]):
    """The full game for 2 to 5 players, ``player_0``, ``player_1`` and so on.

    An observation is a mapping, as in PettingZoo's classic games: ``observation`` is HLE's
    canonical one, 0 or 1, int8 (658 bits with two players); ``action_mask``, int8, has 1 for each
    legal action, and only zeros for a player that is not to move. All players receive the same
    rewards, which sum to the score of the game.

    Args:
        players: 2 to 5.
        score: what the rewards sum to, ``"strict"`` (0 without a life) or ``"lenient"``.
        render_mode: ``"ansi"`` to let :meth:`render` return the table as text, ``"human"`` to
            print it after each move, or None.

    Raises:
        HoadError: an argument is out of range.
    """

    metadata = {  # noqa: RUF012
        "name": "hoad_hanabi_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
    }

    def __init__(
        self, players: int = 2, score: Score = "strict", render_mode: str | None = None
    ) -> None:
        super().__init__()
        if score not in ("strict", "lenient"):
            raise HoadError(f"environment: score {score!r}: expected 'strict' or 'lenient'")
        check_render_mode(render_mode)
        self.variant = full_game(players)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        bits, moves = observation_length(self.variant), self.variant.moves
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, 1, (bits,), np.int8),
                    "action_mask": Box(0, 1, (moves,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Space] = {
            agent: Discrete(moves) for agent in self.possible_agents
        }
        self._strict = score == "strict"
        self._seed, self._number = random_seed(), -1

    def observation_space(self, agent: str) -> Space:
        """Return the space of a player's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        """Return the space of a player's actions, HLE's move ids."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin game 0 of the run with this seed; without one, the next game of the run.

        Before any seed is given, the run has a random one. ``options`` are not used.

        Raises:
            HoadError: the seed is not in 0 to 2**63 - 1.
        """
        if seed is not None:
            refuse_outside("seed", seed, 0, 2**63 - 1)
        self._number += 1
        if seed is not None:
            self._seed, self._number = seed, 0
        deck = shuffled_deck(self.variant.full_deck(), self._seed, self._number)
        self.game = Game(self.variant, deck=deck)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what a player sees and may do."""
        player = self.possible_agents.index(agent)
        mask = np.zeros(self.variant.moves, np.int8)
        if agent == self.agent_selection:
            mask[self.game.legal_moves] = 1
        return {"observation": self.game.observation(player).astype(np.int8), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move for ``agent_selection``, None after the end; a HoadError if it is illegal."""
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        before = self._score()
        self.game.step(int(action))  # type: ignore[arg-type]
        self._cumulative_rewards[mover] = 0.0
        self.rewards = dict.fromkeys(self.agents, float(self._score() - before))
        self.terminations = dict.fromkeys(self.agents, self.game.is_over)
        self.agent_selection = self.possible_agents[self.game.current_player]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return or print the table as text, the hands of all players included."""
        return show(self.game.render(), self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _score(self) -> int:
        return self.game.strict_score if self._strict else self.game.score
