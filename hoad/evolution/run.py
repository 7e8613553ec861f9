"""A run of MAP-Elites from start to end: what ``evolve.py`` does.

Its folder holds ``population.json`` and ``population.csv`` (the elites), ``fitness.png`` (their
heat map), ``progress.json`` (for resuming) and events for TensorBoard. Each file, but these, is
always complete.
"""

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from pydantic import Field, model_validator

from hoad.core.errors import HoadError
from hoad.core.event_files import curves_in, events_folder, write_settings
from hoad.core.figure_files import write_figure
from hoad.core.files import make_folder, only_writer, write_file
from hoad.core.progress import counted, progress
from hoad.core.recipe import Recipe, check_recipe
from hoad.core.run_log import write_log_to
from hoad.core.workers import Backend, work
from hoad.evolution.fitness import evaluate
from hoad.evolution.folders import POPULATION_FILE, PROGRESS_FILE, refuse_run, run_folder
from hoad.evolution.heat_map import draw_heat_map
from hoad.evolution.map_elites import Archive, advance, empty_archive
from hoad.evolution.population import (
    Elite,
    Population,
    check_niches,
    load_json,
    load_population,
    population_csv,
    save_population,
)
from hoad.evolution.recipe import EvolveRecipe

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

TABLE_FILE: Final = "population.csv"
HEAT_MAP_FILE: Final = "fitness.png"


@dataclass(frozen=True)
class Run:
    """The state of a run: the archive after some generations."""

    recipe: EvolveRecipe
    folder: Path
    archive: Archive
    generations: int

    @property
    def candidates(self) -> int:
        """Candidates evaluated so far."""
        return min(self.generations * self.recipe.generation, self.recipe.candidates)


class Progress(Recipe):
    """What is saved of a run, so that it can be resumed."""

    recipe: EvolveRecipe = Field(description="The recipe of the run.")
    generations: int = Field(ge=0, description="Generations that are complete.")
    elites: tuple[Elite, ...] = Field(description="The archive after them.")

    @model_validator(mode="after")
    def _fits_the_recipe(self) -> Self:
        done, asked = self.generations, self.recipe.generations
        if done > asked:
            raise ValueError(f"{done} generations are complete, but the recipe has only {asked}")
        check_niches(self.elites, self.recipe.grid)
        for elite in self.elites:
            if len(elite.chromosome) != self.recipe.length or elite.fitness is None:
                raise ValueError(f"the elite of niche {elite.niche} does not fit the recipe")
        return self


def evolve_all(
    recipes: Sequence[EvolveRecipe], out: Path, resume: bool, threads: int, backend: Backend
) -> Iterator[Population]:
    """Run several searches and yield their populations, in this order; see :func:`evolve`.

    With threads, the searches run one after another, each on all threads; else each is an item of
    the chosen :func:`~hoad.core.workers.workers`.

    Raises:
        HoadError: see :func:`evolve`; no run starts if one of the folders is refused.
    """
    for recipe in recipes:
        _start(recipe, run_folder(recipe.name, out), resume)
    if backend == "threads":
        yield from (evolve(recipe, out, resume, threads) for recipe in recipes)
        return
    items = [(recipe, out.resolve(), resume, 1, False) for recipe in recipes]
    yield from counted(work(evolve, items, threads), [1] * len(items), "evolution", "runs")


def evolve(
    recipe: EvolveRecipe, out: Path, resume: bool, threads: int, shown: bool = True
) -> Population:
    """Run MAP-Elites to its end and evaluate the elites again, on new decks.

    The population depends on the recipe alone. ``out`` is the folder of all checkpoints; with
    ``resume``, a stopped run of this name continues from its last save, if there is one.

    Raises:
        HoadError: a run of this name exists, or the run to resume has another recipe, or another
            program is running it; or the disk is full.
    """
    folder = run_folder(recipe.name, out)
    make_folder(folder)
    write_log_to(folder)
    with only_writer(folder):
        run = _start(recipe, folder, resume)
        with curves_in(events_folder(folder), run.candidates + 1) as writer:
            writer.add_text("recipe", f"```json\n{recipe.model_dump_json(indent=1)}\n```")
            curves = [f"archive/{name}" for name in measure(run.archive)]
            write_settings(writer, recipe.model_dump(mode="json"), curves)
            run = _run_all(run, writer, threads, shown)
            unplayed = recipe.first_game(recipe.generations)
            evaluated = evaluate(
                run.archive.elites, recipe.final_games, recipe.seed, unplayed, threads
            )
            population = _population(run, evaluated.fitness)
            _add_picture(run, writer, _save_population(run, population))
    return population


