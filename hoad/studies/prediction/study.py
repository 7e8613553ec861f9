"""A study of prediction: many strangers, by the number of games that models learn from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from hoad.agents import Agent, get_agent, get_fair_agent, play
from hoad.agents.games import check_players, play_numbered
from hoad.agents.registry import RULE_LISTS
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.agents.seeds import other_seed
from hoad.core.files import make_folder, only_writer
from hoad.core.identity import identity_of
from hoad.core.kept import Kept, KeptFile
from hoad.core.provenance import provenance
from hoad.game.stream import Purpose
from hoad.knowledge import HeldOut
from hoad.partners.choices import Seen, join_seen
from hoad.partners.kinds import KINDS, Knowledge, knowledge_without
from hoad.partners.model import PartnerModel, Uniform
from hoad.partners.positions import Asked
from hoad.partners.program.posterior import ProgramPosterior, program_in_words
from hoad.reports.page import Block, Figure, Heading, Paragraph, Report, Table
from hoad.reports.plots import Panel, Series, draw_lines
from hoad.reports.statistics import estimate, show
from hoad.reports.styles import Style
from hoad.studies.prediction.files import words_for_several
from hoad.studies.prediction.measure import (
    StudyResult,
    evaluate_learned,
    measure_each,
    refuse_results,
    with_origin,
)
from hoad.studies.recipes import PredictionRecipe

ALONE: Final = ""
"""In place of the other player: self-play."""

ITSELF: Final = "itself"
"""The method that knows the stranger: its log-loss is the stranger's own entropy."""


class _Itself(Uniform):
    """Knows the stranger."""

    name = ITSELF

    def __init__(self, stranger: Agent) -> None:
        self._stranger = stranger

    def expected(self, games: Asked) -> np.ndarray:
        """Return the stranger's own distributions (see :meth:`PartnerModel.expected`)."""
        return games.weights_of(self._stranger)


def measure_prediction(
    recipe: PredictionRecipe, threads: int = 1, resume: bool = False
) -> StudyResult[PredictionRecipe]:
    """Measure all strangers; each is kept in the recipe's folder when it is done.

    What is measured does not depend on ``threads``, but for the seconds.

    Raises:
        HoadError: an agent or a meta-model is missing; the folder holds strangers already, and
            ``resume`` is false; or it cannot be written to.
    """
    made_with = provenance()
    for name in (*recipe.partners, *recipe.others):
        get_fair_agent(name)
    if recipe.players > 2:
        for name in (*recipe.strangers, *recipe.others):
            check_players([get_fair_agent(name)] * recipe.players)
    kept = KeptFile(recipe.out / "strangers.sqlite", "results with strangers")
    make_folder(recipe.out)
    with only_writer(recipe.out):
        if not resume and kept.folders():
            refuse_results(kept.path)
        items = {name: (kept, recipe, name, made_with) for name in recipe.strangers}
        strangers = measure_each(_kept_or_measured, items, "strangers", threads)
    return StudyResult(recipe, strangers, made_with)


def _kept_or_measured(
    kept: KeptFile, recipe: PredictionRecipe, name: str, made_with: Mapping[str, str | int]
) -> Mapping[str, Any]:
    """Return a stranger's results, those that are kept if nothing that they depend on changed."""
    left_out = {"partners", "elites", "random_lists", "out"}
    if recipe.players == 2:
        left_out.add("players")  # it was not in the identities of earlier results
    settings = recipe.model_dump(mode="json", exclude=left_out) | {
        "name": name,
        "agents": _identities(recipe, name),
    }
    if entry := kept.find(name, identity_of(settings)):
        return entry.facts
    measured = with_origin(lambda: _measure(recipe, name), made_with)
    kept.add(Kept(name, identity_of(settings), measured))
    return measured


def _identities(recipe: PredictionRecipe, name: str) -> list[str]:
    """Return what the moves of the stranger and of all that models know or meet depend on."""
    agents = [*map(get_fair_agent, (name, *recipe.others))]
    return identities_of(_known(recipe, name), agents)


def _known(recipe: PredictionRecipe, name: str) -> Knowledge:
    """Return what models may know of a stranger."""
    return knowledge_without(HeldOut(name, recipe.hold_out), recipe.players)


def identities_of(known: Knowledge, agents: Sequence[Agent] = ()) -> list[str]:
    """Return what the moves of some agents, and of all that models know, depend on."""
    networks = [get_agent(f"maml:{known.meta_model}")] if known.meta_model else []
    everybody = [*agents, *known.pool, *networks]
    identities = [repr(agent.identity) for agent in everybody]
    return identities if known.prior is None else [*identities, known.prior.identity]


def _measure(recipe: PredictionRecipe, name: str) -> dict[str, Any]:
    """Return the rows of a stranger, and its induced program in words by number of games."""
    partner, known = get_fair_agent(name), _known(recipe, name)
    learned = _learn(recipe, partner, known)
    rows = []
    for other in (ALONE, *recipe.others):
        evaluated = evaluate_learned(learned, _test_games(recipe, partner, other))
        for (games, method), each in evaluated.items():
            about = {"partner": name, "games": games, "other": other, "method": method}
            rows.append(about | each.row())
    programs = {
        str(games): program_in_words(model)
        for (games, _), (model, _) in learned.items()
        if isinstance(model, ProgramPosterior)
    }
    return {"rows": rows, "program": programs}


