"""Adding a trained network to those that come with HOAD."""

from pathlib import Path

from hoad.core.errors import HoadError
from hoad.core.files import make_folder, write_file
from hoad.core.paths import CURVE, METADATA, MODEL, SHIPPED_CHECKPOINTS
from hoad.learning.training.checkpoints import load_checkpoint
from hoad.learning.training.folder import read_metadata


def ship(folder: str | Path, root: Path = SHIPPED_CHECKPOINTS) -> Path:
    """Copy the network of a finished training, with its metadata, to those that come with HOAD.

    Return the new folder in ``root``.

    Raises:
        HoadError: a file is missing or damaged, the training is not finished, or the name is taken.
    """
    source = Path(folder).resolve()
    _, about = load_checkpoint(source / MODEL)
    metadata = read_metadata(source / MODEL)
    if metadata.get("step") != about["step"]:
        raise HoadError(f"{source}: no metadata of this network; train to the end with --resume")
    target = root / about["kind"] / source.name
    if target.exists():
        raise HoadError(f"{target}: exists; remove it first")
    make_folder(target)
    for name in (MODEL, METADATA, CURVE):
        if (copied := source / name).exists():
            write_file(target / name, copied.read_bytes())
    return target
