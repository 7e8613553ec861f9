"""A run of MAP-Elites: what ``evolve.py`` does.

The run's folder holds ``population.json`` and ``population.csv`` (the elites), ``fitness.png``
(their heat map), ``progress.json`` (what going on needs) and ``tensorboard``. Each file is complete
at any time.
"""

import io
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from PIL import Image
from pydantic import Field, model_validator

from hoad.core.errors import HoadError
from hoad.core.files import describe, make_folder, only_writer, write_atomically
from hoad.core.progress import progress
from hoad.core.recipe import Recipe, check_recipe
from hoad.core.workers import Backend, work
from hoad.evolution.folders import POPULATION_FILE, run_folder
from hoad.evolution.heat_map import draw_heat_map, png_of
from hoad.evolution.judge import judge
from hoad.evolution.map_elites import Archive, advance, empty_archive
from hoad.evolution.population import (
    Elite,
    Population,
    check_niches,
    load_json,
    population_csv,
    save_population,
)
from hoad.evolution.recipe import EvolveRecipe

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

PROGRESS_FILE: Final = "progress.json"
TABLE_FILE: Final = "population.csv"
HEAT_MAP_FILE: Final = "fitness.png"
CURVES: Final = "tensorboard"


@dataclass(frozen=True)
class Run:
    """Where a run stands: the archive after some generations."""

    recipe: EvolveRecipe
    folder: Path
    archive: Archive
    generations: int

    @property
    def candidates(self) -> int:
        """Candidates judged so far."""
        return min(self.generations * self.recipe.generation, self.recipe.candidates)


class Progress(Recipe):
    """What is saved of a run, so that it can go on."""

    recipe: EvolveRecipe = Field(description="What the run was asked to do.")
    generations: int = Field(ge=0, description="Generations that are complete.")
    elites: tuple[Elite, ...] = Field(description="The archive after them.")

    @model_validator(mode="after")
    def _fits_the_recipe(self) -> Self:
        if self.generations > self.recipe.generations:
            raise ValueError(
                f"{self.generations} generations are complete, but the recipe has only "
                f"{self.recipe.generations}"
            )
        check_niches(self.elites, self.recipe.grid)
        for elite in self.elites:
            if len(elite.chromosome) != self.recipe.length or elite.fitness is None:
                raise ValueError(f"the elite of niche {elite.niche} does not fit the recipe")
        return self


def recipes_of(recipe: EvolveRecipe, runs: int) -> list[EvolveRecipe]:
    """Return the recipes of several runs: NAME-1 with the recipe's seed, NAME-2 with the next...

    Raises:
        HoadError: a seed would be too large.
    """
    values = recipe.model_dump(mode="json")
    names = [f"{recipe.name}-{number}" for number in range(1, runs + 1)]
    return [
        check_recipe(values | {"name": name, "seed": seed}, EvolveRecipe, source=f"run {name}")
        for seed, name in enumerate(names, recipe.seed)
    ]


def evolve_all(
    recipes: Sequence[EvolveRecipe], out: Path, resume: bool, threads: int, backend: Backend
) -> Iterator[Population]:
    """Do several runs and yield their populations, in this order.

    With threads one run after the other has all of them; else each run is an item of the
    :func:`~hoad.core.workers.workers` that the caller has chosen. Arguments are those of `evolve`.

    Raises:
        HoadError: see `evolve`; nothing is begun if one of the folders is refused.
    """
    for recipe in recipes:
        _start(recipe, run_folder(recipe.name, out), resume)
    if backend == "threads":
        yield from (evolve(recipe, out, resume, threads) for recipe in recipes)
        return
    items = [(recipe, out.resolve(), resume, 1, False) for recipe in recipes]
    with progress(len(items), "evolution", unit="runs") as bar:
        for population in work(evolve, items, threads):
            bar.update()
            yield population


def evolve(
    recipe: EvolveRecipe, out: Path, resume: bool, threads: int, shown: bool = True
) -> Population:
    """Run MAP-Elites to its end, and judge the elites anew.

    Args:
        recipe: what to do; together with its seed it decides the population.
        out: folder of all checkpoints.
        resume: go on where a stopped run of this name was saved last, if there is one.
        threads: threads that play; the population does not depend on it.
        shown: show a progress bar.

    Raises:
        HoadError: there is a run of this name already, or that to be resumed had another recipe,
            or another program is doing it; or the disk is full.
    """
    folder = run_folder(recipe.name, out)
    make_folder(folder)
    with only_writer(folder):
        run = _start(recipe, folder, resume)
        with _curves(folder / CURVES, run.candidates + 1) as writer:
            writer.add_text("recipe", f"```json\n{recipe.model_dump_json(indent=1)}\n```")
            run = _advance_to_the_end(run, writer, threads, shown)
            population = _final_population(run, threads)
            _add_picture(run, writer, _save_population(run, population))
    return population


@contextmanager
def _curves(folder: Path, first_step: int) -> Iterator["SummaryWriter"]:
    """Yield what writes curves from a step on, in place of those that a killed run wrote."""
    from torch.utils.tensorboard import SummaryWriter  # takes seconds: only where it is used

    show = threading.excepthook
    threading.excepthook = lambda failure: None  # what its thread fails of is raised here too
    try:
        with SummaryWriter(str(folder), purge_step=first_step) as writer:
            yield writer
    except OSError as error:
        raise HoadError(f"{folder}: cannot write these curves: {describe(error)}") from error
    finally:
        threading.excepthook = show


