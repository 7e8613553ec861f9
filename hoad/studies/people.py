"""A study of people: how well models predict each of them, by the number of games learned from.

The games are recorded ones. Each person's games stay in order: models learn from the first, and
are evaluated on later ones, the same whatever number was learned. What they know of other people
comes from the people of other folds (:mod:`hoad.partners.others`).
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from hoad.agents.families import original_name
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.core.errors import HoadError
from hoad.core.files import make_folder, only_writer, read_json, safe_name, write_atomically
from hoad.core.identity import checksum, identity_of
from hoad.core.provenance import provenance
from hoad.learning.games import checksum_of_logs
from hoad.learning.policies import load_zero_shot
from hoad.partners.choices import Seen
from hoad.partners.kinds import POPULATION, knowledge_without
from hoad.partners.meta_model import LowShot, ZeroShot
from hoad.partners.model import PartnerModel
from hoad.partners.others import PEOPLE_FOLDS, Others, read_others
from hoad.partners.program.posterior import ProgramPosterior, program_in_words
from hoad.partners.regression.population import Difference, PopulationModel
from hoad.partners.strangers import EVERYBODY, read_strangers
from hoad.replay.formats.convert import read_games
from hoad.replay.formats.hanabidata import EXPERIENCE, read_experience
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.reports.statistics import estimate, show
from hoad.studies.prediction.measure import (
    StudyResult,
    evaluate_learned,
    measure_each,
    refuse_results,
    with_origin,
)
from hoad.studies.prediction.study import (
    Rows,
    calibration_figure,
    identities_of,
    select,
    values_of,
)
from hoad.studies.recipes import PeopleRecipe

ZERO_SHOT_OF_PEOPLE: Final = "people zero-shot"
LOW_SHOT_OF_PEOPLE: Final = "people low-shot"
"""Methods: the meta-model whose tasks are the people of other folds, as it is and adapted."""

CURVES: Final = (
    "nearest",
    "program",
    "low-shot",
    "logit",
    "mixture",
    POPULATION,
    LOW_SHOT_OF_PEOPLE,
)
"""Methods of the curves by number of games, at most `MOST_CURVES`; the tables have all methods.

Without `uniform` and the two zero-shot networks, which do not learn from the games, and without
`pool`, which from a few games on predicts as `nearest` does.
"""

EVERY_PARTNER: Final = ""
"""In place of the name of a person's partner: the games with all of them."""

_CHECKSUM: Final = "checksum"  # key of a kept file

_NOT_OF_A_PERSON: Final = {"people", "least", "meta_model", "experience", "out"}
"""Keys of the recipe on which a person's results do not depend."""


def measure_people(
    recipe: PeopleRecipe, threads: int = 1, resume: bool = False
) -> StudyResult[PeopleRecipe]:
    """Measure all people with enough games; each is kept in the recipe's folder when it is done.

    Raises:
        HoadError: the games cannot be read, or nobody has enough of them; the folder holds results
            already, and ``resume`` is false; or a meta-model is missing, or has learned from games
            of a person whom it predicts.
    """
    made_with, kept = provenance(), recipe.out / "people"
    experience = read_experience(recipe.experience) if recipe.experience else None
    games = _others(_stamp(recipe.people)).games
    names = [name for name, seen in games.items() if len(seen.logs) >= recipe.least]
    if not names:
        raise HoadError(f"{recipe.people}: nobody has {recipe.least} games (--least)")
    if experience is not None and not experience.keys() & games.keys():
        raise HoadError(f"{recipe.experience}: tells nothing of the people of {recipe.people}")
    make_folder(kept)
    with only_writer(kept):
        if not resume and any(kept.glob("*.json")):
            refuse_results(kept)
        if recipe.meta_model is not None:  # fail now, and not after the first person
            _refuse_acquainted(recipe, names)
        items = {name: (kept, recipe, name, made_with) for name in names}
        people = measure_each(_kept_or_measured, items, "people", threads)
    if experience is not None:
        people = {
            name: {**facts, "experience": experience.get(name)} for name, facts in people.items()
        }
    return StudyResult(recipe, people, made_with)


def _refuse_acquainted(recipe: PeopleRecipe, names: Sequence[str]) -> None:
    """Raise a HoadError if a meta-model is missing, or was trained on people of its own fold."""
    others = _others(_stamp(recipe.people))
    for fold in range(PEOPLE_FOLDS):
        model = f"{recipe.meta_model}-{fold}"
        trained_on = set(map(original_name, load_zero_shot(model).trained_on))
        known = [name for name in names if others.fold_of(name) == fold and name in trained_on]
        if known:
            raise HoadError(
                f"maml:{model}: was trained on games of {known[0]}, whom it is to predict; train "
                f"it on these games (train_maml.py --people {recipe.people})"
            )


