"""Whoever does the items, the results are those of one thread; what does not fit is refused."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from distributed import Client, LocalCluster

from hoad.agents.games import play
from hoad.agents.registry import get_agent
from hoad.bayes.matchups import play_matchups
from hoad.core import capacity
from hoad.core.capacity import available_memory, require_disk, require_memory, size
from hoad.core.errors import HoadError
from hoad.core.files import make_folder
from hoad.core.workers import Backend, work, workers
from hoad.learning.imitator import train_imitator
from hoad.learning.networks import Perceptron
from hoad.learning.recipes import ImitatorRecipe, NaiveRecipe
from hoad.replay.dataset import make_dataset, read_dataset, write_dataset
from hoad.replay.recipe import PlayRecipe
from hoad.replay.recorder import BLOCK, PIECE, record
from hoad.studies.agreement import measure_agreement
from hoad.studies.crossplay import CrossPlay, cross_play
from hoad.tables.adhoc.recipe import AdhocRecipe
from hoad.tables.adhoc.table import run_adhoc
from tests.agents.own_agent import write_agent
from tests.replay.contents import assert_same_file
from tests.scripts import ROOT, assert_refused, printed, run, run_here, runner_here

NAMES = ("iggi", "flawed", "rules:8,13,39")


@dataclass
class Cluster:
    """A Dask scheduler and two worker processes; one that dies is started again, in good time."""

    processes: LocalCluster

    @property
    def scheduler(self) -> str:
        return self.processes.scheduler_address

    def wait_for_a_worker(self) -> None:
        with Client(self.scheduler, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=120)

    def kill_one(self) -> None:
        os.kill(next(iter(self.processes.workers.values())).pid, signal.SIGKILL)


def local_cluster(workers: int) -> LocalCluster:
    ports = {"host": "127.0.0.1", "dashboard_address": ":0"}
    return LocalCluster(n_workers=workers, threads_per_worker=1, **ports)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with local_cluster(2) as processes:
        yield Cluster(processes)


@pytest.fixture(params=["loky", "dask"])
def chosen(request: pytest.FixtureRequest) -> Iterator[None]:
    """All that a test does is done by these workers."""
    backend: Backend = request.param
    scheduler = request.getfixturevalue("cluster").scheduler if backend == "dask" else None
    with workers(backend, scheduler):
        yield


@pytest.mark.usefixtures("chosen")
@pytest.mark.parametrize("chosen", ["threads", "loky", "dask"], indirect=True)
class TestAnyWorkers:
    def test_results_come_in_the_order_of_the_items(self) -> None:
        assert list(work(pow, [(base, 2) for base in range(20)], threads=2)) == [
            base**2 for base in range(20)
        ]

    def test_what_an_item_raises_is_raised(self) -> None:
        with pytest.raises(HoadError, match="/dev/null/here: cannot make this folder"):
            list(work(make_folder, [(Path("/dev/null/here"),)], threads=2))


def assert_equal(found: CrossPlay, expected: CrossPlay) -> None:
    for name in ("lenient", "strict", "lenient_sem", "behaviour"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_pairs_play_as_they_do_here(cluster: Cluster, backend: Backend) -> None:
    with workers(backend, cluster.scheduler if backend == "dask" else None):
        crossed = cross_play(NAMES, games=1_200, seed=3, threads=2)
        matched = play_matchups(NAMES, games=50, seed=3, threads=2)

    assert_equal(crossed, cross_play(NAMES, games=1_200, seed=3))
    here = play_matchups(NAMES, games=50, seed=3)
    np.testing.assert_array_equal(matched.lenient, here.lenient)
    np.testing.assert_array_equal(matched.features, here.features)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which all this lies: datasets, networks and an agent of one's own."""
    home = tmp_path_factory.mktemp("home")
    record(PlayRecipe(games=300, agents=("iggi",)), home / "datasets", resume=False, threads=1)
    recipe = ImitatorRecipe(steps=40, validate_every=40, hidden=(32,), learning_rate=1e-2)
    train_imitator(recipe, "iggi", home / "datasets", home / "networks", resume=False)
    write_agent(home)
    return home


