"""What a recorded file holds, byte by byte."""

from pathlib import Path

import h5py

from hoad.replay.dataset import read_metadata

DATED = {"date", "commit", "command"}
"""Attributes that say when and how."""


def assert_same_file(path: Path, other: Path) -> None:
    """Compare all arrays, types and compressed sizes included, and the undated attributes."""
    assert arrays_of(path) == arrays_of(other)
    metadata, others = read_metadata(path), read_metadata(other)
    assert metadata.keys() == others.keys()
    assert [metadata[key] for key in metadata.keys() - DATED] == [
        others[key] for key in metadata.keys() - DATED
    ]


def arrays_of(path: Path) -> dict[str, tuple]:
    """Return type, shape, size on disk and bytes of each array of a file, by name."""
    with h5py.File(path, "r") as file:
        return {
            name: (str(array.dtype), array.shape, array.id.get_storage_size(), array[...].tobytes())
            for name, array in file.items()
        }