_Stamp = tuple[str, int]
"""A file, and when it was changed."""


def _stamp(path: Path) -> _Stamp:
    return str(path), path.stat().st_mtime_ns if path.exists() else 0


@lru_cache(maxsize=1)
def _others(file: _Stamp) -> Others:
    return Others(knowledge_without(None), read_others([Path(file[0])]))


@lru_cache(maxsize=1)
def _partners(file: _Stamp) -> dict[str, np.ndarray]:
    """Return the name of each person's partner in its games, in the order of ``Others.games``."""
    path = Path(file[0])
    names, partners = read_games(path).names, {}
    for games in read_strangers([path], EVERYBODY):
        own = names == games.stranger
        with_others = own.any(axis=1) & ~own.all(axis=1)
        mixed = names[with_others][~own[with_others]].tolist()
        partners[games.stranger] = np.array([games.stranger] * len(games.alone.logs) + mixed)
    return partners


@lru_cache(maxsize=1)
def _checksum(file: _Stamp) -> str:
    games = read_games(Path(file[0]))
    return checksum([checksum_of_logs(games.logs), games.names.tolist()])


def _kept_or_measured(
    folder: Path, recipe: PeopleRecipe, name: str, made_with: Mapping[str, str | int]
) -> Mapping[str, Any]:
    """Return a person's results, each part from its file if all that it depends on is the same."""
    settings = recipe.model_dump(mode="json", exclude=_NOT_OF_A_PERSON)
    settings |= {"name": name, "games of people": _checksum(_stamp(recipe.people))}
    settings |= {"agents": identities_of(knowledge_without(None)), "inputs": _INPUTS}
    person = dict(_part(folder, settings, made_with, lambda: _measure(recipe, name)))
    if recipe.meta_model is None:
        return person
    fold = _others(_stamp(recipe.people)).fold_of(name)
    settings |= {"meta-model": load_zero_shot(f"{recipe.meta_model}-{fold}").identity}
    own = _part(folder, settings, made_with, lambda: _measure_networks(recipe, name))
    person["rows"] = [*person["rows"], *own["rows"]]
    person["networks"] = person["networks"] | own["networks"]
    person["seconds"] += own["seconds"]
    return person


def _part(
    folder: Path,
    settings: Mapping[str, Any],
    made_with: Mapping[str, str | int],
    measure: Callable[[], dict[str, Any]],
) -> Mapping[str, Any]:
    """Return what was measured, from its file if there is one; a HoadError if that is damaged."""
    path = folder / f"{safe_name(settings['name'])}-{identity_of(settings)}.json"
    if path.exists():
        kept = read_json(path)
        if not isinstance(kept, dict) or kept.pop(_CHECKSUM, None) != checksum(kept):
            raise HoadError(f"{path}: damaged (checksum differs); remove it to measure it again")
        return kept
    measured = with_origin(measure, made_with)
    with write_atomically(path) as file:
        text = json.dumps({**measured, _CHECKSUM: checksum(measured)})
        file.write(f"{text}\n".encode())
    return measured


def _measure(recipe: PeopleRecipe, name: str) -> dict[str, Any]:
    """Return the rows of a person of all kinds of models; programs and weights in words."""
    others, programs, weights = _others(_stamp(recipe.people)), {}, {}
    seen, known, rows = others.games[name], others.about(name), []
    counts, later = _split(recipe, seen)
    for count in counts:
        learned = known.learn_all(seen.first(count))
        rows += _rows(recipe, name, count, learned)
        program = learned["program"][0]
        if isinstance(program, ProgramPosterior):
            programs[str(count)] = program_in_words(program)
        population = learned[POPULATION][0]
        if isinstance(population, PopulationModel):
            weights[str(count)] = {
                "inputs": [each._asdict() for each in population.differences(_INPUTS)],
                "nats": population.nats_learned(),
            }
    about = {"played": len(seen.logs), "tested": len(later), "rows": rows}
    return about | {"program": programs, "weights": weights}


