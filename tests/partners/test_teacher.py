"""The moves that a person's logit makes for its imitator."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from hoad.agents.games import play
from hoad.agents.registry import get_agent
from hoad.commands.train import imitator
from hoad.core.errors import HoadError
from hoad.core.paths import MODEL
from hoad.knowledge import HeldOut
from hoad.learning.recipes import ImitatorRecipe
from hoad.partners.teacher import teacher_moves
from hoad.replay.dataset import make_dataset, read_dataset, write_dataset


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of the program ``first`` with P001 and P002, which move as iggi and piers do."""
    logs = play([get_agent("iggi"), get_agent("piers")], 20, seed=1)
    names = [("first", f"P{1 + number % 2:03}") for number in range(20)]
    path = tmp_path_factory.mktemp("people") / "people.h5"
    write_dataset(path, make_dataset(logs, names, {}, "test"))
    return path


@pytest.fixture(autouse=True)
def checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Train in a folder of the test's own."""
    monkeypatch.setenv("HOAD_CHECKPOINTS", str(tmp_path))


def test_the_teacher_plays_so_many_games_by_the_seed(people: Path) -> None:
    taught = [teacher_moves(people, "P001", 6, seed) for seed in (3, 3, 4)]
    moves, again, others = (one.moves for one in taught)

    assert set(moves.games) == set(range(6))
    assert 6 * 10 < len(moves.actions) < 6 * 45  # of one seat only
    np.testing.assert_array_equal(moves.actions, again.actions)
    assert moves.actions.tolist() != others.actions.tolist()
    assert taught[0].asked == ("piers",)


def test_what_has_no_games_of_people_is_refused(people: Path, tmp_path: Path) -> None:
    with pytest.raises(HoadError, match="--data"):
        train(people.parent, logit_games=2)
    own = read_dataset(people).logs.select(np.arange(0, 20, 2))
    write_dataset(tmp_path / "one.h5", make_dataset(own, [("first", "P001")], {}, "test"))
    with pytest.raises(HoadError, match="--own-share 1"):
        train(tmp_path / "one.h5")
    with pytest.raises(HoadError, match="P007"):
        teacher_moves(people, "P007", 6, 0)


def test_an_imitator_counts_as_the_agents_that_its_teacher_asked_but_not_as_the_partner(
    people: Path, tmp_path: Path
) -> None:
    train(people, logit_games=2)
    train(people, seed=1)
    taught, untaught = "imitator:P001", f"imitator:{tmp_path / 'imitator/P001.1' / MODEL}"

    assert (get_agent(taught).trained_on, get_agent(untaught).plays_as) == (("P001",), ())
    assert HeldOut("piers").others([taught, f"noisy:0.1:{taught}", untaught]) == (untaught,)
    assert HeldOut("rainbow").others([taught]) == (taught,)
    assert HeldOut(taught).others(["piers", "maml:iggi", untaught]) == ("piers", "maml:iggi")
    assert HeldOut(taught, "family").family is None


@pytest.mark.parametrize("logit_games", [2, 0])
def test_a_training_is_not_resumed_with_other_games_of_other_people(
    people: Path, tmp_path: Path, logit_games: int
) -> None:
    data, games = tmp_path / "people.h5", read_dataset(people)
    shutil.copy(people, data)
    train(data, logit_games)
    own = np.flatnonzero((games.names == "P001").any(axis=1))
    fewer = np.append(own, 1)  # one game of P002
    names = [("first", "P001") for _ in own]
    of_three = [("first", f"P{1 + number % 2 + number % 4 // 3:03}") for number in range(20)]
    changed = [
        make_dataset(games.logs.select(fewer), [*names, ("first", "P002")], {}, "test"),
        make_dataset(games.logs, of_three, {}, "test"),
    ]

    train(data, logit_games, resume=True)
    for dataset in changed:
        data.unlink()
        write_dataset(data, dataset)
        with pytest.raises(HoadError, match="games other people was"):
            train(data, logit_games, resume=True)


def train(people: Path, logit_games: int = 0, seed: int = 0, resume: bool = False) -> None:
    """Train a tiny imitator of P001."""
    recipe = ImitatorRecipe(
        hidden=(8,),
        batch_size=8,
        own_share=0.5,
        logit_games=logit_games,
        steps=2,
        validate_every=1,
        seed=seed,
    )
    imitator(recipe, agent="P001", data=people, resume=resume)
