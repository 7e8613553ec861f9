"""Imitators: networks that learn from recorded games to predict an agent's moves.

Behaviour cloning: Sarmasi (2022), section 3.5.1, but games are split as a whole: accuracies are of
new games.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from hoad.agents.families import seeded_name
from hoad.agents.games import play
from hoad.agents.registry import is_agent
from hoad.core.errors import HoadError
from hoad.core.paths import checkpoint_folder
from hoad.game.log import GameLogs, encode_turns, replay
from hoad.learning.compute import autocast, derive_seed
from hoad.learning.games import PersonGames, Taught, checksum_of_logs, find_games, person_games
from hoad.learning.measures import Measures, accuracy, cross_entropy, measure
from hoad.learning.network_inputs import unpack
from hoad.learning.networks import Perceptron
from hoad.learning.pictures import draw_move_table
from hoad.learning.policies import PolicyAgent
from hoad.learning.recipes import ImitatorRecipe, Precision
from hoad.learning.recolour import COLOURS, recolouring_tensors
from hoad.learning.training.loop import LOSS, VALIDATION_LOSS, Learner, Scalars, train_and_test
from hoad.learning.training.run import TrainingRun
from hoad.learning.transitions import MoveSampler, TransitionTensors, to_device
from hoad.replay.sampler import TransitionSampler
from hoad.replay.split import split_drawn_games, split_games

ADAM_EPSILON: Final = 1e-7
"""Keras's default, with which the thesis trained."""

_SELF_PLAY_GAMES: Final = 1_000
_SELF_PLAY: Final = 1
"""Purpose of a seed; it keeps the decks of these games apart from recorded ones."""


class ImitatorLearner(Learner):
    """Trains a perceptron on the training games of an agent; a HoadError if they are too few.

    A person has few games, so moves of its logit, or of other people, are added to its batches.
    """

    recipe: ImitatorRecipe

    def __init__(self, games: GameLogs | PersonGames, recipe: ImitatorRecipe) -> None:
        super().__init__(recipe)
        self.network = Perceptron(recipe.hidden, recipe.dropout).to(self.device)
        self.optimiser = torch.optim.Adam(
            self.network.parameters(), betas=(0.9, recipe.adam_beta2), eps=ADAM_EPSILON, fused=True
        )
        size, seed = recipe.batch_size, recipe.seed
        self.sampler: TransitionSampler | MoveSampler
        if isinstance(games, PersonGames):
            self.games, split = len(games.logs), games.split()
            own = games.turns(split["train"])
            self.sampler = MoveSampler(own, games.added, size, recipe.own_moves, seed)
            unseen = [games.turns(split[part]) for part in ("validation", "test")]
        else:
            self.games, split = len(games), split_for(recipe.model_dump(), games)
            if not all(len(indices) for indices in split.values()):
                needed = 200 if recipe.train_games is None else recipe.train_games + 1
                problem = f"{len(games)} games are too few to split"
                raise HoadError(f"{problem}; record at least {needed}")
            self.sampler = TransitionSampler(games.select(split["train"]), size, seed)
            parts = (split["validation"][: recipe.validation_games], split["test"])
            unseen = [encode_turns(games.select(indices)) for indices in parts]
        self._confusion = torch.zeros(20, 20, dtype=torch.int64)
        self.validation, self.test_transitions = (to_device(part, self.device) for part in unseen)

    def step(self, step: int) -> Scalars:
        """Take one step of Adam on the next batch of transitions."""
        recipe = self.recipe
        warmup = min(1.0, (step + 1) / max(recipe.warmup_steps, 1))
        decay = 1 - step / recipe.steps if recipe.decay == "linear" else 1.0
        lr = recipe.learning_rate * warmup * decay
        self.set_lr(lr)
        batch = to_device(next(self.sampler), self.device)
        loss, correct = supervised_step(
            self.network, self.optimiser, batch, recipe.precision, colouring=self._colouring(step)
        )
        return {LOSS: loss, "training/accuracy": correct, "training/learning rate": lr}

    def _colouring(self, step: int) -> np.ndarray | None:
        if not self.recipe.recolour:
            return None
        return np.random.default_rng((self.recipe.seed, step)).permutation(COLOURS)

    def validate(self) -> Scalars:
        """Measure on the validation games."""
        self._confusion.zero_()
        measures = measure(
            self.network, self.validation, self.recipe.precision, confusion=self._confusion
        )
        return {
            VALIDATION_LOSS: measures.loss,
            "validation/accuracy": measures.accuracy,
            "validation/masked accuracy": measures.masked_accuracy,
        }

    def pictures(self) -> dict[str, np.ndarray]:
        """Return how often each legal move was the most probable one, by the move made."""
        counts = self._confusion.numpy()
        with np.errstate(invalid="ignore"):  # some moves may not have been made
            shares = counts / counts.sum(axis=1, keepdims=True)
        sides = ("move made", "most probable legal move")
        return {"validation/confusion of moves": draw_move_table(shares, sides, "share of turns")}

    def test(self) -> dict[str, float]:
        """Measure on the test games, which no choice depended on; and scores in self-play."""
        imitator = PolicyAgent("learner", self.network)
        seed = derive_seed(_SELF_PLAY, self.recipe.seed)
        outcomes = replay(play([imitator, imitator], _SELF_PLAY_GAMES, seed))
        return {
            "games": self.games,
            "test_transitions": len(self.test_transitions),
            **asdict(measure(self.network, self.test_transitions, self.recipe.precision)),
            "self_play_games": _SELF_PLAY_GAMES,
            "lenient_score": float(outcomes.scores.mean()),
            "strict_score": float(outcomes.strict.mean()),
        }

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return the sampler's position in its stream."""
        return {name: torch.tensor(value) for name, value in self.sampler.state_dict().items()}

    def load_state_dict(self, state: Mapping[str, torch.Tensor]) -> None:
        """Move the sampler to that position."""
        self.sampler.load_state_dict({name: int(value) for name, value in state.items()})