def _learn(
    recipe: PredictionRecipe, partner: Agent, known: Knowledge
) -> dict[tuple[int, str], tuple[PartnerModel, float]]:
    """Return all models after each number of games, and the seconds that they took to learn."""
    most, itself = max(recipe.games), _Itself(partner)
    seed = other_seed(recipe.seed, Purpose.SUPPORT)
    support = _self_play(recipe, partner, most, seed)
    models: dict[tuple[int, str], tuple[PartnerModel, float]] = {}
    for games in recipe.games:
        learned = known.learn_all(support.first(games))
        models |= {(games, kind): model for kind, model in learned.items()}
        models[games, ITSELF] = itself, 0.0
    return models


def _test_games(recipe: PredictionRecipe, partner: Agent, other: str) -> Seen:
    """Return games of a stranger with itself or, equally many in each seat, with another agent.

    The other agent sits in all other seats.
    """
    number, seed = recipe.test_games, other_seed(recipe.seed, Purpose.TABLE)
    if other == ALONE:
        return _self_play(recipe, partner, number, seed)
    agent, seats, parts = get_fair_agent(other), np.arange(recipe.players), []
    for own, games in enumerate(np.array_split(np.arange(number), recipe.players)):
        table = [partner if seat == own else agent for seat in seats]
        is_own = np.tile(seats == own, (len(games), 1))
        parts.append(Seen(play_numbered(table, games, seed), is_own))
    return join_seen(parts)


def _self_play(recipe: PredictionRecipe, partner: Agent, games: int, seed: int) -> Seen:
    """Return games of a stranger with itself."""
    logs = play([partner] * recipe.players, games, seed)
    return Seen(logs, np.ones((games, recipe.players), np.bool_))


METHODS: Final = (*KINDS, ITSELF)

_CALIBRATED: Final = Series("calibrated", [0, 1], [0, 1], line=":", style=Style("black", ""))
"""The line on which probabilities are as they should be."""

ALIKE_AFTER_ALL_GAMES: Final = ("uniform", "zero-shot")
"""Methods that learn nothing from games: figures by number of games leave their lines out."""

_ROWS_SHOWN: Final = 30
"""Of more strangers, tables show the means only; the CSV file has all."""

_KINDS_OF_STRANGERS: Final = {"rules": "random lists", "elite": "elites", "imitator": "imitators"}
"""What strangers are, by the prefix of their names."""

Rows = Sequence[Mapping[str, Any]]


def report(result: StudyResult[PredictionRecipe]) -> Report:
    """Return tables by stranger and by number of games, calibration, and induced programs."""
    recipe, rows = result.recipe, result.rows
    shown = 10 if 10 in recipe.games else max(recipe.games)
    blocks: list[Block] = [Paragraph(_WORDS)]
    if recipe.players > 2:
        blocks.append(Paragraph(words_for_several(recipe.players)))
    for other in (ALONE, *recipe.others):
        blocks += _by_stranger(rows, other, shown)
    others, kinds = dict.fromkeys(row["other"] for row in rows), _methods(rows)[:-1]
    by_other = {_with(other): select(rows, other=other, games=shown) for other in others}
    blocks += [*_by_games(rows, recipe), calibration_figure(by_other, kinds, shown)]
    if len(result.measured) <= _ROWS_SHOWN:
        blocks += _programs(result, shown)
    title = "Prediction of a stranger's moves"
    return result.report(title, blocks, "prediction", "strangers", recipe.seed)


_WORDS: Final = (
    "Log-loss: mean negative log-probability of the moves made, in nats. Accuracy: share of moves "
    "that the model finds most probable. ± 95 % interval over games; of means, over strangers. "
    f"{ITSELF} is the stranger's own distribution; its log-loss is its entropy. Seconds are "
    "processor time to learn and to predict."
)


def _by_stranger(rows: Rows, other: str, games: int) -> Iterator[Block]:
    """Yield the tables of strangers by methods, after so many games."""
    where = f"games with {other}" if other else "self-play games"
    after = _after(games)
    selected = select(rows, other=other, games=games)
    yield Heading(f"Log-loss in {where}, {after}")
    yield _table(selected, "log_loss", "half_width", 2)
    yield Heading(f"Log-loss above the stranger's own entropy in {where}, {after}")
    yield _above_entropy(selected)
    yield Heading(f"Accuracy in {where}, {after}")
    yield _table(selected, "accuracy", "accuracy_half_width", 3)
    yield Heading(f"Seconds, {where}, {after}")
    yield Table([["", *_methods(selected)], _means(selected, "seconds", 1)])


def _methods(rows: Rows) -> list[str]:
    """Return the methods that were measured, in the order of tables; ``ITSELF`` is the last one."""
    measured = {row["method"] for row in rows}
    return [method for method in METHODS if method in measured]