def _measure_networks(recipe: PeopleRecipe, name: str) -> dict[str, Any]:
    """Return the rows of a person of the meta-model of people, as it is and adapted."""
    others, rows = _others(_stamp(recipe.people)), []
    seen, network = others.games[name], f"{recipe.meta_model}-{others.fold_of(name)}"
    for count in _split(recipe, seen)[0]:
        learned: dict[str, tuple[PartnerModel, float]] = {}
        kinds = {ZERO_SHOT_OF_PEOPLE: ZeroShot, LOW_SHOT_OF_PEOPLE: LowShot}
        for kind, make in kinds.items():
            started, model = time.thread_time(), make(network, temperature=1.0)
            model.learn(seen.first(count))
            model.network()  # it adapts when it is first asked
            learned[kind] = model, time.thread_time() - started
        rows += _rows(recipe, name, count, learned)
    return {"rows": rows}


def _split(recipe: PeopleRecipe, seen: Seen) -> tuple[list[int], np.ndarray]:
    """Return the numbers of games to learn from, and the later games that are evaluated on."""
    counts = [count for count in recipe.games if count < len(seen.logs)]
    return counts, np.arange(max(counts), len(seen.logs))[: recipe.test_games]


def _rows(
    recipe: PeopleRecipe, name: str, count: int, learned: Mapping[str, tuple[PartnerModel, float]]
) -> list[dict[str, Any]]:
    """Return the rows of models that learned ``count`` games: with all partners, and with each."""
    file, rows = _stamp(recipe.people), []
    seen, partners = _others(file).games[name], _partners(file)[name]
    later = _split(recipe, seen)[1]
    for partner in (EVERY_PARTNER, *sorted(set(partners[later].tolist()))):
        chosen = later if partner == EVERY_PARTNER else later[partners[later] == partner]
        games = seen.select(chosen)
        if not len(games.choices):  # all were cut before the person's first move
            continue
        for kind, evaluated in evaluate_learned(learned, games).items():
            about = {"person": name, "games": count, "partner": partner, "method": kind}
            rows.append(about | {"decisions": len(evaluated.losses)} | evaluated.row())
    return rows


_MEASURES: Final = {"log_loss": ("Log-loss, nats a move", 3), "accuracy": ("Accuracy", 3)}
_SHOWN: Final = 10
"""Games learned from in the tables by person and by partner, if anybody has more."""

_INPUTS: Final = 5
"""Inputs whose weights are shown, of each person."""

_WORDS: Final = (
    "Log-loss: mean negative log-probability of the moves made, in nats. Accuracy: share of moves "
    "that the model finds most probable. Models learn from a person's first games and are "
    "evaluated on later ones, the same for all numbers of games. `population` and `mixture` know "
    "games of other people, never of the person. `people zero-shot` is a meta-model whose tasks "
    "are other people, as it was trained; `people low-shot` is that model after adapting to the "
    "person's games. Means are over people, with the 95 % interval over them."
)

_WORDS_OF_WEIGHTS: Final = (
    "`population` starts from the weights of other people and moves them with the person's games. "
    "The tables show the inputs that matter most for the difference. SD: how far the weight lies "
    "from the mean of other people, in standard deviations of the prior. Nats: by how much the "
    "log-loss on the games learned grows if this weight alone goes back to that mean. Nats choose "
    "and order the inputs, because a weight may also lie far from the mean where its input seldom "
    "occurs. Inputs that describe the same moves share a difference, so a single weight makes a "
    "small part of it. A touched card is one that hints have touched; a necessary card is the last "
    "copy of one that is still needed."
)


def report(result: StudyResult[PeopleRecipe]) -> Report:
    """Return tables by number of games, person and partner, calibration, and programs."""
    recipe, rows = result.recipe, result.rows
    learned = {row["games"] for row in rows}
    shown = _SHOWN if _SHOWN in learned else max(learned)
    blocks: list[Block] = [Paragraph(_WORDS)]
    for measure in _MEASURES:
        blocks += _by_games(rows, measure, recipe.games)
    blocks += [*_by_person(result, rows, shown), *_by_partner(rows, shown)]
    if recipe.experience:
        blocks += _by_experience(result, rows, shown)
    with_all = {"": select(rows, games=shown, partner=EVERY_PARTNER)}
    calibration = calibration_figure(with_all, _methods(rows), shown)
    blocks += [_curves(rows, recipe.games), calibration, *_weights(result, shown)]
    blocks += _programs(result, shown)
    return result.report("Prediction of people", blocks, "people", "people", seed=None)


def _by_games(rows: Rows, measure: str, games: Sequence[int]) -> Iterator[Block]:
    """Yield the mean over people by method and number of games, of those who have so many."""
    title, digits = _MEASURES[measure]
    yield Heading(f"{title}, by number of games learned from")
    heading, table = ["method"], [[method] for method in _methods(rows)]
    for count in games:
        selected = select(rows, games=count, partner=EVERY_PARTNER)
        if not selected:
            continue
        people = len({row["person"] for row in selected})
        heading.append(f"{count} games, {people} people")
        for cells in table:
            cells.append(show(estimate(values_of(selected, measure, method=cells[0])), digits))
    yield Table([heading, *table])