def _start(recipe: EvolveRecipe, folder: Path, resume: bool) -> Run:
    """Return where the run stands; write nothing."""
    path = folder / PROGRESS_FILE
    if not path.exists():
        return Run(recipe, folder, empty_archive(recipe), 0)
    if not resume:
        raise HoadError(
            f"{folder}: holds a run already; go on with --resume, or remove the folder, or "
            "choose another one with --name or --out"
        )
    saved = check_recipe(load_json(path), Progress, source=str(path))
    _refuse_other_recipe(path, saved.recipe, recipe)
    return Run(recipe, folder, _archive_of(saved), saved.generations)


def _refuse_other_recipe(path: Path, saved: EvolveRecipe, recipe: EvolveRecipe) -> None:
    for key in EvolveRecipe.model_fields:
        was, is_now = getattr(saved, key), getattr(recipe, key)
        if was != is_now:
            raise HoadError(
                f"{path}: a run of another recipe: {key} was {was}, now {is_now}; use its "
                "recipe, or start another run with --name or --out"
            )


def _archive_of(saved: Progress) -> Archive:
    archive = empty_archive(saved.recipe)
    for elite in saved.elites:
        niche = elite.niche[0] * saved.recipe.grid[1] + elite.niche[1]
        archive.chromosomes[niche] = elite.chromosome
        archive.fitness[niche] = elite.fitness
    return archive


def _advance_to_the_end(run: Run, writer: "SummaryWriter", threads: int, shown: bool) -> Run:
    """Judge generation after generation, save now and then, and when interrupted."""
    recipe = run.recipe
    try:
        with progress(recipe.candidates, recipe.name, "candidates", shown) as bar:
            bar.update(run.candidates)
            since, started = run.candidates, monotonic()
            while run.generations < recipe.generations:
                archive = advance(run.archive, recipe, run.generations, threads)
                run = Run(recipe, run.folder, archive, run.generations + 1)
                bar.update(run.candidates - bar.n)
                if run.generations % recipe.save_every == 0:
                    _save(run, writer)
                    rate = (run.candidates - since) / (monotonic() - started)
                    since, started = run.candidates, monotonic()
                    measures = measure(archive)
                    bar.set_postfix({key: f"{value:.4g}" for key, value in measures.items()})
                    for key, value in (measures | {"candidates_per_s": rate}).items():
                        writer.add_scalar(f"archive/{key}", value, run.candidates)
    finally:
        if run.generations > 0:
            _save(run, writer)
    return run


def measure(archive: Archive) -> dict[str, float]:
    """Return coverage, and best, mean and sum (the QD score) of the elites' fitness."""
    fitness = archive.fitness[archive.filled]
    return {
        "coverage": float(len(fitness)),
        "best": float(fitness.max(initial=0)),
        "mean": float(fitness.mean()) if len(fitness) else 0.0,
        "qd_score": float(fitness.sum()),
    }


def _elites(run: Run, fitness: np.ndarray) -> tuple[Elite, ...]:
    """Return the archive's elites with ``fitness``, given in the order of the filled niches."""
    width = run.recipe.grid[1]
    return tuple(
        Elite(
            niche=(niche // width, niche % width),
            chromosome=tuple(run.archive.chromosomes[niche].tolist()),
            fitness=score,
        )
        for niche, score in zip(run.archive.filled.tolist(), fitness.tolist(), strict=True)
    )


def _population(run: Run, fitness: np.ndarray) -> Population:
    return Population(
        name=run.recipe.name,
        features=run.recipe.features,
        grid=run.recipe.grid,
        rules=run.recipe.rules,
        recipe=run.recipe.model_dump(mode="json"),
        candidates=run.candidates,
        elites=_elites(run, fitness),
    )


def _final_population(run: Run, threads: int) -> Population:
    """Judge the elites on games that no candidate has played."""
    recipe = run.recipe
    first_game = recipe.first_game(recipe.generations)
    verdicts = judge(run.archive.elites, recipe.final_games, recipe.seed, first_game, threads)
    return _population(run, verdicts.fitness)


def _save(run: Run, writer: "SummaryWriter") -> None:
    fitness = run.archive.fitness[run.archive.filled]
    saved = Progress(recipe=run.recipe, generations=run.generations, elites=_elites(run, fitness))
    # The search's own fitness must not pass for the final one, which comes next.
    if run.generations < run.recipe.generations:
        picture = _save_population(run, _population(run, fitness), numbered=False)
        _add_picture(run, writer, picture)
    _write(run.folder / PROGRESS_FILE, json.dumps(saved.model_dump(mode="json")).encode())


def _save_population(run: Run, population: Population, numbered: bool = True) -> bytes:
    """Write the population's files; return the heat map."""
    picture = png_of(draw_heat_map(population, numbered))
    save_population(run.folder / POPULATION_FILE, population)
    _write(run.folder / TABLE_FILE, population_csv(population).encode())
    _write(run.folder / HEAT_MAP_FILE, picture)
    return picture


def _add_picture(run: Run, writer: "SummaryWriter", picture: bytes) -> None:
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))
    writer.add_image("fitness", pixels, run.candidates, dataformats="HWC")


def _write(path: Path, content: bytes) -> None:
    with write_atomically(path) as file:
        file.write(content)
