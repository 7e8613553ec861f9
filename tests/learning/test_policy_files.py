"""Policies in files of TorchScript and Stable-Baselines3 are agents; the files are only data."""

import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.environments import HanabiVectorEnv
from hoad.game.observation import OBSERVATION_BITS

pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.*is deprecated")

GAMES = 12


class Residual(nn.Module):
    """A policy with most of what networks are made of."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(OBSERVATION_BITS, 32), nn.Linear(32, 32)
        self.norms = nn.ModuleList([nn.LayerNorm(32), nn.BatchNorm1d(32)])
        self.last = nn.Sequential(nn.Dropout(), nn.GELU(), nn.Linear(32, 20))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.relu(self.norms[0](self.first(2 * x - 1)))
        h = h + torch.tanh(self.norms[1](self.second(h)))
        return self.last(h)


class ForThree(nn.Module):
    """A policy for three games at most."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.offsets = nn.Linear(OBSERVATION_BITS, 20), nn.Parameter(torch.zeros(3, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x) + self.offsets[: x.shape[0]]


class Writing(nn.Module):
    """A policy that writes a file when it moves."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file, self.layer = file, nn.Linear(OBSERVATION_BITS, 20)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        torch.save(x, self.file)
        return self.layer(x)


class Waking(nn.Module):
    """A policy that runs code when it is loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(OBSERVATION_BITS, 20)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)

    @torch.jit.export
    def __getstate__(self) -> tuple[torch.Tensor, bool]:
        return self.layer.weight, self.training

    @torch.jit.export
    def __setstate__(self, state: tuple[torch.Tensor, bool]) -> None:
        self.training = state[1]


def traced(network: nn.Module, path: Path) -> Path:
    torch.jit.save(torch.jit.trace(network.eval(), torch.zeros(3, OBSERVATION_BITS)), str(path))
    return path


def forged(
    folder: Path, part: str, old: bytes, new: bytes, network: nn.Module | None = None
) -> Path:
    """A policy, of whose parts with this ending one piece is replaced."""
    plain = traced(network or nn.Linear(OBSERVATION_BITS, 20), folder / "plain.pt")
    with zipfile.ZipFile(plain) as read, zipfile.ZipFile(folder / "policy.pt", "w") as written:
        for name in read.namelist():
            content = read.read(name)
            if name.endswith(part):
                assert old in content
                content = content.replace(old, new, 1)
            written.writestr(name, content)
    return folder / "policy.pt"


def assert_refused(file: Path, told: str) -> None:
    with pytest.raises(HoadError, match=told):
        get_agent(f"policy:{file}")


def moves_in_environment(network: nn.Module) -> list[list[int]]:
    """The network's moves in the first game of each place, the highest outputs."""
    env, moves = HanabiVectorEnv(GAMES, "iggi", seat=0), [list[int]() for _ in range(GAMES)]
    going = np.ones(GAMES, bool)
    observations, info = env.reset(seed=3)
    while going.any():
        with torch.inference_mode():
            outputs = network(torch.from_numpy(observations).float()).numpy()
        actions = np.where(info["action_mask"], outputs, -np.inf).argmax(1)
        for place in np.flatnonzero(going):
            moves[place].append(int(actions[place]))
        observations, _, ended, _, info = env.step(actions)
        going &= ~ended
    return moves


@pytest.mark.parametrize("seed", [1, 2])
def test_a_traced_network_plays_as_it_did_in_the_environment(tmp_path, seed):
    torch.manual_seed(seed)
    network = Residual().eval()
    file = traced(network, tmp_path / "policy.pt")

    logs = play([get_agent(f"policy:{file}"), get_agent("iggi")], GAMES, 3)

    moves = [logs.actions_of(game)[::2].tolist() for game in range(GAMES)]
    assert moves == moves_in_environment(network)


@pytest.mark.parametrize("activation", [None, nn.ReLU])
def test_a_policy_of_stable_baselines3_plays_as_it_did(tmp_path, activation):
    sb3_contrib = pytest.importorskip("sb3_contrib")
    from hoad.environments import SB3VecEnv

    arguments = {"net_arch": [24, 16]} | ({"activation_fn": activation} if activation else {})
    model = sb3_contrib.MaskablePPO(
        *("MlpPolicy", SB3VecEnv(HanabiVectorEnv(8))),
        **{"n_steps": 16, "batch_size": 64, "seed": 1, "device": "cpu"},
        policy_kwargs=arguments,
    )
    model.learn(256)
    model.save(tmp_path / "ppo.zip")
    agent = get_agent(f"policy:{tmp_path / 'ppo.zip'}")
    env = HanabiVectorEnv(64)
    observations, info = env.reset(seed=5)
    for _ in range(5):
        masks = info["action_mask"]
        chosen, _ = model.predict(observations, action_masks=masks, deterministic=True)
        outputs = agent.outputs(np.packbits(observations, axis=1)).numpy()  # type: ignore[attr-defined]
        assert np.where(masks, outputs, -np.inf).argmax(1).tolist() == chosen.tolist()
        observations, *_, info = env.step(chosen)


