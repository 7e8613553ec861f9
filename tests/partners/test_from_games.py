"""Agents that play as the stranger of recorded games."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from hoad.agents import Batch, get_agent, play
from hoad.agents.check import check_agent
from hoad.agents.follow import follow
from hoad.core.errors import HoadError
from hoad.game.log import replay
from hoad.knowledge import HeldOut
from hoad.partners import from_games
from hoad.partners.agents import ModelAgent
from hoad.partners.choices import Seen
from hoad.partners.kinds import knowledge_without
from hoad.partners.strangers import read_strangers
from hoad.players.registry import AGENT, KINDS, Column
from hoad.replay.dataset import make_dataset, write_dataset
from hoad.replay.formats.convert import export_games
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import record
from hoad.studies.crossplay import cross_play
from tests.meta_models import save_meta_model
from tests.partners.observed import self_play


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten games of iggi with itself."""
    folder = tmp_path_factory.mktemp("games")
    [path] = record(PlayRecipe(games=10, seed=7, agents=("iggi",)), folder, False, threads=1)
    return path


def written(path: Path, names: list[tuple[str, str]], *agents: str) -> Path:
    """Write games of these agents, one for each pair of names."""
    logs = play([get_agent(agent) for agent in agents], len(names), seed=1)
    write_dataset(path, make_dataset(logs, names, {}, "test"))
    return path


def test_the_program_of_ten_games_is_sound_and_plays_as_their_agent(ten: Path) -> None:
    program, iggi = get_agent(f"program:{ten}"), get_agent("iggi")

    scores = [replay(play([agent, iggi], 100, seed=3)).scores.mean() for agent in (program, iggi)]

    assert abs(scores[0] - scores[1]) < 1
    assert check_agent(program, games=1) == []
    one, two = (cross_play([program, iggi], 30, seed=2, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.lenient, two.lenient)


@pytest.mark.parametrize("kind", ["program", "logit"])
def test_it_draws_from_what_the_model_predicts(kind: str, ten: Path) -> None:
    [games] = read_strangers([ten])
    known = knowledge_without(HeldOut("iggi"))
    model = known.logit() if kind == "logit" else known.make(kind)
    model.learn(games.alone)
    unseen = self_play("iggi", 2, seed=9)

    predicted = model.expected(unseen) ** (2 if kind == "logit" else 1)  # a logit is sharpened
    predicted /= predicted.sum(1, keepdims=True)

    np.testing.assert_allclose(unseen.weights_of(get_agent(f"{kind}:{ten}")), predicted, atol=1e-9)


def test_the_adapted_network_makes_the_likeliest_move(ten: Path) -> None:
    network = get_agent(f"low-shot:{ten}")

    scores = replay(play([network, get_agent("iggi")], 20, seed=3)).scores

    assert scores.mean() > 12
    first_turn = next(follow(network, play([network] * 2, 1, seed=2), np.ones((1, 2), np.bool_)))
    assert first_turn.weights.max() == 1


def test_the_mixture_makes_the_likeliest_move_and_knows_the_agents_but_the_stranger(
    ten: Path,
) -> None:
    mixture = get_agent(f"model:{ten}")

    scores = replay(play([mixture, get_agent("iggi")], 10, seed=3)).scores

    assert scores.mean() > 12
    assert "piers" in mixture.plays_as
    assert "iggi" not in mixture.plays_as


@pytest.mark.parametrize("kind", ["program", "low-shot", "logit", "model"])
def test_their_identity_is_that_of_the_games(kind: str, ten: Path, tmp_path: Path) -> None:
    lines = tmp_path / "ten.jsonl"
    export_games(ten, lines)
    shutil.copy(ten, tmp_path / "copy.h5")

    agents = [get_agent(f"{kind}:{path}") for path in (ten, lines, tmp_path / "copy.h5")]

    assert len({agent.identity for agent in agents}) == 1


def mixture_of(path: Path) -> ModelAgent:
    agent = get_agent(f"model:{path}")
    assert isinstance(agent, ModelAgent)
    return agent


def test_a_mixture_with_a_meta_model_that_is_trained_again_is_another_one(
    own_checkpoints: Path,
) -> None:
    path = written(own_checkpoints / "games.h5", [("iggi", "iggi")] * 2, "iggi", "iggi")
    mixtures = [mixture_of(path)]  # with the meta-model that comes with HOAD
    for torch_seed in (1, 2):
        save_meta_model(own_checkpoints, "iggi", torch_seed=torch_seed)
        mixtures.append(mixture_of(path))
    games = self_play("iggi", 1, seed=5)
    first_turn = Batch(games.states[:1], 0, np.zeros((1, 0), np.uint8))

    assert len({mixture.plays_as for mixture in mixtures}) == 1
    assert len({mixture.identity for mixture in mixtures}) == 3
    assert len({mixture.expected(first_turn).tobytes() for mixture in mixtures}) == 3


def test_a_file_that_changes_is_read_again_and_moves_of_the_stranger_alone_count(
    tmp_path: Path,
) -> None:
    path, names = tmp_path / "games.h5", [("piers", "piers")] * 2
    identities = []
    for more in ([("piers", "legal-random")] * 2, [("piers", "piers")] * 2):
        written(path, [*names, *more], "piers", "piers")
        agents = [get_agent(f"{kind}:{path}") for kind in ("program", "low-shot")]
        assert agents[0].trained_on == ("piers",)
        identities.append([agent.identity for agent in agents])
        path.unlink()

    assert all(one != other for one, other in zip(*identities, strict=True))


def test_another_meta_model_is_named_before_the_file(ten: Path) -> None:
    default, named = get_agent(f"low-shot:{ten}"), get_agent(f"low-shot:iggi:{ten}")

    assert default.identity == get_agent(f"low-shot:rainbow:{ten}").identity != named.identity
    assert named.plays_as == ("maml:iggi",)
    assert Column.parse("low-shot:iggi").kind is KINDS["low-shot"]
    for name in ("low-shot:{}", "low-shot:iggi:{}", "low-shot:{}:alice", "program:{}", "model:{}"):
        assert Column.parse(name.format(ten)).kind is AGENT  # a column with a file


@pytest.mark.parametrize("prefix", ["program:", "low-shot:", "low-shot:iggi:"])
def test_a_name_tells_which_of_two_players_is_the_stranger(prefix: str, tmp_path: Path) -> None:
    path = written(tmp_path / "games.h5", [("alice", "bob"), ("bob", "alice")], "iggi", "piers")
    with pytest.raises(HoadError, match="games of alice, bob"):
        get_agent(f"{prefix}{path}")

    alice, bob = (get_agent(f"{prefix}{path}:{player}") for player in ("alice", "bob"))

    assert (alice.trained_on, bob.trained_on) == (("alice",), ("bob",))
    assert alice.identity != bob.identity
    with pytest.raises(HoadError, match="carol"):
        get_agent(f"{prefix}{path}:carol")


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("program:nowhere.h5", "no file of games 'nowhere.h5'"),
        ("program:README.md", "no file of games 'README.md'"),
        ("low-shot:iggi", "no file of games 'iggi'"),
        ("low-shot:nobody:{ten}", "nobody"),
    ],
)
def test_what_is_no_file_of_games_is_refused(name: str, named: str, ten: Path) -> None:
    with pytest.raises(HoadError, match=named):
        get_agent(name.format(ten=ten))


