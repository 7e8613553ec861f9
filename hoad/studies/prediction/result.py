"""What a study of prediction measures of each stranger or person, and the page with all of them."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from hoad.core.errors import HoadError
from hoad.core.progress import counted
from hoad.core.provenance import networks_used, note_network
from hoad.core.recipe import RecipeT
from hoad.core.workers import work
from hoad.reports.output import how_it_was_made, how_to_make_it_again
from hoad.reports.page import Block, Report


@dataclass(frozen=True)
class StudyResult(Generic[RecipeT]):
    """What was measured.

    Attributes:
        recipe: what was asked for.
        measured: by name, ``rows`` with the keys partner and other, or person and partner; games,
            method, log_loss, half_width, accuracy, accuracy_half_width, seconds and calibration (of
            people also decisions); ``program``, the likeliest induced program in words, by number
            of games; ``seconds``, wall time; ``made_with``, provenance; ``networks``, names by
            file; and of people ``played`` and ``tested``, the numbers of their games.
        made_with: provenance of the report.
    """

    recipe: RecipeT
    measured: Mapping[str, Mapping[str, Any]]
    made_with: Mapping[str, str | int]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of all names."""
        return [row for each in self.measured.values() for row in each["rows"]]

    def report(
        self, title: str, blocks: Sequence[Block], command: str, what: str, seed: int | None
    ) -> Report:
        """Return the page that ``command`` writes; ``what`` are strangers or people."""
        values, measured = self.recipe.model_dump(mode="json"), self.measured.values()
        commits = dict.fromkeys(each["made_with"]["commit"] for each in measured)
        made_with = dict(self.made_with) | {f"{what} measured at commit": ", ".join(commits)}
        seconds = {what: sum(each["seconds"] for each in measured)}
        made = how_it_was_made(made_with, seed, seconds, values)
        about = {name: _without("rows", each) for name, each in self.measured.items()}
        facts = {"recipe": values, what: about, "made_with": self.made_with}
        lines, again = how_to_make_it_again(command, values)
        tidy = [_without("calibration", row) for row in self.rows]
        return Report(title, blocks, tidy, facts, [*made, *lines], again)


def _without(key: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {other: value for other, value in values.items() if other != key}


def measure_each(
    measure: Callable[..., Mapping[str, Any]], items: Mapping[str, tuple], what: str, threads: int
) -> dict[str, Mapping[str, Any]]:
    """Return what workers measure by name, given the arguments of each; note their networks."""
    done = work(measure, list(items.values()), threads)
    measured = dict(zip(items, counted(done, [1] * len(items), "predicting", what), strict=True))
    for each in measured.values():
        for place, network in each["networks"].items():
            note_network(network, Path(place))
    return measured


def with_origin(
    measure: Callable[[], dict[str, Any]], made_with: Mapping[str, str | int]
) -> dict[str, Any]:
    """Return what is measured, with its wall time, provenance and networks."""
    started = time.monotonic()
    measured = measure() | {"seconds": time.monotonic() - started, "made_with": dict(made_with)}
    return measured | {"networks": networks_used()}


def refuse_results(path: Path) -> None:
    """Raise the HoadError of results that are there already."""
    raise HoadError(
        f"{path}: holds results already; go on with --resume, or choose another folder with --out"
    )