def _with(other: str) -> str:
    return f"with {other}" if other else "self-play"


def _after(games: int) -> str:
    return f"after {games} game{'' if games == 1 else 's'}"


def _table(rows: Rows, what: str, half_width: str, digits: int) -> Table:
    """Return a measure by stranger and method, and its mean over strangers."""
    partners, methods = list(dict.fromkeys(row["partner"] for row in rows)), _methods(rows)
    table = [["stranger", *methods]]
    for partner in partners if len(partners) <= _ROWS_SHOWN else ():
        own = {row["method"]: row for row in select(rows, partner=partner)}
        cells = (f"{own[m][what]:.{digits}f} ± {own[m][half_width]:.{digits}f}" for m in methods)
        table.append([partner, *cells])
    means = [_means(rows, what, digits)] if len(partners) > 1 else []
    return Table([*table, *means])


def _above_entropy(rows_of_strangers: Rows) -> Table:
    """Return the mean log-loss above that of the stranger itself, by kind of stranger.

    Elites have a row for each population besides.
    """
    own = {row["partner"]: row["log_loss"] for row in select(rows_of_strangers, method=ITSELF)}
    kinds: dict[str, list[dict[str, Any]]] = {}
    for row in rows_of_strangers:
        above = {**row, "above": row["log_loss"] - own[row["partner"]]}
        prefix, _, rest = row["partner"].rpartition(":")
        kinds.setdefault(_KINDS_OF_STRANGERS.get(prefix.split(":")[0], "agents"), []).append(above)
        if prefix == "elite":
            kinds.setdefault(f"elites of {rest.partition('/')[0]}", []).append(above)
    rows = (_means(rows, "above", 3, kind) for kind, rows in kinds.items())
    return Table([["strangers", *_methods(rows_of_strangers)], *rows])


def _means(rows: Rows, what: str, digits: int, strangers: str = "strangers") -> list[str]:
    """Return the row of means over strangers."""
    means = [estimate(values_of(rows, what, method=method)) for method in _methods(rows)]
    return [f"mean of {means[0].count} {strangers}", *(show(each, digits) for each in means)]


def _by_games(rows: Rows, recipe: PredictionRecipe) -> Iterator[Block]:
    """Yield the mean log-loss by number of games learned from."""
    if len(recipe.games) > 1:
        yield Heading("By number of games")
        lines = {other: _lines(rows, other, recipe.games) for other in (ALONE, *recipe.others)}
        panels = []
        for other, methods in lines.items():
            shown = [line for line in methods if line.label not in ALIKE_AFTER_ALL_GAMES]
            panels.append(Panel("games learned from", "nats a move", shown, _with(other)))
        caption = (
            "Mean log-loss of all strangers by number of games that models learned from; without "
            f"{' and '.join(ALIKE_AFTER_ALL_GAMES)}, which do not learn from them."
        )
        yield Figure("by_games.png", caption, partial(draw_lines, panels))
        heading = ["method", *map(str, recipe.games)]
        cells = [[line.label, *(f"{value:.3f}" for value in line.y)] for line in lines[ALONE]]
        yield Table([heading, *cells])


def _lines(rows: Rows, other: str, games: Sequence[int]) -> list[Series]:
    def mean(method: str, count: int) -> float:
        return values_of(rows, "log_loss", other=other, method=method, games=count).mean()

    return [Series(m, list(games), [mean(m, count) for count in games]) for m in _methods(rows)]


def calibration_figure(by_title: Mapping[str, Rows], methods: Iterable[str], games: int) -> Figure:
    """Return how often moves of each probability are made, by method; a panel for each title."""
    panels = []
    for title, rows in by_title.items():
        series = [_CALIBRATED]
        for method in methods:
            own = [row["calibration"] for row in select(rows, method=method)]
            count, expected, made = np.sum(own, axis=0)
            some = count > 0
            series.append(Series(method, expected[some] / count[some], made[some] / count[some]))
        panels.append(Panel("probability of a move", "share of times it is made", series, title))
    caption = f"Calibration after {games} games: all legal moves by their predicted probability."
    return Figure("calibration.png", caption, partial(draw_lines, panels))


def _programs(result: StudyResult[PredictionRecipe], games: int) -> Iterator[Block]:
    """Yield the likeliest induced program of each stranger, beside its true rules."""
    yield Heading(f"Induced programs, {_after(games)}")
    for name, stranger in result.measured.items():
        rules = [f"{rule} {CATALOGUE[rule].name}" for rule in RULE_LISTS.get(name, ())]
        truth = f"its rules are {'; '.join(rules)}" if rules else "not a named rule list"
        yield Paragraph(f"{name}: {truth}.")
        lines = stranger["program"].get(str(games), [])
        if lines:
            yield Table([["induced rule"], *([line] for line in lines)], numbers=False)


def values_of(rows: Rows, key: str, **wanted: Any) -> np.ndarray:
    """Return one value of each row with these other values."""
    return np.array([row[key] for row in select(rows, **wanted)])


def select(rows: Rows, **wanted: Any) -> Rows:
    """Return the rows with these values."""
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]
