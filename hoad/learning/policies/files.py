"""Policies that other libraries trained, as agents: TorchScript, ONNX, and Stable-Baselines3's.

A policy maps observations (float32, shape ``(batch, 658)``) to a number for each move (``(batch,
20)``), and the legal move of the highest number is played. A file is data, perhaps a stranger's:
nothing in it is unpickled as Python objects, and TorchScript, which has operations that write
files, is loaded only if it consists of the operations of networks.
"""

import ast
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn

from hoad.agents.agent import MOVES
from hoad.core.capacity import require_memory
from hoad.core.errors import HoadError
from hoad.core.files import describe, one_line, refuse_pipe, what_it_is
from hoad.core.provenance import note_network
from hoad.game.observation import OBSERVATION_BITS
from hoad.learning.policies import PolicyAgent
from hoad.learning.policies.onnx_files import ONNX_SUFFIX, read_onnx

_SB3_WEIGHTS: Final = "policy.pth"
_SB3_VALUES: Final = ("mlp_extractor.value_net.", "value_net.")
_ACTIVATIONS: Final = {"ELU", "GELU", "LeakyReLU", "ReLU", "SiLU", "Tanh"}

_OPERATIONS: Final = (
    "NumToTensor abs add add_ addmm annotate batch_norm bmm bool cat chunk clamp clone contiguous "
    "detach device div dropout elu exp flatten float forward gelu getattr hardtanh int layer_norm "
    "leaky_relu linear log log_softmax masked_fill matmul mean mish mm mul neg permute pow relu "
    "relu6 relu_ reshape rsqrt scaled_dot_product_attention select selu sigmoid silu size slice "
    "softmax softplus split sqrt squeeze stack sub sum t tanh tanh_ to transpose type_as unsqueeze "
    "view where zeros_like"
)
"""What traced TorchScript may call; beside it, ``forward1`` and so on of its own modules."""

_PARTS: Final = re.compile(
    r"[^/]+/(code/.+\.py|data\.pkl|constants\.pkl|(data|constants)/\d+|(\.data/)?version|byteorder)"
)
"""What is read of a TorchScript archive; the rest is for debugging, or of older formats."""

_SOURCE: Final = re.compile(rb"[\n -\[\]-~]*")
"""Characters that Python and TorchScript read alike: ASCII, no backslash, no control character."""


class PolicyFileAgent(PolicyAgent):
    """The policy of a file, which plays its move of the highest output."""

    def __init__(self, name: str, network: nn.Module, checksum: str) -> None:
        super().__init__(name, network)
        self._checksum = checksum

    def outputs(self, observations: np.ndarray) -> torch.Tensor:
        """Return the outputs of the network; a HoadError if it fails, or if one is no number."""
        try:
            outputs = super().outputs(observations)
        except Exception as error:  # of torch, or of numpy for ONNX
            raise HoadError(f"agent {self.name}: {one_line(str(error).strip())}") from error
        if outputs.shape != (len(observations), MOVES) or outputs.isnan().any():
            raise HoadError(f"agent {self.name}: outputs that are not a number for each move")
        return outputs

    @property
    def identity(self) -> Hashable:
        """A checksum of the file."""
        return "policy", self._checksum


def load_policy(name: str) -> PolicyFileAgent:
    """Return the policy of a file that ``torch.jit.save`` or Stable-Baselines3 wrote, or of ONNX.

    Of Stable-Baselines3 it may be the ``MlpPolicy`` of PPO, A2C or MaskablePPO; the package need
    not be installed. A file of ONNX ends in ``.onnx``.

    Raises:
        HoadError: the file cannot be read, is another one, or has operations that no network needs.
    """
    path = Path(name)
    try:
        require_memory(4 * path.stat().st_size, f"{path}: this policy", "give a smaller one")
        refuse_pipe(path)
        content = path.read_bytes()
    except OSError as error:
        raise HoadError(f"{path}: cannot read this policy: {describe(error)}") from error
    try:
        network = _network(content, path)
        _check_outputs(network)
    except HoadError:
        raise
    except Exception as error:  # a damaged archive, pickle, source or network raises anything
        problem = what_it_is(path) or one_line(str(error).strip() or type(error).__name__)
        raise HoadError(f"{path}: not a policy ({problem}); see docs/environments.md") from error
    note_network(f"policy:{name}", path)
    return PolicyFileAgent(f"policy:{name}", network, hashlib.sha256(content).hexdigest())


def _network(content: bytes, path: Path) -> nn.Module:
    if path.suffix == ONNX_SUFFIX:
        return read_onnx(content, path)
    entries = _entries(content, path)
    read = _stable_baselines if _SB3_WEIGHTS in entries else _torch_script
    return read(entries, path)