def split_for(recipe: Mapping[str, Any], logs: GameLogs) -> dict[str, np.ndarray]:
    """Return the indices of training, validation and test games.

    ``recipe`` holds the values of the imitator's recipe, as its metadata have them.
    """
    if recipe.get("train_games") is None:
        return split_games(logs)
    keys = ("train_games", "validation_games", "seed")
    return split_drawn_games(logs, *(recipe[key] for key in keys))


def supervised_step(
    network: torch.nn.Module,
    optimiser: torch.optim.Optimizer,
    batch: TransitionTensors,
    precision: Precision,
    colouring: np.ndarray | None = None,
) -> tuple[float, float]:
    """Take one optimiser step on the mean cross entropy; return loss and accuracy before it.

    ``colouring`` is the new colour of each colour in all transitions; None leaves them.
    """
    observations, actions = unpack(batch.observations), batch.actions
    if colouring is not None:
        bits, moves = recolouring_tensors(colouring, actions.device)
        observations, actions = observations[:, bits], moves[actions]
    with autocast(actions.device, precision):
        logits = network(observations)
        loss = cross_entropy(logits, actions)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    return loss.item(), accuracy(logits, actions).item()


def train_imitator(
    recipe: ImitatorRecipe,
    agent: str,
    data: Path,
    out: Path,
    resume: bool,
    teach: Callable[[], Taught] | None = None,
) -> Measures:
    """Train an imitator of ``agent`` on games in ``data``; write to ``imitator/AGENT`` in ``out``.

    ``data`` is a folder with a file for each agent, or a file with games of people, one of whom is
    ``agent``. Then ``teach`` returns moves from which it learns in place of those of other people;
    the metadata name the agents that the teacher ``asked``. A seed other than 0 follows, as in
    ``imitator/iggi.1``. Return measures of the best checkpoint on the test games, which no choice
    depended on.

    Raises:
        HoadError: no games of this agent; a file, and ``agent`` is no person; the recipe's
            own_share leaves room for moves that are not there; or see
            :func:`hoad.learning.training.loop.train`.
    """
    if recipe.own_share < 1 and not data.is_file():
        raise HoadError(f"{data}: own_share needs a file with games of people; name it with --data")
    if data.is_file() and is_agent(agent):  # its games are split in another way
        remedy = "give the folder of its own games, which record.py play writes, with --data"
        raise HoadError(f"{data}: a file is for games of people, and {agent} is an agent; {remedy}")
    games = person_games(data, agent) if data.is_file() else find_games(data, agent)
    logs = games.logs if isinstance(games, PersonGames) else games
    learned = {agent: checksum_of_logs(logs)}
    if isinstance(games, PersonGames) and recipe.own_share < 1:
        if not teach and not len(games.added.actions):
            raise HoadError(f"{data}: no moves of other people to add; give --own-share 1")
        learned["other people"] = games.others_checksum
    folder = checkpoint_folder("imitator", seeded_name(agent, recipe.seed), out)
    run = TrainingRun("imitator", agent, folder, recipe, learned)
    run.claim(resume)
    measures = run.finished_measures()
    if measures is None:
        if teach and isinstance(games, PersonGames):
            taught = teach()
            games = replace(games, added=taught.moves)
            run = replace(run, facts={"asked": list(taught.asked)})
        measures = train_and_test(ImitatorLearner(games, recipe), run, resume)
    names = [field.name for field in fields(Measures) if field.name in measures]
    return Measures(**{name: measures[name] for name in names})
