"""A study of prediction: many strangers, by the number of games that models learn from."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from hoad.agents import Agent, get_agent, get_fair_agent, play
from hoad.agents.registry import RULE_LISTS
from hoad.agents.rules.catalogue import CATALOGUE
from hoad.agents.seeds import other_seed
from hoad.core.files import make_folder, only_writer
from hoad.core.identity import identity_of
from hoad.core.kept import Kept, KeptFile
from hoad.core.provenance import provenance
from hoad.game.stream import Purpose
from hoad.knowledge import HeldOut
from hoad.partners.choices import Seen
from hoad.partners.kinds import Knowledge, knowledge
from hoad.partners.model import PartnerModel, Uniform
from hoad.partners.positions import Asked
from hoad.partners.program.posterior import ProgramPosterior
from hoad.partners.program.words import program_in_words
from hoad.studies.prediction.measure import evaluate_learned
from hoad.studies.prediction.recipe import PredictionRecipe
from hoad.studies.prediction.result import StudyResult, measure_each, refuse_results, with_origin

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


def run_prediction(
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
    kept = KeptFile(recipe.out / "strangers.sqlite", "results with strangers")
    make_folder(recipe.out)
    with only_writer(recipe.out):
        if not resume and kept.folders():
            refuse_results(kept.path)
        items = {name: (kept, recipe, name, made_with) for name in recipe.strangers}
        strangers = measure_each(_kept_or_measured, items, "strangers", threads)
    return StudyResult(recipe, strangers, made_with)


def true_rules(name: str) -> list[str]:
    """Return the rules of a named rule list, in words; none for other agents."""
    return [f"{rule} {CATALOGUE[rule].name}" for rule in RULE_LISTS.get(name, ())]


def _kept_or_measured(
    kept: KeptFile, recipe: PredictionRecipe, name: str, made_with: Mapping[str, str | int]
) -> Mapping[str, Any]:
    """Return a stranger's results, those that are kept if nothing that they depend on changed."""
    settings = recipe.model_dump(
        mode="json", exclude={"partners", "elites", "random_lists", "out"}
    ) | {"name": name, "agents": _identities(recipe, name)}
    if entry := kept.find(name, identity_of(settings)):
        return entry.facts
    measured = with_origin(lambda: _measure(recipe, name), made_with)
    kept.add(Kept(name, identity_of(settings), measured))
    return measured


def _identities(recipe: PredictionRecipe, name: str) -> list[str]:
    """Return what the moves of the stranger and of all that models know or meet depend on."""
    known = knowledge(HeldOut(name, recipe.hold_out))
    agents = [*map(get_fair_agent, (name, *recipe.others)), *known.pool]
    agents.append(get_agent(f"maml:{known.meta_model}"))
    identities = [repr(agent.identity) for agent in agents]
    return identities if known.prior is None else [*identities, known.prior.identity]


def _measure(recipe: PredictionRecipe, name: str) -> dict[str, Any]:
    """Return the rows of a stranger, and its induced program in words by number of games."""
    partner, known = get_fair_agent(name), knowledge(HeldOut(name, recipe.hold_out))
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
    support = Seen(play([partner] * 2, most, seed), np.ones((most, 2), np.bool_))
    models: dict[tuple[int, str], tuple[PartnerModel, float]] = {}
    for games in recipe.games:
        learned = known.learn_all(support.select(np.arange(games)))
        models |= {(games, kind): model for kind, model in learned.items()}
        models[games, ITSELF] = itself, 0.0
    return models


def _test_games(recipe: PredictionRecipe, partner: Agent, other: str) -> Seen:
    """Return games of a stranger with itself or, half of them in each seat, with another agent."""
    number, seed = recipe.test_games, other_seed(recipe.seed, Purpose.TABLE)
    if other == ALONE:
        return Seen(play([partner] * 2, number, seed), np.ones((number, 2), np.bool_))
    agent, half = get_fair_agent(other), number // 2
    first = Seen(play([partner, agent], number - half, seed), _seat(0, number - half))
    return first.and_further(play([agent, partner], half, seed, number - half), _seat(1, half))


def _seat(seat: int, games: int) -> np.ndarray:
    return np.tile(np.arange(2) == seat, (games, 1))
