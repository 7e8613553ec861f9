"""Networks in files of ONNX, which are data: every operation is known, and numpy computes it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch
from torch import nn

from hoad.core.capacity import require_memory
from hoad.core.errors import HoadError
from hoad.core.files import one_line

if TYPE_CHECKING:
    import onnx

ONNX_SUFFIX: Final = ".onnx"

_OPERATIONS: Final = (
    "Abs Add BatchNormalization Cast Clip Concat Constant Div Dropout Elu Erf Exp Flatten Gather "
    "Gelu Gemm HardSigmoid HardSwish Identity LayerNormalization LeakyRelu Log LogSoftmax MatMul "
    "Max Min Mish Mul Neg PRelu Pow Reciprocal ReduceMean ReduceSum Relu Reshape Selu Shape "
    "Sigmoid Slice Softmax Softplus Split Sqrt Squeeze Sub Sum Tanh Transpose Unsqueeze Where"
)
"""What a network may consist of: no loops, no graphs inside, nothing that makes large arrays."""


class OnnxNetwork(nn.Module):
    """A network that evaluates a model of ONNX, which has been checked."""

    def __init__(self, model: "onnx.ModelProto") -> None:
        from onnx.reference import ReferenceEvaluator

        super().__init__()
        self._evaluator = ReferenceEvaluator(model)
        [self._input] = self._evaluator.input_names
        self._output = self._evaluator.output_names[0]
        self.place = nn.Parameter(torch.zeros(1), requires_grad=False)  # every network has some

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the first output of the model."""
        [outputs] = self._evaluator.run([self._output], {self._input: observations.cpu().numpy()})
        return torch.as_tensor(outputs)


def read_onnx(content: bytes, path: Path) -> OnnxNetwork:
    """Return the network of a file.

    Raises:
        HoadError: the package is not installed, or the file has other operations, or weights in
            other files.
        ValueError: it is not a file of ONNX, or has several inputs.
    """
    try:
        import onnx
        from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
    except ImportError as error:
        raise HoadError(f"{path}: needs the package of ONNX: pip install 'hoad[onnx]'") from error
    require_memory(3 * len(content), f"{path}: this policy", "give a smaller one")
    try:
        model = onnx.ModelProto.FromString(content)
    except DecodeError as error:
        raise ValueError("not a file of ONNX") from error
    for word in _unknown(model):
        raise HoadError(f"{path}: has {one_line(word)}, which no policy needs; export a network")
    weights = {weight.name for weight in model.graph.initializer}
    inputs = [node.name for node in model.graph.input if node.name not in weights]
    if len(inputs) != 1 or not model.graph.output:
        raise ValueError(f"a network with {len(inputs)} inputs, expected one, the observations")
    return OnnxNetwork(model)


def _unknown(model: "onnx.ModelProto") -> Iterator[str]:
    """Yield what a model has besides operations of networks and their weights."""
    if model.functions or model.training_info or model.graph.sparse_initializer:
        yield "functions, training or sparse weights"
    tensors: list[Any] = list(model.graph.initializer)
    operations = _OPERATIONS.split()
    for node in model.graph.node:
        if node.domain not in ("", "ai.onnx") or node.op_type not in operations:
            yield f"{node.domain or 'the operation'} {node.op_type}"
        for attribute in node.attribute:
            if attribute.HasField("g") or attribute.graphs or attribute.ref_attr_name:
                yield "a graph inside"
            tensors += [attribute.t, *attribute.tensors]
    if any(tensor.external_data or tensor.data_location for tensor in tensors):
        yield "weights in another file"
