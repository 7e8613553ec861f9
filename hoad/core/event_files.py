"""The event files of a run, which TensorBoard shows: where they are, and the run's settings."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

_FORMER: Final = "tensorboard"


def events_folder(folder: Path) -> Path:
    """Return where the event files of a run are: in its own folder, by which TensorBoard names it.

    A run of 0.1.0 has them in a folder inside; it keeps this when it is resumed.
    """
    former = folder / _FORMER
    return former if former.is_dir() else folder


def write_settings(
    writer: "SummaryWriter", settings: Mapping[str, Any], measures: Iterable[str]
) -> None:
    """Write settings as TensorBoard's hyper-parameters, beside these measures of the same run.

    ``SummaryWriter.add_hparams`` would begin another run, with the time as its name.
    """
    from torch.utils.tensorboard.summary import hparams  # takes seconds to import

    plain = {
        key: value if isinstance(value, bool | int | float | str) else json.dumps(value)
        for key, value in settings.items()
    }
    file: Any = writer.file_writer  # which torch's types take for None
    for summary in hparams(plain, dict.fromkeys(measures, 0.0)):
        file.add_summary(summary)
