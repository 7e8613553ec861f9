"""learn2learn's MAML (Arnold et al. 2020), imported without the rest of that library.

``import learn2learn`` needs gym and torchvision; the module of MAML needs only torch. So it is
imported from learn2learn's packages without running their ``__init__`` files. Only training needs
it: low-shot play takes the same inner step in :mod:`.inner_loop`.
"""

import importlib
import importlib.util
import sys
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import torch

from hoad.core.errors import HoadError
from hoad.learning.maml.recipe import InnerLayers
from hoad.learning.networks import MetaModel

_importing = threading.Lock()

INSTALL: Final = (
    "CYTHON_FORCE_REGEN=1 pip install --no-deps --use-pep517 "
    "--config-settings=--build-option=build_ext learn2learn==0.2.0"
)
"""The command that builds learn2learn, for which a plain ``pip install learn2learn`` fails."""


def start(model: MetaModel, tasks: int) -> MetaModel:
    """Return phi for inner steps of training: a clone of the model for each task, in one module.

    Matrices have shape ``(tasks, outputs, inputs)``, vectors ``(tasks, width, 1)``. They are
    functions of the model's, which stays as it is.
    """
    phi: MetaModel = import_maml().clone_module(model)
    for module in phi.modules():
        parameters: dict[str, Any] = module._parameters  # clones are tensors, no parameters
        for name, weights in parameters.items():
            matrix = weights if weights.ndim > 1 else weights[:, None]
            parameters[name] = matrix.expand(tasks, -1, -1)
    return phi


def inner_step(
    phi: MetaModel, gradients: Sequence[torch.Tensor], rates: torch.Tensor, layers: InnerLayers
) -> None:
    """Take an inner step along the gradients of all parameters, or of the last layer's.

    The tasks have learning rates of their own: ``rates``, shape ``(tasks, 1, 1)``.
    """
    changing = {id(weights) for weights in (phi if layers == "all" else phi.output).parameters()}
    pairs = zip(phi.parameters(), gradients, strict=True)
    chosen = [gradient if id(weights) in changing else None for weights, gradient in pairs]
    import_maml().maml_update(phi, rates, chosen)


def import_maml() -> Any:
    """Return the module ``learn2learn.algorithms.maml``; a HoadError if it is not installed."""
    with _importing:  # or one thread would take away the packages that another one imports from
        return _import_maml()


@cache
def _import_maml() -> Any:
    before = set(sys.modules)
    for package in ("learn2learn", "learn2learn.algorithms"):
        if package in sys.modules:
            continue
        spec = importlib.util.find_spec(package)
        if spec is None:
            raise HoadError(
                "learn2learn is not installed, and training FOMAML needs it: `make setup` in a "
                f"checkout, or {INSTALL}"
            )
        sys.modules[package] = importlib.util.module_from_spec(spec)
    maml = importlib.import_module("learn2learn.algorithms.maml")
    for module in set(sys.modules) - before:  # which another import would take for the real ones
        if module.partition(".")[0] == "learn2learn":
            del sys.modules[module]
    return maml
