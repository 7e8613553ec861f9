"""Agents in plain Python, and the check that tells their authors what is wrong."""

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hoad.agents import Agent, Batch, get_agent, play
from hoad.agents.agent import MOVES
from hoad.agents.check import check_agent
from hoad.agents.python_agent import MOVE_NAMES, PlainAgent
from hoad.core.errors import HoadError
from hoad.game.log import encode_turns, replay
from hoad.game.view import View

GUIDE = Path(__file__).parents[2] / "docs" / "your-agent.md"
HOPEFUL = GUIDE.read_text().split("```")[1].removeprefix("python")


class Careful(PlainAgent):
    """Plays what it knows to be playable; else one of two moves, by chance."""

    name = "careful"

    def choose(self, view: View) -> str | Mapping[str, float]:
        for position, card in enumerate(view.my_hand):
            known = len(card.colours) == len(card.ranks) == 1
            if known and view.is_playable(card.colours[0], card.ranks[0]):
                return f"play {position}"
        return {view.legal_moves[0]: 0.25, view.legal_moves[-1]: 0.75}


class Counting(PlainAgent):
    name = "counting"
    asked = 0

    def choose(self, view: View) -> str:
        self.asked += 1
        return view.legal_moves[self.asked % len(view.legal_moves)]


class Answering(PlainAgent):
    """Gives this function's answer."""

    name = "answering"

    def __init__(self, answer: Callable[[View], Any]) -> None:
        self.answer = answer

    def choose(self, view: View) -> Any:
        return self.answer(view)


def weighing(weight: Any) -> Answering:
    """An agent that gives its first legal move this weight, and no other move any."""
    return Answering(lambda view: {view.legal_moves[0]: weight})


class Looking(PlainAgent):
    """Keeps what it sees."""

    name = "looking"

    def __init__(self) -> None:
        self.views: list[View] = []

    def choose(self, view: View) -> str:
        self.views.append(view)
        return view.legal_moves[len(view.history) % len(view.legal_moves)]


class Peeping(Agent):
    """Plays, in one seat, its oldest card if the deck's last card is a 1; else its newest."""

    name = "peeping"

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def weights(self, batch: Batch) -> np.ndarray:
        weights = np.zeros((len(batch.states), MOVES))
        lengths = batch.states["table"]["hand_length"][:, batch.seat]
        peeps = (batch.states["deck"][:, 49] % 5 == 0) & (batch.seat == self.seat)
        newest = np.where(peeps, 0, lengths - 1)
        weights[np.arange(len(weights)), 5 + newest] = 1
        return weights


def test_an_agent_is_loaded_from_a_file_and_plays_with_any_other(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(HOPEFUL)

    agent = get_agent(f"python:{file}:Hopeful")

    assert agent.name == f"python:{file}:Hopeful"
    assert replay(play([agent, agent], 10, seed=1)).scores.mean() > 3
    assert check_agent(agent, games=10) == []
    outcomes = replay(play([Careful(), get_agent("iggi")], 10, seed=1))
    assert outcomes.over.all()
    assert outcomes.scores.mean() > 1


VECTORISED = """
import numpy as np
from hoad.agents import Agent
from hoad.agents.agent import MOVES

class Mine(Agent):
    name = "mine"
    def weights(self, batch):
        return np.eye(MOVES)[np.full(len(batch.states), {move})]
"""


@pytest.mark.parametrize("source", [VECTORISED, HOPEFUL.replace("Hopeful", "Mine")])
def test_agents_of_one_file_name_are_told_apart_by_their_source(tmp_path, source):
    names = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        file = tmp_path / folder / "mine.py"
        file.write_text(source.replace("{move}", "0") + f"# {folder}")
        names.append(f"python:{file}:Mine")
    one, other = map(get_agent, names)

    other.name = one.name
    assert one.identity != other.identity
    assert one.identity == get_agent(names[0]).identity


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("nowhere.py:Agent", "no file"),
        ("{file}", "the class is missing"),
        ("{file}:Missing", "has no class 'Missing'"),
        ("{broken}:Agent", "fails with SyntaxError"),
        (f"{GUIDE}:Agent", "no file"),
    ],
)
def test_files_without_an_agent_are_refused(tmp_path, argument, complaint):
    file, broken = tmp_path / "mine.py", tmp_path / "broken.py"
    file.write_text(HOPEFUL)
    broken.write_text("def")

    with pytest.raises(HoadError, match=complaint):
        get_agent("python:" + argument.format(file=file, broken=broken))


def test_a_view_tells_hands_and_history_and_has_the_observation_of_the_learning_environment():
    looking = Looking()
    turns = encode_turns(play([looking, looking], 1, seed=4))

    seen, moves = looking.views, [MOVE_NAMES[action] for action in turns.actions[:-1]]
    bits = np.unpackbits(turns.observations, axis=1, count=658)
    assert np.array_equal([view.observation for view in seen], bits)
    assert seen[0].history == ()
    assert seen[-1].history == tuple((turn % 2, move) for turn, move in enumerate(moves))
    assert seen[0].fireworks == dict.fromkeys(("red", "yellow", "green", "white", "blue"), 0)
    assert all(card.colour is None for card in seen[0].my_hand)
    assert all(card.rank in card.ranks for card in seen[-1].partner_hand)
    assert repr(seen[0]) == (
        "<View turn 0, player 0 to move: score 0, 3 lives, 8 hint tokens, 40 cards in the deck>"
    )


@pytest.mark.parametrize("agent", [Careful(), get_agent("iggi"), get_agent("simplebot")])
def test_nothing_is_wrong_with_sound_agents(agent):
    assert check_agent(agent, games=10) == []


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        (Answering(lambda view: "discard 0"), "'discard 0' is not legal"),
        (
            Answering(lambda view: view.legal_moves[1 // 0]),
            "in turn 0, choose fails with ZeroDivisionError",
        ),
        (Answering(lambda view: None), "choose returned None in turn 0"),
        (Counting(), "plays the same deal differently"),
        (Peeping(seat=0), "weighs its moves"),
        (Peeping(seat=1), "weighs its moves"),
        (weighing("high"), "'high' is no probability"),
        (weighing(math.nan), "nan is no probability"),
        (weighing(-0.5), "-0.5 is no probability"),
        (weighing(0.25), "its weights sum to 0.25"),
    ],
)
def test_authors_are_told_what_is_wrong(agent, complaint):
    complaints = check_agent(agent)

    assert len(complaints) == 1
    assert complaint in complaints[0]
