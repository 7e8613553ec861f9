"""Checkpoints: tensors, and metadata as JSON, in one safetensors file.

A file is complete or absent (it is written under another name and renamed). Checksums of the
tensors and of the metadata are in its header, so that a damaged file is refused.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import torch
from pydantic_core import from_json
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from hoad.core.errors import AbsentError, HoadError
from hoad.core.files import describe, make_folder, refuse_pipe, what_it_is, write_file
from hoad.core.identity import checksum
from hoad.core.paths import MODEL, find_metadata, milestone_file
from hoad.core.provenance import note_network
from hoad.learning.training.folder import read_metadata_file

FORMAT: Final = "hoad-checkpoint-1"
_ENTRY: Final = "hoad"

_SAME: Final = ("kind", "name", "games")
"""What a network's file and the metadata next to it both say."""

_TABLES: Final = ("recipe", "measures", "made_with")  # what else the metadata hold, at least


def save_checkpoint(
    path: Path, tensors: Mapping[str, torch.Tensor], metadata: Mapping[str, Any]
) -> None:
    """Write tensors and metadata (JSON), atomically; make the folder; a HoadError if it fails."""
    here = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    # One entry, because safetensors orders several at random: equal networks make equal files.
    header = {"format": FORMAT, "checksum": _checksum(here), "about": metadata}
    header["about_checksum"] = checksum(metadata)
    make_folder(path.parent)
    write_file(path, save(here, {_ENTRY: json.dumps(header)}))


def load_checkpoint(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Read the tensors and the metadata that :func:`save_checkpoint` wrote.

    Raises:
        AbsentError: there is no such file.
        HoadError: it is cut short, damaged, or not a checkpoint of HOAD; or the
            metadata next to a network are damaged or another one's.
    """
    with _opened(path) as (file, header):
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if header["checksum"] != _checksum(tensors):
        raise HoadError(f"{path}: damaged checkpoint (checksum differs); train it again")
    about = header["about"]
    if path.name == MODEL:
        _check_metadata(path, about)
    note_network(f"{about.get('kind')}:{about.get('name')}", path)
    return tensors, about


def _check_metadata(path: Path, about: Mapping[str, Any]) -> None:
    """Refuse damaged metadata next to a network, or another network's; there may be none."""
    if (file := find_metadata(path)) is None:
        return
    metadata = read_metadata_file(file)
    same = all(metadata.get(key) == about.get(key) for key in _SAME)
    if not same or not all(isinstance(metadata.get(key), dict) for key in _TABLES):
        problem = f"not the metadata of {path.name} next to it, or damaged"
        raise HoadError(f"{file}: {problem}; restore it, or remove it: the network plays without")


def read_header(path: Path) -> dict[str, Any]:
    """Read the metadata alone, without tensors and checksum (see :func:`load_checkpoint`)."""
    with _opened(path) as (_, header):
        return header["about"]


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield an open checkpoint, whose tensors are not read yet, and its header."""
    try:
        refuse_pipe(path)
        path.open("rb").close()  # safetensors calls any file that it cannot open absent
        with safe_open(str(path), "pt") as file:
            header = from_json((file.metadata() or {}).get(_ENTRY, "{}"))
            if not isinstance(header, dict) or header.get("format") != FORMAT:
                raise HoadError(f"{path}: not a checkpoint of HOAD; train one or name another file")
            about = header.get("about")
            if not isinstance(about, dict) or header.get("about_checksum") != checksum(about):
                raise ValueError("checksum of its metadata differs")
            yield file, header
    except FileNotFoundError:
        raise AbsentError(f"{path}: no such checkpoint; {_remedy(path)}") from None
    except OSError as error:
        raise HoadError(f"{path}: cannot read this checkpoint: {describe(error)}") from error
    except (SafetensorError, ValueError) as error:
        what = what_it_is(path) or error
        raise HoadError(f"{path}: damaged checkpoint ({what}); train it again") from error


def _remedy(absent: Path) -> str:
    milestones = sorted(file.name for file in absent.parent.glob(milestone_file("*")))
    if milestones and absent.name != MODEL:
        return f"its training has kept {', '.join(milestones)}"
    return "train it first, or set HOAD_CHECKPOINTS to the folder with its training"


def load_weights(network: torch.nn.Module, weights: dict[str, torch.Tensor], path: Path) -> None:
    """Copy weights into a network; raise a HoadError if names or shapes differ."""
    own = network.state_dict()
    for name in sorted(own.keys() | weights.keys()):
        wanted = tuple(own[name].shape) if name in own else "none"
        shape = tuple(weights[name].shape) if name in weights else "none"
        if wanted != shape:
            raise HoadError(
                f"{path}: checkpoint of another shape: {name} is {shape}, expected {wanted}; "
                "train it again with this recipe"
            )
    network.load_state_dict(weights)


def narrow(weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the weights with matrices, but not vectors, in bfloat16: half the size.

    A network that was trained with bfloat16 products loses next to nothing: the products round the
    same weights in the same way.
    """
    return {name: w.bfloat16() if w.ndim > 1 else w for name, w in weights.items()}


def _checksum(tensors: Mapping[str, torch.Tensor]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name, tensor in sorted(tensors.items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        digest.update(tensor.contiguous().flatten().view(torch.uint8).numpy().data)
    return digest.hexdigest()
