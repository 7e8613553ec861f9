"""Policies in files of ONNX are agents; the files are only data."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from hoad.agents import get_agent, play
from hoad.game.observation import OBSERVATION_BITS
from hoad.learning.policies.files import PolicyFileAgent
from tests.learning.test_policy_files import GAMES, assert_refused, moves_in_environment

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


def test_a_network_plays_as_it_did_in_the_environment_and_has_its_outputs(tmp_path):
    torch.manual_seed(1)
    network = Normed().eval()
    agent = get_agent(f"policy:{written(model_of(network), tmp_path)}")
    bits = np.random.default_rng(0).integers(0, 2, (5, OBSERVATION_BITS), np.uint8)

    logs = play([agent, get_agent("iggi")], GAMES, 3)

    moves = [logs.actions_of(game)[::2].tolist() for game in range(GAMES)]
    assert moves == moves_in_environment(network)
    assert isinstance(agent, PolicyFileAgent)
    outputs = agent.outputs(np.packbits(bits, axis=1))
    expected = network(torch.from_numpy(bits).float()).detach()
    torch.testing.assert_close(outputs, expected, rtol=1e-4, atol=1e-5)


def test_agents_of_equal_files_are_the_same(tmp_path):
    one, other = model_of(Normed()), model_of(Normed())

    identities = [
        get_agent(f"policy:{written(model, tmp_path)}").identity for model in (one, one, other)
    ]

    assert identities[0] == identities[1] != identities[2]


@pytest.mark.parametrize("word", ["Loop", "If", "ConstantOfShape", "RandomNormal", "Tile"])
def test_operations_that_no_policy_needs_are_refused(tmp_path, word):
    file = written(model_of(Normed(), [*NODES, (word, ["moves"], "more")]), tmp_path)

    assert_refused(file, f"has the operation {word}, which no policy needs")


def test_other_parts_that_no_policy_needs_are_refused(tmp_path):
    foreign, nested, divided, programmed = (model_of(Normed()) for _ in range(4))
    foreign.graph.node[-1].domain = "my.package"
    nested.graph.node[0].attribute.append(onnx.helper.make_attribute("body", nested.graph))
    secret, [first, *_] = tmp_path / "secret", divided.graph.initializer
    secret.write_bytes(first.raw_data)
    onnx.external_data_helper.set_external_data(first, str(secret))
    body, opsets = onnx.helper.make_node("Relu", ["x"], ["y"]), [onnx.helper.make_opsetid("", 17)]
    function = onnx.helper.make_function("", "Relu", ["x"], ["y"], [body], opsets)
    programmed.functions.append(function)
    other_shape = model_of(Normed(), [*NODES[:4], ("Relu", ["normed"], "moves")])

    for model, told in (
        (foreign, r"has my\.package Gemm, which no policy needs"),
        (nested, "has a graph inside"),
        (divided, "has weights in another file"),
        (programmed, "has functions, training or sparse weights"),
        (other_shape, r"does not map \(3, 658\) to \(3, 20\)"),
    ):
        assert_refused(written(model, tmp_path), told)


def test_without_the_package_the_message_names_it(tmp_path, monkeypatch):
    file = written(model_of(Normed()), tmp_path)
    monkeypatch.setitem(sys.modules, "onnx", None)

    assert_refused(file, r"pip install 'hoad\[onnx\]'")


@pytest.mark.parametrize("content", [b"", b"not a model", b"PK\x03\x04", b"\x08\x07"])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "policy.onnx").write_bytes(content)

    assert_refused(tmp_path / "policy.onnx", r"policy\.onnx: not a policy")
