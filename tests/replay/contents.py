"""What a recorded file holds, byte by byte."""

from pathlib import Path

import h5py

from hoad.replay.dataset import read_card

DATED = {"date", "commit", "command"}
"""Attributes that say when and how."""


def assert_same_file(path: Path, other: Path) -> None:
    """Compare all arrays, types and compressed sizes included, and the undated attributes."""
    assert arrays_of(path) == arrays_of(other)
    cards = [read_card(file) for file in (path, other)]
    assert [cards[0][key] for key in cards[0].keys() - DATED] == [
        cards[1][key] for key in cards[0].keys() - DATED
    ]


def arrays_of(path: Path) -> dict[str, tuple]:
    """Return type, shape, size on disk and bytes of each array of a file, by name."""
    with h5py.File(path, "r") as file:
        return {
            name: (str(array.dtype), array.shape, array.id.get_storage_size(), array[...].tobytes())
            for name, array in file.items()
        }
