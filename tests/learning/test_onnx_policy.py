"""Policies in files of ONNX are agents; the files are only data."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from hoad.agents import get_agent, play
from hoad.core.errors import HoadError
from hoad.learning.observations import OBSERVATION_BITS
from hoad.learning.policies.files import PolicyFileAgent
from tests.learning.test_policy_files import GAMES, moves_in_environment

onnx = pytest.importorskip("onnx")


class Normed(nn.Module):
    """A policy whose layers ONNX has under other names."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm = nn.Linear(OBSERVATION_BITS, 16), nn.LayerNorm(16)
        self.last = nn.Linear(16, 20)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = torch.relu(self.norm(self.first(2 * x - 1)))
        return self.last(hidden)


NODES = [
    ("Mul", ["observations", "two"], "doubled"),
    ("Sub", ["doubled", "one"], "signs"),
    ("Gemm", ["signs", "first.weight", "first.bias"], "sums"),
    ("LayerNormalization", ["sums", "norm.weight", "norm.bias"], "normed"),
    ("Relu", ["normed"], "hidden"),
    ("Gemm", ["hidden", "last.weight", "last.bias"], "moves"),
]
"""What exporters make of `Normed`: operation, inputs, output."""


def model_of(network: nn.Module, nodes: list[tuple[str, list[str], str]] = NODES) -> Any:
    arrays = {name: weights.detach().numpy() for name, weights in network.named_parameters()}
    arrays |= {"one": np.ones((), np.float32), "two": np.full((), 2, np.float32)}
    floats, make = onnx.TensorProto.FLOAT, onnx.helper
    made = [
        make.make_node(word, inputs, [out], **({"transB": 1} if word == "Gemm" else {}))
        for word, inputs, out in nodes
    ]
    ends = [
        [make.make_tensor_value_info(name, floats, ["batch", size])]
        for name, size in (("observations", OBSERVATION_BITS), ("moves", 20))
    ]
    weights = [onnx.numpy_helper.from_array(np.array(one), name) for name, one in arrays.items()]
    graph = make.make_graph(made, "policy", *ends, weights)
    return make.make_model(graph, opset_imports=[make.make_opsetid("", 17)])


def written(model: Any, folder: Path) -> Path:
    path = folder / "policy.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def test_a_network_plays_as_it_did_in_the_environment(tmp_path):
    torch.manual_seed(1)
    network = Normed().eval()
    agent = get_agent(f"policy:{written(model_of(network), tmp_path)}")

    logs = play([agent, get_agent("iggi")], GAMES, 3)

    moves = [logs.actions_of(game)[::2].tolist() for game in range(GAMES)]
    assert moves == moves_in_environment(network)


def test_its_outputs_are_those_of_the_network(tmp_path):
    network = Normed().eval()
    agent = get_agent(f"policy:{written(model_of(network), tmp_path)}")
    bits = np.random.default_rng(0).integers(0, 2, (5, OBSERVATION_BITS), np.uint8)

    assert isinstance(agent, PolicyFileAgent)
    outputs = agent.outputs(np.packbits(bits, axis=1))

    expected = network(torch.from_numpy(bits).float()).detach()
    torch.testing.assert_close(outputs, expected, rtol=1e-4, atol=1e-5)


def test_agents_of_equal_files_are_the_same(tmp_path):
    one, other = model_of(Normed()), model_of(Normed())
    identities = []
    for number, model in enumerate((one, one, other)):
        folder = tmp_path / str(number)
        folder.mkdir()
        identities.append(get_agent(f"policy:{written(model, folder)}").identity)

    assert identities[0] == identities[1] != identities[2]


@pytest.mark.parametrize("word", ["Loop", "If", "ConstantOfShape", "RandomNormal", "Tile"])
def test_operations_that_no_policy_needs_are_refused(tmp_path, word):
    file = written(model_of(Normed(), [*NODES, (word, ["moves"], "more")]), tmp_path)

    with pytest.raises(HoadError, match=f"has the operation {word}, which no policy needs"):
        get_agent(f"policy:{file}")


def test_operations_of_other_packages_are_refused(tmp_path):
    model = model_of(Normed())
    model.graph.node[-1].domain = "my.package"

    with pytest.raises(HoadError, match=r"has my\.package Gemm, which no policy needs"):
        get_agent(f"policy:{written(model, tmp_path)}")


def test_graphs_inside_of_operations_are_refused(tmp_path):
    model = model_of(Normed())
    inside = onnx.helper.make_attribute("body", model.graph)
    model.graph.node[0].attribute.append(inside)

    with pytest.raises(HoadError, match="has a graph inside"):
        get_agent(f"policy:{written(model, tmp_path)}")


def test_weights_in_other_files_are_refused(tmp_path):
    model, secret = model_of(Normed()), tmp_path / "secret"
    secret.write_bytes(model.graph.initializer[0].raw_data)
    onnx.external_data_helper.set_external_data(model.graph.initializer[0], str(secret))

    with pytest.raises(HoadError, match="has weights in another file"):
        get_agent(f"policy:{written(model, tmp_path)}")


def test_functions_are_refused(tmp_path):
    model = model_of(Normed())
    body = onnx.helper.make_node("Relu", ["x"], ["y"])
    opsets = [onnx.helper.make_opsetid("", 17)]
    model.functions.append(onnx.helper.make_function("", "Relu", ["x"], ["y"], [body], opsets))

    with pytest.raises(HoadError, match="has functions, training or sparse weights"):
        get_agent(f"policy:{written(model, tmp_path)}")


@pytest.mark.parametrize("content", [b"", b"not a model", b"PK\x03\x04", b"\x08\x07"])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "policy.onnx").write_bytes(content)

    with pytest.raises(HoadError, match=r"policy\.onnx: not a policy"):
        get_agent(f"policy:{tmp_path / 'policy.onnx'}")


def test_networks_of_other_shapes_are_refused(tmp_path):
    file = written(model_of(Normed(), [*NODES[:4], ("Relu", ["normed"], "moves")]), tmp_path)

    with pytest.raises(HoadError, match=r"does not map \(3, 658\) to \(3, 20\)"):
        get_agent(f"policy:{file}")


def test_without_the_package_the_message_names_it(tmp_path, monkeypatch):
    file = written(model_of(Normed()), tmp_path)
    monkeypatch.setitem(sys.modules, "onnx", None)

    with pytest.raises(HoadError, match=r"pip install 'hoad\[onnx\]'"):
        get_agent(f"policy:{file}")