NETWORKS = (
    "imitator:iggi",
    "imitator:networks/imitator/iggi/model.safetensors",
    "python:mine.py:Mine",
)


class TestFilesThatWorkersNeed:
    """Here the workers began in another folder, and before anybody named the one of networks."""

    @pytest.fixture(autouse=True)
    def in_the_folder(self, chosen: None, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert list(work(abs, [(-1,)], threads=2)) == [1]
        monkeypatch.chdir(home)
        monkeypatch.setenv("HOAD_CHECKPOINTS", "networks")

    @pytest.mark.parametrize("chosen", ["dask"], indirect=True)
    def test_networks_are_recorded_as_they_play_here(self, tmp_path: Path) -> None:
        for path in record(PlayRecipe(games=40, agents=NETWORKS), tmp_path, False, threads=2):
            recorded = read_dataset(path)
            here = play([get_agent(name) for name in recorded.agents], 40, seed=0)
            np.testing.assert_array_equal(recorded.logs.actions, here.actions)

    @pytest.mark.parametrize("chosen", ["loky"], indirect=True)
    def test_networks_cross_play_as_they_do_here(self) -> None:
        pairs = cross_play(NETWORKS, games=20, seed=3, threads=2)

        with workers("threads"):
            assert_equal(pairs, cross_play(NETWORKS, games=20, seed=3))

    def test_networks_agree_as_they_do_here(self) -> None:
        files = [Path("datasets/iggi.h5")]
        by_agent = measure_agreement("imitator:iggi", files, every_seat=True, threads=2)

        with workers("threads"):
            assert by_agent == measure_agreement("imitator:iggi", files, every_seat=True)
        assert by_agent["imitator:iggi"].modal > 0


@pytest.mark.usefixtures("chosen")
def test_games_are_held_against_an_agent_as_they_are_here(tmp_path: Path) -> None:
    logs = play([get_agent("flawed"), get_agent("legal-random")], 2_500, seed=1)
    path = tmp_path / "games.h5"
    write_dataset(path, make_dataset(logs, [("flawed", "legal-random")], {}, "test"))

    by_agent = measure_agreement("logged", [path], threads=2)

    with workers("threads"):
        assert by_agent == measure_agreement("logged", [path], threads=1)


def test_workers_forget_agents_that_a_program_before_named(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(move: int) -> np.ndarray:
        names = (write_agent(tmp_path, move), "iggi")
        monkeypatch.setattr("hoad.core.workers._THIS_PROGRAM", f"that plays {move}")
        with workers("dask", cluster.scheduler):
            return play_matchups(names, games=5, seed=3).features

    first, last = played(0), played(-1)

    assert not np.array_equal(first, last)


@pytest.mark.usefixtures("chosen")
@pytest.mark.parametrize("chosen", ["dask"], indirect=True)
def test_the_ad_hoc_table_is_the_one_made_here(tmp_path: Path) -> None:
    recipe = AdhocRecipe(
        partners=("iggi", "outer"),
        players=("random-partner", "naive", "bayes-features", "oracle"),
        agents=("piers", "flawed"),
        pool=("piers", "flawed", "iggi"),
        episodes=4,
        games_per_episode=2,
        trials=2,
        matchup_games=10,
        cross_play_games=10,
        naive=NaiveRecipe(hidden=(16,), batch_size=64, epochs=2, precision="float32"),
        out=tmp_path / "there",
    )

    result = run_adhoc(recipe, threads=2)

    with workers("threads"):
        here = run_adhoc(recipe.model_copy(update={"out": tmp_path / "here"}), threads=1)
    assert result.cells.keys() == here.cells.keys()
    for key, cell in here.cells.items():
        np.testing.assert_array_equal(result.cells[key].episodes.lenient, cell.episodes.lenient)
        np.testing.assert_array_equal(result.cells[key].repetitions, cell.repetitions)
    assert {partner for partner, _ in here.beliefs} == {"iggi", "outer"}
    for pair, beliefs in here.beliefs.items():
        np.testing.assert_array_equal(result.beliefs[pair].means, beliefs.means)
    assert_equal(result.cross_play, here.cross_play)


@pytest.mark.usefixtures("chosen")
def test_recorded_files_are_those_recorded_here(tmp_path: Path) -> None:
    recipe = PlayRecipe(games=2 * PIECE + 10, agents=("legal-random",))

    (there,) = record(recipe, tmp_path / "there", resume=False, threads=2)

    with workers("threads"):
        (here,) = record(recipe, tmp_path / "here", resume=False, threads=1)
    assert_same_file(there, here)


def test_a_killed_worker_changes_nothing_of_cross_play(cluster: Cluster) -> None:
    killer = threading.Timer(0.3, cluster.kill_one)
    killer.start()
    with workers("dask", cluster.scheduler):
        pairs = cross_play(NAMES, games=6_000, seed=1)
        assert not killer.is_alive(), "played before a worker was killed"

    assert_equal(pairs, cross_play(NAMES, games=6_000, seed=1, threads=2))


def test_a_killed_worker_changes_nothing_of_a_recording(cluster: Cluster, tmp_path: Path) -> None:
    recipe = PlayRecipe(games=4 * BLOCK + 10, agents=("flawed",))
    killed = threading.Event()

    def kill_after_the_first_block() -> None:
        while not list(tmp_path.glob("there/*.parts/*.h5")):
            time.sleep(0.005)
        cluster.kill_one()
        killed.set()

    threading.Thread(target=kill_after_the_first_block, daemon=True).start()
    with workers("dask", cluster.scheduler):
        (there,) = record(recipe, tmp_path / "there", resume=False, threads=1)
    assert killed.is_set()

    (here,) = record(recipe, tmp_path / "here", resume=False, threads=2)
    assert_same_file(there, here)


def test_an_item_that_kills_its_workers_is_given_up(cluster: Cluster) -> None:
    with (
        pytest.raises(HoadError, match="workers died one after another"),
        workers("dask", cluster.scheduler),
    ):
        list(work(os._exit, [(1,)], threads=2))
    with pytest.raises(HoadError, match="a worker process died"), workers("loky"):
        list(work(os._exit, [(1,), (1,)], threads=2))


def test_the_command_line_chooses_the_cluster(cluster: Cluster) -> None:
    cluster.wait_for_a_worker()  # other tests kill them
    words = ("crossplay", "iggi", "--games", 10)
    here = run_here("evaluate.py", *words)
    there = run("evaluate.py", *words, "--backend", "dask", "--scheduler", cluster.scheduler)

    assert there.returncode == 0, there.stderr
    assert there.stdout == here.stdout
    assert there.stderr == ""


def test_dask_is_loaded_for_a_cluster_only_and_named_where_it_is_missing() -> None:
    program = (
        "import sys, hoad.core.workers\n"
        "with hoad.core.workers.workers('loky'): assert 'distributed' not in sys.modules\n"
        "sys.modules['distributed'] = None\n"
        "with hoad.core.workers.workers('dask', 'tcp://127.0.0.1:1'): pass\n"
    )

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)

    assert "HoadError: Dask is not installed: pip install 'hoad[cluster]'" in done.stderr


@pytest.mark.parametrize(
    ("backend", "address", "complaint"),
    [
        ("dask", None, "needs --scheduler"),
        ("loky", "tcp://127.0.0.1:1", "needs --scheduler"),
        ("dask", "tcp://127.0.0.1:1", "tcp://127.0.0.1:1: no Dask scheduler answers"),
        ("dask", "nowhere", "nowhere: expected an address"),
    ],
)
def test_a_cluster_has_an_address_that_answers_and_nobody_else_has_one(
    backend: Backend, address: str | None, complaint: str
) -> None:
    with pytest.raises(HoadError, match=complaint), workers(backend, address):
        pass


def test_a_worker_of_other_code_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hoad.core.workers._THIS_PROGRAM", "another program")
    monkeypatch.setattr("hoad.core.workers.identity_of_sources", lambda: "another identity")

    with (
        workers("dask", cluster.scheduler),
        pytest.raises(HoadError, match=r"a worker on .* runs other code of HOAD"),
    ):
        list(work(abs, [(1,)], threads=1))


@pytest.fixture
def no_workers() -> Iterator[LocalCluster]:
    """A scheduler without workers."""
    with local_cluster(0) as processes:
        yield processes


def test_workers_that_start_late_are_waited_for(
    no_workers: LocalCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    address = no_workers.scheduler_address
    starting = threading.Timer(1, no_workers.scale, (1,))
    starting.start()
    with workers("dask", address):
        here, *others = work(os.getpid, [()] * 5, threads=1)
    starting.join()

    assert here != os.getpid()
    assert others == [here] * 4
    assert capsys.readouterr().err == f"waiting for workers of the cluster at {address}\n"


def test_workers_that_all_leave_are_waited_for(
    no_workers: LocalCluster, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hoad.core.dask_cluster._SECONDS_WITHOUT_WORKERS", 0.5)
    address, said = no_workers.scheduler_address, ""

    def leave_and_return() -> None:
        nonlocal said
        no_workers.scale(0)
        while not said:
            time.sleep(0.05)
            said = capsys.readouterr().err
        no_workers.scale(1)

    no_workers.scale(1)
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=120)
    leaving = threading.Timer(1, leave_and_return)
    leaving.start()
    with workers("dask", address):
        results = list(work(time.sleep, [(3,)], threads=1))
    leaving.join()

    assert results == [None]
    assert said.startswith(f"waiting for workers of the cluster at {address}\n")


def test_what_does_not_fit_is_refused_with_its_size(tmp_path: Path) -> None:
    require_memory(1, "a byte", "give less")
    require_disk(tmp_path / "not" / "there", 1, "a byte", "give less")
    assert 0 < available_memory() < 1e18
    with pytest.raises(HoadError, match="all would take 1,000,000"):
        require_memory(1e18, "all", "give less")
    with pytest.raises(HoadError, match=f"on the disk of {tmp_path / 'new'}, .*; give less"):
        require_disk(tmp_path / "new", 1e18, "all", "give less")
    with pytest.raises(HoadError, match="a layer of 658 x 100,000,000,000 weights would take"):
        Perceptron((10**11,))


@pytest.mark.parametrize(("count", "text"), [(12, "12 bytes"), (1500, "1.5 kB"), (2e9, "2 GB")])
def test_sizes_are_for_people(count: float, text: str) -> None:
    assert size(count) == text


def test_games_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    agents = [f"rules:{number}" for number in range(30)]
    recipe.write_text(f"games = 1_000_000_000\nagents = {agents}\n")

    assert_refused(runner_here("record.py")("play", recipe, "--out", tmp_path), "on the disk of")
    crossplay = ("crossplay", *["iggi"] * 40, "--games", 10**9)
    assert_refused(runner_here("evaluate.py")(*crossplay), "1,600 pairs would take")
    assert_refused(runner_here("evaluate.py")("crossplay", "iggi", "--games", 10**12), "games =")


@pytest.mark.parametrize(
    ("limited", "seen"), [("jobs/job", True), ("jobs", True), (".", True), ("others", False)]
)
def test_the_limits_of_a_batch_job_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limited: str, seen: bool
) -> None:
    (tmp_path / "jobs" / "job").mkdir(parents=True)
    (tmp_path / "jobs" / "job" / "memory.max").write_text("max\n")
    (tmp_path / "others").mkdir()
    group = tmp_path / limited
    (group / "memory.max").write_text("1000\n")
    (group / "memory.current").write_text("800\n")
    (group / "memory.stat").write_text("anon 300\ninactive_file 500\nactive_file 0\n")
    (tmp_path / "own").write_text("4:memory:/\n0::/jobs/job\n")
    monkeypatch.setattr(capacity, "_GROUPS", tmp_path)
    monkeypatch.setattr(capacity, "_OWN_GROUP", tmp_path / "own")

    assert (available_memory() == 700) == seen


def test_a_process_that_may_use_one_core_has_one_thread() -> None:
    code = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); "
    code += "from hoad.core import cli; print(cli.DEFAULT_WORKERS.threads)"

    assert printed(code) == "1\n"
