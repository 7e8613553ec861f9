"""Weights and losses of people, for comparison with a further person."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.core.files import write_arrays
from hoad.partners import known_people
from hoad.partners.choices import Seen
from hoad.partners.known_people import learn_people, likeness
from hoad.partners.regression.population import RelatingInputs

_AGENTS = ("iggi", "piers", "van-den-bergh")


def games_of(agent: str, games: int, seed: int) -> Seen:
    """Games with simplebot, which moves first."""
    logs = play([get_agent("simplebot"), get_agent(agent)], games, seed)
    return Seen(logs, np.tile([False, True], (games, 1)))


@pytest.fixture(scope="module")
def learned() -> dict[str, np.ndarray]:
    """What is learned of six players: each agent twice, ten games each."""
    return learn_people(
        {f"P{number:03}": games_of(_AGENTS[number % 3], 10, number) for number in range(6)}
    )


@pytest.fixture
def known(
    learned: dict[str, np.ndarray], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The same, in place of what comes with HOAD."""
    path = tmp_path / "people.npz"
    write_arrays(path, learned)
    monkeypatch.setattr(known_people, "PATH", path)
    known_people.known_people.cache_clear()
    yield path
    known_people.known_people.cache_clear()


@pytest.mark.usefixtures("known")
def test_the_most_alike_is_the_one_who_plays_by_the_same_rules(
    learned: dict[str, np.ndarray],
) -> None:
    compared = likeness(games_of("piers", 5, seed=100))

    assert compared.most_alike in ("P001", "P004")  # the two who are piers
    assert compared.alike_loss < compared.loss
    assert compared.harder == (learned["losses"] > compared.loss).mean()
    assert compared.people == 6
    assert len(compared.differences) == 3 and compared.differences[0].nats > 0
    nobody = Seen(games_of("piers", 2, seed=1).logs, np.zeros((2, 2), np.bool_))
    inputs = RelatingInputs((get_agent("iggi"),), ())(nobody)  # without a move of the stranger
    assert inputs.values.shape[0] == len(inputs.legal) == 0


def test_weights_of_other_inputs_are_refused(known: Path, learned: dict[str, np.ndarray]) -> None:
    write_arrays(known, learned | {"inputs": np.array("others")})
    known_people.known_people.cache_clear()

    with pytest.raises(HoadError, match="weights of other rules, traits or relations"):
        known_people.known_people()