def _by_person(result: StudyResult[PeopleRecipe], rows: Rows, games: int) -> Iterator[Block]:
    yield Heading(f"Log-loss and accuracy by person, after {games} games")
    methods = _methods(rows)
    table = [["person", "games", "tested", *methods]]
    for name, person in result.measured.items():
        own = {
            row["method"]: row for row in select(person["rows"], games=games, partner=EVERY_PARTNER)
        }
        cells = [f"{own[m]['log_loss']:.2f} ({own[m]['accuracy']:.0%})" for m in methods if own]
        if cells:
            table.append([name, str(person["played"]), str(person["tested"]), *cells])
    yield Table(table)


def _by_partner(rows: Rows, games: int) -> Iterator[Block]:
    yield Heading(f"Log-loss by the person's partner, after {games} games")
    methods = _methods(rows)
    table = [["partner", *methods]]
    for partner in dict.fromkeys(row["partner"] for row in rows if row["partner"]):
        selected = select(rows, games=games, partner=partner)
        if selected:
            losses = (estimate(values_of(selected, "log_loss", method=m)) for m in methods)
            table.append([partner, *map(show, losses)])
    yield Table(table)


def _by_experience(result: StudyResult[PeopleRecipe], rows: Rows, games: int) -> Iterator[Block]:
    yield Heading(f"Log-loss by the experience that people stated, after {games} games")
    methods = _methods(rows)
    table = [["experience with Hanabi", "people", *methods]]
    for level, words in [*EXPERIENCE.items(), (None, "not stated")]:
        people = {name for name, facts in result.measured.items() if facts["experience"] == level}
        selected = [
            row
            for row in select(rows, games=games, partner=EVERY_PARTNER)
            if row["person"] in people
        ]
        if selected:
            losses = (estimate(values_of(selected, "log_loss", method=m)) for m in methods)
            count = len({row["person"] for row in selected})
            table.append([words, str(count), *map(show, losses)])
    yield Table(table)


def _curves(rows: Rows, games: Sequence[int]) -> Figure:
    """Return the mean log-loss by number of games: of everybody, and of those with most games."""
    most = max(row["games"] for row in rows)
    long = {row["person"] for row in rows if row["games"] == most}
    panels = []
    for title, people in (("everybody", None), (", ".join(sorted(long)), long)):
        series = []
        for method in (method for method in _methods(rows) if method in CURVES):
            own = [
                row
                for row in select(rows, method=method, partner=EVERY_PARTNER)
                if people is None or row["person"] in people
            ]
            counts = [count for count in games if select(own, games=count)]
            means = [values_of(own, "log_loss", games=count).mean() for count in counts]
            series.append(Series(method, counts, means))
        panels.append(Panel("games learned from", "nats a move", series, title))
    caption = (
        "Mean log-loss by number of games that models learned from. The other methods are in the "
        "table."
    )
    return Figure("by_games.png", caption, partial(draw_lines, panels))


def _weights(result: StudyResult[PeopleRecipe], games: int) -> Iterator[Block]:
    """Yield the inputs of ``population`` that set each person apart from other people."""
    yield Heading(f"What the weights say, after {games} games")
    yield Paragraph(_WORDS_OF_WEIGHTS)
    for name, person in result.measured.items():
        learned = person["weights"].get(str(games))
        if learned and learned["inputs"]:
            table = [[f"what {name} does", "compared with other people", "nats a move"]]
            for each in (Difference(**values) for values in learned["inputs"]):
                table.append([each.words, each.compared, f"{each.nats:.3f}"])
            yield Table([*table, ["all inputs together", "", f"{learned['nats']:.3f}"]])


def _programs(result: StudyResult[PeopleRecipe], games: int) -> Iterator[Block]:
    """Yield the likeliest induced program of each person, in words."""
    yield Heading(f"Induced programs, after {games} games")
    for name, person in result.measured.items():
        lines = person["program"].get(str(games), [])
        if lines:
            heading = [f"{name} does the first of these that applies", "counts"]
            yield Table([heading, *map(_in_words, lines)], numbers=False)


def _in_words(line: str) -> list[str]:
    """Return what a rule does, and its counts, from a line of `program_in_words`."""
    rule, _, counts = line.rpartition(": ")
    return [CATALOGUE[int(rule.partition(" ")[0])].words, counts]


def _methods(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["method"] for row in rows))
