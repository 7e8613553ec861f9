"""Agents in plain Python: one class with one method, from a readable view to a move.

They play like any other agent, at some 100 games a second, and need no numba.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any, Final

import numpy as np

from hoad.agents.agent import MOVES, Agent, Batch, new_view, see
from hoad.agents.own_code import load_class, own_code, source_digest
from hoad.agents.registry import note_title
from hoad.core.errors import HoadError
from hoad.game.moves import COLOUR_NAMES, listed_moves, move_name
from hoad.game.observation import encode, observation_bytes, observation_length
from hoad.game.rules import legal_moves
from hoad.game.state import HIDDEN, full_game

_SLACK: Final = 1e-9  # allowed difference of a sum of probabilities from 1, for rounding


@dataclass(frozen=True)
class SeenCard:
    """A card in a hand.

    Attributes:
        colours, ranks: those (ranks 1 to 5) that hints leave open to its holder.
        colour_hinted, rank_hinted: whether such a hint touched it.
        colour, rank: what it is; None in the player's own hand.
    """

    colours: tuple[str, ...]
    ranks: tuple[int, ...]
    colour_hinted: bool
    rank_hinted: bool
    colour: str | None
    rank: int | None


@dataclass(frozen=True, repr=False)
class View:
    """What the player to move sees of the full game of two players.

    Attributes:
        me: the player's seat, 0 or 1.
        tokens: hint tokens, 0 to 8.
        lives: lives left, 1 to 3.
        deck_left: cards in the deck.
        fireworks: height of each colour.
        discards: the discarded and misplayed cards as (colour, rank), sorted.
        my_hand: the player's own cards, oldest first: ``"play 0"`` plays position 0. For the
            attributes of a card see ``help(hoad.agents.SeenCard)``.
        partner_hand: the partner's cards, oldest first.
        legal_moves: as text: ``"play 0"``, ``"discard 4"``, ``"hint red"``, ``"hint 3"``.
        history: all moves so far as (seat, move), the latest last.
        observation: the same for a network: the canonical encoding of HLE (Bard et al. 2020),
            which has the last move only, uint8 of 0 and 1, shape ``(658,)``.
    """

    me: int
    tokens: int
    lives: int
    deck_left: int
    fireworks: Mapping[str, int]
    discards: tuple[tuple[str, int], ...]
    my_hand: tuple[SeenCard, ...]
    partner_hand: tuple[SeenCard, ...]
    legal_moves: tuple[str, ...]
    history: tuple[tuple[int, str], ...]
    observation: np.ndarray = field(compare=False)

    def __repr__(self) -> str:
        score, turn = sum(self.fireworks.values()), len(self.history)
        return (
            f"<View turn {turn}, player {self.me} to move: score {score}, {self.lives} lives, "
            f"{self.tokens} hint tokens, {self.deck_left} cards in the deck>"
        )

    def is_playable(self, colour: str | None, rank: int | None) -> bool:
        """Return whether a card would fit on its firework now; False for an unknown card."""
        return colour is not None and rank is not None and rank == self.fireworks[colour] + 1


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
        hands = new_view()[0]
        for row, state in zip(weights, batch.states, strict=True):
            see(state, batch.seat, hands)
            for move, weight in self._distribution(_readable(state.table, hands)).items():
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
        """Class, name, and a digest of the source file, of its neighbours and of ``files``."""
        return _own_identity(self)


def _own_identity(agent: Agent) -> tuple[str, str, str]:
    kind = type(agent)
    return kind.__qualname__, agent.name, source_digest(kind)


MOVE_NAMES: Final = tuple(move_name(full_game(2), move) for move in range(MOVES))
"""The moves as text, by their ids, which count the outputs of a network."""
_MOVE_IDS = {name: move for move, name in enumerate(MOVE_NAMES)}


def _readable(table: np.record, hands: np.ndarray) -> View:
    me, turn = int(table.current), int(table.turn)
    discards = np.repeat(np.arange(25), table.discards).tolist()
    return View(
        me=me,
        tokens=int(table.tokens),
        lives=int(table.lives),
        deck_left=int(table.deck_left),
        fireworks=dict(zip(COLOUR_NAMES, table.fireworks.tolist(), strict=True)),
        discards=tuple((COLOUR_NAMES[card // 5], card % 5 + 1) for card in discards),
        my_hand=_hand(table, hands, me),
        partner_hand=_hand(table, hands, 1 - me),
        legal_moves=tuple(MOVE_NAMES[move] for move in listed_moves(legal_moves(table, hands))),
        history=tuple(
            ((me + turn + past) % 2, MOVE_NAMES[table.actions[past]]) for past in range(turn)
        ),
        observation=_observation(table, hands, me),
    )


def _observation(table: np.record, hands: np.ndarray, me: int) -> np.ndarray:
    packed = np.empty(observation_bytes(full_game(2)), np.uint8)
    encode(table, hands, me, packed)
    return np.unpackbits(packed, count=observation_length(full_game(2)))


def _hand(table: np.record, hands: np.ndarray, player: int) -> tuple[SeenCard, ...]:
    cards = []
    for slot in table.order[player, : table.hand_length[player]]:
        card = int(hands[player, slot])
        colours, ranks = int(table.colour_mask[player, slot]), int(table.rank_mask[player, slot])
        cards.append(
            SeenCard(
                colours=tuple(name for c, name in enumerate(COLOUR_NAMES) if colours >> c & 1),
                ranks=tuple(rank + 1 for rank in range(5) if ranks >> rank & 1),
                colour_hinted=bool(table.colour_hinted[player, slot]),
                rank_hinted=bool(table.rank_hinted[player, slot]),
                colour=None if card == HIDDEN else COLOUR_NAMES[card // 5],
                rank=None if card == HIDDEN else card % 5 + 1,
            )
        )
    return tuple(cards)


def load_python_agent(argument: str) -> Agent:
    """Return the agent ``python:FILE.py:CLASS`` (raises what :func:`load_class` raises)."""
    name, found = f"python:{argument}", load_class(argument)
    if not issubclass(found, Agent):
        raise HoadError(f"agent {name}: the class is not derived from PlainAgent")
    with own_code(f"agent {name}: __init__"):
        agent = _identified(found)()
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
    """Turn failures of the methods of an agent that is not plain into HoadErrors."""

    def guarded(method: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def guarded_call(*arguments: Any) -> Any:
            with own_code(f"agent {name}: {method}"):
                return call(*arguments)

        return guarded_call

    for method in ("weights", "act", "observe", "new_memory", "in_seat"):
        setattr(agent, method, guarded(method, getattr(agent, method)))
