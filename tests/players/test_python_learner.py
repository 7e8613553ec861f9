"""Ad-hoc players in plain Python, and the check that tells their authors what is wrong."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hoad.adhoc_player import AdhocPlayer, Support, play_episodes
from hoad.agents import Agent, PlainAgent, View, get_agent
from hoad.agents.agent import MOVES, Batch
from hoad.core.errors import HoadError
from hoad.game.log import GameLogs
from hoad.game.moves import listed_moves
from hoad.game.rules import legal_moves
from hoad.players.python_learner import AdhocLearner, PythonLearner, check_learner
from hoad.players.registry import Column
from hoad.players.roster import Roster, TablePartner
from tests.scripts import ROOT, runner_here

SECTION = (ROOT / "README.md").read_text().partition("## Your own ad-hoc player")[2]
EXAMPLE = SECTION.split("```")[1].removeprefix("python")


class Diary(AdhocLearner):
    """Discards the oldest card where it may, and writes down what it is told."""

    def begin(self, agents: Sequence[str], games: GameLogs | None) -> None:
        self.told = tuple(agents), games
        self.seen: list[tuple[GameLogs, int]] = []

    def choose(self, view: View) -> str:
        return "discard 0" if "discard 0" in view.legal_moves else view.legal_moves[-1]

    def watch(self, game: GameLogs, seat: int) -> None:
        self.seen.append((game, seat))


class Remembering(Diary):
    """Keeps a count in its class, which outlives the episode."""

    count = 0

    def choose(self, view: View) -> str:
        Remembering.count += 1
        return view.legal_moves[Remembering.count % len(view.legal_moves)]


TURNS: list[int] = []


class RememberingOutside(Diary):
    """Counts in its module, which outlives the episode too."""

    def choose(self, view: View) -> str:
        TURNS.append(view.me)
        return view.legal_moves[len(TURNS) % len(view.legal_moves)]


class Illegal(Diary):
    def choose(self, view: View) -> str:
        return "discard 9"


class Broken(Diary):
    def watch(self, game: GameLogs, seat: int) -> None:
        raise ValueError("no idea")


class Peeking(Diary):
    def agent(self) -> Agent:
        return get_agent("cheatbot")


class PeekingUnnoticed(Diary):
    """Plays as an agent that does not say that it looks into its own hand."""

    def agent(self) -> Agent:
        return Peeks()


class Peeks(PlainAgent):
    name = "peeks"

    def choose(self, view: View) -> str:
        return view.legal_moves[0]

    def weights(self, batch: Batch) -> np.ndarray:
        found = np.zeros((len(batch.states), MOVES))
        for row, state in zip(found, batch.states, strict=True):
            legal = listed_moves(legal_moves(state.table, state.hands))
            row[legal[int(state.hands[batch.seat].sum()) % len(legal)]] = 1.0
        return found


class Nameless(Diary):
    def agent(self) -> Agent:
        return Unnamed()


class Unnamed(PlainAgent):
    def choose(self, view: View) -> str:
        return view.legal_moves[1 // 0]


class Empty(AdhocLearner):
    """Has no way to choose."""


@pytest.fixture
def nearest(tmp_path: Path) -> str:
    path = tmp_path / "nearest.py"
    path.write_text(EXAMPLE)
    return f"python:{path}:Nearest"


def roster(**changes) -> Roster:
    pool = ("flawed", "piers", "iggi", "simplebot")
    return Roster(seed=0, trials=2, support_games=5, pool_agents=pool, **changes)


def scores(player: AdhocPlayer, partner: str) -> np.ndarray:
    return play_episodes(player, get_agent(partner), 4, 2, seed=3).strict


def test_a_learner_is_told_the_games_and_shown_those_that_it_played() -> None:
    support = Support(get_agent("iggi"), trials=2, games=3)
    player = PythonLearner("diary", Diary, support, ["piers"])

    played = play_episodes(player, get_agent("iggi"), 4, 2, seed=3)

    diaries = [learner for learner in player._learners if isinstance(learner, Diary)]
    games = support.play(3)
    for episode, diary in enumerate(diaries):
        agents, told = diary.told
        assert agents == ("piers",) and told is not None
        np.testing.assert_array_equal(told.actions, games[episode // 2].actions)
        assert [seat for _, seat in diary.seen] == played.seats.tolist() == [1, 0]
        assert all(len(game) == 1 for game, _ in diary.seen)
    assert player.repetitions(4).tolist() == [0, 0, 1, 1]
    player = PythonLearner("diary", Diary, None, ["piers"])  # which gets no games
    player.begin(2, seed=1)
    diaries = [learner for learner in player._learners if isinstance(learner, Diary)]
    assert [diary.told for diary in diaries] == [(("piers",), None)] * 2
    assert player.repetitions(3).tolist() == [0, 1, 2]


def test_the_example_of_the_readme_finds_the_relative_of_the_partner(nearest: str) -> None:
    player = Column.parse(nearest).make(roster(), TablePartner("iggi"))

    piers = Column.parse("piers").make(roster(), TablePartner("iggi"))
    np.testing.assert_array_equal(scores(player, "iggi"), scores(piers, "iggi"))
    result = runner_here("agents.py")("check", nearest)
    assert result.returncode == 0, result.stderr
    assert "nothing found wrong" in result.stdout


def test_the_partner_is_not_among_the_agents_that_a_learner_may_use(nearest: str) -> None:
    usable = {
        ("flawed", "iggi", "simplebot"): roster(),
        ("simplebot",): roster(hold_out="family"),
        # Without a pool, it may use the agents that random-partner draws from.
        ("imitator:iggi",): Roster(seed=0, source="imitators", agents=("iggi", "piers")),
    }
    for names, known in usable.items():
        player = Column.parse(nearest).make(known, TablePartner("piers"))
        assert isinstance(player, PythonLearner)
        assert player._usable == names


def test_kept_games_are_found_by_source_support_and_agents(nearest: str, tmp_path: Path) -> None:
    first = Column.parse(nearest).identity(roster(), TablePartner("iggi"))

    assert first == Column.parse(nearest).identity(roster(), TablePartner("iggi"))
    assert first != Column.parse(nearest).identity(roster(), TablePartner("piers"))
    (tmp_path / "nearest.py").write_text(EXAMPLE.replace("0.95", "0.9"))
    assert first != Column.parse(nearest).identity(roster(), TablePartner("iggi"))


def test_kept_games_depend_on_the_files_that_a_learner_names(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from hoad import AdhocLearner\nclass Mine(AdhocLearner):\n    files = ('weights.bin',)\n"
    )
    mine = Column.parse(f"python:{tmp_path / 'mine.py'}:Mine")
    with pytest.raises(HoadError, match=r"weights\.bin: No such file"):
        mine.identity(roster(), TablePartner("iggi"))

    found = []
    for content in (b"1", b"2"):
        (tmp_path / "weights.bin").write_bytes(content)
        found.append(mine.identity(roster(), TablePartner("iggi")))

    assert found[0] != found[1]
    (tmp_path / "mine.py").write_text("class Other: pass\n")
    with pytest.raises(HoadError, match="not derived from PlainAgent"):
        Column.parse(f"python:{tmp_path / 'mine.py'}:Other").make(roster(), TablePartner("iggi"))


@pytest.mark.parametrize(
    ("learner", "complaint"),
    [
        (Remembering, "count of the class changed"),
        (RememberingOutside, "plays the same episodes differently"),
        (PeekingUnnoticed, "differently when only cards change that it cannot see"),
        (Illegal, "discard 9"),
        (Broken, r"watch fails with ValueError: no idea .*line \d+"),
        (Peeking, "fair"),
        (Nameless, "choose fails with ZeroDivisionError"),
        (Empty, "write choose or agent"),
    ],
)
def test_the_check_says_what_is_wrong(learner: type[AdhocLearner], complaint: str) -> None:
    [problem] = check_learner("mine", learner)

    assert re.search(complaint, problem)