def test_agents_of_equal_files_are_the_same(tmp_path):
    first = traced(Residual(), tmp_path / "first.pt")
    copy = tmp_path / "copy.pt"
    copy.write_bytes(first.read_bytes())
    other = traced(Residual(), tmp_path / "other.pt")
    agents = [get_agent(f"policy:{file}") for file in (first, copy, other)]

    assert agents[0].identity == agents[1].identity != agents[2].identity


@pytest.mark.parametrize(
    ("kind", "named"), [(Writing, "has save"), (Waking, r"has __[gs]etstate__")]
)
def test_a_file_that_writes_files_or_runs_code_when_it_is_loaded_is_refused(tmp_path, kind, named):
    target, file = tmp_path / "written", tmp_path / "policy.pt"
    torch.jit.script(Writing(str(target)) if kind is Writing else kind()).save(str(file))

    assert_refused(file, f"{named}, which no policy needs")
    assert not target.exists()


@pytest.mark.parametrize(
    "line",
    [
        '("f").save(x)',
        *(f'{name} = torch.save\n    _1 = {name}(x, "f")' for name in ("_0", "add", "forward")),
        'getattr(torch, "save")(x, "f")',
        "while True:\n      pass",
        "ops.aten.from_file('f', True, 9)",
    ],
)
def test_code_that_was_added_by_hand_is_refused(tmp_path, line):
    file = forged(tmp_path, ".py", b"    bias = self", f"    {line}\n    bias = self".encode())

    assert_refused(file, "which no policy needs")


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        (".py", b"class Linear", b"# -*- coding: utf-7 -*-\nclass Linear\x00"),
        (".py", b"    bias = self", b"    _1 = 'a\\'\n    bias = self"),
        (".py", b"    bias = self", b'    _1 = """a"""\n    bias = self'),
        ("data.pkl", b"q\x07K\x00", b"q\x07h\xee"),
        ("data.pkl", b"K\x14M\x92\x02t", b"K\x14J\x00\x00\x00\x7ft"),
    ],
)
def test_damaged_parts_are_refused(tmp_path, part, old, new):
    assert_refused(forged(tmp_path, part, old, new), r"policy\.pt: not a policy")


@pytest.mark.parametrize("layer", [nn.Dropout(0.5), nn.BatchNorm1d(20)])
def test_a_network_that_was_traced_in_training_is_refused(tmp_path, layer):
    network = nn.Sequential(nn.Linear(OBSERVATION_BITS, 20), layer)
    script = torch.jit.trace(network, torch.rand(3, OBSERVATION_BITS), check_trace=False)
    torch.jit.save(script, str(tmp_path / "policy.pt"))

    told = r"chance or on other games; save it after eval\(\)"
    assert_refused(tmp_path / "policy.pt", told)


def test_a_policy_that_fails_while_it_plays_is_named(tmp_path):
    agent = get_agent(f"policy:{traced(ForThree(), tmp_path / 'policy.pt')}")

    with pytest.raises(HoadError, match=r"^agent policy:.*policy\.pt: "):
        play([agent, get_agent("iggi")], GAMES, 3)


class _Pickled:
    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple:
        return Path.touch, (self.target,)


def test_pickled_objects_are_not_made(tmp_path):
    target, file = tmp_path / "written", tmp_path / "ppo.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data", "{}")
        with archive.open("policy.pth", "w") as weights:
            torch.save({"action_net.weight": _Pickled(target)}, weights)

    assert_refused(file, r"ppo\.zip: not a policy")
    assert not target.exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x80\x04N."])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "policy.pt").write_bytes(content)

    assert_refused(tmp_path / "policy.pt", r"policy\.pt: not a policy")


@pytest.mark.parametrize(
    ("path", "told"),
    [("absent.pt", "No such file"), ("", "Is a directory"), ("/dev/zero", "not a regular file")],
)
def test_what_is_no_file_is_refused(tmp_path, path, told):
    assert_refused(tmp_path / path, told)


@pytest.mark.parametrize("network", [nn.Linear(OBSERVATION_BITS, 19), nn.Identity()])
def test_networks_of_other_shapes_are_refused(tmp_path, network):
    file = traced(network, tmp_path / "policy.pt")

    assert_refused(file, r"does not map \(3, 658\) to \(3, 20\)|without weights")
