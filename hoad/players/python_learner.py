"""Your own ad-hoc player in plain Python: ``python:FILE.py:CLASS`` as a column of a table."""

import pickle
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np

from hoad.adhoc_player import AdhocPlayer, Support, play_episodes, trials_of
from hoad.agents.agent import Agent
from hoad.agents.check import check_agent
from hoad.agents.own_code import own_code
from hoad.agents.python_agent import PlainAgent
from hoad.agents.registry import get_agent
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.game.view import View


class AdhocLearner:
    """An ad-hoc player: write ``choose`` or ``agent``, and what it learns from.

    There is a new object for each episode: some games in a row with one partner. Keep what is
    learned in the object, never in the class or the module. Tables show ``name``, if it is given,
    before the name that commands take. ``files`` are as those of `PlainAgent`.
    """

    name = ""
    files: tuple[str, ...] = ()

    def begin(self, agents: Sequence[str], games: GameLogs | None) -> None:
        """Prepare for an episode.

        ``agents`` names the agents that the player may use: the recipe's pool without whatever is
        held out. ``games`` are self-play games of the partner, the support, with all cards known;
        None if the recipe gives none (``support_games = 0``). Without a pool in the recipe,
        ``agents`` are those that random-partner draws from.
        """

    def agent(self) -> Agent:
        """Return the agent to play as in the next game: by default, one that asks `choose`."""
        return _Choosing(self)

    def choose(self, view: View) -> str | Mapping[str, float]:
        """Return a move, or probabilities of moves (:meth:`hoad.agents.PlainAgent.choose`)."""
        raise NotImplementedError("write choose or agent")

    def watch(self, game: GameLogs, seat: int) -> None:
        """Learn from a finished game of the episode, in which the player had this seat.

        The table is laid open: the game has the cards of both players. Players of HOAD see their
        own cards only as far as they were played or discarded, but for ``likelihood-revealed``.
        """


class _Choosing(PlainAgent):
    """Plays as a learner chooses."""

    def __init__(self, learner: AdhocLearner) -> None:
        self.name = type(learner).__name__  # errors name it
        self._learner = learner

    def choose(self, view: View) -> str | Mapping[str, float]:
        return self._learner.choose(view)


class PythonLearner(AdhocPlayer):
    """Plays the episodes of a table with an `AdhocLearner`, of the class ``make``, for each.

    It learns from the support, if there is any, and may use agents of these names.
    """

    watches = True

    def __init__(
        self,
        name: str,
        make: Callable[[], AdhocLearner],
        support: Support | None,
        agents: Sequence[str],
    ) -> None:
        self.name = name
        self._make = make
        self._support = support
        self._usable = tuple(agents)
        self._learners: list[AdhocLearner] = []

    def begin(self, episodes: int, seed: int) -> None:
        games = self._support.play(seed) if self._support else [None] * episodes
        self._learners = [self._ask("__init__", self._make) for _ in range(episodes)]
        for learner, trial in zip(self._learners, self.repetitions(episodes), strict=True):
            self._ask("begin", learner.begin, self._usable, games[trial])

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        agents = [self._ask("agent", learner.agent) for learner in self._learners]
        for agent in agents:
            if not (isinstance(agent, Agent) and agent.fair):
                problem = f"agent returned {agent!r}; return a fair agent"
                raise HoadError(f"player {self.name}: {problem}")
        return agents

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        for episode, learner in enumerate(self._learners):
            self._ask("watch", learner.watch, logs.select(np.array([episode])), seat)

    def repetitions(self, episodes: int) -> np.ndarray:
        return trials_of(episodes, self._support.trials) if self._support else np.arange(episodes)

    def _ask(self, method: str, function: Callable[..., Any], *arguments: Any) -> Any:
        with own_code(f"player {self.name}: {method}"):
            return function(*arguments)


_PARTNERS: Final = ("iggi", "outer", "simplebot")
"""Partners of a check; the learner may use all but the first."""


def check_learner(name: str, kind: type[AdhocLearner]) -> list[str]:
    """Return what is wrong with a learner, one sentence each; an empty list if it is sound.

    It plays a few episodes with several partners, and again in the opposite order, with and without
    support. It must not fail, make illegal moves, carry anything over from one episode to another,
    nor play as an agent that :func:`hoad.agents.check.check_agent` finds fault with.
    """
    for games in (3, 0):
        before = _class_attributes(kind)
        try:
            there = [_watched(name, kind, partner, games) for partner in _PARTNERS]
            back = [_watched(name, kind, partner, games) for partner in reversed(_PARTNERS)]
        except HoadError as error:
            return [str(error)]
        after = _class_attributes(kind)
        if changed := [key for key in sorted(before | after) if after.get(key) != before.get(key)]:
            complaint = f"{', '.join(changed)} of the class changed in play"
            return [f"player {name}: {complaint}: keep what is learned in the object"]
        if any(turn.actions != same.actions for turn, same in zip(there, back[::-1], strict=True)):
            return [
                f"player {name}: plays the same episodes differently after others: keep what is "
                "learned in the object, and draw no random numbers"
            ]
        used = {repr(agent.identity): agent for played in there for agent in played.played_as}
        for agent in used.values():
            if complaints := check_agent(agent, games=10):
                return [f"player {name}: {complaint}" for complaint in complaints]
    return []


def _class_attributes(kind: type) -> dict[str, bytes]:
    """Return what a class and its bases hold, as bytes by name."""
    attributes = {}
    for name in dir(kind):
        with suppress(Exception):  # what cannot be pickled is not compared
            attributes[name] = pickle.dumps(getattr(kind, name))
    return attributes


class _Watched(PythonLearner):
    """Keeps all moves, and the agents that the learners play as, if they do not choose."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.actions: list[list[int]] = []
        self.played_as: list[Agent] = []

    def agents(self, game: int, seat: int) -> Sequence[Agent]:
        agents = super().agents(game, seat)
        self.played_as += [agent for agent in agents if not isinstance(agent, _Choosing)]
        return agents

    def watch(self, game: int, seat: int, logs: GameLogs) -> None:
        self.actions.append(logs.actions.tolist())
        super().watch(game, seat, logs)


def _watched(name: str, make: Callable[[], AdhocLearner], partner: str, games: int) -> _Watched:
    """Play five episodes of seven games with a partner."""
    agent = get_agent(partner)
    support = Support(agent, trials=2, games=games) if games else None
    player = _Watched(name, make, support, _PARTNERS[1:])
    play_episodes(player, agent, 5, 7, seed=1)
    return player
