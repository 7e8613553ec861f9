"""How well a partner model predicts moves: log-loss, accuracy, calibration and time.

:class:`StudyResult` has this of each stranger or person of a study.
"""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import numpy as np

from hoad.core.errors import HoadError
from hoad.core.progress import counted
from hoad.core.provenance import networks_used, note_network
from hoad.core.recipe import RecipeT
from hoad.core.workers import work
from hoad.partners.choices import Seen
from hoad.partners.mixture import Mixture
from hoad.partners.model import PartnerModel
from hoad.reports.output import how_it_was_made, how_to_make_it_again
from hoad.reports.page import Block, Report
from hoad.reports.statistics import Estimate, estimate, show

Key = TypeVar("Key", bound=Hashable)

BINS: Final = 20
"""Bins of equal width of predicted probabilities."""

_BLOCK: Final = 50
"""Games that are predicted together; what a mixture asks of a game takes 3 MB."""

_LEAST: Final = 1e-12
"""Smaller probabilities of a move that was made count as this one in the log-loss."""

_TIE: Final = 1e-12


@dataclass(frozen=True)
class Prediction:
    """How well a model predicts the moves of a stranger.

    Attributes:
        log_loss: mean negative log-probability of the moves made, nats.
        accuracy: share of moves that are the model's most probable; where several are, they count
            as one of them drawn by chance.
        seconds: processor time to learn and to predict.
        half_width: of the 95 % interval of the loss; NaN for a single game.
        accuracy_half_width: of that of the accuracy, likewise.
    """

    log_loss: float
    accuracy: float
    seconds: float
    half_width: float
    accuracy_half_width: float

    def shown(self) -> list[str]:
        """Return loss and accuracy as text, with their intervals if there are several games."""
        measures = (self.log_loss, self.half_width), (self.accuracy, self.accuracy_half_width)
        return [show(Estimate(*measure, count=2), 3) for measure in measures]


@dataclass(frozen=True)
class Evaluation:
    """What a model expected at each decision of some games.

    Attributes:
        games: index of the game, int64, shape ``(decisions,)``.
        losses: negative log-probabilities of the moves made, nats, float64, same shape.
        hits: 1 where the move made is the model's most probable, less where it is one of several,
            float64, same shape.
        calibration: of all legal moves by bin of their probability, float64, shape ``(3, BINS)``:
            how many, the sum of their probabilities, and how many were made.
        seconds: processor time to predict, and to learn if that is known.
    """

    games: np.ndarray
    losses: np.ndarray
    hits: np.ndarray
    calibration: np.ndarray
    seconds: float

    def prediction(self) -> Prediction:
        """Return the means."""
        means = float(self.losses.mean()), float(self.hits.mean())
        half_widths = self._half_width(self.losses), self._half_width(self.hits)
        return Prediction(*means, self.seconds, *half_widths)

    def row(self) -> dict[str, Any]:
        """Return the means and the calibration, as values that JSON has."""
        return vars(self.prediction()) | {"calibration": self.calibration.round(6).tolist()}

    def _half_width(self, values: np.ndarray) -> float:
        """Return the half-width of the 95 % interval of the mean of losses or hits.

        Games are the independent values, and longer ones count more in the mean: it is a ratio of
        sums over games (Cochran 1977, Sampling Techniques, section 2.11).
        """
        counts = np.bincount(self.games)
        sums = np.bincount(self.games, values)[counts > 0]
        counts = counts[counts > 0]
        return estimate((sums - values.mean() * counts) / counts.mean()).half_width


def evaluate(models: Mapping[Key, PartnerModel], games: Seen) -> dict[Key, Evaluation]:
    """Return how well some models predict the moves in games, at least one.

    What several models ask, and what a mixture asks its models, is computed once. The seconds are
    those that each model takes alone.
    """
    evaluations: dict[Key, list[Evaluation]] = {key: [] for key in models}
    for first, block in games.blocks(_BLOCK):
        asked: dict[PartnerModel, tuple[np.ndarray, float]] = {}
        for key, model in models.items():
            evaluations[key].append(evaluation_of(block, first, *_ask(model, block, asked)))
    return {key: _join(parts) for key, parts in evaluations.items()}


def evaluate_learned(
    learned: Mapping[Key, tuple[PartnerModel, float]], games: Seen
) -> dict[Key, Evaluation]:
    """Return the same of models with the seconds that they took to learn, which are added."""
    evaluations = evaluate({key: model for key, (model, _) in learned.items()}, games)
    return {
        key: replace(each, seconds=learned[key][1] + each.seconds)
        for key, each in evaluations.items()
    }


def _ask(
    model: PartnerModel, games: Seen, asked: dict[PartnerModel, tuple[np.ndarray, float]]
) -> tuple[np.ndarray, float]:
    """Return what a model expects, and the seconds; from ``asked`` if it is there already."""
    if model not in asked:
        own = model.models if isinstance(model, Mixture) else ()
        parts = [_ask(agent, games, asked) for agent in own]
        started, saved = time.thread_time(), games.saved
        if isinstance(model, Mixture):
            expected = model.mix([weights for weights, _ in parts], games)
        else:
            expected = model.expected(games)
        seconds = time.thread_time() - started + games.saved - saved
        asked[model] = expected, seconds + sum(taken for _, taken in parts)
    return asked[model]


def evaluation_of(games: Seen, first: int, weights: np.ndarray, seconds: float) -> Evaluation:
    """Return how well distributions predict the moves in games, counted from ``first``."""
    choices = games.choices
    best = weights >= weights.max(1, keepdims=True) - _TIE
    made = np.zeros_like(choices.legal)
    made[np.arange(len(choices)), choices.actions] = True
    expected = weights[choices.legal]
    bins = np.minimum((expected * BINS).astype(np.int64), BINS - 1)
    columns = np.ones_like(expected), expected, made[choices.legal].astype(np.float64)
    return Evaluation(
        choices.games + first,
        -np.log(np.maximum(choices.made(weights), _LEAST)),
        choices.made(best) / best.sum(1),
        np.array([np.bincount(bins, column, BINS) for column in columns]),
        seconds,
    )


def _join(parts: Sequence[Evaluation]) -> Evaluation:
    games, losses, hits = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("games", "losses", "hits")
    )
    calibration = np.sum([part.calibration for part in parts], axis=0)
    return Evaluation(games, losses, hits, calibration, sum(part.seconds for part in parts))


@dataclass(frozen=True)
class StudyResult(Generic[RecipeT]):
    """What was measured.

    Attributes:
        recipe: what was asked for.
        measured: by name, ``rows`` with the keys partner and other, or person and partner; games,
            method, log_loss, half_width, accuracy, accuracy_half_width, seconds and calibration (of
            people also decisions); ``program``, the likeliest induced program in words, by number
            of games; ``seconds``, wall time; ``made_with``, provenance; ``networks``, those that
            the worker had loaded by then, names by file, for the list of the report; and of people
            ``played`` and ``tested``, the numbers of their games, and ``weights``, by number of
            games the inputs that set them apart from other people.
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
        about = {
            name: _without("networks", _without("rows", each))
            for name, each in self.measured.items()
        }
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
