"""Agents in plain Python: one class with one method, from a readable view to a move.

They play like any other agent, at some 100 games a second, and need no numba.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from numbers import Real
from typing import Any, Final

import numpy as np

from hoad.agents.agent import MOVES, Agent, Batch, describe_array, refuse_other_moves
from hoad.agents.own_code import load_class, own_code, source_identity
from hoad.agents.registry import note_title
from hoad.core.errors import HoadError
from hoad.game.state import full_game
from hoad.game.view import View, move_names, view_of

_VARIANT: Final = full_game(2)
_SLACK: Final = 1e-9  # allowed difference of a sum of probabilities from 1, for rounding
_SLACK_OF_ARRAYS: Final = 1e-6  # the same of arrays, which a network may compute in float32


class PlainAgent(Agent):
    """An agent in plain Python: give it a ``name`` and write ``choose``.

    If it reads files, as of a network, name them in ``files``, a tuple of paths from the folder of
    the class's own file. Games that were kept are played again after a change of one.
    """

    name: str = ""
    files: tuple[str, ...] = ()

    @abstractmethod
    def choose(self, view: View) -> str | Mapping[str, float]:
        """Return one of ``view.legal_moves``, or the probability of each of several.

        It must depend on the view alone: keep nothing from one call to the next, and express
        chance as probabilities. :func:`hoad.agents.check.check_agent` finds mistakes.
        """

    def weights(self, batch: Batch) -> np.ndarray:
        """See :meth:`Agent.weights`."""
        weights = np.zeros((len(batch.states), MOVES))
        for row, state in zip(weights, batch.states, strict=True):
            view = view_of(_VARIANT, state, batch.seat)
            for move, weight in self._distribution(view).items():
                row[move] = weight
        return weights

    def _ask(self, view: View) -> str | Mapping[str, float]:
        turn = len(view.history)
        with own_code(f"agent {self.name}: in turn {turn}, choose"):
            answer = self.choose(view)
        if not isinstance(answer, str | Mapping):
            raise HoadError(
                f"agent {self.name}: choose returned {answer!r} in turn {turn}; return a legal "
                "move, or a mapping from legal moves to probabilities"
            )
        return answer

    def _distribution(self, view: View) -> dict[int, float]:
        answer = self._ask(view)
        moves = {answer: 1.0} if isinstance(answer, str) else dict(answer)
        illegal = [move for move in moves if move not in view.legal_moves]
        bad = [w for w in moves.values() if not (isinstance(w, Real) and 0 <= w <= 1 + _SLACK)]
        wrong = ""
        if illegal:
            wrong = f"{illegal[0]!r} is not legal"
        elif bad:
            wrong = f"{bad[0]!r} is no probability"
        elif abs((total := sum(moves.values())) - 1) > _SLACK:
            wrong = f"its weights sum to {total}"
        if wrong:
            raise HoadError(
                f"agent {self.name}: {answer!r} in turn {len(view.history)}: {wrong}; "
                f"choose from {', '.join(view.legal_moves)}"
            )
        return {_MOVE_IDS[move]: weight for move, weight in moves.items()}

    @cached_property
    def identity(self) -> tuple[str, str, str]:
        """Class, name, and the identity of the source file, of its neighbours and of ``files``."""
        return _own_identity(self)


def _own_identity(agent: Agent) -> tuple[str, str, str]:
    kind = type(agent)
    return kind.__qualname__, agent.name, source_identity(kind)


MOVE_NAMES: Final = move_names(_VARIANT)
"""The moves as text, by their ids, which count the outputs of a network."""
_MOVE_IDS: Final = {name: move for move, name in enumerate(MOVE_NAMES)}


def load_python_agent(argument: str) -> Agent:
    """Return the agent ``python:FILE.py:CLASS`` (raises what :func:`load_class` raises)."""
    name, kind = f"python:{argument}", load_class(argument)
    if not issubclass(kind, Agent):
        raise HoadError(f"agent {name}: the class is not derived from PlainAgent")
    with own_code(f"agent {name}: __init__"):
        agent = _identified(kind)()
        note_title(name, getattr(agent, "name", ""))
    if not isinstance(agent, PlainAgent):
        _guard(agent, name)
    agent.name = name
    return agent


def _identified(kind: type[Agent]) -> type[Agent]:
    """Return the class; if it has no identity of its own, a subclass identified by its source."""
    if kind.identity is not Agent.identity:
        return kind
    members = {"identity": property(_own_identity), "__module__": kind.__module__}
    return type(kind.__name__, (kind,), members)


def _guard(agent: Agent, name: str) -> None:
    """Turn failures and wrong results of an agent that is not plain into HoadErrors."""
    checks = {"weights": _refuse_other_weights, "act": refuse_other_moves}

    def guarded(method: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def guarded_call(*arguments: Any) -> Any:
            with own_code(f"agent {name}: {method}"):
                result = call(*arguments)
                if method in checks:
                    checks[method](name, result, len(arguments[0].states))
                return result

        return guarded_call

    for method in ("weights", "act", "observe", "new_memory", "in_seat"):
        setattr(agent, method, guarded(method, getattr(agent, method)))


def _refuse_other_weights(name: str, weights: Any, games: int) -> None:
    """Raise a HoadError unless the agent's ``weights`` has returned a distribution of each game."""
    shape = games, MOVES
    if not isinstance(weights, np.ndarray) or weights.shape != shape:
        wrong = describe_array(weights)
    elif not (weights >= 0).all():
        wrong = "a weight that is negative or not a number"
    elif (off := abs(weights.sum(1, dtype=float) - 1)).max(initial=0) > _SLACK_OF_ARRAYS:
        wrong = f"weights of a game that sum to {weights[off.argmax()].sum():g}"
    else:
        return
    raise HoadError(
        f"agent {name}: weights returned {wrong}; return float64, shape {shape}, with rows that "
        "sum to 1"
    )
