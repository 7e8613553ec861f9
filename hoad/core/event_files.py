"""The event files of a run, which TensorBoard shows: where they are, and the run's settings."""

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hoad.core.errors import HoadError
from hoad.core.files import describe

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

_FORMER: Final = "tensorboard"


def events_folder(folder: Path) -> Path:
    """Return where the event files of a run are: in its own folder, by which TensorBoard names it.

    A run of 0.1.0 has them in a folder inside; it keeps this when it is resumed.
    """
    former = folder / _FORMER
    return former if former.is_dir() else folder


@contextmanager
def curves_in(folder: Path, first_step: int) -> Iterator["SummaryWriter"]:
    """Yield a writer of curves from a step on; it replaces what a killed run wrote after it.

    Raises:
        HoadError: the disk is full.
    """
    from torch.utils.tensorboard import SummaryWriter  # takes seconds to import

    show = threading.excepthook

    def show_others(failure: threading.ExceptHookArgs) -> None:
        # Those of the writer's thread are raised here, too.
        if not issubclass(failure.exc_type, OSError):
            show(failure)

    threading.excepthook = show_others
    try:
        with SummaryWriter(str(folder), purge_step=first_step) as writer:
            yield writer
    except BrokenPipeError:  # of standard error
        raise
    except OSError as error:
        raise HoadError(f"{folder}: cannot write these curves: {describe(error)}") from error
    finally:
        threading.excepthook = show


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