def test_many_games_are_for_an_imitator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(from_games, "MOST_GAMES", 4)
    many = written(tmp_path / "games.h5", [("iggi", "iggi")] * 5, "iggi", "iggi")

    with pytest.raises(HoadError, match="5 games, expected at most 4; imitate"):
        get_agent(f"program:{many}")


@pytest.mark.parametrize("kind", ["program", "low-shot", "logit", "model"])
def test_they_are_acquainted_with_the_agent_of_the_games(kind: str, ten: Path) -> None:
    name = f"{kind}:{ten}"

    assert HeldOut("iggi").others([name]) == ()
    assert HeldOut(name).others(["iggi", "simplebot"]) == ("simplebot",)
    if kind in ("program", "low-shot"):  # the others may play as other agents that they know
        assert HeldOut("rainbow").others([name]) == (name,)


def test_games_of_a_person_or_a_program_are_known_by_their_name_only(tmp_path: Path) -> None:
    for stranger in ("someone", "process:no-such-program"):
        path = written(tmp_path / "games.h5", [(stranger, stranger)] * 2, "iggi", "iggi")
        name = f"program:{path}"
        assert HeldOut("piers").others([name]) == (name,)
        path.unlink()


def test_the_logit_of_a_person_starts_from_what_other_people_do(tmp_path: Path) -> None:
    names = [("iggi", f"P{1 + number % 4:03}") for number in range(40)]
    people = written(tmp_path / "people.h5", names, "iggi", "piers")
    alone = written(tmp_path / "alone.h5", [("iggi", "P001")], "iggi", "piers")
    unseen = play([get_agent("iggi"), get_agent("piers")], 20, seed=5)
    second = np.tile([False, True], (20, 1))

    games, losses = Seen(unseen, second), []
    for file in (people, alone):
        expected = from_games.logit_of("P001", file).expected(games)
        losses.append(-np.log(games.choices.made(expected)).mean())

    assert losses[0] < losses[1] - 0.1
