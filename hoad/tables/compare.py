"""Two runs of one kind side by side: where their recipes differ, and their results."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hoad.core.errors import HoadError
from hoad.core.paths import METADATA, MODEL, find_checkpoint
from hoad.evolution.folders import POPULATION_FILE, population_path
from hoad.evolution.population import load_population
from hoad.learning.training.folder import LAST, read_metadata_file
from hoad.reports.output import show_value
from hoad.reports.page import Block, Heading, Paragraph, Report, Table
from hoad.reports.statistics import Estimate, show
from hoad.tables.adhoc.results_files import (
    OtherReportError,
    estimate_of,
    overall_scores,
    read_table,
)

_NETWORKS: Final = ("imitator", "maml", "rainbow")
_ABSENT: Final = "-"


@dataclass(frozen=True)
class Run:
    """What is kept of a run: its recipe, and the results by name.

    ``digits`` are the decimals in which the results are shown.
    """

    kind: str
    recipe: Mapping[str, Any]
    results: Mapping[str, Estimate]
    digits: int


def read_run(name: str) -> Run:
    """Return a run by the name of its folder, its network (``maml:iggi``) or its population.

    It raises a HoadError if there is no such run, its kind is not known, or it cannot be read.
    """
    kind, colon, rest = name.partition(":")
    folder = Path(name)
    if not folder.is_dir():
        if not (colon and kind in _NETWORKS):
            return _population(population_path(name))
        folder = find_checkpoint(kind, rest).parent
    if (folder / METADATA).exists() or (folder / LAST).exists() or colon:
        return _training(folder)
    if (folder / POPULATION_FILE).exists():
        return _population(folder / POPULATION_FILE)
    if (folder / "results.json").exists():
        with suppress(OtherReportError):  # results of another kind
            return _table(folder)
    raise HoadError(
        f"{name}: no run that can be compared; name the folder of a training, of evolve.py or of "
        "an ad-hoc table, a network as in maml:iggi, or a population"
    )


def compare(first: str, second: str) -> Report:
    """Return a report on two runs of one kind; for the errors see :func:`read_run`."""
    names, runs = (first, second), (read_run(first), read_run(second))
    if runs[0].kind != runs[1].kind:
        raise HoadError(
            f"{first} is {runs[0].kind}, {second} is {runs[1].kind}; name two of one kind"
        )
    blocks: list[Block] = [Heading("Recipes")]
    if changed := differences(runs[0].recipe, runs[1].recipe):
        lines = [[key, *values] for key, values in changed.items()]
        blocks.append(Table([["key", *names], *lines], numbers=False))
    else:
        blocks.append(Paragraph("The recipes are the same."))
    blocks += [Heading("Results"), Table([["result", *names, "second − first"], *_results(*runs)])]
    return Report(f"Two runs: {first} and {second}", blocks, [], {})


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the values, as text, of the keys in which two recipes differ; of tables key by key."""
    changed: dict[str, tuple[str, str]] = {}
    for key in dict.fromkeys([*first, *second]):
        values = first.get(key, _ABSENT), second.get(key, _ABSENT)
        if all(isinstance(value, dict) for value in values):
            inner = differences(*values)
            changed |= {f"{key}.{name}": value for name, value in inner.items()}
        elif values[0] != values[1]:
            changed[key] = show_value(values[0]), show_value(values[1])
    return changed


def _results(first: Run, second: Run) -> list[list[str]]:
    lines = []
    for name in dict.fromkeys([*first.results, *second.results]):
        results = [run.results.get(name) for run in (first, second)]
        known = [result for result in results if result]
        digits = 0 if all(isinstance(result.mean, int) for result in known) else first.digits
        cells = [show(result, digits) if result else _ABSENT for result in results]
        change = known[-1].mean - known[0].mean
        lines.append([name, *cells, f"{change:+z.{digits}f}" if len(known) == 2 else _ABSENT])
    return lines


def _plain(values: Mapping[str, float]) -> dict[str, Estimate]:
    return {name: Estimate(value, 0.0, 1) for name, value in values.items()}


def _training(folder: Path) -> Run:
    if (folder / METADATA).exists():
        metadata = read_metadata_file(folder / METADATA)
        results = {"best step": metadata["step"], **metadata["measures"]}
        if "training_seconds" in metadata:  # older networks do not tell
            results["hours"] = metadata["training_seconds"] / 3600
    else:  # it goes on, or was stopped
        file = folder / (LAST if (folder / LAST).exists() else MODEL)
        if not file.exists():
            raise HoadError(f"{folder}: no training; train first, or set HOAD_CHECKPOINTS")
        from hoad.learning.training.checkpoints import read_header  # torch takes seconds

        metadata = read_header(file)
        results = {"steps so far": metadata["step"], "validation/loss": metadata.get("best")}
        results = {name: value for name, value in results.items() if value is not None}
    recipe, kind = metadata["recipe"], f"a training of kind {metadata['kind']}"
    # The seed, which the recipe has, ends names such as iggi.1, and is all of those of Rainbows.
    agent = f".{metadata['name']}".removesuffix(f".{recipe['seed']}").removeprefix(".")
    of = {"agent": agent, "learned from": sorted(metadata["games"])}
    return Run(kind, recipe | of, _plain(results), digits=4)


def _population(path: Path) -> Run:
    population = load_population(path)
    fitness = [elite.fitness or 0.0 for elite in population.elites]
    results = {
        "niches filled": len(fitness),
        "best": max(fitness, default=0.0),
        "mean": sum(fitness) / max(len(fitness), 1),
        "QD score": sum(fitness),
    }
    return Run("a population", population.recipe or {}, _plain(results), digits=2)


def _table(folder: Path) -> Run:
    facts = read_table(folder)
    scores = {row["player"]: estimate_of(row) for row in overall_scores(folder, facts)}
    return Run("an ad-hoc table", facts["recipe"], scores, digits=2)