def _start(recipe: EvolveRecipe, folder: Path, resume: bool) -> Run:
    """Return the new or resumed run; write nothing."""
    refuse_run(folder, resume)
    path = folder / PROGRESS_FILE
    if not path.exists():
        _refuse_finished(folder / POPULATION_FILE)
        return Run(recipe, folder, empty_archive(recipe), 0)
    saved = check_recipe(load_json(path), Progress, source=str(path))
    for key, is_now in recipe:
        if (was := getattr(saved.recipe, key)) != is_now:
            raise HoadError(
                f"{path}: a run of another recipe: {key} was {was}, now {is_now}; use its "
                "recipe, or start another run with --name or --out"
            )
    archive = empty_archive(recipe)
    for elite in saved.elites:
        niche = elite.niche[0] * recipe.grid[1] + elite.niche[1]
        archive.chromosomes[niche] = elite.chromosome
        archive.fitness[niche] = elite.fitness
    return Run(recipe, folder, archive, saved.generations)


def _refuse_finished(population: Path) -> None:
    """Raise a HoadError for a finished population without its progress."""
    if population.exists() and not load_population(population).missing_candidates:
        raise HoadError(
            f"{population}: a finished population, without the {PROGRESS_FILE} of its run; it is "
            "never written over: move it, or choose another folder with --name or --out"
        )


def _run_all(run: Run, writer: "SummaryWriter", threads: int, shown: bool) -> Run:
    """Run all generations; save at intervals and when interrupted."""
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
    archive, width = run.archive, run.recipe.grid[1]
    columns = (archive.filled.tolist(), archive.elites.tolist(), fitness.tolist())
    return tuple(
        Elite(niche=divmod(niche, width), chromosome=tuple(chromosome), fitness=score)
        for niche, chromosome, score in zip(*columns, strict=True)
    )


def _population(run: Run, fitness: np.ndarray) -> Population:
    values = run.recipe.model_dump(mode="json")
    same = {key: getattr(run.recipe, key) for key in ("name", "features", "grid", "rules")}
    archive = {"candidates": run.candidates, "elites": _elites(run, fitness)}
    return Population(**same, recipe=values, **archive)


def _save(run: Run, writer: "SummaryWriter") -> None:
    recipe, generations = run.recipe, run.generations
    fitness = run.archive.fitness[run.archive.filled]
    saved = Progress(recipe=recipe, generations=generations, elites=_elites(run, fitness))
    # First: pictures take a second, and an interrupt in that time must lose no generation.
    write_file(run.folder / PROGRESS_FILE, json.dumps(saved.model_dump(mode="json")).encode())
    # After the last generation the final fitness comes next: do not write that of the run.
    if generations < recipe.generations:
        picture = _save_population(run, _population(run, fitness), numbered=False)
        _add_picture(run, writer, picture)


def _save_population(run: Run, population: Population, numbered: bool = True) -> bytes:
    """Write the population's files; return the heat map."""
    save_population(run.folder / POPULATION_FILE, population)
    write_file(run.folder / TABLE_FILE, population_csv(population).encode())
    return write_figure(run.folder / HEAT_MAP_FILE, draw_heat_map(population, numbered))


def _add_picture(run: Run, writer: "SummaryWriter", picture: bytes) -> None:
    from matplotlib.image import imread

    pixels = np.rint(255 * imread(io.BytesIO(picture))[..., :3]).astype(np.uint8)
    writer.add_image("fitness", pixels, run.candidates, dataformats="HWC")