def _check_outputs(network: nn.Module) -> None:
    """Raise a ValueError if a network does not map each observation to a number for each move."""
    with torch.inference_mode():
        bits = torch.arange(3 * OBSERVATION_BITS).view(3, OBSERVATION_BITS) ** 2 % 11 % 2
        several, fewer = network(bits.float()), network(bits[:2].float())
    if not isinstance(several, torch.Tensor) or several.shape != (3, MOVES):
        raise ValueError(f"it does not map (3, {OBSERVATION_BITS}) to (3, {MOVES})")
    if not torch.allclose(several[:2], fewer, rtol=1e-3, atol=1e-3):
        raise ValueError("its outputs depend on chance or on other games; save it after eval()")


def _entries(content: bytes, path: Path) -> dict[str, bytes]:
    """Return what an archive holds, by name; a name comes once."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        infos = archive.infolist()
        needed = 3 * sum(info.file_size for info in infos)
        require_memory(needed, f"{path}: this policy", "give a smaller one")
        return {info.filename: archive.read(info) for info in infos}


def _torch_script(entries: Mapping[str, bytes], path: Path) -> nn.Module:
    """Return the network of a TorchScript archive, of which every operation is known."""
    parts = {name: part for name, part in entries.items() if _PARTS.fullmatch(name)}
    for name, content in parts.items():
        if name.endswith(".pkl") and b"torch.classes" in content:
            raise HoadError(f"{path}: has objects other than tensors; trace a plain network")
        if name.endswith(".py"):
            if not _SOURCE.fullmatch(content) or b'"""' in content or b"'''" in content:
                raise ValueError("its source has characters that torch.jit.trace does not write")
            _refuse_operations(ast.parse(content), path)
    checked = io.BytesIO()  # what was read here: torch may read a crafted archive differently
    with zipfile.ZipFile(checked, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    checked.seek(0)
    network = torch.jit.load(checked, map_location="cpu")
    if next(network.parameters(), None) is None:
        raise ValueError("a network without weights; save it before torch.jit.freeze")
    return network.eval()


def _refuse_operations(source: ast.AST, path: Path) -> None:
    """Refuse code with anything but operations of networks in sequence.

    A name that is assigned may stand for any operation, so it is not called.
    """
    nodes = list(ast.walk(source))
    assigned = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    operations = set(_OPERATIONS.split())
    for node in nodes:
        word = ""
        if isinstance(node, ast.While | ast.For):
            word = "a loop"
        elif isinstance(node, ast.FunctionDef):
            word = node.name
        elif isinstance(node, ast.Call):
            function = node.func
            word = getattr(function, "attr", getattr(function, "id", "a computed call"))
            if isinstance(function, ast.Name) and word in assigned:
                word = f"a call of the variable {word}"
        if word and word not in operations and not re.fullmatch(r"forward\d*", word):
            remedy = "save the network with torch.jit.trace, without code of its own"
            raise HoadError(f"{path}: has {one_line(word)}, which no policy needs; {remedy}")


def _stable_baselines(entries: Mapping[str, bytes], path: Path) -> nn.Module:
    """Return the layers of an ``MlpPolicy`` that lead to its moves."""
    buffer = io.BytesIO(entries[_SB3_WEIGHTS])
    weights = torch.load(buffer, map_location="cpu", weights_only=True)
    layers = {name for name in weights if not name.startswith(_SB3_VALUES)}
    hidden = sorted(
        int(name.split(".")[2])
        for name in layers
        if re.fullmatch(r"mlp_extractor\.policy_net\.\d+\.weight", name)
    )
    prefixes = [*(f"mlp_extractor.policy_net.{number}" for number in hidden), "action_net"]
    if layers != {f"{prefix}.{part}" for prefix in prefixes for part in ("weight", "bias")}:
        raise ValueError("not the MlpPolicy of PPO, A2C or MaskablePPO")
    activation = _activation(json.loads(entries["data"]).get("policy_kwargs", {}))
    modules: list[nn.Module] = []
    for prefix in prefixes:
        weight, bias = weights[f"{prefix}.weight"], weights[f"{prefix}.bias"]
        linear = nn.utils.skip_init(nn.Linear, weight.shape[1], weight.shape[0])
        linear.load_state_dict({"weight": weight, "bias": bias})
        modules += [linear, activation()]
    return nn.Sequential(*modules[:-1]).eval()


def _activation(policy_kwargs: Mapping[str, object]) -> type[nn.Module]:
    """Return the class between layers; Stable-Baselines3 also writes its name as text."""
    text = str(policy_kwargs.get("activation_fn", "<class 'torch.nn.modules.activation.Tanh'>"))
    name = text.removeprefix("<class 'torch.nn.modules.activation.").removesuffix("'>")
    if name not in _ACTIVATIONS:
        raise ValueError(f"activation {one_line(name)}, expected {', '.join(sorted(_ACTIVATIONS))}")
    return getattr(nn, name)
